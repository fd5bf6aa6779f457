// Reading of JSON fields, for objects of clusters and result files.
#pragma once

#include "core/base/json.h"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace wb::snapshot {

/// The text at nested keys; empty when it is not there or no text.
[[nodiscard]] std::string textAt(const base::json::Value& object, std::initializer_list<std::string_view> path);
/// The number at nested keys; nothing for null, text and what is not finite.
[[nodiscard]] std::optional<double> numberAt(const base::json::Value& object, std::initializer_list<std::string_view> path);

} // namespace wb::snapshot
