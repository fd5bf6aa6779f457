// Files in one archive, as `tar` reads it.
#pragma once

#include "core/base/result.h"
#include "core/store/ownfolder.h"

#include <span>
#include <string>

namespace wb::store {

/// The files below a folder of that name, in their order, as a POSIX archive (ustar): mode 0644, no owner and no time, so that the same
/// files give the same bytes. Fails on a name that the format cannot hold (longer than 255 bytes, or with no "/" to part it at).
[[nodiscard]] Result<std::string> tarball(const std::string& folder, std::span<const FolderFile> files);

} // namespace wb::store
