#include "ui/panes/commandsview.h"

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/remote/auditlog.h"
#include "core/store/atomicfile.h"
#include "core/syntax/diagnostic.h"
#include "ui/async/background.h"
#include "ui/models/text.h"
#include "ui/panes/severitydelegate.h"
#include "ui/panes/tableview.h"

#include <QDateTime>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

namespace wb::ui {

namespace {

constexpr std::size_t mostShown = 2000;

std::optional<WordsRow> rowOf(std::string_view line, std::size_t number)
{
    const auto entry = base::json::read(line);
    if (!entry)
        return std::nullopt;
    const auto words = [&](std::string_view key) {
        const base::json::Value* value = entry->find(key);
        return value && value->string() ? text(*value->string()) : QString();
    };
    const auto count = [&](std::string_view key) -> std::optional<std::int64_t> {
        const base::json::Value* value = entry->find(key);
        return value && value->integer() ? std::optional<std::int64_t>(*value->integer()) : std::nullopt;
    };
    const auto time = count("time");
    const auto duration = count("ms");
    const QString outcome = words("outcome");
    WordsRow row;
    row.id = std::to_string(number);
    row.cells = {time ? QDateTime::fromSecsSinceEpoch(*time).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss")) : dash(), words("host"),
                 words("title"), outcome, duration ? QString::number(*duration) : dash()};
    if (outcome != QLatin1String("exit 0"))
        row.severity = static_cast<int>(syntax::Severity::Warning);
    row.tip = words("command");
    return row;
}

} // namespace

struct CommandsView::Read {
    std::vector<WordsRow> rows;
    std::size_t all = 0;
    QString trouble;
};

CommandsView::CommandsView(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_model({tr("Time"), tr("Host"), tr("Command"), tr("Outcome"), tr("ms")})
    , m_view(new TableView(&m_model, WordsModel::SortRole, tr("Commands that went to clusters"), this))
    , m_summary(new QLabel(this))
    , m_read(session.workers(), [this](const std::shared_ptr<const Read>& read) {
        m_view->changeQuietly([&] { m_model.setWords(read->rows); });
        m_summary->setText(!read->trouble.isEmpty()        ? read->trouble
                           : read->rows.size() < read->all ? tr("The last %1 of %2 commands").arg(read->rows.size()).arg(read->all)
                                                           : tr("%n command(s)", nullptr, static_cast<int>(read->all)));
    })
{
    m_view->setObjectName(QStringLiteral("commandsView"));
    m_view->setItemDelegateForColumn(3, new SeverityDelegate(WordsModel::SeverityRole, m_view));
    m_view->setColumnWidths({20, 16, 30, 30, 8}, 3);
    m_view->setEmptyText(tr("No command went to a cluster yet. Each one is written down here, with secrets taken out."));
    m_summary->setTextFormat(Qt::PlainText);
    auto* filter = new QLineEdit(this);
    filter->setPlaceholderText(tr("Filter"));
    filter->setAccessibleName(tr("Filter of the commands"));
    filter->setClearButtonEnabled(true);
    connect(filter, &QLineEdit::textChanged, m_view, [this](const QString& words) { m_view->filter().setWords(words); });
    auto* again = new QToolButton(this);
    again->setText(tr("Refresh"));
    again->setToolTip(tr("Read the log again"));
    again->setAutoRaise(true);
    connect(again, &QToolButton::clicked, this, &CommandsView::refresh);
    auto* exports = new QToolButton(this);
    exports->setObjectName(QStringLiteral("exportCommands"));
    exports->setText(tr("Export\u2026"));
    exports->setToolTip(tr("Write the whole log to a file, a JSON object a line"));
    exports->setAutoRaise(true);
    connect(exports, &QToolButton::clicked, this, [this] {
        auto* dialog = new QFileDialog(this, tr("Export the commands"), QStringLiteral("audit.jsonl"));
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setAcceptMode(QFileDialog::AcceptSave);
        connect(dialog, &QFileDialog::fileSelected, this, &CommandsView::exportTo);
        dialog->open();
    });
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(6, 4, 6, 4);
    bar->addWidget(m_summary, 1);
    bar->addWidget(filter);
    bar->addWidget(again);
    bar->addWidget(exports);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(m_view, 1);
    setFocusProxy(m_view);
}

void CommandsView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void CommandsView::refresh()
{
    m_read.start([file = m_session.connections().auditFile().toStdString()](std::stop_token) {
        auto out = std::make_shared<Read>();
        const auto bytes = remote::readAuditLog(file);
        if (!bytes) {
            if (bytes.error().code != ErrorCode::NotFound)
                out->trouble = text(bytes.error().message);
            return std::shared_ptr<const Read>(out);
        }
        const std::vector<std::string_view> lines = base::splitAt(*bytes, '\n');
        for (std::size_t i = lines.size(); i-- > 0;) {
            if (lines[i].empty())
                continue;
            ++out->all;
            if (out->rows.size() >= mostShown)
                continue;
            if (auto row = rowOf(lines[i], i))
                out->rows.push_back(*std::move(row));
        }
        return std::shared_ptr<const Read>(out);
    });
}

void CommandsView::exportTo(const QString& file)
{
    async::runInBackground(
        m_session.workers(), this,
        [from = m_session.connections().auditFile().toStdString(), to = file.toStdString()]() -> Result<void> {
            const auto bytes = remote::readAuditLog(from);
            if (!bytes)
                return tl::unexpected<Error>(bytes.error());
            return store::writeAtomically(to, *bytes);
        },
        [this, file](const Result<void>& written) {
            if (!written)
                return m_session.log().error(Error(written.error()).within("Exporting the commands"));
            m_session.log().info(tr("The commands were written to %1.").arg(file));
        });
}

} // namespace wb::ui
