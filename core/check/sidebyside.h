// Several jobs side by side, value by value: what a comparison of recipes shows, and the matrix of the values in which variants differ.
#pragma once

#include "core/check/check.h"

#include <cstddef>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace wb::check {

/// One job that takes part.
struct Side {
    const Checked* checked = nullptr;
    std::size_t variant = 0;
};

struct SideCell {
    bool isSet = false; ///< False: the job does not have the key.
    std::string value;  ///< On one line; a text without quotes.
    std::string from;   ///< Where it comes from, as in provenance: "base", "sweep", "default", ...
    syntax::Source source = syntax::Source::Recipe;
    syntax::Range range;   ///< Where it is written; empty: nowhere.
    bool isScalar = false; ///< Written as one scalar in the recipe, so that it can be changed in place.

    friend bool operator==(const SideCell&, const SideCell&) = default;
};

struct SideRow {
    std::string path;            ///< "resources.gpu_type"
    std::vector<SideCell> cells; ///< One for each side, in order.
    bool isSame = false;         ///< All sides have it with the same value, wherever it comes from.

    friend bool operator==(const SideRow&, const SideRow&) = default;
};

/// Keys in the order of the first side that has them. A side whose shape is wrong, so that nothing is resolved, shows what is written.
/// `onlyDifferent`: rows that are the same are left out. Stopped: empty.
[[nodiscard]] std::vector<SideRow> sideBySide(std::span<const Side> sides, bool onlyDifferent = false, const std::stop_token& stop = {});

} // namespace wb::check
