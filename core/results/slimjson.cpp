#include "core/results/slimjson.h"

#include "core/base/files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>

namespace wb::results {

namespace {

/// Lists whose items are results themselves.
constexpr auto keptLists = std::to_array<std::string_view>({"benchmarks", "runs", "per_combination_metrics"});
constexpr std::size_t longestKeptKey = 24;

/// What begins a table in a log, and how many lines one has at most.
constexpr auto tableMarks = std::to_array<std::string_view>({"Serving Benchmark Result", "= REQUEST DETAILS", "= PERFORMANCE OVERVIEW"});
constexpr std::size_t linesOfTable = 80;

} // namespace

void JsonSlimmer::put(char c)
{
    if (!m_isLeftOut)
        m_out += c;
    else if (c == '\n')
        m_out += c;
    if (m_listBegin != 0 && !m_isLeftOut && m_out.size() - m_listBegin > m_longestList) {
        const std::size_t lines =
            static_cast<std::size_t>(std::count(m_out.begin() + static_cast<std::ptrdiff_t>(m_listBegin), m_out.end(), '\n'));
        m_out.resize(m_listBegin);
        m_out.append(lines, '\n');
        m_isLeftOut = true;
    }
}

void JsonSlimmer::open(char c)
{
    const bool isKept = std::ranges::find(keptLists, m_lastText) != keptLists.end();
    const bool beginsList = c == '[' && m_listBegin == 0 && !isKept && m_nesting.find('{') != std::string::npos;
    m_lastText.clear();
    put(c);
    if (beginsList) {
        m_listDepth = m_nesting.size();
        m_listBegin = m_out.size();
    }
    m_nesting += c;
}

void JsonSlimmer::close(char c)
{
    if (!m_nesting.empty())
        m_nesting.pop_back();
    if (m_listBegin != 0 && m_nesting.size() == m_listDepth) {
        m_isLeftOut = false;
        m_listBegin = 0;
    }
    put(c);
}

void JsonSlimmer::feedText(char c)
{
    if (m_isEscaped)
        m_isEscaped = false;
    else if (c == '\\')
        m_isEscaped = true;
    else if (c == '"')
        m_isInText = false;
    if (!m_isInText)
        m_isTextLeftOut = false;
    else if (m_lastText.size() < longestKeptKey)
        m_lastText += c;
    if (m_isTextLeftOut)
        return;
    put(c);
    if (m_isInText && !m_isLeftOut && m_out.size() - m_textBegin > m_longestList) {
        m_out.resize(m_textBegin);
        m_isTextLeftOut = true;
    }
}

void JsonSlimmer::feed(std::string_view piece)
{
    for (const char c : piece) {
        if (m_isInText) {
            feedText(c);
        } else if (c == '{' || c == '[') {
            open(c);
        } else if (c == '}' || c == ']') {
            close(c);
        } else {
            m_isInText = c == '"';
            put(c);
            if (m_isInText) {
                m_textBegin = m_out.size();
                m_lastText.clear();
            }
        }
    }
}

void TextSlimmer::endLine()
{
    std::size_t at = std::string::npos;
    for (const std::string_view mark : tableMarks)
        at = std::min(at, m_line.find(mark));
    if (at != std::string::npos) {
        m_toKeep = linesOfTable;
        m_line.erase(0, at); // a progress bar may stand before it
    }
    if (m_toKeep > 0) {
        m_out += m_line;
        --m_toKeep;
    }
    m_line.clear();
}

void TextSlimmer::feed(std::string_view piece)
{
    constexpr std::size_t keptWhole = std::size_t{1} << 20;
    constexpr std::size_t longestLine = std::size_t{1} << 20;
    const std::size_t head = std::min(piece.size(), keptWhole - std::min(keptWhole, m_seen));
    m_out += piece.substr(0, head);
    m_seen += piece.size();
    for (const char c : piece.substr(head)) {
        if (c == '\n') {
            endLine();
            m_out += c;
        } else {
            m_line += c;
            if (m_line.size() > longestLine)
                m_line.erase(0, longestLine / 2);
        }
    }
}

std::string TextSlimmer::taken()
{
    endLine();
    return std::move(m_out);
}

bool beginsLikeJson(std::string_view text)
{
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
}

Result<std::string> readSlimmed(const std::string& path, const std::stop_token& stop)
{
    constexpr std::size_t pieceSize = std::size_t{1} << 20;
    constexpr std::size_t mostKept = std::size_t{12} << 20; // its values take several times as much
    const auto closed = [](std::FILE* file) { std::fclose(file); };
    const std::unique_ptr<std::FILE, decltype(closed)> file(std::fopen(path.c_str(), "rbe"), closed);
    if (!file)
        return tl::unexpected<Error>(base::systemError(errno, path, "Reading"));
    std::string piece(pieceSize, '\0');
    JsonSlimmer json;
    TextSlimmer plain;
    bool isFirst = true;
    bool isJson = false;
    while (const std::size_t size = std::fread(piece.data(), 1, piece.size(), file.get())) {
        if (stop.stop_requested())
            return failure(ErrorCode::Cancelled, "The import was stopped.");
        const std::string_view bytes(piece.data(), size);
        if (isFirst)
            isJson = beginsLikeJson(bytes);
        isFirst = false;
        isJson ? json.feed(bytes) : plain.feed(bytes);
        if ((isJson ? json.size() : plain.size()) > mostKept)
            return failure(ErrorCode::Unsupported, "Without its lists more than " + std::to_string(mostKept >> 20U) +
                                                       " MiB are left of the file, which is no summary of a benchmark.");
    }
    if (std::ferror(file.get()) != 0)
        return tl::unexpected<Error>(base::systemError(errno, path, "Reading"));
    return isJson ? json.taken() : plain.taken();
}

} // namespace wb::results
