#include "core/results/importers/aiperfcsv.h"

#include "core/base/text.h"
#include "core/results/csv.h"
#include "core/results/fieldreader.h"
#include "core/results/importers/perfexport.h"
#include "core/results/importers/rows.h"

#include <map>

// The CSV export of aiperf and genai-perf: two or three tables one below the other, of different widths. The unit is part of a metric's
// name: "Time to First Token (ms)". It is brought into the form of the JSON export, which has the same numbers unrounded.

namespace wb::results {

using base::json::Value;

namespace {

struct Named {
    std::string metric; ///< "time_to_first_token"
    std::string unit;
};

Named named(std::string_view title)
{
    Named out;
    if (const std::size_t open = title.rfind('('); open != std::string_view::npos && title.ends_with(')')) {
        out.unit = title.substr(open + 1, title.size() - open - 2);
        title = base::trimmed(title.substr(0, open));
    }
    out.metric = base::replacedAll(base::lowered(title), " ", "_");
    return out;
}

/// The tables as an export, and where each metric's row begins.
struct Table {
    Value object;
    std::map<std::string, std::size_t, std::less<>> offsets;
};

Table tableOf(std::string_view text)
{
    Table table;
    std::vector<std::string> titles;
    for (const CsvRow& row : readCsv(text)) {
        if (row.cells.front() == "Metric") {
            titles = row.cells;
            continue;
        }
        if (titles.empty() || row.cells.size() < 2)
            continue;
        if (titles.size() > 2 && row.cells.front() == "Endpoint")
            break; // the telemetry's table
        const Named name = named(row.cells.front());
        Value metric;
        metric.set("unit", name.unit);
        for (std::size_t i = 1; i < row.cells.size() && i < titles.size(); ++i)
            metric.set(titles[i] == "Value" ? "avg" : titles[i], row.cells[i]);
        table.object.set(name.metric, std::move(metric));
        table.offsets.emplace(name.metric, row.begins.front());
    }
    return table;
}

} // namespace

bool sniffAiperfCsv(const Input& input)
{
    std::string_view text = input.text;
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    return text.starts_with("Metric,avg,") || text.starts_with("Metric,Value");
}

Result<PointSet> readAiperfCsv(const Input& input, std::stop_token)
{
    PointSet set;
    const Table table = tableOf(input.text);
    if (table.object.isNull())
        return set;
    Point point = pointOf(input, "aiperf-csv", 0);
    const PerfExport source{table.object, {}, [&](std::string_view metric) {
                                const auto found = table.offsets.find(metric);
                                const std::string place = found == table.offsets.end() ? "" : lineAndColumn(input.text, found->second);
                                return PlaceOf([place](std::string_view) { return place; });
                            }};
    takePerfMetrics(source, point);
    takePerfSettings(source, point);
    addNote(point, "The numbers are rounded to two decimals; the JSON export has them whole.");
    set.points.push_back(std::move(point));
    return set;
}

} // namespace wb::results
