// What all importers share.
#pragma once

#include "core/snapshot/jsonfields.h"
#include "core/snapshot/startuprun.h"

#include <initializer_list>
#include <string>
#include <string_view>

namespace wb::snapshot::startup {

/// A duration at nested keys, or missing with that note.
[[nodiscard]] Measured measuredAt(const base::json::Value& object, std::initializer_list<std::string_view> path, Clock clock,
                                  std::string_view missing);
/// "vllm" from any way to write an engine's name; the text in lower case where it is none that is known.
[[nodiscard]] std::string engineName(std::string_view text);

} // namespace wb::snapshot::startup
