#include "ui/shell/layouts.h"

#include "ui/shell/panes.h"

#include <QCoreApplication>
#include <QDockWidget>
#include <QSettings>
#include <QTimer>

#include <algorithm>

namespace wb::ui {

namespace {

/// Grows when panes get other areas or the window other toolbars; a state of another version is not restored.
constexpr int stateVersion = 1;

using enum Arrangement;

constexpr Place author[] = {
    {"recipes", Qt::LeftDockWidgetArea, Side, 20},     {"outline", Qt::LeftDockWidgetArea, Below, 45},
    {"form", Qt::LeftDockWidgetArea, Tabbed, 0},       {"variants", Qt::RightDockWidgetArea, Side, 34},
    {"artifacts", Qt::RightDockWidgetArea, Tabbed, 0}, {"topology", Qt::RightDockWidgetArea, Tabbed, 0},
    {"problems", Qt::BottomDockWidgetArea, Side, 24},  {"log", Qt::BottomDockWidgetArea, Tabbed, 0},
    {"tasks", Qt::BottomDockWidgetArea, Tabbed, 0},
};

constexpr Place dryRun[] = {
    {"variants", Qt::LeftDockWidgetArea, Side, 24},   {"artifacts", Qt::RightDockWidgetArea, Side, 42},
    {"topology", Qt::RightDockWidgetArea, Below, 36}, {"problems", Qt::BottomDockWidgetArea, Side, 20},
    {"log", Qt::BottomDockWidgetArea, Tabbed, 0},
};

constexpr Place cluster[] = {
    {"recipes", Qt::LeftDockWidgetArea, Side, 20},     {"variants", Qt::LeftDockWidgetArea, Below, 50},
    {"cluster", Qt::RightDockWidgetArea, Side, 38},    {"topology", Qt::RightDockWidgetArea, Tabbed, 0},
    {"artifacts", Qt::RightDockWidgetArea, Tabbed, 0}, {"jobs", Qt::BottomDockWidgetArea, Side, 40},
    {"log", Qt::BottomDockWidgetArea, Tabbed, 0},      {"problems", Qt::BottomDockWidgetArea, Tabbed, 0},
};

constexpr Place analyse[] = {
    {"frontier", Qt::RightDockWidgetArea, Side, 64},  {"results", Qt::RightDockWidgetArea, Below, 32},
    {"import", Qt::RightDockWidgetArea, Tabbed, 0},   {"log", Qt::RightDockWidgetArea, Tabbed, 0},
    {"variants", Qt::BottomDockWidgetArea, Side, 32}, {"recipes", Qt::BottomDockWidgetArea, Tabbed, 0},
};

constexpr Layout all[] = {
    {"author", QT_TRANSLATE_NOOP("wb::ui::Layout", "Author"), "Ctrl+Alt+1", author},
    {"dry-run", QT_TRANSLATE_NOOP("wb::ui::Layout", "Dry run"), "Ctrl+Alt+2", dryRun},
    {"cluster", QT_TRANSLATE_NOOP("wb::ui::Layout", "Cluster"), "Ctrl+Alt+3", cluster},
    {"analyse", QT_TRANSLATE_NOOP("wb::ui::Layout", "Analyse"), "Ctrl+Alt+4", analyse},
};

const Layout* builtIn(const QString& id)
{
    const auto found = std::find_if(std::begin(all), std::end(all), [&](const Layout& layout) { return id == QLatin1String(layout.id); });
    return found == std::end(all) ? nullptr : found;
}

QString stateKey(const QString& id)
{
    return QStringLiteral("layouts/") + id + QStringLiteral("/state");
}

QString panesKey(const QString& id)
{
    return QStringLiteral("layouts/") + id + QStringLiteral("/panes");
}

const QString userPrefix = QStringLiteral("user/");

} // namespace

std::span<const Layout> layouts()
{
    return all;
}

LayoutKeeper::LayoutKeeper(QMainWindow& window, std::map<std::string, QDockWidget*> docks, QSettings& settings)
    : QObject(&window)
    , m_window(window)
    , m_docks(std::move(docks))
    , m_settings(settings)
{
    // The side panels take the corners: the bottom ones stand below the editor they speak of.
    window.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
}

QDockWidget* LayoutKeeper::dock(const char* pane) const
{
    const auto found = m_docks.find(pane);
    return found == m_docks.end() ? nullptr : found->second;
}

QStringList LayoutKeeper::userLayouts() const
{
    m_settings.beginGroup(QStringLiteral("layouts/user"));
    QStringList names = m_settings.childGroups();
    m_settings.endGroup();
    names.sort(Qt::CaseInsensitive);
    return names;
}

void LayoutKeeper::switchTo(const QString& id)
{
    if (!m_current.isEmpty())
        remember();
    apply(id);
}

void LayoutKeeper::apply(const QString& id)
{
    m_hidden.clear();
    const Layout* layout = builtIn(id);
    if (!restore(id)) {
        const Layout& fallback = layout ? *layout : all[0];
        m_current = layout ? id : QString::fromLatin1(fallback.id);
        arrange(fallback);
    } else {
        m_current = id;
    }
    Q_EMIT changed();
}

bool LayoutKeeper::restore(const QString& id)
{
    const QByteArray state = m_settings.value(stateKey(id)).toByteArray();
    if (state.isEmpty())
        return false;
    // A pane that the state does not know would keep the place it happens to have: it goes where a new window has it.
    const QStringList known = m_settings.value(panesKey(id)).toStringList();
    for (const Pane& pane : panes()) {
        QDockWidget* at = dock(pane.id);
        if (at && !known.contains(QLatin1String(pane.id))) {
            m_window.addDockWidget(pane.area, at);
            at->hide();
        }
    }
    return m_window.restoreState(state, stateVersion);
}

void LayoutKeeper::write(const QString& id) const
{
    QStringList known;
    for (const Pane& pane : panes())
        known += QLatin1String(pane.id);
    m_settings.setValue(stateKey(id), m_window.saveState(stateVersion));
    m_settings.setValue(panesKey(id), known);
}

void LayoutKeeper::remember()
{
    if (!m_hidden.empty())
        toggleAll();
    if (!m_current.startsWith(userPrefix))
        write(m_current);
    m_settings.setValue(QStringLiteral("layouts/current"), m_current);
}

void LayoutKeeper::saveAs(const QString& name)
{
    QString clean = name.trimmed();
    clean.replace(QLatin1Char('/'), QLatin1Char('-'));
    if (clean.isEmpty())
        return;
    m_current = userPrefix + clean;
    write(m_current);
    m_settings.setValue(QStringLiteral("layouts/current"), m_current);
    Q_EMIT changed();
}

void LayoutKeeper::remove(const QString& name)
{
    m_settings.remove(QStringLiteral("layouts/user/") + name);
    if (m_current == userPrefix + name)
        apply(QString::fromLatin1(all[0].id));
    Q_EMIT changed();
}

void LayoutKeeper::reset()
{
    if (builtIn(m_current)) {
        m_settings.remove(stateKey(m_current));
        m_settings.remove(panesKey(m_current));
    }
    apply(m_current);
}

void LayoutKeeper::arrange(const Layout& layout)
{
    for (const auto& [id, each] : m_docks) {
        each->setFloating(false);
        m_window.removeDockWidget(each);
    }
    QDockWidget* before = nullptr;
    std::vector<QDockWidget*> inFront;
    std::map<Qt::DockWidgetArea, QDockWidget*> onSide; ///< The first one of each side.
    for (const Place& place : layout.places) {
        QDockWidget* at = dock(place.pane);
        if (!at)
            continue;
        m_window.addDockWidget(place.area, at);
        if (place.arrangement == Tabbed && before)
            m_window.tabifyDockWidget(before, at);
        else if (place.arrangement == Below && before)
            m_window.splitDockWidget(before, at, Qt::Vertical);
        if (place.arrangement != Tabbed)
            inFront.push_back(at);
        at->show();
        onSide.try_emplace(place.area, at);
        before = at;
    }
    for (const Pane& pane : panes()) {
        const bool isPlaced = std::any_of(layout.places.begin(), layout.places.end(),
                                          [&](const Place& place) { return std::string_view(place.pane) == pane.id; });
        if (QDockWidget* at = dock(pane.id); at && !isPlaced) {
            m_window.addDockWidget(pane.area, at);
            // When it is called for it comes behind what is there, not squeezed in beside it.
            if (const auto other = onSide.find(pane.area); other != onSide.end())
                m_window.tabifyDockWidget(other->second, at);
            at->hide();
        }
    }
    for (QDockWidget* each : inFront)
        each->raise();
    resize(layout);
    // Before its first layout the window does not know its own size.
    QTimer::singleShot(0, this, [this, &layout] {
        if (m_current == QLatin1String(layout.id))
            resize(layout);
    });
}

void LayoutKeeper::resize(const Layout& layout)
{
    for (const Place& place : layout.places) {
        QDockWidget* at = dock(place.pane);
        if (!at || place.share == 0)
            continue;
        const bool isWidth = place.arrangement == Side && (place.area == Qt::LeftDockWidgetArea || place.area == Qt::RightDockWidgetArea);
        const int whole = isWidth ? m_window.width() : m_window.height();
        m_window.resizeDocks({at}, {whole * place.share / 100}, isWidth ? Qt::Horizontal : Qt::Vertical);
    }
}

void LayoutKeeper::toggleAll()
{
    if (!m_hidden.empty()) {
        for (QDockWidget* each : m_hidden)
            each->show();
        m_hidden.clear();
        return;
    }
    for (const auto& [id, each] : m_docks) {
        if (!each->isHidden()) {
            m_hidden.push_back(each);
            each->hide();
        }
    }
}

} // namespace wb::ui
