#include "core/results/importers/aiperf.h"

#include "core/results/importers/perfexport.h"
#include "core/results/importers/rows.h"

namespace wb::results {

using base::json::Value;

namespace {

bool isMine(const Value& object)
{
    return isPerfExport(object) && !isOfGenaiPerf(object);
}

Point readRow(const Input& input, const Row& row)
{
    Point point = pointOf(input, "aiperf", row.index);
    const PerfExport source{*row.object, {}, [&](std::string_view metric) { return placesIn(input, row, {std::string(metric)}); }};
    takePerfMetrics(source, point);
    // A count of failures that is not there is one of none: aiperf writes it only when there were some.
    if (point.completed && !point.failed && !point.origins.contains("failed")) {
        setDerived(point, "failed", 0, "no error_request_count: none failed");
        setDerived(point, "requested", *point.completed, "request_count");
    }
    takePerfSettings(source, point);
    return point;
}

} // namespace

bool sniffAiperf(const Input& input)
{
    return anyRow(input, isMine);
}

Result<PointSet> readAiperf(const Input& input, std::stop_token stop)
{
    return readRows(
        input, stop, "an export of aiperf", [](const Row& row) { return isMine(*row.object); },
        [&](const Row& row) { return readRow(input, row); });
}

} // namespace wb::results
