#include "core/results/slimjson.h"

#include "core/base/files.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>

namespace wb::results {

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
    const bool beginsList = c == '[' && m_listBegin == 0 && m_nesting.find('{') != std::string::npos;
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
    put(c);
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
        }
    }
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
    const auto closed = [](std::FILE* file) { std::fclose(file); };
    const std::unique_ptr<std::FILE, decltype(closed)> file(std::fopen(path.c_str(), "rbe"), closed);
    if (!file)
        return tl::unexpected<Error>(base::systemError(errno, path, "Reading"));
    std::string piece(pieceSize, '\0');
    JsonSlimmer slimmer;
    bool isFirst = true;
    while (const std::size_t size = std::fread(piece.data(), 1, piece.size(), file.get())) {
        if (stop.stop_requested())
            return failure(ErrorCode::Cancelled, "The import was stopped.");
        const std::string_view bytes(piece.data(), size);
        if (isFirst && !beginsLikeJson(bytes))
            return std::string(bytes);
        isFirst = false;
        slimmer.feed(bytes);
    }
    if (std::ferror(file.get()) != 0)
        return tl::unexpected<Error>(base::systemError(errno, path, "Reading"));
    return slimmer.taken();
}

} // namespace wb::results
