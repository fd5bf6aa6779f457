// Comma-separated values as Python's csv module writes them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace wb::results {

struct CsvRow {
    std::size_t line = 1; ///< From 1.
    std::vector<std::string> cells;
    std::vector<std::size_t> begins = {}; ///< Byte offset of each cell in the text.
};

/// All rows that are not empty; quoted cells may hold commas, quotes and line breaks; CRLF and LF.
[[nodiscard]] std::vector<CsvRow> readCsv(std::string_view text);

/// A cell for writing, quoted when it must be.
[[nodiscard]] std::string csvCell(std::string_view text);

} // namespace wb::results
