// Reports for people: "Label:   value" lines, read as the members of an object so that a FieldReader takes them.
#pragma once

#include "core/results/fieldreader.h"
#include "core/results/importer.h"

#include <map>
#include <string>
#include <string_view>

namespace wb::results {

struct Labels {
    base::json::Value object; ///< Label -> value as text, without thousands separators and without a unit behind the number.
    std::map<std::string, std::size_t, std::less<>> offsets; ///< Label -> where its value stands in the text.
};

/// Lines from `begin` to `end` of the text with a colon in them; of several with the same label the first. `separator` is what parts label
/// and value.
[[nodiscard]] Labels readLabels(std::string_view text, std::size_t begin, std::size_t end, std::string_view separator = ":");

/// Where a label's value stands. Not beyond the life of either.
[[nodiscard]] PlaceOf placesIn(const Input& input, const Labels& labels);

} // namespace wb::results
