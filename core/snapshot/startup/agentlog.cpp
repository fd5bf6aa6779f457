#include "core/snapshot/startup/agentlog.h"

#include "core/base/text.h"
#include "core/snapshot/goduration.h"
#include "core/snapshot/startup/fields.h"

namespace wb::snapshot::startup {

using base::json::Value;

namespace {

constexpr std::string_view restoreWords = "Restore timing summary";
constexpr std::string_view checkpointWords = "Checkpoint timing summary";
/// The agent goes on after it, and the checkpoint is called Ready (upstream's issue 142).
constexpr std::string_view overlayFailed = "tar of overlay upperDir failed";

Measured agentTime(const Value* value)
{
    Measured out;
    out.clock = Clock::Agent;
    const std::string* text = value ? value->string() : nullptr;
    out.seconds = text ? goDuration(*text) : std::nullopt;
    if (!out.seconds)
        out.note = value ? "It is no duration of Go." : "not logged";
    return out;
}

std::vector<StartupPhase> phasesOf(const Value& summary)
{
    std::vector<StartupPhase> out;
    if (const Value* phases = summary.find("phases")) {
        for (const base::json::Member& member : phases->object())
            out.push_back({member.key, agentTime(&member.value)});
    }
    if (const Value* whole = summary.find("started_to_complete"))
        out.push_back({"agent_started_to_complete", agentTime(whole)});
    return out;
}

/// The run of a line; nothing when what stands behind the words is no JSON of that form.
std::optional<StartupRun> runOf(std::string_view line, bool isRestore)
{
    const std::size_t brace = line.find('{');
    if (brace == std::string_view::npos)
        return std::nullopt;
    const auto read = base::json::read(line.substr(brace));
    const Value* summary = read ? read->find(isRestore ? "restore" : "checkpoint") : nullptr;
    if (!summary || !summary->isObject())
        return std::nullopt;
    StartupRun run;
    run.date = line.substr(0, line.find_first_of(" \t"));
    run.model = "";
    Measured& whole = isRestore ? run.restore : run.checkpoint;
    whole = agentTime(summary->find("duration"));
    if (isRestore) {
        whole.isApproximate = true;
        whole.note = whole.seconds ? "the agent's part: it ends before the workload wakes" : whole.note;
        run.restorePhases = phasesOf(*summary);
        run.id = textAt(*read, {"pod"}) + "@" + run.date;
        run.series = textAt(*read, {"snapshot"});
    } else {
        run.checkpointPhases = phasesOf(*summary);
        run.id = textAt(*read, {"content"}) + "@" + run.date;
    }
    return run;
}

} // namespace

bool isAgentLog(const StartupInput& input)
{
    return input.json.empty() &&
           (input.text.find(restoreWords) != std::string_view::npos || input.text.find(checkpointWords) != std::string_view::npos);
}

Result<std::vector<StartupRun>> readAgentLog(const StartupInput& input)
{
    std::vector<StartupRun> out;
    std::size_t unreadable = 0;
    std::size_t lineNumber = 0;
    std::string overlay;
    for (const std::string_view line : base::splitAt(input.text, '\n')) {
        ++lineNumber;
        if (line.find(overlayFailed) != std::string_view::npos)
            overlay = "Line " + std::to_string(lineNumber) +
                      ": the copy of the container's files failed; a checkpoint made then is called Ready "
                      "and lacks them.";
        const bool isRestore = line.find(restoreWords) != std::string_view::npos;
        if (!isRestore && line.find(checkpointWords) == std::string_view::npos)
            continue;
        if (auto run = runOf(line, isRestore))
            out.push_back(*std::move(run));
        else
            ++unreadable;
    }
    if (out.empty())
        return failure(ErrorCode::Malformed, "No timing summary of the agent's log could be read.");
    if (unreadable > 0)
        out.front().warnings.push_back(std::to_string(unreadable) + " timing summaries of the log could not be read.");
    if (!overlay.empty())
        out.front().warnings.push_back(overlay);
    return out;
}

} // namespace wb::snapshot::startup
