#include "core/results/jsonplace.h"

#include "core/base/text.h"

#include <algorithm>

namespace wb::results {

namespace {

/// Goes over text that is known to be JSON, and so needs to understand little of it.
class Scanner
{
public:
    Scanner(std::string_view text, std::size_t at)
        : m_text(text)
        , m_at(std::min(at, text.size()))
    {
    }

    [[nodiscard]] std::size_t at() const { return m_at; }

    bool goTo(const PathStep& step)
    {
        const std::string* key = std::get_if<std::string>(&step);
        return key ? goToMember(*key) : goToItem(std::get<std::size_t>(step));
    }

    void skipBlanks()
    {
        while (m_at < m_text.size() && std::string_view(" \t\r\n").find(m_text[m_at]) != std::string_view::npos)
            ++m_at;
    }

private:
    [[nodiscard]] char now() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }

    /// From its opening quote past its closing one; gives what stands between, escapes as written.
    std::string_view skipText()
    {
        const std::size_t begin = ++m_at;
        while (m_at < m_text.size() && m_text[m_at] != '"')
            m_at += m_text[m_at] == '\\' ? 2 : 1;
        m_at = std::min(m_at, m_text.size());
        const std::string_view inside = m_text.substr(begin, m_at - begin);
        m_at = std::min(m_at + 1, m_text.size());
        return inside;
    }

    void skipValue()
    {
        std::size_t depth = 0;
        do {
            skipBlanks();
            if (now() == '"') {
                skipText();
            } else if (now() == '{' || now() == '[') {
                ++depth;
                ++m_at;
            } else if (now() == '}' || now() == ']') {
                if (depth == 0)
                    return; // the end of what holds this value
                --depth;
                ++m_at;
            } else if (now() == ',' || now() == ':') {
                if (depth == 0)
                    return;
                ++m_at;
            } else {
                m_at = std::min(m_text.find_first_of(" \t\r\n,:]}", m_at), m_text.size());
            }
        } while (depth > 0 && m_at < m_text.size());
    }

    bool goToMember(const std::string& key)
    {
        skipBlanks();
        if (now() != '{')
            return false;
        ++m_at;
        std::optional<std::size_t> found;
        for (skipBlanks(); now() == '"'; skipBlanks()) {
            const bool isIt = skipText() == key;
            skipBlanks();
            m_at = std::min(m_at + 1, m_text.size()); // the colon
            skipBlanks();
            if (isIt)
                found = m_at;
            skipValue();
            skipBlanks();
            if (now() != ',')
                break;
            ++m_at;
        }
        m_at = found.value_or(m_at);
        return found.has_value();
    }

    bool goToItem(std::size_t index)
    {
        skipBlanks();
        if (now() != '[')
            return false;
        ++m_at;
        for (std::size_t i = 0; i < index; ++i) {
            skipValue();
            skipBlanks();
            if (now() != ',')
                return false;
            ++m_at;
        }
        skipBlanks();
        return now() != ']' && m_at < m_text.size();
    }

    std::string_view m_text;
    std::size_t m_at;
};

} // namespace

std::optional<std::size_t> offsetOf(std::string_view text, std::size_t begin, std::span<const PathStep> path)
{
    Scanner scanner(text, begin);
    for (const PathStep& step : path)
        if (!scanner.goTo(step))
            return std::nullopt;
    scanner.skipBlanks();
    return scanner.at();
}

std::string lineAndColumn(std::string_view text, std::size_t offset)
{
    const std::string_view before = text.substr(0, offset);
    const std::size_t lastBreak = before.rfind('\n');
    std::string_view line = lastBreak == std::string_view::npos ? before : before.substr(lastBreak + 1);
    if (lastBreak == std::string_view::npos && line.starts_with("\xEF\xBB\xBF"))
        line.remove_prefix(3);
    return "line " + std::to_string(std::count(before.begin(), before.end(), '\n') + 1) + ", column " +
           std::to_string(base::codePoints(line) + 1);
}

} // namespace wb::results
