#include "core/results/csv.h"

#include "core/base/text.h"

namespace wb::results {

std::vector<CsvRow> readCsv(std::string_view text)
{
    std::vector<CsvRow> rows;
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    CsvRow row;
    std::string cell;
    std::size_t line = 1;
    bool inQuotes = false;
    bool hasContent = false;
    const auto endRow = [&] {
        if (hasContent) {
            row.cells.push_back(std::move(cell));
            rows.push_back(std::move(row));
        }
        cell.clear();
        row = {line, {}};
        hasContent = false;
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\n')
            ++line;
        if (inQuotes && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
            cell += text[++i];
        } else if (c == '"') {
            inQuotes = !inQuotes;
            hasContent = true;
        } else if (inQuotes) {
            cell += c;
        } else if (c == ',') {
            row.cells.push_back(std::move(cell));
            cell.clear();
            hasContent = true;
        } else if (c == '\n') {
            endRow();
        } else if (c != '\r') {
            cell += c;
            hasContent = true;
        }
    }
    endRow();
    return rows;
}

std::string csvCell(std::string_view text)
{
    if (text.find_first_of(",\"\r\n") == std::string_view::npos)
        return std::string(text);
    return '"' + base::replacedAll(text, "\"", "\"\"") + '"';
}

} // namespace wb::results
