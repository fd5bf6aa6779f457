#include "core/results/importers/genaiperf.h"

#include "core/results/importers/perfexport.h"
#include "core/results/importers/rows.h"

namespace wb::results {

using base::json::Value;

namespace {

bool isMine(const Value& object)
{
    return isPerfExport(object) && isOfGenaiPerf(object);
}

Point readRow(const Input& input, const Row& row)
{
    Point point = pointOf(input, "genai-perf", row.index);
    const PerfExport source{*row.object, {}, [&](std::string_view metric) { return placesIn(input, row, {std::string(metric)}); }};
    takePerfMetrics(source, point);
    takePerfSettings(source, point);
    return point;
}

} // namespace

bool sniffGenaiPerf(const Input& input)
{
    return anyRow(input, isMine);
}

Result<PointSet> readGenaiPerf(const Input& input, std::stop_token stop)
{
    return readRows(
        input, stop, "an export of genai-perf", [](const Row& row) { return isMine(*row.object); },
        [&](const Row& row) { return readRow(input, row); });
}

} // namespace wb::results
