#include "core/check/verify.h"

#include "core/base/text.h"

#include <algorithm>

namespace wb::check {

namespace {

const syntax::Diagnostic* firstError(const Checked& checked)
{
    const auto found = std::find_if(checked.diagnostics.begin(), checked.diagnostics.end(),
                                    [](const syntax::Diagnostic& problem) { return problem.severity == syntax::Severity::Error; });
    return found == checked.diagnostics.end() ? nullptr : &*found;
}

void tellError(const Checked& checked, const std::string& whose, Verified& out)
{
    if (const syntax::Diagnostic* error = firstError(checked))
        out.faults.push_back(whose + " has an error in line " + std::to_string(checked.source->lineCol(error->range.begin).line) + ": " +
                             error->message);
}

bool sameTopology(const recipe::Job& first, const recipe::Job& second, const recipe::Cluster& a, const recipe::Cluster& b)
{
    const plan::Plan one = plan::plan(first, a);
    const plan::Plan other = plan::plan(second, b);
    if (one.topology.has_value() != other.topology.has_value())
        return false;
    return !one.topology || (one.topology->nodes == other.topology->nodes && one.topology->head == other.topology->head &&
                             one.topology->infra == other.topology->infra && one.topology->bench == other.topology->bench &&
                             one.topology->endpoints == other.topology->endpoints && one.topology->processes == other.topology->processes);
}

} // namespace

Verified verifyMigration(std::shared_ptr<const syntax::SourceText> first, std::shared_ptr<const syntax::SourceText> second,
                         const Facts& facts)
{
    Verified out;
    Facts ofFirst = facts;
    Facts ofSecond = facts;
    ofFirst.pack = schema::builtInPack("v1");
    ofSecond.pack = schema::builtInPack("v2");
    const Checked before = check(std::move(first), ofFirst);
    const Checked after = check(std::move(second), ofSecond);
    tellError(before, "The recipe in schema 1", out);
    tellError(after, "The recipe in schema 2", out);
    if (before.variants.size() != after.variants.size())
        out.faults.push_back("The recipe in schema 1 stands for " + std::to_string(before.variants.size()) +
                             " jobs, the one in schema 2 for " + std::to_string(after.variants.size()) + ".");
    const std::size_t count = std::min(before.variants.size(), after.variants.size());
    out.equal = out.faults.empty();
    for (std::size_t i = 0; i < count; ++i) {
        const CheckedVariant& a = before.variants[i];
        const CheckedVariant& b = after.variants[i];
        const std::string variant = a.variant.suffix.value_or(before.form == expand::Form::Sweep ? a.name : std::string());
        if (!a.job || !b.job) {
            out.equal = false; // told by the errors
            continue;
        }
        for (recipe::JobDifference& found : recipe::differences(*a.job, *b.job)) {
            out.equal = out.equal && !found.reason.empty();
            out.differences.push_back({variant, std::move(found)});
        }
        if (!sameTopology(*a.job, *b.job, clusterOf(ofFirst, before), clusterOf(ofSecond, after))) {
            out.equal = false;
            out.differences.push_back({variant, {"topology", "its nodes and processes", "others", {}}});
        }
    }
    return out;
}

} // namespace wb::check
