#pragma once

#include "ui/shell/session.h"

#include <QObject>

class QLabel;
class QProgressBar;
class QStatusBar;
class QToolButton;

namespace wb::ui {

/// What the status bar says: the language in use, the cluster, problems, jobs and their cost, and what runs in the background.
class StatusPanel final : public QObject
{
    Q_OBJECT

public:
    StatusPanel(Session& session, QStatusBar& bar);

    void showCursor(std::size_t line, std::size_t column);
    void hideCursor();

Q_SIGNALS:
    void problemsClicked();
    void variantsClicked();
    void clusterClicked();
    void taskClicked();

private:
    QToolButton* addButton(QStatusBar& bar, const QString& name, const QString& tip);
    void refreshDocument();
    void refreshCluster();
    void refreshTask();

    Session& m_session;
    QLabel* m_cursor;
    QLabel* m_pack;
    QToolButton* m_cluster;
    QToolButton* m_problems;
    QToolButton* m_variants;
    QToolButton* m_task;
    QProgressBar* m_progress;
    QToolButton* m_cancel;
};

} // namespace wb::ui
