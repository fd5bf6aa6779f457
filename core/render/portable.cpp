#include "core/render/portable.h"

#include "core/base/shell.h"
#include "core/base/text.h"
#include "core/engines/engine.h"
#include "core/plan/paths.h"
#include "core/plan/ports.h"
#include "core/render/block.h"
#include "core/render/jobscript.h"
#include "core/render/metadata.h"
#include "core/render/steps.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wb::resources {
std::string_view runtimeFiles(std::string_view name);
}

namespace wb::render {

namespace {

using recipe::Job;

// What is known at run time only stands in texts as a letter and perhaps a number between two characters that no recipe may hold
// (`refusals` sees to that).
constexpr char opening = '\x01';
constexpr char closing = '\x02';

std::string mark(std::string_view what)
{
    return opening + std::string(what) + closing;
}
const std::string logsMark = mark("logs");
const std::string jobFolderInLogs = logsMark + "/" + std::string(plan::unknownJob) + "/logs"; // as plan::logFolder puts it together
const std::string runtimeMark = mark("runtime");
const std::string submitMark = mark("submit");
const std::string timeMark = mark("time");
const std::string jobMark = mark("job");

/// The variable that holds what a mark stands for.
std::string variableOf(std::string_view what)
{
    if (what == "logs")
        return "\"$srt_logs\"";
    if (what == "hostlogs")
        return "\"$srt_host_logs\"";
    if (what == "runtime")
        return "\"$srt_runtime\"";
    if (what == "submit")
        return "\"$SLURM_SUBMIT_DIR\"";
    if (what == "time")
        return "\"$srt_time\"";
    if (what == "job")
        return "\"$SLURM_JOB_ID\"";
    return "\"${srt_node[" + std::string(what) + "]}\""; // the number of a node
}

/// A text as one word of the script: quoted, but for the marks in it.
std::string word(std::string_view given)
{
    if (given.find(opening) == std::string_view::npos)
        return base::shellQuoted(given);
    const std::string own = base::replacedAll(given, jobFolderInLogs, logsMark);
    std::string_view text = own;
    std::string out;
    while (!text.empty()) {
        const std::size_t at = text.find(opening);
        if (at == std::string_view::npos)
            return out + base::shellQuoted(text);
        std::string_view before = text.substr(0, at);
        const std::size_t end = text.find(closing, at);
        const std::string_view what = text.substr(at + 1, end - at - 1);
        std::string_view after = text.substr(end + 1);
        constexpr std::string_view addressTail = "-ip>"; // of plan::addressOf
        const bool isAddress = before.ends_with('<') && after.starts_with(addressTail);
        if (isAddress) {
            before.remove_suffix(1);
            after.remove_prefix(addressTail.size());
        }
        if (!before.empty())
            out += base::shellQuoted(before);
        out += isAddress ? "\"${srt_address[" + std::string(what) + "]}\"" : variableOf(what);
        text = after;
    }
    return out;
}

/// Folders that containers see under a fixed name are elsewhere for plain processes: a word that is one of them, or a path below it,
/// begins with the variable. In a container that says the same.
std::string pathWord(std::string_view text)
{
    for (const auto& [folder, variable] :
         {std::pair<std::string_view, std::string_view>{"/model", "\"$srt_model\""}, {"/logs", "\"$srt_logs\""}}) {
        if (text == folder)
            return std::string(variable);
        if (text.starts_with(folder) && text[folder.size()] == '/')
            return std::string(variable) + word(text.substr(folder.size()));
    }
    return word(text);
}

/// The topology with a mark for each node's name.
plan::Topology marked(const plan::Topology& topology)
{
    std::map<std::string, std::string, std::less<>> names;
    plan::Topology out = topology;
    for (std::size_t i = 0; i < out.nodes.size(); ++i)
        names[out.nodes[i]] = mark(std::to_string(i));
    const auto rename = [&](std::string& node) { node = names.at(node); };
    for (std::vector<std::string>* list : {&out.nodes, &out.workerNodes})
        std::for_each(list->begin(), list->end(), rename);
    for (std::string* node : {&out.head, &out.infra, &out.bench})
        rename(*node);
    for (plan::Endpoint& endpoint : out.endpoints)
        std::for_each(endpoint.nodes.begin(), endpoint.nodes.end(), rename);
    for (plan::Process& process : out.processes)
        rename(process.node);
    return out;
}

/// What stands between the marks of a node.
std::string positionOf(const std::string& node)
{
    return node.substr(1, node.size() - 2);
}

class Script
{
public:
    void assign(std::string_view name, std::string_view value) { line(std::string(name) + "=" + word(value)); }
    void assign(std::string_view name, std::int64_t value) { line(std::string(name) + "=" + std::to_string(value)); }
    void line(std::string_view text)
    {
        m_text += text;
        m_text += '\n';
    }
    void array(std::string_view name, const std::vector<std::string>& words)
    {
        if (words.empty())
            return;
        line("    " + std::string(name) + "=(");
        for (const std::string& each : words)
            line("        " + each);
        line("    )");
    }
    std::string take() { return std::move(m_text); }

private:
    std::string m_text;
};

/// What is done in the container before a process starts.
std::string needsOf(const Job& job, const Step& step, bool isLeader)
{
    std::string needs;
    const bool isDynamoFrontend = step.phase == Phase::Frontend && job.frontend.type == "dynamo" && !step.isProxy;
    if (job.setupScript && !job.setupScript->empty() && (step.phase == Phase::Workers || isDynamoFrontend))
        needs += "setup ";
    if (step.launch.installsDynamo)
        needs += "dynamo ";
    if (step.phase == Phase::Workers && isLeader)
        needs += "fingerprint:" + std::string(plan::name(step.launch.mode)) + "_w" + std::to_string(step.launch.index) + " ";
    if (!needs.empty())
        needs.pop_back();
    return needs;
}

std::vector<std::string> optionWords(const Step& step)
{
    std::vector<std::string> out;
    for (const auto& [key, value] : step.launch.srunOptions)
        out.push_back(word("--" + key + (value.empty() ? "" : "=" + value)));
    return out;
}

void addStep(Script& script, const Step& step, const std::string& needs, std::string_view call)
{
    script.assign("    step_name", step.launch.name);
    script.assign("    step_log", step.log);
    std::vector<std::string> nodes;
    for (const std::string& node : step.launch.nodes)
        nodes.push_back(positionOf(node));
    script.line("    step_nodes=(" + base::joined(nodes, " ") + ")");
    if (!step.image.empty())
        script.assign("    step_image", step.image);
    if (!needs.empty())
        script.line("    step_needs=(" + needs + ")");
    if (step.isProxy)
        script.line("    step_root=1");
    else
        script.array("step_options", optionWords(step));
    std::vector<std::string> variables;
    for (const engines::Variable& variable : step.launch.environment)
        variables.push_back(word(variable.name + "=") + (variable.value.empty() ? "" : pathWord(variable.value)));
    script.array("step_environment", variables);
    if (!step.launch.unset.empty())
        script.line("    step_unset=(" + base::shellCommand(step.launch.unset) + ")");
    std::vector<std::string> words;
    for (const std::string& each : step.launch.command)
        words.push_back(pathWord(each));
    script.array("step_argv", words);
    script.line("    " + std::string(call));
}

/// nginx with its paths where plain processes find them too.
Step withOwnPaths(const Job& job, Step step)
{
    step.launch.command = {"nginx", "-c", logsMark + "/nginx.conf", "-g", "daemon off;"};
    if (engines::isTrueAt(job.frontend.block, "nginx_raise_ulimit")) {
        engines::Words raised{"bash", "-c", R"(ulimit -n 1048576 && exec "$@")", "nginx"};
        raised.insert(raised.end(), step.launch.command.begin(), step.launch.command.end());
        step.launch.command = std::move(raised);
    }
    return step;
}

std::string withOwnPaths(std::string config)
{
    std::string folders;
    for (const std::string_view kind : {"client_body", "proxy", "fastcgi", "uwsgi", "scgi"})
        folders += "    " + std::string(kind) + "_temp_path " + runtimeMark + "/nginx-" + std::string(kind) + ";\n";
    config = base::replacedAll(config, "http {\n", "http {\n" + folders);
    return "error_log stderr;\npid " + runtimeMark + "/nginx.pid;\n" + config;
}

/// The benchmark "sa-bench" measured by the client of the engine.
Step measured(const Job& job, const plan::Topology& topology, Step step)
{
    const Block block(job.benchmark.block);
    const SaBenchLoad load = saBenchLoad(block);
    std::vector<std::string> levels;
    for (const std::int64_t level : job.benchmark.concurrencies)
        levels.push_back(std::to_string(level));
    const BenchmarkGpus gpus = benchmarkGpus(job);
    std::string count = "gpus_" + std::to_string(gpus.total);
    if (job.resources.isDisaggregated())
        count += "_ctx_" + std::to_string(gpus.prefill) + "_gen_" + std::to_string(gpus.decode);
    const std::string isl = std::to_string(job.benchmark.isl.value_or(0));
    const std::string osl = std::to_string(job.benchmark.osl.value_or(0));
    const engines::Engine* engine = engines::find(job.backend.type);
    step.launch.command = {
        "python3",
        runtimeMark + "/measure.py",
        "--url",
        "http://" + plan::addressOf(frontendPlaces(job, topology).publicNode) + ":" + std::to_string(plan::ports::publicApi),
        "--model",
        engine ? engine->servedName(job) : engines::nameOfModel(job),
        "--tokenizer",
        plan::modelArgument(job),
        "--concurrencies",
        base::joined(levels, ","),
        "--rate",
        load.requestRate,
        "--engine",
        job.backend.type,
        "--folder",
        logsMark + "/sa-bench_isl_" + isl + "_osl_" + osl,
        "--gpus",
        count,
        "--isl",
        isl,
        "--osl",
        osl,
        "--prompts",
        load.prompts,
        "--warmup",
        load.warmup,
        "--range-ratio",
        load.rangeRatio,
        "--client-note=" + base::joined(portableNotes(job), " "),
    };
    const syntax::ValuePtr templated = block.find("use_chat_template");
    if (!templated || templated->kind != syntax::Kind::Bool || templated->boolean)
        step.launch.command.emplace_back("--chat-template");
    return step;
}

/// The steps that the script starts, with marks.
std::vector<Step> ownSteps(const Job& job, const recipe::Cluster& cluster, const plan::Topology& topology)
{
    std::vector<Step> out;
    for (Step& step : steps(job, cluster, topology)) {
        if (step.phase == Phase::Model)
            continue; // the workers fetch it
        if (step.phase == Phase::Infra) {
            if (job.frontend.type != "dynamo")
                continue; // SGLang's router needs none
            step.launch.command = {"bash", runtimeMark + "/infra.sh", "<SERVICES_FOLDER>", plan::addressOf(topology.infra)};
            step.image.clear();
        } else if (step.phase == Phase::Benchmark && !step.isInlineText) {
            step = measured(job, topology, std::move(step));
        } else if (step.isProxy) {
            step = withOwnPaths(job, std::move(step));
        }
        step.launch.mpi.clear(); // one task a step
        out.push_back(std::move(step));
    }
    return out;
}

void addSteps(Script& script, const Job& job, const std::vector<Step>& all)
{
    std::set<std::pair<plan::Mode, std::int64_t>> begun;
    const auto add = [&](std::string_view function, Phase phase, std::string_view call) {
        script.line("\n" + std::string(function) + "() {");
        for (const Step& step : all) {
            if (step.phase != phase)
                continue;
            const bool isLeader = phase == Phase::Workers && begun.emplace(step.launch.mode, step.launch.index).second;
            addStep(script, step, needsOf(job, step, isLeader), call);
        }
        script.line("    :\n}");
    };
    add("srt_worker_steps", Phase::Workers, "srt_step");
    add("srt_frontend_steps", Phase::Frontend, "srt_step");
    add("srt_benchmark_step", Phase::Benchmark, "srt_step print");
}

/// A text with names in place of the marks.
void nameNodes(std::string& text, const plan::Topology& topology)
{
    if (text.find(opening) == std::string::npos)
        return;
    text = base::replacedAll(text, jobFolderInLogs, "/logs");
    std::string out;
    std::size_t from = 0;
    for (std::size_t at = text.find(opening); at != std::string::npos; at = text.find(opening, from)) {
        const std::size_t end = text.find(closing, at);
        const std::string what = text.substr(at + 1, end - at - 1);
        const auto number = base::integerOf(what);
        out += text.substr(from, at - from);
        out += number ? topology.nodes[static_cast<std::size_t>(*number)] : what == "runtime" ? std::string("/srtwb-runtime") : "/" + what;
        from = end + 1;
    }
    text = out + text.substr(from);
}

void nameNodes(Step& step, const plan::Topology& topology)
{
    const auto named = [&](std::string& text) { nameNodes(text, topology); };
    named(step.launch.name);
    named(step.log);
    std::for_each(step.launch.nodes.begin(), step.launch.nodes.end(), named);
    std::for_each(step.launch.command.begin(), step.launch.command.end(), named);
    for (engines::Variable& variable : step.launch.environment)
        named(variable.value);
}

void addInfra(Script& script, const Job& job, const plan::Topology& topology)
{
    script.line("\nsrt_infra_step() {");
    script.line("    step_name=infra step_log=infra.out step_host=1");
    script.line("    step_nodes=(" + positionOf(topology.infra) + ")");
    const auto payload = natsPayloadBytes(job); // what is too large was refused
    script.line("    step_argv=(bash \"$srt_runtime_host/infra.sh\" \"$srt_configs\" " + word(plan::addressOf(topology.infra)) +
                (payload ? " " + std::to_string(*payload) : std::string()) + ")");
    script.line("    srt_step\n}");
}

void addFiles(Script& script, const Job& job, const plan::Topology& topology)
{
    script.line("\nsrt_files() {");
    if (const std::string config = nginxConfig(job, topology); !config.empty())
        script.line("    srt_file nginx.conf " + word(withOwnPaths(config)));
    script.line("    :\n}");
}

void addMounts(Script& script, const Job& job, recipe::Cluster cluster)
{
    cluster.srtctlRoot = submitMark; // relative folders count from where the job was submitted
    script.line("\nsrt_mounts() {");
    for (const Mount& mount : askedMounts(job, cluster)) {
        const auto known = [](const std::string& text) {
            std::string out = base::replacedAll(text, jobFolderInLogs, mark("hostlogs"));
            out = base::replacedAll(out, plan::unknownJob, jobMark);
            return word(base::replacedAll(out, "<HEAD_NODE_IP>", plan::addressOf(mark("0"))));
        };
        script.line("    srt_mount " + known(mount.host) + " " + known(mount.container));
    }
    script.line("    :\n}");
}

/// "release X", "source REVISION", or nothing.
std::string dynamoSource(const Job& job)
{
    if (job.frontend.type != "dynamo" || !job.installsDynamo)
        return {};
    const auto text = [&](std::string_view key) { return engines::textAt(job.config, "dynamo." + std::string(key)); };
    if (const std::string wheel = text("wheel"); !wheel.empty())
        return "release " + wheel;
    if (const std::string version = text("version"); !version.empty())
        return "release " + version;
    if (const std::string hash = text("hash"); !hash.empty())
        return "source " + hash;
    return "source HEAD";
}

std::string metadataText(const Job& job)
{
    base::json::Value value = metadata(job);
    value.set("launcher", "portable");
    const std::string text = base::json::write(value) + "\n";
    // Both are null at the top of the document, before any text of the recipe that could look like them: a quote in it is escaped.
    const auto filled = [](std::string from, std::string_view what, const std::string& by) {
        const std::size_t at = from.find(what);
        return at == std::string::npos ? from : from.replace(at, what.size(), by);
    };
    return filled(filled(text, "\"job_id\": null", "\"job_id\": \"" + jobMark + "\""), "\"generated_at\": null",
                  "\"generated_at\": \"" + timeMark + "\"");
}

void addFacts(Script& script, const Job& job, const recipe::Cluster& cluster, const plan::Topology& topology, const Context& context)
{
    const Health healthy = health(job, topology);
    script.assign("srt_name", job.name);
    script.assign("srt_output", context.outputFolder.empty() ? cluster.outputDir : context.outputFolder);
    script.assign("srt_nodes", static_cast<std::int64_t>(topology.nodes.size()));
    script.assign("srt_interface", cluster.isKnown ? cluster.networkInterface : std::string());
    script.assign("srt_image", job.container);
    script.assign("srt_model_source", plan::isFetchedModel(job) ? std::string() : job.modelPath);
    script.assign("srt_configs", servicesFolder(cluster, context));
    script.assign("srt_uses_infra", job.frontend.type == "dynamo" ? 1 : 0);
    script.line("srt_infra_node=" + positionOf(topology.infra));
    script.assign("srt_setup", job.setupScript.value_or(std::string()));
    script.assign("srt_preamble", cluster.bashPreamble);
    script.assign("srt_dynamo", dynamoSource(job));
    script.assign("srt_health", job.frontend.type);
    script.line("srt_health_node=" + positionOf(frontendPlaces(job, topology).publicNode));
    script.assign("srt_health_prefill", healthy.prefill);
    script.assign("srt_health_decode", healthy.others);
    script.assign("srt_health_attempts", job.healthMaxAttempts);
    script.assign("srt_health_interval", job.healthIntervalSeconds);
    script.assign("srt_port", plan::ports::publicApi);
    script.assign("srt_benchmark", job.benchmark.type);
    script.assign("srt_recipe_file", recipeFile(context));
    script.assign("srt_recipe", context.resolvedYaml);
    script.line("TZ=UTC printf -v srt_time '%(%Y-%m-%d %H:%M:%S)T' -1");
    script.assign("srt_metadata", metadataText(job));
}

/// A value of a directive, in quotes where sbatch would cut it at a blank or take a `#` for a comment.
std::string directiveLine(std::string_view directive)
{
    if (directive.find_first_of(" #") == std::string_view::npos)
        return "#SBATCH --" + std::string(directive);
    const std::size_t equals = directive.find('=');
    return "#SBATCH --" + std::string(directive.substr(0, equals + 1)) + '"' + std::string(directive.substr(equals + 1)) + '"';
}

std::string directiveLines(const Job& job, const recipe::Cluster& cluster)
{
    std::string out;
    const auto has = [&](std::initializer_list<std::string_view> keys) {
        return std::any_of(job.sbatchDirectives.begin(), job.sbatchDirectives.end(),
                           [&](const auto& each) { return std::find(keys.begin(), keys.end(), each.first) != keys.end(); });
    };
    for (const std::string& directive : directives(job, cluster)) {
        if (directive.starts_with("output="))
            out += "#SBATCH --output=slurm-%j.out\n"; // a folder of the job is not there before it runs
        else
            out += directiveLine(directive) + "\n";
    }
    if (!has({"signal"}))
        out += "#SBATCH --signal=B:USR1@30\n"; // time to write down that the time limit ended it
    if (!has({"requeue", "no-requeue"}))
        out += "#SBATCH --no-requeue\n"; // a second run would measure into the folder of the first
    return out;
}

} // namespace

std::string servicesFolder(const recipe::Cluster& cluster, const Context& context)
{
    if (!context.servicesFolder.empty())
        return context.servicesFolder;
    return cluster.srtctlRoot.empty() ? std::string() : cluster.srtctlRoot + "/configs";
}

const std::string& portableLibrary()
{
    static const std::string library = [] {
        std::string out = "srt_runtime_files() {\n";
        for (const std::string_view name : {"address.sh", "step.sh", "infra.sh", "fingerprint.py", "measure.py"})
            out += "    printf '%s' " + base::shellQuoted(resources::runtimeFiles(name)) + " >\"$srt_runtime_host\"/" + std::string(name) +
                   "\n";
        out += "}\n\n";
        out += resources::runtimeFiles("launcher.sh");
        return out;
    }();
    return library;
}

std::vector<Mount> portableMounts(const Job& job, const recipe::Cluster& cluster, const Context& context)
{
    recipe::Cluster ours = cluster;
    ours.srtctlRoot = "$SLURM_SUBMIT_DIR";
    if (!context.outputFolder.empty())
        ours.outputDir = context.outputFolder;
    const std::string folder = plan::outputBase(ours) + "/" + std::string(plan::unknownJob);
    std::vector<Mount> out{{folder + "/logs", "/logs", "log folder of the job"}};
    if (!plan::isFetchedModel(job))
        out.push_back({job.modelPath.starts_with('/') ? job.modelPath : "$SLURM_SUBMIT_DIR/" + job.modelPath, "/model", "model.path"});
    out.push_back({folder + "/runtime", "/srtwb-runtime", "portable launcher"});
    if (const std::string services = servicesFolder(cluster, context); !services.empty())
        out.push_back({services, "/configs", "services folder"});
    for (Mount& mount : askedMounts(job, ours))
        out.push_back(std::move(mount));
    return out;
}

PortableJob portableJob(const Job& job, const recipe::Cluster& cluster, const plan::Topology& plain, const Context& context)
{
    const plan::Topology topology = marked(plain);
    recipe::Cluster ours = cluster;
    ours.outputDir = logsMark; // the log folder is "<that>/<JOB_ID>/logs" in texts
    PortableJob out;
    out.steps = ownSteps(job, ours, topology);
    out.script = "#!/bin/bash\n" + directiveLines(job, cluster);
    out.script += "\n# Written by SRT Workbench. It needs bash and srun on the cluster, nothing else.\n";
    if (!context.sourcePath.empty())
        out.script += "# Recipe: " + base::printable(context.sourcePath) +
                      (context.suffix.empty() ? "" : ", variant " + base::printable(context.suffix)) + "\n";
    for (const std::string& note : portableNotes(job))
        out.script += "# " + base::printable(note) + "\n";
    out.script += "\n# --- data of this job ---\n\n";
    Script data;
    addFacts(data, job, cluster, topology, context);
    addFiles(data, job, topology);
    addMounts(data, job, ours);
    if (job.frontend.type == "dynamo")
        addInfra(data, job, topology);
    addSteps(data, job, out.steps);
    out.script += data.take();
    out.script += "\n# --- the launcher, the same for every job ---\n\n";
    out.script += portableLibrary();
    out.script += "\nsrt_main\n";
    for (Step& step : out.steps)
        nameNodes(step, plain);
    return out;
}

} // namespace wb::render
