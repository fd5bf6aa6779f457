// Tables of startup times: CSV with our column names, and the Markdown tables that upstream publishes.
#pragma once

#include "core/snapshot/startupimport.h"

namespace wb::snapshot::startup {

[[nodiscard]] bool isCsvTable(const StartupInput& input);
[[nodiscard]] Result<std::vector<StartupRun>> readCsvTable(const StartupInput& input);

[[nodiscard]] bool isMarkdownTable(const StartupInput& input);
[[nodiscard]] Result<std::vector<StartupRun>> readMarkdownTable(const StartupInput& input);

} // namespace wb::snapshot::startup
