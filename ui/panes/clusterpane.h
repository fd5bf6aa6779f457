#pragma once

#include "ui/models/wordsmodel.h"
#include "ui/shell/session.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QFrame;
class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QTabWidget;
class QToolButton;

namespace wb::ui {

class MessageBar;
class TableView;

/// Where jobs go: the profiles and their connections, what can be known before a submission, and the submission with what came of each job.
class ClusterPane final : public QWidget
{
    Q_OBJECT

public:
    ClusterPane(Session& session, QWidget* parent = nullptr);

private:
    QWidget* makeProfileBar();
    QWidget* makePreflight();
    QWidget* makeSubmission();
    void refreshProfiles();
    void refreshCurrent();
    void refreshPreflight();
    void refreshSubmission();
    void refreshButtons();
    void refreshDetails();
    void editProfile(bool isNew);
    void removeProfile();
    void toggleConnection();
    void confirm(const PreparedPtr& prepared);

    Session& m_session;
    WordsModel m_checksModel;
    WordsModel m_rowsModel;
    QFrame* m_colour;
    QComboBox* m_profiles;
    QToolButton* m_connect;
    QToolButton* m_fetchFile;
    QToolButton* m_edit;
    QToolButton* m_remove;
    QLabel* m_facts;
    MessageBar* m_message;
    QTabWidget* m_tabs;
    TableView* m_checks;
    TableView* m_rows;
    QToolButton* m_preflight;
    QToolButton* m_stopPreflight;
    QCheckBox* m_asksNodes;
    QLabel* m_about;
    QToolButton* m_submit;
    QToolButton* m_stop;
    QProgressBar* m_progress;
    QLabel* m_summary;
    QPlainTextEdit* m_said;
};

} // namespace wb::ui
