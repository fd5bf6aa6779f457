#include "ui/panes/keptcolumns.h"

#include <QHeaderView>
#include <QTreeView>
#include <QVariant>

#include <utility>
#include <vector>

namespace wb::ui {

namespace {

constexpr auto keysProperty = "columnKeys";
constexpr auto firstProperty = "firstColumns";

QString columnsAsText(const QTreeView& table, const QStringList& keys)
{
    const QHeaderView& header = *table.header();
    QStringList parts;
    for (int visual = 0; visual < header.count(); ++visual) {
        const int column = header.logicalIndex(visual);
        if (!table.isColumnHidden(column))
            parts += QStringLiteral("%1=%2").arg(keys.value(column)).arg(table.columnWidth(column));
    }
    if (header.stretchLastSection() && !parts.isEmpty()) // it has what is left, not a width of its own
        parts.last() = parts.last().section(QLatin1Char('='), 0, 0);
    return parts.join(QLatin1Char(','));
}

} // namespace

void keepColumns(QTreeView& table, const QStringList& keys)
{
    table.setProperty(keysProperty, keys);
    table.setProperty(firstProperty, columnsAsText(table, keys));
}

QString keptColumns(const QTreeView& table)
{
    const QStringList keys = table.property(keysProperty).toStringList();
    if (keys.isEmpty())
        return {};
    const QString now = columnsAsText(table, keys);
    return now == table.property(firstProperty).toString() ? QString() : now;
}

void showKeptColumns(QTreeView& table, const QString& kept)
{
    const QStringList keys = table.property(keysProperty).toStringList();
    std::vector<std::pair<int, int>> wanted; // column, width
    for (const QString& part : kept.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        const qsizetype column = keys.indexOf(part.section(QLatin1Char('='), 0, 0));
        if (column >= 0 && column < table.header()->count())
            wanted.emplace_back(static_cast<int>(column), part.section(QLatin1Char('='), 1).toInt());
    }
    if (wanted.empty())
        return;
    constexpr int widest = 4000;
    for (int column = 0; column < table.header()->count(); ++column)
        table.setColumnHidden(column, true);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const auto [column, width] = wanted[i];
        table.setColumnHidden(column, false);
        table.header()->moveSection(table.header()->visualIndex(column), static_cast<int>(i));
        if (width > 0 && width <= widest)
            table.setColumnWidth(column, width);
    }
}

} // namespace wb::ui
