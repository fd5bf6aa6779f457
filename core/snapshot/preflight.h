// Which nodes can restore what was captured: the compatibility checks for each, with our own advice, the best nodes first.
#pragma once

#include "core/snapshot/nodefacts.h"

#include <optional>
#include <vector>

namespace wb::snapshot {

/// A node and what the checks say of it.
struct NodeOutcome {
    ClusterNode node;
    CompatFacts target; ///< The node's facts with those of the Pod that is to run there.
    std::vector<CompatResult> results;
    std::vector<NodeAdvice> advice;
    Verdict verdict = Verdict::NotKnown;
};

/// Nodes that can restore come first, those that would be refused last; else in their order. Without a Pod the nodes' facts count alone.
[[nodiscard]] std::vector<NodeOutcome> preflightOf(const CompatFacts& source, const std::vector<ClusterNode>& nodes,
                                                   const std::optional<PodFacts>& pod);

} // namespace wb::snapshot
