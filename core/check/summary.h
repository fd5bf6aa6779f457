// What a check says of a recipe in one row of a list, without its tree and its jobs.
#pragma once

#include "core/check/check.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace wb::check {

/// A value of the resolved recipe, in each of its jobs.
struct SummaryValue {
    std::string path;                ///< "benchmark.isl"
    std::vector<std::string> values; ///< One when all jobs agree, else one for each job that was looked at; empty where a job lacks it.

    friend bool operator==(const SummaryValue&, const SummaryValue&) = default;
};

struct Summary {
    static constexpr std::size_t mostJobs = 64; ///< So many jobs, the first ones, are looked at for `values`.

    bool isRecipe = false; ///< False: a cluster file or something else; no verdict.
    int schema = 1;
    std::size_t jobs = 0;
    std::size_t errors = 0;
    std::size_t warnings = 0;
    std::vector<std::string> names;           ///< Of the jobs.
    std::string model, gpu, engine, topology; ///< Of the first valid job; empty: not known. Topology: "4P1D", "2 agg".
    std::vector<SummaryValue> values;         ///< By path; lists of scalars on one line.
    std::vector<std::uint64_t> prints;        ///< A number for each value that is written in the file but names; sorted.

    friend bool operator==(const Summary&, const Summary&) = default;
};

[[nodiscard]] Summary summaryOf(const Checked& checked);

/// Recipes that are nearly the same: for each the number of its group, from 1; 0 when it is like no other. Two recipes of one engine belong
/// together when of the values that either writes at least `leastAlike` are written in both (Jaccard index), and so do those that are
/// linked by others. More than `mostCompared` recipes are not compared: all get 0.
inline constexpr double leastAlike = 0.8;
inline constexpr std::size_t mostCompared = 4'000;
[[nodiscard]] std::vector<std::size_t> alikeGroups(std::span<const Summary* const> recipes);

} // namespace wb::check
