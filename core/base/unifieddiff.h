// Two texts beside each other as `diff -u` shows them.
#pragma once

#include <string>
#include <string_view>

namespace wb::base {

/// Empty when the texts are the same.
[[nodiscard]] std::string unifiedDiff(std::string_view before, std::string_view after, std::string_view beforeName,
                                      std::string_view afterName);

} // namespace wb::base
