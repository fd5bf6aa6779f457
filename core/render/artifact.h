// The artifacts of a job: the exact bytes that would be written or sent, each with its SHA-256.
#pragma once

#include "core/base/json.h"
#include "core/plan/topology.h"
#include "core/recipe/job.h"

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

/// What a rendering needs beside the job. Nothing is read from the environment or the clock.
struct Context {
    Launcher launcher = Launcher::Srtctl;
    std::string sourcePath;   ///< Of the recipe, as given; for a comment and the metadata.
    std::string suffix;       ///< Of the variant; empty for a plain recipe.
    std::string resolvedYaml; ///< The recipe of this variant as it is to be sent.
};

/// `--key=value` or `key` (without the dashes) of every #SBATCH line, in order; "hetjob" separates components.
[[nodiscard]] std::vector<std::string> directives(const recipe::Job& job, const recipe::Cluster& cluster);

[[nodiscard]] std::vector<Artifact> render(const recipe::Job& job, const recipe::Cluster& cluster, const plan::Plan& plan,
                                           const Context& context);

/// The contract's `topology` object.
[[nodiscard]] base::json::Value toJson(const plan::Topology& topology);

} // namespace wb::render
