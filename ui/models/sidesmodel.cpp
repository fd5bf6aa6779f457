#include "ui/models/sidesmodel.h"

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
    QString out = QStringLiteral("%1\n%2").arg(path, text(cell.value));
    if (!cell.from.empty())
        out += QLatin1Char('\n') + SidesModel::tr("from %1").arg(text(cell.from));
    if (mayEdit && cell.isScalar)
        out += QLatin1Char('\n') + SidesModel::tr("F2 changes the value where it is written; all jobs that share it follow.");
    return out;
}

/// What both models give for a cell of a job; `roles`: sort, from, absent.
QVariant cellData(const SideCell& cell, const QString& path, bool mayEdit, int role, int sortRole, int fromRole, int absentRole)
{
    if (role == Qt::DisplayRole)
        return shown(cell);
    if (role == Qt::EditRole)
        return text(cell.value);
    if (role == Qt::ToolTipRole)
        return tip(cell, path, mayEdit);
    if (role == sortRole)
        return sortValue(cell);
    if (role == fromRole)
        return text(cell.from);
    if (role == absentRole)
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

// --- keys down, jobs across -----------------------------------------------------------------------------------------------------------

SidesModel::SidesModel(QObject* parent)
    : QAbstractTableModel(parent)
{
}

void SidesModel::setSides(std::vector<SideRow> rows, const QStringList& titles, bool mayEdit)
{
    m_mayEdit = mayEdit;
    if (titles == m_titles && haveSameKeys(rows, m_rows)) {
        m_rows.swap(rows);
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            if (!(m_rows[i] == rows[i]))
                Q_EMIT dataChanged(index(static_cast<int>(i), 0), index(static_cast<int>(i), columnCount() - 1));
        }
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    m_titles = titles;
    endResetModel();
}

const SideCell* SidesModel::cell(const QModelIndex& index) const
{
    if (!index.isValid() || index.column() == keyColumn || index.column() > m_titles.size())
        return nullptr;
    return &m_rows[static_cast<std::size_t>(index.row())].cells[static_cast<std::size_t>(index.column() - 1)];
}

int SidesModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int SidesModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : 1 + static_cast<int>(m_titles.size()) + (hasOriginColumn() ? 1 : 0);
}

QVariant SidesModel::data(const QModelIndex& index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    const SideRow& row = m_rows[static_cast<std::size_t>(index.row())];
    if (role == SameRole)
        return row.isSame;
    if (const SideCell* at = cell(index)) {
        if (role == StandsOut)
            return at->isSet != row.cells.front().isSet || at->value != row.cells.front().value;
        return cellData(*at, text(row.path), m_mayEdit, role, SortRole, FromRole, AbsentRole);
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
    if (section <= m_titles.size())
        return m_titles.size() == 1 && role == Qt::DisplayRole ? tr("Value") : m_titles[section - 1];
    return tr("From");
}

Qt::ItemFlags SidesModel::flags(const QModelIndex& index) const
{
    const SideCell* at = cell(index);
    const Qt::ItemFlags plain = QAbstractTableModel::flags(index);
    return m_mayEdit && at && at->isScalar ? plain | Qt::ItemIsEditable : plain;
}

bool SidesModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    const SideCell* at = cell(index);
    if (role != Qt::EditRole || !at || value.toString() == text(at->value))
        return false;
    const SideCell copy = *at; // the rows may be other ones before this returns
    Q_EMIT edited(copy, text(m_rows[static_cast<std::size_t>(index.row())].path), value.toString());
    return true;
}

// --- jobs down, keys across -----------------------------------------------------------------------------------------------------------

MatrixModel::MatrixModel(QObject* parent)
    : QAbstractTableModel(parent)
{
}

void MatrixModel::setSides(std::vector<SideRow> rows, const QStringList& titles, bool mayEdit)
{
    m_mayEdit = mayEdit;
    if (titles == m_titles && haveSameKeys(rows, m_rows)) {
        if (rows == m_rows)
            return;
        m_rows = std::move(rows);
        if (rowCount() > 0)
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    m_titles = titles;
    endResetModel();
}

const SideCell* MatrixModel::cell(const QModelIndex& index) const
{
    if (!index.isValid() || index.column() == nameColumn)
        return nullptr;
    return &m_rows[static_cast<std::size_t>(index.column() - 1)].cells[static_cast<std::size_t>(index.row())];
}

int MatrixModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_titles.size());
}

int MatrixModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : 1 + static_cast<int>(m_rows.size());
}

QVariant MatrixModel::data(const QModelIndex& index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    if (const SideCell* at = cell(index))
        return cellData(*at, text(m_rows[static_cast<std::size_t>(index.column() - 1)].path), m_mayEdit, role, SortRole, FromRole,
                        AbsentRole);
    if (role == SortRole)
        return index.row();
    return role == Qt::DisplayRole || role == Qt::ToolTipRole ? QVariant(m_titles[index.row()]) : QVariant();
}

QVariant MatrixModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (section == nameColumn)
        return role == Qt::DisplayRole ? QVariant(tr("Job")) : QVariant();
    const std::string& path = m_rows[static_cast<std::size_t>(section - 1)].path;
    if (role == Qt::DisplayRole)
        return lastPart(path);
    return role == Qt::ToolTipRole ? QVariant(text(path)) : QVariant();
}

Qt::ItemFlags MatrixModel::flags(const QModelIndex& index) const
{
    const SideCell* at = cell(index);
    const Qt::ItemFlags plain = QAbstractTableModel::flags(index);
    return m_mayEdit && at && at->isScalar ? plain | Qt::ItemIsEditable : plain;
}

bool MatrixModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    const SideCell* at = cell(index);
    if (role != Qt::EditRole || !at || value.toString() == text(at->value))
        return false;
    const SideCell copy = *at;
    Q_EMIT edited(copy, text(m_rows[static_cast<std::size_t>(index.column() - 1)].path), value.toString());
    return true;
}

} // namespace wb::ui
