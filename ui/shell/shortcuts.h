// The keys of the window's commands: those of the table, and in their place what the user chose.
#pragma once

#include "core/base/result.h"

#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QPointer>
#include <QString>

#include <map>
#include <vector>

class QAction;
class QSettings;

namespace wb::ui {

class Shortcuts final : public QObject
{
    Q_OBJECT

public:
    explicit Shortcuts(QSettings& settings, QObject* parent = nullptr);

    /// Takes the command over with the keys that it has as those of the table, and gives it the user's. By object name.
    void add(QAction* action, const QString& group);

    struct Entry {
        QPointer<QAction> action;
        QString group; ///< Menu.
        QList<QKeySequence> original;
    };
    [[nodiscard]] const std::vector<Entry>& entries() const { return m_entries; }
    /// Commands that have one of the keys already, the command itself left out.
    [[nodiscard]] std::vector<QAction*> conflicts(const QAction* action, const QList<QKeySequence>& keys) const;
    /// `takeAway`: commands that have one of the keys lose it; else they keep it, and the key is dead for both.
    void set(QAction* action, const QList<QKeySequence>& keys, bool takeAway = true);
    void reset(QAction* action); ///< The keys of the table.
    void resetAll();
    [[nodiscard]] bool isChanged(const QAction* action) const;

    /// All that differs from the table, as lines "id=keys". Refuses a text that names no command.
    [[nodiscard]] QString exported() const;
    [[nodiscard]] Result<void> import(const QString& text);

Q_SIGNALS:
    void changed();

private:
    [[nodiscard]] const Entry* entry(const QAction* action) const;
    void store(const QAction* action);

    QSettings& m_settings;
    std::vector<Entry> m_entries;
};

} // namespace wb::ui
