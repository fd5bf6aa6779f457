#include "ui/panes/comparerunspage.h"

#include "ui/models/text.h"
#include "ui/panes/cellsdelegate.h"
#include "ui/panes/messagebar.h"
#include "ui/panes/tableview.h"

#include <QCheckBox>
#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QUrl>
#include <QVBoxLayout>

namespace wb::ui {

namespace {

enum Column { SectionColumn, FactColumn, StateColumn, FirstSide };

using analysis::Fact;
using analysis::FactState;

QString headline(analysis::Verdict verdict)
{
    switch (verdict) {
    case analysis::Verdict::Same:
        return CompareRunsPage::tr("SAME");
    case analysis::Verdict::SingleVariable:
        return CompareRunsPage::tr("SINGLE VARIABLE");
    case analysis::Verdict::Differences:
        return CompareRunsPage::tr("DIFFERENCES");
    case analysis::Verdict::Unknown:
        break;
    }
    return CompareRunsPage::tr("UNKNOWN");
}

/// Why a fact that differs is not counted; empty: it is.
QString notCounted(const Fact& fact)
{
    if (fact.noise)
        return CompareRunsPage::tr("noise: it differs in every run");
    if (fact.label)
        return CompareRunsPage::tr("shown, not counted");
    if (fact.unrecorded)
        return CompareRunsPage::tr("not counted: the records of these runs have no word for it");
    if (!fact.follows.empty())
        return CompareRunsPage::tr("follows from %1").arg(text(fact.follows));
    return {};
}

Cell stateCell(const Fact& fact)
{
    const QString why = notCounted(fact);
    const QString remark = text(fact.remark);
    switch (fact.state) {
    case FactState::Same:
        return {.text = CompareRunsPage::tr("same"), .sort = 3, .tip = remark, .look = CellLook::Quiet};
    case FactState::Unknown:
        return {.text = CompareRunsPage::tr("unknown"),
                .sort = 2,
                .tip = CompareRunsPage::tr("A side does not tell it: that is not \"same\".") +
                       (why.isEmpty() ? QString() : QLatin1Char('\n') + why),
                .look = CellLook::Unknown};
    case FactState::Different:
        break;
    }
    return {.text = why.isEmpty() ? CompareRunsPage::tr("different") : CompareRunsPage::tr("different (%1)").arg(why),
            .sort = why.isEmpty() ? 0 : 1,
            .tip = remark,
            .look = why.isEmpty() ? CellLook::Bad : CellLook::Quiet};
}

CellsRow rowOf(const analysis::Section& section, const Fact& fact, int order)
{
    CellsRow row{.id = std::string(section.id) + '\x1f' + fact.key,
                 .cells = {{.text = text(section.title), .sort = order}, {.text = text(fact.key)}, stateCell(fact)}};
    if (!fact.remark.empty())
        row.cells[FactColumn].tip = text(fact.key) + QLatin1Char('\n') + text(fact.remark);
    for (const std::optional<std::string>& value : fact.values) {
        const bool isOdd = value && fact.values.front() && *value != *fact.values.front() && fact.isCounted();
        QString words = value ? text(*value) : CompareRunsPage::tr("not known");
        const QString tip = words;
        words.replace(QLatin1Char('\n'), QChar(0x21b5));
        row.cells.push_back({.text = words, .tip = tip, .look = !value ? CellLook::Unknown : isOdd ? CellLook::Warning : CellLook::Plain});
    }
    row.isQuiet = fact.isQuiet();
    return row;
}

} // namespace

CompareRunsPage::CompareRunsPage(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_verdict(new QLabel(this))
    , m_same(new QCheckBox(tr("Same"), this))
    , m_noise(new QCheckBox(tr("Noise"), this))
    , m_view(new TableView(&m_facts, CellsModel::SortRole, tr("Facts of the runs"), this))
    , m_message(new MessageBar(this))
{
    setAcceptDrops(true);
    m_view->setObjectName(QStringLiteral("runFacts"));
    m_view->setItemDelegate(new CellsDelegate(m_view));
    m_view->setTextElideMode(Qt::ElideMiddle);
    m_view->setColumnWidths({12, 30, 11, 28, 28, 28, 28, 28, 28, 28, 28});
    m_view->setEmptyText(tr("Select points of two runs in Results and choose \"Compare the runs\", or drop folders of runs here."));
    m_verdict->setObjectName(QStringLiteral("runVerdict"));
    m_verdict->setWordWrap(true);
    m_verdict->setTextFormat(Qt::RichText);
    m_verdict->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_same->setObjectName(QStringLiteral("showSameFacts"));
    m_noise->setObjectName(QStringLiteral("showNoise"));
    m_noise->setToolTip(
        tr("Ports, host names, job ids and what a launcher sets for each rank, different in every run; and what the records "
           "of these runs have no word for: never counted"));
    auto* filter = new QLineEdit(this);
    filter->setPlaceholderText(tr("Filter"));
    filter->setAccessibleName(tr("Filter of the facts"));
    filter->setClearButtonEnabled(true);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(6, 4, 6, 4);
    bar->addWidget(m_verdict, 3);
    bar->addWidget(filter, 1);
    bar->addWidget(m_same);
    bar->addWidget(m_noise);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_message);
    column->addLayout(bar);
    column->addWidget(m_view, 1);
    setFocusProxy(m_view);

    connect(filter, &QLineEdit::textChanged, this, [this](const QString& words) {
        m_words = words;
        applyFilter();
    });
    connect(m_same, &QCheckBox::toggled, this, &CompareRunsPage::applyFilter);
    connect(m_noise, &QCheckBox::toggled, this, &CompareRunsPage::applyFilter);
    connect(m_view, &TableView::menuRequested, this, [this](QMenu& menu, const QModelIndex&) {
        const auto& result = m_session.runs().result();
        for (qsizetype i = 1; result && i < result->paths.size(); ++i) {
            QStringList order = result->paths;
            order.move(i, 0);
            menu.addAction(tr("Compare with %1 first").arg(result->titles[i]), this, [this, order] { m_session.compareRuns(order); });
        }
    });
    connect(&session.runs(), &RunComparison::changed, this, &CompareRunsPage::refresh);
    refresh();
}

void CompareRunsPage::refresh()
{
    const auto& result = m_session.runs().result();
    if (m_session.runs().isRunning())
        return m_verdict->setText(tr("Reading the runs\u2026").toHtmlEscaped());
    if (!result)
        return m_verdict->setText(tr("No runs are compared.").toHtmlEscaped());
    QStringList titles{tr("Section"), tr("Fact"), tr("State")};
    titles += result->titles;
    std::vector<CellsRow> rows;
    int same = 0;
    int noise = 0;
    for (std::size_t i = 0; i < result->comparison.sections.size(); ++i) {
        for (const Fact& fact : result->comparison.sections[i].facts) {
            rows.push_back(rowOf(result->comparison.sections[i], fact, static_cast<int>(i)));
            same += fact.state == FactState::Same ? 1 : 0;
            noise += fact.isQuiet() && fact.state != FactState::Same ? 1 : 0;
        }
    }
    m_view->changeQuietly([&] { m_facts.setTable(titles, std::move(rows)); });
    m_same->setText(tr("Same (%1)").arg(same));
    m_noise->setText(tr("Noise (%1)").arg(noise));
    if (result->paths.size() < 2)
        m_verdict->setText(tr("Fewer than two runs could be read: there is nothing to compare.").toHtmlEscaped());
    else
        m_verdict->setText(QStringLiteral("<b>%1</b> \u2014 %2")
                               .arg(headline(result->comparison.verdict).toHtmlEscaped(), text(result->comparison.reason).toHtmlEscaped()));
    if (!result->errors.empty())
        m_message->showError(result->errors.front());
    else if (!result->warnings.isEmpty())
        m_message->showText(result->warnings.join(QLatin1Char(' ')));
    else
        m_message->hide();
    applyFilter();
}

void CompareRunsPage::applyFilter()
{
    m_view->filter().setWords(m_words);
    m_view->filter().setCondition([same = m_same->isChecked(), noise = m_noise->isChecked()](const QModelIndex& index) {
        constexpr int sameSort = 3;
        const bool isSame = index.siblingAtColumn(StateColumn).data(CellsModel::SortRole).toInt() == sameSort;
        if (isSame)
            return same;
        return noise || !index.data(CellsModel::QuietRole).toBool();
    });
}

void CompareRunsPage::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->urls().size() > 1)
        event->acceptProposedAction();
}

void CompareRunsPage::dropEvent(QDropEvent* event)
{
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls()) {
        if (url.isLocalFile())
            paths += url.toLocalFile();
    }
    event->acceptProposedAction();
    m_session.compareRuns(paths);
}

} // namespace wb::ui
