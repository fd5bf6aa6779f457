#pragma once

#include "core/store/jobrecord.h"

#include <string>
#include <string_view>
#include <vector>

namespace wb::remote {

/// Whether a file is a log, by its name.
[[nodiscard]] bool isLog(std::string_view path);
/// The log of the job script itself, as far as names tell: "sweep_<id>" or "slurm-<id>", else one with the job's number in it, else the
/// first log. Empty: there is no log among the paths.
[[nodiscard]] std::string ownLog(const std::vector<std::string>& paths, const store::JobEntry& job);

} // namespace wb::remote
