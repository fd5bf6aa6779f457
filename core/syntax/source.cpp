#include "core/syntax/source.h"

#include "core/syntax/byteordermark.h"

#include <algorithm>

namespace wb::syntax {

SourceText::SourceText(std::string text, std::string path)
    : m_text(std::move(text))
    , m_path(std::move(path))
    , m_lineStarts{m_text.starts_with(byteOrderMark) ? byteOrderMark.size() : 0}
{
    m_lineStarts.reserve(static_cast<std::size_t>(std::count(m_text.begin(), m_text.end(), '\n')) + 1);
    if (m_text.find('\r') == std::string::npos) { // nearly always, and then the library's search is much the quicker one
        for (std::size_t at = m_text.find('\n'); at != std::string::npos; at = m_text.find('\n', at + 1))
            m_lineStarts.push_back(at + 1);
        return;
    }
    for (std::size_t i = 0; i < m_text.size(); ++i) {
        const bool isLoneCr = m_text[i] == '\r' && (i + 1 == m_text.size() || m_text[i + 1] != '\n');
        if (m_text[i] == '\n' || isLoneCr)
            m_lineStarts.push_back(i + 1);
    }
}

LineCol SourceText::lineCol(std::size_t offset) const
{
    offset = std::clamp(offset, m_lineStarts.front(), m_text.size());
    const auto next = std::upper_bound(m_lineStarts.begin(), m_lineStarts.end(), offset);
    const std::size_t begin = *(next - 1);
    const auto isFirstByte = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
    const auto first = m_text.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = m_text.begin() + static_cast<std::ptrdiff_t>(offset);
    return {static_cast<std::size_t>(next - m_lineStarts.begin()), static_cast<std::size_t>(std::count_if(first, last, isFirstByte)) + 1};
}

std::size_t SourceText::offset(LineCol place) const
{
    const Range line = lineRange(place.line);
    std::size_t at = line.begin;
    for (std::size_t column = 1; column < place.column && at < line.end; ++column) {
        ++at;
        while (at < line.end && (static_cast<unsigned char>(m_text[at]) & 0xC0U) == 0x80U)
            ++at;
    }
    return at;
}

std::size_t SourceText::lineStart(std::size_t line) const
{
    return m_lineStarts[std::clamp<std::size_t>(line, 1, m_lineStarts.size()) - 1];
}

Range SourceText::lineRange(std::size_t line) const
{
    const std::size_t index = std::clamp<std::size_t>(line, 1, m_lineStarts.size());
    const std::size_t begin = m_lineStarts[index - 1];
    std::size_t end = index < m_lineStarts.size() ? m_lineStarts[index] : m_text.size();
    while (end > begin && (m_text[end - 1] == '\n' || m_text[end - 1] == '\r'))
        --end;
    return {begin, end};
}

} // namespace wb::syntax
