#pragma once

#include "ui/shell/session.h"

#include <QWidget>

class QTabWidget;

namespace wb::ui {

class TableView;

/// What happened, with the time; beside it the logs of the selected job, and the commands that went to clusters.
class LogPane final : public QWidget
{
    Q_OBJECT

public:
    LogPane(Session& session, QWidget* parent = nullptr);

private:
    void scrollToEnd();

    TableView* m_view;
    QTabWidget* m_tabs;
};

} // namespace wb::ui
