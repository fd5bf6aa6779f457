// Folders that hold exactly what we put there: all files of a job, written and replaced as a whole.
//
// Beside its files such a folder has a list of them with their SHA-256 and of whom it was written for. By it a later write knows whether
// the folder is still as it was left: only then may it go.
#pragma once

#include "core/base/result.h"

#include <span>
#include <string>
#include <string_view>

namespace wb::store {

struct FolderFile {
    std::string name; ///< Relative, with '/'.
    std::string bytes;
    std::string sha256; ///< Of the bytes.
};

/// Of what the folder is made of, with which the next write compares: the absolute path of a recipe.
struct FolderOwner {
    std::string origin;
};

/// Writes a temporary folder beside `path` and puts it in place: whoever looks, a full disk or a kill sees the old folder or the new one.
/// An old folder is replaced when it is empty, or was written by this function for the same owner and nobody touched it since. Else the
/// write is refused (ErrorCode::Refused) with what stands in the way, unless `mayMoveAside`: then the old folder is kept under another
/// name, which is given back. Empty: nothing was moved aside.
[[nodiscard]] Result<std::string> writeOwnFolder(const std::string& path, std::span<const FolderFile> files, const FolderOwner& owner,
                                                 bool mayMoveAside);

} // namespace wb::store
