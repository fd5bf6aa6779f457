#include "core/recipe/defaults.h"

#include "core/base/text.h"
#include "core/recipe/coerce.h"
#include "core/recipe/defaultsv2.h"
#include "core/recipe/filling.h"
#include "core/recipe/packdefaults.h"

#include <algorithm>
#include <array>
#include <string>

namespace wb::recipe {

using syntax::Diagnostic;
using syntax::Layer;
using syntax::Severity;
using syntax::Value;
using syntax::ValuePtr;

namespace {

/// The text at the path, looked up among the cluster's names.
ValuePtr lookedUp(const ValuePtr& document, std::string_view path, const ValuePtr& names)
{
    const ValuePtr written = syntax::at(document, path);
    if (!written || !written->isString() || !names || !names->isMapping())
        return document;
    const ValuePtr meant = names->find(written->text);
    return meant && meant->isString() ? syntax::withPath(document, path, meant) : document;
}

/// Text that srtctl could take for something of its own, without a look-up.
bool standsForItself(std::string_view text, bool isModel)
{
    if (text.empty() || text.find('{') != std::string_view::npos) // a placeholder that was told elsewhere
        return true;
    const bool isPath = text[0] == '/' || text[0] == '.' || text[0] == '~' || text[0] == '$';
    if (isModel)
        return isPath || text.starts_with("hf:");
    return isPath || text.find_first_of("/:#") != std::string_view::npos;
}

Diagnostic problemAt(const Value& value, std::string_view path, Severity severity, std::string message)
{
    Diagnostic problem;
    problem.code = syntax::Code::UnknownAliasName;
    problem.severity = severity;
    problem.path = path;
    problem.range = value.range;
    problem.source = value.source;
    problem.message = std::move(message);
    return problem;
}

void checkNamed(const ValuePtr& document, const NamedPlace& place, const Value& settings, std::vector<Diagnostic>& out)
{
    const ValuePtr written = syntax::at(document, place.path);
    const bool isModel = place.names == "model_paths";
    if (!written || !written->isString() || standsForItself(written->text, isModel))
        return;
    const ValuePtr names = settings.find(place.names);
    std::vector<std::string_view> known;
    if (names && names->isMapping()) {
        for (const syntax::Member& member : names->members)
            known.emplace_back(member.key);
    }
    if (std::find(known.begin(), known.end(), written->text) != known.end())
        return;
    const std::string near(base::nearestName(written->text, known));
    std::string message = base::inQuotes(written->text) + " is no name in \"" + std::string(place.names) +
                          "\" of the cluster file, so it is taken as " + (isModel ? "a folder" : "an image") + " of that name";
    message += near.empty() ? "." : "; did you mean \"" + near + "\"?";
    Diagnostic problem = problemAt(*written, place.path, Severity::Warning, std::move(message));
    if (names && !names->range.isEmpty())
        problem.notes.push_back({"The names that there are.", {names->range.begin, names->range.begin}, names->source});
    if (!near.empty() && !written->range.isEmpty() && written->definition.isEmpty())
        problem.fixes.push_back({"Change to \"" + near + "\"", {{written->range, "\"" + near + "\""}}});
    out.push_back(std::move(problem));
}

/// srtctl reads the number of GPUs from the recipe alone, whatever the cluster file says.
void checkGpus(const Value& document, const Value& settings, std::vector<Diagnostic>& out)
{
    const syntax::Member* resources = document.member("resources");
    const ValuePtr onCluster = settings.find("gpus_per_node");
    const auto count = onCluster ? asInteger(*onCluster) : std::nullopt;
    const auto preset = defaultNumber("v1", "resources.gpus_per_node");
    if (!count || !preset || count->value == *preset || !resources || !resources->value->isMapping() ||
        resources->value->member("gpus_per_node"))
        return;
    Diagnostic problem = problemAt(*resources->value, "resources.gpus_per_node", Severity::Hint,
                                   "The cluster file says " + std::to_string(count->value) +
                                       " GPUs in a node, but srtctl does not read it there and counts with " + std::to_string(*preset) +
                                       "; write \"gpus_per_node: " + std::to_string(count->value) + "\" in \"resources\".");
    problem.code = syntax::Code::ClusterFile;
    problem.range = resources->keyRange;
    if (!onCluster->range.isEmpty())
        problem.notes.push_back({"The number of the cluster file.", onCluster->range, onCluster->source});
    out.push_back(std::move(problem));
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

std::span<const NamedPlace> namedPlaces()
{
    static constexpr std::array all = {
        NamedPlace{"model.path", "model_paths"},
        NamedPlace{"model.container", "containers"},
        NamedPlace{"frontend.nginx_container", "containers"},
        NamedPlace{"benchmark.container_image", "containers"},
        NamedPlace{"observability.tachometer.dcgm_exporter.container_image", "containers"},
        NamedPlace{"observability.tachometer.node_exporter.container_image", "containers"},
        NamedPlace{"telemetry.dcgm_exporter.container_image", "containers"},
    };
    return all;
}

std::vector<Diagnostic> checkNames(const ValuePtr& document, const Cluster& cluster)
{
    std::vector<Diagnostic> out;
    if (!document || !document->isMapping() || !cluster.config)
        return out;
    for (const NamedPlace& place : namedPlaces())
        checkNamed(document, place, *cluster.config, out);
    return out;
}

std::vector<Diagnostic> checkAgainstCluster(const ValuePtr& document, const Cluster& cluster)
{
    std::vector<Diagnostic> out = checkNames(document, cluster);
    if (document && document->isMapping() && cluster.config)
        checkGpus(*document, *cluster.config, out);
    return out;
}

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
            out = filled(out, "sbatch_directives", directive.key, directive.value, directive.keyRange);
    }
    if (isFillable(out, "resources") && out->find("resources")) {
        const ValuePtr het = syntax::at(out, "resources.het_jobs");
        if (const ValuePtr preset = settings.find("use_het_jobs"); preset && (!het || het->isNull()))
            out = syntax::withPath(out, "resources.het_jobs", preset);
    }
    for (const auto& [key, preset] : {std::pair("reporting", "reporting"), std::pair("health_check", "default_health_check")}) {
        if (const ValuePtr value = settings.find(preset); value && isTruthy(value) && !out->member(key))
            out = syntax::with(out, key, value);
    }
    out = filled(out, "frontend", "nginx_raise_ulimit", settings.find("nginx_raise_ulimit"));
    for (const NamedPlace& place : namedPlaces())
        out = lookedUp(out, place.path, settings.find(place.names));
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
    if (const ValuePtr frontend = out->find("frontend"); frontend && frontend->isNull()) // srtctl puts a mapping in its place
        out = syntax::without(out, "frontend");
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
    if (!isSet("version") || (!isSet("hash") && !isSet("wheel") && !(top && top->boolean)))
        return config;
    return syntax::withPath(config, "dynamo.version", syntax::makeNull(Layer::Computed));
}

} // namespace wb::recipe
