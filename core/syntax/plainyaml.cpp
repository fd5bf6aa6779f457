#include "core/syntax/plainyaml.h"

#include <algorithm>

namespace wb::syntax {

namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);
constexpr std::size_t deepestPlain = 100;
constexpr std::size_t longestPlainKey = 1000; // libyaml takes 1,024 characters

/// Characters that make other readings of a text than line by line possible: tabs, other line breaks, a byte order mark within the text.
bool hasUnusualCharacters(std::string_view text)
{
    unsigned char found = 0; // no early end, and no wider type, so that the compiler takes many bytes at once
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool isUnusual = (byte == '\t') | (byte == '\r') | (byte == 0xC2) | (byte == 0xEF);
        found = static_cast<unsigned char>(found | static_cast<unsigned char>(isUnusual));
    }
    return found != 0 || text.find("\xE2\x80\xA8") != std::string_view::npos || text.find("\xE2\x80\xA9") != std::string_view::npos;
}

/// Of these begins nothing that is read here as a plain scalar.
bool isIndicator(char c)
{
    return std::string_view("?:,[]{}#&*!|>'\"%@`").find(c) != std::string_view::npos;
}

/// A character of an item in brackets that is a plain word.
bool isWordCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '/' || c == '+' ||
           c == '-';
}

class Scanner
{
public:
    explicit Scanner(std::string_view text)
        : m_text(text)
    {
    }

    std::optional<PlainEvents> scan()
    {
        m_out.events.reserve(m_text.size() / 12);
        for (m_begin = 0; m_begin < m_text.size(); m_begin = m_end + 1) {
            m_end = std::min(m_text.find('\n', m_begin), m_text.size());
            const std::size_t first = behindSpaces(m_begin);
            if (!isAtRest(first) && !readLine(first))
                return std::nullopt;
        }
        if (m_open.empty())
            return std::nullopt;
        while (!m_open.empty())
            close();
        return std::move(m_out);
    }

private:
    using Type = PlainEvent::Type;

    /// A block collection that is being read.
    struct Open {
        std::size_t column = 0;
        bool isSequence = false;
        bool isIndentless = false; ///< A list whose dashes stand below the key that it belongs to.
        bool isDue = true;         ///< A value is: behind a key or a dash.
        std::size_t emptyAt = 0;   ///< Where it stands when there is none.
    };

    struct Scalar {
        PlainEvent event;
        std::size_t colon = none; ///< Of a plain one that ends at one.
    };

    std::size_t behindSpaces(std::size_t at) const
    {
        while (at < m_end && m_text[at] == ' ')
            ++at;
        return at;
    }

    /// A space or the end of the line.
    bool isBlankAt(std::size_t at) const { return at >= m_end || m_text[at] == ' '; }

    /// Nothing but a comment follows; `at` is behind spaces.
    bool isAtRest(std::size_t at) const { return at >= m_end || (m_text[at] == '#' && (at == m_begin || m_text[at - 1] == ' ')); }

    bool isDashAt(std::size_t at) const { return m_text[at] == '-' && isBlankAt(at + 1); }

    void add(Type type, Style style, std::size_t begin, std::size_t end) { m_out.events.push_back({type, style, begin, end, {}}); }

    void addEmpty(const Open& open) { add(Type::Scalar, Style::Plain, open.emptyAt, open.emptyAt); }

    void close()
    {
        if (m_open.back().isDue)
            addEmpty(m_open.back());
        m_open.pop_back();
        add(Type::CollectionEnd, Style::Block, 0, 0);
    }

    void closeDeeper(std::size_t column)
    {
        while (!m_open.empty() && m_open.back().column > column)
            close();
    }

    /// Opens a collection where a value is due; false where none may stand.
    bool open(std::size_t at, bool isSequence, bool isIndentless)
    {
        const bool mayStand = m_open.empty() ? m_out.events.empty() : m_open.back().isDue && m_open.size() < deepestPlain;
        if (!mayStand)
            return false;
        if (!m_open.empty())
            m_open.back().isDue = false;
        m_open.push_back({at - m_begin, isSequence, isIndentless, true, at});
        add(isSequence ? Type::SequenceStart : Type::MappingStart, Style::Block, at, at);
        return true;
    }

    bool readLine(std::size_t at)
    {
        const std::string_view line = m_text.substr(m_begin, 3);
        if (line == "---" || line == "...")
            return false;
        while (isDashAt(at)) {
            if (!takeDash(at))
                return false;
            at = behindSpaces(at + 1);
            if (isAtRest(at))
                return true;
        }
        const auto first = scalarAt(at);
        if (first && first->colon != none)
            return takeKey(*first);
        return at - m_begin > (m_open.empty() ? m_end : m_open.back().column) && takeValue(at);
    }

    bool takeDash(std::size_t at)
    {
        const std::size_t column = at - m_begin;
        closeDeeper(column);
        const bool isBeside = !m_open.empty() && m_open.back().column == column;
        if (isBeside && m_open.back().isSequence) {
            if (m_open.back().isDue)
                addEmpty(m_open.back());
        } else if (!open(at, true, isBeside)) {
            return false;
        }
        m_open.back().isDue = true;
        m_open.back().emptyAt = at + 1;
        return true;
    }

    bool takeKey(const Scalar& key)
    {
        const std::size_t column = key.event.begin - m_begin;
        if (key.colon - key.event.begin > longestPlainKey)
            return false;
        closeDeeper(column);
        if (!m_open.empty() && m_open.back().column == column && m_open.back().isSequence) {
            if (!m_open.back().isIndentless)
                return false;
            close();
        }
        if (!m_open.empty() && m_open.back().column == column) {
            if (m_open.back().isDue)
                addEmpty(m_open.back());
        } else if (!open(key.event.begin, false, false)) {
            return false;
        }
        m_out.events.push_back(key.event);
        m_open.back().isDue = true;
        m_open.back().emptyAt = key.colon + 1;
        const std::size_t value = behindSpaces(key.colon + 1);
        return isAtRest(value) || (!isDashAt(value) && takeValue(value));
    }

    /// A value that ends the line; one must be due.
    bool takeValue(std::size_t at)
    {
        if (m_open.empty() || !m_open.back().isDue)
            return false;
        m_open.back().isDue = false;
        if (m_text[at] == '[')
            return takeList(at);
        const auto scalar = scalarAt(at);
        if (!scalar || scalar->colon != none)
            return false;
        m_out.events.push_back(scalar->event);
        return isAtRest(behindSpaces(scalar->event.end));
    }

    /// [a, 2, "b"] on one line.
    bool takeList(std::size_t at)
    {
        add(Type::SequenceStart, Style::Flow, at, at);
        at = behindSpaces(at + 1);
        while (at < m_end && m_text[at] != ']') {
            const auto item = itemAt(at);
            if (!item)
                return false;
            m_out.events.push_back(*item);
            at = behindSpaces(item->end);
            if (at < m_end && m_text[at] == ',')
                at = behindSpaces(at + 1);
            else if (at >= m_end || m_text[at] != ']')
                return false;
        }
        if (at >= m_end)
            return false;
        add(Type::CollectionEnd, Style::Flow, at, at + 1);
        return isAtRest(behindSpaces(at + 1));
    }

    std::optional<PlainEvent> itemAt(std::size_t at)
    {
        if (m_text[at] == '"' || m_text[at] == '\'')
            return quotedAt(at);
        std::size_t end = at;
        while (end < m_end && isWordCharacter(m_text[end]))
            ++end;
        if (end == at || (m_text[at] == '-' && end == at + 1))
            return std::nullopt;
        return PlainEvent{Type::Scalar, Style::Plain, at, end, m_text.substr(at, end - at)};
    }

    /// With its colon when it is a key. Nothing when it is of no kind that is read here.
    std::optional<Scalar> scalarAt(std::size_t at)
    {
        if (m_text[at] == '"' || m_text[at] == '\'') {
            const auto quoted = quotedAt(at);
            if (!quoted)
                return std::nullopt;
            const bool isKey = quoted->end < m_end && m_text[quoted->end] == ':' && isBlankAt(quoted->end + 1);
            return Scalar{*quoted, isKey ? quoted->end : none};
        }
        if (isIndicator(m_text[at]))
            return std::nullopt;
        Scalar out;
        std::size_t end = at;
        for (; end < m_end; ++end) {
            const char c = m_text[end];
            if (c == ':' && isBlankAt(end + 1)) {
                out.colon = end;
                break;
            }
            if (c == '#' && m_text[end - 1] == ' ')
                break;
        }
        while (m_text[end - 1] == ' ')
            --end;
        out.event = {Type::Scalar, Style::Plain, at, end, m_text.substr(at, end - at)};
        return out;
    }

    std::optional<PlainEvent> quotedAt(std::size_t at)
    {
        const bool isSingle = m_text[at] == '\'';
        std::string* unescaped = nullptr;
        std::size_t kept = at + 1; // up to here the text is in `unescaped`
        for (std::size_t i = at + 1; i < m_end; ++i) {
            const char c = m_text[i];
            const bool isEscape = isSingle ? c == '\'' && i + 1 < m_end && m_text[i + 1] == '\'' : c == '\\';
            if (isEscape) {
                const char meant = isSingle ? '\'' : meantBy(i + 1 < m_end ? m_text[i + 1] : '\0');
                if (meant == '\0')
                    return std::nullopt;
                if (!unescaped)
                    unescaped = &m_out.unescaped.emplace_back();
                *unescaped += m_text.substr(kept, i - kept);
                *unescaped += meant;
                kept = ++i + 1;
            } else if (c == m_text[at]) {
                if (unescaped)
                    *unescaped += m_text.substr(kept, i - kept);
                const std::string_view text = unescaped ? std::string_view(*unescaped) : m_text.substr(kept, i - kept);
                return PlainEvent{Type::Scalar, isSingle ? Style::SingleQuoted : Style::DoubleQuoted, at, i + 1, text};
            }
        }
        return std::nullopt; // it goes on in the next line
    }

    /// What a backslash and the character stand for; NUL for what is left to libyaml.
    static char meantBy(char escaped)
    {
        switch (escaped) {
        case '"':
        case '\\':
        case '/':
            return escaped;
        case 'n':
            return '\n';
        case 't':
            return '\t';
        default:
            return '\0';
        }
    }

    std::string_view m_text;
    std::size_t m_begin = 0; ///< Of the line.
    std::size_t m_end = 0;   ///< Of it, at its break.
    std::vector<Open> m_open;
    PlainEvents m_out;
};

} // namespace

std::optional<PlainEvents> plainEvents(std::string_view text)
{
    if (hasUnusualCharacters(text))
        return std::nullopt;
    return Scanner(text).scan();
}

} // namespace wb::syntax
