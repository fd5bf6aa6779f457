#include "core/check/summary.h"

#include "core/syntax/rewrite.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <string_view>

namespace wb::check {

using syntax::Member;
using syntax::Value;
using syntax::ValuePtr;

namespace {

std::string textOf(const Value& value)
{
    return value.isString() ? value.text : syntax::flowText(value);
}

/// Calls `visit(path, value)` for every value that is no mapping.
void forEachLeaf(const Value& mapping, const std::string& path, const std::function<void(const std::string&, const Value&)>& visit)
{
    for (const Member& member : mapping.members) {
        const std::string here = path.empty() ? member.key : path + '.' + member.key;
        if (member.value->isMapping())
            forEachLeaf(*member.value, here, visit);
        else
            visit(here, *member.value);
    }
}

std::string topologyOf(const recipe::Resources& resources)
{
    const auto count = [](const std::optional<std::int64_t>& workers) { return std::to_string(workers.value_or(0)); };
    if (resources.isDisaggregated())
        return count(resources.prefillWorkers) + "P" + count(resources.decodeWorkers) + "D";
    return resources.aggWorkers ? count(resources.aggWorkers) + " agg" : "agg";
}

std::vector<SummaryValue> valuesOf(const Checked& checked)
{
    std::map<std::string, std::vector<std::string>> table;
    const std::size_t jobs = std::min(checked.variants.size(), Summary::mostJobs);
    for (std::size_t i = 0; i < jobs; ++i) {
        const CheckedVariant& variant = checked.variants[i];
        const ValuePtr& root = variant.config ? variant.config : variant.variant.document;
        if (!root || !root->isMapping())
            continue;
        forEachLeaf(*root, {}, [&](const std::string& path, const Value& value) {
            if (value.isNull())
                return;
            std::vector<std::string>& row = table[path];
            row.resize(jobs);
            row[i] = textOf(value);
        });
    }
    std::vector<SummaryValue> out;
    out.reserve(table.size());
    for (auto& [path, values] : table) {
        if (std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end())
            values.resize(1);
        values.shrink_to_fit();
        out.push_back({path, std::move(values)});
    }
    return out;
}

std::vector<std::uint64_t> printsOf(const ValuePtr& root)
{
    std::vector<std::uint64_t> out;
    if (!root || !root->isMapping())
        return out;
    const std::hash<std::string> hash;
    forEachLeaf(*root, {}, [&](const std::string& path, const Value& value) {
        if (path == "name" || path.ends_with(".name"))
            return;
        out.push_back(hash(path + '\n' + textOf(value)));
    });
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

bool areAlike(const Summary& a, const Summary& b)
{
    if (a.engine != b.engine || a.schema != b.schema || a.prints.empty() || b.prints.empty())
        return false;
    const std::size_t fewer = std::min(a.prints.size(), b.prints.size());
    const std::size_t more = std::max(a.prints.size(), b.prints.size());
    if (static_cast<double>(fewer) < leastAlike * static_cast<double>(more))
        return false; // the Jaccard index is at most fewer / more
    std::size_t both = 0;
    for (auto x = a.prints.begin(), y = b.prints.begin(); x != a.prints.end() && y != b.prints.end();) {
        if (*x == *y) {
            ++both;
            ++x;
            ++y;
        } else if (*x < *y) {
            ++x;
        } else {
            ++y;
        }
    }
    return static_cast<double>(both) >= leastAlike * static_cast<double>(fewer + more - both);
}

std::size_t rootOf(std::vector<std::size_t>& parents, std::size_t at)
{
    while (parents[at] != at)
        at = parents[at] = parents[parents[at]];
    return at;
}

} // namespace

Summary summaryOf(const Checked& checked)
{
    Summary out;
    out.isRecipe = checked.pack.has_value();
    out.schema = checked.schema;
    out.jobs = checked.variants.size();
    for (const syntax::Diagnostic& problem : checked.diagnostics) {
        out.errors += problem.severity == syntax::Severity::Error ? 1 : 0;
        out.warnings += problem.severity == syntax::Severity::Warning ? 1 : 0;
    }
    for (const CheckedVariant& variant : checked.variants) {
        out.names.push_back(variant.name);
        if (!variant.job || !out.engine.empty())
            continue;
        out.engine = variant.job->backend.type;
        out.model = variant.job->modelPath;
        out.gpu = variant.job->resources.gpuType;
        out.topology = topologyOf(variant.job->resources);
    }
    if (out.isRecipe) {
        out.values = valuesOf(checked);
        out.prints = printsOf(checked.parsed.root);
    }
    return out;
}

std::vector<std::size_t> alikeGroups(std::span<const Summary* const> recipes)
{
    std::vector<std::size_t> groups(recipes.size(), 0);
    if (recipes.size() > mostCompared)
        return groups;
    std::vector<std::size_t> parents(recipes.size());
    std::iota(parents.begin(), parents.end(), std::size_t{0});
    for (std::size_t i = 0; i < recipes.size(); ++i) {
        for (std::size_t j = i + 1; j < recipes.size(); ++j) {
            const std::size_t a = rootOf(parents, i);
            const std::size_t b = rootOf(parents, j);
            if (a != b && areAlike(*recipes[i], *recipes[j]))
                parents[std::max(a, b)] = std::min(a, b);
        }
    }
    std::vector<std::size_t> members(recipes.size(), 0);
    for (std::size_t i = 0; i < recipes.size(); ++i)
        ++members[rootOf(parents, i)];
    std::size_t last = 0;
    for (std::size_t i = 0; i < recipes.size(); ++i) {
        const std::size_t root = rootOf(parents, i);
        if (members[root] > 1)
            groups[i] = root == i ? ++last : groups[root];
    }
    return groups;
}

} // namespace wb::check
