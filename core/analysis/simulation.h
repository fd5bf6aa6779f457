// A model of serving that gives points before any GPU is spent. Its points are always marked as simulated.
//
// The model, for a closed loop of N clients (the concurrency) that each send the next request when the last one is answered:
//   - A prompt holds a prefill worker for S = ISL * prefillMsPerToken; at a utilisation rho of the workers it waits S * rho / (1 - rho) for
//     them (M/M/1 of each worker's share). What else passes until the first token is there, prefillBaseMs, holds nobody.
//   - A decode worker makes one token for each of its b requests in a step of t(b) = stepMs + stepMsPerRoot * sqrt(b) + stepMsPerRequest *
//   b:
//     weights are read once for a step, what belongs to the requests grows with them. It takes at most `maxBatch` of them; the others wait.
//   - Aggregated workers do both, and every prompt makes the steps of its worker wait: t(b) grows by the share of time that prompts take.
//   - Little's law closes the loop: N = X * (TTFT + (OSL - 1) * TPOT), with X requests per ms. X is found by bisection.
// With it output tokens/s never fall, and neither latency falls, as N grows.
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/recipe/job.h"
#include "core/results/point.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wb::analysis {

/// Times of one worker in milliseconds. Times that were fitted are of one worker of all GPUs of a kind that made the figures (see Fit).
struct ServiceTimes {
    double prefillBaseMs = 0.0;
    double prefillMsPerToken = 0.0;
    double stepMs = 0.0;
    double stepMsPerRoot = 0.0;
    double stepMsPerRequest = 0.0;

    friend bool operator==(const ServiceTimes&, const ServiceTimes&) = default;
};

/// What is served on.
struct Layout {
    bool isDisaggregated = false;
    double prefillWorkers = 1.0; ///< Aggregated: the workers, here and below. Not whole where times are of many GPUs as one worker.
    double decodeWorkers = 1.0;
    double isl = 0.0;               ///< Tokens of a prompt.
    double osl = 0.0;               ///< Tokens of an answer, at least 1.
    std::optional<double> maxBatch; ///< Requests that a decode worker takes at once; nothing: no limit is known.
};

struct Simulated {
    double outputTps = 0.0;
    double requestsPerS = 0.0;
    double ttftMs = 0.0; ///< Mean.
    double tpotMs = 0.0; ///< Mean.
    double e2eMs = 0.0;  ///< Mean.
};

/// `concurrency` at least 1.
[[nodiscard]] Simulated simulate(const ServiceTimes& times, const Layout& layout, double concurrency);

/// What runs were measured on. How many workers they had is not told by results: their times are those of one worker of so many GPUs, and a
/// job with other counts of the same GPUs has so many of these workers in proportion.
struct Fit {
    std::string model, engine, hardware, precision; ///< Empty: unknown. Hardware and precision in lower case.
    bool isDisaggregated = false;
    std::optional<double> prefillGpus, decodeGpus; ///< Aggregated: decodeGpus are all working ones.
    double isl = 0.0, osl = 0.0;

    friend bool operator==(const Fit&, const Fit&) = default;
};

/// Times of a worker by engine and GPU, as far as a table of them tells; a row without an engine is for all. A row that was fitted on runs
/// is for jobs of their model, engine, GPU, precision and kind of workers only.
struct Parameters {
    struct Row {
        std::string engine;
        std::string hardware;
        ServiceTimes times;
        std::string series = {}; ///< Of a fit: its name.
        std::optional<Fit> fit = {};
    };
    std::vector<Row> rows;
    std::string source; ///< The file, or "built in".

    /// Of the rows that are no fits: the row of both, else of the hardware, else the general one; null when there is none.
    [[nodiscard]] const Row* find(std::string_view engine, std::string_view hardware) const;
    /// The row for a job: of the fits that are for it the one of its ISL and OSL, then the one of its GPUs, then the first; else as above.
    [[nodiscard]] const Row* find(const recipe::Job& job) const;
};

/// {"rows": [{"engine", "hardware", "prefillBaseMs", "prefillMsPerToken", "stepMs", "stepMsPerRoot", "stepMsPerRequest"}]}; times are
/// finite and not negative, engine and hardware may be absent.
[[nodiscard]] Result<Parameters> readParameters(std::string_view json, std::string source);
/// Rough figures for a first look, not measured on anyone's model: calibrate for more.
[[nodiscard]] const Parameters& builtInParameters();

/// One point for each concurrency of the job's benchmark; a sentence when the recipe does not tell what the model needs.
[[nodiscard]] Result<std::vector<results::Point>> simulate(const recipe::Job& job, const Parameters& parameters, const std::string& source);

/// What was fitted on the runs of one series, and how well a fit without each point foretells it.
struct Calibration {
    std::string series; ///< What the points have in common, in words: folder, model, engine, hardware, precision, ISL, OSL, GPUs.
    Fit fit;
    ServiceTimes times;
    std::size_t points = 0;
    struct HeldOut {
        double concurrency = 0.0;
        double outputTpsError = 0.0; ///< |foretold - measured| / measured
        double tpotError = 0.0;
    };
    std::vector<HeldOut> heldOut; ///< One a point, by concurrency; the fit that foretells it knows no point of that concurrency.
    double medianOutputTpsError = 0.0;
    double medianTpotError = 0.0;
};

/// A fit for each series (model, engine, hardware, precision, ISL, OSL, GPUs) of at least four valid, measured points with concurrency,
/// ISL, OSL, output tokens/s, TPOT and TTFT. `skipped` gets a sentence for each series that is left out.
[[nodiscard]] std::vector<Calibration> calibrate(std::span<const results::Point> points, std::vector<std::string>& skipped);

/// The fits as parameters for recipes. A fit of which model, engine, hardware, precision or GPUs are not known is for no recipe: `leftOut`
/// gets a sentence for each.
[[nodiscard]] Parameters parametersOf(std::span<const Calibration> calibrations, std::vector<std::string>& leftOut);

[[nodiscard]] base::json::Value toJson(std::span<const Calibration> calibrations);

} // namespace wb::analysis
