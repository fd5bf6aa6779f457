#pragma once

#include "ui/shell/session.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;

namespace wb::ui {

/// A cluster profile to be made or changed. What ssh makes of the host stands beside it.
class ProfileDialog final : public QDialog
{
    Q_OBJECT

public:
    /// `replaces`: name of the profile that is changed; empty: a new one.
    ProfileDialog(Session& session, const remote::Profile& profile, std::string replaces, QWidget* parent = nullptr);

private:
    [[nodiscard]] remote::Profile written() const;
    [[nodiscard]] QLineEdit* line(const char* name, const QString& words, const std::string& value, const QString& hint = {});
    [[nodiscard]] QSpinBox* count(const char* name, const QString& words, std::int64_t value, int least, const QString& suffix);
    void refresh();
    void chooseColour();
    void chooseClusterFile();
    void showSettings(const QString& host, const std::vector<std::pair<std::string, std::string>>& settings, const QString& trouble);

    Session& m_session;
    remote::Profile m_profile;
    std::string m_replaces;
    async::Debounce m_resolve;
    QLineEdit* m_name;
    QComboBox* m_host;
    QLabel* m_ssh;
    QLineEdit* m_sshConfig;
    QLineEdit* m_folder;
    QLineEdit* m_clusterFile;
    QComboBox* m_launcher;
    QLineEdit* m_srtctl;
    QLineEdit* m_remoteClusterFile;
    QLineEdit* m_services;
    QLineEdit* m_outputs;
    QPlainTextEdit* m_preamble;
    QLineEdit* m_secrets;
    QSpinBox* m_poll;
    QSpinBox* m_inFlight;
    QSpinBox* m_stagger;
    QCheckBox* m_readOnly;
    QLineEdit* m_colour;
    QLabel* m_whyNot;
    QPushButton* m_save;
};

} // namespace wb::ui
