#include "core/analysis/operatingpoint.h"

#include "core/base/text.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace wb::analysis {

using results::Point;

namespace {

constexpr double sameLength = 0.05;

std::string textOf(const std::optional<double>& number)
{
    return number ? base::textOf(*number) : std::string("?");
}

std::string joinedFields(std::initializer_list<std::optional<std::string>> texts, std::initializer_list<std::optional<double>> numbers)
{
    std::string key;
    for (const auto& text : texts)
        key.append(text.value_or("?")).push_back('\x1f');
    for (const auto& number : numbers)
        key.append(textOf(number)).push_back('\x1f');
    return key;
}

/// What was set up, without the load and without the lengths, which are measured means in some formats.
std::string configurationOf(const Point& p)
{
    return joinedFields({p.format, p.model, p.engine, p.precision, p.hardware, p.recipe, p.variant, p.simulated ? "simulated" : ""},
                        {p.tp, p.pp, p.ep, p.gpus.total, p.gpus.working, p.gpus.prefill, p.gpus.decode, p.gpus.allocated});
}

bool isNear(const std::optional<double>& one, const std::optional<double>& other)
{
    if (!one || !other)
        return one.has_value() == other.has_value();
    return std::max(*one, *other) <= std::min(*one, *other) * (1.0 + sameLength);
}

/// Splits each bucket where the lengths are no longer those of its first point.
std::vector<std::vector<std::size_t>> bucketsOf(PointPointers points, const std::map<std::string, std::vector<std::size_t>>& byKey)
{
    std::vector<std::vector<std::size_t>> all;
    for (const auto& [key, members] : byKey) {
        std::vector<std::size_t> sorted = members;
        std::ranges::stable_sort(sorted, [&](std::size_t a, std::size_t b) {
            return std::tie(points[a]->isl, points[a]->osl) < std::tie(points[b]->isl, points[b]->osl);
        });
        std::vector<std::size_t> bucket;
        for (const std::size_t index : sorted) {
            const bool isSame = bucket.empty() || (isNear(points[bucket.front()]->isl, points[index]->isl) &&
                                                   isNear(points[bucket.front()]->osl, points[index]->osl));
            if (!isSame)
                all.push_back(std::exchange(bucket, {}));
            bucket.push_back(index);
        }
        if (!bucket.empty())
            all.push_back(std::move(bucket));
    }
    return all;
}

} // namespace

std::vector<std::vector<std::size_t>> replicasAmong(PointPointers points)
{
    std::map<std::string, std::vector<std::size_t>> byKey;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Point& p = *points[i];
        if (p.concurrency || p.requestRate)
            byKey[configurationOf(p) + joinedFields({}, {p.concurrency, p.users, p.requestRate})].push_back(i);
    }
    std::vector<std::vector<std::size_t>> groups = bucketsOf(points, byKey);
    std::erase_if(groups, [](const auto& group) { return group.size() < 2; });
    for (auto& group : groups)
        std::ranges::sort(group);
    std::ranges::sort(groups);
    return groups;
}

std::vector<std::vector<std::vector<std::size_t>>> sweepsAmong(PointPointers points)
{
    std::map<std::string, std::vector<std::size_t>> byKey;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (points[i]->concurrency)
            byKey[points[i]->run.text + '\x1f' + configurationOf(*points[i])].push_back(i);
    std::vector<std::vector<std::vector<std::size_t>>> sweeps;
    for (std::vector<std::size_t>& bucket : bucketsOf(points, byKey)) {
        std::ranges::sort(bucket, [&](std::size_t a, std::size_t b) {
            return std::pair(*points[a]->concurrency, a) < std::pair(*points[b]->concurrency, b);
        });
        std::vector<std::vector<std::size_t>> sweep;
        for (const std::size_t index : bucket) {
            if (sweep.empty() || *points[sweep.back().front()]->concurrency != *points[index]->concurrency)
                sweep.emplace_back();
            sweep.back().push_back(index);
        }
        if (sweep.size() > 1)
            sweeps.push_back(std::move(sweep));
    }
    std::ranges::sort(sweeps);
    return sweeps;
}

std::string parallelismOf(const Point& point)
{
    std::string text;
    const auto add = [&text](std::string_view name, const std::optional<double>& size) {
        if (size && (*size != 1.0 || name == "TP"))
            text.append(text.empty() ? "" : " ").append(name).append(base::textOf(*size));
    };
    add("TP", point.tp);
    add("PP", point.pp);
    add("EP", point.ep);
    if (point.gpus.prefill && point.gpus.decode)
        return (text.empty() ? text : text + ' ') + base::textOf(*point.gpus.prefill) + "P+" + base::textOf(*point.gpus.decode) + "D GPUs";
    if (!text.empty())
        return text;
    const auto& count = point.gpus.working ? point.gpus.working : point.gpus.total;
    return count ? base::textOf(*count) + (*count == 1.0 ? " GPU" : " GPUs") : std::string();
}

} // namespace wb::analysis
