// Artifacts that are tables: a line of headings, tabs between the columns.
#pragma once

#include "core/plan/topology.h"
#include "core/recipe/job.h"

#include <string>

namespace wb::render {

[[nodiscard]] std::string mountTable(const recipe::Job& job, const recipe::Cluster& cluster);
[[nodiscard]] std::string environmentTable(const recipe::Job& job);

} // namespace wb::render
