#pragma once

#include "core/recipe/job.h"
#include "core/render/steps.h"

#include <string>

namespace wb::render {

/// The command of a step as a shell would take it, an option a line, under a comment that says where it runs.
[[nodiscard]] std::string commandText(const Step& step);
/// The engine's configuration file of a mode, keys sorted as srtctl writes them.
[[nodiscard]] std::string configText(const recipe::ModeSettings& settings);

} // namespace wb::render
