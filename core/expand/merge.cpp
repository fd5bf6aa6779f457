#include "core/expand/merge.h"

#include "core/syntax/dottedpath.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <unordered_map>

namespace wb::expand {

using syntax::Member;
using syntax::ValuePtr;

namespace {

void collectLeaves(const ValuePtr& value, const std::string& path, std::vector<std::pair<std::string, ValuePtr>>& out)
{
    for (const Member& member : value->members) {
        const std::string here = syntax::joinedPath(path, member.key);
        if (member.value->isMapping() && !member.value->members.empty())
            collectLeaves(member.value, here, out);
        else
            out.emplace_back(here, member.value);
    }
}

/// Where the keys of a mapping stand in it.
class Places
{
public:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    explicit Places(const syntax::Value& mapping)
        : m_members(mapping.members)
    {
        constexpr std::size_t large = 24; // below, looking through all is quicker
        if (m_members.size() < large)
            return;
        for (std::size_t i = 0; i < m_members.size(); ++i)
            m_byKey.emplace(m_members[i].key, i);
    }

    std::size_t of(const Member& member) const
    {
        const auto same = [&](const Member& m) { return m.key == member.key && m.keyKind == member.keyKind; };
        if (m_byKey.empty()) {
            const auto found = std::find_if(m_members.begin(), m_members.end(), same);
            return found == m_members.end() ? none : static_cast<std::size_t>(found - m_members.begin());
        }
        const auto [first, last] = m_byKey.equal_range(member.key);
        const auto found = std::find_if(first, last, [&](const auto& entry) { return same(m_members[entry.second]); });
        return found == last ? none : found->second;
    }

private:
    const std::vector<Member>& m_members;
    std::unordered_multimap<std::string_view, std::size_t> m_byKey;
};

} // namespace

ValuePtr merged(const ValuePtr& base, const ValuePtr& over)
{
    if (!base || !base->isMapping() || !over->isMapping())
        return over;
    auto out = std::make_shared<syntax::Value>(*base);
    out->members.reserve(base->members.size() + over->members.size());
    const Places places(*base);
    std::vector<bool> isDeleted(base->members.size());
    for (const Member& member : over->members) {
        const std::size_t at = places.of(member);
        if (at == Places::none) {
            if (!member.value->isNull())
                out->members.push_back(member);
            continue;
        }
        if (member.value->isNull()) {
            isDeleted[at] = true;
            continue;
        }
        Member& found = out->members[at];
        found.value = found.value->isMapping() && member.value->isMapping() ? merged(found.value, member.value) : member.value;
        found.keyRange = member.keyRange;
    }
    if (std::find(isDeleted.begin(), isDeleted.end(), true) != isDeleted.end()) {
        std::size_t at = 0;
        std::erase_if(out->members, [&](const Member&) { return at++ < isDeleted.size() && isDeleted[at - 1]; });
    }
    return out;
}

std::vector<std::pair<std::string, ValuePtr>> leaves(const ValuePtr& over)
{
    std::vector<std::pair<std::string, ValuePtr>> out;
    collectLeaves(over, {}, out);
    return out;
}

} // namespace wb::expand
