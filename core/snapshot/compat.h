// Whether a checkpoint can be restored on a target: the checks that the agent makes before a restore (upstream's api/compat), with its
// names, gates and rules, offline. A fact that is not known on either side never refuses; it is told as unknown, never as fine.
//
// To add a check: a row in compat.cpp with its function. Ids are upstream's protocol: never renamed.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wb::snapshot {

/// What is known of a captured Pod and its node, or of a Pod to restore into and its node. Empty: not known.
struct CompatFacts {
    std::string name; ///< Of the node, for people.
    std::string architecture;
    std::string kernelVersion; ///< `uname -r`
    std::string image;         ///< Anything with "sha256:" in it; the part before does not count.
    std::string memory;        ///< Limit of the container, as a quantity.
    std::string cpu;
    std::string driverVersion;                      ///< Full build: "595.58.03".
    std::optional<int> driverMajor;                 ///< Where labels tell no more.
    std::vector<std::string> gpus;                  ///< Product of each GPU of the container.
    std::string nodeGpuProduct;                     ///< Product of the node's GPUs, where the Pod's share is not known.
    std::optional<int> nodeGpuCount;                ///< GPUs of the node.
    std::optional<std::vector<std::string>> mounts; ///< Mount paths of the container.

    friend bool operator==(const CompatFacts&, const CompatFacts&) = default;
};

/// When the agent looks: before it touches the checkpoint, or when it has looked into it.
enum class Gate { Preflight, Inspect };
[[nodiscard]] std::string_view name(Gate gate);

enum class CheckState { Good, Mismatch, Unknown };
[[nodiscard]] std::string_view name(CheckState state); ///< "ok", "mismatch", "unknown"

struct CompatResult {
    std::string_view check;
    Gate gate = Gate::Preflight;
    CheckState state = CheckState::Unknown;
    std::string source; ///< What was captured, or what is asked for; empty when it is not known.
    std::string target;
    std::string message; ///< For a mismatch: what it means and what to do. For unknown: which side is not known.

    friend bool operator==(const CompatResult&, const CompatResult&) = default;
};

struct CompatCheck {
    std::string_view id;
    Gate gate;
    std::string_view doc;
    void (*run)(const CompatFacts& source, const CompatFacts& target, CompatResult& result);
};
/// In the order in which the agent makes them; "mount" gives one result for each path that is missing.
[[nodiscard]] std::span<const CompatCheck> compatChecks();

[[nodiscard]] std::vector<CompatResult> compare(const CompatFacts& source, const CompatFacts& target);

/// Refused: at least one mismatch. NotKnown: none, but not every fact is known.
enum class Verdict { CanRestore, Refused, NotKnown };
[[nodiscard]] Verdict verdictOf(std::span<const CompatResult> results);
[[nodiscard]] std::string_view name(Verdict verdict); ///< "can-restore", "refused", "not-known"

} // namespace wb::snapshot
