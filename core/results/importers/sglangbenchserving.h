#pragma once

#include "core/results/fieldreader.h"
#include "core/results/importer.h"

namespace wb::results {

[[nodiscard]] bool sniffSglangBenchServing(const Input& input);
[[nodiscard]] Result<PointSet> readSglangBenchServing(const Input& input, std::stop_token stop);

/// Counts, rates and latencies by the keys that SGLang's client has for them; llm-optimizer writes the same below `results`.
void takeSglangMeasurements(FieldReader& reader, Point& point);

} // namespace wb::results
