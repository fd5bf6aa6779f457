#include "core/results/lifecycle.h"

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <system_error>
#include <vector>

namespace wb::results {

using base::json::Value;

namespace {

/// The words by which srt-slurm's ingest finds a milestone; the first line with one of them counts.
struct Milestone {
    std::array<std::string_view, 3> words;
    std::string_view key; ///< In run_lifecycle.json.
};
enum MilestoneIndex { Infra, Workers, Frontend, ModelReady, BenchmarkStart, BenchmarkEnd, RunEnd, MilestoneCount };
constexpr std::array<Milestone, MilestoneCount> milestones = {{
    {{"Starting infrastructure services"}, "infra_start"},
    {{"Starting backend workers"}, "workers_start"},
    {{"Starting frontend layer"}, "frontend_start"},
    {{"Model is ready."}, "model_ready"},
    {{"Server is healthy - starting benchmark"}, "benchmark_start"},
    {{"Benchmark completed", "Benchmark failed"}, "benchmark_end"},
    {{"✗ Sweep failed", "✓ Sweep complete", "End:"}, "run_end"},
}};

/// Words that say that the model was served, in a form or on a line that srt-slurm's ingest does not take.
constexpr auto readyWords = std::to_array<std::string_view>({"Model is ready", "Server is healthy", "Benchmark completed"});

struct Times {
    std::array<std::string, MilestoneCount> written;
    std::array<std::optional<double>, MilestoneCount> seconds;
    std::string end;
    bool isReadyTold = false; ///< By one of `readyWords`, with or without a time.
};

std::optional<int> digitsOf(std::string_view text)
{
    for (const char c : text) {
        if (c < '0' || c > '9')
            return std::nullopt;
    }
    const auto number = base::integerOf(text);
    return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

/// "2026-10-02 02:23:10", with a blank or a T between, at that place of the line.
std::optional<double> secondsAt(std::string_view text)
{
    constexpr std::string_view form = "0000-00-00 00:00:00";
    if (text.size() < form.size() || text[4] != '-' || text[7] != '-' || (text[10] != ' ' && text[10] != 'T') || text[13] != ':' ||
        text[16] != ':')
        return std::nullopt;
    constexpr std::array<std::size_t, 6> places = {0, 5, 8, 11, 14, 17};
    std::array<int, 6> parts{};
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto number = digitsOf(text.substr(places[i], i == 0 ? 4 : 2));
        if (!number)
            return std::nullopt;
        parts[i] = *number;
    }
    const std::chrono::year_month_day day{std::chrono::year(parts[0]), std::chrono::month(static_cast<unsigned>(parts[1])),
                                          std::chrono::day(static_cast<unsigned>(parts[2]))};
    if (!day.ok())
        return std::nullopt;
    const auto days = std::chrono::sys_days(day).time_since_epoch().count();
    return static_cast<double>(days) * 86400.0 + parts[3] * 3600.0 + parts[4] * 60.0 + parts[5];
}

/// The first time in a line; logs put it first, some behind a prefix.
std::optional<std::string_view> timeIn(std::string_view line)
{
    constexpr std::size_t length = 19;
    for (std::size_t at = 0; at + length <= line.size() && at < 80; ++at) {
        if (line[at] >= '0' && line[at] <= '9' && secondsAt(line.substr(at)))
            return line.substr(at, length);
    }
    return std::nullopt;
}

bool holds(std::string_view line, const Milestone& milestone)
{
    for (const std::string_view words : milestone.words) {
        if (!words.empty() && line.find(words) != std::string_view::npos)
            return true;
    }
    return false;
}

Times timesOf(std::string_view log)
{
    Times out;
    for (std::string_view line : base::splitAt(log, '\n')) {
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        out.isReadyTold = out.isReadyTold || std::ranges::any_of(readyWords, [&](std::string_view words) {
                              return line.find(words) != std::string_view::npos;
                          });
        for (std::size_t i = 0; i < milestones.size(); ++i) {
            if (out.seconds[i] || !holds(line, milestones[i]))
                continue;
            const auto time = timeIn(line);
            if (!time)
                continue;
            out.written[i] = *time;
            out.seconds[i] = secondsAt(*time);
            if (i == RunEnd)
                out.end = line;
        }
    }
    return out;
}

std::optional<double> between(const Times& times, MilestoneIndex from, MilestoneIndex to)
{
    const auto& a = times.seconds.at(from);
    const auto& b = times.seconds.at(to);
    return a && b ? std::optional(*b - *a) : std::nullopt;
}

RunLifecycle lifecycleOf(const Times& times)
{
    RunLifecycle out;
    out.timeToReady = between(times, Workers, ModelReady);
    out.readinessGap = between(times, Frontend, ModelReady);
    out.benchmark = between(times, BenchmarkStart, BenchmarkEnd);
    out.total = between(times, Infra, RunEnd);
    out.startedAt = times.written.at(Infra);
    out.end = times.end;
    out.wasNeverReady = times.seconds.at(Workers) && times.seconds.at(RunEnd) && !times.isReadyTold;
    return out;
}

std::optional<double> numberAt(const Value& object, std::initializer_list<std::string_view> path)
{
    const Value* found = object.at(path);
    return found ? found->number() : std::nullopt;
}

std::string textAt(const Value& object, std::initializer_list<std::string_view> path)
{
    const Value* found = object.at(path);
    const std::string* text = found ? found->string() : nullptr;
    return text ? *text : std::string();
}

std::optional<Value> lifecycleDocument(std::string_view text)
{
    if (!base::trimmed(text).starts_with('{') || text.find("\"durations_s\"") == std::string_view::npos)
        return std::nullopt;
    auto read = base::json::read(text);
    const bool isIt = read && read->at({"milestones"}) && read->at({"durations_s"});
    return isIt ? std::optional(*std::move(read)) : std::nullopt;
}

} // namespace

bool isLifecycleJson(std::string_view text)
{
    return lifecycleDocument(text).has_value();
}

bool isSweepLog(std::string_view text)
{
    const Times times = timesOf(text);
    return times.seconds.at(Infra) || times.seconds.at(Workers) || times.seconds.at(ModelReady);
}

Result<RunLifecycle> readLifecycle(std::string_view text)
{
    if (const auto document = lifecycleDocument(text)) {
        RunLifecycle out;
        out.timeToReady = numberAt(*document, {"durations_s", "time_to_ready"});
        out.readinessGap = numberAt(*document, {"durations_s", "readiness_gap"});
        out.benchmark = numberAt(*document, {"durations_s", "benchmark"});
        out.total = numberAt(*document, {"durations_s", "total"});
        out.startedAt = textAt(*document, {"milestones", "infra_start"});
        out.end = textAt(*document, {"terminal_cause"});
        const auto isReached = [&](MilestoneIndex index) { return !textAt(*document, {"milestones", milestones.at(index).key}).empty(); };
        out.wasNeverReady = !out.timeToReady && isReached(Workers) && (isReached(RunEnd) || !out.end.empty()) && !isReached(ModelReady) &&
                            !isReached(BenchmarkStart) && !out.benchmark;
        return out;
    }
    if (!isSweepLog(text))
        return failure(ErrorCode::Malformed, "It is neither a run_lifecycle.json nor the log of a sweep.");
    return lifecycleOf(timesOf(text));
}

std::vector<std::string> lifecycleFilesOf(const std::filesystem::path& folder)
{
    namespace fs = std::filesystem;
    std::vector<std::string> files;
    std::vector<std::string> logs;
    for (const fs::path& place : {folder, folder / "logs"}) {
        std::error_code error;
        for (fs::directory_iterator it(place.empty() ? fs::path(".") : place, error), end; !error && it != end; it.increment(error)) {
            const std::string name = it->path().filename().string();
            if (name == "run_lifecycle.json")
                files.push_back(it->path().string());
            else if (name.starts_with("sweep_") && name.ends_with(".log"))
                logs.push_back(it->path().string());
        }
    }
    std::sort(logs.begin(), logs.end()); // a folder of one run has one
    files.insert(files.end(), logs.begin(), logs.end());
    return files;
}

std::optional<RunLifecycle> lifecycleOfRun(const std::filesystem::path& folder)
{
    constexpr std::uintmax_t largest = std::uintmax_t{64} << 20;
    for (const std::string& file : lifecycleFilesOf(folder)) {
        const auto bytes = base::readFile(file, largest);
        auto lifecycle = bytes ? readLifecycle(*bytes) : Result<RunLifecycle>(tl::unexpected(bytes.error()));
        if (!lifecycle)
            continue;
        lifecycle->file = file;
        return *std::move(lifecycle);
    }
    return std::nullopt;
}

std::optional<double> idleGpuHours(const RunLifecycle& lifecycle, double gpus)
{
    constexpr double secondsOfHour = 3600.0;
    return lifecycle.timeToReady ? std::optional(*lifecycle.timeToReady * gpus / secondsOfHour) : std::nullopt;
}

} // namespace wb::results
