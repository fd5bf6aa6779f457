#include "core/syntax/sections.h"

#include <algorithm>

namespace wb::syntax {

Sections::Sections(const Parsed& parsed)
{
    if (!parsed.root || !parsed.root->isMapping() || !parsed.root->member("base"))
        return;
    for (const Member& member : parsed.root->members)
        m_begins.push_back(member.keyRange.begin);
    std::sort(m_begins.begin(), m_begins.end());
}

std::size_t Sections::partOf(Range key) const
{
    return static_cast<std::size_t>(std::upper_bound(m_begins.begin(), m_begins.end(), key.begin) - m_begins.begin());
}

bool Sections::standsBeside(const Member& there, const Member& written) const
{
    return !there.keyRange.isEmpty() && there.value->source == written.value->source && there.merged == written.merged &&
           partOf(there.keyRange) == partOf(written.keyRange);
}

} // namespace wb::syntax
