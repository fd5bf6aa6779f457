// Reading files, and what writing them has in common. Writing that matters goes through core/store.
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace wb::base {

/// The bytes of a file. Refuses folders, devices and files above `limit` bytes with one sentence that names the path.
[[nodiscard]] Result<std::string> readFile(const std::filesystem::path& path, std::uintmax_t limit = std::uintmax_t{1} << 30);

/// The files below a folder, and what could not be looked at.
struct FilesBelow {
    std::vector<std::filesystem::path> files; ///< Sorted, each joined to the folder as it was given.
    std::vector<Error> errors;                ///< One for each folder or file that could not be read; `detail` is its path. Sorted by it.
    bool truncated = false;                   ///< There are more files than `most`.
};

/// Walks the whole tree; a folder that cannot be read is told and left out, the others are read all the same. Links to files count, links
/// to folders are not followed (they may lead back). Devices and sockets do not count.
[[nodiscard]] FilesBelow filesBelow(const std::filesystem::path& folder, const std::function<bool(const std::filesystem::path&)>& isWanted,
                                    const std::stop_token& stop = {}, std::size_t most = std::numeric_limits<std::size_t>::max());

/// Makes the folder (not those above it) if it is not there. Refused when anybody but this user may look into it or write to it.
[[nodiscard]] Result<void> makePrivateFolder(const std::filesystem::path& path);

/// Writes all bytes to an open file, in as many calls as the system wants. An error number, 0 for none; a write of nothing is a full disk.
[[nodiscard]] int writeAll(int file, std::string_view bytes);

/// Error of a failed system call on a path, said as a sentence.
[[nodiscard]] Error systemError(int errorNumber, const std::filesystem::path& path, std::string_view doing);

} // namespace wb::base
