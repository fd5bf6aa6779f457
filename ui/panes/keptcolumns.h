// Which columns of a table are shown, where and how wide, as text that is kept from one start to the next.
#pragma once

#include <QString>
#include <QStringList>

class QTreeView;

namespace wb::ui {

/// From now on `keptColumns` tells what is shown, once it differs from what is shown now. `keys`: a name for each column, whatever its
/// number will be the next time.
void keepColumns(QTreeView& table, const QStringList& keys);

/// The columns that are shown in their order, with their widths ("run=200,isl=60"); empty: as at first, or they are not kept.
[[nodiscard]] QString keptColumns(const QTreeView& table);
/// What `keptColumns` told: the other columns are hidden. Keys that are no longer there, and a text that names none, count for nothing.
void showKeptColumns(QTreeView& table, const QString& kept);

} // namespace wb::ui
