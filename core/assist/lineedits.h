// What keys do to whole lines, as edits of the text.
#pragma once

#include "core/syntax/diagnostic.h"

#include <string_view>
#include <vector>

namespace wb::assist {

/// Edits that do not overlap, and what is selected when they are made (in the new text). No edits: there is nothing to do.
struct LineEdit {
    std::vector<syntax::TextEdit> edits;
    syntax::Range selection;
};

// `selection` may be empty: the cursor. The lines that it touches are meant; one that only ends at a line's begin does not touch that line.

/// Puts `mark` and a blank before each line that is not blank, at the smallest indentation; when all have it, takes it away.
[[nodiscard]] LineEdit toggledComment(std::string_view text, syntax::Range selection, std::string_view mark);
/// Up (-1) or down (1) by one line.
[[nodiscard]] LineEdit movedLines(std::string_view text, syntax::Range selection, int by);
/// A copy of the lines behind them; the copy is selected as the original was.
[[nodiscard]] LineEdit duplicatedLines(std::string_view text, syntax::Range selection);

} // namespace wb::assist
