#include "core/syntax/mend.h"

#include "core/base/text.h"

#include <yaml.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <vector>

namespace wb::syntax {

namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

bool isBlank(char c)
{
    return c == ' ' || c == '\t';
}

/// How many code points of the text are left when libyaml gives up; 0: none, all is well, or it goes on deeper than a reader goes.
std::size_t unread(const std::string& text)
{
    yaml_parser_t parser;
    if (yaml_parser_initialize(&parser) == 0)
        return none;
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(text.data()), text.size());
    std::size_t left = none;
    std::size_t documents = 0;
    std::size_t depth = 0;
    const std::size_t total = base::codePoints(text); // as libyaml counts
    for (;;) {
        yaml_event_t event;
        if (yaml_parser_parse(&parser, &event) == 0) {
            left = std::max<std::size_t>(total - std::min(total, parser.problem_mark.index), 1);
            break;
        }
        const yaml_event_type_t type = event.type;
        yaml_event_delete(&event);
        if (type == YAML_SEQUENCE_START_EVENT || type == YAML_MAPPING_START_EVENT)
            ++depth;
        else if (type == YAML_SEQUENCE_END_EVENT || type == YAML_MAPPING_END_EVENT)
            --depth;
        if (depth > deepest) { // the reader stops there too, and tells it; libyaml would need the square of the depth
            left = 0;
            break;
        }
        if (type == YAML_DOCUMENT_START_EVENT && ++documents > 1)
            break; // a change that cuts the text in two is none
        if (type == YAML_STREAM_END_EVENT) {
            left = 0;
            break;
        }
    }
    yaml_parser_delete(&parser);
    return left;
}

/// A line by its parts. Offsets in the text.
struct Line {
    std::size_t begin = 0;
    std::size_t first = 0;     ///< First character that is no blank.
    std::size_t content = 0;   ///< Behind the dashes of list items.
    std::size_t end = 0;       ///< Of what it says: without comment and blanks.
    std::size_t lineEnd = 0;   ///< Without the line end.
    std::size_t keyEnd = none; ///< The colon behind its key, which a blank or the end follows.
    char openQuote = 0;        ///< A quote that the line opens and does not close.
    std::size_t quoteAt = 0;

    [[nodiscard]] std::size_t indent() const { return first - begin; }
    [[nodiscard]] bool isItem() const { return content > first; }
    [[nodiscard]] bool hasKey() const { return keyEnd != none; }
    [[nodiscard]] bool isEmpty() const { return first == end; }
};

class Mender
{
public:
    Mender(const std::string& text, const Fault& fault)
        : m_text(text)
        , m_fault(fault)
    {
    }

    std::vector<Mend> candidates()
    {
        const Line at = lineAt(m_fault.at);
        const Line context = lineAt(m_fault.context);
        const Line line = m_fault.context < m_fault.at && (m_fault.isQuote || m_fault.isFlow) ? context : at;
        const Line behind = neighbour(line, true);
        const Line ahead = neighbour(line, false);
        untab(at);
        if (m_fault.isQuote)
            closeQuote(context);
        if (m_fault.isFlow)
            closeBracket(context);
        if (context.begin != at.begin && !m_fault.isQuote && !m_fault.isFlow)
            missingColon(context, neighbour(context, false));
        // A word that is being typed at the head of a block, or above another key.
        if (isWord(line) && isOpenHead(behind) && ahead.indent() > behind.indent())
            blank(line);
        if (isWord(behind) && line.hasKey() && behind.indent() == line.indent())
            blank(behind);
        missingColon(line, ahead);
        if (line.begin != at.begin)
            missingColon(at, neighbour(at, false));
        missingColon(behind, line);
        openQuotes(line);
        stray(at);
        reindent(line, behind, ahead);
        if (line.begin != at.begin)
            reindent(at, neighbour(at, true), neighbour(at, false));
        keepKey(line);
        m_surest = m_out.size();
        blank(line);
        if (line.begin != at.begin)
            blank(at);
        keepKey(behind);
        blank(behind);
        blankBlock(line);
        return std::move(m_out);
    }

    /// Index of the candidate that leaves the line out.
    [[nodiscard]] std::size_t surest() const { return m_surest; }

private:
    [[nodiscard]] char charAt(std::size_t at) const { return at < m_text.size() ? m_text[at] : '\n'; }

    [[nodiscard]] Line lineAt(std::size_t offset) const
    {
        offset = std::min(offset, m_text.size());
        Line line;
        const std::size_t before = offset == 0 ? std::string::npos : m_text.rfind('\n', offset - 1);
        line.begin = before == std::string::npos ? 0 : before + 1;
        line.lineEnd = std::min(m_text.find('\n', line.begin), m_text.size());
        if (line.lineEnd > line.begin && m_text[line.lineEnd - 1] == '\r')
            --line.lineEnd;
        line.first = line.begin;
        while (line.first < line.lineEnd && isBlank(m_text[line.first]))
            ++line.first;
        readWords(line);
        return line;
    }

    void readWords(Line& line) const
    {
        char quote = 0;
        line.end = line.lineEnd;
        for (std::size_t i = line.first; i < line.lineEnd; ++i) {
            const char c = m_text[i];
            const bool isFront =
                i == line.first || isBlank(m_text[i - 1]) || std::string_view("[{,(").find(m_text[i - 1]) != std::string_view::npos;
            if (quote != 0) {
                if (c == '\\' && quote == '"')
                    ++i;
                else if (c == quote)
                    quote = 0;
            } else if ((c == '"' || c == '\'') && isFront) {
                quote = c;
                line.quoteAt = i;
            } else if (c == '#' && isFront) {
                line.end = i;
                break;
            } else if (c == ':' && !line.hasKey() && (i + 1 >= line.lineEnd || isBlank(m_text[i + 1]))) {
                line.keyEnd = i;
            }
        }
        line.openQuote = quote;
        while (line.end > line.first && isBlank(m_text[line.end - 1]))
            --line.end;
        line.content = line.first;
        while (charAt(line.content) == '-' && line.content + 1 < line.lineEnd && isBlank(m_text[line.content + 1])) {
            ++line.content;
            while (line.content < line.end && isBlank(m_text[line.content]))
                ++line.content;
        }
    }

    /// The next line that says something, above or below; empty at the text's ends.
    [[nodiscard]] Line neighbour(const Line& line, bool isAbove) const
    {
        Line at = line;
        for (;;) {
            if (isAbove ? at.begin == 0 : at.lineEnd + 1 >= m_text.size())
                return {};
            if (isAbove) {
                at = lineAt(at.begin - 1);
            } else {
                const std::size_t next = m_text.find('\n', at.lineEnd);
                if (next == std::string::npos || next + 1 >= m_text.size())
                    return {};
                at = lineAt(next + 1);
            }
            if (!at.isEmpty())
                return at;
        }
    }

    /// Neither a key nor an item.
    [[nodiscard]] static bool isWord(const Line& line) { return !line.isEmpty() && !line.hasKey() && !line.isItem(); }
    /// A key whose value is the block below.
    [[nodiscard]] static bool isOpenHead(const Line& line) { return line.hasKey() && line.keyEnd + 1 >= line.end; }

    void add(const Line& line, Range range, std::string with, bool isLossy, std::string message = {}, std::string title = {})
    {
        m_out.push_back(
            {{range, std::move(with)}, isLossy, std::move(message), {line.first, std::max(line.end, line.first)}, std::move(title), {}});
    }

    /// Tabs in front of what the line says, the one behind the dash of an item too.
    void untab(const Line& line)
    {
        std::string blanks;
        for (const char c : m_text.substr(line.begin, line.content - line.begin))
            blanks += c == '\t' ? "  " : std::string(1, c);
        if (blanks.size() > line.content - line.begin)
            add(line, {line.begin, line.content}, std::move(blanks), false);
    }

    void closeQuote(const Line& line)
    {
        const std::size_t at = std::min(m_fault.context, m_text.empty() ? 0 : m_text.size() - 1);
        if (line.isEmpty() || (charAt(at) != '"' && charAt(at) != '\''))
            return;
        const std::string quote(1, m_text[at]);
        add(line, {line.end, line.end}, quote, false, {}, "Close the quote");
        add(line, {at, at + 1}, "", false);
    }

    /// A quote that is not closed is closed by the next one, far below: the fault comes up behind that.
    void openQuotes(const Line& from)
    {
        constexpr int farthest = 60;
        Line line = from;
        int found = 0;
        for (int i = 0; i < farthest && found < 2 && !line.isEmpty(); ++i) {
            if (line.openQuote != 0) {
                ++found;
                add(line, {line.end, line.end}, std::string(1, line.openQuote), false, "A quote that was opened here is never closed.",
                    "Close the quote");
                add(line, {line.quoteAt, line.quoteAt + 1}, "", false, "A quote that was opened here is never closed.");
            }
            line = neighbour(line, true);
        }
    }

    void closeBracket(const Line& line)
    {
        const char open = charAt(m_fault.context);
        if (line.isEmpty() || (open != '[' && open != '{'))
            return;
        const std::string close(1, open == '[' ? ']' : '}');
        add(line, {line.end, line.end}, close, false, {}, "Close the bracket");
        const std::size_t at = std::min(m_fault.at, m_text.size());
        if (at > m_fault.context && lineAt(at).begin == line.begin) {
            add(line, {at, at}, ",", false);
            add(line, {at, at}, close, false);
        }
        add(line, {m_fault.context, m_fault.context + 1}, "", false);
    }

    /// "resources" or "resources:x" above deeper lines, "key value", "key:value", "-value".
    void missingColon(const Line& line, const Line& below)
    {
        if (line.isEmpty())
            return;
        const bool isHead = !below.isEmpty() && below.indent() > line.indent();
        const std::string colon = "A \":\" is missing behind this key.";
        std::size_t wordEnd = line.content;
        while (wordEnd < line.end && !isBlank(m_text[wordEnd]) && m_text[wordEnd] != ':')
            ++wordEnd;
        if (charAt(line.first) == '-' && !line.isItem() && line.first + 1 < line.end && m_text[line.first + 1] != '-')
            add(line, {line.first + 1, line.first + 1}, " ", false, "A blank is missing behind the \"-\" of this item.", "Add a blank");
        if (line.hasKey() && line.keyEnd + 1 < line.end && isHead) {
            constexpr std::size_t slip =
                3; // a blank and a letter or two were typed there; more is a value, and the block has lost its head
            const std::string message = "A value stands behind the colon, and a block below it.";
            if (line.end - line.keyEnd - 1 > slip)
                add(line, {below.first, endOfBlock(below)}, "", true, message);
            add(line, {line.keyEnd + 1, line.end}, "", true, message);
            for (Mend& mend : m_out) {
                if (mend.message == message)
                    mend.below = {below.first, below.end};
            }
            return;
        }
        if (line.hasKey())
            return;
        if (wordEnd < line.end && m_text[wordEnd] == ':') {
            if (isHead)
                add(line, {wordEnd + 1, line.end}, "", true, "Text stands behind the colon of this key, whose block is below.");
            add(line, {wordEnd + 1, wordEnd + 1}, " ", false, "A blank is missing behind the colon.", "Add a blank");
        } else if (isHead) {
            add(line, {line.end, line.end}, ":", false, colon, "Add a colon");
        } else if (wordEnd < line.end) {
            add(line, {wordEnd, wordEnd}, ":", false, colon, "Add a colon");
        }
    }

    void stray(const Line& line)
    {
        const std::size_t at = m_fault.at;
        if (at <= line.content || at >= line.end)
            return;
        // Behind a closing quote or bracket the value is at its end; elsewhere the fault may be of another kind.
        const bool isBehindValue = std::string_view("]}\"'").find(m_text[at - 1]) != std::string_view::npos;
        const std::string message =
            isBehindValue ? "Something stands behind the end of this value; delete it, or put the whole in quotes." : "";
        const std::string title = isBehindValue ? "Delete what stands behind the value" : "";
        if (!isBlank(m_text[at]) && m_text[at] != '\n')
            add(line, {at, at + 1}, "", true, message, title);
        if (!isBlank(m_text[at - 1]) && at - 1 > line.content)
            add(line, {at - 1, at}, "", true);
        add(line, {at, line.end}, "", true, message, title);
    }

    void reindent(const Line& line, const Line& behind, const Line& ahead)
    {
        if (line.isEmpty() || !(line.hasKey() || line.isItem()))
            return;
        const bool hasTab = m_text.substr(line.begin, line.indent()).find('\t') != std::string::npos;
        std::vector<std::size_t> widths;
        const auto want = [&](std::size_t width) {
            if ((width != line.indent() || hasTab) && std::find(widths.begin(), widths.end(), width) == widths.end())
                widths.push_back(width);
        };
        if (!ahead.isEmpty())
            want(ahead.indent());
        std::size_t smallest = none;
        Line above = behind;
        for (int i = 0; i < 40 && !above.isEmpty(); ++i) { // the blocks that are open here, the innermost first
            if (above.indent() < smallest) {
                smallest = above.indent();
                want(smallest);
                if (i == 0 && above.hasKey() && above.keyEnd + 1 >= above.end)
                    want(smallest + 2);
            }
            above = neighbour(above, true);
        }
        // A slip of a finger moves a line by one or two columns; a tab stands for two.
        std::size_t own = 0;
        for (std::size_t i = line.begin; i < line.first; ++i)
            own += m_text[i] == '\t' ? 2 : 1;
        std::stable_sort(widths.begin(), widths.end(), [&](std::size_t a, std::size_t b) {
            const auto far = [&](std::size_t width) { return width > own ? width - own : own - width; };
            return far(a) < far(b);
        });
        for (const std::size_t width : widths)
            add(line, {line.begin, line.first}, std::string(width, ' '), false,
                hasTab ? std::string() : "This line does not fit the indentation of the lines around it.", "Change the indentation");
    }

    void keepKey(const Line& line)
    {
        if (line.hasKey() && line.keyEnd + 1 < line.end)
            add(line, {line.keyEnd + 1, line.end}, "", true);
    }

    void blank(const Line& line)
    {
        if (!line.isEmpty())
            add(line, {line.first, line.lineEnd}, "", true);
    }

    /// Of the line and all that follow with its indentation or a deeper one.
    [[nodiscard]] std::size_t endOfBlock(const Line& line) const
    {
        std::size_t end = line.lineEnd;
        for (Line below = neighbour(line, false); !below.isEmpty() && below.indent() >= line.indent(); below = neighbour(below, false))
            end = below.lineEnd;
        return end;
    }

    void blankBlock(const Line& line)
    {
        if (!line.isEmpty() && endOfBlock(line) > line.lineEnd)
            add(line, {line.first, endOfBlock(line)}, "", true);
    }

    const std::string& m_text;
    const Fault& m_fault;
    std::vector<Mend> m_out;
    std::size_t m_surest = 0;
};

} // namespace

std::optional<Mend> mendOf(const std::string& text, const Fault& fault, std::size_t mostTries)
{
    Mender mender(text, fault);
    std::vector<Mend> candidates = mender.candidates();
    // Where little can be tried, the last try is the change that helps nearly always.
    if (mostTries > 0 && mostTries <= mender.surest() && mender.surest() < candidates.size())
        std::swap(candidates[mostTries - 1], candidates[mender.surest()]);
    const std::size_t now = unread(text);
    std::size_t least = now;
    std::optional<Mend> best;
    for (std::size_t i = 0; i < candidates.size() && i < mostTries; ++i) {
        const std::size_t left = unread(applyEdits(text, {candidates[i].edit}));
        if (left >= least)
            continue;
        least = left;
        best = std::move(candidates[i]);
        if (left == 0)
            break;
    }
    return best;
}

std::size_t before(const TextEdit& edit, std::size_t offset)
{
    const std::size_t removed = edit.range.end - edit.range.begin;
    if (offset <= edit.range.begin)
        return offset;
    if (offset < edit.range.begin + edit.text.size())
        return edit.range.begin + std::min(offset - edit.range.begin, removed);
    return offset - edit.text.size() + removed;
}

} // namespace wb::syntax
