#pragma once

#include "core/analysis/filter.h"
#include "core/base/result.h"
#include "ui/models/recipesmodel.h"

#include <QString>

#include <string>
#include <string_view>
#include <vector>

namespace wb::ui {

/// What is written into the filter of the recipes: words that occur in the path or a column, and terms in the grammar of
/// core/analysis/filter over columns ("gpu_type=gb200 jobs>1 verdict=errors") and over any key of the resolved recipe, by its whole path or
/// the end of it ("isl>4000"). A recipe passes when one of its jobs satisfies all terms.
class RecipeFilter
{
public:
    [[nodiscard]] static Result<RecipeFilter> read(const QString& written);

    [[nodiscard]] bool isEmpty() const { return m_query.words.empty() && m_query.terms.empty(); }
    /// `summary`: null where the file is not checked yet; then no term holds.
    [[nodiscard]] bool passes(std::string_view path, const RecipeSummary* summary) const;
    [[nodiscard]] bool passesFolder(std::string_view path) const; ///< As such, with all below it.
    /// The first key of a term that no recipe has; empty: each is known.
    [[nodiscard]] std::string unknownKey(const RecipeSummaries& summaries) const;

private:
    analysis::Query m_query;
};

} // namespace wb::ui
