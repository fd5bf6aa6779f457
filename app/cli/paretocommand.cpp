// srtwb pareto: frontiers, as numbers and as pictures.
#include "app/cli/command.h"
#include "app/cli/qtapplication.h"
#include "app/cli/resultsource.h"
#include "core/analysis/chart.h"
#include "core/base/text.h"
#include "core/store/atomicfile.h"

#include <QProcess>
#include <QTemporaryFile>

#include <array>
#include <filesystem>
#include <map>

namespace wb::cli {

namespace {

struct ParetoOptions : ResultOptions {
    analysis::ChartRequest request;
    std::string line = "stairs";
    std::string png, svg, pdf, csv;
    bool isJson = false;
    bool listsAxes = false;
};

constexpr std::array lines = {std::pair("stairs", analysis::Line::Stairs), std::pair("straight", analysis::Line::Straight),
                              std::pair("none", analysis::Line::None)};

void listAxes(const ParetoOptions& options, Console& console)
{
    base::json::Array all;
    for (const analysis::Axis& axis : analysis::axes()) {
        const char* direction = axis.direction == analysis::Direction::MoreIsBetter ? "more is better" : "less is better";
        if (!options.isJson)
            console.write(axis.id + "\t" + axis.unit + "\t" + direction + "\t" + axis.definition + "\n");
        base::json::Value object;
        object.set("id", axis.id);
        object.set("title", axis.title);
        object.set("unit", axis.unit);
        object.set("definition", axis.definition);
        object.set("direction", axis.direction == analysis::Direction::MoreIsBetter ? "more" : "less");
        all.push_back(std::move(object));
    }
    if (!options.isJson)
        return;
    base::json::Value document;
    document.set("axes", std::move(all));
    console.writeDocument(document);
}

/// The picture is drawn by the workbench beside this program, from the same chart.
Result<void> draw(const analysis::Chart& chart, const std::string& file)
{
    const std::filesystem::path self = std::filesystem::canonical("/proc/self/exe").parent_path();
    const std::filesystem::path workbench = self / "srt-workbench";
    if (!std::filesystem::exists(workbench))
        return failure(ErrorCode::NotFound,
                       "Pictures are drawn by srt-workbench, which is not beside srtwb in " + base::inQuotes(self.string()) + ".");
    ensureQtApplication();
    QTemporaryFile specification;
    const std::string text = base::json::write(analysis::toJson(chart));
    if (!specification.open() || specification.write(text.data(), static_cast<qint64>(text.size())) < 0 || !specification.flush())
        return failure(ErrorCode::Refused, "The chart's specification could not be written to a temporary file: " +
                                               specification.errorString().toStdString() + ".");
    QProcess process;
    process.setProgram(QString::fromStdString(workbench.string()));
    process.setArguments({QStringLiteral("--render-chart"), specification.fileName(), QStringLiteral("--out"),
                          QString::fromStdString(std::filesystem::absolute(file).string())});
    process.start();
    constexpr int patience = 120'000;
    if (!process.waitForStarted() || !process.waitForFinished(patience))
        return failure(ErrorCode::TimedOut, "srt-workbench did not draw the chart: " + process.errorString().toStdString() + ".");
    if (process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0)
        return failure(ErrorCode::Refused, "srt-workbench could not draw " + base::inQuotes(file) + ": " +
                                               process.readAllStandardError().trimmed().toStdString());
    return {};
}

void printText(const analysis::Chart& chart, Console& console)
{
    console.write("x: " + chart.x.title + " (" + chart.x.unit + "), y: " + chart.y.title + " (" + chart.y.unit + ")\n");
    for (const analysis::ChartSeries& series : chart.series) {
        console.write(series.key + ": " + std::to_string(series.frontier.size()) + " of " + std::to_string(series.points.size()) +
                      " points on the frontier\n");
        for (const std::size_t index : series.frontier) {
            const analysis::ChartPoint& point = series.points[index];
            console.write("  " + base::textOf(point.x) + "\t" + base::textOf(point.y) + "\t" + point.id.text + "\n");
        }
    }
    for (const std::string& warning : chart.warnings)
        console.say("warning: " + warning);
    std::map<std::string, std::size_t> reasons;
    for (const analysis::Excluded& excluded : chart.excluded)
        ++reasons[excluded.reason];
    for (const auto& [reason, count] : reasons)
        console.say(std::to_string(count) + (count == 1 ? " point" : " points") + " kept off: " + reason);
}

int run(ParetoOptions& options, Console& console)
{
    if (options.listsAxes) {
        listAxes(options, console);
        return Good;
    }
    for (const auto& [name, line] : lines) {
        if (options.line == name)
            options.request.line = line;
    }
    const PointsRead read = readPoints(options, console);
    if (read.code == World)
        return World;
    auto chart = analysis::makeChart(read.points, options.request);
    if (!chart) {
        console.fail(chart.error());
        return Usage;
    }
    for (const std::string& file : {options.png, options.svg, options.pdf}) {
        if (file.empty())
            continue;
        if (auto drawn = draw(*chart, file); !drawn) {
            console.fail(drawn.error());
            return World;
        }
        console.say("Written: " + file);
    }
    if (!options.csv.empty()) {
        if (auto written = store::writeAtomically(options.csv, analysis::asCsv(*chart)); !written) {
            console.fail(written.error());
            return World;
        }
    }
    if (options.isJson)
        console.writeDocument(analysis::paretoJson(*chart));
    else
        printText(*chart, console);
    return Good;
}

} // namespace

Run addPareto(CLI::App& command, Console& console)
{
    auto options = std::make_shared<ParetoOptions>();
    addResultOptions(command, *options);
    command.add_option("--x", options->request.x, "Axis, see --list-axes")->capture_default_str();
    command.add_option("--y", options->request.y, "Axis, see --list-axes")->capture_default_str();
    command.add_option("--group", options->request.group, "Key of a point that makes the series, or none")->capture_default_str();
    command.add_option("--where", options->request.where, "Only these points: \"hardware=gb200 concurrency>=8\"");
    command.add_option("--slo", options->request.slo, "Points outside stay off the frontier: \"ttft-p99<=2000\"");
    command.add_option("--title", options->request.title, "Title of the picture");
    command.add_option("--line", options->line, "stairs, straight or none")
        ->capture_default_str()
        ->check(CLI::IsMember({"stairs", "straight", "none"}));
    command.add_option("--png", options->png, "Draw into this file");
    command.add_option("--svg", options->svg, "Draw into this file");
    command.add_option("--pdf", options->pdf, "Draw into this file");
    command.add_option("--csv", options->csv, "Write the points as a table");
    command.add_flag("--json", options->isJson, "Print one JSON document");
    command.add_flag("--list-axes", options->listsAxes, "Print all axes with unit, direction and definition");
    return [options, &console] { return run(*options, console); };
}

} // namespace wb::cli
