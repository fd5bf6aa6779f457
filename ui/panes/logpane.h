#pragma once

#include "ui/shell/session.h"

#include <QWidget>

namespace wb::ui {

class TableView;

/// What happened, with the time; rows can be copied.
class LogPane final : public QWidget
{
    Q_OBJECT

public:
    LogPane(Session& session, QWidget* parent = nullptr);

private:
    void scrollToEnd();

    TableView* m_view;
};

} // namespace wb::ui
