#include "core/remote/runlog.h"

#include "core/base/shell.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wb::remote {
namespace {

/// Words of srtctl's orchestrator and the stage that begins with them; plain text, no regular expressions.
struct Mark {
    std::string_view words;
    std::string_view stage;
};
constexpr std::array marks = {
    Mark{"Starting infrastructure services", "infra"},
    Mark{"Starting backend workers", "workers"},
    Mark{"Starting frontend", "frontend"},
    Mark{"Waiting for workers to be ready", "health"},
    Mark{"Waiting for server health", "health"},
    Mark{"Model is not ready", "health"},
    Mark{"Model is ready", "health"},
    Mark{"Server is healthy", "benchmark"},
    Mark{"Benchmark completed", "done"},
    Mark{"Benchmark failed", "done"},
    Mark{"Sweep complete", "done"},
    Mark{"Sweep failed", "done"},
};

/// Lines of the table that the benchmark clients print when a concurrency is done.
constexpr std::string_view concurrencyLabel = "Maximum request concurrency:";
constexpr std::string_view throughputLabel = "Output token throughput (tok/s):";
constexpr std::string_view tpotLabel = "Median TPOT (ms):";
constexpr std::array labels = {concurrencyLabel, throughputLabel, tpotLabel};

constexpr std::string_view linePrefix = "| ";

/// `tail` and `grep` of one file; says nothing when it is not there.
std::string extract(std::string_view quotedFile, std::span<const std::string_view> words, std::size_t mostBytes, int mostLines)
{
    std::string out = "tail -c " + std::to_string(mostBytes) + " -- " + std::string(quotedFile) + " 2>/dev/null | LC_ALL=C grep -aF";
    for (const std::string_view each : words)
        out += " -e " + base::shellQuoted(each);
    out += " | tail -n " + std::to_string(mostLines) + " | cut -c 1-400 | sed 's/^/" + std::string(linePrefix) + "/'\n";
    return out;
}

/// The number behind `label`, past blanks; nothing when none is there.
std::optional<std::string_view> numberAfter(std::string_view line, std::string_view label)
{
    const std::size_t at = line.find(label);
    if (at == std::string_view::npos)
        return std::nullopt;
    const std::string_view rest = base::trimmed(line.substr(at + label.size()));
    const std::size_t end = std::min(rest.find_first_not_of("0123456789.,-"), rest.size());
    std::string_view number = rest.substr(0, end);
    while (number.ends_with('.') || number.ends_with(','))
        number.remove_suffix(1);
    return number.empty() ? std::nullopt : std::optional(number);
}

std::optional<int> countBefore(std::string_view line, std::string_view words, std::size_t from)
{
    const std::size_t at = line.find(words, from);
    if (at == std::string_view::npos)
        return std::nullopt;
    std::size_t begin = at;
    while (begin > 0 && ((line[begin - 1] >= '0' && line[begin - 1] <= '9') || line[begin - 1] == '-'))
        --begin;
    const auto count = base::integerOf(line.substr(begin, at - begin));
    constexpr std::int64_t most = 1'000'000; // workers; a line that says more is none of srtctl's
    return count && *count >= -most && *count <= most ? std::optional(static_cast<int>(*count)) : std::nullopt;
}

/// "... waiting for 1 prefills and 2 decodes. Have 1 prefills and 0 decodes", or "Model is ready. Have 2 prefills and 2 decodes".
std::optional<std::string> workersIn(std::string_view line)
{
    const std::size_t have = line.find("Have ");
    if (have == std::string_view::npos)
        return std::nullopt;
    const auto prefill = countBefore(line, " prefill", have);
    const auto others = countBefore(line, " decode", have);
    if (!prefill || !others)
        return std::nullopt;
    const bool isReady = line.find("Model is ready") != std::string_view::npos;
    const std::size_t waiting = line.find("waiting for ");
    const auto missingPrefill = isReady ? std::optional(0) : countBefore(line, " prefill", std::min(waiting, line.size()));
    const auto missingOthers = isReady ? std::optional(0) : countBefore(line, " decode", std::min(waiting, line.size()));
    if (!isReady && (waiting == std::string_view::npos || waiting > have || !missingPrefill || !missingOthers))
        return std::nullopt;
    return workersText(*prefill, *prefill + std::max(0, *missingPrefill), *others, *others + std::max(0, *missingOthers));
}

} // namespace

std::string workersText(int prefill, int wantedPrefill, int others, int wantedOthers)
{
    const std::string rest = std::to_string(others) + " of " + std::to_string(wantedOthers);
    return wantedPrefill == 0 ? rest : std::to_string(prefill) + " of " + std::to_string(wantedPrefill) + " prefill, " + rest + " decode";
}

std::string runLogScript(std::string_view number, std::string_view quotedDir, bool isBegun)
{
    // Of a job that was not looked at before, the last stage may have begun long ago.
    const std::size_t mostOfSweep = isBegun ? std::size_t{64} << 10 : std::size_t{1} << 20;
    constexpr std::size_t mostOfClient = std::size_t{64} << 10;
    constexpr int mostLines = 20;
    std::vector<std::string_view> words;
    for (const Mark& mark : marks)
        words.push_back(mark.words);
    const std::string logs = std::string(quotedDir) + "/logs/";
    return extract(logs + base::shellQuoted("sweep_" + std::string(number) + ".log"), words, mostOfSweep, mostLines) +
           extract(logs + "benchmark.out", labels, mostOfClient, mostLines);
}

RunLog readRunLog(std::string_view out)
{
    RunLog log;
    std::string_view concurrency;
    for (std::string_view line : base::splitAt(out, '\n')) {
        if (!line.starts_with(linePrefix))
            continue;
        line.remove_prefix(linePrefix.size());
        const auto mark =
            std::find_if(marks.begin(), marks.end(), [line](const Mark& each) { return line.find(each.words) != std::string_view::npos; });
        if (mark != marks.end())
            log.stage = mark->stage;
        if (auto workers = workersIn(line))
            log.workers = *std::move(workers);
        if (const auto number = numberAfter(line, concurrencyLabel)) {
            concurrency = *number;
        } else if (const auto throughput = numberAfter(line, throughputLabel)) {
            log.figures = (concurrency.empty() ? std::string() : "concurrency " + std::string(concurrency) + ": ") +
                          std::string(*throughput) + " output tok/s";
            concurrency = {};
        } else if (const auto tpot = numberAfter(line, tpotLabel); tpot && !log.figures.empty()) {
            log.figures += ", TPOT median " + std::string(*tpot) + " ms";
        }
    }
    return log;
}

} // namespace wb::remote
