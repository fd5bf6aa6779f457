#pragma once

#include "ui/models/tasksmodel.h"
#include "ui/shell/session.h"

#include <QWidget>

class QToolButton;

namespace wb::ui {

class TableView;

/// What runs in the background with its progress, and what ran: stopped, done again, its outcome copied.
class TasksPane final : public QWidget
{
    Q_OBJECT

public:
    TasksPane(Session& session, QWidget* parent = nullptr);

private:
    void refresh();
    void refreshButtons();
    [[nodiscard]] const TaskRow* current() const;
    void cancel();
    void retry();
    void copy();

    Session& m_session;
    TasksModel m_model;
    TableView* m_view;
    QToolButton* m_cancel;
    QToolButton* m_retry;
    QToolButton* m_copy;
};

} // namespace wb::ui
