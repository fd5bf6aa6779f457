#include "core/snapshot/preflight.h"

#include <algorithm>
#include <utility>

namespace wb::snapshot {

namespace {

/// Mismatches count before what is not known.
std::pair<std::ptrdiff_t, std::ptrdiff_t> rankOf(const NodeOutcome& outcome)
{
    const auto count = [&outcome](CheckState state) {
        return std::count_if(outcome.results.begin(), outcome.results.end(),
                             [state](const CompatResult& result) { return result.state == state; });
    };
    return {count(CheckState::Mismatch), count(CheckState::Unknown)};
}

} // namespace

std::vector<NodeOutcome> preflightOf(const CompatFacts& source, const std::vector<ClusterNode>& nodes, const std::optional<PodFacts>& pod)
{
    std::vector<NodeOutcome> out;
    for (const ClusterNode& node : nodes) {
        NodeOutcome outcome;
        outcome.node = node;
        outcome.target = pod ? targetOn(node, *pod) : node.facts;
        outcome.results = compare(source, outcome.target);
        outcome.verdict = verdictOf(outcome.results);
        outcome.advice = adviceOn(node);
        out.push_back(std::move(outcome));
    }
    std::stable_sort(out.begin(), out.end(), [](const NodeOutcome& a, const NodeOutcome& b) { return rankOf(a) < rankOf(b); });
    return out;
}

} // namespace wb::snapshot
