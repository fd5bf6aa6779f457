// Who a run says it is (the recipe's `identity`) against who it was seen to be (the fingerprints of its workers).
#pragma once

#include "core/base/json.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wb::results {

/// Verified: seen, and as declared, on every worker that tells. DeclaredOnly: nothing at run time can tell (the container's image, the
/// repository of a model that lies in a folder).
/// Failed: seen to be something else. Unknown: no worker tells.
enum class IdentityState { Verified, DeclaredOnly, Failed, Unknown };
[[nodiscard]] std::string_view name(IdentityState state); ///< "verified", "declared only", "failed", "unknown"

struct IdentityFact {
    std::string field; ///< "model.revision", "frameworks.vllm"
    std::string declared;
    std::string observed; ///< Distinct values, joined by ", "; empty when none was seen.
    IdentityState state = IdentityState::Unknown;

    friend bool operator==(const IdentityFact&, const IdentityFact&) = default;
};

/// `identity` is the block of the recipe; fingerprints by worker. A declared revision may be shortened to seven characters or more.
[[nodiscard]] std::vector<IdentityFact> identityFacts(const base::json::Value& identity,
                                                      const std::vector<std::pair<std::string, base::json::Value>>& fingerprints);

} // namespace wb::results
