#pragma once

#include <string>
#include <string_view>

namespace wb::base {

/// A file or folder name from a job name: no separators, nothing that a shell or a file system minds; never empty, at most 123 bytes.
[[nodiscard]] std::string safeName(std::string_view name);

} // namespace wb::base
