#include "core/snapshot/startup/srtlifecycle.h"

#include "core/base/text.h"
#include "core/results/lifecycle.h"

namespace wb::snapshot::startup {

bool isSrtLifecycle(const StartupInput& input)
{
    return input.json.empty() ? results::isSweepLog(input.text) : results::isLifecycleJson(input.text);
}

Result<std::vector<StartupRun>> readSrtLifecycle(const StartupInput& input)
{
    auto read = results::readLifecycle(input.text);
    if (!read)
        return tl::unexpected(std::move(read.error()));
    StartupRun run;
    run.date = read->startedAt;
    // The log of a run and its run_lifecycle.json are one run: both have the same times.
    run.id = "srt/" + read->startedAt;
    for (const auto& time : {read->timeToReady, read->benchmark, read->total})
        run.id += "/" + (time ? base::textOf(*time) : std::string("-"));
    run.outcome = read->timeToReady ? "ready" : read->wasNeverReady ? "never ready" : "";
    run.cold.clock = Clock::Log;
    run.cold.seconds = read->timeToReady;
    run.cold.note = read->timeToReady     ? "workers started until the model was ready"
                    : read->wasNeverReady ? "the model was never ready"
                                          : "the start of the workers or the time when the model was ready is not told";
    for (const auto& field :
         {&StartupRun::coldTotal, &StartupRun::containerStart, &StartupRun::checkpoint, &StartupRun::restore, &StartupRun::restoreFromPod})
        (run.*field).note = "not measured";
    return std::vector{std::move(run)};
}

} // namespace wb::snapshot::startup
