// A side of a comparison read from what a run left on disk.
#pragma once

#include "core/analysis/comparison.h"
#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace wb::analysis {

/// A folder, or a lockfile: `readRun` takes it. Else it is a recipe.
[[nodiscard]] bool isRunPath(const std::string& path);

struct RunSide {
    Side side;
    std::vector<std::string> results;  ///< Files and folders in which the run's points are.
    std::vector<std::string> warnings; ///< What was there and could not be read.
};

/// A run's folder (recipe.lock.yaml, config.yaml, fingerprint_*.json, resource_snapshot.json in it or in its logs/), or a lockfile, whose
/// neighbours of the same prefix belong to it ("nightly-15902__recipe.lock.yaml", "nightly-15902__benchmark-rollup.csv"). Fails when the
/// path cannot be read, and when none of these is there.
[[nodiscard]] Result<RunSide> readRun(const std::string& path);

/// The path by which `readRun` takes the run that a point belongs to (Point::folder): a folder, or for files that were collected into one
/// folder the lockfile of their prefix. Empty when the point belongs to no run.
[[nodiscard]] std::string runPathOf(const std::string& folder);

} // namespace wb::analysis
