#include "ui/charts/viewparts.h"

#include <algorithm>
#include <array>

namespace wb::ui::charts {

namespace {

template <typename Value>
struct Id {
    Value value;
    const char* id;
};

constexpr std::array labelIds{Id<PointLabels>{PointLabels::None, "none"}, Id<PointLabels>{PointLabels::Concurrency, "concurrency"},
                              Id<PointLabels>{PointLabels::Parallelism, "parallelism"}};
constexpr std::array scaleIds{Id<Scale>{Scale::Auto, "auto"}, Id<Scale>{Scale::Linear, "linear"}, Id<Scale>{Scale::Log, "log"}};
constexpr std::array partIds{Id<bool ChartParts::*>{&ChartParts::overall, "overall"}, Id<bool ChartParts::*>{&ChartParts::curves, "curves"},
                             Id<bool ChartParts::*>{&ChartParts::spreads, "spreads"},
                             Id<bool ChartParts::*>{&ChartParts::contrast, "contrast"}};

template <typename Ids, typename Value>
const char* idIn(const Ids& ids, Value value)
{
    const auto found = std::ranges::find_if(ids, [value](const auto& row) { return row.value == value; });
    return found == ids.end() ? ids.front().id : found->id;
}

template <typename Ids>
auto valueIn(const Ids& ids, std::string_view id)
{
    const auto found = std::ranges::find_if(ids, [id](const auto& row) { return row.id == id; });
    return found == ids.end() ? ids.front().value : found->value;
}

} // namespace

const char* idOf(PointLabels labels)
{
    return idIn(labelIds, labels);
}

const char* idOf(Scale scale)
{
    return idIn(scaleIds, scale);
}

PointLabels labelsNamed(std::string_view id)
{
    return valueIn(labelIds, id);
}

Scale scaleNamed(std::string_view id)
{
    return valueIn(scaleIds, id);
}

ChartParts partsOf(const analysis::ChartViewFile& view)
{
    ChartParts parts;
    parts.labels = labelsNamed(view.labels);
    for (const auto& row : partIds)
        parts.*row.value = view.shows.contains(row.id);
    return parts;
}

void setParts(analysis::ChartViewFile& view, const ChartParts& parts)
{
    view.labels = idOf(parts.labels);
    for (const auto& row : partIds) {
        view.shows.erase(row.id);
        if (parts.*row.value)
            view.shows.insert(row.id);
    }
}

} // namespace wb::ui::charts
