#include "core/check/verify.h"

#include "core/base/text.h"
#include "core/check/equality.h"

#include <algorithm>

namespace wb::check {

namespace {

void tellError(const Checked& checked, const std::string& whose, bool isFirst, Verified& out)
{
    const syntax::Diagnostic* error = firstError(checked);
    if (!error)
        return;
    const bool hasPlace = error->source == syntax::Source::Recipe;
    const std::string line = " in line " + std::to_string(checked.source->lineCol(error->range.begin).line);
    out.faults.push_back({whose + " has an error" + (hasPlace ? line : "") + ": " + error->message,
                          isFirst && hasPlace ? std::optional(error->range) : std::nullopt});
}

/// The text without its `schema: 1`, every other byte at its place.
std::shared_ptr<const syntax::SourceText> withoutSchema(std::shared_ptr<const syntax::SourceText> source)
{
    const syntax::Parsed parsed = syntax::parse(source);
    if (!parsed.complete || !parsed.root)
        return source;
    const syntax::ValuePtr base = parsed.root->find("base");
    const syntax::Member* schema = parsed.root->member("schema");
    if (!schema && base)
        schema = base->member("schema");
    const bool isFirst =
        schema && (schema->value->isNull() || (schema->value->kind == syntax::Kind::Integer && schema->value->integer == 1));
    if (!isFirst || parsed.root->style == syntax::Style::Flow)
        return source;
    std::string text = source->text();
    const std::size_t colon = text.find(':', schema->keyRange.end);
    const std::size_t end = std::max(schema->value->range.end, std::min(colon, text.size() - 1) + 1);
    std::replace_if(
        text.begin() + static_cast<std::ptrdiff_t>(schema->keyRange.begin), text.begin() + static_cast<std::ptrdiff_t>(end),
        [](char c) { return c != '\n' && c != '\r'; }, ' ');
    return std::make_shared<syntax::SourceText>(std::move(text), source->path());
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
    const Checked before = check(withoutSchema(std::move(first)), ofFirst);
    const Checked after = check(std::move(second), ofSecond);
    tellError(before, "The recipe in schema 1", true, out);
    tellError(after, "The recipe in schema 2", false, out);
    if (before.variants.size() != after.variants.size())
        out.faults.push_back({"The recipe in schema 1 stands for " + std::to_string(before.variants.size()) +
                                  " jobs, the one in schema 2 for " + std::to_string(after.variants.size()) + ".",
                              std::nullopt});
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

std::vector<SharedDifference> sharedDifferences(const Verified& verified)
{
    std::vector<SharedDifference> out;
    for (const VerifiedDifference& found : verified.differences) {
        const auto same =
            std::find_if(out.begin(), out.end(), [&](const SharedDifference& known) { return known.difference == found.difference; });
        if (same == out.end())
            out.push_back({found.difference, {found.variant}});
        else
            same->variants.push_back(found.variant);
    }
    return out;
}

std::string_view verdictName(const Verified& verified)
{
    return !verified.equal ? "different" : verified.differences.empty() ? "equal" : "equal-but-for";
}

std::string verdictOn(const Verified& verified)
{
    if (!verified.equal)
        return "The jobs are not the same.";
    if (verified.differences.empty())
        return "Both languages give the same jobs.";
    std::vector<std::string> keys;
    for (const VerifiedDifference& found : verified.differences) {
        std::string key = base::inQuotes(found.difference.path);
        if (std::find(keys.begin(), keys.end(), key) == keys.end())
            keys.push_back(std::move(key));
    }
    return "The jobs are equal but for: " + base::joined(keys, ", ") +
           "; the languages themselves differ in that, so write such a key out where it matters.";
}

} // namespace wb::check
