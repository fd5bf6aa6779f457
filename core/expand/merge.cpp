#include "core/expand/merge.h"

#include <algorithm>
#include <memory>

namespace wb::expand {

using syntax::Member;
using syntax::ValuePtr;

namespace {

void collectLeaves(const ValuePtr& value, const std::string& path, std::vector<std::pair<std::string, ValuePtr>>& out)
{
    for (const Member& member : value->members) {
        const std::string here = path.empty() ? member.key : path + "." + member.key;
        if (member.value->isMapping() && !member.value->members.empty())
            collectLeaves(member.value, here, out);
        else
            out.emplace_back(here, member.value);
    }
}

} // namespace

ValuePtr merged(const ValuePtr& base, const ValuePtr& over)
{
    if (!base || !base->isMapping() || !over->isMapping())
        return over;
    auto out = std::make_shared<syntax::Value>(*base);
    for (const Member& member : over->members) {
        const auto same = [&](const Member& m) { return m.key == member.key && m.keyKind == member.keyKind; };
        const auto found = std::find_if(out->members.begin(), out->members.end(), same);
        if (member.value->isNull()) {
            if (found != out->members.end())
                out->members.erase(found);
            continue;
        }
        if (found == out->members.end()) {
            out->members.push_back(member);
            continue;
        }
        found->value = found->value->isMapping() && member.value->isMapping() ? merged(found->value, member.value) : member.value;
        found->keyRange = member.keyRange;
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
