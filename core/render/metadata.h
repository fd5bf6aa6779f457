#pragma once

#include "core/base/json.h"
#include "core/recipe/job.h"

namespace wb::render {

/// The `<job>.json` that srtctl writes beside a job, format 2.0. What only the submission knows is null.
[[nodiscard]] base::json::Value metadata(const recipe::Job& job);

} // namespace wb::render
