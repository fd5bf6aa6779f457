#include "core/results/importers/rows.h"

#include <algorithm>

namespace wb::results {

using base::json::Document;
using base::json::Value;

std::vector<Row> rowsOf(const Input& input)
{
    std::vector<Row> rows;
    std::size_t line = 1;
    std::size_t counted = 0;
    std::size_t index = 0;
    for (const Document& document : input.json) {
        line += static_cast<std::size_t>(std::count(input.text.begin() + static_cast<std::ptrdiff_t>(counted),
                                                    input.text.begin() + static_cast<std::ptrdiff_t>(document.begin), '\n'));
        counted = document.begin;
        const std::string place = "line " + std::to_string(line);
        if (document.value.isObject())
            rows.push_back({&document.value, index++, place, document.begin, {}});
        std::size_t item = 0;
        for (const Value& value : document.value.array()) {
            ++item;
            if (value.isObject())
                rows.push_back({&value, index++, place + ", item " + std::to_string(item), document.begin, {item - 1}});
        }
    }
    return rows;
}

PlaceOf placesIn(const Input& input, const Row& row, const std::vector<PathStep>& below)
{
    std::vector<PathStep> path = row.path;
    path.insert(path.end(), below.begin(), below.end());
    return [&input, begin = row.begin, path = std::move(path)](std::string_view key) -> std::string {
        std::vector<PathStep> whole = path;
        whole.emplace_back(std::string(key));
        const auto offset = offsetOf(input.text, begin, whole);
        if (!offset)
            return {};
        const std::string place = lineAndColumn(input.text, *offset);
        return input.isSlimmed ? place.substr(0, place.find(',')) : place;
    };
}

Point pointOf(const Input& input, std::string_view format, std::size_t index)
{
    Point point;
    point.format = format;
    point.source = input.path;
    point.document = index;
    return point;
}

Result<PointSet> readRows(const Input& input, const std::stop_token& stop, std::string_view what,
                          const std::function<bool(const Row&)>& isMine, const std::function<Point(const Row&)>& read)
{
    PointSet set;
    for (const Row& row : rowsOf(input)) {
        if (stop.stop_requested())
            return failure(ErrorCode::Cancelled, "The import was stopped.");
        if (isMine(row))
            set.points.push_back(read(row));
        else
            set.warnings.push_back(row.place + ": left out, not " + std::string(what) + ".");
    }
    return set;
}

bool anyRow(const Input& input, bool (*is)(const Value&))
{
    const auto holds = [&](const Value& value) { return value.isObject() && is(value); };
    return std::ranges::any_of(
        input.json, [&](const Document& document) { return holds(document.value) || std::ranges::any_of(document.value.array(), holds); });
}

bool hasAll(const Value& object, std::initializer_list<std::string_view> keys)
{
    return std::ranges::all_of(keys, [&](std::string_view key) { return object.find(key) != nullptr; });
}

bool hasAny(const Value& object, std::initializer_list<std::string_view> keys)
{
    return std::ranges::any_of(keys, [&](std::string_view key) { return object.find(key) != nullptr; });
}

} // namespace wb::results
