#include "core/snapshot/startup/nightly.h"

#include "core/base/text.h"
#include "core/snapshot/startup/fields.h"

#include <algorithm>

namespace wb::snapshot::startup {

using base::json::Value;

namespace {

bool isEnvelope(const Value& document)
{
    return document.find("schemaVersion") && document.find("identity") && document.find("measurements");
}

const Value& envelopeOf(const Value& document)
{
    const Value* result = document.find("result");
    return result && isEnvelope(*result) ? *result : document;
}

/// "vllm/vllm-openai:v0.27.1-ubuntu2404@sha256:..." -> "0.27.1"
std::string versionOf(std::string_view image)
{
    image = image.substr(0, image.find('@'));
    const std::size_t slash = image.rfind('/');
    const std::size_t colon = image.rfind(':');
    if (colon == std::string_view::npos || (slash != std::string_view::npos && colon < slash))
        return {};
    std::string_view tag = image.substr(colon + 1);
    if (tag.starts_with('v'))
        tag.remove_prefix(1);
    return std::string(tag.substr(0, tag.find('-')));
}

/// One product or driver of a list of GPUs; several that differ are joined.
std::string commonOf(const Value& environment, std::string_view list, std::string_view key)
{
    std::string out;
    const Value* gpus = environment.find(list);
    if (!gpus)
        return out;
    for (const Value& gpu : gpus->array()) {
        const std::string one = textAt(gpu, {key});
        if (!one.empty() && out.find(one) == std::string::npos)
            out += (out.empty() ? "" : ", ") + one;
    }
    return out;
}

const Value* measurementOf(const Value& envelope, std::string_view name)
{
    const auto& all = envelope.find("measurements")->array();
    const auto found = std::find_if(all.begin(), all.end(), [name](const Value& m) { return textAt(m, {"name"}) == name; });
    return found == all.end() ? nullptr : &*found;
}

Measured measurement(const Value* found, Clock clock)
{
    Measured out;
    out.clock = clock;
    out.note = "not measured";
    if (!found)
        return out;
    const std::string unit = textAt(*found, {"unit"});
    out.seconds = numberAt(*found, {"value"});
    if (out.seconds && unit != "seconds" && !unit.empty()) {
        out.seconds.reset();
        out.note = "its unit is " + unit;
    } else if (out.seconds) {
        out.note.clear();
    } else if (const std::string reason = textAt(*found, {"missingReason"}); !reason.empty()) {
        out.note = reason;
    }
    return out;
}

Measured sourceReady(const Value& envelope)
{
    Measured out;
    out.clock = Clock::Events;
    out.note = "no event source.ready";
    const Value* events = envelope.find("events");
    if (!events)
        return out;
    for (const Value& event : events->array()) {
        if (textAt(event, {"name"}) != "source.ready")
            continue;
        out.seconds = numberAt(event, {"offsetSeconds"});
        out.isApproximate = true;
        out.note = "estimated: offset of source.ready, which holds scheduling too";
    }
    return out;
}

/// Measurements "restore.criu_restore.duration" of the agent become phases; sums and pulls of images are none.
std::vector<StartupPhase> phasesOf(const Value& envelope, std::string_view side)
{
    std::vector<StartupPhase> out;
    for (const Value& found : envelope.find("measurements")->array()) {
        std::string name = textAt(found, {"name"});
        if (!name.starts_with(std::string(side) + ".") || !name.ends_with(".duration") || name.size() <= side.size() + 10)
            continue; // "checkpoint.duration" is the whole
        name = name.substr(side.size() + 1, name.size() - side.size() - 10);
        constexpr std::string_view sums[] = {"to_traffic", "pod_create_to_traffic", "agent_complete_to_traffic", "image_pull",
                                             "image_pull_including_wait"};
        const bool isSum = std::find(std::begin(sums), std::end(sums), name) != std::end(sums) || name.size() < 2;
        if (isSum)
            continue;
        out.push_back({name == "agent" ? "agent_duration" : name, measurement(&found, Clock::Agent)});
    }
    return out;
}

void addWarnings(const Value& envelope, StartupRun& run)
{
    const Value* environment = envelope.find("environment");
    const Value* errors = environment ? environment->find("agentTimingCollectionErrors") : nullptr;
    if (errors && !errors->object().empty()) {
        const std::string* text = errors->object().front().value.string();
        run.warnings.push_back("The agent's phases were not collected" + (text ? ": " + *text : std::string(".")));
    }
    if (const std::string error = textAt(envelope, {"error", "message"}); !error.empty())
        run.warnings.push_back(error);
}

StartupRun runOf(const Value& envelope, const std::string& comparisonKey)
{
    StartupRun run;
    const std::string attempt = base::textOf(numberAt(envelope, {"identity", "runAttempt"}).value_or(1.0));
    run.id = textAt(envelope, {"identity", "case"}) + "/" + textAt(envelope, {"identity", "runId"}) + "-" + attempt;
    run.outcome = textAt(envelope, {"outcome"});
    run.date = textAt(envelope, {"startedAt"});
    run.engine = engineName(textAt(envelope, {"identity", "case"}));
    run.series = comparisonKey;
    if (const Value* environment = envelope.find("environment")) {
        run.model = textAt(*environment, {"model"});
        run.modelId = run.model;
        run.engineVersion = versionOf(textAt(*environment, {"frameworkImage"}));
        run.gpu = commonOf(*environment, "sourceGpus", "model");
        run.restoreGpu = commonOf(*environment, "restoreGpus", "model");
        run.driver = commonOf(*environment, "sourceGpus", "driverVersion");
        run.restoreDriver = commonOf(*environment, "restoreGpus", "driverVersion");
        const Value* gpus = environment->find("sourceGpus");
        if (gpus && !gpus->array().empty())
            run.gpus = static_cast<int>(gpus->array().size());
        run.storage = textAt(*environment, {"storage", "storageClass"});
        const std::string affinity = textAt(*environment, {"nodeAffinity"});
        run.placement = affinity.empty() ? "" : affinity + "_node";
    }
    run.cold = sourceReady(envelope);
    run.coldTotal.note = run.containerStart.note = "not measured";
    run.checkpoint = measurement(measurementOf(envelope, "checkpoint.duration"), Clock::Events);
    run.restore = measurement(measurementOf(envelope, "restore.to_traffic.duration"), Clock::Events);
    run.restoreFromPod = measurement(measurementOf(envelope, "restore.pod_create_to_traffic.duration"), Clock::Events);
    run.checkpointPhases = phasesOf(envelope, "checkpoint");
    run.restorePhases = phasesOf(envelope, "restore");
    addWarnings(envelope, run);
    return run;
}

} // namespace

bool isNightly(const StartupInput& input)
{
    return !input.json.empty() && isEnvelope(envelopeOf(input.json.front()));
}

Result<std::vector<StartupRun>> readNightly(const StartupInput& input)
{
    std::vector<StartupRun> out;
    std::size_t others = 0;
    std::string version;
    for (const Value& document : input.json) {
        const Value& envelope = envelopeOf(document);
        const Value* schema = isEnvelope(envelope) ? envelope.find("schemaVersion") : nullptr;
        if (!schema || schema->integer() != 1) {
            ++others;
            version = schema ? base::json::write(*schema, 0) : "none";
            continue;
        }
        out.push_back(runOf(envelope, textAt(document, {"comparisonKey"})));
    }
    if (out.empty())
        return failure(ErrorCode::Unsupported, "The nightly result has schemaVersion " + version + "; 1 can be read.");
    if (others > 0)
        out.front().warnings.push_back(std::to_string(others) + " lines of the index are no result of schemaVersion 1.");
    return out;
}

} // namespace wb::snapshot::startup
