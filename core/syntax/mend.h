// What a broken YAML text was probably meant to be. A text that is being typed is broken at nearly every moment, and a reader that stops
// there would lose all that stands below; so the line at fault is read as it was probably meant, or left out.
#pragma once

#include "core/syntax/diagnostic.h"
#include "core/syntax/source.h"

#include <cstddef>
#include <optional>
#include <string>

namespace wb::syntax {

/// Lists and mappings within each other that are read; upstream's reader gives up between 400 and 900 levels.
inline constexpr std::size_t deepest = 256;

/// Where a reader gave up. Offsets in bytes.
struct Fault {
    std::size_t at = 0;      ///< Where the problem was noticed.
    std::size_t context = 0; ///< Where that began which was being read then; `at` when nothing was.
    bool isQuote = false;    ///< A quoted text was being read.
    bool isFlow = false;     ///< A list or mapping in brackets was being read.
};

/// A change of the text after which a reader gets further.
struct Mend {
    TextEdit edit;
    bool isLossy = false; ///< Something that was written is left out.
    std::string message;  ///< Says what is wrong, where that is not at the fault; else empty.
    Range line;           ///< Of the line that is at fault.
    std::string title;    ///< When the change is one to offer to the author: its title.
    Range below = {};     ///< Of the line whose indentation makes it a part of the one at fault; empty: none takes part.
};

/// The best of the changes that suggest themselves: the one after which the least of the text stays unread, of equals the gentlest.
/// `mostTries` bounds how many are tried (each reads the text once). Nothing when none helps.
[[nodiscard]] std::optional<Mend> mendOf(const std::string& text, const Fault& fault, std::size_t mostTries);

/// The place in the text before the edit that belongs to one after it.
[[nodiscard]] std::size_t before(const TextEdit& edit, std::size_t offset);

} // namespace wb::syntax
