// Which jobs of a recipe have been measured: points are matched with the jobs that they came from.
#pragma once

#include "core/results/point.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace wb::analysis {

/// A job of a recipe, and what is expected of it.
struct WantedJob {
    std::string recipe;                      ///< Path.
    std::string name;                        ///< Of the job, as it is submitted.
    std::string suffix;                      ///< Of the variant; empty for a plain recipe.
    std::vector<std::int64_t> concurrencies; ///< A point is expected for each; empty: how many is not known.
};

/// Results that were fetched from a job of the record: they are of that job, whatever their files say.
struct FetchedJob {
    std::string folder;
    std::string recipe;
    std::string name;
    std::string suffix;
};

struct Measured {
    std::size_t points = 0;            ///< Of the job, simulated ones left out.
    std::size_t valid = 0;             ///< Of those, the ones that can be trusted.
    std::vector<std::int64_t> missing; ///< Concurrencies without a valid point; empty when none, or not known (see `isComplete`).
    bool isExpectationKnown = false;   ///< The job tells its concurrencies.

    friend bool operator==(const Measured&, const Measured&) = default;

    [[nodiscard]] bool hasResults() const { return valid > 0; }
    /// There are results, and as far as it is known all of them.
    [[nodiscard]] bool isComplete() const { return valid > 0 && missing.empty(); }
};

/// One for each wanted job, in their order. A point is of a job when it was fetched from it; else when it carries the job's name, and the
/// recipe file that it names, if it names one beside the run's own copy, is called like the wanted one. The copy of an override
/// ("config_<suffix>.yaml") tells jobs of one name apart.
[[nodiscard]] std::vector<Measured> measuredJobs(std::span<const WantedJob> wanted, std::span<const results::Point> points,
                                                 std::span<const FetchedJob> fetched);

} // namespace wb::analysis
