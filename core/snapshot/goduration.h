// Durations as Go prints them: "1m2.5s", "75.2ms", "250µs", "0s".
#pragma once

#include <optional>
#include <string_view>

namespace wb::snapshot {

/// In seconds; nothing when the text is no duration.
[[nodiscard]] std::optional<double> goDuration(std::string_view text);

} // namespace wb::snapshot
