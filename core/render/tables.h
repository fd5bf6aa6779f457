// Artifacts that are tables: a line of headings, tabs between the columns.
#pragma once

#include "core/render/artifact.h"
#include "core/render/steps.h"

#include <span>
#include <string>

namespace wb::render {

/// How far the paths of a mount are known here: "as it is", "expanded on the cluster: $HOME", "known when the job runs: <JOB_ID>".
[[nodiscard]] std::string expansionOf(const Mount& mount);
[[nodiscard]] std::string mountTable(std::span<const Mount> mounts);
/// The job script's variables, then those of each step.
[[nodiscard]] std::string environmentTable(std::span<const Variable> ofScript, std::span<const Step> steps);

} // namespace wb::render
