// Where tests find the shared corpus and the project's own files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace wb::test {

/// A path below the shared folder, or nothing when that is not there (then the test skips, see SRTWB_NEEDS_SHARED).
[[nodiscard]] std::optional<std::filesystem::path> shared(std::string_view below);
/// A path of the project's own tree.
[[nodiscard]] std::filesystem::path own(std::string_view below);
/// The bytes of a file; fails the test when it cannot be read.
[[nodiscard]] std::string bytesOf(const std::filesystem::path& path);

} // namespace wb::test

/// Skips with a message where the shared corpus is not there.
#define SRTWB_NEEDS_SHARED(below)                                                                                                          \
    if (!wb::test::shared(below))                                                                                                          \
    GTEST_SKIP() << "needs " << (below) << " of the shared corpus, which is not beside this checkout"
