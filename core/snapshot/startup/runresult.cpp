#include "core/snapshot/startup/runresult.h"

#include "core/base/text.h"
#include "core/snapshot/startup/fields.h"

#include <algorithm>
#include <array>

namespace wb::snapshot::startup {

using base::json::Value;

namespace {

constexpr std::string_view notMeasured = "not measured";

/// Agent phases of a restore, in the order in which they pass. The totals are told apart: they hold the phases.
constexpr std::array<std::string_view, 9> restorePhases = {"pagebroker_stage", "pagebroker_mount", "pagebroker_commit",
                                                           "gpu_device_map",   "overlay_capture",  "criu_prepare",
                                                           "criu_restore",     "cuda_restore",     "unaccounted"};
constexpr std::array<std::string_view, 4> approximatePhases = {"agent_setup_approx", "criu_restore_approx", "cuda_restore_approx",
                                                               "wake_remap_approx"};

bool saysSynthetic(const std::vector<std::string>& warnings)
{
    return std::any_of(warnings.begin(), warnings.end(),
                       [](const std::string& warning) { return base::lowered(warning).find("synthetic") != std::string::npos; });
}

void readPhases(const Value& document, StartupRun& run)
{
    const Value* phases = document.find("agent_log_phases");
    if (!phases || !phases->isObject())
        return;
    const Value* found = phases->find("log_line_found");
    if (found && found->boolean() == false) {
        run.warnings.emplace_back("The agent's log line was not found: its phases are not known.");
        return;
    }
    for (const std::string_view id : restorePhases) {
        if (phases->find(id))
            run.restorePhases.push_back({std::string(id), measuredAt(*phases, {id}, Clock::Agent, notMeasured)});
    }
    for (const std::string_view id : approximatePhases) {
        if (!phases->find(id))
            continue;
        StartupPhase phase{std::string(id), measuredAt(*phases, {id}, Clock::Agent, notMeasured)};
        phase.time.isApproximate = true;
        run.restorePhases.push_back(std::move(phase));
    }
    for (const std::string_view id : {"duration", "started_to_complete"}) {
        if (phases->find(id))
            run.restorePhases.push_back({"agent_" + std::string(id), measuredAt(*phases, {id}, Clock::Agent, notMeasured)});
    }
}

void readEnvironment(const Value& document, StartupRun& run)
{
    const Value* environment = document.find("environment");
    if (!environment)
        return;
    run.storage = textAt(*environment, {"storage_class"});
    run.placement = textAt(*environment, {"placement"});
    run.gpu = textAt(*environment, {"capture", "gpu_product"});
    run.driver = textAt(*environment, {"capture", "gpu_driver_version"});
    run.restoreGpu = textAt(*environment, {"restore", "gpu_product"});
    run.restoreDriver = textAt(*environment, {"restore", "gpu_driver_version"});
    if (run.gpu.empty()) { // schema 2
        run.gpu = textAt(*environment, {"gpu_product"});
        run.driver = textAt(*environment, {"gpu_driver_version"});
    }
}

} // namespace

bool isRunResult(const StartupInput& input)
{
    if (input.json.size() != 1)
        return false;
    const Value& document = input.json.front();
    return document.find("schema_version") && document.find("model") && (document.find("cold_start") || document.find("restore"));
}

Result<std::vector<StartupRun>> readRunResult(const StartupInput& input)
{
    const Value& document = input.json.front();
    const Value& version = *document.find("schema_version");
    const auto number = version.kind() == Value::Kind::Integer ? version.integer() : std::nullopt;
    if (number != 1 && number != 2) {
        return failure(ErrorCode::Unsupported,
                       "The RunResult has schema_version " + base::json::write(version, 0) + "; 1 and 2 can be read.");
    }
    StartupRun run;
    run.id = textAt(document, {"run_id"});
    run.date = textAt(document, {"timestamp_utc"});
    run.engine = engineName(textAt(document, {"engine", "name"}));
    run.engineVersion = textAt(document, {"engine", "version"});
    run.model = textAt(document, {"model", "label"});
    run.modelId = textAt(document, {"model", "hf_id_or_path"});
    run.weightsBytes = numberAt(document, {"model", "reported_weights_bytes"});
    run.artifactBytes = numberAt(document, {"model", "checkpoint_artifact_bytes"});
    readEnvironment(document, run);
    run.coldTotal = measuredAt(document, {"cold_start", "cold_start_total_seconds"}, Clock::Kubernetes, notMeasured);
    run.cold = measuredAt(document, {"cold_start", "cold_start_excl_container_seconds"}, Clock::Kubernetes, notMeasured);
    run.containerStart = measuredAt(document, {"cold_start", "container_start_seconds"}, Clock::Kubernetes, notMeasured);
    run.checkpoint = measuredAt(document, {"checkpoint", "checkpoint_seconds"}, Clock::Kubernetes, notMeasured);
    run.restore = measuredAt(document, {"restore", "restore_total_seconds"}, Clock::Kubernetes, notMeasured);
    run.restoreFromPod.note = notMeasured;
    readPhases(document, run);
    if (const Value* warnings = document.find("warnings")) {
        for (const Value& warning : warnings->array()) {
            if (const std::string* text = warning.string())
                run.warnings.push_back(*text);
        }
    }
    run.isSynthetic = saysSynthetic(run.warnings);
    return std::vector{std::move(run)};
}

} // namespace wb::snapshot::startup
