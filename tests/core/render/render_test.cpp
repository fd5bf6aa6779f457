#include "core/base/sha256.h"
#include "core/render/artifact.h"
#include "tests/support/goldenfile.h"
#include "tests/support/jobs.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace wb::render {
namespace {

using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view disaggregated = R"(name: r1-disagg
model: {path: /models/r1, container: /images/sglang.sqsh, precision: fp8}
slurm: {account: acct, partition: batch, time_limit: "04:00:00"}
resources: {gpu_type: h100, gpus_per_node: 8, prefill_nodes: 1, prefill_workers: 2, decode_nodes: 2, decode_workers: 1}
backend:
  type: sglang
  prefill_environment: {NCCL_DEBUG: INFO}
  sglang_config:
    prefill: {tensor-parallel-size: 4}
    decode: {tensor-parallel-size: 16}
frontend: {type: dynamo}
benchmark: {type: sa-bench, isl: 1024, osl: 8192, concurrencies: [4, 8]}
dynamo: {wheel: 1.2.0, request_plane: nats}
environment: {GREETING: "it's a $HOME", EMPTY: ""}
setup_script: fix.sh
)";

struct Rendered {
    recipe::Job job = test::jobFrom(disaggregated);
    recipe::Cluster cluster;
    Context context{
        .launcher = Launcher::Srtctl, .sourcePath = "recipes/r1.yaml", .suffix = {}, .resolvedYaml = std::string(disaggregated)};

    Rendered()
    {
        cluster.srtctlRoot = "/opt/srt-slurm";
        cluster.outputDir = "/shared/out puts";
    }
    std::vector<Artifact> artifacts() { return render(job, cluster, plan::plan(job, cluster), context).value(); }
};

std::string bytesOf(const std::vector<Artifact>& artifacts, std::string_view name)
{
    for (const Artifact& artifact : artifacts)
        if (artifact.name == name)
            return artifact.bytes;
    ADD_FAILURE() << "no artifact " << name;
    return {};
}

TEST(Render, RefusesWhatWouldBreakOutOfItsLine)
{
    const auto refused = [](auto change) {
        Rendered rendered;
        change(rendered);
        return render(rendered.job, rendered.cluster, plan::plan(rendered.job, rendered.cluster), rendered.context);
    };
    const std::string evil = "x\n#SBATCH --uid=0";
    const auto account = refused([&](Rendered& r) { r.job.account = evil; });
    ASSERT_FALSE(account);
    EXPECT_THAT(account.error().message, HasSubstr("#SBATCH --account=x\\x0a"));
    EXPECT_FALSE(refused([&](Rendered& r) { r.job.partition = evil; }));
    EXPECT_FALSE(refused([&](Rendered& r) { r.job.timeLimit = evil; }));
    EXPECT_FALSE(refused([&](Rendered& r) { r.job.name = std::string("a\0b", 3); }));
    EXPECT_FALSE(refused([&](Rendered& r) { r.job.sbatchDirectives = {{evil, "0"}}; }));
    EXPECT_FALSE(refused([&](Rendered& r) { r.job.sbatchDirectives = {{"mem", evil}}; }));
    EXPECT_FALSE(refused([&](Rendered& r) { r.cluster.outputDir = evil; }));
    EXPECT_FALSE(refused([&](Rendered& r) { r.job.environment = {{"A=1; touch pwned #", "x"}}; }));
    EXPECT_FALSE(refused([](Rendered& r) { r.job.environment = {{"", "x"}}; }));
    const auto digit = refused([](Rendered& r) { r.job.environment = {{"1A", "x"}}; });
    ASSERT_FALSE(digit);
    EXPECT_THAT(digit.error().message, HasSubstr("\"1A\" is no name of a variable"));
    EXPECT_TRUE(refused([](Rendered&) {}));
}

TEST(Render, WritesTheFilesOfAJob)
{
    for (const Artifact& artifact : Rendered().artifacts())
        test::expectGoldenFile("render/srtctl-disaggregated/" + artifact.name, artifact.bytes);
}

TEST(Render, GivesEachArtifactItsKindItsHashAndWhoWritesIt)
{
    const auto artifacts = Rendered().artifacts();
    for (const Artifact& artifact : artifacts)
        EXPECT_EQ(artifact.sha256, base::sha256Hex(artifact.bytes)) << artifact.name;
    const auto is = [](const std::string& fileName, std::string_view kind, bool predicted) {
        return testing::AllOf(Field("name", &Artifact::name, fileName),
                              testing::ResultOf(
                                  "kind", [](const Artifact& artifact) { return name(artifact.kind); }, kind),
                              Field("predicted", &Artifact::predicted, predicted));
    };
    EXPECT_THAT(artifacts, testing::IsSupersetOf({is("sbatch_script.sh", "job-script", true), is("config.yaml", "recipe", false),
                                                  is("environment.tsv", "environment", false), is("mounts.tsv", "mounts", false),
                                                  is("metadata.json", "metadata", true), is("topology.json", "topology", false)}));
    std::vector<std::string> names;
    for (const Artifact& artifact : artifacts)
        names.push_back(artifact.name);
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end()) << "no name twice";
}

TEST(Render, SendsTheResolvedRecipeAsItIs)
{
    EXPECT_EQ(bytesOf(Rendered().artifacts(), "config.yaml"), disaggregated);
}

TEST(Render, NamesTheRecipeOfAVariantByItsSuffix)
{
    Rendered made;
    made.context.suffix = "lowmem";
    const auto artifacts = made.artifacts();
    EXPECT_EQ(bytesOf(artifacts, "config_lowmem.yaml"), disaggregated);
    EXPECT_THAT(bytesOf(artifacts, "sbatch_script.sh"), HasSubstr("/config_lowmem.yaml"));
}

TEST(Render, KeepsEveryArtifactInTheFolderOfTheJob)
{
    Rendered made;
    made.context.suffix = "../../etc/x";
    const auto artifacts = made.artifacts();
    EXPECT_EQ(bytesOf(artifacts, "config_.._.._etc_x.yaml"), disaggregated);
}

TEST(Render, QuotesWhatReachesAShell)
{
    Rendered made;
    made.context.sourcePath = "odd\nrm -rf /";
    const std::string script = bytesOf(made.artifacts(), "sbatch_script.sh");
    EXPECT_THAT(script, HasSubstr("export GREETING='it'\\''s a $HOME'\n"));
    EXPECT_THAT(script, HasSubstr("export EMPTY=''\n"));
    EXPECT_THAT(script, HasSubstr("SRTCTL_OUTPUT_DIR='/shared/out puts'/\"$SLURM_JOB_ID\"\n"));
    EXPECT_THAT(script, Not(HasSubstr("\nrm -rf"))) << "a path in a comment stays in its line";
}

TEST(Render, ShowsTheCommandOfEachWorkerAndWhatTheEngineReads)
{
    Rendered made;
    made.job = test::jobFrom(R"(name: t
model: {path: /models/r1, container: /images/trt.sqsh, precision: fp8}
resources: {gpu_type: h100, gpus_per_node: 8, prefill_nodes: 1, prefill_workers: 1, decode_nodes: 2, decode_workers: 1}
backend:
  type: trtllm
  trtllm_config:
    prefill: {tensor_parallel_size: 8, kv_cache_config: {free_gpu_memory_fraction: 0.5, dtype: fp8}}
dynamo: {request_plane: nats}
frontend: {type: dynamo}
)");
    const auto artifacts = made.artifacts();
    EXPECT_THAT(bytesOf(artifacts, "commands/node001_decode_w0.sh"),
                testing::StartsWith("# decode worker 0 on node001, node002, 16 tasks, MPI pmix\n"));
    EXPECT_EQ(bytesOf(artifacts, "trtllm_config_prefill.yaml"),
              "kv_cache_config:\n  dtype: fp8\n  free_gpu_memory_fraction: 0.5\ntensor_parallel_size: 8\n");
    EXPECT_EQ(bytesOf(artifacts, "trtllm_config_decode.yaml"), "{}\n");
}

TEST(Render, LeavesOutTheTopologyThatAPlanDoesNotHave)
{
    Rendered made;
    made.job.resources.gpusPerDecode = 64;
    const auto artifacts = made.artifacts();
    EXPECT_THAT(artifacts, Not(Contains(Field(&Artifact::kind, ArtifactKind::Topology))));
    EXPECT_THAT(artifacts, Not(Contains(Field(&Artifact::kind, ArtifactKind::Command))));
    EXPECT_THAT(artifacts, Contains(Field(&Artifact::kind, ArtifactKind::JobScript)));
}

TEST(Render, SaysWhatIsNotKnown)
{
    Rendered made;
    made.cluster = {};
    made.job.account = std::nullopt;
    const auto artifacts = made.artifacts();
    EXPECT_THAT(bytesOf(artifacts, "sbatch_script.sh"), HasSubstr("SRTCTL_SOURCE_DIR='<SRTCTL_ROOT>'"));
    EXPECT_THAT(bytesOf(artifacts, "sbatch_script.sh"), HasSubstr("# No account is named"));
    EXPECT_THAT(bytesOf(artifacts, "metadata.json"), HasSubstr("\"job_id\": null"));
}

TEST(Render, KeepsACellOfATableInItsLine)
{
    Rendered made;
    made.job.environment = {{"A", "one\ttwo\nthree"}};
    EXPECT_THAT(bytesOf(made.artifacts(), "environment.tsv"), HasSubstr("job script\tA\tone\\ttwo\\nthree\tenvironment\n"));
}

TEST(Launchers, HaveTheirNames)
{
    EXPECT_EQ(name(Launcher::Srtctl), "srtctl");
    EXPECT_EQ(name(Launcher::Portable), "portable");
}

TEST(Render, SaysThatCommandsAreNotKnown)
{
    Rendered made;
    made.job.backend.type = "atom";
    const auto artifacts = made.artifacts();
    EXPECT_THAT(bytesOf(artifacts, "commands/not-known.txt"), HasSubstr("are not known"));
    EXPECT_THAT(artifacts, Contains(Field(&Artifact::kind, ArtifactKind::Topology)));
}

TEST(Render, RefusesTheJobThatTheLauncherDoesNotTake)
{
    Rendered made;
    made.context.launcher = Launcher::Portable;
    const auto rendered = render(made.job, made.cluster, plan::plan(made.job, made.cluster), made.context);
    ASSERT_TRUE(rendered) << "the cluster file names srtctl_root, where nats-server and etcd are";
    made.job.benchmark.type = "gsm8k";
    const auto refused = render(made.job, made.cluster, plan::plan(made.job, made.cluster), made.context);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::Refused);
    EXPECT_THAT(refused.error().message, HasSubstr("\"benchmark.type\""));
}

} // namespace
} // namespace wb::render
