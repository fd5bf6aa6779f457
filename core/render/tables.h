// Artifacts that are tables: a line of headings, tabs between the columns.
#pragma once

#include "core/engines/launch.h"
#include "core/recipe/job.h"

#include <span>
#include <string>

namespace wb::render {

[[nodiscard]] std::string mountTable(const recipe::Job& job, const recipe::Cluster& cluster);
/// The job script's variables, then those of each worker step.
[[nodiscard]] std::string environmentTable(const recipe::Job& job, std::span<const engines::Launch> launches);

} // namespace wb::render
