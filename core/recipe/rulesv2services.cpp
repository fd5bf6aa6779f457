// Rules of schema 2 about services.
#include "core/base/text.h"
#include "core/recipe/rulesv2.h"

#include <algorithm>
#include <map>

namespace wb::recipe::second {

using syntax::Diagnostic;
using syntax::Kind;
using syntax::Member;
using syntax::Severity;
using syntax::ValuePtr;

namespace {

using Words = std::span<const std::string_view>;

constexpr std::string_view infraNodes[] = {"head", "infra", "dedicated"};
constexpr std::string_view masterNodes[] = {"head", "infra", "dedicated", "prefill", "decode", "agg", "workers", "compute", "all"};
constexpr std::string_view donorNodes[] = {"decode"};
constexpr std::string_view rayNodes[] = {"head", "workers", "all"};
constexpr std::string_view natsOptions[] = {"max_payload_mb"};
constexpr std::string_view masterOptions[] = {"store_config", "device_names_by_gpu", "eviction_ratio", "master_timeout_s", "store_role"};
constexpr std::string_view donorOptions[] = {"size", "protocol"};
constexpr std::string_view exporterOptions[] = {"port", "collect_interval_ms"};
constexpr std::string_view processOptions[] = {"port", "binary"};
constexpr std::string_view rayOptions[] = {"port", "dashboard_port", "num_gpus"};

/// What is special about a kind of service.
struct ServiceKind {
    std::string_view type;
    Words nodes;   ///< Where it can run; empty: anywhere but on a node of its own.
    Words options; ///< Its own settings.
    bool canBeElsewhere = false;
    bool hasOwnCommand = true;
};

constexpr ServiceKind kinds[] = {
    {.type = "generic", .nodes = {}, .options = {}, .hasOwnCommand = false},
    {.type = "etcd", .nodes = infraNodes, .options = {}, .canBeElsewhere = true},
    {.type = "nats", .nodes = infraNodes, .options = natsOptions, .canBeElsewhere = true},
    {.type = "mooncake-master", .nodes = masterNodes, .options = masterOptions, .canBeElsewhere = true},
    {.type = "mooncake-store", .nodes = {}, .options = {}},
    {.type = "mooncake-donor", .nodes = donorNodes, .options = donorOptions},
    {.type = "lmcache-server", .nodes = {}, .options = {}},
    {.type = "dcgm-exporter", .nodes = {}, .options = exporterOptions},
    {.type = "node-exporter", .nodes = {}, .options = exporterOptions},
    {.type = "process-exporter", .nodes = {}, .options = processOptions},
    {.type = "gms", .nodes = {}, .options = {}},
    {.type = "ray", .nodes = rayNodes, .options = rayOptions},
};

const ServiceKind* kindOf(const Service& service)
{
    const auto found = std::find_if(std::begin(kinds), std::end(kinds), [&](const ServiceKind& kind) { return kind.type == service.type; });
    return found == std::end(kinds) ? nullptr : &*found;
}

bool has(Words words, std::string_view word)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

std::string listed(Words words)
{
    std::string out;
    for (const std::string_view word : words)
        out += (out.empty() ? "\"" : ", \"") + std::string(word) + "\"";
    return out;
}

bool isThere(const ValuePtr& block, std::string_view key)
{
    const ValuePtr value = block ? block->find(key) : nullptr;
    return value && !value->isNull();
}

/// Calls `check(service, path)` for every service, also for those that are switched off.
template <typename Check>
void each(RuleFindings& findings, Check check)
{
    const auto& services = findings.job().services;
    for (std::size_t i = 0; i < services.size(); ++i)
        check(services[i], "services[" + std::to_string(i) + "]");
}

/// At a key of a block inside the service ("placement"), with the path of the service.
Diagnostic& reportInside(RuleFindings& findings, const Service& service, const std::string& path, std::string_view block,
                         std::string_view key, std::string message, Severity severity = Severity::Error)
{
    const ValuePtr inner = service.block->find(block);
    const bool isWritten = inner && inner->member(key) && !inner->member(key)->keyRange.isEmpty();
    Diagnostic& problem = reportIn(findings, isWritten ? inner : service.block, path + (isWritten ? "." + std::string(block) : ""),
                                   isWritten ? key : block, severity, std::move(message));
    return problem;
}

bool isWholeAbove0(const ValuePtr& value)
{
    return value && value->kind == Kind::Integer && value->integer > 0;
}

} // namespace

void checkServiceNames(RuleFindings& findings)
{
    std::map<std::string, syntax::Range> seen;
    each(findings, [&](const Service& service, const std::string& path) {
        if (base::trimmed(service.name).empty()) {
            reportIn(findings, service.block, path, "name", Severity::Error, "The name of a service is blank.");
            return;
        }
        const auto [earlier, isNew] = seen.emplace(service.name, service.nameRange);
        if (isNew)
            return;
        Diagnostic& problem = reportIn(findings, service.block, path, "name", Severity::Error,
                                       "Two services are called " + base::inQuotes(service.name) + ".");
        if (!earlier->second.isEmpty())
            problem.notes.push_back({"The other service.", earlier->second, problem.source});
    });
}

void checkServiceCommands(RuleFindings& findings)
{
    each(findings, [&](const Service& service, const std::string& path) {
        for (const std::string_view key : {"command", "args"}) {
            const ValuePtr words = service.block->find(key);
            if (!words || !words->isSequence())
                continue;
            if (words->items.empty())
                reportIn(findings, service.block, path, key, Severity::Error, "\"" + std::string(key) + "\" is an empty list; delete it.");
            for (const ValuePtr& word : words->items) {
                if (!base::trimmed(word->text).empty())
                    continue;
                Diagnostic& problem =
                    reportIn(findings, service.block, path, key, Severity::Error, "A word of the command is blank; delete it.");
                if (!word->range.isEmpty())
                    problem.range = word->range;
            }
        }
        const bool isExternal = isThere(service.block, "external");
        if (service.type == "generic" && !isThere(service.block, "command") && !isExternal)
            reportIn(findings, service.block, path, "name", Severity::Error,
                     "The service " + base::inQuotes(service.name) + " has no command; a generic service needs one.");
        if (service.type == "ray" && isThere(service.block, "command"))
            reportIn(findings, service.block, path, "command", Severity::Error, "A Ray service brings its own command; delete this one.");
    });
}

void checkServicePlacement(RuleFindings& findings)
{
    std::string etcd;
    std::string nats;
    const Service* last = nullptr;
    std::string lastPath;
    each(findings, [&](const Service& service, const std::string& path) {
        const ServiceKind* kind = kindOf(service);
        const ValuePtr placement = service.block->find("placement");
        const std::string node = text(placement, "node");
        if (service.isEnabled && (service.type == "etcd" || service.type == "nats")) {
            (service.type == "etcd" ? etcd : nats) = node == "dedicated" ? "dedicated" : "shared";
            last = &service;
            lastPath = path;
        }
        if (!kind)
            return;
        if (!node.empty() && !kind->nodes.empty() && !has(kind->nodes, node))
            reportInside(findings, service, path, "placement", "node",
                         "A service of type \"" + service.type + "\" runs on " + listed(kind->nodes) + ", not on \"" + node + "\".");
        else if (node == "dedicated" && kind->nodes.empty())
            reportInside(findings, service, path, "placement", "node",
                         "Only etcd, nats and mooncake-master can have a dedicated node; set \"nodes\" for a pool of its own.");
        if (isThere(placement, "node") && isThere(placement, "pool"))
            reportInside(findings, service, path, "placement", "pool", "\"node\" and \"pool\" exclude each other; keep one of the two.");
        const bool isPerWorker = text(placement, "per") == "worker";
        const bool isOnWorkers =
            node == "prefill" || node == "decode" || node == "agg" || node == "workers" || (node.empty() && service.type == "gms");
        if (isPerWorker && (!isOnWorkers || isThere(placement, "pool")))
            reportInside(findings, service, path, "placement", "per",
                         "One process for each worker needs \"node\" to be prefill, decode, agg or workers.");
        if (service.type == "gms" && placement && placement->isMapping() && !isPerWorker)
            reportInside(findings, service, path, "placement", "per", "The memory service runs once for each worker; set \"per: worker\".");
    });
    if (last && !etcd.empty() && !nats.empty() && etcd != nats)
        reportInside(findings, *last, lastPath, "placement", "node",
                     "etcd and NATS have one dedicated node together, or none; place both alike.");
}

void checkServicePools(RuleFindings& findings)
{
    each(findings, [&](const Service& service, const std::string& path) {
        const ValuePtr placement = service.block->find("placement");
        if (service.nodes > 0) {
            const std::string node = text(placement, "node");
            if ((!node.empty() && node != "workers") || isThere(placement, "pool") || text(placement, "per") == "worker")
                reportInside(findings, service, path, "placement",
                             isThere(placement, "pool")           ? "pool"
                             : !node.empty() && node != "workers" ? "node"
                                                                  : "per",
                             "A service with nodes of its own runs on each of them; delete its placement.");
        }
        const std::string pool = text(placement, "pool");
        if (!isThere(placement, "pool"))
            return;
        const auto& services = findings.job().services;
        const bool isOwned = std::any_of(services.begin(), services.end(),
                                         [&](const Service& other) { return other.isEnabled && other.nodes > 0 && other.name == pool; });
        if (!isOwned)
            reportInside(findings, service, path, "placement", "pool",
                         "No service reserves a pool " + base::inQuotes(pool) + "; a pool is named after the service with \"nodes\".");
    });
}

void checkServiceReadiness(RuleFindings& findings)
{
    each(findings, [&](const Service& service, const std::string& path) {
        const ValuePtr readiness = service.block->find("readiness");
        if (!readiness || !readiness->isMapping())
            return;
        std::vector<std::string> given;
        for (const std::string_view key : {"port", "tcp", "http", "log", "file"}) {
            if (isThere(readiness, key))
                given.emplace_back(key);
        }
        if (given.size() != 1)
            reportInside(findings, service, path, "readiness", given.empty() ? "timeout_seconds" : std::string_view(given[1]),
                         given.empty() ? "\"readiness\" names no sign; give one of port, tcp, http, log and file."
                                       : "\"readiness\" names several signs (" + base::joined(given, ", ") + "); keep one.");
        else if (text(service.block->find("placement"), "per") == "worker" && given.front() != "log")
            reportInside(findings, service, path, "readiness", given.front(),
                         "A service for each worker can only be watched by its log; use \"log\".");
    });
}

void checkServiceSource(RuleFindings& findings)
{
    each(findings, [&](const Service& service, const std::string& path) {
        const ValuePtr source = service.block->find("source");
        if (!source || !source->isMapping())
            return;
        const std::string revision = text(source, "rev");
        if (!isThere(source, "git"))
            reportInside(findings, service, path, "source", "rev", "The source of the service names no repository; add \"git\".");
        if (base::trimmed(revision).empty())
            reportInside(findings, service, path, "source", "git", "The source of the service names no revision; add \"rev\".");
        else if (revision == "main" || revision == "master" || revision == "HEAD")
            reportInside(findings, service, path, "source", "rev", base::inQuotes(revision) + " moves; name a commit or a tag.");
        const ValuePtr placement = service.block->find("placement");
        const std::string node = text(placement, "node");
        const bool isOnOne = node.empty() || node == "head" || node == "infra" || node == "dedicated";
        if (!isOnOne || service.nodes > 0 || isThere(placement, "pool"))
            reportInside(findings, service, path, "placement", "node",
                         "A source is fetched for a service on a single node; place it on \"head\".");
        if (!isThere(service.block, "build_command"))
            reportIn(findings, service.block, path, "source", Severity::Warning,
                     "The source is fetched and not built; is \"build_command\" missing?");
    });
}

void checkServiceOptions(RuleFindings& findings)
{
    each(findings, [&](const Service& service, const std::string& path) {
        const ServiceKind* kind = kindOf(service);
        const ValuePtr options = service.block->find("options");
        if (!kind || !options || !options->isMapping())
            return;
        const auto refuse = [&](const Member& option, const std::string& message) {
            reportIn(findings, options, path + ".options", option.key, Severity::Error, message);
        };
        for (const Member& option : options->members) {
            const ValuePtr& value = option.value;
            if (!has(kind->options, option.key)) {
                refuse(option, "A service of type \"" + service.type + "\" has no option " + base::inQuotes(option.key) +
                                   (kind->options.empty() ? "; it has none." : "; it has " + listed(kind->options) + "."));
                continue;
            }
            const bool isCount = option.key == "max_payload_mb" || option.key == "port" || option.key == "dashboard_port" ||
                                 option.key == "num_gpus" || option.key == "collect_interval_ms";
            if (isCount && !isWholeAbove0(value))
                refuse(option, "\"" + option.key + "\" is " + syntax::shown(*value) + "; it must be a whole number above 0.");
            const bool isNumber = value->kind == Kind::Integer || value->kind == Kind::Float;
            if (option.key == "eviction_ratio" && !(isNumber && value->number > 0 && value->number < 1))
                refuse(option, "\"eviction_ratio\" must be a number between 0 and 1.");
            if (option.key == "master_timeout_s" && !(isNumber && value->number > 0))
                refuse(option, "\"master_timeout_s\" must be a number above 0.");
            if (option.key == "store_role" && value->text != "both" && value->text != "producer" && value->text != "consumer")
                refuse(option, R"("store_role" must be "both", "producer" or "consumer".)");
        }
        if (service.type == "mooncake-donor" && !isThere(options, "size"))
            reportIn(findings, service.block, path, "name", Severity::Error, "A Mooncake donor needs the option \"size\".");
    });
    each(findings, [&](const Service& service, const std::string& path) {
        const ValuePtr metrics = service.block->find("metrics");
        if (!metrics || !metrics->isSequence() || metrics->items.size() < 2)
            return;
        std::vector<std::string> names;
        for (const ValuePtr& page : metrics->items) {
            const std::string name = text(page, "name");
            if (name.empty() || std::find(names.begin(), names.end(), name) != names.end()) {
                reportIn(findings, service.block, path, "metrics", Severity::Error, "Several pages of metrics need names of their own.");
                return;
            }
            names.push_back(name);
        }
    });
}

void checkServiceNeeds(RuleFindings& findings)
{
    const Service* master = nullptr;
    each(findings, [&](const Service& service, const std::string& path) {
        if (!service.isEnabled)
            return;
        if (service.type == "mooncake-master") {
            if (master) {
                Diagnostic& problem =
                    reportIn(findings, service.block, path, "name", Severity::Error, "There is a Mooncake master already; a job has one.");
                if (!master->nameRange.isEmpty())
                    problem.notes.push_back({"The other master.", master->nameRange, problem.source});
            }
            master = &service;
        }
        const bool needsMaster = service.type == "mooncake-store" || service.type == "mooncake-donor";
        if (needsMaster && !serviceOf(findings, "mooncake-master"))
            reportIn(findings, service.block, path, "type", Severity::Error,
                     "A service of type \"" + service.type + "\" needs one of type \"mooncake-master\".");
        if (service.type == "gms" && !isGiven(findings, "engine.failover"))
            reportIn(findings, service.block, path, "type", Severity::Error,
                     "The memory service serves failover, and the engine has none; add \"engine.failover\", or delete the service.");
        if (service.type != "mooncake-donor")
            return;
        if (findings.job().backend.type != "trtllm")
            reportIn(findings, service.block, path, "type", Severity::Error, "A Mooncake donor is for TensorRT-LLM only.");
        const std::string own = text(service.block->find("options"), "protocol");
        const std::string other = textAt(findings, "roles.prefill.args.kv_connector_config.mooncake_store.protocol");
        if (!own.empty() && !other.empty() && own != other)
            reportInside(findings, service, path, "options", "protocol",
                         "The donor speaks " + base::inQuotes(own) + ", but the prefill workers speak " + base::inQuotes(other) + ".");
    });
}

void checkServiceLife(RuleFindings& findings)
{
    each(findings, [&](const Service& service, const std::string& path) {
        const ServiceKind* kind = kindOf(service);
        const bool isExternal = isThere(service.block, "external");
        const ValuePtr terminal = service.block->find("terminal");
        const bool isTerminal = terminal && terminal->kind == Kind::Bool && terminal->boolean;
        if (isExternal && kind && !kind->canBeElsewhere)
            reportIn(findings, service.block, path, "external", Severity::Error, "Only etcd, nats and mooncake-master can run elsewhere.");
        if (isTerminal && isExternal)
            reportIn(findings, service.block, path, "terminal", Severity::Error, "A service that runs elsewhere cannot end the job.");
        if (isTerminal && textAt(findings, "benchmark.type") != "manual") {
            Diagnostic& problem = reportIn(findings, service.block, path, "terminal", Severity::Error,
                                           "The job ends with this service, so the benchmark must be of type \"manual\".");
            findings.note(problem, "benchmark.type", "The benchmark is chosen here.");
        }
    });
}

void checkMooncakeOfSecond(RuleFindings& findings)
{
    const Service* master = serviceOf(findings, "mooncake-master");
    if (!master)
        return;
    const std::string engine = findings.job().backend.type;
    const auto refuse = [&](std::string_view key, const std::string& message) {
        return &reportIn(findings, master->block, "services", key, Severity::Error, message);
    };
    if (engine != "sglang" && engine != "vllm" && engine != "trtllm") {
        findings.note(*refuse("type", "Workers of " + engine + " do not use a Mooncake store."), "engine", "The engine is chosen here.");
        return;
    }
    const ValuePtr options = master->block->find("options");
    const auto belongsTo = [&](std::string_view key) -> std::string_view {
        return key == "store_config" || key == "device_names_by_gpu" ? "vllm" : "trtllm";
    };
    for (const Member& option : options && options->isMapping() ? options->members : std::vector<Member>()) {
        if (has(masterOptions, option.key) && belongsTo(option.key) != engine)
            reportIn(findings, options, "services.options", option.key, Severity::Error,
                     "\"" + option.key + "\" is for workers of " + std::string(belongsTo(option.key)) + ", and these run " + engine +
                         "; delete it.");
    }
    if (const ValuePtr devices = options ? options->find("device_names_by_gpu") : nullptr; devices && devices->isSequence()) {
        const bool isFull = std::all_of(devices->items.begin(), devices->items.end(),
                                        [](const ValuePtr& name) { return name->isString() && !base::trimmed(name->text).empty(); });
        if (!isFull || static_cast<std::int64_t>(devices->items.size()) != findings.job().resources.gpusPerNode)
            reportIn(findings, options, "services.options", "device_names_by_gpu", Severity::Error,
                     "\"device_names_by_gpu\" names a device for each of the " + std::to_string(findings.job().resources.gpusPerNode) +
                         " GPUs of a node.");
    }
    if (!isDisaggregated(findings))
        return;
    if (engine == "sglang") {
        const auto usesIt = [&](std::string_view role) {
            const Member* backend = flag(findings, role, "disaggregation-transfer-backend");
            return backend && backend->value->isString() && backend->value->text == "mooncake";
        };
        if (!usesIt("prefill") && !usesIt("decode"))
            findings.note(*refuse("type", "Neither prefill nor decode transfers by Mooncake, so the store would stay unused; set "
                                          "\"disaggregation-transfer-backend: mooncake\" in args."),
                          "roles.prefill.args", "The flags of the prefill workers.");
    } else if (engine == "vllm") {
        const auto namesIt = [&](std::string_view role) {
            for (const std::string_view key : {"kv-transfer-config", "connector"}) {
                const Member* config = flag(findings, role, key);
                if (config && base::lowered(config->value->text).find("mooncake") != std::string::npos)
                    return true;
            }
            return false;
        };
        if (!namesIt("prefill") && !namesIt("decode") &&
            base::lowered(textAt(findings, "engine.connector")).find("mooncake") == std::string::npos)
            findings.note(*refuse("type", "No role names Mooncake in its \"kv-transfer-config\", so the store would stay unused."),
                          "roles.prefill.args", "The flags of the prefill workers.");
    }
}

} // namespace wb::recipe::second
