// A measured operating point in canonical units (milliseconds, tokens/s, requests/s, seconds), each value with the file and key it
// came from. What a file does not tell is absent, never 0.
#pragma once

#include "core/base/ids.h"
#include "core/base/json.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wb::results {

/// Where a number came from: the file as given, the key in it ("median_tpot_ms"), and the value as it stands there.
struct Provenance {
    std::string file;
    std::string key;
    std::string raw;

    friend bool operator==(const Provenance&, const Provenance&) = default;
};

struct Statistics {
    std::optional<double> mean, p50, p90, p95, p99;

    friend bool operator==(const Statistics&, const Statistics&) = default;
};

/// GPU counts and who says so. `working`: of the workers; `allocated`: of the nodes.
struct Gpus {
    std::optional<double> total, prefill, decode, working, allocated;
    std::string origin; ///< "file name", "the file", "srt-slurm metadata"; empty when nothing is known.

    friend bool operator==(const Gpus&, const Gpus&) = default;
};

struct Point {
    PointId id; ///< Stable: made from format, source and position, not from the order of import.
    RunId run;
    std::string format;       ///< Importer id: "vllm-bench-serve", "sa-bench", "inferencex-agg", "srt-slurm-rollup"
    std::string source;       ///< Path of the file.
    std::size_t document = 0; ///< Which document or row of the file.
    bool simulated = false;

    std::optional<std::string> model, engine, precision, hardware, recipe, variant;
    std::optional<double> isl, osl;                        ///< Tokens a request, mean where measured.
    std::optional<double> concurrency, users, requestRate; ///< requestRate is absent for "inf".
    std::optional<double> completed, requested, failed;
    std::optional<double> durationS;
    std::optional<double> outputTps, totalTps, inputTps, requestsPerS;
    /// Per-GPU figures of formats that give nothing else (InferenceX, the 12-column rollup), as they stand in the file.
    std::optional<double> outputTpsPerDecodeGpu, totalTpsPerGpu, inputTpsPerPrefillGpu;
    std::optional<double> tpsPerUserGiven; ///< A file's own tokens/s/user, definition in `origins`.
    std::optional<double> tpsPerUserRates; ///< Mean of per-request rates, where a file has it.
    Statistics ttftMs, tpotMs, itlMs, e2eMs;
    Gpus gpus;

    bool valid = true;
    std::vector<std::string> reasons;          ///< Why it is not valid: sentences.
    std::vector<std::string> notes;            ///< Cross-checks and warnings that do not make it invalid.
    std::map<std::string, Provenance> origins; ///< Field name of the contract ("tpotMs.p50") -> where it came from.
};

/// The contract's P object.
[[nodiscard]] base::json::Value toJson(const Point& point);

} // namespace wb::results
