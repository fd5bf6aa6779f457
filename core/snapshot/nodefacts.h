// Facts for the compatibility checks, from what kubectl prints and from manifests.
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/snapshot/compat.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wb::snapshot {

/// A node of the cluster with what else decides whether a Pod can go there.
struct ClusterNode {
    CompatFacts facts;
    std::optional<bool> isReady;
    bool isUnschedulable = false;
    std::string mig; ///< The MIG setup when it is on; empty when it is off or not told.
};

/// A fact that can be typed in, as text. An empty text is "not known".
struct FactField {
    std::string_view id;
    std::string_view title;
    bool isOfPod = false; ///< Told by the Pod that is to run there, where there is one.
    std::string (*text)(const CompatFacts& facts);
    void (*set)(CompatFacts& facts, std::string_view text);
};
/// In the order of the checks. GPUs are "NVIDIA B200 x8", or products with commas between; mounts are paths with commas between.
[[nodiscard]] std::span<const FactField> factFields();

/// Own advice on a node, beside the agent's checks.
struct NodeAdvice {
    std::string id; ///< "amd64", "mig", "ready", "schedulable"
    CheckState state = CheckState::Unknown;
    std::string message;
};

/// What was captured, from a PodSnapshotContent (`status.source`), or from a flat description
/// `{"arch","kernel","image_id","memory","cpu","driver","gpus":[…],"mounts":[…]}`. YAML or JSON. An error when the text holds neither, or
/// the content has no facts yet.
[[nodiscard]] Result<CompatFacts> readSourceFacts(std::string_view text);

/// Nodes from `kubectl get nodes -o json` (one, or a List), or flat descriptions.
[[nodiscard]] Result<std::vector<ClusterNode>> readNodes(std::string_view text);

/// What a manifest's container asks for: image, limits, GPUs (their number alone), mounts.
struct PodFacts {
    std::string container;
    std::string image;
    std::string memory;
    std::string cpu;
    std::optional<int> gpus;
    std::vector<std::string> mounts;
};
/// Of the restored container of the first Pod, Deployment or SnapshotJob in a manifest (of a SnapshotJob: its target).
[[nodiscard]] Result<PodFacts> readPodFacts(std::string_view manifest);

/// A node's facts with those of the Pod that is to run on it.
[[nodiscard]] CompatFacts targetOn(const ClusterNode& node, const PodFacts& pod);
/// The source's facts completed with what a capture manifest tells of mounts and limits where they are not known.
[[nodiscard]] CompatFacts completedBy(CompatFacts source, const PodFacts& capture);

[[nodiscard]] std::vector<NodeAdvice> adviceOn(const ClusterNode& node);

} // namespace wb::snapshot
