#include "core/check/sidebyside.h"

#include "core/expand/provenance.h"
#include "core/syntax/rewrite.h"

#include <algorithm>
#include <unordered_map>

namespace wb::check {

namespace {

SideCell cellOf(expand::Origin&& origin)
{
    SideCell cell;
    cell.isSet = true;
    cell.value = origin.value->isString() ? origin.value->text : syntax::flowText(*origin.value);
    cell.from = std::move(origin.from);
    cell.source = origin.source;
    cell.range = origin.range;
    cell.isScalar = origin.value->isScalar() && origin.source == syntax::Source::Recipe && !origin.range.isEmpty() &&
                    origin.range == origin.value->range && origin.value->definition.isEmpty();
    return cell;
}

bool areSame(const std::vector<SideCell>& cells)
{
    return std::all_of(cells.begin(), cells.end(),
                       [&](const SideCell& cell) { return cell.isSet == cells.front().isSet && cell.value == cells.front().value; });
}

} // namespace

std::vector<SideRow> sideBySide(std::span<const Side> sides, bool onlyDifferent, const std::stop_token& stop)
{
    std::vector<SideRow> rows;
    std::unordered_map<std::string, std::size_t> places;
    for (std::size_t side = 0; side < sides.size(); ++side) {
        if (stop.stop_requested())
            return {};
        const CheckedVariant& variant = sides[side].checked->variants.at(sides[side].variant);
        for (expand::Origin& origin : expand::provenance(variant.variant, variant.config ? variant.config : variant.variant.document)) {
            const auto [place, isNew] = places.try_emplace(origin.path, rows.size());
            if (isNew) {
                rows.push_back({std::move(origin.path), {}, false});
                rows.back().cells.resize(sides.size());
            }
            rows[place->second].cells[side] = cellOf(std::move(origin));
        }
    }
    for (SideRow& row : rows)
        row.isSame = areSame(row.cells);
    if (onlyDifferent)
        std::erase_if(rows, [](const SideRow& row) { return row.isSame; });
    return rows;
}

} // namespace wb::check
