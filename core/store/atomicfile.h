// Writing files so that a crash, a full disk or a kill leaves either the old bytes or the new ones.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace wb::store {

/// Writes a new file and renames it over the old one; what an earlier save that was killed left in that folder is removed. Keeps mode and
/// owner of an existing file, follows a symbolic link to its target.
[[nodiscard]] Result<void> writeAtomically(const std::string& path, std::string_view bytes);

/// Makes the folder and its parents.
[[nodiscard]] Result<void> makeFolder(const std::string& path);

} // namespace wb::store
