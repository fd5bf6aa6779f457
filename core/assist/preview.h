// What edits would do to a text, as lines to be shown before they are made.
#pragma once

#include "core/syntax/diagnostic.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace wb::assist {

struct PreviewLine {
    enum class Kind { Taken, Put };
    Kind kind = Kind::Taken;
    std::size_t line = 1; ///< From 1: Taken in the old text, Put in the new one.
    std::string text;

    friend bool operator==(const PreviewLine&, const PreviewLine&) = default;
};

struct Preview {
    std::vector<PreviewLine> lines; ///< Only lines that differ, each change's old lines before its new ones.
    std::size_t more = 0;           ///< Lines that were left out.
};

/// The edits must not overlap; at most `most` lines are given.
[[nodiscard]] Preview previewOf(std::string_view text, std::vector<syntax::TextEdit> edits, std::size_t most = 12);

} // namespace wb::assist
