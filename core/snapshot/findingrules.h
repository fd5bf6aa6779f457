// What the findings on manifests mean: one row for each rule id. To add a rule: a row here, and its check.
#pragma once

#include <span>
#include <string_view>

namespace wb::snapshot {

struct FindingRule {
    std::string_view id; ///< Stands in users' scripts: never renamed.
    std::string_view doc;
};
[[nodiscard]] std::span<const FindingRule> findingRules();

} // namespace wb::snapshot
