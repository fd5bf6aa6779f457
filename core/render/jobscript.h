#pragma once

#include "core/render/artifact.h"

#include <string>

namespace wb::render {

/// The script that srtctl on the cluster will hand to sbatch: its directives, and what its body does in our words.
[[nodiscard]] std::string predictedJobScript(const recipe::Job& job, const recipe::Cluster& cluster, const Context& context);

/// Name of the resolved recipe in the folder of the job: "config.yaml", "config_lowmem.yaml".
[[nodiscard]] std::string recipeFile(const Context& context);

} // namespace wb::render
