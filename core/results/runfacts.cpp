#include "core/results/runfacts.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/base/untold.h"
#include "core/results/fieldreader.h"
#include "core/results/filename.h"
#include "core/results/lifecycle.h"
#include "core/syntax/yaml.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <span>

namespace wb::results {

using base::json::Value;
namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t largestFactsFile = std::uintmax_t{8} << 20;

constexpr auto rollupNames = std::to_array<std::string_view>({"benchmark-rollup.csv", "benchmark-rollup.json"});

std::string below(const std::string& folder, std::string_view name)
{
    return folder.empty() ? std::string(name) : folder + '/' + std::string(name);
}

/// The folder above, "." for one without a slash; empty when there is none to look at.
std::string parentOf(const std::string& folder)
{
    if (folder.empty() || folder == "." || folder == "/")
        return {};
    if (folder.find('/') == std::string::npos)
        return ".";
    return std::string(folderOf(folder));
}

bool isFile(const std::string& path)
{
    std::error_code error;
    return fs::is_regular_file(path, error);
}

/// `<jobid>.json` by its name only.
bool isJobIdName(std::string_view name)
{
    if (!name.ends_with(".json"))
        return false;
    name.remove_suffix(5);
    return !name.empty() && std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
}

/// The metadata file of a folder; nothing when there is none, or several, of which none can be preferred.
std::optional<std::string> metadataFileIn(const std::string& folder)
{
    std::error_code error;
    std::optional<std::string> found;
    for (fs::directory_iterator it(folder.empty() ? "." : folder, error), end; !error && it != end; it.increment(error)) {
        if (!isJobIdName(it->path().filename().string()))
            continue;
        if (found)
            return std::nullopt;
        found = below(folder, it->path().filename().string());
    }
    return found;
}

std::optional<Value> readJson(const std::string& path)
{
    const auto text = base::readFile(path, largestFactsFile);
    if (!text)
        return std::nullopt;
    auto value = base::json::read(*text);
    return value ? std::optional(std::move(*value)) : std::nullopt;
}

std::optional<Value> readYaml(const std::string& path)
{
    auto text = base::readFile(path, largestFactsFile);
    if (!text)
        return std::nullopt;
    const syntax::Parsed parsed = syntax::parse(std::make_shared<const syntax::SourceText>(std::move(*text), path));
    // Of a broken text the reader gives what was probably meant: no number of a run may come from a guess.
    return parsed.complete && parsed.root ? std::optional(syntax::toJson(*parsed.root)) : std::nullopt;
}

/// Sets what is not set yet, with its origin.
class Collector
{
public:
    Collector(RunFacts& facts, std::string file)
        : m_facts(facts)
        , m_file(std::move(file))
    {
    }

    void text(std::optional<std::string>& slot, std::string_view field, const Value* value, std::string_view key)
    {
        const std::string* found = value ? value->string() : nullptr;
        const auto whole = value ? value->integer() : std::nullopt; // job ids are sometimes written as numbers
        if (slot || (!whole && (!found || base::tellsNothing(*found))))
            return;
        slot = found ? *found : std::to_string(*whole);
        m_facts.origins[std::string(field)] = {m_file, std::string(key), *slot};
    }

    void number(std::optional<double>& slot, std::string_view field, std::optional<double> value, std::string_view key)
    {
        if (!value || !std::isfinite(*value) || *value <= 0)
            return;
        if (slot) {
            noteConflict(field, *slot, *value);
            return;
        }
        slot = value;
        m_facts.origins[std::string(field)] = {m_file, std::string(key), base::textOf(*value)};
    }

    void note(std::string text) { m_facts.notes.push_back(std::move(text)); }

private:
    /// Two sources of one run that count its GPUs differently: both are told, the first one counts.
    void noteConflict(std::string_view field, double first, double other)
    {
        const auto origin = m_facts.origins.find(std::string(field));
        if (first == other || origin == m_facts.origins.end() || !field.starts_with("gpus."))
            return;
        note(std::string(findNumberField(field)->title) + ": " + std::string(lastPart(origin->second.file)) + " says " +
             base::textOf(first) + ", " + std::string(lastPart(m_file)) + " says " + base::textOf(other) + '.');
    }

    RunFacts& m_facts;
    std::string m_file;
};

std::optional<double> numberAt(const Value& object, std::string_view key)
{
    const Value* value = object.find(key);
    return value ? value->number() : std::nullopt;
}

std::optional<double> product(std::optional<double> a, std::optional<double> b)
{
    return a && b ? std::optional(*a * *b) : std::nullopt;
}

std::optional<double> sum(std::optional<double> a, std::optional<double> b)
{
    return a && b ? std::optional(*a + *b) : a ? a : b;
}

/// GPUs of the workers of one mode or role.
struct ModeGpus {
    std::optional<double> gpus; ///< Nothing: none are told, or `isUnknown`.
    bool isUnknown = false;     ///< It has workers or nodes, and no figure tells their GPUs.
};

/// GPUs of each worker, by the rule of plan::gpusPerWorker: as written, else the mode's nodes shared out, else for decode workers that are
/// said to have no nodes of their own those of a prefill worker, else a whole node.
std::optional<double> gpusOfWorker(const Value& resources, const std::string& mode)
{
    if (const auto written = numberAt(resources, "gpus_per_" + mode))
        return written;
    const auto nodes = numberAt(resources, mode + "_nodes");
    const auto workers = numberAt(resources, mode + "_workers");
    const auto perNode = numberAt(resources, "gpus_per_node");
    if (nodes && *nodes > 0 && workers && *workers > 0)
        return perNode ? std::optional(std::floor(*nodes * *perNode / *workers)) : std::nullopt;
    if (mode == "decode" && nodes == 0.0)
        return gpusOfWorker(resources, "prefill");
    return perNode;
}

/// Workers times GPUs of each; nodes times GPUs of a node where a recipe leaves its workers to their default.
ModeGpus gpusOfMode(const Value& resources, const std::string& mode)
{
    const auto workers = numberAt(resources, mode + "_workers");
    const auto nodes = numberAt(resources, mode + "_nodes");
    if (workers ? *workers <= 0 : !nodes || *nodes <= 0)
        return {};
    const auto gpus = workers ? product(workers, gpusOfWorker(resources, mode)) : product(nodes, numberAt(resources, "gpus_per_node"));
    return {gpus, !gpus};
}

/// Of all modes; nothing when one of them is unknown.
std::optional<double> workingOf(std::span<const ModeGpus> modes)
{
    std::optional<double> all;
    for (const ModeGpus& mode : modes) {
        if (mode.isUnknown)
            return std::nullopt;
        all = sum(all, mode.gpus);
    }
    return all;
}

/// Where the counts come from, for people.
struct CountNames {
    std::string_view prefill, decode, working, allocated;
};
constexpr CountNames namesInResources{"resources: prefill_workers x gpus_per_prefill", "resources: decode_workers x gpus_per_decode",
                                      "resources: workers x GPUs of each", "resources: nodes x gpus_per_node"};
constexpr CountNames namesInRoles{"roles.prefill: workers x gpus", "roles.decode: workers x gpus", "roles: workers x gpus",
                                  "roles: nodes x resources.gpus_per_node"};

void collectCounts(RunFacts& facts, Collector& collector, const Value& resources, const std::string& origin, const CountNames& names)
{
    const std::array modes = {gpusOfMode(resources, "prefill"), gpusOfMode(resources, "decode"), gpusOfMode(resources, "agg")};
    const auto nodes =
        sum(sum(numberAt(resources, "prefill_nodes"), numberAt(resources, "decode_nodes")), numberAt(resources, "agg_nodes"));
    collector.number(facts.gpus.prefill, "gpus.prefill", modes[0].gpus, names.prefill);
    collector.number(facts.gpus.decode, "gpus.decode", modes[1].gpus, names.decode);
    collector.number(facts.gpus.working, "gpus.working", workingOf(modes), names.working);
    collector.number(facts.gpus.allocated, "gpus.allocated", product(nodes, numberAt(resources, "gpus_per_node")), names.allocated);
    if (facts.gpus.origin.empty() && (facts.gpus.working || facts.gpus.allocated))
        facts.gpus.origin = origin;
}

/// The `resources` of metadata 2.0, of a recipe and of a lockfile have the same keys.
void collectResources(RunFacts& facts, Collector& collector, const Value& resources, const std::string& origin)
{
    collector.text(facts.hardware, "hardware", resources.find("gpu_type"), "resources.gpu_type");
    collectCounts(facts, collector, resources, origin, namesInResources);
}

/// `roles` of the second language: nodes, workers and GPUs of each worker by role, here in the keys of the first.
void collectRoles(RunFacts& facts, Collector& collector, const Value& recipe, const std::string& origin)
{
    const Value* roles = recipe.find("roles");
    if (!roles || !roles->isObject())
        return;
    Value resources;
    const auto copy = [&](const Value* block, std::string_view key, std::string as) {
        if (const auto number = block ? numberAt(*block, key) : std::nullopt)
            resources.set(std::move(as), *number);
    };
    copy(recipe.find("resources"), "gpus_per_node", "gpus_per_node");
    for (const std::string mode : {"prefill", "decode", "agg"}) {
        const Value* role = roles->find(mode);
        copy(role, "nodes", mode + "_nodes");
        copy(role, "workers", mode + "_workers");
        copy(role, "gpus", "gpus_per_" + mode);
        if (const Value* nodes = role ? role->find("nodes") : nullptr; nodes && nodes->string())
            resources.set(mode + "_nodes", 0.0); // decode on the nodes of prefill
    }
    collectCounts(facts, collector, resources, origin, namesInRoles);
}

/// Format 2.0: written at submission.
void collectMetadata(RunFacts& facts, Collector& collector, const Value& metadata)
{
    collector.text(facts.jobId, "jobId", metadata.find("job_id"), "job_id");
    collector.text(facts.jobName, "variant", metadata.find("job_name"), "job_name");
    collector.text(facts.model, "model", metadata.at({"model", "path"}), "model.path");
    collector.text(facts.precision, "precision", metadata.at({"model", "precision"}), "model.precision");
    collector.text(facts.engine, "engine", metadata.find("backend_type"), "backend_type");
    collector.text(facts.recipe, "recipe", metadata.find("recipe"), "recipe");
    if (const Value* benchmark = metadata.find("benchmark")) {
        collector.number(facts.isl, "isl", numberAt(*benchmark, "isl"), "benchmark.isl");
        collector.number(facts.osl, "osl", numberAt(*benchmark, "osl"), "benchmark.osl");
    }
    if (const Value* resources = metadata.find("resources"))
        collectResources(facts, collector, *resources, "srt-slurm metadata");
    if (const Value* simulated = metadata.find("simulated"))
        facts.simulated = facts.simulated || simulated->boolean().value_or(false);
}

/// Format 1: only the nodes are told, so only the allocated GPUs.
void collectOldMetadata(RunFacts& facts, Collector& collector, const Value& run)
{
    collector.text(facts.jobId, "jobId", run.find("slurm_job_id"), "run_metadata.slurm_job_id");
    collector.text(facts.jobName, "variant", run.find("job_name"), "run_metadata.job_name");
    collector.text(facts.model, "model", run.find("model_dir"), "run_metadata.model_dir");
    collector.text(facts.hardware, "hardware", run.find("gpu_type"), "run_metadata.gpu_type");
    const auto nodes = sum(sum(numberAt(run, "prefill_nodes"), numberAt(run, "decode_nodes")), numberAt(run, "agg_nodes"));
    collector.number(facts.gpus.allocated, "gpus.allocated", product(nodes, numberAt(run, "gpus_per_node")),
                     "run_metadata: nodes x gpus_per_node");
    if (facts.gpus.allocated)
        facts.gpus.origin = "srt-slurm metadata";
}

void collectSnapshot(RunFacts& facts, Collector& collector, const Value& snapshot)
{
    const Value* gpus = snapshot.find("gpus");
    if (!gpus)
        return;
    collector.text(facts.hardware, "hardware", gpus->find("type"), "gpus.type");
    collector.number(facts.gpus.allocated, "gpus.allocated", numberAt(*gpus, "configured_total"), "gpus.configured_total");
    collector.number(facts.gpus.working, "gpus.working", numberAt(*gpus, "backend_total"), "gpus.backend_total");
    if (facts.gpus.origin.empty() && (facts.gpus.working || facts.gpus.allocated))
        facts.gpus.origin = "resource snapshot";
}

constexpr auto tpNames = std::to_array<std::string_view>({"tensor-parallel-size", "tensor_parallel_size", "tp-size", "tp_size", "tp"});

/// The tensor parallel size of the workers, when all roles have the same: below `backend.<engine>_config.<role>`, `roles.<role>.args`.
void collectParallelSize(RunFacts& facts, Collector& collector, const Value& recipe)
{
    std::vector<double> sizes;
    const auto look = [&](const Value* arguments) {
        for (const std::string_view name : tpNames)
            if (const auto size = arguments ? numberAt(*arguments, name) : std::nullopt)
                sizes.push_back(*size);
    };
    if (const Value* backend = recipe.find("backend"))
        for (const base::json::Member& config : backend->object())
            if (config.key.ends_with("_config"))
                for (const base::json::Member& role : config.value.object())
                    look(&role.value);
    if (const Value* roles = recipe.find("roles"))
        for (const base::json::Member& role : roles->object())
            look(role.value.find("args"));
    if (!sizes.empty() && std::ranges::count(sizes, sizes.front()) == static_cast<std::ptrdiff_t>(sizes.size()))
        collector.number(facts.tp, "tp", sizes.front(), "tensor-parallel-size of every role");
}

/// A recipe (config.yaml), or a lockfile, which is a recipe with `lock:`.
void collectRecipe(RunFacts& facts, Collector& collector, const Value& recipe, const std::string& origin)
{
    collector.text(facts.jobId, "jobId", recipe.at({"lock", "slurm", "job_id"}), "lock.slurm.job_id");
    collector.text(facts.jobName, "variant", recipe.at({"lock", "slurm", "job_name"}), "lock.slurm.job_name");
    collector.text(facts.jobName, "variant", recipe.find("name"), "name");
    collector.text(facts.model, "model", recipe.at({"identity", "model", "repo"}), "identity.model.repo");
    collector.text(facts.model, "model", recipe.at({"model", "path"}), "model.path");
    collector.text(facts.precision, "precision", recipe.at({"model", "precision"}), "model.precision");
    collector.text(facts.engine, "engine", recipe.at({"backend", "type"}), "backend.type");
    collector.text(facts.engine, "engine", recipe.at({"engine", "type"}), "engine.type");
    collector.text(facts.engine, "engine", recipe.find("engine"), "engine");
    if (const Value* benchmark = recipe.find("benchmark")) {
        collector.number(facts.isl, "isl", numberAt(*benchmark, "isl"), "benchmark.isl");
        collector.number(facts.osl, "osl", numberAt(*benchmark, "osl"), "benchmark.osl");
    }
    if (const Value* resources = recipe.find("resources"))
        collectResources(facts, collector, *resources, origin);
    collectRoles(facts, collector, recipe, origin);
    collectParallelSize(facts, collector, recipe);
}

/// The fingerprints of a lockfile: below `lock`, or at the top of older ones, several or one.
void addFingerprints(const Value& lock, std::vector<std::pair<std::string, Value>>& fingerprints)
{
    for (const Value* block : {lock.at({"lock", "fingerprints"}), lock.find("fingerprints")})
        if (block)
            for (const base::json::Member& worker : block->object())
                fingerprints.emplace_back(worker.key, worker.value);
    if (const Value* only = lock.find("fingerprint"))
        fingerprints.emplace_back("worker", *only);
}

/// fingerprint_<role>_w<N>.json in the run's folder or its logs.
void addFingerprintFiles(const std::string& folder, std::vector<std::pair<std::string, Value>>& fingerprints)
{
    for (const std::string& place : {folder, below(folder, "logs")}) {
        std::error_code error;
        for (fs::directory_iterator it(place.empty() ? "." : place, error), end; !error && it != end; it.increment(error)) {
            const std::string name = it->path().filename().string();
            if (!name.starts_with(runfile::fingerprintPrefix) || !name.ends_with(".json"))
                continue;
            if (auto value = readJson(it->path().string()))
                fingerprints.emplace_back(name, std::move(*value));
        }
    }
}

/// Files of a folder, in the order of their paths.
std::vector<std::string> filesIn(const std::string& folder)
{
    std::vector<std::string> files;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
        files.push_back(it->path().string());
    std::ranges::sort(files);
    return files;
}

/// "gsm8k_run0.json": where a run keeps the scores of accuracy benchmarks.
std::vector<std::string> accuracyFilesOf(const std::string& folder)
{
    std::vector<std::string> files;
    for (const char* name : {"accuracy", "logs/accuracy"})
        for (std::string& file : filesIn(below(folder, name)))
            if (file.ends_with(".json"))
                files.push_back(std::move(file));
    return files;
}

/// Scores of the accuracy benchmarks that ran beside: "gsm8k_run0.json" {accuracy}. Speed may be bought with wrong answers. The scores of
/// one task are repeats, of which the mean counts; those of several tasks have no mean.
void collectAccuracy(RunFacts& facts, Collector& collector, const std::string& folder)
{
    std::map<std::string, std::vector<double>> scores; // by task
    std::vector<std::string> told;
    std::string first;
    for (const std::string& file : accuracyFilesOf(folder)) {
        const auto value = readJson(file);
        const auto score = value && value->isObject() ? numberAt(*value, "accuracy") : std::nullopt;
        if (!score)
            continue;
        const std::string stem = fs::path(file).stem().string();
        told.push_back("Accuracy of " + stem + ": " + base::textOf(*score) + '.');
        const std::size_t repeat = stem.rfind("_run");
        const bool isNumbered = repeat != std::string::npos && base::integerOf(std::string_view(stem).substr(repeat + 4));
        scores[stem.substr(0, isNumbered ? repeat : std::string::npos)].push_back(*score);
        if (first.empty())
            first = file;
    }
    std::ranges::sort(told);
    for (std::string& text : told)
        collector.note(std::move(text));
    if (scores.size() != 1)
        return;
    const auto& [task, values] = *scores.begin();
    double sum = 0.0;
    for (const double value : values)
        sum += value;
    facts.accuracy = sum / static_cast<double>(values.size());
    facts.accuracyTask = task;
    facts.origins["accuracy"] = {first, values.size() == 1 ? "accuracy" : "accuracy, mean over " + std::to_string(values.size()) + " files",
                                 base::textOf(*facts.accuracy)};
}

void collectLifecycle(RunFacts& facts, Collector& collector, const std::string& folder)
{
    const auto lifecycle = lifecycleOfRun(folder);
    if (!lifecycle)
        return;
    facts.timeToReadyS = lifecycle->timeToReady;
    if (facts.timeToReadyS)
        facts.origins["timeToReadyS"] = {lifecycle->file, "workers started until the model was ready", base::textOf(*facts.timeToReadyS)};
    else if (lifecycle->wasNeverReady)
        collector.note("The model was never ready, by " + std::string(lastPart(lifecycle->file)) + '.');
    else
        collector.note("The time to ready is not known, " + std::string(lastPart(lifecycle->file)) +
                       " does not tell both when the workers started and when the model was ready.");
}

/// The file of that name in the run's folder or its logs.
std::optional<std::string> fileOfRun(const std::string& folder, const std::string& prefix, std::string_view name)
{
    for (const std::string& place : {folder, below(folder, "logs")}) {
        std::string path = below(place, prefix + std::string(name));
        if (isFile(path))
            return path;
        if (!prefix.empty())
            break;
    }
    return std::nullopt;
}

std::optional<std::string> metadataOfRun(const std::string& folder)
{
    auto found = metadataFileIn(folder);
    return found ? found : metadataFileIn(below(folder, "logs"));
}

/// The files of a run that tell facts; each empty when it is not there.
struct FactsFiles {
    std::optional<std::string> snapshot, metadata, lock, config;
};

FactsFiles factsFilesOf(const std::string& folder, const std::string& prefix)
{
    return {fileOfRun(folder, prefix, runfile::snapshot), prefix.empty() ? metadataOfRun(folder) : std::nullopt,
            fileOfRun(folder, prefix, runfile::lock), fileOfRun(folder, prefix, runfile::config)};
}

RunFacts collectFacts(const std::string& folder, const std::string& prefix)
{
    RunFacts facts;
    facts.folder = prefix.empty() ? folder : below(folder, prefix);
    const FactsFiles files = factsFilesOf(folder, prefix);
    // The lock is the best witness of identity, the snapshot of the GPUs; metadata and recipe fill what is left.
    if (const auto value = files.snapshot ? readJson(*files.snapshot) : std::nullopt) {
        Collector collector(facts, *files.snapshot);
        collectSnapshot(facts, collector, *value);
    }
    std::vector<std::pair<std::string, Value>> fingerprints;
    std::optional<Value> identity;
    const auto takeIdentity = [&](const Value& recipe) {
        if (const Value* declared = recipe.find("identity"); declared && !identity)
            identity = *declared;
    };
    if (const auto value = files.lock ? readYaml(*files.lock) : std::nullopt) {
        Collector collector(facts, *files.lock);
        collectRecipe(facts, collector, *value, "recipe lockfile");
        takeIdentity(*value);
        addFingerprints(*value, fingerprints);
        if (const Value* restarts = value->at({"lock", "worker_restarts"}); restarts && !restarts->isNull())
            if (!restarts->object().empty() || !restarts->array().empty() || restarts->number().value_or(0) > 0)
                collector.note("Workers were relaunched during the run.");
    }
    if (const auto value = files.metadata ? readJson(*files.metadata) : std::nullopt) {
        Collector collector(facts, *files.metadata);
        if (const Value* run = value->find("run_metadata"))
            collectOldMetadata(facts, collector, *run);
        else if (value->find("job_id"))
            collectMetadata(facts, collector, *value);
    }
    if (files.config) {
        Collector collector(facts, *files.config);
        if (const auto value = readYaml(*files.config)) {
            collectRecipe(facts, collector, *value, "the run's config.yaml");
            takeIdentity(*value);
        }
        const Value recipe(*files.config);
        collector.text(facts.recipe, "recipe", &recipe, "");
    }
    if (prefix.empty()) {
        Collector collector(facts, folder);
        collectAccuracy(facts, collector, folder);
        collectLifecycle(facts, collector, folder);
        addFingerprintFiles(folder, fingerprints);
    }
    if (identity)
        facts.identity = identityFacts(*identity, fingerprints);
    return facts;
}

std::string stampOfFiles(const std::vector<std::optional<std::string>>& files)
{
    std::string stamp;
    for (const auto& file : files) {
        if (!file)
            continue;
        std::error_code error;
        const auto size = fs::file_size(*file, error);
        const auto time = fs::last_write_time(*file, error).time_since_epoch().count();
        stamp += std::string(lastPart(*file)) + ' ' + std::to_string(size) + ' ' + std::to_string(time) + '\n';
    }
    return stamp;
}

std::string stampOf(const std::string& folder, const std::string& prefix)
{
    const FactsFiles files = factsFilesOf(folder, prefix);
    std::vector<std::optional<std::string>> all{files.snapshot, files.metadata, files.lock, files.config};
    if (prefix.empty()) {
        for (const auto& more : {lifecycleFilesOf(folder), accuracyFilesOf(folder)})
            all.insert(all.end(), more.begin(), more.end());
    }
    return stampOfFiles(all);
}
// ---- facts of other tools --------------------------------------------------------------------------------------------------------------

/// experiment_metadata.json of genai-bench.
void collectExperiment(RunFacts& facts, Collector& collector, const Value& experiment)
{
    collector.text(facts.model, "model", experiment.find("model"), "model");
    collector.text(facts.engine, "engine", experiment.find("server_engine"), "server_engine");
    collector.text(facts.hardware, "hardware", experiment.find("server_gpu_type"), "server_gpu_type");
    const Value* count = experiment.find("server_gpu_count");
    const std::string* text = count ? count->string() : nullptr; // a text, in all versions seen
    const auto gpus = text ? base::numberOf(base::trimmed(*text)) : count ? count->number() : std::nullopt;
    collector.number(facts.gpus.working, "gpus.working", gpus, "server_gpu_count");
    if (facts.gpus.working)
        facts.gpus.origin = "experiment metadata";
}

/// The description of an MLPerf system. Counts are numbers or texts; systems of several kinds describe the mix in words.
void collectSystem(RunFacts& facts, Collector& collector, const Value& system)
{
    const auto count = [&](std::string_view key) {
        const Value* value = system.find(key);
        const std::string* text = value ? value->string() : nullptr;
        return text ? base::numberOf(base::trimmed(*text)) : value ? value->number() : std::nullopt;
    };
    collector.text(facts.hardware, "hardware", system.find("accelerator_model_name"), "accelerator_model_name");
    const auto gpus = product(count("accelerators_per_node"), count("number_of_nodes"));
    collector.number(facts.gpus.working, "gpus.working", gpus, "accelerators_per_node x number_of_nodes");
    collector.number(facts.gpus.allocated, "gpus.allocated", gpus, "accelerators_per_node x number_of_nodes");
    if (gpus)
        facts.gpus.origin = "system description";
}

struct BesideKind {
    std::string_view format;
    void (*collect)(RunFacts&, Collector&, const Value&);
};
constexpr auto besideKinds = std::to_array<BesideKind>({{"genai-bench", collectExperiment}, {"mlperf-loadgen", collectSystem}});

constexpr std::string_view experimentName = "experiment_metadata.json";

/// The facts file of another tool for a result, by the places where such tools put it.
std::string besideFileOf(const std::string& path)
{
    const std::string folder(folderOf(path));
    const std::string_view name = lastPart(path);
    if (std::string file = below(folder, experimentName); isFile(file))
        return file;
    if (const std::size_t mark = name.rfind("__"); mark != std::string_view::npos) // files that were collected into one folder
        if (std::string file = below(folder, std::string(name.substr(0, mark + 2)) + std::string(experimentName)); isFile(file))
            return file;
    constexpr std::string_view results = "/results/";
    const std::size_t at = path.rfind(results);
    if (at == std::string::npos)
        return {};
    const std::size_t begin = at + results.size();
    const std::string system = path.substr(begin, path.find('/', begin) - begin);
    std::string file = path.substr(0, at) + "/systems/" + system + ".json";
    return isFile(file) ? file : std::string();
}

/// Results of one folder, and of one prefix in it, have the same facts.
std::string besideKeyOf(const std::string& path)
{
    const std::string_view name = lastPart(path);
    const std::size_t mark = name.rfind("__");
    return below(std::string(folderOf(path)), mark == std::string_view::npos ? std::string_view() : name.substr(0, mark + 2));
}

RunFacts collectBeside(const std::string& file, std::string_view format)
{
    RunFacts facts;
    const auto* kind = std::ranges::find(besideKinds, format, &BesideKind::format);
    const auto value = kind == besideKinds.end() ? std::nullopt : readJson(file);
    if (!value)
        return facts;
    facts.folder = folderOf(file);
    Collector collector(facts, file);
    kind->collect(facts, collector, *value);
    return facts;
}

/// "nightly-15902__benchmark-rollup.csv" has the prefix "nightly-15902__".
std::string prefixOf(std::string_view name)
{
    for (const std::string_view rollup : rollupNames)
        if (name.size() > rollup.size() && name.ends_with(rollup))
            return std::string(name.substr(0, name.size() - rollup.size()));
    return {};
}

void fillText(Point& point, std::optional<std::string>& slot, std::string_view field, const std::optional<std::string>& value,
              const RunFacts& facts)
{
    if (slot || !value)
        return;
    slot = value;
    if (const auto found = facts.origins.find(std::string(field)); found != facts.origins.end())
        point.origins[std::string(field)] = found->second;
}

void fillNumber(Point& point, std::string_view field, const std::optional<double>& value, const RunFacts& facts)
{
    std::optional<double>& slot = findNumberField(field)->slot(point);
    if (slot || !value)
        return;
    slot = value;
    if (const auto found = facts.origins.find(std::string(field)); found != facts.origins.end())
        point.origins[std::string(field)] = found->second;
}

void noteConflict(Point& point, std::string_view what, const std::optional<double>& own, const std::optional<double>& run,
                  const RunFacts& facts)
{
    if (own && run && *own != *run)
        addNote(point, "The " + (point.gpus.origin.empty() ? std::string("file") : point.gpus.origin) + " says " + base::textOf(*own) +
                           ' ' + std::string(what) + " GPUs, the " + facts.gpus.origin + " says " + base::textOf(*run) + '.');
}

void completeGpus(Point& point, const RunFacts& facts)
{
    noteConflict(point, "working", point.gpus.working, facts.gpus.working, facts);
    noteConflict(point, "allocated", point.gpus.allocated, facts.gpus.allocated, facts);
    const bool isEmpty = !point.gpus.total && !point.gpus.working && !point.gpus.allocated;
    fillNumber(point, "gpus.working", facts.gpus.working, facts);
    fillNumber(point, "gpus.allocated", facts.gpus.allocated, facts);
    fillNumber(point, "gpus.prefill", facts.gpus.prefill, facts);
    fillNumber(point, "gpus.decode", facts.gpus.decode, facts);
    fillNumber(point, "gpus.total", facts.gpus.working ? facts.gpus.working : facts.gpus.allocated, facts);
    if (facts.gpus.origin.empty() || point.gpus.origin == facts.gpus.origin)
        return;
    if (isEmpty)
        point.gpus.origin = facts.gpus.origin;
    else
        point.gpus.origin += ", " + facts.gpus.origin;
}

} // namespace

bool RunFinder::holdsRun(const std::string& folder)
{
    const auto [found, isNew] = m_holdsRun.try_emplace(folder, false);
    if (isNew) {
        found->second = isFile(below(folder, runfile::lock)) || isFile(below(folder, runfile::snapshot)) || metadataFileIn(folder) ||
                        std::ranges::any_of(rollupNames, [&](std::string_view name) { return isFile(below(folder, name)); });
    }
    return found->second;
}

std::string RunFinder::runFolderOf(const std::string& folder)
{
    // <run>/logs/sa-bench_x, <run>/logs, <run>/sa-bench_x and <run> itself.
    const std::string parent = parentOf(folder);
    const std::string grandParent = parentOf(parent);
    if (lastPart(folder) == "logs" && !parent.empty() && (holdsRun(folder) || holdsRun(parent)))
        return parent;
    if (holdsRun(folder))
        return folder;
    if (lastPart(parent) == "logs" && !grandParent.empty() && (holdsRun(parent) || holdsRun(grandParent)))
        return grandParent;
    if (!parent.empty() && holdsRun(parent))
        return parent;
    return {};
}

RunFinder::Place RunFinder::placeOf(const std::string& path)
{
    std::string folder(path.find('/') == std::string::npos ? std::string_view(".") : folderOf(path));
    if (std::string prefix = prefixOf(lastPart(path)); !prefix.empty())
        return {std::move(folder), std::move(prefix)};
    const auto [found, isNew] = m_folders.try_emplace(folder);
    if (isNew)
        found->second = runFolderOf(folder);
    return {found->second, {}};
}

const std::string& RunFinder::besideOf(const std::string& path)
{
    const auto [found, isNew] = m_beside.try_emplace(besideKeyOf(path));
    if (isNew)
        found->second = besideFileOf(path);
    return found->second;
}

const RunFacts& RunFinder::factsFor(const std::string& path, std::string_view format)
{
    static const RunFacts none;
    if (std::ranges::find(besideKinds, format, &BesideKind::format) != besideKinds.end()) {
        const std::string& file = besideOf(path);
        const auto found = m_besideFacts.find(file);
        if (file.empty() || found != m_besideFacts.end())
            return file.empty() ? none : found->second;
        return m_besideFacts.emplace(file, collectBeside(file, format)).first->second;
    }
    const auto [folder, prefix] = placeOf(path);
    if (folder.empty())
        return none;
    const std::string key = below(folder, prefix);
    const auto found = m_runs.find(key);
    return found != m_runs.end() ? found->second : m_runs.emplace(key, collectFacts(folder, prefix)).first->second;
}

const std::string& RunFinder::stampFor(const std::string& path)
{
    static const std::string none;
    const auto [folder, prefix] = placeOf(path);
    if (folder.empty()) {
        const std::string& beside = besideOf(path);
        if (beside.empty())
            return none;
        const auto known = m_stamps.find(beside);
        return known != m_stamps.end() ? known->second : m_stamps.emplace(beside, stampOfFiles({beside})).first->second;
    }
    const std::string key = below(folder, prefix);
    const auto found = m_stamps.find(key);
    return found != m_stamps.end() ? found->second : m_stamps.emplace(key, stampOf(folder, prefix)).first->second;
}

void completeFrom(Point& point, const RunFacts& facts)
{
    if (facts.isEmpty())
        return;
    point.folder = facts.folder;
    point.simulated = point.simulated || facts.simulated;
    fillText(point, point.model, "model", facts.model, facts);
    fillText(point, point.engine, "engine", facts.engine, facts);
    fillText(point, point.precision, "precision", facts.precision, facts);
    fillText(point, point.hardware, "hardware", facts.hardware, facts);
    fillText(point, point.recipe, "recipe", facts.recipe, facts);
    fillText(point, point.variant, "variant", facts.jobName, facts);
    fillNumber(point, "isl", facts.isl, facts);
    fillNumber(point, "tp", facts.tp, facts);
    fillNumber(point, "osl", facts.osl, facts);
    fillNumber(point, "timeToReadyS", facts.timeToReadyS, facts);
    fillNumber(point, "accuracy", facts.accuracy, facts);
    if (!point.accuracyTask && point.accuracy == facts.accuracy)
        point.accuracyTask = facts.accuracyTask;
    completeGpus(point, facts);
    for (const std::string& note : facts.notes)
        addNote(point, note);
    if (facts.jobName)
        point.run.text = *facts.jobName + (facts.jobId ? " (" + *facts.jobId + ")" : "");
    else if (facts.jobId)
        point.run.text = "job " + *facts.jobId;
}

} // namespace wb::results
