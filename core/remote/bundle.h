// What is sent for one job, and how it is started: bytes whose meaning nobody below this line knows.
#pragma once

#include "core/recipe/job.h"
#include "core/render/artifact.h"

#include <string>
#include <utility>
#include <vector>

namespace wb::remote {

struct BundleFile {
    std::string name; ///< Relative to the job's folder, with '/'.
    std::string bytes;
    std::string sha256;   ///< Of the bytes.
    unsigned mode = 0600; ///< Recipes may hold tokens: what is sent is its owner's alone.
};

struct Bundle {
    std::vector<BundleFile> files;
    std::string main;      ///< Name of the file that the job is started from; its hash is the job's.
    std::string outputDir; ///< Where the results will be: below the job's folder or absolute, "%j" for the job id. Empty: not known before.
    std::vector<std::string> command; ///< Words of the command that submits it, run in the job's folder. Each is quoted.

    /// Assignments of a POSIX shell that the job gets as its environment, a line each. They go to the cluster as a file that its owner
    /// alone can read, which is removed as soon as the job is accepted, and into no record and no log.
    std::string secretEnvironment;

    [[nodiscard]] const BundleFile* mainFile() const;
};

/// The artifacts that are sent: what the job is started from. The others are views of it, or predicted.
[[nodiscard]] std::vector<BundleFile> sentFiles(const std::vector<render::Artifact>& artifacts);

/// A job script that sbatch takes as it is: the token is an option of the command, behind the job's own comment. Fails when the artifacts
/// hold no job script that is sent. `outputFolder`: as given to the rendering, or the cluster file's; empty: "outputs" in the job's folder.
[[nodiscard]] Result<Bundle> portableBundle(const std::vector<render::Artifact>& artifacts, const recipe::Job& job,
                                            std::string_view outputFolder, std::string_view token);

/// A recipe for the cluster's own srtctl. The recipe among the artifacts must hold the token in its comment already. `clusterFile`: of the
/// remote side, as SRTSLURM_CONFIG; empty: srtctl's own search. `program`: srtctl, or its path there.
[[nodiscard]] Result<Bundle> srtctlBundle(const std::vector<render::Artifact>& artifacts, std::string_view program,
                                          std::string_view clusterFile);

/// `NAME='value'` lines for `Bundle::secretEnvironment`. Fails on a name that is none of a variable.
[[nodiscard]] Result<std::string> secretLines(const std::vector<std::pair<std::string, std::string>>& secrets);

/// The comment that the recipe or the cluster file asks for; empty: none.
[[nodiscard]] std::string writtenComment(const recipe::Job& job);

} // namespace wb::remote
