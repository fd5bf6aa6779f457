#pragma once

#include "ui/shell/session.h"

#include <QWidget>

class QTabWidget;

namespace wb::ui {

class MessageBar;

/// NVIDIA Snapshot: the manifest that is open, which nodes can restore a checkpoint, and what a restore brings.
class SnapshotPane final : public QWidget
{
    Q_OBJECT

public:
    SnapshotPane(Session& session, QWidget* parent = nullptr);

private:
    QTabWidget* m_tabs;
    MessageBar* m_message;
};

} // namespace wb::ui
