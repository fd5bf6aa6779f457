// What the portable launcher takes, what it refuses and what it does in its own way.
//
// To add a limit: a row in `limits`.
#include "core/base/shell.h"
#include "core/base/text.h"
#include "core/engines/engine.h"
#include "core/plan/paths.h"
#include "core/plan/topology.h"
#include "core/recipe/lowerv2.h"
#include "core/recipe/renames.h"
#include "core/render/block.h"
#include "core/render/portable.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace wb::render {

namespace {

using recipe::Job;
using syntax::ValuePtr;

ValuePtr benchmarkValue(const Job& job, std::string_view key)
{
    return Block(job.benchmark.block).find(key);
}

bool isOneOf(std::string_view text, std::initializer_list<std::string_view> choices)
{
    return std::find(choices.begin(), choices.end(), text) != choices.end();
}

bool isMeasuredByEngine(const Job& job)
{
    return job.benchmark.type == "sa-bench";
}

/// A key at which the launcher does nothing of what it asks for.
struct Limit {
    std::string_view key; ///< In the words of schema 1.
    std::string_view why; ///< Goes on "The portable launcher ".
    bool (*isHit)(const Job&) = nullptr;
};

constexpr Limit limits[] = {
    {"backend.type", "starts sglang, vllm and mocker only.",
     [](const Job& job) {
         return !isOneOf(job.backend.type, {"sglang", "vllm", "mocker"});
     }},
    {"frontend.type", "starts the frontends dynamo, sglang and vllm only.",
     [](const Job& job) {
         return !isOneOf(job.frontend.type, {"dynamo", "sglang", "vllm"});
     }},
    {"benchmark.type", "runs the benchmarks manual, custom and sa-bench only.",
     [](const Job& job) {
         return !isOneOf(job.benchmark.type, {"manual", "custom", "sa-bench"});
     }},
    {"resources", "does not start heterogeneous jobs.", [](const Job& job) { return plan::isHeterogeneous(job); }},
    {"profiling.type", "does not profile.",
     [](const Job& job) {
         const std::string type = engines::textAt(job.config, "profiling.type");
         return !type.empty() && type != "none";
     }},
    {"backend.mooncake_kv_store", "does not start a Mooncake store.",
     [](const Job& job) {
         const ValuePtr store = job.backend.options ? job.backend.options->find("mooncake_kv_store") : nullptr;
         return store && store->isMapping();
     }},
    {"model.stage_dir", "does not copy the model to the nodes.", [](const Job& job) { return job.stageDir && !job.stageDir->empty(); }},
    {"telemetry.enabled", "does not measure power.", [](const Job& job) { return engines::isTrueAt(job.config, "telemetry.enabled"); }},
    {"observability.tachometer", "does not run Tachometer.",
     [](const Job& job) { return engines::isTrueAt(job.config, "observability.tachometer.enabled"); }},
    {"observability.scrape_metrics", "does not scrape metrics.",
     [](const Job& job) { return engines::isTrueAt(job.config, "observability.scrape_metrics"); }},
    {"dynamo.cargo_patches", "does not patch dynamo's source.",
     [](const Job& job) {
         const ValuePtr patches = syntax::at(job.config, "dynamo.cargo_patches");
         return job.frontend.type == "dynamo" && patches && !patches->isNull() && (!patches->items.empty() || !patches->members.empty());
     }},
    {"infra.nats_max_payload_mb", "cannot tell NATS so many bytes.", isPayloadTooLarge},
    {"benchmark.isl", "needs it for sa-bench.",
     [](const Job& job) { return isMeasuredByEngine(job) && job.benchmark.isl.value_or(0) <= 0; }},
    {"benchmark.osl", "needs it for sa-bench.",
     [](const Job& job) { return isMeasuredByEngine(job) && job.benchmark.osl.value_or(0) <= 0; }},
    {"benchmark.concurrencies", "needs it for sa-bench.",
     [](const Job& job) { return isMeasuredByEngine(job) && job.benchmark.concurrencies.empty(); }},
    {"benchmark.dataset_name", "measures with random prompts only.",
     [](const Job& job) {
         const ValuePtr name = benchmarkValue(job, "dataset_name");
         return isMeasuredByEngine(job) && name && !name->text.empty() && name->text != "random";
     }},
    {"benchmark.dataset_path", "measures with random prompts only.",
     [](const Job& job) {
         const ValuePtr path = benchmarkValue(job, "dataset_path");
         return isMeasuredByEngine(job) && path && !path->text.empty();
     }},
    {"benchmark.reuse_http_connections", "cannot make the engine's client keep its connections.",
     [](const Job& job) {
         const ValuePtr keeps = benchmarkValue(job, "reuse_http_connections");
         return isMeasuredByEngine(job) && keeps && keeps->boolean;
     }},
    {"benchmark.slow_down_sleep_time", "cannot slow decode workers down.",
     [](const Job& job) {
         return isMeasuredByEngine(job) && job.frontend.type == "sglang" && benchmarkValue(job, "slow_down_sleep_time");
     }},
    {"benchmark.command", "needs it for the benchmark \"custom\".",
     [](const Job& job) {
         const ValuePtr command = benchmarkValue(job, "command");
         return job.benchmark.type == "custom" && (!command || command->text.empty());
     }},
};

/// The marks of portable.cpp and NUL, which no shell can pass on, stand in no text that goes into the script.
bool isUnfit(std::string_view text)
{
    return text.find_first_of(std::string_view("\0\x01\x02", 3)) != std::string_view::npos;
}

/// The first key below this one whose text, or whose own name, is unfit.
std::string unfitKey(const syntax::Value& value, const std::string& path)
{
    if (isUnfit(value.text))
        return path;
    for (std::size_t i = 0; i < value.items.size(); ++i)
        if (const std::string found = unfitKey(*value.items[i], path + "[" + std::to_string(i) + "]"); !found.empty())
            return found;
    for (const syntax::Member& member : value.members) {
        const std::string below = path.empty() ? member.key : path + "." + member.key;
        if (isUnfit(member.key))
            return below;
        if (const std::string found = unfitKey(*member.value, below); !found.empty())
            return found;
    }
    return {};
}

class Refusals
{
public:
    explicit Refusals(const Job& job)
        : m_job(job)
    {
    }

    void add(std::string_view key, std::string_view why)
    {
        const std::string said = m_job.schema == 2 ? recipe::inSecond(key) : std::string(key);
        m_all.push_back({said, base::inQuotes(said) + ": the portable launcher " + std::string(why)});
    }
    std::vector<Refusal> take() { return std::move(m_all); }

private:
    const Job& m_job;
    std::vector<Refusal> m_all;
};

bool isOptionName(std::string_view name)
{
    const auto isPart = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    };
    return !name.empty() && name.front() != '-' && std::all_of(name.begin(), name.end(), isPart);
}

void addNames(Refusals& refusals, const Job& job)
{
    const auto variables = [&](const recipe::TextPairs& pairs, std::string_view key) {
        for (const auto& [name, value] : pairs)
            if (!base::isVariableName(name))
                refusals.add(key, "cannot set a variable of the name " + base::inQuotes(name) + ".");
    };
    variables(job.environment, "environment");
    variables(job.backend.prefill.environment, "backend.prefill_environment");
    variables(job.backend.decode.environment, "backend.decode_environment");
    variables(job.backend.agg.environment, "backend.aggregated_environment");
    const auto block = [&](const ValuePtr& owner, std::string_view key) {
        const ValuePtr own = owner ? owner->find("env") : nullptr;
        if (!own)
            return;
        for (const syntax::Member& member : own->members)
            if (!base::isVariableName(member.key))
                refusals.add(key, "cannot set a variable of the name " + base::inQuotes(member.key) + ".");
    };
    block(job.frontend.block, "frontend.env");
    block(job.benchmark.block, "benchmark.env");
    for (const auto& [name, value] : job.srunOptions)
        if (!isOptionName(name))
            refusals.add("srun_options", "takes " + base::inQuotes(name) + " for no option of srun.");
}

/// #SBATCH lines know quotes, but not every way out of them.
void addDirectives(Refusals& refusals, const Job& job)
{
    const auto bad = [](std::string_view text) {
        return base::hasControlCharacter(text) || text.find_first_of("\"'\\`$") != std::string_view::npos;
    };
    const std::string_view why = "cannot put it into an #SBATCH line: it holds a quote, a backslash, a dollar sign or a line break.";
    if (bad(job.name))
        refusals.add("name", why);
    if (job.account && bad(*job.account))
        refusals.add("slurm.account", why);
    if (job.partition && bad(*job.partition))
        refusals.add("slurm.partition", why);
    if (job.timeLimit && bad(*job.timeLimit))
        refusals.add("slurm.time_limit", why);
    for (const auto& [key, value] : job.sbatchDirectives)
        if (bad(key) || bad(value) || !isOptionName(key))
            refusals.add("sbatch_directives", why);
}

/// The list of mounts has commas between them and colons in them.
void addMounts(Refusals& refusals, const Job& job, const recipe::Cluster& cluster)
{
    const auto bad = [](std::string_view text) { return text.find_first_of(",\n") != std::string_view::npos; };
    if (!plan::isFetchedModel(job) && (bad(job.modelPath) || job.modelPath.find(':') != std::string::npos))
        refusals.add("model.path", "cannot mount a folder with a comma, a colon or a line break in its name.");
    for (const Mount& mount : askedMounts(job, cluster)) {
        if (bad(mount.host) || bad(mount.container) || mount.host.find(':') != std::string::npos)
            refusals.add(mount.source == "extra_mount" ? "extra_mount" : "container_mounts",
                         "cannot mount " + base::inQuotes(mount.host) + ": a comma, a colon or a line break separates mounts.");
    }
}

} // namespace

std::vector<Refusal> refusals(const Job& job, const recipe::Cluster& cluster, const Context& context)
{
    Refusals out(job);
    if (context.launcher == Launcher::Srtctl)
        return out.take();
    for (const Limit& limit : limits)
        if (limit.isHit(job))
            out.add(limit.key, limit.why);
    const bool hasFolder = !servicesFolder(cluster, context).empty();
    if (job.frontend.type == "dynamo" && !hasFolder)
        out.add("frontend.type",
                "starts dynamo's frontend only where the profile names a folder with nats-server and etcd (or the cluster file names "
                "srtctl_root).");
    if (job.setupScript && !job.setupScript->empty() && !hasFolder)
        out.add("setup_script", "finds it only where the profile names the folder that holds it (or the cluster file names srtctl_root).");
    if (job.schema == 2) {
        // Whatever the artifacts cannot show yet, this launcher cannot do.
        for (const syntax::Diagnostic& omission : recipe::notRendered(job))
            out.add(omission.path, "does not do what stands there.");
    }
    if (job.config) {
        if (const std::string key = unfitKey(*job.config, {}); !key.empty())
            out.add(key, "cannot pass on a control character in it.");
    }
    addNames(out, job);
    addDirectives(out, job);
    addMounts(out, job, cluster);
    return out.take();
}

std::vector<std::string> portableNotes(const Job& job)
{
    std::vector<std::string> out;
    if (!isMeasuredByEngine(job))
        return out;
    out.emplace_back("The benchmark \"sa-bench\" is measured by the client of the engine in the image: the result says which.");
    if (const ValuePtr tokenizer = benchmarkValue(job, "custom_tokenizer"); tokenizer && !tokenizer->text.empty())
        out.emplace_back("\"benchmark.custom_tokenizer\" is not known to that client: prompts are counted with the model's own tokenizer.");
    const ValuePtr templated = benchmarkValue(job, "use_chat_template");
    if (job.backend.type == "vllm" && (!templated || templated->boolean))
        out.emplace_back("\"benchmark.use_chat_template\" is not known to vLLM's client: prompts are sent as they are.");
    return out;
}

} // namespace wb::render
