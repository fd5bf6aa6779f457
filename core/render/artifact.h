// The artifacts of a job: the exact bytes that would be written or sent, each with its SHA-256.
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/engines/environment.h"
#include "core/plan/topology.h"
#include "core/recipe/job.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wb::render {

enum class ArtifactKind { JobScript, Recipe, Command, Environment, Mounts, Config, Metadata, Topology };

[[nodiscard]] std::string_view name(ArtifactKind kind); ///< "job-script", "recipe", ...: the contract of `srtwb dry-run --json`

struct Artifact {
    std::string name; ///< Relative path with '/', such as "sbatch_script.sh".
    ArtifactKind kind = ArtifactKind::JobScript;
    std::string bytes;
    std::string sha256;
    bool predicted = false; ///< Written by the cluster's own srtctl, not by us: shown, not sent.
};

enum class Launcher { Srtctl, Portable };

[[nodiscard]] std::string_view name(Launcher launcher); ///< "srtctl", "portable"

/// What a rendering needs beside the job. Nothing is read from the environment or the clock.
struct Context {
    Launcher launcher = Launcher::Srtctl;
    std::string sourcePath;   ///< Of the recipe, as given; for a comment and the metadata.
    std::string suffix;       ///< Of the variant; empty for a plain recipe.
    std::string resolvedYaml; ///< The recipe of this variant as it is to be sent.
    /// For the portable launcher: the folder on the cluster with nats-server, etcd and setup scripts. Empty: "configs" of the cluster
    /// file's srtctl_root when it names one.
    std::string servicesFolder;
    /// For the portable launcher: the folder on the cluster that gets a folder for each job. Empty: the cluster file's output_dir; none
    /// there either: "outputs" in the folder where the job is submitted.
    std::string outputFolder;
};

/// What keeps a launcher from a job.
struct Refusal {
    std::string key;     ///< Of the recipe, in the words of its language; empty when it is none.
    std::string message; ///< A sentence for the user.
};
/// Why the launcher does not take the job, all reasons; empty when it does. srtctl takes every job.
[[nodiscard]] std::vector<Refusal> refusals(const recipe::Job& job, const recipe::Cluster& cluster, const Context& context);
/// What the portable launcher does otherwise than the recipe says, a sentence each; the job script and the preview tell it.
[[nodiscard]] std::vector<std::string> portableNotes(const recipe::Job& job);

/// `--key=value` or `key` (without the dashes) of every #SBATCH line, in order; "hetjob" separates components.
[[nodiscard]] std::vector<std::string> directives(const recipe::Job& job, const recipe::Cluster& cluster);

/// A folder of the host as containers see it.
struct Mount {
    std::string host;
    std::string container; ///< With its options, such as "/data:ro".
    std::string source;    ///< Key that asks for it, or what srtctl mounts by itself.

    friend bool operator==(const Mount&, const Mount&) = default;
};
/// The mounts of workers, frontends and benchmark, as srtctl makes them: a host folder can stand once only, so the later container folder
/// takes the place of an earlier one for the same host folder. `$VARIABLES` and `~` are expanded on the cluster and stay as they are.
[[nodiscard]] std::vector<Mount> mounts(const recipe::Job& job, const recipe::Cluster& cluster);

/// Of those the ones that recipe and cluster file ask for, each as it stands there.
[[nodiscard]] std::vector<Mount> askedMounts(const recipe::Job& job, const recipe::Cluster& cluster);

using engines::Variable;

/// What the job script exports before it starts srtctl's orchestrator; of two with one name the later wins.
[[nodiscard]] std::vector<Variable> exports(const recipe::Job& job);

/// All artifacts of a job, in the order in which they are worth reading. Fails when the launcher does not take the job (`refusals`). A plan
/// without a topology leaves out what needs one. Fails when a value would break out of its line of the job script (a line break in an
/// account): the rules of recipes refuse that first, and this is the last look before it is written.
[[nodiscard]] Result<std::vector<Artifact>> render(const recipe::Job& job, const recipe::Cluster& cluster, const plan::Plan& plan,
                                                   const Context& context);

/// The contract's `topology` object.
[[nodiscard]] base::json::Value toJson(const plan::Topology& topology);

} // namespace wb::render
