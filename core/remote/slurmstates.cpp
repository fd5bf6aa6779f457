#include "core/remote/slurmstates.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace wb::remote {

namespace {

constexpr std::array rows = {
    StateKind{"pending"},
    StateKind{"configuring"},
    StateKind{"running"},
    StateKind{"suspended"},
    StateKind{"stopped"},
    StateKind{"signaling"},
    StateKind{"stage_out"},
    StateKind{"completing"},
    StateKind{"requeued"},
    StateKind{"requeue_hold"},
    StateKind{"requeue_fed"},
    StateKind{"resizing"},
    StateKind{"special_exit"},
    StateKind{"completed", true, true},
    StateKind{"failed", true},
    StateKind{"cancelled", true},
    StateKind{"timeout", true},
    StateKind{"deadline", true},
    StateKind{"node_fail", true},
    StateKind{"boot_fail", true},
    StateKind{"launch_failed", true},
    StateKind{"out_of_memory", true},
    StateKind{"preempted", true},
    StateKind{"revoked", true},
    // Ours.
    StateKind{"planned"},
    StateKind{"staged"},
    StateKind{"submitting"}, // asked for, the answer is not known
    StateKind{"submitted"},  // has an id, Slurm was not asked since
    StateKind{"unknown"},    // Slurm does not know it any more, and nobody saw its end
    StateKind{"rejected", true},
    StateKind{"skipped", true},
};

const StateKind* find(std::string_view state)
{
    const auto* row = std::find_if(rows.begin(), rows.end(), [&](const StateKind& kind) { return kind.name == state; });
    return row == rows.end() ? nullptr : row;
}

} // namespace

std::span<const StateKind> stateKinds()
{
    return rows;
}

std::string stateName(std::string_view slurmState)
{
    const std::string_view text = base::trimmed(slurmState);
    const std::size_t end = std::min(text.find_first_of(" *+"), text.size());
    return end == 0 ? "unknown" : base::lowered(text.substr(0, end));
}

bool isEnd(std::string_view state)
{
    const StateKind* kind = find(state);
    return kind && kind->isEnd;
}

bool isFailure(std::string_view state)
{
    const StateKind* kind = find(state);
    return kind && kind->isEnd && !kind->isGood;
}

} // namespace wb::remote
