#include "ui/shell/shortcuts.h"

#include <QAction>
#include <QSettings>

#include <algorithm>

namespace wb::ui {

namespace {

QString settingsKey(const QAction* action)
{
    return QStringLiteral("shortcuts/") + action->objectName();
}

QString written(const QList<QKeySequence>& keys)
{
    return QKeySequence::listToString(keys, QKeySequence::PortableText);
}

/// One key begins the other: then the shorter one never comes to the longer.
bool areInConflict(const QKeySequence& a, const QKeySequence& b)
{
    return !a.isEmpty() && !b.isEmpty() && (a.matches(b) != QKeySequence::NoMatch || b.matches(a) != QKeySequence::NoMatch);
}

} // namespace

Shortcuts::Shortcuts(QSettings& settings, QObject* parent)
    : QObject(parent)
    , m_settings(settings)
{
}

void Shortcuts::add(QAction* action, const QString& group)
{
    m_entries.push_back({action, group, action->shortcuts()});
    if (m_settings.contains(settingsKey(action)))
        action->setShortcuts(QKeySequence::listFromString(m_settings.value(settingsKey(action)).toString(), QKeySequence::PortableText));
}

const Shortcuts::Entry* Shortcuts::entry(const QAction* action) const
{
    const auto found = std::find_if(m_entries.begin(), m_entries.end(), [action](const Entry& each) { return each.action == action; });
    return found == m_entries.end() ? nullptr : &*found;
}

std::vector<QAction*> Shortcuts::conflicts(const QAction* action, const QList<QKeySequence>& keys) const
{
    std::vector<QAction*> out;
    for (const Entry& each : m_entries) {
        if (!each.action || each.action == action)
            continue;
        const QList<QKeySequence> theirs = each.action->shortcuts();
        const bool isIn = std::any_of(keys.begin(), keys.end(), [&](const QKeySequence& key) {
            return std::any_of(theirs.begin(), theirs.end(), [&](const QKeySequence& other) { return areInConflict(key, other); });
        });
        if (isIn)
            out.push_back(each.action);
    }
    return out;
}

void Shortcuts::set(QAction* action, const QList<QKeySequence>& keys, bool takeAway)
{
    if (takeAway) {
        for (QAction* other : conflicts(action, keys)) {
            QList<QKeySequence> left = other->shortcuts();
            left.removeIf([&](const QKeySequence& theirs) {
                return std::any_of(keys.begin(), keys.end(), [&](const QKeySequence& key) { return areInConflict(key, theirs); });
            });
            other->setShortcuts(left);
            store(other);
        }
    }
    action->setShortcuts(keys);
    store(action);
    Q_EMIT changed();
}

void Shortcuts::store(const QAction* action)
{
    if (isChanged(action))
        m_settings.setValue(settingsKey(action), written(action->shortcuts()));
    else
        m_settings.remove(settingsKey(action));
}

bool Shortcuts::isChanged(const QAction* action) const
{
    const Entry* at = entry(action);
    return at && written(action->shortcuts()) != written(at->original);
}

void Shortcuts::reset(QAction* action)
{
    if (const Entry* at = entry(action))
        set(action, at->original);
}

void Shortcuts::resetAll()
{
    for (const Entry& each : m_entries) {
        if (!each.action)
            continue;
        each.action->setShortcuts(each.original);
        m_settings.remove(settingsKey(each.action));
    }
    Q_EMIT changed();
}

QString Shortcuts::exported() const
{
    QString out;
    for (const Entry& each : m_entries) {
        if (each.action && isChanged(each.action))
            out += each.action->objectName() + QLatin1Char('=') + written(each.action->shortcuts()) + QLatin1Char('\n');
    }
    return out;
}

Result<void> Shortcuts::import(const QString& text)
{
    std::vector<std::pair<QAction*, QList<QKeySequence>>> wanted;
    for (const QString& line : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        const QString id = line.section(QLatin1Char('='), 0, 0).trimmed();
        if (id.startsWith(QLatin1Char('#')))
            continue;
        const auto found = std::find_if(m_entries.begin(), m_entries.end(),
                                        [&](const Entry& each) { return each.action && each.action->objectName() == id; });
        if (found == m_entries.end() || !line.contains(QLatin1Char('=')))
            return failure(ErrorCode::Malformed, "The line \"" + line.trimmed().toStdString() + "\" names no command.");
        wanted.emplace_back(found->action,
                            QKeySequence::listFromString(line.section(QLatin1Char('='), 1).trimmed(), QKeySequence::PortableText));
    }
    resetAll();
    for (const auto& [action, keys] : wanted)
        set(action, keys);
    return {};
}

} // namespace wb::ui
