// What commands read besides folders: a file, or standard input.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>

namespace wb::cli {

/// The bytes of a file, or of standard input for "-"; both are refused above `limit` bytes.
[[nodiscard]] Result<std::string> readInput(const std::string& path, std::uintmax_t limit = std::uintmax_t{256} << 20U);

} // namespace wb::cli
