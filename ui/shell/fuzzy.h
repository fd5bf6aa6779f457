#pragma once

#include <QString>

#include <optional>

namespace wb::ui {

/// How well the letters of the pattern occur in the text in their order (blanks in the pattern part words that may come in any order);
/// higher is better. Nothing when they do not. Beginnings of words and runs count more; an empty pattern fits everything alike.
[[nodiscard]] std::optional<int> fuzzyScore(const QString& pattern, const QString& text);

} // namespace wb::ui
