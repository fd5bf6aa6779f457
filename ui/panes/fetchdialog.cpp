#include "ui/panes/fetchdialog.h"

#include "core/remote/following.h"
#include "ui/models/jobsmodel.h"
#include "ui/models/text.h"
#include "ui/panes/tableview.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace wb::ui {

FetchDialog::FetchDialog(Session& session, std::vector<JobFiles> files, QWidget* parent)
    : QDialog(parent)
    , m_session(session)
    , m_files(std::move(files))
    , m_model({tr("Job"), tr("File"), tr("Size"), tr("Fetch")})
    , m_view(new TableView(&m_model, WordsModel::SortRole, tr("Files of the jobs"), this))
    , m_summary(new QLabel(this))
    , m_everything(new QCheckBox(tr("Also what is no result: logs of workers, profiles"), this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("fetchDialog"));
    const store::JobEntry* first = session.jobs().find(m_files.front().job);
    setWindowTitle(m_files.size() == 1 && first ? tr("Fetch results of %1").arg(text(first->name))
                                                : tr("Fetch results of %n job(s)", nullptr, static_cast<int>(m_files.size())));
    auto* where = new QLabel(whereText(), this);
    where->setTextFormat(Qt::PlainText);
    where->setWordWrap(true);
    where->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_view->setObjectName(QStringLiteral("fetchFiles"));
    m_view->setColumnWidths({16, 44, 10, 24}, 1);
    m_view->setColumnShown(0, m_files.size() > 1);
    m_view->setEmptyText(tr("There is no file in the folder."));
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
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        for (const JobFiles& each : m_files)
            if (!plan(each).wanted.empty())
                m_session.jobs().fetch(each.job, plan(each));
        accept();
    });
    resize(860, 480);
    refresh();
}

const remote::FetchPlan& FetchDialog::plan(const JobFiles& files) const
{
    return m_everything->isChecked() ? files.everything : files.plan;
}

QString FetchDialog::whereText() const
{
    QStringList partial;
    for (const JobFiles& each : m_files) {
        const store::JobEntry* job = m_session.jobs().find(each.job);
        if (job && remote::isPartial(*job))
            partial += tr("%1 (%2)").arg(text(job->name), jobState(*job));
    }
    QString words;
    const store::JobEntry* first = m_session.jobs().find(m_files.front().job);
    if (m_files.size() == 1 && first)
        words = tr("From %1:%2\nto %3")
                    .arg(text(m_session.jobs().profileOf(*first).host), text(remote::outputFolder(*first)), m_files.front().folder);
    else
        words = tr("To a folder for each job in %1").arg(QFileInfo(m_files.front().folder).path());
    if (!partial.isEmpty())
        words +=
            QLatin1Char('\n') + tr("Partial, since they were cut short or go on: %1").arg(partial.mid(0, 8).join(QStringLiteral(", ")));
    return words;
}

void FetchDialog::refresh()
{
    std::vector<WordsRow> rows;
    int wanted = 0;
    int left = 0;
    std::uint64_t bytes = 0;
    const remote::FetchRule rule;
    for (const JobFiles& each : m_files) {
        const store::JobEntry* job = m_session.jobs().find(each.job);
        const auto add = [&](const remote::RemoteFile& file, const QString& does) {
            rows.push_back(
                {.id = each.job + '\n' + file.path,
                 .cells = {job ? text(job->name) : QString(), text(file.path), byteCount(static_cast<std::size_t>(file.size)), does}});
        };
        for (const remote::RemoteFile& file : plan(each).wanted)
            add(file, tr("yes"));
        for (const remote::RemoteFile& file : plan(each).left)
            add(file, file.size > rule.largest ? tr("stays there: too large") : tr("stays there: no result"));
        wanted += static_cast<int>(plan(each).wanted.size());
        left += static_cast<int>(plan(each).left.size());
        bytes += plan(each).bytes;
    }
    m_model.setWords(std::move(rows));
    m_summary->setText(tr("%n file(s), %1; ", nullptr, wanted).arg(byteCount(static_cast<std::size_t>(bytes))) +
                       tr("%n file(s) left there.", nullptr, left));
    m_fetch->setEnabled(wanted > 0);
    m_fetch->setToolTip(wanted > 0 ? QString() : tr("There is no result among the files."));
}

} // namespace wb::ui
