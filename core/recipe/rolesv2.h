// The roles of schema 2.
#pragma once

#include <array>
#include <string_view>

namespace wb::recipe::second {

/// The keys that may stand below `roles:`, in the order in which the language lists them.
constexpr std::array<std::string_view, 3> roles = {"prefill", "decode", "agg"};

} // namespace wb::recipe::second
