#include "core/assist/skeleton.h"

#include <algorithm>
#include <optional>

namespace wb::assist {

using syntax::Range;

namespace {

constexpr std::size_t deepestFlow = 200; ///< Deeper brackets are read as text.

bool isBlank(char c)
{
    return c == ' ' || c == '\t';
}

} // namespace

std::string dotted(const Path& path)
{
    std::string out;
    for (const Step& step : path) {
        if (step.isItem())
            out += "[" + std::to_string(step.index) + "]";
        else
            out += (out.empty() ? "" : ".") + step.key;
    }
    return out;
}

/// Reads lines from the top, with the open nodes on a stack.
class SkeletonReader
{
public:
    using Node = Skeleton::Node;
    using Kind = Skeleton::Kind;
    using Style = Skeleton::Style;
    using Id = Skeleton::Id;

    explicit SkeletonReader(Skeleton& out)
        : m_out(out)
        , m_text(out.text())
    {
    }

    void run()
    {
        m_at = m_text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
        while (m_at < m_text.size())
            readLine();
        close();
    }

private:
    struct LineBounds {
        std::size_t begin;
        std::size_t end;  ///< Without the line end.
        std::size_t next; ///< Begin of the next line.
    };

    [[nodiscard]] LineBounds lineAt(std::size_t begin) const
    {
        const std::size_t found = m_text.find_first_of("\r\n", begin);
        if (found == std::string_view::npos)
            return {begin, m_text.size(), m_text.size()};
        const bool isPair = m_text[found] == '\r' && found + 1 < m_text.size() && m_text[found + 1] == '\n';
        return {begin, found, found + (isPair ? 2 : 1)};
    }

    [[nodiscard]] std::size_t skipBlanks(std::size_t at, std::size_t end) const
    {
        while (at < end && isBlank(m_text[at]))
            ++at;
        return at;
    }

    /// Where text [at, end) ends when its comment and trailing blanks are cut off. The comment is kept.
    std::size_t cutComment(std::size_t at, std::size_t end)
    {
        for (std::size_t i = at; i < end; ++i) {
            if (m_text[i] == '#' && (i == at || isBlank(m_text[i - 1]))) {
                m_out.m_comments.push_back({i, end});
                end = i;
            }
        }
        while (end > at && isBlank(m_text[end - 1]))
            --end;
        return end;
    }

    void readLine()
    {
        const LineBounds line = lineAt(m_at);
        m_at = line.next;
        std::size_t at = line.begin;
        while (at < line.end && m_text[at] == ' ')
            ++at;
        const std::size_t content = skipBlanks(at, line.end);
        if (content == line.end)
            return;
        const auto column = static_cast<std::uint32_t>(at - line.begin);
        if (m_text[content] == '#') {
            m_out.m_comments.push_back({content, line.end});
            return;
        }
        const std::string_view all = m_text.substr(line.begin, line.end - line.begin);
        if (column == 0 && (all == "---" || all == "..." || all.starts_with("--- ") || all.starts_with("%"))) {
            m_open.clear();
            return;
        }
        readContent(at, line);
    }

    void readContent(std::size_t at, const LineBounds& line)
    {
        bool isFirst = true;
        while (true) { // one turn for each dash, the last for what stands behind them
            const auto column = static_cast<std::uint32_t>(at - line.begin);
            const bool isDash = m_text[at] == '-' && (at + 1 == line.end || isBlank(m_text[at + 1]));
            if (isFirst)
                closeFor(column, isDash);
            isFirst = false;
            if (!isDash)
                break;
            Node item;
            item.kind = Kind::Item;
            item.column = column;
            item.begin = at;
            item.valueBegin = at + 1;
            item.end = at + 1;
            push(item);
            at = skipBlanks(at + 1, line.end);
            if (at == line.end)
                return;
            if (m_text[at] == '#') {
                m_out.m_comments.push_back({at, line.end});
                return;
            }
        }
        // An anchor before the first key of an item belongs to the item.
        if (m_text[at] == '&' && !isFirstContent(at, line)) {
            std::size_t word = at;
            while (word < line.end && !isBlank(m_text[word]))
                ++word;
            const std::size_t rest = skipBlanks(word, line.end);
            if (rest < line.end && keyAt(rest, line.end)) {
                m_out.m_nodes[m_open.back()].anchor = {at, word};
                at = rest;
            }
        }
        if (const std::optional<Range> key = keyAt(at, line.end)) {
            Node node;
            node.column = static_cast<std::uint32_t>(at - line.begin);
            node.begin = at;
            node.key = *key;
            node.hasColon = true;
            node.valueBegin = key->end + 1;
            while (node.valueBegin < line.end && m_text[node.valueBegin - 1] != ':') // blanks between key and colon
                ++node.valueBegin;
            node.end = node.valueBegin;
            const std::size_t value = skipBlanks(node.valueBegin, line.end);
            readValue(push(node), value, line);
            return;
        }
        readText(at, line);
    }

    [[nodiscard]] bool isFirstContent(std::size_t at, const LineBounds& line) const
    {
        return m_open.empty() || m_out.m_nodes[m_open.back()].begin < line.begin || m_out.m_nodes[m_open.back()].begin >= at;
    }

    /// Text that is no key: the value of the item or key that is open, the next line of a plain text, or a key that is being typed.
    void readText(std::size_t at, const LineBounds& line)
    {
        const auto column = static_cast<std::uint32_t>(at - line.begin);
        if (!m_open.empty()) {
            Node& open = m_out.m_nodes[m_open.back()];
            const bool isOnItsLine = open.begin >= line.begin;
            const bool opensValue = m_text[at] == '{' || m_text[at] == '[' || m_text[at] == '"' || m_text[at] == '\'' ||
                                    m_text[at] == '*' || m_text[at] == '&' || m_text[at] == '|' || m_text[at] == '>';
            if (open.style == Style::Empty && open.kind != Kind::Word && (isOnItsLine || (opensValue && !hasChildren(m_open.back())))) {
                readValue(m_open.back(), at, line);
                return;
            }
            if (open.style == Style::Plain && column > open.column) { // a plain text that goes on
                open.value.end = cutComment(at, line.end);
                open.end = open.value.end;
                return;
            }
        }
        Node word;
        word.kind = Kind::Word;
        word.column = column;
        word.begin = at;
        word.key = {at, cutComment(at, line.end)};
        word.valueBegin = word.key.end;
        word.end = word.key.end;
        push(word);
        m_open.pop_back(); // it has nothing below it
    }

    [[nodiscard]] bool hasChildren(Id id) const { return id + 1 < m_out.m_nodes.size() && m_out.m_nodes[id + 1].parent == id; }

    /// The key that begins at `at`, with its quotes; nothing when no colon follows it on the line.
    [[nodiscard]] std::optional<Range> keyAt(std::size_t at, std::size_t end) const
    {
        const char first = m_text[at];
        if (first == '"' || first == '\'') {
            const std::size_t close = closingQuote(at, end);
            if (close == end)
                return std::nullopt;
            const std::size_t colon = skipBlanks(close + 1, end);
            const bool isKey = colon < end && m_text[colon] == ':' && (colon + 1 == end || isBlank(m_text[colon + 1]));
            return isKey ? std::optional(Range{at, close + 1}) : std::nullopt;
        }
        constexpr std::string_view noKey = "{}[],#|>@`%&*!";
        if (noKey.find(first) != std::string_view::npos)
            return std::nullopt;
        for (std::size_t i = at; i < end; ++i) {
            if (m_text[i] == '#' && i > at && isBlank(m_text[i - 1]))
                return std::nullopt;
            if (m_text[i] != ':' || (i + 1 < end && !isBlank(m_text[i + 1])))
                continue;
            std::size_t last = i;
            while (last > at && isBlank(m_text[last - 1]))
                --last;
            return Range{at, last};
        }
        return std::nullopt;
    }

    /// Position of the quote that closes the one at `at`, or `end`.
    [[nodiscard]] std::size_t closingQuote(std::size_t at, std::size_t end) const { return closingQuote(m_text[at], at + 1, end); }

    /// Of a text in that quote, from a place inside it on.
    [[nodiscard]] std::size_t closingQuote(char quote, std::size_t from, std::size_t end) const
    {
        for (std::size_t i = from; i < end; ++i) {
            if (quote == '"' && m_text[i] == '\\') {
                ++i;
            } else if (m_text[i] == quote) {
                if (quote == '\'' && i + 1 < end && m_text[i + 1] == '\'')
                    ++i;
                else
                    return i;
            }
        }
        return end;
    }

    void readValue(Id id, std::size_t at, const LineBounds& line)
    {
        // Anchor and tag stand before the value.
        while (at < line.end && (m_text[at] == '&' || m_text[at] == '!')) {
            std::size_t wordEnd = at;
            while (wordEnd < line.end && !isBlank(m_text[wordEnd]))
                ++wordEnd;
            Node& node = m_out.m_nodes[id];
            if (m_text[at] == '&')
                node.anchor = {at, wordEnd};
            node.end = wordEnd;
            at = skipBlanks(wordEnd, line.end);
        }
        if (at >= line.end)
            return;
        switch (m_text[at]) {
        case '#':
            m_out.m_comments.push_back({at, line.end});
            return;
        case '|':
        case '>':
            readBlock(id, at, line);
            return;
        case '[':
        case '{':
            readFlow(id, at, line);
            return;
        case '"':
        case '\'':
            readQuoted(id, at, line);
            return;
        default:
            break;
        }
        setValue(id, Style::Plain, {at, cutComment(at, line.end)});
    }

    void setValue(Id id, Style style, Range range)
    {
        Node& node = m_out.m_nodes[id];
        node.style = style;
        node.value = range;
        node.end = std::max(node.end, range.end);
    }

    /// A block scalar: all lines that stand further in than the key or dash that holds it.
    void readBlock(Id id, std::size_t at, const LineBounds& header)
    {
        cutComment(at, header.end);
        std::size_t end = header.end;
        const std::uint32_t column = m_out.m_nodes[id].column;
        while (m_at < m_text.size()) {
            const LineBounds line = lineAt(m_at);
            std::size_t first = line.begin;
            while (first < line.end && m_text[first] == ' ')
                ++first;
            const bool isEmpty = first == line.end;
            if (!isEmpty && first - line.begin <= column)
                break;
            if (!isEmpty)
                end = line.end;
            m_at = line.next;
        }
        setValue(id, Style::Block, {at, end});
    }

    /// A line that cannot belong to a quoted text or a flow collection of a node at that column: what was open there was not closed.
    [[nodiscard]] bool endsOpen(const LineBounds& line, std::uint32_t column, bool mayClose) const
    {
        std::size_t first = line.begin;
        while (first < line.end && m_text[first] == ' ')
            ++first;
        if (first == line.end || first - line.begin > column)
            return false;
        return !(mayClose && (m_text[first] == ']' || m_text[first] == '}'));
    }

    void readQuoted(Id id, std::size_t at, const LineBounds& header)
    {
        const Style style = m_text[at] == '"' ? Style::DoubleQuoted : Style::SingleQuoted;
        const std::uint32_t column = m_out.m_nodes[id].column;
        LineBounds line = header;
        std::size_t close = closingQuote(at, line.end);
        // A quote that no later line closes ends with its own line.
        std::size_t next = m_at;
        while (close == line.end && next < m_text.size() && next > line.begin) {
            const LineBounds following = lineAt(next);
            if (endsOpen(following, column, false))
                break;
            line = following;
            close = closingQuote(m_text[at], line.begin, line.end); // the lines before it are known
            next = following.next;
        }
        if (close == line.end && line.begin != header.begin) {
            line = header;
            close = header.end;
        }
        if (close == line.end) {
            setValue(id, style, {at, cutUnclosed(at, header.end)});
            return;
        }
        m_at = std::max(m_at, line.next);
        setValue(id, style, {at, close + 1});
        const std::size_t rest = skipBlanks(close + 1, line.end);
        if (rest < line.end && m_text[rest] == '#')
            m_out.m_comments.push_back({rest, line.end});
    }

    [[nodiscard]] std::size_t cutUnclosed(std::size_t at, std::size_t end) const
    {
        while (end > at + 1 && isBlank(m_text[end - 1]))
            --end;
        return end;
    }

    // --- flow collections -------------------------------------------------------------------------------------------------------------

    /// The collection that opens at `at` and what stands in it; over several lines, as long as they belong to it.
    void readFlow(Id owner, std::size_t at, const LineBounds& header)
    {
        struct Open {
            Id id;
            bool isMap;
            bool hasKey = false; ///< Map: a key with its colon stands before.
            Id entry = Skeleton::none;
        };
        const std::uint32_t column = m_out.m_nodes[owner].column;
        std::vector<Open> stack{{owner, m_text[at] == '{'}};
        setValue(owner, m_text[at] == '{' ? Style::FlowMap : Style::FlowList, {at, at + 1});
        LineBounds line = header;
        std::size_t i = at + 1;
        while (true) {
            if (i >= line.end) {
                if (line.next >= m_text.size() || line.next <= line.begin)
                    break;
                const LineBounds following = lineAt(line.next);
                if (endsOpen(following, column, true))
                    break;
                line = following;
                m_at = line.next;
                i = line.begin;
                continue;
            }
            Open& open = stack.back();
            const char c = m_text[i];
            if (isBlank(c)) {
                ++i;
            } else if (c == '#' && (i == line.begin || isBlank(m_text[i - 1]))) {
                m_out.m_comments.push_back({i, line.end});
                i = line.end;
            } else if (c == ',') {
                open.hasKey = false;
                open.entry = Skeleton::none;
                ++i;
            } else if (c == ']' || c == '}') {
                ++i;
                closeFlow(open.id, i);
                stack.pop_back();
                if (stack.empty())
                    break;
            } else if ((c == '[' || c == '{') && stack.size() < deepestFlow) {
                Id id = open.entry;
                if (id == Skeleton::none)
                    id = pushFlow(open.id, Kind::Item, {i, i}, line);
                open.entry = id;
                setValue(id, c == '{' ? Style::FlowMap : Style::FlowList, {i, i + 1});
                ++i;
                stack.push_back({id, c == '{'});
            } else {
                i = readFlowScalar(open.id, open.isMap, open.entry, i, line);
            }
        }
        for (const Open& open : stack) // not closed: each goes as far as was read
            closeFlow(open.id, std::min(std::max(i, m_out.m_nodes[open.id].value.end), line.end));
        m_at = std::max(m_at, line.next);
        if (stack.empty()) {
            const std::size_t rest = skipBlanks(i, line.end);
            if (rest < line.end && m_text[rest] == '#')
                m_out.m_comments.push_back({rest, line.end});
        }
    }

    void closeFlow(Id id, std::size_t end)
    {
        Node& node = m_out.m_nodes[id];
        node.value.end = end;
        for (Id up = id; up != Skeleton::none; up = m_out.m_nodes[up].parent)
            m_out.m_nodes[up].end = std::max(m_out.m_nodes[up].end, end);
    }

    /// A key, a value or an item; gives the place behind it.
    std::size_t readFlowScalar(Id owner, bool isMap, Id& entry, std::size_t at, const LineBounds& line)
    {
        std::size_t end = at;
        Style style = Style::Plain;
        if (m_text[at] == '"' || m_text[at] == '\'') {
            style = m_text[at] == '"' ? Style::DoubleQuoted : Style::SingleQuoted;
            const std::size_t close = closingQuote(at, line.end);
            end = close == line.end ? close : close + 1;
        } else {
            while (end < line.end && std::string_view(",[]{}").find(m_text[end]) == std::string_view::npos) {
                const bool isColon = m_text[end] == ':' && (end + 1 == line.end || isBlank(m_text[end + 1]) || m_text[end + 1] == ',' ||
                                                            m_text[end + 1] == '}' || m_text[end + 1] == ']');
                if ((isColon && end > at) || (m_text[end] == '#' && end > at && isBlank(m_text[end - 1])))
                    break;
                ++end;
            }
            end = std::max(end, at + 1);
        }
        std::size_t last = end;
        while (last > at + 1 && isBlank(m_text[last - 1]))
            --last;
        const std::size_t colon = skipBlanks(end, line.end);
        if (isMap && entry == Skeleton::none) {
            const Id id = pushFlow(owner, Kind::Key, {at, last}, line);
            entry = id;
            if (colon < line.end && m_text[colon] == ':') {
                m_out.m_nodes[id].hasColon = true;
                m_out.m_nodes[id].valueBegin = colon + 1;
                m_out.m_nodes[id].end = colon + 1;
                return colon + 1;
            }
            return end;
        }
        if (entry == Skeleton::none)
            entry = pushFlow(owner, Kind::Item, {at, at}, line);
        Node& node = m_out.m_nodes[entry];
        setValue(entry, style, {node.style == Style::Empty ? at : node.value.begin, last});
        return end;
    }

    Id pushFlow(Id owner, Kind kind, Range key, const LineBounds& line)
    {
        Node node;
        node.kind = kind;
        node.isFlow = true;
        node.column = static_cast<std::uint32_t>(key.begin - line.begin);
        node.begin = key.begin;
        node.key = kind == Kind::Key ? key : Range{key.begin, key.begin};
        node.valueBegin = key.end;
        node.end = key.end;
        node.parent = owner;
        return add(node);
    }

    // --- the tree ---------------------------------------------------------------------------------------------------------------------

    /// Closes what a line at that column does not belong to. The items of a list may stand at the column of the list's key.
    void closeFor(std::uint32_t column, bool isDash)
    {
        while (!m_open.empty()) {
            const Node& open = m_out.m_nodes[m_open.back()];
            if (open.column < column)
                break;
            if (open.column == column && isDash && open.kind == Kind::Key && open.style == Style::Empty)
                break;
            m_open.pop_back();
        }
    }

    Id push(Node node)
    {
        node.parent = m_open.empty() ? Skeleton::none : m_open.back();
        const Id id = add(node);
        m_open.push_back(id);
        return id;
    }

    Id add(const Node& node)
    {
        m_out.m_nodes.push_back(node);
        return static_cast<Id>(m_out.m_nodes.size() - 1);
    }

    void close()
    {
        std::vector<Node>& nodes = m_out.m_nodes;
        m_out.m_next.assign(nodes.size(), Skeleton::none);
        m_out.m_firstChild.assign(nodes.size(), Skeleton::none);
        for (std::size_t i = nodes.size(); i-- > 0;) {
            const Id parent = nodes[i].parent;
            Id& first = parent == Skeleton::none ? m_out.m_firstTop : m_out.m_firstChild[parent];
            m_out.m_next[i] = first;
            first = static_cast<Id>(i);
            if (parent != Skeleton::none)
                nodes[parent].end = std::max(nodes[parent].end, nodes[i].end);
        }
        std::sort(m_out.m_comments.begin(), m_out.m_comments.end());
    }

    Skeleton& m_out;
    std::string_view m_text;
    std::size_t m_at = 0; ///< Begin of the next line to read.
    std::vector<Id> m_open;
};

Skeleton::Skeleton(std::shared_ptr<const syntax::SourceText> source)
    : m_source(std::move(source))
{
    m_nodes.reserve(m_source->lineCount());
    SkeletonReader(*this).run();
}

std::string_view Skeleton::text(Range range) const
{
    return text().substr(range.begin, range.end - range.begin);
}

namespace {

std::string unquoted(std::string_view written)
{
    if (written.empty() || (written.front() != '"' && written.front() != '\''))
        return std::string(written);
    const char quote = written.front();
    written.remove_prefix(1);
    if (!written.empty() && written.back() == quote)
        written.remove_suffix(1);
    std::string out;
    out.reserve(written.size());
    for (std::size_t i = 0; i < written.size(); ++i) {
        const bool isEscape =
            i + 1 < written.size() && (quote == '"' ? written[i] == '\\' && (written[i + 1] == '"' || written[i + 1] == '\\')
                                                    : written[i] == '\'' && written[i + 1] == '\'');
        if (isEscape)
            ++i;
        out += written[i];
    }
    return out;
}

} // namespace

std::string Skeleton::keyOf(Id id) const
{
    return unquoted(text(m_nodes[id].key));
}

std::string Skeleton::scalarOf(Id id) const
{
    const Node& node = m_nodes[id];
    if (node.style == Style::Empty || node.style == Style::FlowMap || node.style == Style::FlowList)
        return {};
    return node.style == Style::Block ? std::string(text(node.value)) : unquoted(text(node.value));
}

Path Skeleton::pathOf(Id id) const
{
    Path path;
    for (Id at = id; at != none; at = m_nodes[at].parent) {
        Step step;
        if (m_nodes[at].kind == Kind::Item) {
            step.index = 0;
            const Id parent = m_nodes[at].parent;
            for (Id each = parent == none ? m_firstTop : m_firstChild[parent]; each != at && each != none; each = m_next[each])
                step.index += m_nodes[each].kind == Kind::Item ? 1 : 0;
        } else {
            step.key = keyOf(at);
        }
        path.push_back(std::move(step));
    }
    std::reverse(path.begin(), path.end());
    return path;
}

std::vector<Skeleton::Id> Skeleton::children(Id parent) const
{
    std::vector<Id> out;
    for (Id each = parent == none ? m_firstTop : m_firstChild[parent]; each != none; each = m_next[each])
        out.push_back(each);
    return out;
}

Skeleton::Id Skeleton::child(Id parent, std::string_view key) const
{
    for (Id each = parent == none ? m_firstTop : m_firstChild[parent]; each != none; each = m_next[each]) {
        if (m_nodes[each].kind != Kind::Key)
            continue;
        const std::string_view written = text(m_nodes[each].key);
        const bool isQuoted = !written.empty() && (written.front() == '"' || written.front() == '\'');
        if (isQuoted ? keyOf(each) == key : written == key)
            return each;
    }
    return none;
}

Skeleton::Id Skeleton::find(const Path& path) const
{
    Id at = none;
    for (const Step& step : path) {
        Id found = none;
        if (step.isItem()) {
            std::size_t index = 0;
            for (Id each = at == none ? m_firstTop : m_firstChild[at]; each != none; each = m_next[each]) {
                if (m_nodes[each].kind == Kind::Item && index++ == step.index) {
                    found = each;
                    break;
                }
            }
        } else {
            found = child(at, step.key);
        }
        if (found == none)
            return none;
        at = found;
    }
    return at;
}

Skeleton::Id Skeleton::lastBefore(std::size_t offset) const
{
    const auto next =
        std::upper_bound(m_nodes.begin(), m_nodes.end(), offset, [](std::size_t at, const Node& node) { return at < node.begin; });
    return next == m_nodes.begin() ? none : static_cast<Id>(next - m_nodes.begin() - 1);
}

bool Skeleton::isInComment(std::size_t offset) const
{
    const auto next = std::upper_bound(m_comments.begin(), m_comments.end(), offset,
                                       [](std::size_t at, const Range& range) { return at <= range.begin; });
    return next != m_comments.begin() && offset <= (next - 1)->end;
}

} // namespace wb::assist
