// A measured operating point in canonical units (milliseconds, tokens/s, requests/s, seconds), each value with the file and key it
// came from. What a file does not tell is absent, never 0.
//
// To add a number or a text to a point: a member here and a row in numberFields() or textFields() (point.cpp); JSON, CSV, filters and
// groups follow from the rows.
#pragma once

#include "core/base/ids.h"
#include "core/base/json.h"
#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wb::results {

/// Where a value came from: the file, the key in it ("median_tpot_ms"), and the value as it stands there.
struct Provenance {
    std::string file; ///< Empty: the point's own source. See `originOf`.
    std::string key;
    std::string raw;
    std::string place = {}; ///< "line 3, column 17", only where no number stands although one belongs there.

    friend bool operator==(const Provenance&, const Provenance&) = default;
};

struct Statistics {
    std::optional<double> mean, p50, p90, p95, p99;

    friend bool operator==(const Statistics&, const Statistics&) = default;
};

/// GPU counts and who says so. `working`: of the workers; `allocated`: of the nodes; `total`: the count the file or its name gives.
struct Gpus {
    std::optional<double> total, prefill, decode, working, allocated;
    std::string origin; ///< "file name", "the file", "srt-slurm metadata"; empty when nothing is known.

    friend bool operator==(const Gpus&, const Gpus&) = default;
};

struct Point {
    PointId id; ///< Stable: made from format, source and position, not from the order of import.
    RunId run;
    std::string format;       ///< Importer id: "vllm-bench-serve", "sa-bench", "inferencex-agg", "srt-slurm-rollup-csv", ...
    std::string source;       ///< Path of the file.
    std::size_t document = 0; ///< Which document or row of the file.
    std::string content;      ///< SHA-256 of the file's bytes; empty where they were not read as a whole. See `doublesAmong`.
    std::string folder;       ///< Folder of the srt-slurm run it belongs to; empty when it lies in none.
    bool simulated = false;

    std::optional<std::string> model, engine, precision, hardware, recipe, variant;
    std::optional<double> tp, pp, ep;                      ///< Parallel sizes, where they are the same for all workers.
    std::optional<double> isl, osl;                        ///< Tokens a request, mean where measured.
    std::optional<double> concurrency, users, requestRate; ///< requestRate is absent for "inf".
    std::optional<double> completed, requested, failed;
    std::optional<double> durationS;
    std::optional<double> outputTps, totalTps, inputTps, requestsPerS;
    /// Per-GPU figures of formats that give nothing else (InferenceX, the 12-column rollup), as they stand in the file.
    std::optional<double> outputTpsPerDecodeGpu, totalTpsPerGpu, inputTpsPerPrefillGpu;
    std::optional<double> tpsPerUserGiven;   ///< A file's own 1000 / median TPOT; its key is in `origins`.
    std::optional<double> tpsPerUserRates;   ///< Mean of per-request rates, where a file has it.
    std::optional<double> goodput;           ///< Requests/s that kept the limits which the client was given.
    std::optional<double> timeToReadyS;      ///< Of its run: from the start of the workers until the model was ready.
    std::optional<double> accuracy;          ///< Of its run: the score of the one task that was asked, a mean over its repeats.
    std::optional<std::string> accuracyTask; ///< "gsm8k"
    std::optional<double> gpuPowerW;         ///< Of one GPU: the mean that was measured, or what the user says.
    std::optional<double> gpuHourPrice;      ///< US dollars; only the user knows.
    Statistics ttftMs, tpotMs, itlMs, e2eMs;
    /// The file's ITL is a mean over each request, which is a TPOT by definition (AgentX, aiperf); else it is the gap between chunks.
    bool itlPerRequest = false;
    /// The file's TPOT counts the first token (GuideLLM): its ITL is the time for each token after the first.
    bool tpotHasFirstToken = false;
    Gpus gpus;

    bool valid = true;
    std::vector<std::string> tags;             ///< The user's, of its run; from the catalogue, which keeps them apart from the point.
    std::string userNote;                      ///< As tags.
    std::vector<std::string> objections;       ///< What the file itself says against it ("cancelled", "INVALID"): sentences.
    std::vector<std::string> reasons;          ///< Why it is not valid: sentences; the objections are among them.
    std::vector<std::string> notes;            ///< Cross-checks and warnings that do not make it invalid.
    std::map<std::string, Provenance> origins; ///< Field name of the contract ("tpotMs.p50") -> where it came from.

    friend bool operator==(const Point&, const Point&) = default;
};

/// A number of a point, by the key it has in the contract.
struct NumberField {
    std::string_view key;   ///< "ttftMs.p50", "gpus.working"
    std::string_view title; ///< "Median TTFT"
    std::string_view unit;  ///< Empty for counts.
    bool inContract = true; ///< Part of the P object.
    std::optional<double>& (*slot)(Point&);

    [[nodiscard]] const std::optional<double>& of(const Point& point) const { return slot(const_cast<Point&>(point)); }
};

/// A text of a point, by its key. Nothing when it is not known.
struct TextField {
    std::string_view key; ///< "hardware"
    std::string_view title;
    std::optional<std::string> (*text)(const Point&);
};

/// In the order of the contract.
[[nodiscard]] std::span<const NumberField> numberFields();
[[nodiscard]] std::span<const TextField> textFields();
[[nodiscard]] const NumberField* findNumberField(std::string_view key);
[[nodiscard]] const TextField* findTextField(std::string_view key);
/// The value of a text or number field as text; nothing when it is not known or there is no such field.
[[nodiscard]] std::optional<std::string> fieldText(const Point& point, std::string_view key);

/// Where a field came from, its file filled in; nothing when that was not written down.
[[nodiscard]] std::optional<Provenance> originOf(const Point& point, std::string_view field);

/// Why a number is not known, as far as the file tells: no number stands in its place (NaN, a text), or a 0 that means "not measured".
/// One sentence with key and place; nothing when the file is silent, or the number is known.
[[nodiscard]] std::optional<std::string> whyUnknown(const Point& point, std::string_view field);
/// The fields whose place in the file holds something that is no number: `whyUnknown` says what.
[[nodiscard]] std::vector<const NumberField*> faultyFields(const Point& point);

/// The contract's P object.
[[nodiscard]] base::json::Value toJson(const Point& point);
/// Everything of a point, for storing; `pointFromJson` gives an equal point back.
[[nodiscard]] base::json::Value toStoredJson(const Point& point);
[[nodiscard]] Result<Point> pointFromJson(const base::json::Value& value);

} // namespace wb::results
