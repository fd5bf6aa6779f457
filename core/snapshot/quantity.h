// Quantities of Kubernetes: "1Ti", "500m", "16", "1e3".
#pragma once

#include <optional>
#include <string_view>

namespace wb::snapshot {

/// The number that a quantity stands for ("1Ki" is 1024, "500m" is 0.5); nothing when it is none.
[[nodiscard]] std::optional<double> quantityOf(std::string_view text);

} // namespace wb::snapshot
