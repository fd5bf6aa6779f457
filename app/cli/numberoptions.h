// Checks of number options: what they take is finite. CLI11's own let NaN through, which compares false with either bound.
#pragma once

#include "core/base/text.h"

#include <CLI/CLI.hpp>

#include <string>

namespace wb::cli {

/// A finite number from `least` to `most`.
inline CLI::Validator numberBetween(double least, double most)
{
    return {[least, most](std::string& text) {
                const auto number = base::numberOf(text);
                return number && *number >= least && *number <= most
                           ? std::string()
                           : base::inQuotes(text) + " is no number from " + base::textOf(least) + " to " + base::textOf(most);
            },
            "NUMBER"};
}

/// A finite number above zero.
inline CLI::Validator numberAboveZero()
{
    return {[](std::string& text) {
                const auto number = base::numberOf(text);
                return number && *number > 0.0 ? std::string() : base::inQuotes(text) + " is no number above 0";
            },
            "NUMBER"};
}

} // namespace wb::cli
