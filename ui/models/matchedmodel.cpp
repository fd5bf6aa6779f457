#include "ui/models/matchedmodel.h"

#include "ui/models/text.h"

#include <cmath>

namespace wb::ui {

namespace {

struct ColumnInfo {
    const char* title;
    const char* tip;
    bool isNumeric;
};

#define WB_TR(words) QT_TRANSLATE_NOOP("wb::ui::MatchedModel", words)

// In the order of MatchedModel::Column.
constexpr std::array<ColumnInfo, MatchedRow::columnCount> infos{{
    {WB_TR("Group"), WB_TR("Group of the chart"), false},
    {WB_TR("Value"), WB_TR("On the y axis, at that x or at the best point within the limits"), true},
    {WB_TR("How"), WB_TR("Measured, or interpolated linearly between two neighbours on the group's frontier; never beyond its ends"),
     false},
    {WB_TR("Measured left of it"), WB_TR("x and y of the neighbour at a smaller x"), false},
    {WB_TR("Measured right of it"), WB_TR("x and y of the neighbour at a larger x"), false},
    {WB_TR("Against baseline"), WB_TR("Value / the baseline's value \u2212 1"), true},
    {WB_TR("Area"), WB_TR("Below the frontier over the range of x that all groups have in common"), true},
    {WB_TR("Area against baseline"), WB_TR("Over the range of x that the group and the baseline have in common"), true},
    {WB_TR("Hypervolume"), WB_TR("Area that the frontier dominates up to the reference point"), true},
}};

#undef WB_TR

QString placeText(const analysis::Chart& chart, const std::optional<analysis::PlaceInChart>& place)
{
    if (!place)
        return dash();
    const analysis::ChartPoint& point = chart.series[place->series].points[place->point];
    QString shown = QStringLiteral("%1 | %2").arg(number(point.x, 4), number(point.y, 4));
    if (point.concurrency)
        shown += MatchedModel::tr(" at concurrency %1").arg(number(point.concurrency, 4));
    return shown;
}

QString howText(analysis::Found found)
{
    switch (found) {
    case analysis::Found::Measured:
        return MatchedModel::tr("measured");
    case analysis::Found::Interpolated:
        return MatchedModel::tr("interpolated");
    case analysis::Found::Nothing:
        break;
    }
    return dash();
}

MatchedRow shownRow(const analysis::MatchedGroup& group, const analysis::Chart& chart)
{
    MatchedRow row;
    row.id = group.key;
    row.isBaseline = group.isBaseline;
    const auto put = [&row](MatchedModel::Column column, const QString& cell, std::optional<double> sortedBy = {}) {
        row.cells[static_cast<std::size_t>(column)] = cell;
        row.numbers[static_cast<std::size_t>(column)] = sortedBy;
    };
    const QString about = group.found == analysis::Found::Interpolated ? QStringLiteral("\u2248 ") : QString();
    put(MatchedModel::Group, text(group.key));
    put(MatchedModel::ValueAt, group.value ? about + number(group.value, 5) : dash(), group.value);
    put(MatchedModel::How, howText(group.found));
    put(MatchedModel::Left, placeText(chart, group.left));
    put(MatchedModel::Right, placeText(chart, group.right));
    put(MatchedModel::Against, group.isBaseline ? MatchedModel::tr("baseline") : percent(group.share), group.share);
    put(MatchedModel::Area, number(group.area, 5), group.area);
    put(MatchedModel::AreaAgainst, group.isBaseline ? MatchedModel::tr("baseline") : percent(group.areaShare), group.areaShare);
    const std::optional<double>& volume = chart.series[group.series].hypervolume;
    put(MatchedModel::Hypervolume, number(volume, 5), volume);
    row.tip = text(group.reason);
    if (group.shared)
        row.tip +=
            (row.tip.isEmpty() ? QString() : QStringLiteral("\n")) + MatchedModel::tr("In common with the baseline: x from %1 to %2")
                                                                         .arg(number(group.shared->from, 5), number(group.shared->to, 5));
    if (const auto& place = group.left ? group.left : group.right)
        row.nearest = chart.series[place->series].points[place->point].id;
    return row;
}

} // namespace

QString percent(std::optional<double> share)
{
    if (!share)
        return dash();
    const double hundredths = *share * 100.0;
    return (hundredths > 0 ? QStringLiteral("+") : QString()) + QString::number(hundredths, 'f', std::abs(hundredths) < 100 ? 1 : 0) +
           QStringLiteral(" %");
}

MatchedModel::MatchedModel(QObject* parent)
    : RowsModel(parent)
{
}

void MatchedModel::setComparison(const analysis::MatchedComparison& comparison, const analysis::Chart& chart)
{
    std::vector<MatchedRow> rows;
    rows.reserve(comparison.groups.size());
    for (const analysis::MatchedGroup& group : comparison.groups)
        rows.push_back(shownRow(group, chart));
    setRows(std::move(rows));
}

int MatchedModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(MatchedRow::columnCount);
}

QVariant MatchedModel::data(const QModelIndex& index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    const MatchedRow& shown = row(index.row());
    const auto column = static_cast<std::size_t>(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return shown.cells[column];
    case SortRole:
        if (infos[column].isNumeric)
            return shown.numbers[column] ? QVariant(*shown.numbers[column]) : QVariant();
        return shown.cells[column];
    case Qt::ToolTipRole:
        return shown.tip.isEmpty() ? shown.cells[column] : shown.tip;
    case Qt::TextAlignmentRole:
        return infos[column].isNumeric ? QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    default:
        return {};
    }
}

QVariant MatchedModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const ColumnInfo& info = infos[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return tr(info.title);
    if (role == Qt::ToolTipRole)
        return tr(info.tip);
    if (role == Qt::TextAlignmentRole && info.isNumeric)
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

} // namespace wb::ui
