#include "ui/panes/submitdialog.h"

#include "ui/models/text.h"

#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QFormLayout>
#include <QFrame>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace wb::ui {

std::vector<std::pair<QString, QString>> sheetRows(const PreparedSubmission& prepared)
{
    const remote::SubmissionSheet& sheet = prepared.sheet;
    const remote::Profile& profile = prepared.planned.profile;
    const auto orDefault = [](const std::string& words) {
        return words.empty() ? SubmitDialog::tr("(the cluster's default)") : text(words);
    };
    QString hours = SubmitDialog::tr("not known: a job has no time limit");
    if (sheet.nodeHours) {
        hours = SubmitDialog::tr("%1 node-hours, %2 GPU-hours at most: nodes \u00d7 time limit")
                    .arg(number(sheet.nodeHours, 5), number(sheet.gpuHours, 5));
    }
    QString jobs = SubmitDialog::tr("%n job(s), %1 nodes in all", nullptr, static_cast<int>(sheet.jobs)).arg(sheet.nodes);
    if (sheet.unready > 0)
        jobs += SubmitDialog::tr("; %n chosen job(s) cannot be sent and are skipped", nullptr, static_cast<int>(sheet.unready));
    std::vector<std::pair<QString, QString>> rows = {
        {SubmitDialog::tr("Host"), SubmitDialog::tr("%1 (profile \"%2\")").arg(text(sheet.host), text(profile.name))},
        {SubmitDialog::tr("Launcher"), text(prepared.planned.launcherName)},
        {SubmitDialog::tr("Account"), orDefault(sheet.account)},
        {SubmitDialog::tr("Partition"), orDefault(sheet.partition)},
        {SubmitDialog::tr("Jobs"), jobs},
        {SubmitDialog::tr("Cost"), hours},
        {SubmitDialog::tr("Transfer"), SubmitDialog::tr("%n file(s), %1, into %2", nullptr, static_cast<int>(sheet.files))
                                           .arg(byteCount(sheet.bytes), text(sheet.remoteFolder))},
    };
    if (profile.maxInFlight > 0)
        rows.emplace_back(SubmitDialog::tr("In flight"), SubmitDialog::tr("at most %1 at once").arg(profile.maxInFlight));
    if (profile.staggerSeconds > 0)
        rows.emplace_back(SubmitDialog::tr("Stagger"), SubmitDialog::tr("%1 s between two").arg(profile.staggerSeconds));
    if (!profile.secrets.empty())
        rows.emplace_back(SubmitDialog::tr("Secrets"),
                          SubmitDialog::tr("%1, in a file that you alone can read").arg(text(profile.secrets)));
    if (prepared.planned.launcher == render::Launcher::Srtctl)
        rows.emplace_back(SubmitDialog::tr("Cluster file there"), profile.remoteClusterFile.empty()
                                                                      ? SubmitDialog::tr("the one that srtctl finds there")
                                                                      : text(profile.remoteClusterFile));
    if (prepared.isUnsaved)
        rows.emplace_back(SubmitDialog::tr("Note"), SubmitDialog::tr("The text has changes that are not saved; it is sent as it stands in "
                                                                     "the editor."));
    if (prepared.isTrial)
        rows.emplace_back(SubmitDialog::tr("Note"), SubmitDialog::tr("The trial values of the Variants pane are in what is sent."));
    return rows;
}

SubmitDialog::SubmitDialog(Session& session, const PreparedPtr& prepared, QWidget* parent)
    : QDialog(parent)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("submitDialog"));
    const remote::SubmissionSheet& sheet = prepared->sheet;
    setWindowTitle(tr("Submit to %1").arg(text(sheet.host)));
    auto* column = new QVBoxLayout(this);
    if (const QColor colour(text(prepared->planned.profile.colour)); colour.isValid()) {
        auto* frame = new QFrame(this);
        frame->setFixedHeight(6);
        frame->setAutoFillBackground(true);
        QPalette painted = palette();
        painted.setColor(QPalette::Window, colour);
        frame->setPalette(painted);
        column->addWidget(frame);
    }
    auto* form = new QFormLayout;
    form->setLabelAlignment(Qt::AlignRight);
    QString spoken;
    for (const auto& [what, value] : sheetRows(*prepared)) {
        auto* label = new QLabel(value, this);
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        form->addRow(what + QLatin1Char(':'), label);
        spoken += what + QStringLiteral(": ") + value + QLatin1Char('\n');
    }
    setAccessibleDescription(spoken);
    column->addLayout(form);
    auto* command = new QPlainTextEdit(this);
    command->setObjectName(QStringLiteral("submitCommand"));
    command->setReadOnly(true);
    command->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    command->setAccessibleName(tr("The exact command of the first job"));
    QString words = tr("# the first job, on %1 in %2/%3").arg(text(sheet.host), text(sheet.remoteFolder), text(sheet.jobFolder)) +
                    QLatin1Char('\n') + text(sheet.command);
    if (!sheet.difference.empty())
        words += QStringLiteral("\n\n") + tr("# the recipe is sent with one line more, by which the job is found again") +
                 QLatin1Char('\n') + text(sheet.difference);
    command->setPlainText(words);
    command->setMinimumHeight(fontMetrics().lineSpacing() * (sheet.difference.empty() ? 4 : 9));
    column->addWidget(command, 1);
    if (sheet.difference.empty())
        command->setMaximumHeight(command->minimumHeight() * 2);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    QPushButton* submit = buttons->addButton(tr("Submit %n job(s)", nullptr, static_cast<int>(sheet.jobs)), QDialogButtonBox::AcceptRole);
    submit->setObjectName(QStringLiteral("submitNow"));
    submit->setDefault(true);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this, &session, prepared] {
        session.clusters().submit(prepared);
        accept();
    });
    resize(720, sizeHint().height());
}

} // namespace wb::ui
