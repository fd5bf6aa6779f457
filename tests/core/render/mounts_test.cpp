#include "core/render/artifact.h"
#include "core/render/tables.h"
#include "tests/support/jobs.h"

#include <gmock/gmock.h>

namespace wb::render {
namespace {

using testing::Contains;
using testing::ElementsAre;

recipe::Job jobWith(std::string_view settings)
{
    return test::jobFrom("name: a\nresources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n" + std::string(settings));
}

std::vector<std::string> containersOf(const std::vector<Mount>& mounts, std::string_view host)
{
    std::vector<std::string> out;
    for (const Mount& mount : mounts)
        if (mount.host == host)
            out.push_back(mount.container);
    return out;
}

TEST(Mounts, ComeFromSrtctlTheModelTheClusterAndTheRecipeInThatOrder)
{
    recipe::Cluster cluster;
    cluster.srtctlRoot = "/opt/srt";
    cluster.outputDir = "/out";
    cluster.defaultMounts = {{"/cache", "/cache"}};
    const auto made = mounts(jobWith("model: {path: /models/r1, container: /c.sqsh, precision: fp8}\nextra_mount: ['/src:/dst:ro']\n"
                                     "container_mounts: {/data: /data}\n"),
                             cluster);
    EXPECT_THAT(made, ElementsAre(Mount{"/out/<JOB_ID>/logs", "/logs", "log folder of the job"},
                                  Mount{"/models/r1", "/model", "model.path"}, Mount{"/opt/srt/configs", "/configs", "srtctl"},
                                  Mount{"/opt/srt/src/srtctl/runtime_scripts", "/srtctl-runtime", "srtctl"},
                                  Mount{"/opt/srt/src/srtctl/benchmarks/scripts", "/srtctl-benchmarks", "srtctl"},
                                  Mount{"/cache", "/cache", "default_mounts of the cluster file"}, Mount{"/src", "/dst:ro", "extra_mount"},
                                  Mount{"/data", "/data", "container_mounts"}));
}

TEST(Mounts, LeaveOutAModelThatIsFetchedAndAddTheParentOfAStagedOne)
{
    EXPECT_THAT(containersOf(mounts(jobWith("model: {path: 'hf:org/name', container: x, precision: fp8}\n"), {}), "<CWD>/hf:org/name"),
                testing::IsEmpty());
    EXPECT_THAT(mounts(jobWith("model: {path: /m, container: x, precision: fp8, stage_dir: /raid/models}\n"), {}),
                Contains(Mount{"/raid", "/raid", "model.stage_dir"}));
}

TEST(Mounts, KeepOneContainerFolderForAHostFolderTheLastOne)
{
    const auto made = mounts(jobWith("extra_mount: ['/a:/first', '/a:/second']\ncontainer_mounts: {/a: /third}\n"), {});
    EXPECT_THAT(containersOf(made, "/a"), ElementsAre("/third"));
}

TEST(Mounts, FillInTheNamesThatSrtctlKnowsAndLeaveTheRest)
{
    recipe::Cluster cluster;
    cluster.outputDir = "/out";
    const auto made = mounts(
        jobWith("container_mounts: {'/scratch/{run_name}/{gpus_per_node}': '{log_dir}/x', '$HOME/{nginx_url}': /n, data: /d}\n"), cluster);
    EXPECT_THAT(containersOf(made, "/scratch/a_<JOB_ID>/8"), ElementsAre("/out/<JOB_ID>/logs/x"));
    EXPECT_THAT(containersOf(made, "$HOME/{nginx_url}"), ElementsAre("/n"));
    EXPECT_THAT(containersOf(made, "<SRTCTL_ROOT>/data"), ElementsAre("/d")) << "a relative folder counts from srtctl's own";
}

TEST(Mounts, SayHowFarTheirPathsAreKnown)
{
    EXPECT_EQ(expansionOf({"/a", "/b:ro", "x"}), "as it is");
    EXPECT_EQ(expansionOf({"$HOME/x/${USER}", "/b", "x"}), "expanded on the cluster: $HOME, ${USER}");
    EXPECT_EQ(expansionOf({"~/x", "/logs/<JOB_ID>", "x"}), "expanded on the cluster: ~; known when the job runs: <JOB_ID>");
    EXPECT_EQ(expansionOf({"/a$", "/b<c", "x"}), "as it is");
    const std::vector<Mount> one{{"/cache", "/cache", "extra_mount"}};
    EXPECT_EQ(mountTable(one), "host\tcontainer\tsource\texpansion\n/cache\t/cache\textra_mount\tas it is\n");
}

} // namespace
} // namespace wb::render
