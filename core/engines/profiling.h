// Profilers around workers: `profiling` of the recipe.
#pragma once

#include "core/engines/environment.h"
#include "core/engines/words.h"
#include "core/plan/topology.h"
#include "core/recipe/job.h"

#include <optional>
#include <string>
#include <string_view>

namespace wb::engines {

/// Words in front of a worker's command; empty when nothing wraps it. `output` is the file that the profiler writes.
[[nodiscard]] Words profilerPrefix(const recipe::Job& job, std::string_view output);
/// A profiler of another process wraps the workers.
[[nodiscard]] bool isWrapped(const recipe::Job& job);
void addProfiling(const recipe::Job& job, const recipe::Cluster& cluster, plan::Mode mode, Environment& environment);
/// The variables of the benchmark's process; false, and none, when nothing is profiled.
bool addProfilingOfBenchmark(const recipe::Job& job, Environment& environment);
/// What vLLM is told of the steps to profile, as JSON; nothing when it is not to start the capture by itself.
[[nodiscard]] std::optional<std::string> vllmProfiler(const recipe::Job& job, plan::Mode mode);

} // namespace wb::engines
