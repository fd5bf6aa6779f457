// The states of a job: Slurm's, and ours for what Slurm does not know of.
//
// To add one: a row in slurmstates.cpp. A state without a row is shown as Slurm says it and counts as not ended.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace wb::remote {

struct StateKind {
    std::string_view name; ///< Slurm's word in lower case; this is what is stored and printed.
    bool isEnd = false;    ///< Nothing comes after it.
    bool isGood = false;   ///< An end without a fault.
};

[[nodiscard]] std::span<const StateKind> stateKinds();

/// "CANCELLED by 1001" -> "cancelled", "DOWN*" ... : lower case, first word, marks cut off. Empty text: "unknown".
[[nodiscard]] std::string stateName(std::string_view slurmState);

[[nodiscard]] bool isEnd(std::string_view state);
[[nodiscard]] bool isFailure(std::string_view state); ///< An end, and not a good one.

} // namespace wb::remote
