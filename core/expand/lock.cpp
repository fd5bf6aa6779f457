#include "core/expand/lock.h"

#include "core/base/text.h"

#include <algorithm>

namespace wb::expand {

using syntax::Code;
using syntax::Diagnostic;
using syntax::Member;
using syntax::Severity;
using syntax::Value;
using syntax::ValuePtr;

namespace {

/// As Python judges it: these are skipped without a word.
bool isFalsy(const Value& value)
{
    switch (value.kind) {
    case syntax::Kind::Null:
        return true;
    case syntax::Kind::Bool:
        return !value.boolean;
    case syntax::Kind::Integer:
    case syntax::Kind::Float:
        return value.number == 0.0;
    case syntax::Kind::String:
        return value.text.empty();
    case syntax::Kind::Sequence:
        return value.items.empty();
    case syntax::Kind::Mapping:
        return value.members.empty();
    default:
        return false;
    }
}

/// " of job 1234", " on \"cluster\"": a part of the sentence, empty when the lock does not say.
std::string part(const ValuePtr& value, std::string_view before, bool isQuoted)
{
    if (!value || !value->isScalar() || value->isNull() || value->text.empty())
        return {};
    return std::string(before) + (isQuoted ? base::inQuotes(value->text) : value->text);
}

std::string sentence(const ValuePtr& lock)
{
    std::string out = "This is the lockfile";
    out += part(syntax::at(lock, "slurm.job_id"), " of job ", false);
    out += part(syntax::at(lock, "slurm.cluster"), " on ", true);
    out += part(lock->find("generated_at"), ", written ", false);
    out += "; the recipe in it is taken without its \"lock\", ";
    const ValuePtr integrity = lock->find("integrity");
    const bool hasHash = integrity && !integrity->isNull();
    return out + (hasHash ? "whose integrity is not checked here." : "which has no integrity hash to check.");
}

Diagnostic about(const Member& lock, Code code, Severity severity, std::string message)
{
    Diagnostic out;
    out.code = code;
    out.severity = severity;
    out.range = lock.keyRange;
    out.path = "lock";
    out.message = std::move(message);
    return out;
}

} // namespace

void describeLock(const syntax::Parsed& parsed, Form form, std::vector<Diagnostic>& diagnostics)
{
    const Member* lock = parsed.root && parsed.root->isMapping() ? parsed.root->member("lock") : nullptr;
    if (!lock)
        return;
    const Value& value = *lock->value;
    if (form == Form::Sweep) {
        Diagnostic problem = about(*lock, Code::UnknownTopKey, Severity::Error,
                                   "A sweep file may not have a \"lock\": upstream refuses the key there; delete it.");
        const std::size_t end = parsed.source->lineStart(parsed.source->lineCol(value.range.end).line + 1);
        problem.fixes.push_back({"Delete \"lock\"", {{{lock->keyRange.begin, std::max(end, value.range.end)}, {}}}});
        diagnostics.push_back(std::move(problem));
    } else if (form == Form::Override) {
        diagnostics.push_back(
            about(*lock, Code::Lockfile, Severity::Warning,
                  "The \"lock\" beside \"base\" is ignored: applying this file submits all of its jobs again, not only the "
                  "one that the lock was written for; resolve that one instead."));
    } else if (value.isMapping() && !value.members.empty()) {
        diagnostics.push_back(about(*lock, Code::Lockfile, Severity::Info, sentence(lock->value)));
    } else if (!isFalsy(value)) {
        Diagnostic problem = about(*lock, Code::Lockfile, Severity::Error,
                                   "\"lock\" must be the mapping that srtctl writes, not " + std::string(syntax::describe(value.kind)) +
                                       "; upstream crashes on it.");
        if (!value.range.isEmpty())
            problem.range = value.range;
        diagnostics.push_back(std::move(problem));
    }
}

} // namespace wb::expand
