// The figures of a mode by the mode, and the keys at which they stand.
#pragma once

#include "core/plan/topology.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wb::plan {

/// Nodes of the mode as written.
[[nodiscard]] inline std::optional<std::int64_t> givenNodes(const recipe::Resources& resources, Mode mode)
{
    switch (mode) {
    case Mode::Prefill:
        return resources.prefillNodes;
    case Mode::Decode:
        return resources.decodeNodes;
    case Mode::Agg:
        break;
    }
    return resources.aggNodes;
}

/// GPUs of a worker as written.
[[nodiscard]] inline std::optional<std::int64_t> givenGpus(const recipe::Resources& resources, Mode mode)
{
    switch (mode) {
    case Mode::Prefill:
        return resources.gpusPerPrefill;
    case Mode::Decode:
        return resources.gpusPerDecode;
    case Mode::Agg:
        break;
    }
    return resources.gpusPerAgg;
}

/// The mode's word in a sentence: "prefill", "decode", "aggregated".
[[nodiscard]] inline std::string_view word(Mode mode)
{
    return mode == Mode::Agg ? "aggregated" : name(mode);
}

/// "1 node", "4 nodes"
[[nodiscard]] inline std::string counted(std::int64_t count, std::string_view noun)
{
    return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

[[nodiscard]] inline std::string workersKey(Mode mode)
{
    return "resources." + std::string(name(mode)) + "_workers";
}

[[nodiscard]] inline std::string nodesKey(Mode mode)
{
    return "resources." + std::string(name(mode)) + "_nodes";
}

[[nodiscard]] inline std::string gpusKey(Mode mode)
{
    return "resources.gpus_per_" + std::string(name(mode));
}

/// Path of a flag of the mode in an engine's block ("vllm_config").
[[nodiscard]] inline std::string flagKey(std::string_view block, Mode mode, std::string_view flag)
{
    return "backend." + std::string(block) + "." + std::string(word(mode)) + "." + std::string(flag);
}

} // namespace wb::plan
