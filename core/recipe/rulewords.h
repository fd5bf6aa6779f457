// What rules of several subjects ask of a job.
#pragma once

#include "core/recipe/rules.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace wb::recipe {

/// A mode by its names in the recipe.
struct ModeKeys {
    Mode mode;
    std::string_view key;   ///< Of flags, environments and profiling phases: "aggregated".
    std::string_view count; ///< Of nodes and workers: "agg".
};
inline constexpr std::array<ModeKeys, 3> modeKeys = {
    {{Mode::Prefill, "prefill", "prefill"}, {Mode::Decode, "decode", "decode"}, {Mode::Agg, "aggregated", "agg"}}};

/// "backend.sglang_config.prefill"
[[nodiscard]] std::string flagsPath(const Job& job, const ModeKeys& mode);
/// "backend.prefill_environment"
[[nodiscard]] std::string environmentPath(const ModeKeys& mode);

/// There, and not null.
[[nodiscard]] bool isGiven(const RuleFindings& findings, std::string_view path);
/// Given, and written in a text: no default of the language.
[[nodiscard]] bool isWritten(const RuleFindings& findings, std::string_view path);
[[nodiscard]] bool isTrue(const RuleFindings& findings, std::string_view path);
/// The text at the path; empty when there is none.
[[nodiscard]] std::string textAt(const RuleFindings& findings, std::string_view path);
[[nodiscard]] std::optional<double> numberAt(const RuleFindings& findings, std::string_view path);

/// The flag in either spelling (`dashed` is the one with dashes); null when the mode has none.
[[nodiscard]] const syntax::Member* flagOf(const syntax::ValuePtr& flags, std::string_view dashed);

/// Nodes for workers by the recipe's figures.
[[nodiscard]] std::int64_t workerNodes(const Resources& resources);
/// Several frontends behind nginx: more than one worker node, and not switched off.
[[nodiscard]] bool hasSeveralFrontends(const RuleFindings& findings);

/// A folder name below the logs that cannot lead out of them.
[[nodiscard]] bool isSafeFolder(std::string_view text);

} // namespace wb::recipe
