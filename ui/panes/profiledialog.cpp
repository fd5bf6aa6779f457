#include "ui/panes/profiledialog.h"

#include "core/base/text.h"
#include "ui/models/text.h"

#include <QCheckBox>
#include <QColorDialog>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFontDatabase>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace wb::ui {

namespace {

using namespace std::chrono_literals;

std::string valueOf(const QLineEdit& line)
{
    return std::string(base::trimmed(line.text().toStdString()));
}

} // namespace

ProfileDialog::ProfileDialog(Session& session, const remote::Profile& profile, std::string replaces, QWidget* parent)
    : QDialog(parent)
    , m_session(session)
    , m_profile(profile)
    , m_replaces(std::move(replaces))
    , m_resolve(300ms, [this] {
        if (const QString host = m_host->currentText().trimmed(); !host.isEmpty() && !host.startsWith(QLatin1Char('-')))
            m_session.clusters().resolveHost(host, m_sshConfig->text().trimmed());
    })
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("profileDialog"));
    setWindowTitle(m_replaces.empty() ? tr("New cluster profile") : tr("Cluster profile \"%1\"").arg(text(m_replaces)));
    m_name = line("profileName", tr("Name"), profile.name, tr("gpu-cluster"));
    m_host = new QComboBox(this);
    m_host->setObjectName(QStringLiteral("profileHost"));
    m_host->setAccessibleName(tr("Host"));
    m_host->setToolTip(tr("As for ssh: an alias of ~/.ssh/config, a name, or user@name"));
    m_host->setEditable(true);
    m_host->setCurrentText(text(profile.host));
    m_ssh = new QLabel(this);
    m_ssh->setObjectName(QStringLiteral("profileSsh"));
    m_ssh->setTextFormat(Qt::PlainText);
    m_ssh->setWordWrap(true);
    m_ssh->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sshConfig = line("profileSshConfig", tr("SSH configuration"), profile.sshConfig, tr("ssh's own"));
    m_folder = line("profileFolder", tr("Remote folder"), profile.remoteFolder);
    m_clusterFile = line("profileClusterFile", tr("Cluster file here"), profile.clusterFile, tr("found from the open folder"));
    m_launcher = new QComboBox(this);
    m_launcher->setObjectName(QStringLiteral("profileLauncher"));
    m_launcher->setAccessibleName(tr("Launcher"));
    m_launcher->addItem(tr("portable: the job script that is shown"), QStringLiteral("portable"));
    m_launcher->addItem(tr("srtctl: the cluster's own"), QStringLiteral("srtctl"));
    m_launcher->setCurrentIndex(m_launcher->findData(text(profile.launcher)));
    m_srtctl = line("profileSrtctl", tr("srtctl there"), profile.srtctl);
    m_remoteClusterFile = line("profileRemoteClusterFile", tr("Cluster file there"), profile.remoteClusterFile, tr("srtctl's own search"));
    m_services = line("profileServices", tr("Services folder there"), profile.services,
                      tr("with nats-server, etcd and setup scripts, for the portable launcher"));
    m_outputs = line("profileOutputs", tr("Output folder there"), profile.outputs, tr("the cluster file's, else in the job's folder"));
    m_preamble = new QPlainTextEdit(text(profile.preamble), this);
    m_preamble->setObjectName(QStringLiteral("profilePreamble"));
    m_preamble->setAccessibleName(tr("Shell lines before Slurm's commands"));
    m_preamble->setPlaceholderText(QStringLiteral("module load slurm"));
    m_preamble->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_preamble->setTabChangesFocus(true);
    m_preamble->setFixedHeight(fontMetrics().lineSpacing() * 4);
    m_secrets = line("profileSecrets", tr("Secrets of the jobs"), profile.secrets, QStringLiteral("HF_TOKEN, S3_SECRET"));
    m_secrets->setToolTip(tr("Names of variables, with commas between. Their values come from this program's environment and go to the "
                             "cluster in a file that you alone can read; never into a recipe, script or log."));
    m_poll = count("profilePoll", tr("Ask Slurm every"), profile.pollSeconds, 10, tr(" s"));
    m_inFlight = count("profileInFlight", tr("At most in the queue"), profile.maxInFlight, 0, tr(" jobs"));
    m_inFlight->setSpecialValueText(tr("any number"));
    m_stagger = count("profileStagger", tr("Between two submissions"), profile.staggerSeconds, 0, tr(" s"));
    m_readOnly = new QCheckBox(tr("Read-only: watch jobs, never submit, cancel or delete"), this);
    m_readOnly->setObjectName(QStringLiteral("profileReadOnly"));
    m_readOnly->setChecked(profile.isReadOnly);
    m_colour = line("profileColour", tr("Frame colour"), profile.colour, tr("none; #c01c28 for one to be careful with"));
    auto* colour = new QToolButton(this);
    colour->setText(tr("Choose\u2026"));
    colour->setAccessibleName(tr("Choose the frame colour"));
    connect(colour, &QToolButton::clicked, this, &ProfileDialog::chooseColour);
    auto* browse = new QToolButton(this);
    browse->setText(tr("Browse\u2026"));
    browse->setAccessibleName(tr("Choose the cluster file"));
    connect(browse, &QToolButton::clicked, this, &ProfileDialog::chooseClusterFile);
    m_whyNot = new QLabel(this);
    m_whyNot->setObjectName(QStringLiteral("profileWhyNot"));
    m_whyNot->setWordWrap(true);

    auto* inside = new QWidget(this);
    auto* form = new QFormLayout(inside);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    const auto beside = [&](QWidget* field, QWidget* button) {
        auto* row = new QHBoxLayout;
        row->addWidget(field, 1);
        row->addWidget(button);
        return row;
    };
    form->addRow(tr("Name:"), m_name);
    form->addRow(tr("Host:"), m_host);
    form->addRow(QString(), m_ssh);
    form->addRow(tr("SSH configuration:"), m_sshConfig);
    form->addRow(tr("Remote folder:"), m_folder);
    form->addRow(tr("Cluster file here:"), beside(m_clusterFile, browse));
    form->addRow(tr("Launcher:"), m_launcher);
    form->addRow(tr("srtctl there:"), m_srtctl);
    form->addRow(tr("Cluster file there:"), m_remoteClusterFile);
    form->addRow(tr("Services folder there:"), m_services);
    form->addRow(tr("Output folder there:"), m_outputs);
    form->addRow(tr("Before Slurm's commands:"), m_preamble);
    form->addRow(tr("Secrets of the jobs:"), m_secrets);
    form->addRow(tr("Ask Slurm every:"), m_poll);
    form->addRow(tr("At most in the queue:"), m_inFlight);
    form->addRow(tr("Between two submissions:"), m_stagger);
    form->addRow(QString(), m_readOnly);
    form->addRow(tr("Frame colour:"), beside(m_colour, colour));
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(inside);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_save = buttons->addButton(tr("Save"), QDialogButtonBox::AcceptRole);
    m_save->setObjectName(QStringLiteral("saveProfile"));
    m_save->setDefault(true);
    auto* column = new QVBoxLayout(this);
    column->addWidget(scroll, 1);
    column->addWidget(m_whyNot);
    column->addWidget(buttons);
    resize(640, 720);

    for (const QLineEdit* each : {m_name, m_sshConfig, m_folder, m_colour})
        connect(each, &QLineEdit::textChanged, this, &ProfileDialog::refresh);
    connect(m_host, &QComboBox::currentTextChanged, this, &ProfileDialog::refresh);
    connect(m_host, &QComboBox::currentTextChanged, &m_resolve, &async::Debounce::trigger);
    connect(m_sshConfig, &QLineEdit::textChanged, &m_resolve, &async::Debounce::trigger);
    connect(m_sshConfig, &QLineEdit::editingFinished, this, [this] { m_session.clusters().listHosts(m_sshConfig->text().trimmed()); });
    connect(m_launcher, &QComboBox::currentIndexChanged, this, &ProfileDialog::refresh);
    connect(&session.clusters(), &Clusters::hostResolved, this, &ProfileDialog::showSettings);
    connect(&session.clusters(), &Clusters::hostsListed, this, [this](const QStringList& hosts) {
        const QString typed = m_host->currentText();
        const QSignalBlocker quiet(m_host);
        m_host->clear();
        m_host->addItems(hosts);
        m_host->setCurrentText(typed);
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        m_session.clusters().save(written(), m_replaces);
        accept();
    });
    session.clusters().listHosts(text(profile.sshConfig));
    m_resolve.trigger();
    refresh();
    (m_replaces.empty() ? static_cast<QWidget*>(m_name) : m_host)->setFocus();
}

QLineEdit* ProfileDialog::line(const char* name, const QString& words, const std::string& value, const QString& hint)
{
    auto* made = new QLineEdit(text(value), this);
    made->setObjectName(QString::fromLatin1(name));
    made->setAccessibleName(words);
    made->setPlaceholderText(hint);
    return made;
}

QSpinBox* ProfileDialog::count(const char* name, const QString& words, std::int64_t value, int least, const QString& suffix)
{
    constexpr int most = 100'000;
    auto* made = new QSpinBox(this);
    made->setObjectName(QString::fromLatin1(name));
    made->setAccessibleName(words);
    made->setRange(least, most);
    made->setSuffix(suffix);
    made->setValue(static_cast<int>(std::min<std::int64_t>(value, most)));
    return made;
}

remote::Profile ProfileDialog::written() const
{
    remote::Profile out = m_profile; // what the form does not show stays
    out.name = valueOf(*m_name);
    out.host = std::string(base::trimmed(m_host->currentText().toStdString()));
    out.sshConfig = valueOf(*m_sshConfig);
    out.remoteFolder = valueOf(*m_folder);
    out.clusterFile = valueOf(*m_clusterFile);
    out.launcher = m_launcher->currentData().toString().toStdString();
    out.srtctl = valueOf(*m_srtctl);
    out.remoteClusterFile = valueOf(*m_remoteClusterFile);
    out.services = valueOf(*m_services);
    out.outputs = valueOf(*m_outputs);
    out.preamble = m_preamble->toPlainText().toStdString();
    out.secrets = valueOf(*m_secrets);
    out.pollSeconds = m_poll->value();
    out.maxInFlight = m_inFlight->value();
    out.staggerSeconds = m_stagger->value();
    out.isReadOnly = m_readOnly->isChecked();
    out.colour = valueOf(*m_colour);
    return out;
}

void ProfileDialog::refresh()
{
    const remote::Profile profile = written();
    QString why = m_session.clusters().whyNoProfile(profile, m_replaces);
    if (why.isEmpty() && !profile.colour.empty() && !QColor(text(profile.colour)).isValid())
        why = tr("\"%1\" is no colour; write it as #rrggbb.").arg(text(profile.colour));
    m_whyNot->setText(why);
    m_save->setEnabled(why.isEmpty());
    m_save->setToolTip(why);
    const bool isSrtctl = profile.launcher == "srtctl";
    m_srtctl->setEnabled(isSrtctl);
    m_remoteClusterFile->setEnabled(isSrtctl);
    m_services->setEnabled(!isSrtctl);
    m_outputs->setEnabled(!isSrtctl);
}

void ProfileDialog::chooseColour()
{
    auto* dialog = new QColorDialog(QColor(m_colour->text()), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QColorDialog::colorSelected, this, [this](const QColor& colour) { m_colour->setText(colour.name()); });
    dialog->open();
}

void ProfileDialog::chooseClusterFile()
{
    auto* dialog = new QFileDialog(this, tr("Cluster file"), m_session.library().folder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Cluster files (*.yaml *.yml)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) { m_clusterFile->setText(file); });
    dialog->open();
}

void ProfileDialog::showSettings(const QString& host, const std::vector<std::pair<std::string, std::string>>& settings,
                                 const QString& trouble)
{
    if (host != m_host->currentText().trimmed())
        return;
    if (!trouble.isEmpty())
        return m_ssh->setText(trouble);
    constexpr std::array keys{"hostname", "user", "port", "proxyjump", "proxycommand", "identityfile", "certificatefile"};
    QStringList parts;
    for (const char* key : keys) {
        const auto at = std::find_if(settings.begin(), settings.end(), [&](const auto& each) { return each.first == key; });
        if (at != settings.end() && at->second != "none")
            parts += QStringLiteral("%1 %2").arg(text(at->first), text(at->second));
    }
    m_ssh->setText(tr("ssh: %1").arg(parts.join(QStringLiteral(", "))));
}

} // namespace wb::ui
