#pragma once

#include "core/results/importer.h"

namespace wb::results {

[[nodiscard]] bool sniffClientConsole(const Input& input);
[[nodiscard]] Result<PointSet> readClientConsole(const Input& input, std::stop_token stop);
/// As sniffClientConsole, in srt-slurm's own log of the client, where a run may have nothing else.
[[nodiscard]] bool sniffBenchmarkLog(const Input& input);
[[nodiscard]] Result<PointSet> readBenchmarkLog(const Input& input, std::stop_token stop);

} // namespace wb::results
