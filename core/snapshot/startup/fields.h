// Reading of JSON fields that all importers share.
#pragma once

#include "core/base/json.h"
#include "core/snapshot/startuprun.h"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace wb::snapshot::startup {

/// The text at nested keys; empty when it is not there or no text.
[[nodiscard]] std::string textAt(const base::json::Value& object, std::initializer_list<std::string_view> path);
/// The number at nested keys; nothing for null, text and what is not finite.
[[nodiscard]] std::optional<double> numberAt(const base::json::Value& object, std::initializer_list<std::string_view> path);
/// A duration at nested keys, or missing with that note.
[[nodiscard]] Measured measuredAt(const base::json::Value& object, std::initializer_list<std::string_view> path, Clock clock,
                                  std::string_view missing);
/// "vllm" from any way to write an engine's name; the text in lower case where it is none that is known.
[[nodiscard]] std::string engineName(std::string_view text);

} // namespace wb::snapshot::startup
