// What `exportJson` and `exportCsv` write, read back.
#pragma once

#include "core/snapshot/startupimport.h"

namespace wb::snapshot::startup {

[[nodiscard]] bool isExportedJson(const StartupInput& input);
[[nodiscard]] Result<std::vector<StartupRun>> readExportedJson(const StartupInput& input);
[[nodiscard]] bool isExportedCsv(const StartupInput& input);
[[nodiscard]] Result<std::vector<StartupRun>> readExportedCsv(const StartupInput& input);

} // namespace wb::snapshot::startup
