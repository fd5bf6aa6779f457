// A restore manifest as one more document of the text that its capture stands in, with the proof that it restores what is captured.
#pragma once

#include "core/snapshot/compat.h"
#include "core/snapshot/crd.h"
#include "core/snapshot/restoremanifest.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace wb::snapshot {

/// What the object that a text captures is; see captureAt.
struct Capture {
    std::string kind; ///< "SnapshotJob", "Deployment", "Pod"
    std::string name;
    std::string text;               ///< Of its document.
    bool needsSnapshotName = false; ///< Its PodSnapshot's name is not its own: it has to be given.
    std::string podSnapshot;        ///< Name of a PodSnapshot in the same text; empty when there is none.
};

/// The capture in the document at the offset (bytes), else the first SnapshotJob of the text, else its first Pod or Deployment. What
/// restores (nvidia.com/restore-from) is no capture. NotFound when there is none.
[[nodiscard]] Result<Capture> captureAt(std::string_view text, std::size_t offset);

struct RestoreAdded {
    std::string text; ///< The whole text with the new document behind what was there; that is kept byte for byte.
    RestoreManifest manifest;
    std::vector<std::string> faults; ///< Errors of the new document, and facts that a restore would be refused for. One sentence each.

    [[nodiscard]] bool isProved() const { return faults.empty(); }
};

[[nodiscard]] Result<RestoreAdded> addRestoreManifest(std::string_view text, const Capture& capture, const RestoreOptions& options,
                                                      const CrdSet& crds);

} // namespace wb::snapshot
