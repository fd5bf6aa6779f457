#include "core/recipe/defaultsv2.h"

#include "core/recipe/filling.h"
#include "core/recipe/rolesv2.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace wb::recipe {

using syntax::Layer;
using syntax::Member;
using syntax::Value;
using syntax::ValuePtr;

namespace {

constexpr std::array<std::string_view, 4> imageKeys = {"container", "container_image", "image", "nginx_container"};
/// Blocks whose keys are the user's own words.
constexpr std::array<std::string_view, 9> opaqueKeys = {
    "identity", "environment", "env", "args", "extra_args", "container_mounts", "sbatch_directives", "srun_options", "store_config"};

template <std::size_t Count>
bool isOneOf(std::string_view word, const std::array<std::string_view, Count>& words)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// The value with the images in it looked up; the same value when there is none to change.
ValuePtr withImages(const ValuePtr& value, const Value& images)
{
    std::shared_ptr<Value> changed;
    const auto writable = [&]() -> Value& {
        if (!changed)
            changed = std::make_shared<Value>(*value);
        return *changed;
    };
    for (std::size_t i = 0; i < value->members.size(); ++i) {
        const Member& member = value->members[i];
        if (member.value->isString() && isOneOf(member.key, imageKeys)) {
            const ValuePtr image = images.find(member.value->text);
            if (image && image->isString())
                writable().members[i].value = image;
        } else if (!member.value->isScalar() && !isOneOf(member.key, opaqueKeys)) {
            if (ValuePtr inner = withImages(member.value, images); inner != member.value)
                writable().members[i].value = std::move(inner);
        }
    }
    for (std::size_t i = 0; i < value->items.size(); ++i) {
        const ValuePtr& item = value->items[i];
        if (item->isScalar())
            continue;
        if (ValuePtr inner = withImages(item, images); inner != item)
            writable().items[i] = std::move(inner);
    }
    return changed ? ValuePtr(changed) : value;
}

ValuePtr withGpuExporter(ValuePtr document, const ValuePtr& exporter)
{
    if (!exporter || !exporter->isMapping())
        return document;
    if (isFillable(document, "observability")) {
        const ValuePtr tachometer = syntax::at(document, "observability.tachometer");
        if (!tachometer || (tachometer->isMapping() && !tachometer->member("default_gpu_exporter")))
            document = syntax::withPath(document, "observability.tachometer.default_gpu_exporter", exporter);
    }
    const ValuePtr telemetry = document->find("telemetry");
    const bool isOn = telemetry && telemetry->isMapping() && isTruthy(telemetry->find("enabled"));
    if (isOn && !telemetry->member("dcgm_exporter") && !telemetry->member("cpu_power_exporter") && !telemetry->member("cpu_power"))
        document = syntax::withPath(document, "telemetry.dcgm_exporter", exporter);
    return document;
}

using Variables = std::span<const std::pair<std::string_view, std::string_view>>;

ValuePtr withVariables(const ValuePtr& environment, Variables variables)
{
    ValuePtr out = environment;
    for (const auto& [name, text] : variables) {
        if (!out || !out->member(name))
            out = syntax::with(out, name, syntax::makeString(std::string(text), Layer::Computed));
    }
    return out;
}

std::string wordAt(const ValuePtr& document, std::string_view path)
{
    const ValuePtr value = syntax::at(document, path);
    return value && value->isString() ? value->text : std::string();
}

/// The engine of the role; the document passed the gate, so an engine is a mapping.
std::string engineOf(const ValuePtr& document, const std::string& role)
{
    if (std::string own = wordAt(document, role + ".engine.type"); !own.empty())
        return own;
    const std::string shared = wordAt(document, "engine.type");
    return shared.empty() ? "sglang" : shared;
}

ValuePtr withFlag(const ValuePtr& document, const std::string& role, std::string_view flag, bool value)
{
    const std::string path = role + ".args." + std::string(flag);
    return syntax::at(document, path) ? document : syntax::withPath(document, path, syntax::makeBool(value, Layer::Computed));
}

ValuePtr withTrtllmFlags(ValuePtr document, const std::string& role, bool isObserved)
{
    const ValuePtr args = syntax::at(document, role + ".args");
    if (args && !args->isMapping())
        return document;
    if (isObserved)
        document = withFlag(withFlag(document, role, "enable_iter_perf_stats", true), role, "return_perf_metrics", true);
    if (wordAt(document, "frontend.type") == "trtllm_serve")
        document = withFlag(document, role, "return_perf_metrics", true);
    const std::string backend = wordAt(document, role + ".args.backend");
    if (backend != "tensorrt" && backend != "trt")
        document = withFlag(document, role, "enable_iter_perf_stats", false);
    return document;
}

} // namespace

bool isTruthy(const ValuePtr& value)
{
    if (!value)
        return false;
    switch (value->kind) {
    case syntax::Kind::Null:
        return false;
    case syntax::Kind::Bool:
        return value->boolean;
    case syntax::Kind::Integer:
    case syntax::Kind::Float:
        return value->number != 0.0;
    case syntax::Kind::String:
        return !value->text.empty();
    case syntax::Kind::Sequence:
        return !value->items.empty();
    case syntax::Kind::Mapping:
        return !value->members.empty();
    default:
        return true;
    }
}

ValuePtr withClusterDefaultsOfSecond(const ValuePtr& document, const Cluster& cluster)
{
    if (!document || !document->isMapping() || !cluster.config)
        return document;
    const Value& settings = *cluster.config;
    ValuePtr out = document;
    out = filled(out, "slurm", "account", settings.find("default_account"));
    out = filled(out, "slurm", "partition", settings.find("default_partition"));
    out = filled(out, "slurm", "time_limit", settings.find("default_time_limit"));
    if (out->find("resources") && isFillable(out, "resources")) {
        const ValuePtr kind = settings.find("default_gpu_type");
        if (kind && kind->isString() && !isTruthy(syntax::at(out, "resources.gpu_type")))
            out = syntax::withPath(out, "resources.gpu_type", kind);
        out = filled(out, "resources", "gpus_per_node", settings.find("gpus_per_node"));
        const ValuePtr het = syntax::at(out, "resources.het_jobs");
        if (const ValuePtr preset = settings.find("use_het_jobs"); preset && (!het || het->isNull()))
            out = syntax::withPath(out, "resources.het_jobs", preset);
    }
    if (const ValuePtr directives = settings.find("default_sbatch_directives"); directives && directives->isMapping()) {
        for (const Member& directive : directives->members)
            out = filled(out, "sbatch_directives", directive.key, directive.value, directive.keyRange);
    }
    if (const ValuePtr path = syntax::at(out, "model.path"), names = settings.find("model_paths"); path && path->isString() && names) {
        if (const ValuePtr meant = names->find(path->text); meant && meant->isString())
            out = syntax::withPath(out, "model.path", meant);
    }
    out = withGpuExporter(out, settings.find("default_gpu_exporter"));
    if (const ValuePtr images = settings.find("containers"); images && images->isMapping())
        out = withImages(out, *images);
    constexpr std::pair<std::string_view, std::string_view> blocks[] = {
        {"reporting", "reporting"}, {"health_check", "default_health_check"}, {"host_setup", "default_host_setup"}};
    for (const auto& [key, preset] : blocks) {
        if (const ValuePtr value = settings.find(preset); isTruthy(value) && !out->member(key))
            out = syntax::with(out, key, value);
    }
    return filled(out, "frontend", "nginx_raise_ulimit", settings.find("nginx_raise_ulimit"));
}

ValuePtr withExpansions(const ValuePtr& document)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> logging = {
        {{"DYN_LOGGING_SPAN_EVENTS", "true"}, {"DYN_LOGGING_JSONL", "true"}, {"DYN_LOG", "debug"}}};
    constexpr std::array<std::pair<std::string_view, std::string_view>, 2> tracing = {
        {{"DYN_REQUEST_TRACE", "1"}, {"DYN_REQUEST_TRACE_FILE_PATH", "/logs/dynamo-request-trace"}}};
    if (!document || !document->isMapping())
        return document;
    ValuePtr out = document;
    const bool isObserved = isTruthy(syntax::at(document, "observability.enabled"));
    for (const std::string_view name : second::roles) {
        const std::string role = "roles." + std::string(name);
        const ValuePtr block = syntax::at(out, role);
        if (!block || !block->isMapping())
            continue;
        const ValuePtr environment = block->find("env");
        if (isObserved && (!environment || environment->isMapping()))
            out = syntax::withPath(out, role + ".env", withVariables(environment, logging));
        if (engineOf(out, role) == "trtllm")
            out = withTrtllmFlags(out, role, isObserved);
    }
    if (isObserved && isFillable(out, "frontend")) {
        const ValuePtr environment = syntax::at(out, "frontend.env");
        if (!environment || environment->isMapping() || environment->isNull())
            out = syntax::withPath(
                out, "frontend.env",
                withVariables(withVariables(environment && environment->isMapping() ? environment : nullptr, logging), tracing));
    }
    return out;
}

bool mayNameImage(std::span<const std::string_view> keys)
{
    return !keys.empty() && isOneOf(keys.back(), imageKeys) &&
           std::none_of(keys.begin(), keys.end(), [](std::string_view key) { return isOneOf(key, opaqueKeys); });
}

} // namespace wb::recipe
