#include "core/recipe/defaults.h"

#include "core/recipe/coerce.h"

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace wb::recipe {

using syntax::Layer;
using syntax::Value;
using syntax::ValuePtr;

namespace {

/// A block that may be filled: a mapping, or absent.
bool isFillable(const ValuePtr& document, std::string_view block)
{
    const ValuePtr value = document->find(block);
    return !value || value->isMapping();
}

ValuePtr filled(const ValuePtr& document, std::string_view block, std::string_view key, const ValuePtr& value)
{
    if (!value || value->isNull() || !isFillable(document, block))
        return document;
    const ValuePtr inner = document->find(block);
    if (inner && inner->member(key))
        return document;
    return syntax::with(document, block, syntax::with(inner, key, value));
}

/// The text at the path, looked up among the cluster's names.
ValuePtr lookedUp(const ValuePtr& document, std::string_view path, const ValuePtr& names)
{
    const ValuePtr written = syntax::at(document, path);
    if (!written || !written->isString() || !names || !names->isMapping())
        return document;
    const ValuePtr meant = names->find(written->text);
    return meant && meant->isString() ? syntax::withPath(document, path, meant) : document;
}

/// Truthy as Python sees it: the quoted text "false" is.
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

ValuePtr withVariables(const ValuePtr& environment, std::span<const std::pair<std::string_view, std::string_view>> variables)
{
    ValuePtr out = environment && environment->isMapping() ? environment : nullptr;
    for (const auto& [name, text] : variables) {
        if (!out || !out->member(name))
            out = syntax::with(out, name, syntax::makeString(std::string(text), Layer::Computed));
    }
    return out;
}

} // namespace

ValuePtr withClusterDefaults(const ValuePtr& document, const Cluster& cluster)
{
    if (!document || !document->isMapping() || !cluster.config)
        return document;
    const Value& settings = *cluster.config;
    ValuePtr out = document;
    out = filled(out, "slurm", "account", settings.find("default_account"));
    out = filled(out, "slurm", "partition", settings.find("default_partition"));
    out = filled(out, "slurm", "time_limit", settings.find("default_time_limit"));
    if (const ValuePtr directives = settings.find("default_sbatch_directives"); directives && directives->isMapping()) {
        for (const syntax::Member& directive : directives->members)
            out = filled(out, "sbatch_directives", directive.key, directive.value);
    }
    if (isFillable(out, "resources") && out->find("resources")) {
        const ValuePtr het = syntax::at(out, "resources.het_jobs");
        if (const ValuePtr preset = settings.find("use_het_jobs"); preset && (!het || het->isNull()))
            out = syntax::withPath(out, "resources.het_jobs", preset);
    }
    if (const ValuePtr model = out->find("model"); model && model->isMapping()) {
        out = lookedUp(out, "model.path", settings.find("model_paths"));
        out = lookedUp(out, "model.container", settings.find("containers"));
    }
    for (const auto& [key, preset] : {std::pair("reporting", "reporting"), std::pair("health_check", "default_health_check")}) {
        if (const ValuePtr value = settings.find(preset); value && isTruthy(value) && !out->member(key))
            out = syntax::with(out, key, value);
    }
    out = filled(out, "frontend", "nginx_raise_ulimit", settings.find("nginx_raise_ulimit"));
    for (const std::string_view path :
         {"frontend.nginx_container", "benchmark.container_image", "observability.tachometer.dcgm_exporter.container_image",
          "observability.tachometer.node_exporter.container_image", "telemetry.dcgm_exporter.container_image"})
        out = lookedUp(out, path, settings.find("containers"));
    return out;
}

ValuePtr withObservability(const ValuePtr& document)
{
    if (!document || !document->isMapping() || !isTruthy(syntax::at(document, "observability.enabled")))
        return document;
    using Variables = std::array<std::pair<std::string_view, std::string_view>, 3>;
    constexpr Variables logging = {{{"DYN_LOGGING_SPAN_EVENTS", "true"}, {"DYN_LOGGING_JSONL", "true"}, {"DYN_LOG", "debug"}}};
    constexpr std::array<std::pair<std::string_view, std::string_view>, 2> tracing = {
        {{"DYN_REQUEST_TRACE", "1"}, {"DYN_REQUEST_TRACE_FILE_PATH", "/logs/dynamo-request-trace"}}};
    ValuePtr out = document;
    if (isFillable(out, "backend")) {
        for (const std::string_view path : {"backend.prefill_environment", "backend.decode_environment", "backend.aggregated_environment"})
            out = syntax::withPath(out, path, withVariables(syntax::at(out, path), logging));
        const ValuePtr type = syntax::at(out, "backend.type");
        if (type && type->isString() && type->text == "trtllm") {
            if (!syntax::at(out, "backend.publish_events_and_metrics"))
                out = syntax::withPath(out, "backend.publish_events_and_metrics", syntax::makeBool(true, Layer::Computed));
            for (const std::string_view mode : {"prefill", "decode", "aggregated"}) {
                const std::string path = "backend.trtllm_config." + std::string(mode);
                const ValuePtr flags = syntax::at(out, path);
                if (!flags || !flags->isMapping())
                    continue;
                for (const std::string_view key : {"enable_iter_perf_stats", "return_perf_metrics"}) {
                    if (!flags->member(key))
                        out = syntax::withPath(out, path + "." + std::string(key), syntax::makeBool(true, Layer::Computed));
                }
            }
        }
    }
    if (isFillable(out, "frontend"))
        out = syntax::withPath(out, "frontend.env", withVariables(withVariables(syntax::at(out, "frontend.env"), logging), tracing));
    return out;
}

ValuePtr withDerived(const ValuePtr& config)
{
    const ValuePtr dynamo = config ? config->find("dynamo") : nullptr;
    if (!dynamo || !dynamo->isMapping())
        return config;
    const auto isSet = [&](std::string_view key) {
        const ValuePtr value = dynamo->find(key);
        return value && !value->isNull();
    };
    const ValuePtr top = dynamo->find("top_of_tree");
    if (!isSet("hash") && !isSet("wheel") && !(top && top->boolean))
        return config;
    return syntax::withPath(config, "dynamo.version", syntax::makeNull(Layer::Computed));
}

} // namespace wb::recipe
