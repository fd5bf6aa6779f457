#include "core/results/csv.h"

#include "core/base/text.h"

namespace wb::results {

std::vector<CsvRow> readCsv(std::string_view text)
{
    std::vector<CsvRow> rows;
    const std::size_t bom = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
    text.remove_prefix(bom);
    CsvRow row;
    std::size_t cellBegin = bom;
    std::string cell;
    std::size_t line = 1;
    bool inQuotes = false;
    bool hasContent = false;
    const auto endCell = [&] {
        row.cells.push_back(std::move(cell));
        row.begins.push_back(cellBegin);
    };
    const auto endRow = [&] {
        if (hasContent) {
            endCell();
            rows.push_back(std::move(row));
        }
        cell.clear();
        row = {line, {}, {}};
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
            endCell();
            cell.clear();
            cellBegin = bom + i + 1;
            hasContent = true;
        } else if (c == '\n') {
            endRow();
            cellBegin = bom + i + 1;
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
