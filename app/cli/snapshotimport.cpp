// srtwb snapshot import: cold starts against restores, and when a checkpoint pays.
#include "app/cli/numberoptions.h"
#include "app/cli/snapshotcommand.h"
#include "core/base/text.h"
#include "core/snapshot/payoff.h"
#include "core/snapshot/startupimport.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>

namespace wb::cli {

using base::json::Array;
using base::json::Value;
using snapshot::StartupFileState;
using snapshot::StartupRun;

namespace {

struct ImportOptions {
    std::vector<std::string> paths;
    double bandwidth = 0.0; ///< GB/s; 0: not given.
    double starts = 0.0;    ///< 0: not given.
    std::string today;
    bool isSyntheticTaken = false;
    bool isCsv = false;
    bool isExport = false;
    bool isJson = false;
};

Value filesJson(const snapshot::StartupImport& imported)
{
    Array out;
    for (const snapshot::StartupFile& file : imported.files) {
        Value entry;
        entry.set("path", file.path);
        entry.set("format", file.format.empty() ? Value() : Value(file.format));
        entry.set("runs", file.runs);
        entry.set("doubles", file.doubles);
        entry.set("state", snapshot::name(file.state));
        entry.set("reason", file.reason.empty() ? Value() : Value(file.reason));
        out.push_back(std::move(entry));
    }
    return out;
}

Value textsJson(const std::vector<std::string>& texts)
{
    Array out;
    for (const std::string& text : texts)
        out.emplace_back(text);
    return out;
}

Value breakEvenJson(const snapshot::BreakEven& breakEven)
{
    if (breakEven.state == snapshot::BreakEven::State::After)
        return static_cast<std::int64_t>(breakEven.starts);
    return breakEven.state == snapshot::BreakEven::State::Never ? Value("never") : Value();
}

Value payoffJson(const StartupRun& run, const ImportOptions& options)
{
    const snapshot::Payoff payoff = snapshot::payoffOf(run);
    Value out;
    out.set("speedup", payoff.speedup);
    out.set("speedupLeast", payoff.speedupLeast);
    out.set("speedupMost", payoff.speedupMost);
    out.set("mixedClocks", payoff.isMixed);
    out.set("estimated", payoff.isEstimated);
    out.set("savedSeconds", payoff.savedSeconds);
    out.set("breakEvenSourceNeeded", breakEvenJson(payoff.sourceNeeded));
    out.set("breakEvenCaptureExtra", breakEvenJson(payoff.captureExtra));
    out.set("checkpointPlusRestoreFaster", payoff.isCheckpointPlusRestoreFaster);
    out.set("criuShare", payoff.criuShare);
    if (options.starts > 0.0) {
        out.set("savedGpuHoursSourceNeeded", snapshot::savedGpuHours(run, options.starts, true));
        out.set("savedGpuHoursCaptureExtra", snapshot::savedGpuHours(run, options.starts, false));
    }
    const snapshot::ReadRate rate = snapshot::readRateOf(run);
    out.set("readGbPerSecond", rate.restore);
    out.set("readGbPerSecondCriu", rate.criu);
    if (options.bandwidth > 0.0) {
        const auto floor = snapshot::storageFloorOf(run, options.bandwidth);
        Value object;
        if (floor) {
            object.set("seconds", floor->seconds);
            object.set("gbPerSecond", floor->gbPerSecond);
            object.set("below", floor->isBelow);
        }
        out.set("storageFloor", std::move(object));
    }
    out.set("confounds", textsJson(snapshot::confoundsOf(run)));
    return out;
}

Value runsJson(const snapshot::StartupImport& imported, const ImportOptions& options)
{
    Value out;
    const Value exported = snapshot::exportJson(imported.runs);
    Array runs = exported.find("runs")->array();
    for (std::size_t i = 0; i < runs.size(); ++i)
        runs[i].set("payoff", payoffJson(imported.runs[i], options));
    return runs;
}

Value spreadJson(const snapshot::Spread& spread)
{
    Value out;
    out.set("median", spread.median);
    out.set("min", spread.least);
    out.set("max", spread.most);
    out.set("n", spread.count);
    return out;
}

Value groupsJson(const snapshot::StartupImport& imported, const ImportOptions& options)
{
    Array out;
    for (const snapshot::StartupGroup& group : snapshot::groupsOf(imported.runs, options.isSyntheticTaken)) {
        Value entry;
        entry.set("model", group.model.empty() ? Value() : Value(group.model));
        entry.set("engine", group.engine.empty() ? Value() : Value(group.engine));
        entry.set("gpu", group.gpu.empty() ? Value() : Value(group.gpu));
        entry.set("runs", group.runs.size());
        entry.set("cold", spreadJson(group.cold));
        entry.set("checkpoint", spreadJson(group.checkpoint));
        entry.set("restore", spreadJson(group.restore));
        entry.set("speedup", spreadJson(group.speedup));
        entry.set("check", group.needsCheck);
        entry.set("confounds", textsJson(group.confounds));
        out.push_back(std::move(entry));
    }
    return out;
}

Value trendsJson(const snapshot::StartupImport& imported, const ImportOptions& options)
{
    Array out;
    for (const snapshot::Trend& trend : snapshot::trendsOf(imported.runs, &StartupRun::restore, options.today)) {
        Array points;
        for (const snapshot::TrendPoint& point : trend.points) {
            Value entry;
            entry.set("date", point.run->date);
            entry.set("outcome", point.run->outcome);
            entry.set("restore", point.value);
            entry.set("toPrevious", point.previousDelta);
            entry.set("toMedian", point.medianDelta);
            points.push_back(std::move(entry));
        }
        Value entry;
        entry.set("title", trend.title);
        entry.set("stale", trend.isStale);
        entry.set("points", std::move(points));
        out.push_back(std::move(entry));
    }
    return out;
}

/// Three digits after the point at most; "—" for what is not known.
std::string rounded(std::optional<double> number)
{
    return number ? base::textOf(std::round(*number * 1000.0) / 1000.0) : "—";
}

std::string seconds(const snapshot::Measured& time)
{
    if (!time.seconds)
        return "—";
    return (time.isApproximate ? "~" : "") + rounded(time.seconds) + " s" + (time.uncertainty() > 0.0 ? " ±1" : "");
}

std::string orDash(const std::string& text)
{
    return text.empty() ? "—" : text;
}

std::string whenItPays(const snapshot::BreakEven& breakEven)
{
    const std::string text = snapshot::shown(breakEven);
    return breakEven.state == snapshot::BreakEven::State::After ? "after " + text + (breakEven.starts == 1 ? " start" : " starts") : text;
}

void printRun(const StartupRun& run, const ImportOptions& options, Console& console)
{
    const snapshot::Payoff payoff = snapshot::payoffOf(run);
    std::string line = orDash(run.model) + " · " + orDash(run.engine) + (run.engineVersion.empty() ? "" : " " + run.engineVersion) + " · " +
                       orDash(run.gpu) + (run.isSynthetic ? " [synthetic]" : "") +
                       (run.outcome.empty() || run.outcome == "passed" ? "" : " [" + run.outcome + "]");
    line += ": cold " + seconds(run.cold) + ", checkpoint " + seconds(run.checkpoint) + ", restore " + seconds(run.restore);
    line += "; speed-up " + (payoff.speedup ? base::textOf(std::round(*payoff.speedup * 100.0) / 100.0) + "×" : std::string("—"));
    if (payoff.speedup && payoff.isMixed)
        line += " (mixed clocks)";
    if (payoff.speedup && payoff.isEstimated)
        line += " (estimated)";
    line +=
        "; pays " + whenItPays(payoff.sourceNeeded) + " (source needed anyway), " + whenItPays(payoff.captureExtra) + " (capture is extra)";
    if (options.bandwidth > 0.0) {
        const auto floor = snapshot::storageFloorOf(run, options.bandwidth);
        line += floor ? "; storage floor " + rounded(floor->seconds) + " s" +
                            (floor->isBelow ? " (restore is below it: cached, or a wrong number)" : "")
                      : std::string("; storage floor —");
    }
    console.write(base::printable(line) + "\n");
    for (const std::string& confound : snapshot::confoundsOf(run))
        console.write("  " + base::printable(confound) + "\n");
    for (const std::string& warning : run.warnings)
        console.write("  " + base::printable(warning) + "\n");
}

int codeOf(const snapshot::StartupImport& imported)
{
    const auto any = [&imported](auto test) { return std::any_of(imported.files.begin(), imported.files.end(), test); };
    if (any([](const snapshot::StartupFile& file) { return file.isUnreadable; }))
        return World;
    const bool isRefused = any([](const snapshot::StartupFile& file) { return file.isNamed && file.state != StartupFileState::Imported; });
    return isRefused || imported.runs.empty() ? Findings : Good;
}

int run(const ImportOptions& options, Console& console)
{
    const snapshot::StartupImport imported = snapshot::importStartup(options.paths);
    if (options.isCsv) {
        console.write(snapshot::exportCsv(imported.runs));
    } else if (options.isExport) {
        console.writeDocument(snapshot::exportJson(imported.runs));
    } else if (options.isJson) {
        Value document;
        document.set("files", filesJson(imported));
        document.set("runs", runsJson(imported, options));
        document.set("groups", groupsJson(imported, options));
        document.set("trends", trendsJson(imported, options));
        console.writeDocument(document);
    } else {
        for (const StartupRun& run : imported.runs)
            printRun(run, options, console);
    }
    for (const snapshot::StartupFile& file : imported.files) {
        if (file.state == StartupFileState::Refused || (file.isNamed && file.state == StartupFileState::Ignored))
            console.fail(base::pathInQuotes(file.path) + ": " + file.reason);
    }
    console.say(std::to_string(imported.runs.size()) + (imported.runs.size() == 1 ? " run." : " runs."));
    return codeOf(imported);
}

/// A day of the calendar, as YYYY-MM-DD.
std::string whyNoDate(const std::string& text)
{
    const auto part = [&text](std::size_t from, std::size_t count) {
        const std::string digits = text.substr(from, count);
        const bool isAll = std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
        return isAll ? base::integerOf(digits).value_or(0) : 0;
    };
    const bool isShaped = text.size() == 10 && text[4] == '-' && text[7] == '-';
    if (isShaped &&
        std::chrono::year_month_day(std::chrono::year(static_cast<int>(part(0, 4))), std::chrono::month(static_cast<unsigned>(part(5, 2))),
                                    std::chrono::day(static_cast<unsigned>(part(8, 2))))
            .ok())
        return {};
    return base::inQuotes(text) + " is no date, as in 2026-01-31";
}

} // namespace

Run addSnapshotImport(CLI::App& command, Console& console)
{
    auto options = std::make_shared<ImportOptions>();
    command.add_option("path", options->paths, "Files and folders: RunResults, agent logs, nightly results, tables, exports")->required();
    command.add_option("--bandwidth", options->bandwidth, "Bandwidth of the storage in GB/s (decimal): how fast a restore can be")
        ->check(numberAboveZero());
    command.add_option("--starts", options->starts, "Say what so many starts save")->check(numberAboveZero());
    command.add_option("--today", options->today, "Date (YYYY-MM-DD) from which a nightly series is called stale")
        ->check(CLI::Validator([](std::string& text) { return whyNoDate(text); }, "DATE"));
    command.add_flag("--synthetic", options->isSyntheticTaken, "Take runs that are marked as made up into the groups");
    CLI::Option* json = command.add_flag("--json", options->isJson, "Print one JSON document with all that follows from the runs");
    CLI::Option* csv = command.add_flag("--csv", options->isCsv, "Print the runs as a table that can be imported again")->excludes(json);
    command.add_flag("--export", options->isExport, "Print the runs as JSON that can be imported again")->excludes(json)->excludes(csv);
    return [options, &console] { return run(*options, console); };
}

} // namespace wb::cli
