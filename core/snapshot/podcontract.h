// What NVIDIA Snapshot's agent asks of Pods (upstream's api/podcontract), and our own warnings on top.
#pragma once

#include "core/snapshot/findings.h"
#include "core/syntax/value.h"

#include <string>
#include <vector>

namespace wb::snapshot {

/// What a Pod is to Snapshot.
enum class PodRole {
    Other,   ///< Nothing tells that Snapshot has to do with it.
    Job,     ///< Inside a SnapshotJob: the controller adds the control channel itself.
    Source,  ///< A Pod to be captured by a PodSnapshot: carries the control channel.
    Restore, ///< Has the annotation nvidia.com/restore-from.
    Alpha,   ///< Has labels of the contract before 0.1.0.
};

/// A Pod, or the template of one.
struct PodView {
    Node metadata; ///< May be without a value.
    Node spec;
    PodRole role = PodRole::Other;
};

/// The Pod of a Pod, Deployment or SnapshotJob object; `spec` is without a value when there is none.
[[nodiscard]] PodView podOf(const Node& root, std::string_view kind);

/// One pair of nvidia.com/restore-container-map: what was captured, and the container that it is restored into.
struct ContainerPair {
    std::string source;
    std::string destination;
};

/// The containers into which a restore Pod is restored: by its map, else all of its containers under their own names.
[[nodiscard]] std::vector<ContainerPair> restorePairs(const PodView& pod);

/// GPUs that the Pod's containers ask for, together.
[[nodiscard]] double gpusOf(const PodView& pod);

/// The container of that name; without a value when there is none.
[[nodiscard]] Node containerOf(const PodView& pod, std::string_view name);

/// Warns when example words (`<pod-id>`) stand where a name belongs.
void checkPlaceholder(const Node& node, Findings& findings);

/// All rules that fit the Pod's role.
void checkPod(const PodView& pod, Findings& findings);

} // namespace wb::snapshot
