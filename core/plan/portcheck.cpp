#include "core/plan/portcheck.h"

#include "core/plan/modes.h"
#include "core/plan/ports.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

namespace wb::plan {

namespace {

/// Ports [first, end) that a process listens on.
struct Span {
    std::int64_t first = 0;
    std::int64_t end = 0;
    std::string_view what;
    const Process* process = nullptr; ///< Null: the head node's own.
};

/// A range of ports and the one behind it, with the first port behind what is used of it.
struct Use {
    std::string_view what;
    std::int64_t first = 0;
    std::int64_t end = 0;
    std::string_view next;
    std::int64_t nextFirst = 0;
};

bool usesNixl(const recipe::Job& job)
{
    return job.backend.type == "vllm";
}

/// Data-parallel ranks within a process.
std::int64_t localRanks(const std::optional<DataParallel>& ranks, const Process& process)
{
    if (!ranks || ranks->perGpu)
        return 1;
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(process.gpus.size()) / std::max<std::int64_t>(1, ranks->replica));
}

std::vector<Span> spansOf(const recipe::Job& job, const Process& process, const std::optional<DataParallel>& ranks)
{
    std::vector<Span> spans;
    const auto add = [&](std::optional<std::int64_t> port, std::int64_t size, std::string_view what) {
        if (port && *port > 0)
            spans.push_back({*port, *port + size, what, &process});
    };
    const std::int64_t local = localRanks(ranks, process);
    add(process.httpPort, ports::httpStep, "HTTP");
    add(process.sysPort, 1, "system");
    add(process.bootstrapPort && process.rank == 0 ? process.bootstrapPort : std::nullopt, 1, "bootstrap");
    add(process.kvEventsPort, local, "kv-events");
    if (usesNixl(job) && process.nixlPort)
        add(*process.nixlPort + (ranks ? process.rank : 0), local, "NIXL");
    if (process.rank == 0)
        add(process.dpRpcPort, 1, "data-parallel RPC");
    return spans;
}

std::array<Use, 6> usesOf(const recipe::Job& job, const Topology& topology)
{
    std::array<Use, 6> uses{{{"kv-events", ports::kvEvents, 0, "NIXL", ports::nixl},
                             {"NIXL", ports::nixl, 0, "HTTP", ports::http},
                             {"HTTP", ports::http, 0, "bootstrap", ports::bootstrap},
                             {"bootstrap", ports::bootstrap, 0, "system", ports::system},
                             {"system", ports::system, 0, "public", ports::publicApi},
                             {"data-parallel RPC", ports::dpRpc, 0, "mooncake", ports::mooncake}}};
    if (!usesNixl(job))
        uses[0].next = "HTTP", uses[0].nextFirst = ports::http;
    for (const Process& process : topology.processes) {
        const auto ranks = process.dpRpcPort ? dataParallel(job, process.mode) : std::nullopt;
        const std::int64_t local = localRanks(ranks, process);
        const auto reach = [](Use& use, std::int64_t end) { use.end = std::max(use.end, end); };
        reach(uses[0], process.kvEventsPort.value_or(0) + local);
        if (usesNixl(job))
            reach(uses[1], process.nixlPort.value_or(0) + (ranks ? ranks->size : 1));
        reach(uses[2], process.httpPort.value_or(0) + ports::httpStep);
        reach(uses[3], process.bootstrapPort.value_or(0) + 1);
        reach(uses[4], process.sysPort.value_or(0) + 1);
        reach(uses[5], process.dpRpcPort.value_or(0) + 1);
    }
    return uses;
}

std::string label(const Process& process)
{
    return std::string(word(process.mode)) + " worker " + std::to_string(process.index);
}

/// The first pair of processes that meet on a node, as a diagnostic.
bool tellMeeting(Findings& findings, const Topology& topology)
{
    const recipe::Job& job = findings.job();
    std::map<std::string_view, std::vector<Span>> byNode;
    byNode[topology.head].push_back({ports::publicApi, ports::publicApi + 1, "public", nullptr});
    for (const Process& process : topology.processes) {
        const auto spans = spansOf(job, process, process.dpRpcPort ? dataParallel(job, process.mode) : std::nullopt);
        auto& all = byNode[process.node];
        all.insert(all.end(), spans.begin(), spans.end());
    }
    for (auto& [node, spans] : byNode) {
        std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.first < b.first; });
        for (std::size_t i = 1; i < spans.size(); ++i) {
            const Span& before = spans[i - 1];
            const Span& after = spans[i];
            if (after.first >= before.end)
                continue;
            const Process* process = after.process ? after.process : before.process;
            const auto said = [](const Span& span) {
                return span.process ? "the " + std::string(span.what) + " port of " + label(*span.process)
                                    : std::string("the public port of the head node");
            };
            findings.add(syntax::Code::PortClash, syntax::Severity::Error, {workersKey(process->mode)},
                         "On " + std::string(node) + " " + said(before) + " and " + said(after) + " meet at " +
                             std::to_string(after.first) + "; place fewer workers on a node.");
            return true;
        }
    }
    return false;
}

/// Ports of the exporters, which run on every node of the workers, against those that are always taken there and against each other.
void checkExporters(Findings& findings)
{
    struct Exporter {
        std::string_view block;
        std::string_view isOn;
    };
    constexpr std::array<Exporter, 3> exporters = {{{"telemetry.dcgm_exporter", "telemetry.enabled"},
                                                    {"observability.tachometer.dcgm_exporter", "observability.tachometer.enabled"},
                                                    {"observability.tachometer.node_exporter", "observability.tachometer.enabled"}}};
    struct Fixed {
        std::int64_t port;
        std::string_view what;
    };
    constexpr std::array<Fixed, 8> fixed = {{{ports::etcd, "etcd"},
                                             {ports::nats, "NATS"},
                                             {ports::publicApi, "the public address of the job"},
                                             {ports::frontend, "the frontends behind nginx"},
                                             {ports::distInit, "the ranks of SGLang"},
                                             {ports::mooncake, "the Mooncake master"},
                                             {ports::mooncake + 1, "the Mooncake master"},
                                             {ports::mooncake + 2, "the Mooncake master"}}};
    std::map<std::int64_t, std::string> taken;
    for (const Exporter& exporter : exporters) {
        const syntax::ValuePtr isOn = syntax::at(findings.job().config, exporter.isOn);
        const std::string path = std::string(exporter.block) + ".port";
        const syntax::ValuePtr port = syntax::at(findings.job().config, path);
        if (!isOn || !isOn->boolean || !port || port->kind != syntax::Kind::Integer)
            continue;
        for (const Fixed& other : fixed) {
            if (other.port == port->integer)
                findings.add(syntax::Code::PortClash, syntax::Severity::Error, {path},
                             "The exporter would listen on " + std::to_string(port->integer) + ", which is the port of " +
                                 std::string(other.what) + "; choose another.");
        }
        const auto [earlier, isNew] = taken.emplace(port->integer, path);
        if (!isNew) {
            findings.add(syntax::Code::PortClash, syntax::Severity::Error, {path},
                         "Two exporters of one node would listen on " + std::to_string(port->integer) + "; choose another port for one.");
            findings.note({earlier->second}, "The other exporter.");
        }
    }
}

void checkHighest(Findings& findings, const Topology& topology)
{
    const auto count = static_cast<std::int64_t>(topology.processes.size());
    const bool isVllm = findings.job().backend.type == "vllm";
    const std::int64_t highest = isVllm ? ports::vllm + ports::vllmStep * (count - 1) : ports::nccl + count - 1;
    if (highest <= ports::last)
        return;
    findings.add(syntax::Code::PortClash, syntax::Severity::Error, {workersKey(topology.processes.back().mode)},
                 "The last of " + std::to_string(count) + " processes would get port " + std::to_string(highest) + ", but ports end at " +
                     std::to_string(ports::last) + ".");
}

} // namespace

void checkPorts(Findings& findings, const Topology& topology)
{
    if (topology.processes.empty())
        return;
    checkHighest(findings, topology);
    checkExporters(findings);
    const auto uses = usesOf(findings.job(), topology);
    if (std::none_of(uses.begin(), uses.end(), [](const Use& use) { return use.end > use.nextFirst; }))
        return;
    if (tellMeeting(findings, topology))
        return;
    for (const Use& use : uses) {
        if (use.end <= use.nextFirst)
            continue;
        findings.add(syntax::Code::PortClash, syntax::Severity::Warning, {workersKey(topology.processes.back().mode)},
                     "The " + std::string(use.what) + " ports (" + std::to_string(use.first) + " to " + std::to_string(use.end - 1) +
                         ") run into the " + std::string(use.next) + " ports, which begin at " + std::to_string(use.nextFirst) +
                         "; no two processes of one node meet yet.");
    }
}

} // namespace wb::plan
