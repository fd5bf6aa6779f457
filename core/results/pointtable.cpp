#include "core/results/pointtable.h"

#include "core/base/text.h"
#include "core/results/csv.h"

namespace wb::results {

namespace {

using base::json::Value;

std::string textOf(const Value& value)
{
    if (const auto flag = value.boolean())
        return *flag ? "true" : "false";
    if (const auto number = value.number())
        return base::textOf(*number);
    if (const std::string* text = value.string())
        return *text;
    std::string out;
    for (const Value& item : value.array())
        out += (out.empty() ? "" : " ") + textOf(item);
    return out;
}

void flatten(const Value& object, const std::string& prefix, std::vector<std::pair<std::string, std::string>>& out)
{
    for (const base::json::Member& member : object.object()) {
        if (member.value.isObject())
            flatten(member.value, prefix + member.key + ".", out);
        else
            out.emplace_back(prefix + member.key, textOf(member.value));
    }
}

} // namespace

std::string asCsv(const std::vector<Point>& points)
{
    const auto row = [](const Point& point) {
        std::vector<std::pair<std::string, std::string>> cells;
        flatten(toJson(point), {}, cells);
        return cells;
    };
    std::string out;
    for (const auto& [key, text] : row(points.empty() ? Point() : points.front()))
        out += (out.empty() ? "" : ",") + csvCell(key);
    out += "\n";
    for (const Point& point : points) {
        bool isFirst = true;
        for (const auto& [key, text] : row(point)) {
            out += (isFirst ? "" : ",") + csvCell(text);
            isFirst = false;
        }
        out += "\n";
    }
    return out;
}

} // namespace wb::results
