#include "core/recipe/rules.h"

#include "core/base/text.h"
#include "core/recipe/benchmarkrules.h"
#include "core/recipe/dynamorules.h"
#include "core/recipe/enginerules.h"
#include "core/recipe/flagrules.h"
#include "core/recipe/frontendrules.h"
#include "core/recipe/namerules.h"
#include "core/recipe/profilingrules.h"
#include "core/recipe/renames.h"
#include "core/recipe/rulesv2.h"
#include "core/recipe/telemetryrules.h"
#include "core/recipe/textrules.h"
#include "core/recipe/topologyrules.h"

#include <algorithm>
#include <array>

namespace wb::recipe {

using syntax::Code;
using syntax::Diagnostic;
using syntax::Severity;
using syntax::ValuePtr;

RuleFindings::Place RuleFindings::placeOf(std::string_view path) const
{
    Place out;
    for (std::string_view here = path; out.range.isEmpty();) {
        const ValuePtr value = at(here);
        const std::size_t dot = here.rfind('.');
        const ValuePtr parent = dot == std::string_view::npos ? root() : at(here.substr(0, dot));
        const syntax::Member* member = parent ? parent->member(dot == std::string_view::npos ? here : here.substr(dot + 1)) : nullptr;
        // A whole block is not underlined: its key stands for it.
        if (value && value->isScalar() && !value->range.isEmpty())
            out.range = value->range;
        else if (member)
            out.range = member->keyRange;
        if (value)
            out.source = value->source;
        if (dot == std::string_view::npos)
            break;
        here = here.substr(0, dot);
    }
    return out;
}

Diagnostic& RuleFindings::add(std::string path, Place place, Severity severity, std::string message)
{
    Diagnostic problem;
    problem.code = Code::Rule;
    problem.rule = rule;
    problem.severity = severity;
    problem.path = std::move(path);
    problem.message = std::move(message);
    problem.range = place.range;
    problem.source = place.source;
    m_out.push_back(std::move(problem));
    return m_out.back();
}

Diagnostic& RuleFindings::report(std::string_view path, Severity severity, std::string message)
{
    return add(std::string(path), placeOf(path), severity, std::move(message));
}

Diagnostic& RuleFindings::reportKey(std::string_view path, const syntax::Member& member, Severity severity, std::string message)
{
    const Place place = member.keyRange.isEmpty() ? placeOf(path) : Place{member.keyRange, member.value->source};
    return add(std::string(path) + "." + member.key, place, severity, std::move(message));
}

Diagnostic& RuleFindings::reportValue(std::string_view path, const syntax::Member& member, Severity severity, std::string message)
{
    const syntax::Value& value = *member.value;
    if (!value.isScalar() || value.range.isEmpty())
        return reportKey(path, member, severity, std::move(message));
    return add(std::string(path) + "." + member.key, {value.range, value.source}, severity, std::move(message));
}

Diagnostic& RuleFindings::reportItem(std::string_view path, std::size_t index, Severity severity, std::string message)
{
    const ValuePtr list = at(path);
    const ValuePtr item = list && index < list->items.size() ? list->items[index] : nullptr;
    const Place place = item && !item->range.isEmpty() ? Place{item->range, item->source} : placeOf(path);
    return add(std::string(path) + "[" + std::to_string(index) + "]", place, severity, std::move(message));
}

const FlagUses& RuleFindings::flagUses()
{
    if (!m_flagUses)
        m_flagUses = std::make_shared<const FlagUses>(flagUsesOf(m_job));
    return *m_flagUses;
}

void RuleFindings::note(Diagnostic& problem, std::string_view path, std::string message) const
{
    const Place place = placeOf(path);
    if (!place.range.isEmpty())
        problem.notes.push_back({std::move(message), place.range, place.source});
}

std::span<const Rule> rules()
{
    static constexpr std::array shared = {
        Rule{"job-name", Packs::Both, "The name of a job is not empty and can stand in an #SBATCH line, a folder name and a shell.",
             checkName, Reach::Own},
        Rule{"directive-names", Packs::Both,
             "Options of sbatch and srun are named without dashes in front and without blanks, as srtctl writes \"--name=value\".",
             checkDirectiveNames, Reach::Own},
        Rule{"directive-values", Packs::Both,
             "What becomes an option of sbatch or srun has no line break, and a directive no blank, that would end it.",
             checkDirectiveValues, Reach::Own},
        Rule{"directive-own", Packs::Both,
             "An sbatch directive does not replace what srtctl counts on: the nodes and tasks of the job, its name and its log.",
             checkOwnDirectives, Reach::Own},
        Rule{"environment-names", Packs::Both, "Variables have names that a shell can export; one that it cannot ends the job.",
             checkEnvironmentNames, Reach::Own},
        Rule{"environment-templates", Packs::First,
             "Values of worker environments survive being read as a template with {node} and {node_id}.", checkEnvironmentTemplates,
             Reach::Own},
        Rule{"mount-templates", Packs::Both, "Mounts use only the names that the job fills in.", checkMountTemplates, Reach::Own},
        Rule{"mount-paths", Packs::Both, "Paths of mounts hold no colon or comma, at which srun divides them.", checkMountPaths,
             Reach::Own},
        Rule{"extra-mount", Packs::Both, "Each extra mount has a host and a container path, divided by a colon.", checkExtraMounts,
             Reach::Own},
        Rule{"command-templates", Packs::Both, "A benchmark command holds no name in braces that looks as if srtctl filled it in.",
             checkCommandTemplates, Reach::Own},
        Rule{"model-name", Packs::Both, "The model is named by a text that means the same here, on the login node and in the job.",
             checkModelName},
        Rule{"image-names", Packs::Both, "Images are named by texts that mean the same here, on the login node and in the job.",
             checkImageNames},
        Rule{"model-cache", Packs::First, "HF_HOME stands where srtctl looks for it when it downloads a model before the workers start.",
             checkModelCache},
        Rule{"stage-dir", Packs::First, "A model is staged only for workers that read the copy.", checkStageFolder},
        Rule{"topology", Packs::First, "Some node or worker is asked for.", checkTopology},
        Rule{"topology-mixed", Packs::First, "Workers are either aggregated or split into prefill and decode.", checkMixedTopology},
        Rule{"topology-nodes", Packs::First, "An aggregated job says how many nodes it takes.", checkAggregatedNodes},
        Rule{"het-jobs-layout", Packs::First, "A heterogeneous job is disaggregated.", checkHetLayout},
        Rule{"het-jobs-nodes", Packs::First, "A heterogeneous job has nodes in both halves.", checkHetNodes},
        Rule{"het-jobs-engine", Packs::First, "A heterogeneous job runs sglang.", checkHetEngine},
        Rule{"het-jobs-dedicated", Packs::First, "A heterogeneous job dedicates no node to the frontend or the client.", checkHetDedicated},
        Rule{"spread-workers", Packs::Both, "Workers are spread only where that has an effect.", checkSpread},
        Rule{"colocation", Packs::Both, "Colocation across nodes is asked for together with colocation.", checkVllmColocation},
        Rule{"dynamo-sources", Packs::First, "Dynamo is installed from one source.", checkDynamoSources},
        Rule{"dynamo-wheel", Packs::First, "The wheel of Dynamo is a version, not a file.", checkDynamoWheel, Reach::Own},
        Rule{"dynamo-patches", Packs::First, "Patches are made to a pinned source build.", checkDynamoPatches},
        Rule{"dynamo-hash", Packs::First, "The hash of Dynamo names a commit.", checkDynamoHash, Reach::Own},
        Rule{"dynamo-version", Packs::First, "The version of Dynamo is the one that is installed, and some version is said.",
             checkDynamoVersion},
        Rule{"dynamo-installed", Packs::First, "A source of Dynamo is named only where it is installed.", checkDynamoInstalled},
        Rule{"frontend-pair", Packs::First, "The frontend serves the engine of the workers.", checkFrontendEngine},
        Rule{"frontend-multiple", Packs::First, "A frontend that is one process is not multiplied.", checkSingleFrontend},
        Rule{"frontend-layout", Packs::First, "The frontend vllm serves an aggregated job.", checkVllmFrontendLayout},
        Rule{"frontend-workers", Packs::First, "A frontend that is the worker itself has exactly one.", checkServedWorkers},
        Rule{"mocker-frontend", Packs::First, "Mocker workers have the frontend dynamo.", checkMockerFrontend},
        Rule{"orchestrator-dedicated", Packs::First, "A node dedicated to the frontend is used.", checkPlacedOrchestrator},
        Rule{"frontend-dedicated", Packs::First, "A node dedicated to the frontend takes more than nginx.", checkDedicatedFrontend},
        Rule{"client-dedicated", Packs::First, "A node dedicated to the client is used.", checkPlacedClient},
        Rule{"placement-decode", Packs::Both, "What is placed on a decode node finds one.", checkPlacementDecode},
        Rule{"placement-several", Packs::Both, "The frontend is placed on a decode node only when it is a single one.", checkSeveralPlaced},
        Rule{"client-address", Packs::First, "The client of a built-in benchmark runs where the frontend is, as it calls localhost.",
             checkRemoteClient},
        Rule{"concurrencies", Packs::Both, "The concurrencies of a benchmark are numbers above 0.", checkConcurrencies, Reach::Own},
        Rule{"concurrencies-repeated", Packs::Both, "No concurrency is measured twice, as the second result overwrites the first.",
             checkRepeatedConcurrencies, Reach::Own},
        Rule{"trace-concurrencies", Packs::Both, "trace-replay gets its concurrencies as a list, as it does not divide a text at its x.",
             checkTraceConcurrencies},
        Rule{"sa-bench-keys", Packs::Both, "What sa-bench needs is there before the job has waited for its workers.", checkSaBench},
        Rule{"benchmark-needs", Packs::Both, "What a benchmark needs is there before the job has waited for its workers.",
             checkBenchmarkNeeds},
        Rule{"request-rate", Packs::Both, "The request rate is a number above 0, or \"inf\".", checkRequestRate, Reach::Own},
        Rule{"gsm8k-numbers", Packs::Both, "The numbers of gsm8k are above 0.", checkGsm8kNumbers, Reach::Own},
        Rule{"gsm8k-repeat", Packs::First, "gsm8k is told to repeat only with the engine that does.", checkGsm8kRepeat},
        Rule{"router-frontend", Packs::First, "The router benchmark measures the frontend sglang.", checkRouterFrontend},
        Rule{"slow-down", Packs::Both, "The slow-down of sa-bench has both of its times and the frontend that can do it.", checkSlowDown},
        Rule{"benchmark-sweep", Packs::First, "A sweep within the benchmark gives lists, though nothing reads it.", checkBenchmarkSweep},
        Rule{"profiling-torch", Packs::First, "TensorRT-LLM is not profiled with torch.", checkTorchProfiling},
        Rule{"profiling-time", Packs::First, "nsys-time has a delay and a duration.", checkTimedProfiling},
        Rule{"profiling-phases", Packs::First, "Profiling has a phase for each kind of workers of the job, and for no other.",
             checkProfilingPhases},
        Rule{"profiling-workers", Packs::First, "Profiling has workers to profile.", checkProfilingWorkers},
        Rule{"profiling-flag", Packs::First, "The profiler flag of vLLM is left to srtctl.", checkProfilerFlag},
        Rule{"profiling-empty", Packs::Both, "A phase says at which steps it starts and stops.", checkEmptyPhases, Reach::Own},
        Rule{"profiling-steps", Packs::Both, "A capture stops after it has started.", checkProfilingSteps, Reach::Own},
        Rule{"profiling-trigger", Packs::First, "The benchmark can start the capture through the frontend.", checkProfilingTrigger},
        Rule{"tachometer-observability", Packs::First, "Tachometer runs with observability on.", checkTachometerObservability},
        Rule{"tachometer-exporter", Packs::First, "Tachometer shares the DCGM exporter of telemetry.", checkTachometerExporter},
        Rule{"tachometer-folder", Packs::First, "Tachometer writes into a folder of its own below the logs.", checkTachometerFolder},
        Rule{"tachometer-binary", Packs::Both, "Tachometer has a program to run.", checkTachometerBinary},
        Rule{"exporter-image", Packs::First, "An exporter has an image.", checkExporterImages},
        Rule{"telemetry-exporter", Packs::First, "Telemetry has a DCGM exporter.", checkTelemetryExporter},
        Rule{"telemetry-period", Packs::First, "Telemetry samples at least every 3 seconds.", checkTelemetryPeriod},
        Rule{"telemetry-join", Packs::First, "The collector of telemetry gets longer to end than two of its cycles take.",
             checkTelemetryJoin},
        Rule{"telemetry-folder", Packs::First, "Telemetry writes into a folder below the logs.", checkTelemetryFolder},
        Rule{"telemetry-benchmark", Packs::First, "Telemetry measures sa-bench.", checkTelemetryBenchmark},
        Rule{"telemetry-clock", Packs::First, "With telemetry the client runs on the batch host, whose clock counts.", checkTelemetryClock},
        Rule{"telemetry-concurrencies", Packs::First, "With telemetry each concurrency stands once.", checkTelemetryConcurrencies},
        Rule{"otel", Packs::Both, "Tracing is switched on together with its endpoint.", checkOtel},
        Rule{"scrape-interval", Packs::First, "Metrics are not asked for faster than srtctl scrapes them.", checkScrapeInterval},
        Rule{"observability-quoted", Packs::First, "The switch of observability is a boolean, as a text counts both ways.",
             checkQuotedObservability},
        Rule{"observability-events", Packs::Both, "With observability on, TensorRT-LLM workers publish their metrics.",
             checkPublishedEvents},
        Rule{"vllm-headless", Packs::First, "Which ranks of vLLM are headless is left to srtctl.", checkVllmHeadless},
        Rule{"vllm-hybrid", Packs::First, "Load balancing among vLLM ranks is left to srtctl.", checkVllmHybrid},
        Rule{"vllm-per-gpu", Packs::First, "vLLM ranks are launched per node.", checkVllmPerGpu},
        Rule{"vllm-sizes", Packs::Both, "The parallel sizes of vLLM ranks are numbers, as srtctl counts with them.", checkVllmSizes},
        Rule{"vllm-connector", Packs::Both, "The KV transfer of vLLM is set once.", checkVllmConnector},
        Rule{"mooncake-transfer", Packs::First, "A Mooncake store is used by the workers' transfer.", checkMooncakeTransfer},
        Rule{"mooncake-arguments", Packs::First, "The ports of the Mooncake master stay where the workers look.", checkMooncakeArguments},
        Rule{"kv-event-modes", Packs::First, "KV events are asked for by the names of modes.", checkKvEventModes},
        Rule{"engine-flags", Packs::Both, "The engine has each flag that it is given.", checkFlagNames, Reach::Flags},
        Rule{"flag-values", Packs::Both, "The value of an engine flag is one that the flag takes, and reaches the engine as it is meant.",
             checkFlagValues, Reach::Flags},
        Rule{"flag-standing", Packs::Both, "No engine flag is gone, about to go, or newer than the image.", checkFlagStanding,
             Reach::Flags},
        Rule{"flag-owners", Packs::Both, "Flags that srtctl sets for each process are not fixed by the recipe.", checkFlagOwners},
        Rule{"flag-spelling", Packs::Both, "An engine flag is given once, in full, in the spelling that reaches the engine.",
             checkFlagSpellings, Reach::Flags},
        Rule{"flag-sizes", Packs::Both, "Batch sizes, token counts and switches of one engine go together.", checkFlagSizes, Reach::Flags},
    };
    static const std::vector<Rule> all = [] {
        std::vector<Rule> rows(shared.begin(), shared.end());
        const auto second = rulesOfSecond();
        rows.insert(rows.end(), second.begin(), second.end());
        return rows;
    }();
    return all;
}

std::vector<Diagnostic> checkRules(const Job& job, const RuleFacts& facts)
{
    std::vector<Diagnostic> out;
    RuleFindings findings(job, facts, out);
    for (const Rule& rule : rules()) {
        if (rule.packs == (job.schema == 1 ? Packs::Second : Packs::First))
            continue;
        findings.rule = rule.id;
        findings.isOfSecond = rule.packs == Packs::Second;
        const std::size_t before = out.size();
        rule.check(findings);
        // What a default demands stands nowhere: the key that it clashes with is the place then.
        for (std::size_t i = before; i < out.size(); ++i) {
            if (!out[i].range.isEmpty() || out[i].notes.empty() || !findings.isOfSecond)
                continue;
            out[i].range = out[i].notes.front().range;
            out[i].source = out[i].notes.front().source;
            out[i].notes.erase(out[i].notes.begin());
        }
        if (job.schema == 2 && !findings.isOfSecond)
            std::for_each(out.begin() + static_cast<std::ptrdiff_t>(before), out.end(), turnToSecond);
    }
    return out;
}

namespace {

std::string_view blockOf(std::string_view path)
{
    return path.substr(0, path.find_first_of(".["));
}

/// One is the other, or lies within it.
bool isWithin(std::string_view inner, std::string_view outer)
{
    return inner.starts_with(outer) && (inner.size() == outer.size() || inner[outer.size()] == '.' || inner[outer.size()] == '[');
}

/// Where something is wrong; for a misspelt key also the key that was meant, which is missing.
std::vector<std::string> wrongPaths(const std::vector<Diagnostic>& errors)
{
    std::vector<std::string> out;
    for (const Diagnostic& problem : errors) {
        if (problem.severity != Severity::Error)
            continue;
        out.push_back(problem.path);
        if (problem.code == Code::UnknownKey && !problem.fixes.empty()) {
            const std::size_t dot = problem.path.rfind('.');
            out.push_back(problem.path.substr(0, dot == std::string::npos ? 0 : dot + 1) + problem.fixes.front().edits.front().text);
        }
    }
    return out;
}

/// A path that is empty may be anything.
bool isAnyIn(const std::vector<std::string>& paths, std::span<const std::string_view> blocks)
{
    return std::any_of(paths.begin(), paths.end(), [&](const std::string& path) {
        return path.empty() || std::find(blocks.begin(), blocks.end(), blockOf(path)) != blocks.end();
    });
}

bool isEngineKnown(const std::vector<std::string>& wrong)
{
    return std::none_of(wrong.begin(), wrong.end(), [](const std::string& path) {
        return path.empty() || path == "backend" || path == "engine" || path.ends_with(".type") || path.ends_with(".engine");
    });
}

constexpr std::string_view layoutBlocks[] = {"resources", "backend", "frontend", "infra", "engine", "roles", "placement", "services"};
constexpr std::string_view otherBlocks[] = {"model", "dynamo", "benchmark", "slurm"};

} // namespace

bool isLayoutSound(const std::vector<Diagnostic>& errors)
{
    return !isAnyIn(wrongPaths(errors), layoutBlocks);
}

std::vector<Diagnostic> checkRulesBeside(const std::vector<Diagnostic>& errors, const Job& job, const RuleFacts& facts)
{
    const std::vector<std::string> wrong = wrongPaths(errors);
    const bool isJobKnown = !isAnyIn(wrong, layoutBlocks) && !isAnyIn(wrong, otherBlocks);
    const bool hasEngine = isEngineKnown(wrong);
    std::vector<Diagnostic> out = checkRules(job, facts);
    std::erase_if(out, [&](const Diagnostic& problem) {
        const auto row = std::find_if(rules().begin(), rules().end(), [&](const Rule& rule) { return rule.id == problem.rule; });
        const Reach reach = row == rules().end() ? Reach::Job : row->reach;
        const bool isTouched = std::any_of(wrong.begin(), wrong.end(), [&](const std::string& path) {
            return isWithin(problem.path, path) || isWithin(path, problem.path) ||
                   (reach == Reach::Job && blockOf(path) == blockOf(problem.path));
        });
        return isTouched || (reach == Reach::Job && !isJobKnown) || (reach == Reach::Flags && !hasEngine);
    });
    return out;
}

} // namespace wb::recipe
