#include "core/recipe/rulewords.h"

#include "core/base/arithmetic.h"
#include "core/base/text.h"

#include <algorithm>

namespace wb::recipe {

using syntax::ValuePtr;

std::string flagsPath(const Job& job, const ModeKeys& mode)
{
    return "backend." + job.backend.type + "_config." + std::string(mode.key);
}

std::string environmentPath(const ModeKeys& mode)
{
    return "backend." + std::string(mode.key) + "_environment";
}

bool isGiven(const RuleFindings& findings, std::string_view path)
{
    const ValuePtr value = findings.at(path);
    return value && !value->isNull();
}

bool isWritten(const RuleFindings& findings, std::string_view path)
{
    const ValuePtr value = findings.at(path);
    return value && !value->isNull() && !value->isUnwritten();
}

bool isTrue(const RuleFindings& findings, std::string_view path)
{
    const ValuePtr value = findings.at(path);
    return value && value->kind == syntax::Kind::Bool && value->boolean;
}

std::string textAt(const RuleFindings& findings, std::string_view path)
{
    const ValuePtr value = findings.at(path);
    return value && value->isString() ? value->text : std::string();
}

std::optional<double> numberAt(const RuleFindings& findings, std::string_view path)
{
    const ValuePtr value = findings.at(path);
    const bool isNumber = value && (value->kind == syntax::Kind::Integer || value->kind == syntax::Kind::Float);
    return isNumber ? std::optional(value->number) : std::nullopt;
}

const syntax::Member* flagOf(const ValuePtr& flags, std::string_view dashed)
{
    if (!flags)
        return nullptr;
    const auto isSame = [](char written, char wanted) { return (written == '_' ? '-' : written) == wanted; };
    for (const syntax::Member& member : flags->members) {
        if (std::equal(member.key.begin(), member.key.end(), dashed.begin(), dashed.end(), isSame))
            return &member;
    }
    return nullptr;
}

std::int64_t workerNodes(const Resources& resources)
{
    if (resources.isDisaggregated())
        return base::sum(resources.prefillNodes.value_or(0), resources.decodeNodes.value_or(0));
    return std::max<std::int64_t>(1, resources.aggNodes.value_or(1));
}

bool hasSeveralFrontends(const RuleFindings& findings)
{
    return findings.job().frontend.multiple && workerNodes(findings.job().resources) > 1;
}

bool isSafeFolder(std::string_view text)
{
    if (text.empty() || text == "." || text.front() == '/' || text.front() == '~')
        return false;
    const auto parts = base::splitAt(text, '/');
    return std::find(parts.begin(), parts.end(), std::string_view("..")) == parts.end();
}

} // namespace wb::recipe
