// Whether two jobs, one from each language, are the same job: what differs, and which of it is the languages' own difference.
#pragma once

#include "core/recipe/job.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wb::recipe {

/// A place at which the two languages differ for the same recipe.
struct LanguageDifference {
    std::string_view path;   ///< Dotted path of schema 1; `*` stands for one name, or at the end for all below.
    std::string_view reason; ///< What schema 2 does otherwise, as a sentence.
    /// More that must hold, asked with both jobs; null: always.
    bool (*applies)(const Job& first, const Job& second, std::string_view path) = nullptr;
};

/// The table of the differences that a migration cannot take away: defaults that schema 2 changed, keys that it lacks.
[[nodiscard]] std::span<const LanguageDifference> languageDifferences();

/// One value that is not the same in both jobs.
struct JobDifference {
    std::string path;  ///< In the words of schema 1.
    std::string first; ///< As in a message; "—" when there is none.
    std::string second;
    std::string reason; ///< Of the table; empty when nothing explains it, so that the jobs are not the same.

    friend bool operator==(const JobDifference&, const JobDifference&) = default;
};

/// What differs between a job of schema 1 and one of schema 2, in order of the paths. Values that say nothing (absent, null, empty) are
/// alike, and so is what only one language knows while it stands at a default that does nothing.
[[nodiscard]] std::vector<JobDifference> differences(const Job& first, const Job& second);

} // namespace wb::recipe
