#include "ui/models/sidesmodel.h"

#include "core/base/secrets.h"
#include "core/base/text.h"
#include "ui/models/text.h"

#include <algorithm>

namespace wb::ui {

namespace {

using check::SideCell;
using check::SideRow;

QString shown(const SideCell& cell)
{
    return cell.isSet ? text(cell.value).replace(QLatin1Char('\n'), QChar(0x21b5)) : SidesModel::tr("(not set)");
}

/// Numbers sort as such.
QVariant sortValue(const SideCell& cell)
{
    if (!cell.isSet)
        return {};
    const auto number = base::numberOf(cell.value);
    return number ? QVariant(*number) : QVariant(text(cell.value));
}

QString tip(const SideCell& cell, const QString& path, bool mayEdit)
{
    if (!cell.isSet)
        return SidesModel::tr("%1 is not set in this job.").arg(path);
    QString out = QStringLiteral("%1\n%2").arg(path, text(base::shownValue(path.toStdString(), cell.value)));
    if (!cell.from.empty())
        out += QLatin1Char('\n') + SidesModel::tr("from %1").arg(text(cell.from));
    if (mayEdit && cell.isScalar)
        out += QLatin1Char('\n') + SidesModel::tr("F2 changes the value where it is written; all jobs that share it follow.");
    return out;
}

QVariant cellData(const SideCell& cell, const QString& path, bool mayEdit, int role)
{
    if (role == Qt::DisplayRole)
        return cell.isSet ? text(base::shownValue(path.toStdString(), shown(cell).toStdString())) : shown(cell);
    if (role == Qt::EditRole)
        return text(cell.value);
    if (role == Qt::ToolTipRole)
        return tip(cell, path, mayEdit);
    if (role == SidesTable::SortRole)
        return sortValue(cell);
    if (role == SidesTable::FromRole)
        return text(cell.from);
    if (role == SidesTable::AbsentRole)
        return !cell.isSet;
    return {};
}

bool haveSameKeys(const std::vector<SideRow>& a, const std::vector<SideRow>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const SideRow& x, const SideRow& y) { return x.path == y.path; });
}

/// "isl" of "benchmark.isl": the path stands in the tooltip.
QString lastPart(const std::string& path)
{
    const std::size_t dot = path.ends_with('"') ? path.rfind(".\"") : path.rfind('.');
    return text(std::string_view(path).substr(dot == std::string::npos ? 0 : dot + 1));
}

} // namespace

// --- either direction ------------------------------------------------------------------------------------------------------------------

void SidesTable::setSides(std::vector<SideRow> rows, const QStringList& titles, bool mayEdit)
{
    m_mayEdit = mayEdit;
    if (titles == m_titles && haveSameKeys(rows, m_rows)) {
        m_rows.swap(rows); // `rows` holds the old ones now
        tellChanges(rows);
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    m_titles = titles;
    endResetModel();
}

const SideCell* SidesTable::cell(const QModelIndex& index) const
{
    const auto at = index.isValid() ? where(index) : std::nullopt;
    return at ? &m_rows[at->key].cells[at->job] : nullptr;
}

QVariant SidesTable::valueData(const QModelIndex& index, int role) const
{
    const Where at = *where(index);
    return cellData(m_rows[at.key].cells[at.job], text(m_rows[at.key].path), m_mayEdit, role);
}

Qt::ItemFlags SidesTable::flags(const QModelIndex& index) const
{
    const SideCell* at = cell(index);
    const Qt::ItemFlags plain = QAbstractTableModel::flags(index);
    return m_mayEdit && at && at->isScalar ? plain | Qt::ItemIsEditable : plain;
}

bool SidesTable::setData(const QModelIndex& index, const QVariant& value, int role)
{
    const SideCell* at = cell(index);
    if (role != Qt::EditRole || !at || value.toString() == text(at->value))
        return false;
    const SideCell copy = *at; // the rows may be other ones before this returns
    Q_EMIT edited(copy, text(m_rows[where(index)->key].path), value.toString());
    return true;
}

// --- keys down, jobs across -----------------------------------------------------------------------------------------------------------

SidesModel::SidesModel(QObject* parent)
    : SidesTable(parent)
{
}

std::optional<SidesTable::Where> SidesModel::where(const QModelIndex& index) const
{
    if (index.column() == keyColumn || index.column() > titles().size())
        return std::nullopt;
    return Where{static_cast<std::size_t>(index.row()), static_cast<std::size_t>(index.column() - 1)};
}

void SidesModel::tellChanges(const std::vector<SideRow>& before)
{
    for (std::size_t i = 0; i < rows().size(); ++i) {
        if (!(rows()[i] == before[i]))
            Q_EMIT dataChanged(index(static_cast<int>(i), 0), index(static_cast<int>(i), columnCount() - 1));
    }
}

int SidesModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(rows().size());
}

int SidesModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : 1 + static_cast<int>(titles().size()) + (hasOriginColumn() ? 1 : 0);
}

QVariant SidesModel::data(const QModelIndex& index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    const SideRow& row = rows()[static_cast<std::size_t>(index.row())];
    if (role == SameRole)
        return row.isSame;
    if (const SideCell* at = cell(index)) {
        if (role == StandsOut)
            return at->isSet != row.cells.front().isSet || at->value != row.cells.front().value;
        return valueData(index, role);
    }
    const bool isKey = index.column() == keyColumn;
    switch (role) {
    case Qt::DisplayRole:
        return text(isKey ? row.path : row.cells.front().from);
    case SortRole:
        return isKey ? QVariant(index.row()) : QVariant(text(row.cells.front().from)); // the order of the recipe
    case FromRole:
        return isKey ? QString() : text(row.cells.front().from);
    case Qt::ToolTipRole:
        return text(row.path);
    default:
        return {};
    }
}

QVariant SidesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    if (section == keyColumn)
        return tr("Key");
    if (section <= titles().size())
        return titles().size() == 1 && role == Qt::DisplayRole ? tr("Value") : titles()[section - 1];
    return tr("From");
}

// --- jobs down, keys across -----------------------------------------------------------------------------------------------------------

MatrixModel::MatrixModel(QObject* parent)
    : SidesTable(parent)
{
}

std::optional<SidesTable::Where> MatrixModel::where(const QModelIndex& index) const
{
    if (index.column() == nameColumn)
        return std::nullopt;
    return Where{static_cast<std::size_t>(index.column() - 1), static_cast<std::size_t>(index.row())};
}

void MatrixModel::tellChanges(const std::vector<SideRow>& before)
{
    if (rows() != before && rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int MatrixModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(titles().size());
}

int MatrixModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : 1 + static_cast<int>(rows().size());
}

QVariant MatrixModel::data(const QModelIndex& index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    if (index.column() != nameColumn)
        return valueData(index, role);
    if (role == SortRole)
        return index.row();
    return role == Qt::DisplayRole || role == Qt::ToolTipRole ? QVariant(titles()[index.row()]) : QVariant();
}

QVariant MatrixModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (section == nameColumn)
        return role == Qt::DisplayRole ? QVariant(tr("Job")) : QVariant();
    const std::string& path = rows()[static_cast<std::size_t>(section - 1)].path;
    if (role == Qt::DisplayRole)
        return lastPart(path);
    return role == Qt::ToolTipRole ? QVariant(text(path)) : QVariant();
}

} // namespace wb::ui
