// The summary that `vllm bench serve` writes and that sa-bench, a copy of an older one, writes too: one object with the same keys.
#pragma once

#include "core/results/fieldreader.h"
#include "core/results/filename.h"
#include "core/results/importer.h"

namespace wb::results {

/// A summary of one of the two clients: milliseconds by the suffix `_ms`, not SGLang's, not InferenceX's in seconds.
[[nodiscard]] bool isClientSummary(const base::json::Value& object);
/// Of the two: sa-bench's own marks, by content or by the folder that srt-slurm makes for it.
[[nodiscard]] bool isSaBench(const base::json::Value& object, std::string_view path);

/// The summary.json of a vLLM sweep: a list of all its runs, each of which has a file of its own.
[[nodiscard]] bool isSweepSummary(const Input& input);

/// What the clients that were made from vLLM's share: completed, requested and failed requests, and the mean lengths that follow from the
/// totals.
void takeClientCounts(FieldReader& reader, Point& point);
/// `max_concurrency`, else the name's; a contradiction is noted.
void takeClientConcurrency(FieldReader& reader, Point& point, const NameFacts& name);
/// Lengths from the file's or the folder's name, where the totals tell nothing.
void takeLengthsOfName(Point& point, const NameFacts& file, const NameFacts& folder);
/// `backend` where it names an engine: its own name, or with the protocol behind it ("sglang-oai").
void takeEngineOfBackend(FieldReader& reader, Point& point);

/// Every summary of the file; other objects are left out with a warning.
[[nodiscard]] Result<PointSet> readClientSummaries(const Input& input, std::string_view format, const std::stop_token& stop);

} // namespace wb::results
