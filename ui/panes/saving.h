// What every pane does that lets its user save something: ask for the file, write it on a worker, say how it went.
#pragma once

#include "core/base/result.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <functional>
#include <string>

class QWidget;

namespace wb::ui {

class MessageBar;
class Session;

/// A window that asks for a file; it waits for nobody. `filters`: "Picture (*.svg)"; the one that is chosen gives the ending. `name` may be
/// empty. `use` is called with the file unless the user thinks better of it or the parent is gone.
void askWhereToSave(QWidget& parent, const QString& title, const QStringList& filters, const QString& name,
                    const std::function<void(const QString&)>& use, const QString& objectName = {});
/// As above, for a file that is there.
void askWhatToOpen(QWidget& parent, const QString& title, const QStringList& filters, const std::function<void(const QString&)>& use);

/// Runs `work` on a worker: a slow disk or a share that hangs must not stop the window. `done` goes to the log, an error to the bar.
void saveInBackground(Session& session, QObject& context, MessageBar& bar, std::function<Result<void>()> work, const QString& done);
/// `bytes` into `file`, whole or not at all.
void saveInBackground(Session& session, QObject& context, MessageBar& bar, const QString& file, std::string bytes, const QString& done);

} // namespace wb::ui
