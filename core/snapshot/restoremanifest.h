// The manifest that restores what a capture manifest captures, made by editing the capture's text: comments, order and layout of what stays
// are kept. What matters to the compatibility checks stays: image, limits, mounts, node selection. What only matters to the start of the
// workload goes: init containers, command, environment, its probes.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace wb::snapshot {

struct RestoreOptions {
    std::string snapshot; ///< Name of the PodSnapshot; empty: the SnapshotJob's name, which is the PodSnapshot's.
    std::string name;     ///< Of the new object; empty: the capture's with "-restored".
};

struct RestoreManifest {
    std::string text;               ///< One document.
    std::string name;               ///< Of the new object.
    bool areCommentsKept = true;    ///< False: the capture's layout forced writing it anew.
    std::vector<std::string> notes; ///< What the author should look at, one sentence each.
};

/// Of the first SnapshotJob, Deployment or Pod in the text. A SnapshotJob gives a Deployment with one replica. An error when there is none,
/// when the text has syntax errors, or when the PodSnapshot's name is needed and not given.
[[nodiscard]] Result<RestoreManifest> restoreManifestOf(std::string_view capture, const RestoreOptions& options);

} // namespace wb::snapshot
