// Steps beside the workers that most jobs do without: Mooncake's master, the model brought into place, exporters and the scraper. Facts:
// what srt-slurm starts, state of 2026-08-21; no golden launch has one, so tests/core/render/services_test.cpp stands for them.
#include "core/base/shell.h"
#include "core/base/text.h"
#include "core/engines/engine.h"
#include "core/plan/paths.h"
#include "core/plan/ports.h"
#include "core/render/steps.h"
#include "core/syntax/yaml.h"

#include <algorithm>
#include <map>
#include <utility>

namespace wb::render {

namespace {

using recipe::Job;
using syntax::ValuePtr;

constexpr std::string_view powerCommand = "dcgm-exporter --collect-interval=100 --address :{port}";
constexpr std::string_view nodeCommand = "/bin/node_exporter --web.listen-address=:{port} --collector.disable-defaults --collector.cpu "
                                         "--collector.infiniband --collector.meminfo";

ValuePtr mooncakeStore(const Job& job)
{
    const ValuePtr store = job.backend.options ? job.backend.options->find("mooncake_kv_store") : nullptr;
    const bool isKnown = job.backend.type == "sglang" || job.backend.type == "vllm";
    return isKnown && store && store->isMapping() ? store : nullptr;
}

Step stepOf(Phase phase, std::string role, std::string name, std::vector<std::string> nodes)
{
    Step step;
    step.phase = phase;
    step.role = std::move(role);
    step.log = name + ".out";
    step.launch.name = std::move(name);
    step.launch.nodes = std::move(nodes);
    return step;
}

Step mooncakeMaster(const Job& job, const syntax::Value& store, const plan::Topology& topology)
{
    Step step = stepOf(Phase::Infra, "Mooncake master", "mooncake_master", {topology.infra});
    const ValuePtr container = store.find("container");
    step.image = container && container->isString() && !container->text.empty() ? container->text : job.container;
    const auto port = [](std::int64_t offset) { return std::to_string(plan::ports::mooncake + offset); };
    step.launch.command = {"mooncake_master",
                           "--port=" + port(0),
                           "--enable_http_metadata_server=true",
                           "--http_metadata_server_port=" + port(1),
                           "--eviction_high_watermark_ratio=0.9",
                           "--default_kv_lease_ttl=10000",
                           "--rpc_thread_num=16",
                           "--enable_metric_reporting=true",
                           "--metrics_port=" + port(2)};
    if (const ValuePtr more = store.find("master_extra_args"))
        for (const ValuePtr& word : more->items)
            step.launch.command.push_back(word->text);
    return step;
}

/// The first node of the workers fetches the model, where a mode names the folder that all nodes share.
std::optional<Step> modelDownload(const Job& job, const plan::Topology& topology)
{
    if (!plan::isFetchedModel(job) || topology.workerNodes.empty())
        return {};
    for (const plan::Mode mode : plan::allModes) {
        const recipe::TextPairs& variables = job.backend.of(mode).environment;
        const auto home = std::find_if(variables.begin(), variables.end(), [](const auto& each) { return each.first == "HF_HOME"; });
        if (home == variables.end())
            continue;
        Step step = stepOf(Phase::Model, "model download", "model_download", {topology.workerNodes.front()});
        step.image = job.container;
        step.usesShell = false;
        step.isInlineText = true;
        // In the words of this program: what it does is the same.
        const std::string folder = base::shellQuoted(home->second);
        const std::string model = base::shellQuoted(plan::modelSource(job));
        step.launch.command = {"bash", "-c",
                               "export HF_HOME=" + folder + "\nfind " + folder +
                                   " -name '*.lock' -mmin +30 -delete 2>/dev/null\n"
                                   "if command -v hf >/dev/null 2>&1; then tool=hf; else tool=huggingface-cli; fi\n"
                                   "HF_HUB_OFFLINE=1 \"$tool\" download " +
                                   model + " --quiet 2>/dev/null || \"$tool\" download " + model + " --quiet"};
        return step;
    }
    return {};
}

/// Each node of the workers gets its copy of the model before they start.
std::vector<Step> modelCopies(const Job& job, const plan::Topology& topology)
{
    std::vector<Step> out;
    const std::string staged = plan::stagedModel(job);
    if (staged.empty())
        return out;
    for (const std::string& node : topology.workerNodes) {
        Step step = stepOf(Phase::Model, "copy of the model", "stage_model_" + node, {node});
        step.image = job.container;
        step.launch.command = {"bash", "/srtctl-runtime/stage_model.sh", "/model", staged};
        out.push_back(std::move(step));
    }
    return out;
}

/// Words as a shell parts them, without any of its expansions.
std::vector<std::string> words(std::string_view text)
{
    std::vector<std::string> out;
    bool isWord = false;
    char quote = '\0';
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool isBlank = quote == '\0' && (c == ' ' || c == '\t' || c == '\n');
        if (isBlank) {
            isWord = false;
            continue;
        }
        if (!isWord)
            out.emplace_back();
        isWord = true;
        if (c == quote)
            quote = '\0';
        else if (quote == '\0' && (c == '"' || c == '\''))
            quote = c;
        else if (c == '\\' && quote != '\'' && i + 1 < text.size())
            out.back() += text[++i];
        else
            out.back() += c;
    }
    return out;
}

/// Nodes on which workers run, sorted, by the component of a heterogeneous job (0 for all of another).
std::map<std::int64_t, std::vector<std::string>> workingNodes(const plan::Topology& topology)
{
    std::map<std::int64_t, std::vector<std::string>> out;
    for (const plan::Process& process : topology.processes)
        out[topology.het ? process.hetGroup.value_or(0) : 0].push_back(process.node);
    for (auto& [group, nodes] : out) {
        std::sort(nodes.begin(), nodes.end());
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    }
    return out;
}

struct Exporter {
    std::string_view path; ///< Of its block in the recipe.
    std::string_view role;
    std::string_view name;
    std::string_view command; ///< Where the recipe has none.
    bool usesShell = true;
};

void addExporter(const Job& job, const plan::Topology& topology, const Exporter& exporter, std::vector<Step>& out)
{
    const ValuePtr block = job.config ? syntax::at(job.config, exporter.path) : nullptr;
    if (!block || !block->isMapping())
        return;
    const ValuePtr port = block->find("port");
    const std::string own = engines::textAt(block, "command");
    const std::string command =
        base::replacedAll(own.empty() ? exporter.command : std::string_view(own), "{port}", port ? port->text : std::string());
    const auto groups = workingNodes(topology);
    for (const auto& [group, nodes] : groups) {
        Step step = stepOf(Phase::Telemetry, std::string(exporter.role), std::string(exporter.name), nodes);
        if (groups.size() > 1) {
            step.launch.name += "_g" + std::to_string(group);
            step.log = std::string(exporter.name) + ".g" + std::to_string(group) + ".out";
        }
        step.image = engines::textAt(block, "container_image");
        step.usesShell = exporter.usesShell;
        step.launch.tasks = static_cast<std::int64_t>(nodes.size());
        step.launch.command = words(command);
        step.launch.srunOptions = job.srunOptions;
        out.push_back(std::move(step));
    }
}

Step tachometer(const Job& job, const recipe::Cluster& cluster, const plan::Topology& topology)
{
    const ValuePtr block = syntax::at(job.config, "observability.tachometer");
    const std::string logs = plan::logFolder(cluster);
    Step step = stepOf(Phase::Telemetry, "Tachometer", "tachometer", {topology.head}); // on the host: it has no image
    step.launch.command = {engines::textAt(block, "binary_path"), "--config", logs + "/tachometer_config.toml", "--local-dir",
                           logs + "/" + engines::textAt(block, "storage_subdir") + "/local"};
    const auto number = [&](std::string_view key) {
        const ValuePtr value = block->find(key);
        return value && value->kind == syntax::Kind::Integer ? value->integer : 0;
    };
    if (number("sync_interval_secs") > 0) {
        step.launch.command.emplace_back("--sync-interval");
        step.launch.command.push_back(std::to_string(number("sync_interval_secs")));
    }
    if (number("compaction_threads") > 0)
        step.launch.environment = {
            {"POLARS_MAX_THREADS", std::to_string(number("compaction_threads")), "observability.tachometer.compaction_threads"}};
    step.launch.srunOptions = job.srunOptions;
    return step;
}

} // namespace

std::vector<Step> stepsBeforeWorkers(const Job& job, const plan::Topology& topology)
{
    std::vector<Step> out;
    if (const ValuePtr store = mooncakeStore(job))
        out.push_back(mooncakeMaster(job, *store, topology));
    if (auto download = modelDownload(job, topology))
        out.push_back(*std::move(download));
    for (Step& copy : modelCopies(job, topology))
        out.push_back(std::move(copy));
    return out;
}

std::vector<Step> telemetrySteps(const Job& job, const recipe::Cluster& cluster, const plan::Topology& topology)
{
    std::vector<Step> out;
    const bool measuresPower = engines::isTrueAt(job.config, "telemetry.enabled");
    if (measuresPower) // images of this exporter have no shell
        addExporter(job, topology, {"telemetry.dcgm_exporter", "power exporter", "telemetry_dcgm_exporter", powerCommand, false}, out);
    if (!engines::isTrueAt(job.config, "observability.tachometer.enabled"))
        return out;
    if (!measuresPower)
        addExporter(job, topology,
                    {"observability.tachometer.dcgm_exporter", "GPU exporter of Tachometer", "tachometer_dcgm_exporter", powerCommand},
                    out);
    addExporter(job, topology,
                {"observability.tachometer.node_exporter", "node exporter of Tachometer", "tachometer_node_exporter", nodeCommand}, out);
    out.push_back(tachometer(job, cluster, topology));
    return out;
}

std::string mooncakeStoreConfig(const Job& job, const plan::Topology& topology)
{
    const ValuePtr store = mooncakeStore(job);
    if (!store || job.backend.type != "vllm")
        return {};
    base::json::Value out{base::json::Object{}};
    if (const ValuePtr written = store->find("store_config"); written && written->isMapping())
        out = syntax::toJson(*written);
    out.set("master_server_address", plan::addressOf(topology.infra) + ":" + std::to_string(plan::ports::mooncake));
    std::string text = base::json::write(out);
    text.pop_back(); // srtctl ends it without a line break
    return text;
}

} // namespace wb::render
