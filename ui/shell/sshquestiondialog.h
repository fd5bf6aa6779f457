#pragma once

#include "ui/shell/connections.h"

#include <QDialog>

class QCheckBox;
class QLineEdit;

namespace wb::ui {

/// What ssh asks while it logs in: which host, what, and for an unknown host its fingerprint. Closing it refuses, which ends the log-in.
class SshQuestionDialog final : public QDialog
{
    Q_OBJECT

public:
    SshQuestionDialog(Connections& connections, const SshQuestion& question, QWidget* parent = nullptr);

private:
    void addHostKey(const SshQuestion& question);
    void addAnswer(const SshQuestion& question);

    Connections& m_connections;
    QLineEdit* m_answer = nullptr; ///< Null: a yes or no, or nothing to type.
    QCheckBox* m_keeps = nullptr;  ///< Null: there is no keychain, or it must not be kept.
};

/// What is asked, in one sentence.
[[nodiscard]] QString questionText(const SshQuestion& question);

} // namespace wb::ui
