// The job script of the portable launcher: data stay data, whatever they hold; the same job gives the same bytes; what cannot be done is
// refused by its key.
#include "core/base/shell.h"
#include "core/recipe/lower.h"
#include "core/render/portable.h"
#include "tests/support/corpus.h"
#include "tests/support/jobs.h"

#include <gmock/gmock.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>

namespace wb::render {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::string_view recipeText = R"(name: r1-disagg
model: {path: /models/r1, container: /images/sglang.sqsh, precision: fp8}
slurm: {account: acct, partition: batch, time_limit: "04:00:00"}
resources: {gpu_type: h100, gpus_per_node: 8, prefill_nodes: 1, prefill_workers: 2, decode_nodes: 2, decode_workers: 1}
backend:
  type: sglang
  prefill_environment: {NCCL_DEBUG: INFO}
  decode_environment: {PLACE: "{node} {node_id}"}
  sglang_config:
    prefill: {tensor-parallel-size: 4, served-model-name: deep}
    decode: {tensor-parallel-size: 16, json-model-override-args: "{}", chat-template: /model/chat.jinja}
frontend:
  type: dynamo
  enable_multiple_frontends: true
  num_additional_frontends: 1
  nginx_container: /images/nginx.sqsh
  args: {router-mode: kv}
  env: {FRONT: "1"}
benchmark: {type: sa-bench, isl: 1024, osl: 8192, concurrencies: [4, 8], req_rate: inf, custom_tokenizer: tok}
dynamo: {version: 1.2.0, request_plane: nats, install: true}
environment: {GREETING: hello}
setup_script: fix.sh
extra_mount: ["/host:/there"]
container_mounts: {"/data": "/data:ro"}
srun_options: {mem: "0"}
sbatch_directives: {comment: words}
health_check: {max_attempts: 10, interval_seconds: 2}
infra: {nats_max_payload_mb: 8}
)";

struct Made {
    recipe::Job job = test::jobFrom(recipeText);
    recipe::Cluster cluster;
    Context context{.launcher = Launcher::Portable,
                    .sourcePath = "recipes/r1.yaml",
                    .resolvedYaml = std::string(recipeText),
                    .servicesFolder = "/srv/services"};

    [[nodiscard]] std::vector<Refusal> refused() const { return refusals(job, cluster, context); }
    [[nodiscard]] std::string script() const { return portableJob(job, cluster, *plan::plan(job, cluster).topology, context).script; }
};

/// What a command prints.
std::string output(const std::string& command)
{
    std::string out;
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    std::array<char, 4096> buffer{};
    while (pipe && std::fgets(buffer.data(), static_cast<int>(buffer.size()), pipe.get()))
        out += buffer.data();
    return out;
}

class Folder
{
public:
    Folder()
    {
        std::string name = testing::TempDir() + "portableXXXXXX";
        path = mkdtemp(name.data());
    }
    ~Folder() { std::filesystem::remove_all(path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::filesystem::path path;
};

/// Runs the data of a script, with functions in place of the launcher's that print the words they get.
std::string dataOf(const std::string& script, const Folder& folder)
{
    const std::size_t end = script.find("\n# --- the launcher,");
    const std::string driver = R"(
srt_node=(n0 n1 n2 n3) srt_address=(10.0.0.1 10.0.0.2 10.0.0.3 10.0.0.4) srt_logs=/logs srt_host_logs=/host/logs srt_model=/model
srt_runtime=/srtwb-runtime srt_runtime_host=/host/runtime
show() { printf '<%s>' "$@"; echo; }
srt_file() { show file "$@"; }
srt_mount() { show mount "$@"; }
srt_step() {
    show step "$step_name" "$step_log" "${step_nodes[@]}" "$step_image" "${step_needs[@]}"
    show options "${step_options[@]}"; show environment "${step_environment[@]}"; show argv "${step_argv[@]}"
    step_nodes=() step_image='' step_needs=() step_options=() step_environment=() step_argv=()
}
show facts "$srt_name" "$srt_output" "$srt_image" "$srt_model_source" "$srt_setup" "$srt_recipe" "$srt_metadata" "$srt_dynamo"
srt_files; srt_mounts; srt_infra_step; srt_worker_steps; srt_frontend_steps; srt_benchmark_step
)";
    std::ofstream(folder.path / "data.sh") << script.substr(0, end) << driver;
    return output("cd " + base::shellQuoted(folder.path.string()) + " && SLURM_JOB_ID=42 SLURM_SUBMIT_DIR=/submit bash data.sh 2>&1");
}

/// The lines that sbatch reads: up to the first that is neither blank nor a comment.
std::vector<std::string> linesOfSbatch(const std::string& script)
{
    std::vector<std::string> out;
    std::istringstream in(script);
    for (std::string line; std::getline(in, line);) {
        if (!line.empty() && line.front() != '#')
            break;
        if (line.starts_with("#SBATCH"))
            out.push_back(line);
    }
    return out;
}

TEST(Portable, AsksForTheDirectivesOfTheJobAndALogThatCanBeWritten)
{
    EXPECT_THAT(linesOfSbatch(Made().script()),
                ElementsAre("#SBATCH --job-name=r1-disagg", "#SBATCH --output=slurm-%j.out", "#SBATCH --nodes=3", "#SBATCH --ntasks=3",
                            "#SBATCH --ntasks-per-node=1", "#SBATCH --gpus-per-node=8", "#SBATCH --segment=3", "#SBATCH --account=acct",
                            "#SBATCH --time=04:00:00", "#SBATCH --partition=batch", "#SBATCH --comment=words", "#SBATCH --signal=B:USR1@30",
                            "#SBATCH --no-requeue"));
    Made made;
    made.job.name = "two words";
    made.job.sbatchDirectives = {{"signal", "TERM@60"}, {"requeue", ""}};
    const auto lines = linesOfSbatch(made.script());
    EXPECT_THAT(lines, Contains("#SBATCH --job-name=\"two words\""));
    EXPECT_THAT(lines, Not(Contains(HasSubstr("USR1")))) << "the recipe's own signal stays";
    EXPECT_THAT(lines, Not(Contains(HasSubstr("no-requeue"))));
}

TEST(Portable, StartsItsStepsWithTheWordsOfThePlan)
{
    const Folder folder;
    const std::string data = dataOf(Made().script(), folder);
    EXPECT_THAT(data,
                HasSubstr("<step><n0_prefill_w0><n0_prefill_w0.out><0></images/sglang.sqsh><setup><dynamo><fingerprint:prefill_w0>\n"));
    EXPECT_THAT(data, HasSubstr("<step><n2_decode_w0><n2_decode_w0.out><2></images/sglang.sqsh><setup><dynamo>\n"))
        << "a follower leaves the fingerprint to its leader";
    EXPECT_THAT(data, HasSubstr("<--dist-init-addr><10.0.0.2:8300>"));
    EXPECT_THAT(data, HasSubstr("<--dump-config-to></logs/n0_config.json>"));
    EXPECT_THAT(data, HasSubstr("<PLACE=n2 2>"));
    EXPECT_THAT(data, HasSubstr("<options><--mem=0>"));
    EXPECT_THAT(data, HasSubstr("<argv><nginx><-c></logs/nginx.conf><-g><daemon off;>"));
    EXPECT_THAT(data, HasSubstr("        server 10.0.0.2:8180;\n"));
    EXPECT_THAT(data, HasSubstr("<step><n1_frontend_0><n1_frontend_0.out><1>"));
    EXPECT_THAT(data, HasSubstr("<mount></host></there>\n"));
    EXPECT_THAT(data, HasSubstr("<argv><bash></host/runtime/infra.sh></srv/services><10.0.0.1><8388608>"));
    EXPECT_THAT(data, HasSubstr("<--url><http://10.0.0.1:8000><--model><deep><--tokenizer></model><--concurrencies><4,8>"));
    EXPECT_THAT(data, HasSubstr("<--folder></logs/sa-bench_isl_1024_osl_8192><--gpus><gpus_24_ctx_8_gen_16>"));
    EXPECT_THAT(data, HasSubstr("\"job_id\": \"42\""));
}

TEST(Portable, GivesTheSameBytesForTheSameJob)
{
    EXPECT_EQ(Made().script(), Made().script());
    const Made made;
    const auto once = render(made.job, made.cluster, plan::plan(made.job, made.cluster), made.context).value();
    const auto again = render(made.job, made.cluster, plan::plan(made.job, made.cluster), made.context).value();
    ASSERT_EQ(once.size(), again.size());
    for (std::size_t i = 0; i < once.size(); ++i) {
        EXPECT_EQ(once[i].name, again[i].name);
        EXPECT_EQ(once[i].sha256, again[i].sha256) << once[i].name;
    }
    EXPECT_EQ(once.front().name, "sbatch_script.sh");
    EXPECT_FALSE(once.front().predicted);
}

TEST(Portable, NamesTheKeyOfWhatItDoesNotDo)
{
    const auto keys = [](const std::function<void(Made&)>& change) {
        Made made;
        change(made);
        std::vector<std::string> out;
        for (const Refusal& refusal : made.refused()) {
            EXPECT_THAT(refusal.message, HasSubstr("\"" + refusal.key + "\": the portable launcher "));
            out.push_back(refusal.key);
        }
        return out;
    };
    const auto with = [](Made& made, std::string_view path, syntax::ValuePtr value) {
        made.job = recipe::lower(syntax::withPath(made.job.config, path, std::move(value)));
    };
    const auto text = [](std::string value) { return syntax::makeString(std::move(value), syntax::Layer::Base); };
    EXPECT_THAT(keys([](Made&) {}), IsEmpty());
    EXPECT_THAT(keys([&](Made& m) { m.job.backend.type = "trtllm"; }), ElementsAre("backend.type"));
    EXPECT_THAT(keys([&](Made& m) { m.job.frontend.type = "trtllm_serve"; }), ElementsAre("frontend.type"));
    EXPECT_THAT(keys([&](Made& m) { m.job.benchmark.type = "gsm8k"; }), ElementsAre("benchmark.type"));
    EXPECT_THAT(keys([&](Made& m) { m.context.servicesFolder.clear(); }), ElementsAre("frontend.type", "setup_script"));
    EXPECT_THAT(keys([&](Made& m) {
                    m.context.servicesFolder.clear();
                    m.cluster.srtctlRoot = "/opt/srt-slurm";
                }),
                IsEmpty());
    EXPECT_THAT(keys([&](Made& m) { with(m, "profiling.type", text("torch")); }), ElementsAre("profiling.type"));
    EXPECT_THAT(keys([&](Made& m) { with(m, "model.stage_dir", text("/tmp/x")); }), ElementsAre("model.stage_dir"));
    EXPECT_THAT(keys([&](Made& m) { with(m, "benchmark.dataset_name", text("sharegpt")); }), ElementsAre("benchmark.dataset_name"));
    EXPECT_THAT(keys([&](Made& m) { m.job.benchmark.concurrencies.clear(); }), ElementsAre("benchmark.concurrencies"));
    EXPECT_THAT(keys([&](Made& m) { m.job.environment = {{"A=1; touch x #", "y"}}; }), ElementsAre("environment"));
    const auto megabytes = [](std::int64_t count) { return syntax::makeInteger(count, syntax::Layer::Base); };
    EXPECT_THAT(keys([&](Made& m) { with(m, "infra.nats_max_payload_mb", megabytes(9'000'000'000'000'000)); }),
                ElementsAre("infra.nats_max_payload_mb"))
        << "in bytes it is beyond 64 bits";
    EXPECT_THAT(keys([&](Made& m) { with(m, "infra.nats_max_payload_mb", megabytes(8'000'000'000'000)); }), IsEmpty());
    EXPECT_THAT(keys([&](Made& m) { m.job.srunOptions = {{"mem 0", "y"}}; }), ElementsAre("srun_options"));
    EXPECT_THAT(keys([&](Made& m) { m.job.extraMounts = {"/a,b:/c"}; }), ElementsAre("extra_mount"));
    EXPECT_THAT(keys([&](Made& m) { m.job.name = "a$(id)"; }), ElementsAre("name"));
    EXPECT_THAT(keys([&](Made& m) { with(m, "environment.GREETING", text(std::string("\x01") + "0\x02")); }),
                ElementsAre("environment.GREETING"));
}

TEST(Portable, TellsWhatItDoesInItsOwnWay)
{
    EXPECT_THAT(Made().script(), HasSubstr("# \"benchmark.custom_tokenizer\" is not known to that client"));
}

// Every text of the recipe in turn holds what a shell or sbatch would take for more than data.

void addTextPaths(const syntax::Value& value, const std::string& path, std::vector<std::string>& out)
{
    for (const syntax::Member& member : value.members) {
        const std::string below = path.empty() ? member.key : path + "." + member.key;
        if (member.key.find('.') == std::string::npos && member.key.find('/') == std::string::npos && member.value->isString())
            out.push_back(below);
        addTextPaths(*member.value, below, out);
    }
}

class HostileText : public testing::TestWithParam<std::string>
{
};

TEST_P(HostileText, IsDataOrRefusedInEveryField)
{
    const Folder folder;
    const std::string hostile = GetParam();
    const std::vector<std::string> honest = linesOfSbatch(Made().script());
    std::vector<std::string> paths;
    addTextPaths(*Made().job.config, {}, paths);
    ASSERT_GT(paths.size(), 20U);
    std::size_t written = 0;
    for (const std::string& path : paths) {
        SCOPED_TRACE(path);
        Made made;
        made.job = recipe::lower(syntax::withPath(made.job.config, path, syntax::makeString(hostile, syntax::Layer::Base)));
        made.context.resolvedYaml = hostile;
        made.context.sourcePath = hostile;
        const plan::Plan plan = plan::plan(made.job, made.cluster);
        const auto artifacts = render(made.job, made.cluster, plan, made.context);
        if (!artifacts || !plan.topology)
            continue; // refused
        ++written;
        const std::string script = made.script();
        EXPECT_EQ(linesOfSbatch(script).size(), honest.size());
        for (const std::string& line : linesOfSbatch(script))
            EXPECT_THAT(line, Not(HasSubstr("uid")));
        const std::string data = dataOf(script, folder);
        EXPECT_FALSE(std::filesystem::exists(folder.path / "PWNED")) << script;
        std::filesystem::remove(folder.path / "PWNED");
        EXPECT_THAT(data, HasSubstr(hostile)) << "it is passed on as it is";
        EXPECT_THAT(data, Not(HasSubstr("data.sh: line"))) << "the shell has nothing to say against it";
    }
    EXPECT_GT(written, 8U);
}

INSTANTIATE_TEST_SUITE_P(Texts, HostileText,
                         testing::Values("$(touch PWNED)", "`touch PWNED`", "'; touch PWNED; '", "\"; touch PWNED; \"", "a\ntouch PWNED\n",
                                         "a\n#SBATCH --uid=0\n", "$HOME ${srt_node[0]} $(( 1 ))", "a' \"b\" \\ c", "EOF\ntouch PWNED\nEOF",
                                         "x) ; touch PWNED ; (", "-rf", "*", "~", "a&touch PWNED&"));

} // namespace
} // namespace wb::render
