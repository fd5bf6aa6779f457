#include "core/analysis/measured.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>

namespace wb::analysis {

namespace {

std::string_view fileName(std::string_view path)
{
    return path.substr(path.rfind('/') + 1); // npos + 1 is 0
}

/// The suffix in the name of a run's own copy of an override; nothing for other files.
std::optional<std::string_view> suffixOfCopy(std::string_view path)
{
    std::string_view name = fileName(path);
    if (!name.starts_with("config_") || !name.ends_with(".yaml") || name == "config_resolved.yaml")
        return {};
    name.remove_prefix(std::string_view("config_").size());
    name.remove_suffix(std::string_view(".yaml").size());
    return name;
}

bool isCopy(std::string_view path)
{
    const std::string_view name = fileName(path);
    return name == "config.yaml" || name == "recipe.lock.yaml" || name == "config_resolved.yaml" || suffixOfCopy(path).has_value();
}

const FetchedJob* fetchedFrom(const results::Point& point, std::span<const FetchedJob> fetched)
{
    const auto at = std::find_if(fetched.begin(), fetched.end(), [&](const FetchedJob& job) {
        return !job.folder.empty() && point.source.size() > job.folder.size() && point.source.starts_with(job.folder) &&
               (job.folder.ends_with('/') || point.source[job.folder.size()] == '/');
    });
    return at == fetched.end() ? nullptr : &*at;
}

bool isOf(const results::Point& point, const WantedJob& job, bool isNameShared)
{
    if (!point.recipe)
        return true;
    if (!isCopy(*point.recipe))
        return fileName(*point.recipe) == fileName(job.recipe);
    const auto suffix = suffixOfCopy(*point.recipe);
    return !isNameShared || !suffix || *suffix == job.suffix;
}

} // namespace

std::vector<Measured> measuredJobs(std::span<const WantedJob> wanted, std::span<const results::Point> points,
                                   std::span<const FetchedJob> fetched)
{
    std::vector<Measured> out(wanted.size());
    std::vector<std::set<std::int64_t>> measured(wanted.size());
    std::unordered_map<std::string_view, std::vector<std::size_t>> byName;
    for (std::size_t i = 0; i < wanted.size(); ++i)
        byName[wanted[i].name].push_back(i);
    const auto count = [&](const results::Point& point, std::size_t index) {
        ++out[index].points;
        if (!point.valid)
            return;
        ++out[index].valid;
        if (point.concurrency)
            measured[index].insert(static_cast<std::int64_t>(std::clamp(*point.concurrency, 0.0, 1e15)));
    };
    for (const results::Point& point : points) {
        if (point.simulated)
            continue;
        if (const FetchedJob* job = fetchedFrom(point, fetched)) {
            for (std::size_t i = 0; i < wanted.size(); ++i)
                if (wanted[i].recipe == job->recipe &&
                    (job->suffix.empty() ? wanted[i].name == job->name : wanted[i].suffix == job->suffix))
                    count(point, i);
            continue;
        }
        const auto named = point.variant ? byName.find(*point.variant) : byName.end();
        if (named == byName.end())
            continue;
        for (const std::size_t i : named->second)
            if (isOf(point, wanted[i], named->second.size() > 1))
                count(point, i);
    }
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        out[i].isExpectationKnown = !wanted[i].concurrencies.empty();
        for (const std::int64_t level : wanted[i].concurrencies)
            if (!measured[i].contains(level))
                out[i].missing.push_back(level);
    }
    return out;
}

} // namespace wb::analysis
