#include "core/analysis/simulation.h"

#include "core/base/text.h"
#include "core/plan/modes.h"
#include "core/results/filename.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace wb::resources {
/// Made from resources/simulation by srtwb_embed.
std::string_view simulation(std::string_view name);
} // namespace wb::resources

namespace wb::analysis {

using base::json::Array;
using base::json::Value;

namespace {

constexpr std::string_view builtInName = "parameters.json";

double stepOf(const ServiceTimes& times, double batch)
{
    return times.stepMs + times.stepMsPerRoot * std::sqrt(batch) + times.stepMsPerRequest * batch;
}

/// The state of the system with so many requests in each decode worker.
struct State {
    double requestsPerMs = 0.0;
    double ttft = 0.0;
    double tpot = 0.0;
    double clients = 0.0; ///< Infinite beyond what the prefill workers can do.
};

State stateAt(const ServiceTimes& times, const Layout& layout, double batch)
{
    const double laterTokens = std::max(layout.osl - 1.0, 1e-9);
    const double prompt = layout.isl * times.prefillMsPerToken;
    const double step = std::max(stepOf(times, batch), 1e-9);
    State out;
    const double most = layout.decodeWorkers * batch / (laterTokens * step); // if nothing else held the workers
    out.requestsPerMs = layout.isDisaggregated ? most : most / (1.0 + most * prompt / layout.decodeWorkers);
    const double utilisation = out.requestsPerMs * prompt / layout.prefillWorkers;
    if (utilisation >= 1.0) {
        out.clients = std::numeric_limits<double>::infinity();
        return out;
    }
    out.tpot = layout.isDisaggregated ? step : step / (1.0 - utilisation);
    out.ttft = times.prefillBaseMs + prompt / (1.0 - utilisation);
    out.clients = out.requestsPerMs * out.ttft + layout.decodeWorkers * batch;
    return out;
}

} // namespace

Simulated simulate(const ServiceTimes& times, const Layout& layout, double concurrency)
{
    const double mostBatch =
        std::min(layout.maxBatch.value_or(std::numeric_limits<double>::infinity()), concurrency / layout.decodeWorkers);
    State state = stateAt(times, layout, mostBatch);
    if (state.clients > concurrency) { // else the workers are full, and the others wait
        double low = 0.0;
        double high = mostBatch;
        constexpr int rounds = 100; // halves an interval of doubles to nothing
        for (int i = 0; i < rounds; ++i) {
            const double middle = (low + high) / 2.0;
            (stateAt(times, layout, middle).clients > concurrency ? high : low) = middle;
        }
        state = stateAt(times, layout, low);
    }
    Simulated out;
    const double laterTokens = std::max(layout.osl - 1.0, 0.0);
    out.requestsPerS = state.requestsPerMs * 1000.0;
    out.outputTps = out.requestsPerS * layout.osl;
    out.tpotMs = state.tpot;
    // Little's law over all clients: who has no place in a batch waits for the first token.
    out.ttftMs = std::max(state.ttft, concurrency / state.requestsPerMs - laterTokens * state.tpot);
    out.e2eMs = out.ttftMs + laterTokens * out.tpotMs;
    return out;
}

const Parameters::Row* Parameters::find(std::string_view engine, std::string_view hardware) const
{
    const Row* best = nullptr;
    int bestFit = -1;
    for (const Row& row : rows) {
        const bool isFor = !row.fit && (row.engine.empty() || row.engine == engine) && (row.hardware.empty() || row.hardware == hardware);
        const int fit = (row.hardware.empty() ? 0 : 2) + (row.engine.empty() ? 0 : 1);
        if (isFor && fit > bestFit) {
            best = &row;
            bestFit = fit;
        }
    }
    return best;
}

namespace {

double gpusOf(const recipe::Job& job, plan::Mode mode)
{
    return static_cast<double>(plan::workers(job.resources, mode)) * static_cast<double>(plan::gpusPerWorker(job.resources, mode));
}

plan::Mode decodeModeOf(const recipe::Job& job)
{
    return job.resources.isDisaggregated() ? plan::Mode::Decode : plan::Mode::Agg;
}

/// What a model is called whether it is named by its repository, a folder or a folder of a cache: "deepseek-r1" of
/// "hf:deepseek-ai/DeepSeek-R1", "/models/DeepSeek-R1/" and "models--deepseek-ai--DeepSeek-R1/snapshots/<hash>". Lower case.
std::string calledModel(std::string_view text)
{
    constexpr std::string_view fetched = "hf:";
    constexpr std::string_view cached = "models--";
    if (text.starts_with(fetched))
        text.remove_prefix(fetched.size());
    if (const std::size_t at = text.find(cached); at != std::string_view::npos) {
        text.remove_prefix(at + cached.size());
        text = text.substr(0, text.find('/'));
        if (const std::size_t owner = text.find("--"); owner != std::string_view::npos)
            text.remove_prefix(owner + 2);
    }
    return base::lowered(results::lastPart(text));
}

/// A run tells the repository that its recipe declares, or the path in force.
bool isModelOf(const recipe::Job& job, std::string_view model)
{
    const std::string called = calledModel(model);
    const syntax::ValuePtr declared = job.config ? syntax::at(job.config, "identity.model.repo") : nullptr;
    return called == calledModel(job.modelPath) || (declared && declared->isString() && called == calledModel(declared->text));
}

bool isFitFor(const Fit& fit, const recipe::Job& job)
{
    return fit.isDisaggregated == job.resources.isDisaggregated() && fit.engine == job.backend.type &&
           fit.hardware == base::lowered(job.resources.gpuType) && fit.precision == base::lowered(job.precision) &&
           isModelOf(job, fit.model);
}

bool hasLoadOf(const Fit& fit, const recipe::Job& job)
{
    return job.benchmark.isl && job.benchmark.osl && fit.isl == static_cast<double>(*job.benchmark.isl) &&
           fit.osl == static_cast<double>(*job.benchmark.osl);
}

bool hasGpusOf(const Fit& fit, const recipe::Job& job)
{
    return (!fit.isDisaggregated || fit.prefillGpus == gpusOf(job, plan::Mode::Prefill)) &&
           fit.decodeGpus == gpusOf(job, decodeModeOf(job));
}

} // namespace

const Parameters::Row* Parameters::find(const recipe::Job& job) const
{
    const Row* best = nullptr;
    int bestFit = -1;
    for (const Row& row : rows) {
        if (!row.fit || !isFitFor(*row.fit, job))
            continue;
        const int fit = (hasLoadOf(*row.fit, job) ? 2 : 0) + (hasGpusOf(*row.fit, job) ? 1 : 0);
        if (fit > bestFit) {
            best = &row;
            bestFit = fit;
        }
    }
    return best ? best : find(job.backend.type, base::lowered(job.resources.gpuType));
}

namespace {

struct TimeField {
    std::string_view key;
    double ServiceTimes::*slot;
};
constexpr TimeField timeFields[] = {
    {"prefillBaseMs", &ServiceTimes::prefillBaseMs},
    {"prefillMsPerToken", &ServiceTimes::prefillMsPerToken},
    {"stepMs", &ServiceTimes::stepMs},
    {"stepMsPerRoot", &ServiceTimes::stepMsPerRoot},
    {"stepMsPerRequest", &ServiceTimes::stepMsPerRequest},
};

} // namespace

Result<Parameters> readParameters(std::string_view json, std::string source)
{
    auto document = base::json::read(json);
    if (!document)
        return passedOn(std::move(document.error()), "Reading the parameters " + base::pathInQuotes(source));
    const Value* rows = document->find("rows");
    if (!rows || !rows->isArray() || rows->array().empty())
        return failure(ErrorCode::Malformed, base::pathInQuotes(source) + " has no list \"rows\" of times.", source);
    Parameters out;
    out.source = source;
    for (std::size_t i = 0; i < rows->array().size(); ++i) {
        const Value& row = rows->array()[i];
        const auto wrong = [&](std::string_view key, std::string_view needed) {
            return failure(ErrorCode::Malformed,
                           "Row " + std::to_string(i + 1) + " of " + base::pathInQuotes(source) + " has no " + std::string(needed) +
                               " in \"" + std::string(key) + "\".",
                           source);
        };
        Parameters::Row made;
        for (const auto& [key, slot] : {std::pair("engine", &made.engine), std::pair("hardware", &made.hardware)}) {
            const Value* text = row.find(key);
            if (text && !text->string())
                return wrong(key, "text");
            *slot = text ? base::lowered(*text->string()) : std::string();
        }
        for (const TimeField& field : timeFields) {
            const Value* given = row.find(field.key);
            const auto number = given ? given->number() : std::nullopt;
            if (!number || !std::isfinite(*number) || *number < 0)
                return wrong(field.key, "number that is not negative");
            made.times.*field.slot = *number;
        }
        if (made.times.stepMs <= 0)
            return wrong("stepMs", "number above 0");
        out.rows.push_back(std::move(made));
    }
    return out;
}

const Parameters& builtInParameters()
{
    static const Parameters parameters = *readParameters(resources::simulation(builtInName), "built in");
    return parameters;
}

namespace {

/// The flag by which an engine limits the requests of a batch.
struct BatchRow {
    std::string_view engine;
    std::string_view flag;
};
constexpr BatchRow batchRows[] = {
    {"sglang", "max-running-requests"}, {"vllm", "max-num-seqs"}, {"trtllm", "max-batch-size"}, {"mocker", "max-num-seqs"}};

std::optional<double> maxBatchOf(const recipe::Job& job, plan::Mode mode)
{
    const auto row =
        std::find_if(std::begin(batchRows), std::end(batchRows), [&](const BatchRow& one) { return one.engine == job.backend.type; });
    const syntax::ValuePtr& flags = job.backend.of(mode).flags;
    if (row == std::end(batchRows) || !flags)
        return std::nullopt;
    for (const syntax::Member& member : flags->members) {
        if (base::replacedAll(member.key, "_", "-") == row->flag && member.value->kind == syntax::Kind::Integer &&
            member.value->integer > 0)
            return static_cast<double>(member.value->integer);
    }
    return std::nullopt;
}

/// The job's GPUs in workers of the fit: what was measured on all GPUs as one worker comes out as it was measured.
void countWorkersOf(const Fit& fit, const recipe::Job& job, Layout& layout)
{
    const double decodeWorkers = layout.decodeWorkers;
    layout.decodeWorkers = gpusOf(job, decodeModeOf(job)) / *fit.decodeGpus;
    layout.prefillWorkers = fit.isDisaggregated ? gpusOf(job, plan::Mode::Prefill) / *fit.prefillGpus : layout.decodeWorkers;
    if (layout.maxBatch)
        *layout.maxBatch *= decodeWorkers / layout.decodeWorkers;
}

/// What differs between the runs that the times were fitted on and the job; empty when nothing does.
std::string noteOn(const Fit& fit, const recipe::Job& job)
{
    std::string out;
    if (!hasGpusOf(fit, job)) {
        out += " The runs had " + (fit.isDisaggregated ? base::textOf(*fit.prefillGpus) + " prefill and " : std::string()) +
               base::textOf(*fit.decodeGpus) + (fit.isDisaggregated ? " decode GPUs" : " GPUs") + ", taken in proportion.";
    }
    if (!hasLoadOf(fit, job))
        out += " The runs had ISL " + base::textOf(fit.isl) + " and OSL " + base::textOf(fit.osl) + ".";
    return out;
}

} // namespace

Result<std::vector<results::Point>> simulate(const recipe::Job& job, const Parameters& parameters, const std::string& source)
{
    const recipe::Benchmark& benchmark = job.benchmark;
    const auto refused = [&](std::string_view why) {
        return failure(ErrorCode::Unsupported, base::inQuotes(job.name) + " cannot be simulated: " + std::string(why), source);
    };
    if (!benchmark.isl || !benchmark.osl || *benchmark.isl < 1 || *benchmark.osl < 1)
        return refused("the benchmark does not say its ISL and OSL.");
    if (benchmark.concurrencies.empty())
        return refused("the benchmark does not say its concurrencies.");
    Layout layout;
    layout.isDisaggregated = job.resources.isDisaggregated();
    const plan::Mode prefill = layout.isDisaggregated ? plan::Mode::Prefill : plan::Mode::Agg;
    const plan::Mode decode = layout.isDisaggregated ? plan::Mode::Decode : plan::Mode::Agg;
    layout.prefillWorkers = static_cast<double>(plan::workers(job.resources, prefill));
    layout.decodeWorkers = static_cast<double>(plan::workers(job.resources, decode));
    if (layout.prefillWorkers < 1 || layout.decodeWorkers < 1)
        return refused("it has no workers of a kind that it needs.");
    const std::string hardware = base::lowered(job.resources.gpuType);
    const Parameters::Row* row = parameters.find(job);
    if (!row)
        return refused("no row of " + base::pathInQuotes(parameters.source) + " is for its engine and GPU.");
    layout.isl = static_cast<double>(*benchmark.isl);
    layout.osl = static_cast<double>(*benchmark.osl);
    layout.maxBatch = maxBatchOf(job, decode);
    std::string note = "Simulated with the times of " + (row->fit ? row->series : parameters.source) + "; nothing was measured.";
    if (row->fit) {
        if (gpusOf(job, prefill) < 1 || gpusOf(job, decode) < 1)
            return refused("its workers have no GPUs.");
        countWorkersOf(*row->fit, job, layout);
        note += noteOn(*row->fit, job);
    }

    std::vector<results::Point> out;
    for (const std::int64_t concurrency : benchmark.concurrencies) {
        if (concurrency < 1)
            continue;
        const Simulated found = simulate(row->times, layout, static_cast<double>(concurrency));
        results::Point point;
        point.id = {"simulated:" + job.name + ":" + std::to_string(concurrency)};
        point.run = {"simulated:" + job.name};
        point.format = "simulation";
        point.source = source;
        point.simulated = true;
        point.model = job.modelPath;
        point.engine = job.backend.type;
        point.precision = job.precision;
        point.hardware = hardware;
        point.variant = job.name;
        point.isl = layout.isl;
        point.osl = layout.osl;
        point.concurrency = static_cast<double>(concurrency);
        point.outputTps = found.outputTps;
        point.inputTps = found.requestsPerS * layout.isl;
        point.totalTps = *point.outputTps + *point.inputTps;
        point.requestsPerS = found.requestsPerS;
        // Every request of the model is alike: its median is its mean. It has no tail.
        point.ttftMs.mean = point.ttftMs.p50 = found.ttftMs;
        point.tpotMs.mean = point.tpotMs.p50 = found.tpotMs;
        point.e2eMs.mean = point.e2eMs.p50 = found.e2eMs;
        if (layout.isDisaggregated) {
            point.gpus.prefill = gpusOf(job, prefill);
            point.gpus.decode = gpusOf(job, decode);
            point.gpus.working = *point.gpus.prefill + *point.gpus.decode;
        } else {
            point.gpus.working = gpusOf(job, decode);
        }
        point.gpus.total = point.gpus.working;
        point.gpus.origin = "recipe";
        point.notes.push_back(note);
        out.push_back(std::move(point));
    }
    return out;
}

// --- calibration ---------------------------------------------------------------------------------------------------------------------

namespace {

constexpr std::size_t leastPoints = 4; // three times of a step, and one point to foretell

struct Observation {
    double concurrency, outputTps, tpot, ttft;
};

struct Series {
    std::string name;
    Fit fit;
    std::vector<Observation> observations;
};

Layout layoutOf(const Series& series)
{
    // How many workers made the figures is not told; as one worker of all the GPUs they are as good (countWorkersOf takes them so).
    Layout layout;
    layout.isDisaggregated = series.fit.isDisaggregated;
    layout.isl = series.fit.isl;
    layout.osl = series.fit.osl;
    return layout;
}

/// Solves the normal equations of a subset of the three columns by Cramer-free elimination; nothing when they are singular.
std::optional<std::array<double, 3>> leastSquares(const std::vector<std::array<double, 3>>& rows, const std::vector<double>& wanted,
                                                  unsigned subset)
{
    std::array<std::array<double, 4>, 3> system{};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t r = 0; r < 3; ++r) {
            for (std::size_t c = 0; c < 3; ++c)
                system[r][c] += rows[i][r] * rows[i][c];
            system[r][3] += rows[i][r] * wanted[i];
        }
    }
    for (std::size_t r = 0; r < 3; ++r) {
        if ((subset >> r & 1U) != 0)
            continue;
        for (std::size_t c = 0; c < 4; ++c)
            system[r][c] = c == r ? 1.0 : 0.0; // that time is 0
    }
    for (std::size_t pivot = 0; pivot < 3; ++pivot) {
        std::size_t best = pivot;
        for (std::size_t r = pivot; r < 3; ++r)
            best = std::abs(system[r][pivot]) > std::abs(system[best][pivot]) ? r : best;
        std::swap(system[pivot], system[best]);
        if (std::abs(system[pivot][pivot]) < 1e-12)
            return std::nullopt;
        for (std::size_t r = 0; r < 3; ++r) {
            if (r == pivot)
                continue;
            const double factor = system[r][pivot] / system[pivot][pivot];
            for (std::size_t c = pivot; c < 4; ++c)
                system[r][c] -= factor * system[pivot][c];
        }
    }
    return std::array{system[0][3] / system[0][0], system[1][3] / system[1][1], system[2][3] / system[2][2]};
}

/// Times of a prompt: the one that holds the worker is searched for, the other follows from it.
void fitPrompts(const std::vector<Observation>& all, const Series& series, ServiceTimes& times)
{
    double fastest = 0.0;
    for (const Observation& one : all)
        fastest = std::max(fastest, one.outputTps / series.fit.osl / 1000.0);
    double bestError = std::numeric_limits<double>::infinity();
    constexpr int tries = 400;
    for (int i = 0; i < tries; ++i) {
        const double prompt = 0.98 / fastest * static_cast<double>(i) / tries; // below what the fastest point leaves room for
        double weights = 0.0;
        double rest = 0.0;
        for (const Observation& one : all) {
            const double waiting = prompt / (1.0 - one.outputTps / series.fit.osl / 1000.0 * prompt);
            rest += (one.ttft - waiting) / (one.ttft * one.ttft);
            weights += 1.0 / (one.ttft * one.ttft);
        }
        const double base = std::max(0.0, rest / weights);
        double error = 0.0;
        for (const Observation& one : all) {
            const double waiting = prompt / (1.0 - one.outputTps / series.fit.osl / 1000.0 * prompt);
            error += std::pow((base + waiting - one.ttft) / one.ttft, 2);
        }
        if (error < bestError) {
            bestError = error;
            times.prefillBaseMs = base;
            times.prefillMsPerToken = prompt / series.fit.isl;
        }
    }
}

/// Times of a step: relative least squares, none of them negative (the best of all subsets that are so).
void fitSteps(const std::vector<Observation>& all, const Series& series, ServiceTimes& times)
{
    std::vector<std::array<double, 3>> rows;
    std::vector<double> wanted;
    for (const Observation& one : all) {
        const double requestsPerMs = one.outputTps / series.fit.osl / 1000.0;
        const double utilisation =
            series.fit.isDisaggregated ? 0.0 : std::min(requestsPerMs * series.fit.isl * times.prefillMsPerToken, 0.98);
        const double batch = requestsPerMs * (series.fit.osl - 1.0) * one.tpot; // Little's law
        const double step = one.tpot * (1.0 - utilisation);
        rows.push_back({1.0 / step, std::sqrt(batch) / step, batch / step});
        wanted.push_back(1.0);
    }
    double bestError = std::numeric_limits<double>::infinity();
    for (unsigned subset = 1; subset < 8; ++subset) {
        const auto found = leastSquares(rows, wanted, subset);
        if (!found || std::any_of(found->begin(), found->end(), [](double time) { return !(time >= 0.0); }) || (*found)[0] <= 0.0)
            continue;
        double error = 0.0;
        for (std::size_t i = 0; i < rows.size(); ++i)
            error += std::pow(rows[i][0] * (*found)[0] + rows[i][1] * (*found)[1] + rows[i][2] * (*found)[2] - wanted[i], 2);
        if (error < bestError) {
            bestError = error;
            times.stepMs = (*found)[0];
            times.stepMsPerRoot = (*found)[1];
            times.stepMsPerRequest = (*found)[2];
        }
    }
}

ServiceTimes fitted(const std::vector<Observation>& all, const Series& series)
{
    ServiceTimes times;
    fitPrompts(all, series, times);
    fitSteps(all, series, times);
    return times;
}

double medianOf(std::vector<double> numbers)
{
    std::sort(numbers.begin(), numbers.end());
    const std::size_t half = numbers.size() / 2;
    return numbers.size() % 2 == 1 ? numbers[half] : (numbers[half - 1] + numbers[half]) / 2.0;
}

Calibration calibrated(const Series& series)
{
    Calibration out;
    out.series = series.name;
    out.fit = series.fit;
    out.points = series.observations.size();
    out.times = fitted(series.observations, series);
    std::vector<double> outputErrors;
    std::vector<double> tpotErrors;
    for (const Observation& measured : series.observations) {
        std::vector<Observation> others = series.observations; // a repeat of the point would tell the fit what it is to foretell
        std::erase_if(others, [&](const Observation& one) { return one.concurrency == measured.concurrency; });
        const Simulated foretold = simulate(fitted(others, series), layoutOf(series), measured.concurrency);
        out.heldOut.push_back({measured.concurrency, std::abs(foretold.outputTps - measured.outputTps) / measured.outputTps,
                               std::abs(foretold.tpotMs - measured.tpot) / measured.tpot});
        outputErrors.push_back(out.heldOut.back().outputTpsError);
        tpotErrors.push_back(out.heldOut.back().tpotError);
    }
    out.medianOutputTpsError = medianOf(std::move(outputErrors));
    out.medianTpotError = medianOf(std::move(tpotErrors));
    return out;
}

std::optional<Observation> observationOf(const results::Point& point)
{
    const auto tpot = point.tpotMs.mean ? point.tpotMs.mean : point.tpotMs.p50;
    const auto ttft = point.ttftMs.mean ? point.ttftMs.mean : point.ttftMs.p50;
    const bool isUsable = point.valid && !point.simulated && point.concurrency && point.outputTps && tpot && ttft && point.isl &&
                          point.osl && *point.concurrency >= 1 && *point.outputTps > 0 && *tpot > 0 && *ttft > 0 && *point.isl >= 1 &&
                          *point.osl > 1;
    return isUsable ? std::optional(Observation{*point.concurrency, *point.outputTps, *tpot, *ttft}) : std::nullopt;
}

Fit fitOf(const results::Point& point)
{
    Fit fit;
    fit.model = point.model.value_or("");
    fit.engine = point.engine.value_or("");
    fit.hardware = base::lowered(point.hardware.value_or(""));
    fit.precision = base::lowered(point.precision.value_or(""));
    fit.isDisaggregated = point.gpus.prefill.value_or(0) > 0 && point.gpus.decode.value_or(0) > 0;
    if (fit.isDisaggregated)
        fit.prefillGpus = point.gpus.prefill;
    fit.decodeGpus = fit.isDisaggregated ? point.gpus.decode : point.gpus.working;
    fit.isl = *point.isl;
    fit.osl = *point.osl;
    return fit;
}

std::string shown(const std::optional<double>& number)
{
    return number ? base::textOf(*number) : std::string("unknown");
}

std::string nameOf(const Fit& fit, const results::Point& point)
{
    const auto known = [](const std::string& text, std::string_view what) { return text.empty() ? "unknown " + std::string(what) : text; };
    const std::string_view folder = results::folderOf(point.source);
    const std::string gpus = fit.isDisaggregated ? shown(fit.prefillGpus) + " + " + shown(fit.decodeGpus)
                                                 : shown(point.gpus.working ? point.gpus.working : point.gpus.total);
    return (folder.empty() ? std::string(".") : std::string(folder)) + ": " + known(fit.model, "model") + ", " +
           known(fit.engine, "engine") + ", " + known(fit.hardware, "hardware") + ", " + known(fit.precision, "precision") + ", ISL " +
           shown(fit.isl) + ", OSL " + shown(fit.osl) + ", " + gpus + " GPUs";
}

} // namespace

std::vector<Calibration> calibrate(std::span<const results::Point> points, std::vector<std::string>& skipped)
{
    std::map<std::string, Series> all; // the name holds all of the fit
    for (const results::Point& point : points) {
        const auto observation = observationOf(point);
        if (!observation)
            continue;
        Fit fit = fitOf(point);
        const std::string name = nameOf(fit, point);
        Series& series = all[name];
        series.name = name;
        series.fit = std::move(fit);
        series.observations.push_back(*observation);
    }
    std::vector<Calibration> out;
    for (auto& [name, series] : all) {
        std::stable_sort(series.observations.begin(), series.observations.end(),
                         [](const Observation& a, const Observation& b) { return a.concurrency < b.concurrency; });
        std::vector<double> different;
        for (const Observation& one : series.observations)
            different.push_back(one.concurrency);
        different.erase(std::unique(different.begin(), different.end()), different.end());
        if (different.size() < leastPoints)
            skipped.push_back(name + ": " + std::to_string(different.size()) + " concurrencies are too few, " +
                              std::to_string(leastPoints) + " are needed.");
        else
            out.push_back(calibrated(series));
    }
    return out;
}

Parameters parametersOf(std::span<const Calibration> calibrations, std::vector<std::string>& leftOut)
{
    Parameters out;
    out.source = "the runs given";
    for (const Calibration& one : calibrations) {
        const Fit& fit = one.fit;
        std::vector<std::string> unknown;
        for (const auto& [text, what] : {std::pair(&fit.model, "model"), std::pair(&fit.engine, "engine"),
                                         std::pair(&fit.hardware, "hardware"), std::pair(&fit.precision, "precision")}) {
            if (text->empty())
                unknown.emplace_back(what);
        }
        if (!fit.decodeGpus || *fit.decodeGpus <= 0)
            unknown.emplace_back("working GPUs");
        if (unknown.empty())
            out.rows.push_back({fit.engine, fit.hardware, one.times, one.series, fit});
        else
            leftOut.push_back(one.series + ": these times are taken for no recipe, as the runs do not tell " + base::joined(unknown, ", ") +
                              "; they do where the lockfile of the run lies beside them.");
    }
    return out;
}

Value toJson(std::span<const Calibration> calibrations)
{
    const auto orNull = [](const std::string& text) { return text.empty() ? Value() : Value(text); };
    const auto numberOrNull = [](const std::optional<double>& number) { return number ? Value(*number) : Value(); };
    Array all;
    for (const Calibration& one : calibrations) {
        Array heldOut;
        for (const Calibration::HeldOut& left : one.heldOut) {
            Value row;
            row.set("concurrency", left.concurrency);
            row.set("outputTpsError", left.outputTpsError);
            row.set("tpotError", left.tpotError);
            heldOut.push_back(std::move(row));
        }
        Value times;
        for (const TimeField& field : timeFields)
            times.set(std::string(field.key), one.times.*field.slot);
        Value row;
        row.set("series", one.series);
        row.set("model", orNull(one.fit.model));
        row.set("engine", orNull(one.fit.engine));
        row.set("hardware", orNull(one.fit.hardware));
        row.set("precision", orNull(one.fit.precision));
        row.set("isl", one.fit.isl);
        row.set("osl", one.fit.osl);
        row.set("prefillGpus", numberOrNull(one.fit.prefillGpus));
        row.set("decodeGpus", one.fit.isDisaggregated ? numberOrNull(one.fit.decodeGpus) : Value());
        row.set("aggregatedGpus", one.fit.isDisaggregated ? Value() : numberOrNull(one.fit.decodeGpus));
        row.set("points", one.points);
        row.set("times", std::move(times));
        row.set("heldOut", std::move(heldOut));
        row.set("medianOutputTpsError", one.medianOutputTpsError);
        row.set("medianTpotError", one.medianTpotError);
        all.push_back(std::move(row));
    }
    Value out;
    out.set("series", std::move(all));
    return out;
}

} // namespace wb::analysis
