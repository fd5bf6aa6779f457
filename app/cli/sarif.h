// Findings for programs that show those of many tools: a log in the format SARIF 2.1.0.
#pragma once

#include "core/check/check.h"

#include <vector>

namespace wb::cli {

/// All findings as one SARIF 2.1.0 log.
[[nodiscard]] base::json::Value sarifLog(const std::vector<check::Checked>& files, const std::vector<Error>& unread);

} // namespace wb::cli
