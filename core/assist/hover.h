// What is known about a place: the field, flag, alias or placeholder there, and what it comes to in the jobs that the text stands for.
#pragma once

#include "core/assist/document.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace wb::assist {

/// One line of a card: "Default", "30".
struct Fact {
    std::string label;
    std::string value;
    bool isWarning = false; ///< Deprecated, not read, unknown.

    friend bool operator==(const Fact&, const Fact&) = default;
};

/// What a key comes to in some of the jobs.
struct ResolvedValue {
    std::string value;                 ///< On one line, cut; empty: the jobs do not have the key.
    std::string from;                  ///< "base", "override_x", "sweep", "cluster", "default", ...
    std::vector<std::string> variants; ///< The first few suffixes or names.
    std::size_t count = 0;             ///< Jobs with that value of that origin.
};

struct Hover {
    syntax::Range range; ///< Of the word that it is about.
    std::string title;   ///< "resources.gpu_type", "flag mem-fraction-static of SGLang".
    std::string doc;
    std::vector<Fact> facts;
    std::vector<ResolvedValue> values; ///< Most jobs first; one entry when all agree.
    std::size_t jobs = 0;              ///< Of the latest check, that were looked at.
    bool isOfOlderText = false;        ///< The values are of a text before the last keys.
};

/// Nothing where there is nothing to say: comments, blanks, free text.
[[nodiscard]] std::optional<Hover> hoverAt(const Document& document, std::size_t offset);

/// What the path of the recipe comes to. `section` narrows it to the jobs of one override or zip section; empty: all jobs.
[[nodiscard]] std::vector<ResolvedValue> resolvedValues(const check::Checked& checked, const std::string& section, const Path& inner,
                                                        std::size_t& jobs);

} // namespace wb::assist
