#include "ui/panes/fetchdialog.h"

#include "core/remote/following.h"
#include "ui/models/text.h"
#include "ui/panes/tableview.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace wb::ui {

FetchDialog::FetchDialog(Session& session, const JobFiles& files, QWidget* parent)
    : QDialog(parent)
    , m_files(files)
    , m_model({tr("File"), tr("Size"), tr("Fetched")})
    , m_view(new TableView(&m_model, WordsModel::SortRole, tr("Files of the job"), this))
    , m_summary(new QLabel(this))
    , m_everything(new QCheckBox(tr("Also what is no result: logs of workers, profiles"), this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("fetchDialog"));
    const store::JobEntry* job = session.jobs().find(files.job);
    setWindowTitle(tr("Fetch results of %1").arg(job ? text(job->name) : text(files.job)));
    auto* where = new QLabel(this);
    if (job) {
        where->setText(tr("From %1:%2\nto %3")
                           .arg(text(session.jobs().profileOf(*job).host), text(remote::outputFolder(*job)), files.folder));
        if (remote::isPartial(*job))
            where->setText(where->text() + QLatin1Char('\n') + tr("The job is %1: its results are partial.").arg(text(job->state)));
    }
    where->setTextFormat(Qt::PlainText);
    where->setWordWrap(true);
    where->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_view->setObjectName(QStringLiteral("fetchFiles"));
    m_view->setColumnWidths({48, 10, 24}, 0);
    m_view->setEmptyText(tr("There is no file in the job's folder."));
    m_summary->setObjectName(QStringLiteral("fetchSummary"));
    m_everything->setObjectName(QStringLiteral("fetchEverything"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_fetch = buttons->addButton(tr("Fetch and import"), QDialogButtonBox::AcceptRole);
    m_fetch->setObjectName(QStringLiteral("fetchNow"));
    m_fetch->setDefault(true);
    auto* column = new QVBoxLayout(this);
    column->addWidget(where);
    column->addWidget(m_view, 1);
    column->addWidget(m_everything);
    column->addWidget(m_summary);
    column->addWidget(buttons);
    connect(m_everything, &QCheckBox::toggled, this, &FetchDialog::refresh);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this, &session] {
        session.jobs().fetch(m_files.job, m_everything->isChecked() ? m_files.everything : m_files.plan);
        accept();
    });
    resize(760, 460);
    refresh();
}

void FetchDialog::refresh()
{
    const remote::FetchPlan& plan = m_everything->isChecked() ? m_files.everything : m_files.plan;
    std::vector<WordsRow> rows;
    const auto add = [&](const remote::RemoteFile& file, const QString& does) {
        rows.push_back({.id = file.path, .cells = {text(file.path), byteCount(static_cast<std::size_t>(file.size)), does}});
    };
    for (const remote::RemoteFile& file : plan.wanted)
        add(file, tr("yes"));
    const remote::FetchRule rule;
    for (const remote::RemoteFile& file : plan.left)
        add(file, file.size > rule.largest ? tr("stays there: too large") : tr("stays there: no result"));
    m_model.setWords(std::move(rows));
    m_summary->setText(tr("%n file(s), %1; ", nullptr, static_cast<int>(plan.wanted.size()))
                           .arg(byteCount(static_cast<std::size_t>(plan.bytes))) +
                       tr("%n file(s) left there.", nullptr, static_cast<int>(plan.left.size())));
    m_fetch->setEnabled(!plan.wanted.empty());
    m_fetch->setToolTip(plan.wanted.empty() ? tr("There is no result among the files.") : QString());
}

} // namespace wb::ui
