#include "core/snapshot/findings.h"

namespace wb::snapshot {

Node Node::child(std::string_view key) const
{
    const syntax::Member* member = value ? value->member(key) : nullptr;
    if (!member)
        return {nullptr, path + "." + std::string(key), place};
    Node out{member->value, path + "." + std::string(key), member->keyRange};
    if (out.place.isEmpty())
        out.place = member->value->range;
    if (out.value->isNull())
        out.value = nullptr;
    return out;
}

Node Node::item(std::size_t index) const
{
    const syntax::ValuePtr& found = value->items.at(index);
    return {found, path + "[" + std::to_string(index) + "]", found->range};
}

Node Node::at(std::initializer_list<std::string_view> keys) const
{
    Node out = *this;
    for (const std::string_view key : keys)
        out = out.child(key);
    return out;
}

std::string_view textOf(const Node& node, std::string_view key)
{
    const syntax::Member* member = node.value ? node.value->member(key) : nullptr;
    return member && member->value->isString() ? std::string_view(member->value->text) : std::string_view();
}

syntax::Diagnostic& Findings::add(syntax::Severity severity, std::string rule, const Node& at, std::string message)
{
    syntax::Diagnostic finding;
    finding.code = syntax::Code::Rule;
    finding.severity = severity;
    finding.rule = std::move(rule);
    finding.path = at.path;
    finding.range = whole(at.place);
    finding.message = std::move(message);
    m_all.push_back(std::move(finding));
    return m_all.back();
}

} // namespace wb::snapshot
