// Names of files that are made from names of jobs, and writing many files without harm.
#pragma once

#include "core/base/result.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace wb::cli {

/// The name, or with "_2", "_3", ... behind it when it is taken; it is taken then.
[[nodiscard]] std::string uniqueName(const std::string& wanted, std::set<std::string>& taken);

/// The file lies below the folder, by whichever path either is named: what a command wrote there before is none of its recipes.
[[nodiscard]] bool isBelow(const std::string& file, const std::string& folder);

/// `<stem of the recipe>_<suffix>` for a variant with a suffix, the job's name for one of a sweep, the stem for a plain recipe.
[[nodiscard]] std::string variantStem(const std::string& recipePath, const std::string* suffix, bool isSweep, std::string_view jobName);

struct OutFile {
    std::string path;
    std::string bytes;
};
/// Writes all of them, each atomically. Before the first is written it is made sure that no file stands in the way that has other bytes
/// (unless `mayReplace`; the error is Refused). When the disk fails, what this call made is taken away again: of a set there is all or
/// nothing. A file that was replaced stays as it is now, and the error says so. Folders are made.
[[nodiscard]] Result<void> writeFiles(const std::vector<OutFile>& files, bool mayReplace);

} // namespace wb::cli
