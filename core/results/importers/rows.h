// The objects of a JSON file that importers look at: each document, or each item of a document that is a list.
#pragma once

#include "core/results/fieldreader.h"
#include "core/results/importer.h"
#include "core/results/jsonplace.h"

#include <functional>
#include <string>
#include <vector>

namespace wb::results {

struct Row {
    const base::json::Value* object = nullptr; ///< Never null, always an object.
    std::size_t index = 0;                     ///< Counted over the whole file, from 0.
    std::string place;                         ///< "line 3" or "line 1, item 2": for messages.
    std::size_t begin = 0;                     ///< Byte offset of its document.
    std::vector<PathStep> path = {};           ///< From the document to it.
};

[[nodiscard]] std::vector<Row> rowsOf(const Input& input);

/// Tells where members of the row's object stand, or of the object that `below` leads to from there. Not beyond the life of the input.
[[nodiscard]] PlaceOf placesIn(const Input& input, const Row& row, const std::vector<PathStep>& below = {});

/// A point of a row with its format, source and position filled in.
[[nodiscard]] Point pointOf(const Input& input, std::string_view format, std::size_t index);

/// Reads the rows that are of a format; the others are left out with a warning: "line 3: left out, not <what>."
[[nodiscard]] Result<PointSet> readRows(const Input& input, const std::stop_token& stop, std::string_view what,
                                        const std::function<bool(const Row&)>& isMine, const std::function<Point(const Row&)>& read);
[[nodiscard]] bool anyRow(const Input& input, bool (*is)(const base::json::Value&));

/// True when every key is a member of the object.
[[nodiscard]] bool hasAll(const base::json::Value& object, std::initializer_list<std::string_view> keys);
[[nodiscard]] bool hasAny(const base::json::Value& object, std::initializer_list<std::string_view> keys);

} // namespace wb::results
