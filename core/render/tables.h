// Artifacts that are tables: a line of headings, tabs between the columns.
#pragma once

#include "core/render/artifact.h"
#include "core/render/steps.h"

#include <span>
#include <string>

namespace wb::render {

[[nodiscard]] std::string mountTable(std::span<const Mount> mounts);
/// The job script's variables, then those of each step.
[[nodiscard]] std::string environmentTable(std::span<const Variable> ofScript, std::span<const Step> steps);

} // namespace wb::render
