#include "core/results/identity.h"

#include "core/base/untold.h"

#include <algorithm>
#include <array>

namespace wb::results {

using base::json::Value;

namespace {

constexpr std::size_t shortestRevision = 7;

/// What a worker tells of a field; empty: nothing.
std::string observedIn(const Value& fingerprint, std::string_view group, std::string_view key)
{
    const auto textAt = [&](std::string_view of, std::string_view what) -> std::string {
        const Value* value = fingerprint.at({of, what});
        const std::string* text = value ? value->string() : nullptr;
        return text && !base::tellsNothing(*text) ? *text : std::string();
    };
    if (group == "frameworks")
        return textAt("frameworks", key);
    if (key == "revision")
        return textAt("model", "hf_revision");
    std::string repo = textAt("model", "hf_repo");
    return repo.empty() ? textAt("model", "model_id") : repo;
}

bool agrees(std::string_view key, const std::string& declared, const std::string& observed)
{
    return key == "revision" && declared.size() >= shortestRevision ? observed.starts_with(declared) : observed == declared;
}

} // namespace

std::string_view name(IdentityState state)
{
    static constexpr auto names = std::to_array<std::string_view>({"verified", "declared only", "failed", "unknown"});
    return names[static_cast<std::size_t>(state)];
}

std::vector<IdentityFact> identityFacts(const Value& identity, const std::vector<std::pair<std::string, Value>>& fingerprints)
{
    std::vector<IdentityFact> facts;
    for (const base::json::Member& group : identity.object())
        for (const base::json::Member& member : group.value.object()) {
            const std::string* declared = member.value.string();
            if (!declared || declared->empty())
                continue;
            IdentityFact fact{group.key + '.' + member.key, *declared, {}, IdentityState::Unknown};
            if (group.key == "container") {
                fact.state = IdentityState::DeclaredOnly; // the runtime strips where an image came from
                facts.push_back(std::move(fact));
                continue;
            }
            std::vector<std::string> seen;
            bool isAsDeclared = true;
            for (const auto& [worker, fingerprint] : fingerprints) {
                const std::string observed = observedIn(fingerprint, group.key, member.key);
                if (observed.empty())
                    continue;
                isAsDeclared = isAsDeclared && agrees(member.key, *declared, observed);
                if (std::ranges::find(seen, observed) == seen.end()) {
                    fact.observed += (seen.empty() ? "" : ", ") + observed;
                    seen.push_back(observed);
                }
            }
            if (!seen.empty())
                fact.state = isAsDeclared ? IdentityState::Verified : IdentityState::Failed;
            else if (member.key == "repo" && !fingerprints.empty())
                fact.state = IdentityState::DeclaredOnly; // a model from a folder has no repository at run time
            facts.push_back(std::move(fact));
        }
    return facts;
}

} // namespace wb::results
