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

/// Why the artifacts of a launcher cannot be made, as a sentence for the user; nothing when they can.
[[nodiscard]] std::optional<Error> refusal(Launcher launcher);

/// What a rendering needs beside the job. Nothing is read from the environment or the clock.
struct Context {
    Launcher launcher = Launcher::Srtctl;
    std::string sourcePath;   ///< Of the recipe, as given; for a comment and the metadata.
    std::string suffix;       ///< Of the variant; empty for a plain recipe.
    std::string resolvedYaml; ///< The recipe of this variant as it is to be sent.
};

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

using engines::Variable;

/// What the job script exports before it starts srtctl's orchestrator; of two with one name the later wins.
[[nodiscard]] std::vector<Variable> exports(const recipe::Job& job);

/// All artifacts of a job, in the order in which they are worth reading. The launcher must be one that `refusal` does not refuse. A plan
/// without a topology leaves out what needs one. Fails when a value would break out of its line of the job script (a line break in an
/// account): the rules of recipes refuse that first, and this is the last look before it is written.
[[nodiscard]] Result<std::vector<Artifact>> render(const recipe::Job& job, const recipe::Cluster& cluster, const plan::Plan& plan,
                                                   const Context& context);

/// The contract's `topology` object.
[[nodiscard]] base::json::Value toJson(const plan::Topology& topology);

} // namespace wb::render
