#include "ui/shell/sshquestiondialog.h"

#include "ui/models/text.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace wb::ui {

using remote::PromptKind;

QString questionText(const SshQuestion& question)
{
    const QString subject = text(question.prompt.subject);
    switch (question.prompt.kind) {
    case PromptKind::Passphrase:
        return SshQuestionDialog::tr("%1 wants the passphrase of the key %2.").arg(question.host, subject.isEmpty() ? dash() : subject);
    case PromptKind::Password:
        return SshQuestionDialog::tr("%1 wants the password of %2.").arg(question.host, subject.isEmpty() ? question.host : subject);
    case PromptKind::HostKey:
        return SshQuestionDialog::tr("The host key of %1 is not known here. Compare the fingerprint with the one that its administrator "
                                     "gives; whoever answers with another key is not this host.")
            .arg(subject.isEmpty() ? question.host : subject);
    case PromptKind::Pin:
        return SshQuestionDialog::tr("%1 wants the PIN, or a touch, of a security key.").arg(question.host);
    case PromptKind::Code:
        return SshQuestionDialog::tr("%1 wants a second factor.").arg(question.host);
    case PromptKind::Other:
        return SshQuestionDialog::tr("%1 asks while logging in.").arg(question.host);
    }
    return {};
}

SshQuestionDialog::SshQuestionDialog(Connections& connections, const SshQuestion& question, QWidget* parent)
    : QDialog(parent)
    , m_connections(connections)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("sshQuestion"));
    setWindowTitle(tr("Log in to %1").arg(question.host));
    auto* column = new QVBoxLayout(this);
    auto* words = new QLabel(questionText(question), this);
    words->setObjectName(QStringLiteral("sshQuestionText"));
    words->setTextFormat(Qt::PlainText);
    words->setWordWrap(true);
    words->setMinimumWidth(420);
    column->addWidget(words);
    if (question.profile != question.host) {
        auto* profile = new QLabel(tr("Profile \"%1\"").arg(question.profile), this);
        profile->setTextFormat(Qt::PlainText);
        column->addWidget(profile);
    }
    // ssh's own words, so that nobody must trust ours.
    auto* said = new QLabel(text(question.prompt.words).trimmed(), this);
    said->setObjectName(QStringLiteral("sshQuestionWords"));
    said->setTextFormat(Qt::PlainText);
    said->setWordWrap(true);
    said->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    said->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(said);
    if (question.prompt.kind == PromptKind::HostKey)
        addHostKey(question);
    else
        addAnswer(question);
    connect(this, &QDialog::rejected, this, [this] { m_connections.answer(std::nullopt); });
}

void SshQuestionDialog::addHostKey(const SshQuestion& question)
{
    if (!question.prompt.fingerprint.empty()) {
        auto* print = new QLabel(text(question.prompt.fingerprint), this);
        print->setObjectName(QStringLiteral("sshFingerprint"));
        print->setTextFormat(Qt::PlainText);
        QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
        font.setBold(true);
        print->setFont(font);
        print->setAccessibleName(tr("Fingerprint"));
        print->setTextInteractionFlags(Qt::TextSelectableByMouse);
        layout()->addWidget(print);
    }
    auto* buttons = new QDialogButtonBox(this);
    QPushButton* accepts = buttons->addButton(tr("Accept this key"), QDialogButtonBox::AcceptRole);
    accepts->setObjectName(QStringLiteral("acceptHostKey"));
    accepts->setAutoDefault(false);
    QPushButton* refuses = buttons->addButton(tr("Do not connect"), QDialogButtonBox::RejectRole);
    refuses->setObjectName(QStringLiteral("refuseHostKey"));
    refuses->setDefault(true);
    layout()->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        m_connections.answer(QStringLiteral("yes"));
        accept();
    });
}

void SshQuestionDialog::addAnswer(const SshQuestion& question)
{
    const bool isTouch = question.prompt.words.find("user presence") != std::string::npos;
    if (!isTouch) {
        m_answer = new QLineEdit(this);
        m_answer->setObjectName(QStringLiteral("sshAnswer"));
        m_answer->setAccessibleName(tr("Answer"));
        m_answer->setEchoMode(question.prompt.kind == PromptKind::Code ? QLineEdit::Normal : QLineEdit::Password);
        layout()->addWidget(m_answer);
        m_answer->setFocus();
        auto* kept = new QLabel(remote::mayBeKept(question.prompt.kind)
                                    ? tr("It is kept in memory until the window is closed or you disconnect, and written nowhere.")
                                    : tr("It is asked for at each log-in."),
                                this);
        kept->setWordWrap(true);
        layout()->addWidget(kept);
        if (m_connections.hasKeychain() && remote::mayBeKept(question.prompt.kind)) {
            m_keeps = new QCheckBox(tr("Keep it in the keychain, too"), this);
            m_keeps->setObjectName(QStringLiteral("keepAnswer"));
            layout()->addWidget(m_keeps);
        }
    }
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    if (m_answer) {
        QPushButton* goes = buttons->addButton(tr("Log in"), QDialogButtonBox::AcceptRole);
        goes->setObjectName(QStringLiteral("logIn"));
        goes->setDefault(true);
    }
    layout()->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        const QString words = m_answer->text();
        m_answer->clear();
        m_connections.answer(words, m_keeps && m_keeps->isChecked());
        accept();
    });
}

} // namespace wb::ui
