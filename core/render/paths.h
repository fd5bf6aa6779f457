// Folders of srtctl on the cluster, as far as the cluster file tells them.
#pragma once

#include "core/recipe/job.h"

#include <string>

namespace wb::render {

[[nodiscard]] std::string srtctlRoot(const recipe::Cluster& cluster);
/// The folder that holds a folder for each job.
[[nodiscard]] std::string outputBase(const recipe::Cluster& cluster);

} // namespace wb::render
