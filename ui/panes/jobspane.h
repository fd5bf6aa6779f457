#pragma once

#include "ui/models/jobsmodel.h"
#include "ui/shell/session.h"

#include <QTimer>
#include <QWidget>

class QCheckBox;
class QLabel;
class QPlainTextEdit;
class QToolButton;

namespace wb::ui {

class MessageBar;
class TableView;

/// The jobs that were submitted, with what is known of them, and what can be done to them: log, results, recipe, cancelling, removing.
class JobsPane final : public QWidget
{
    Q_OBJECT

public:
    JobsPane(Session& session, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    struct Button {
        QToolButton* button = nullptr;
        QString tip;
    };

    void makeBar();
    [[nodiscard]] Button make(const char* name, const QString& words, const QString& tip, void (JobsPane::*run)());
    void refresh();
    void refreshWatches();
    void refreshButtons();
    void refreshDetails();
    void followSelection();
    [[nodiscard]] std::vector<std::string> selected() const;
    void openLog();
    void fetch();
    void openRecipe();
    void cancel();
    void removeFolders();
    void askFor(const QString& title, const QString& question, const QString& detail, const QString& does,
                const std::function<void()>& run);
    void chooseFiles(const std::vector<JobFiles>& files);

    Session& m_session;
    JobsModel m_model;
    TableView* m_view;
    QLabel* m_summary;
    QLabel* m_watches;
    QCheckBox* m_onlyOpen;
    MessageBar* m_message;
    QPlainTextEdit* m_details;
    Button m_log, m_fetch, m_recipe, m_cancel, m_remove, m_refresh;
    QTimer m_clock; ///< For what runs, while it is seen.
};

/// All that the history has of a job, for people: where, what, what Slurm said, and what that means.
[[nodiscard]] QString jobDetails(const store::JobEntry& job);

} // namespace wb::ui
