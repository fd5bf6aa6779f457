// Reading files. Writing that matters goes through core/store.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace wb::base {

/// The bytes of a file. Refuses folders, devices and files above `limit` bytes with one sentence that names the path.
[[nodiscard]] Result<std::string> readFile(const std::filesystem::path& path, std::uintmax_t limit = std::uintmax_t{1} << 30);

/// Error of a failed system call on a path, said as a sentence.
[[nodiscard]] Error systemError(int errorNumber, const std::filesystem::path& path, std::string_view doing);

} // namespace wb::base
