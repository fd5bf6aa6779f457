// Whether two texts stand for the same jobs: the proof behind consolidate and explode.
#pragma once

#include "core/check/check.h"
#include "core/expand/consolidate.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wb::check {

/// The first difference of two jobs as a sentence, by their resolved configurations: the names count, the order of keys does not, nor does
/// the alias that was written where an image stands now. Nothing when they are equal; a variant without a job is equal to none.
[[nodiscard]] std::optional<std::string> difference(const CheckedVariant& a, const CheckedVariant& b);

/// Null when there is none.
[[nodiscard]] const syntax::Diagnostic* firstError(const Checked& checked);
/// Its message, to be said of a text that cannot be worked with.
[[nodiscard]] std::string firstErrorOf(const Checked& checked);

/// A text that was made, and whether it was proved to stand for the same jobs.
struct Consolidation {
    std::string text;
    bool isEqual = false;
    std::vector<std::string> reasons; ///< Why it is not, a sentence each.
    std::vector<std::string> notes;
    Checked checked; ///< Of the text.
};
/// Several checked files as one with a zip section of that name.
[[nodiscard]] Consolidation consolidate(const std::vector<Checked>& files, std::string_view group, const Facts& facts);

/// One variant as a file of its own.
struct Exploded {
    std::string text;
    std::optional<std::string> whyNot; ///< Set when it does not stand for the same job.
};
[[nodiscard]] Exploded explode(const Checked& checked, std::size_t variant, const Facts& facts);

} // namespace wb::check
