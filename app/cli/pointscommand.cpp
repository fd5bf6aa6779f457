// srtwb points: measured points in canonical units.
#include "app/cli/command.h"
#include "app/cli/resultsource.h"
#include "core/base/text.h"
#include "core/results/numbers.h"
#include "core/results/pointtable.h"

namespace wb::cli {

using base::json::Value;

namespace {

struct PointsOptions : ResultOptions {
    bool isJson = false;
    bool isCsv = false;
};

std::string shown(const std::optional<double>& number)
{
    return number ? results::significant(*number) : "-";
}

int run(const PointsOptions& options, Console& console)
{
    const PointsRead read = readPoints(options, console);
    if (read.isFailed())
        return read.code;
    if (options.isCsv) {
        console.write(results::asCsv(read.points));
    } else if (options.isJson) {
        base::json::Array points;
        for (const results::Point& point : read.points)
            points.push_back(results::toJson(point));
        Value document;
        document.set("points", std::move(points));
        console.writeDocument(document);
    } else {
        for (const results::Point& point : read.points) {
            console.write(point.id.text + "\t" + base::printable(point.run.text) + "\tconcurrency " + shown(point.concurrency) +
                          "\toutput " + shown(point.outputTps) + " tok/s\tTPOT p50 " + shown(point.tpotMs.p50) + " ms" +
                          (point.valid ? "" : "\tnot valid: " + base::printable(base::joined(point.reasons, " "))) + "\n");
        }
        console.say(std::to_string(read.points.size()) + (read.points.size() == 1 ? " point." : " points."));
    }
    return read.code;
}

} // namespace

Run addPoints(CLI::App& command, Console& console)
{
    auto options = std::make_shared<PointsOptions>();
    addResultOptions(command, *options);
    CLI::Option* json = command.add_flag("--json", options->isJson, "Print one JSON document");
    command.add_flag("--csv", options->isCsv, "Print a table")->excludes(json);
    return [options, &console] { return run(*options, console); };
}

} // namespace wb::cli
