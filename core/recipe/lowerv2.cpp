#include "core/recipe/lowerv2.h"

#include "core/base/arithmetic.h"
#include "core/base/text.h"
#include "core/recipe/lower.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>

namespace wb::recipe {

using syntax::Layer;
using syntax::Member;
using syntax::Range;
using syntax::Value;
using syntax::ValuePtr;

namespace {

/// A role under its names: in schema 2, in the counts of schema 1, and in its backend.
struct RoleNames {
    std::string_view role;
    std::string_view mode;
};
constexpr std::array<RoleNames, 3> roleNames = {{{"prefill", "prefill"}, {"decode", "decode"}, {"agg", "aggregated"}}};

/// A mapping that is put together.
class Block
{
public:
    explicit Block(const ValuePtr& from = nullptr)
        : m_value(std::make_shared<Value>())
    {
        m_value->kind = syntax::Kind::Mapping;
        m_value->style = syntax::Style::Block;
        m_value->layer = from ? from->layer : Layer::Default;
        if (from) {
            m_value->range = from->range;
            m_value->source = from->source;
        }
    }

    void add(std::string_view key, ValuePtr value, Range keyRange = {})
    {
        Member member;
        member.key = key;
        member.value = value ? std::move(value) : syntax::makeNull(Layer::Default);
        member.keyRange = keyRange;
        m_value->members.push_back(std::move(member));
    }
    /// The member of the block under that key, or a null.
    void addOf(const ValuePtr& block, std::string_view key, std::string_view newKey)
    {
        const Member* member = block ? block->member(key) : nullptr;
        add(newKey, member ? member->value : nullptr, member ? member->keyRange : Range{});
    }

    [[nodiscard]] ValuePtr value() const { return m_value; }

private:
    std::shared_ptr<Value> m_value;
};

ValuePtr blockAt(const ValuePtr& config, std::string_view path)
{
    const ValuePtr value = syntax::at(config, path);
    return value && value->isMapping() ? value : nullptr;
}

std::string textOf(const ValuePtr& block, std::string_view key)
{
    const ValuePtr value = block ? block->find(key) : nullptr;
    return value && value->isString() ? value->text : std::string();
}

/// As another value, standing where the first one stands.
ValuePtr at(const ValuePtr& place, const ValuePtr& made)
{
    auto value = std::make_shared<Value>(*made);
    if (place) {
        value->range = place->range;
        value->definition = place->definition;
        value->source = place->source;
        value->layer = place->layer;
    }
    return value;
}

Range keyRangeOf(const ValuePtr& block, std::string_view key)
{
    const Member* member = block ? block->member(key) : nullptr;
    return member ? member->keyRange : Range{};
}

/// None where there is no block.
std::span<const Member> membersOf(const ValuePtr& block)
{
    return block ? std::span<const Member>(block->members) : std::span<const Member>();
}

std::span<const ValuePtr> itemsOf(const ValuePtr& list)
{
    return list ? std::span<const ValuePtr>(list->items) : std::span<const ValuePtr>();
}

ValuePtr roleOf(const ValuePtr& config, std::string_view role)
{
    return blockAt(config, "roles." + std::string(role));
}

/// The engine that speaks for the job: the shared one, else decode's, else agg's, else prefill's. Null: SGLang without settings.
ValuePtr servingEngine(const ValuePtr& config)
{
    if (ValuePtr shared = blockAt(config, "engine"))
        return shared;
    for (const std::string_view role : {"decode", "agg", "prefill"}) {
        if (ValuePtr own = blockAt(config, "roles." + std::string(role) + ".engine"))
            return own;
    }
    return nullptr;
}

std::string typeOf(const ValuePtr& engine)
{
    const std::string type = textOf(engine, "type");
    return type.empty() ? "sglang" : type;
}

ValuePtr resourcesOf(const ValuePtr& config)
{
    const ValuePtr own = blockAt(config, "resources");
    Block out(own);
    for (const Member& member : membersOf(own))
        out.add(member.key, member.value, member.keyRange);
    for (const RoleNames& names : roleNames) {
        const ValuePtr role = roleOf(config, names.role);
        const ValuePtr nodes = role ? role->find("nodes") : nullptr;
        const std::string prefix(names.role);
        if (nodes && nodes->isString()) // decode on the nodes of prefill
            out.add(prefix + "_nodes", at(nodes, syntax::makeInteger(0, Layer::Default)), keyRangeOf(role, "nodes"));
        else
            out.addOf(role, "nodes", prefix + "_nodes");
        out.addOf(role, "workers", prefix + "_workers");
        out.addOf(role, "gpus", "gpus_per_" + prefix);
    }
    return out.value();
}

/// The enabled service of that kind; null when there is none.
ValuePtr serviceOf(const ValuePtr& config, std::string_view type)
{
    const ValuePtr services = config->find("services");
    for (const ValuePtr& service : itemsOf(services)) {
        const ValuePtr enabled = service->find("enabled");
        if (textOf(service, "type") == type && !(enabled && enabled->kind == syntax::Kind::Bool && !enabled->boolean))
            return service;
    }
    return nullptr;
}

ValuePtr storeOf(const ValuePtr& config)
{
    const ValuePtr master = serviceOf(config, "mooncake-master");
    if (!master)
        return nullptr;
    const ValuePtr options = master->find("options");
    Block out(master);
    out.addOf(master, "container", "container");
    out.addOf(master, "env", "env");
    out.addOf(master, "args", "master_extra_args");
    for (const Member& option : membersOf(options))
        out.add(option.key, option.value, option.keyRange);
    return out.value();
}

ValuePtr backendOf(const ValuePtr& config)
{
    const ValuePtr engine = servingEngine(config);
    const std::string type = typeOf(engine);
    Block out(engine);
    const Member* written = engine ? engine->member("type") : nullptr;
    out.add("type", written ? written->value : syntax::makeString(type, Layer::Default), written ? written->keyRange : Range{});
    for (const Member& member : membersOf(engine)) {
        if (member.key != "type")
            out.add(member.key == "set_visible_devices" ? "set_cuda_visible_devices" : std::string_view(member.key), member.value,
                    member.keyRange);
    }
    Block flags;
    Block events;
    bool hasFlags = false;
    bool hasEvents = false;
    for (const RoleNames& names : roleNames) {
        const ValuePtr role = roleOf(config, names.role);
        const ValuePtr environment = role ? role->find("env") : nullptr;
        out.add(std::string(names.mode) + "_environment", environment ? environment : Block().value(), keyRangeOf(role, "env"));
        const ValuePtr own = role ? blockAt(role, "engine") : nullptr;
        const ValuePtr args = role ? role->find("args") : nullptr;
        // The flags of a role with an engine of its own say nothing to the serving engine.
        if (args && args->isMapping() && !args->members.empty() && (!own || typeOf(own) == type)) {
            flags.add(names.mode, args, keyRangeOf(role, "args"));
            hasFlags = true;
        } else {
            flags.add(names.mode, nullptr);
        }
        const ValuePtr event = role ? role->find("kv_events") : nullptr;
        if (event && !event->isNull()) {
            events.add(names.mode, event, keyRangeOf(role, "kv_events"));
            hasEvents = true;
        }
    }
    out.add(type + "_config", hasFlags ? flags.value() : nullptr);
    out.add("kv_events_config", hasEvents ? events.value() : nullptr);
    out.add("mooncake_kv_store", storeOf(config));
    return out.value();
}

/// The block without its placement, which is two keys in schema 1.
ValuePtr placed(const ValuePtr& block, std::string_view where, std::string_view dedicated)
{
    Block out(block);
    for (const Member& member : membersOf(block)) {
        if (member.key != "placement")
            out.add(member.key, member.value, member.keyRange);
    }
    const ValuePtr placement = blockAt(block, "placement");
    const ValuePtr node = placement ? placement->find("node") : nullptr;
    const Range key = keyRangeOf(placement, "node");
    const bool isDedicated = node && node->isString() && node->text == "dedicated";
    out.add(where, isDedicated || !node ? at(node, syntax::makeString("head", Layer::Default)) : node, key);
    out.add(dedicated, at(node, syntax::makeBool(isDedicated, Layer::Default)), key);
    return out.value();
}

ValuePtr frontendOf(const ValuePtr& config)
{
    ValuePtr out = placed(blockAt(config, "frontend"), "orchestrator_placement", "dedicated_node");
    const ValuePtr type = out->find("type");
    if (!type || !type->isString())
        return out;
    if (type->text == "sglang-router")
        return syntax::with(out, "type", at(type, syntax::makeString("sglang", Layer::Default)), keyRangeOf(out, "type"));
    if (type->text == "sglang")
        return syntax::with(out, "type", at(type, syntax::makeString("sglang-server", Layer::Default)), keyRangeOf(out, "type"));
    return out;
}

ValuePtr infraOf(const ValuePtr& config)
{
    Block out;
    ValuePtr dedicated;
    Range dedicatedKey;
    for (const std::string_view type : {"etcd", "nats"}) {
        const ValuePtr placement = blockAt(serviceOf(config, type), "placement");
        const Member* node = placement ? placement->member("node") : nullptr;
        if (node && node->value->isString() && node->value->text == "dedicated" && !dedicated) {
            dedicated = at(node->value, syntax::makeBool(true, Layer::Default));
            dedicatedKey = node->keyRange;
        }
    }
    out.add("etcd_nats_dedicated_node", dedicated ? dedicated : syntax::makeBool(false, Layer::Default), dedicatedKey);
    out.addOf(blockAt(serviceOf(config, "nats"), "options"), "max_payload_mb", "nats_max_payload_mb");
    return out.value();
}

ValuePtr dynamoOf(const ValuePtr& config)
{
    const ValuePtr own = blockAt(config, "dynamo");
    const ValuePtr source = blockAt(own, "source");
    Block out(own);
    for (const Member& member : membersOf(own)) {
        if (member.key != "source")
            out.add(member.key, member.value, member.keyRange);
    }
    const ValuePtr newest = own ? own->find("top_of_tree") : nullptr;
    if (!source && !(newest && newest->boolean))
        out.add("version", syntax::makeString("0.8.0", Layer::Default));
    else
        out.addOf(source, "pypi", "version");
    out.addOf(source, "rev", "hash");
    out.addOf(source, "wheel", "wheel");
    out.addOf(source, "patches", "cargo_patches");
    return out.value();
}

std::vector<Service> servicesOf(const ValuePtr& config)
{
    std::vector<Service> out;
    const ValuePtr services = config->find("services");
    for (const ValuePtr& block : itemsOf(services)) {
        Service service;
        service.name = textOf(block, "name");
        service.type = textOf(block, "type");
        const ValuePtr enabled = block->find("enabled");
        service.isEnabled = !enabled || enabled->kind != syntax::Kind::Bool || enabled->boolean;
        const ValuePtr nodes = block->find("nodes");
        service.nodes = nodes && nodes->kind == syntax::Kind::Integer ? nodes->integer : 0;
        service.block = block;
        const ValuePtr name = block->find("name");
        service.nameRange = name ? name->range : Range{};
        out.push_back(std::move(service));
    }
    return out;
}

class Omissions
{
public:
    explicit Omissions(const Job& job)
        : m_job(job)
    {
    }

    std::vector<syntax::Diagnostic> all()
    {
        addServices();
        addFrontend();
        for (const RoleNames& names : roleNames)
            addRole(std::string(names.role));
        addKey("engine.failover", "the shadow engines of failover");
        addKey("host_setup", "the commands on the hosts");
        addKey("post_eval.command", "the accuracy run after the benchmark");
        addKey("frontend.worker_selection", "the rules by which workers are chosen");
        return std::move(m_out);
    }

private:
    void add(Range range, syntax::Source source, std::string path, std::string message)
    {
        syntax::Diagnostic problem;
        problem.code = syntax::Code::NotRendered;
        problem.severity = syntax::Severity::Info;
        problem.range = range;
        problem.source = source;
        problem.path = std::move(path);
        problem.message = std::move(message);
        m_out.push_back(std::move(problem));
    }

    void addServices()
    {
        for (std::size_t i = 0; i < m_job.services.size(); ++i) {
            const Service& service = m_job.services[i];
            const bool isKnown = service.type == "etcd" || service.type == "nats" || service.type == "mooncake-master";
            if (service.isEnabled && !isKnown)
                add(service.nameRange, service.block->source, "services[" + std::to_string(i) + "]",
                    "The command of the service " + base::inQuotes(service.name) +
                        " is not among the artifacts; srtctl starts it all the same.");
        }
    }

    void addFrontend()
    {
        constexpr std::array<std::string_view, 4> known = {"dynamo", "sglang", "vllm", "trtllm_serve"};
        const ValuePtr type = syntax::at(m_job.written, "frontend.type");
        if (std::find(known.begin(), known.end(), m_job.frontend.type) == known.end() && m_job.frontend.type != "none" && type)
            add(type->range, type->source, "frontend.type",
                "What workers run behind the frontend " + base::inQuotes(type->text) +
                    " is not known here, so that their commands are those of another frontend.");
    }

    void addRole(const std::string& role)
    {
        addKey("roles." + role + ".container", "the container of its own of these workers");
        addKey("roles." + role + ".extra_args", "the further words of these workers");
        addKey("roles." + role + ".srun_options", "the srun options of these workers");
        addKey("roles." + role + ".restart", "the restarts of these workers");
        const ValuePtr sidecar = syntax::at(m_job.written, "roles." + role + ".sidecar");
        if (sidecar && sidecar->kind == syntax::Kind::Bool && sidecar->boolean)
            addKey("roles." + role + ".sidecar", "the sidecars of these workers");
        const ValuePtr engine = blockAt(m_job.written, "roles." + role + ".engine");
        if (engine)
            addKey("roles." + role + ".engine", "the commands of workers with an engine of their own");
        else if (const ValuePtr block = roleOf(m_job.written, role);
                 block && (m_job.backend.type == "atom" || m_job.backend.type == "tilert"))
            addKey("engine", "the commands of workers of this engine");
    }

    /// The key when it stands in a text and holds something.
    void addKey(const std::string& path, const std::string& what)
    {
        const std::size_t dot = path.rfind('.');
        const ValuePtr parent = dot == std::string::npos ? m_job.written : blockAt(m_job.written, path.substr(0, dot));
        const Member* member = parent ? parent->member(dot == std::string::npos ? path : path.substr(dot + 1)) : nullptr;
        if (!member || member->keyRange.isEmpty() || member->value->isNull() ||
            (!member->value->isScalar() && member->value->members.empty() && member->value->items.empty()))
            return;
        add(member->keyRange, member->value->source, path, "The artifacts do not show " + what + " yet; srtctl does it all the same.");
    }

    const Job& m_job;
    std::vector<syntax::Diagnostic> m_out;
};

} // namespace

ValuePtr inFirst(const ValuePtr& config)
{
    Block out(config);
    for (const Member& member : config->members) {
        if (member.key == "resources")
            out.add(member.key, resourcesOf(config), member.keyRange);
        else if (member.key == "engine")
            out.add("backend", backendOf(config), member.keyRange);
        else if (member.key == "frontend")
            out.add(member.key, frontendOf(config), member.keyRange);
        else if (member.key == "benchmark")
            out.add(member.key, placed(member.value, "client_placement", "client_dedicated_node"), member.keyRange);
        else if (member.key == "dynamo")
            out.add(member.key, dynamoOf(config), member.keyRange);
        else if (member.key == "services")
            out.add("infra", infraOf(config), member.keyRange);
        else if (member.key != "schema" && member.key != "roles")
            out.add(member.key, member.value, member.keyRange);
    }
    return out.value();
}

Job lowerSecond(const ValuePtr& config)
{
    Job out = lower(inFirst(config));
    out.schema = 2;
    out.written = config;
    out.resources.declaresPhases = roleOf(config, "prefill") || roleOf(config, "decode");
    out.services = servicesOf(config);
    for (const Service& service : out.services) {
        if (service.isEnabled)
            out.poolNodes = base::sum(out.poolNodes, service.nodes);
    }
    return out;
}

std::vector<syntax::Diagnostic> notRendered(const Job& job)
{
    return Omissions(job).all();
}

} // namespace wb::recipe
