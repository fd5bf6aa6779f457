#include "core/syntax/rewrite.h"

#include "core/base/text.h"
#include "core/syntax/byteordermark.h"
#include "core/syntax/scalars.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

namespace wb::syntax {

namespace {

std::string blanks(std::size_t count)
{
    return std::string(count, ' ');
}

/// Nothing that would need an escape, and no line break of any kind.
bool isPrintableLine(std::string_view text)
{
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c < 0x20 || c == 0x7F)
            return false;
        const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0U;
        const auto third = i + 2 < text.size() ? static_cast<unsigned char>(text[i + 2]) : 0U;
        if (c == 0xC2 && next < 0xA0)
            return false;
        if (c == 0xE2 && next == 0x80 && (third == 0xA8 || third == 0xA9))
            return false;
        if (c == 0xEF && (next == 0xBB || next == 0xBF))
            return false;
    }
    return true;
}

std::string singleQuoted(std::string_view text)
{
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'')
            out += '\'';
        out += c;
    }
    return out + "'";
}

std::string hexEscape(unsigned value, std::size_t digits)
{
    constexpr std::string_view hex = "0123456789ABCDEF";
    std::string out = digits == 2 ? "\\x" : "\\u";
    for (std::size_t i = digits; i-- > 0;)
        out += hex[(value >> (4 * i)) & 0xFU];
    return out;
}

std::string doubleQuoted(std::string_view text)
{
    std::string out = "\"";
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0U;
        const auto third = i + 2 < text.size() ? static_cast<unsigned char>(text[i + 2]) : 0U;
        if (c == '"' || c == '\\') {
            out += '\\';
            out += text[i];
        } else if (c == '\n') {
            out += "\\n";
        } else if (c == '\t') {
            out += "\\t";
        } else if (c == '\r') {
            out += "\\r";
        } else if (c < 0x20 || c == 0x7F) {
            out += hexEscape(c, 2);
        } else if (c == 0xC2 && next < 0xA0) {
            out += hexEscape(next, 2);
            ++i;
        } else if ((c == 0xE2 && next == 0x80 && (third == 0xA8 || third == 0xA9)) || (c == 0xEF && (next == 0xBB || next == 0xBF))) {
            out += hexEscape((c & 0xFU) << 12U | (next & 0x3FU) << 6U | (third & 0x3FU), 4);
            i += 2;
        } else {
            out += text[i];
        }
    }
    return out + "\"";
}

std::string scalarText(const Value& value)
{
    switch (value.kind) {
    case Kind::Null:
        return "null";
    case Kind::Bool:
        return value.boolean ? "true" : "false";
    case Kind::Integer:
        return value.huge ? value.text : std::to_string(value.integer);
    case Kind::Float:
        return floatText(value);
    case Kind::Timestamp:
        return value.text;
    default:
        break;
    }
    const bool isPrintable = isPrintableLine(value.text);
    if (value.style == Style::SingleQuoted && isPrintable)
        return singleQuoted(value.text);
    if (value.style != Style::DoubleQuoted && isPrintable && isSafePlain(value.text))
        return value.text;
    return doubleQuoted(value.text);
}

/// The header ("|", "|-") of a block scalar that holds the text; empty when none can.
std::string_view literalHeader(const Value& value)
{
    const std::string& text = value.text;
    if (!value.isString() || (value.style != Style::Literal && value.style != Style::Folded && value.style != Style::Plain))
        return {};
    if (text.find('\n') == std::string::npos || text.front() == '\n' || text.front() == ' ' || text.ends_with("\n\n"))
        return {};
    for (const std::string_view line : base::splitAt(text, '\n')) {
        if (!isPrintableLine(line) || (!line.empty() && base::trimmed(line).empty()))
            return {};
    }
    return text.ends_with('\n') ? "|" : "|-";
}

std::string literalBody(std::string_view text, std::size_t indent, std::string_view lineBreak)
{
    if (text.ends_with('\n'))
        text.remove_suffix(1);
    std::string out;
    for (const std::string_view line : base::splitAt(text, '\n')) {
        if (!line.empty())
            out += blanks(indent) + std::string(line);
        out += lineBreak;
    }
    return out;
}

/// What stands behind "key:" and, for a value that needs lines of its own, these lines.
struct Piece {
    std::string head; ///< With its leading blank; empty for a block collection.
    std::string body; ///< Whole lines.
};

class Writer
{
public:
    explicit Writer(std::string lineBreak)
        : m_lineBreak(std::move(lineBreak))
    {
    }

    std::string members(const Value& mapping, std::size_t indent) const
    {
        std::string out;
        for (const Member& member : mapping.members)
            out += this->member(member, indent);
        return out;
    }

    std::string member(const Member& member, std::size_t indent) const
    {
        const Piece value = piece(*member.value, indent);
        return blanks(indent) + keyText(member) + ":" + value.head + m_lineBreak + value.body;
    }

    /// Of a value whose key is indented by that many blanks.
    Piece piece(const Value& value, std::size_t indent) const
    {
        const bool isEmpty = value.items.empty() && value.members.empty();
        if (const std::string_view header = literalHeader(value); !header.empty())
            return {" " + std::string(header), literalBody(value.text, indent + 2, m_lineBreak)};
        if (value.isScalar() || isEmpty || value.style == Style::Flow)
            return {" " + flowText(value), {}};
        if (value.isMapping())
            return {{}, members(value, indent + 2)};
        return {{}, items(value, indent + 2)};
    }

private:
    std::string items(const Value& list, std::size_t indent) const
    {
        std::string out;
        for (const ValuePtr& item : list.items) {
            const bool isBlockMapping = item->isMapping() && !item->members.empty() && item->style != Style::Flow;
            if (isBlockMapping) {
                std::string lines = members(*item, indent + 2);
                lines[indent] = '-';
                out += lines;
            } else {
                out += blanks(indent) + "- " + flowText(*item) + m_lineBreak;
            }
        }
        return out;
    }

    std::string m_lineBreak;
};

bool isSameMember(const Member& a, const Member& b)
{
    return a.key == b.key && a.keyKind == b.keyKind;
}

const Member* counterpart(const Member& member, const Value& mapping)
{
    const auto found =
        std::find_if(mapping.members.begin(), mapping.members.end(), [&](const Member& m) { return isSameMember(m, member); });
    return found == mapping.members.end() ? nullptr : &*found;
}

/// Makes the edits on the text of one mapping.
class Patcher
{
public:
    Patcher(const Parsed& parsed, Range region, std::vector<Range> touched)
        : m_parsed(parsed)
        , m_text(parsed.source->text())
        , m_region(region)
        , m_before(std::move(touched))
        , m_lineBreak(m_text.find("\r\n") == std::string::npos ? "\n" : "\r\n")
        , m_writer(m_lineBreak)
    {
    }

    bool patch(const ValuePtr& from, const ValuePtr& to) { return patchMapping(*from, *to); }

    [[nodiscard]] const std::vector<TextEdit>& edits() const { return m_edits; }
    /// What was changed or removed; aliases of it must be written out.
    [[nodiscard]] const std::vector<Range>& touched() const { return m_touched; }

private:
    std::size_t lineBegin(std::size_t at) const
    {
        const std::size_t found = at == 0 ? std::string::npos : m_text.rfind('\n', at - 1);
        if (found == std::string::npos)
            return m_text.starts_with(byteOrderMark) ? byteOrderMark.size() : 0;
        return found + 1;
    }
    /// Before the line's break.
    std::size_t lineEnd(std::size_t at) const
    {
        std::size_t end = m_text.find('\n', at);
        if (end == std::string::npos)
            return m_text.size();
        return end > at && m_text[end - 1] == '\r' ? end - 1 : end;
    }
    std::size_t nextLine(std::size_t at) const
    {
        const std::size_t end = m_text.find('\n', at);
        return end == std::string::npos ? m_text.size() : end + 1;
    }
    std::string_view line(std::size_t begin) const { return std::string_view(m_text).substr(begin, lineEnd(begin) - begin); }
    /// The line of a comment alone.
    static bool isComment(std::string_view line) { return base::trimmed(line).starts_with('#'); }
    static std::size_t indentOf(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

    bool isTouched(Range range) const
    {
        return std::any_of(m_before.begin(), m_before.end(), [&](const Range& r) { return r.overlaps(range) || r == range; });
    }

    /// An alias of which the anchor does not come along as it was.
    bool isBrokenAlias(const Value& value) const
    {
        if (value.definition.isEmpty())
            return false;
        const bool isInside = m_region.begin <= value.definition.begin && value.definition.end <= m_region.end;
        return !isInside || isTouched(value.definition);
    }
    bool isBrokenMerge(const Member& member) const
    {
        if (!member.merged)
            return false;
        const Range range = member.value->definition.isEmpty() ? member.value->range : member.value->definition;
        return range.begin < m_region.begin || range.end > m_region.end || isTouched(range) || isTouched(member.keyRange);
    }
    bool hasBroken(const Value& value) const
    {
        if (m_parsed.anchors.empty())
            return false;
        if (isBrokenAlias(value))
            return true;
        if (!value.definition.isEmpty())
            return false; // what is inside an alias stands elsewhere
        return std::any_of(value.items.begin(), value.items.end(), [&](const ValuePtr& item) { return hasBroken(*item); }) ||
               std::any_of(value.members.begin(), value.members.end(),
                           [&](const Member& m) { return m.merged ? isBrokenMerge(m) : hasBroken(*m.value); });
    }

    bool isKept(const Value& from, const Value& to) const { return sameData(from, to) && !hasBroken(from); }

    /// Column of the key when it is the first thing of its line, but for the dash of a list.
    std::optional<std::size_t> columnOf(const Member& member) const
    {
        const std::size_t begin = lineBegin(member.keyRange.begin);
        for (std::size_t i = begin; i < member.keyRange.begin; ++i) {
            if (m_text[i] != ' ' && m_text[i] != '-')
                return std::nullopt;
        }
        return member.keyRange.begin - begin;
    }
    bool isBehindDash(const Member& member) const
    {
        const std::size_t begin = lineBegin(member.keyRange.begin);
        return m_text.find('-', begin) < member.keyRange.begin;
    }

    /// Behind the colon of the key.
    std::optional<std::size_t> behindColon(const Member& member) const
    {
        std::size_t at = member.keyRange.end;
        while (at < m_text.size() && m_text[at] == ' ')
            ++at;
        return at < m_text.size() && m_text[at] == ':' ? std::optional(at + 1) : std::nullopt;
    }

    bool patchMapping(const Value& from, const Value& to)
    {
        const Member* first = nullptr;
        const Member* last = nullptr;
        for (const Member& member : from.members) {
            if (member.merged)
                continue;
            if (!first || member.keyRange.begin < first->keyRange.begin)
                first = &member;
            if (!last || member.keyRange.begin > last->keyRange.begin)
                last = &member;
        }
        if (!first || to.members.empty())
            return false;
        const auto column = columnOf(*first);
        if (!column)
            return false;
        const std::size_t indent = *column;
        std::vector<Member> added;
        if (!patchMerges(from, to, indent))
            return false;
        for (const Member& member : from.members) {
            if (member.merged)
                continue;
            if (columnOf(member) != indent)
                return false;
            const Member* wanted = counterpart(member, to);
            if (!wanted ? !remove(member, from, indent) : !patchMember(member, *wanted, indent))
                return false;
        }
        std::string text;
        for (const Member& member : to.members) {
            if (!counterpart(member, from))
                text += newMember(member, indent);
        }
        if (!text.empty())
            append(*last, indent, std::move(text));
        return true;
    }

    /// Keys that came in by `<<` and are no longer what the anchor says are written out in place of it.
    bool patchMerges(const Value& from, const Value& to, std::size_t indent)
    {
        std::vector<Range> broken;
        for (const Member& member : from.members) {
            const Member* wanted = member.merged ? counterpart(member, to) : nullptr;
            if (member.merged && (!wanted || !sameData(*wanted->value, *member.value) || isBrokenMerge(member)))
                broken.push_back(member.mergeRange);
        }
        std::sort(broken.begin(), broken.end());
        broken.erase(std::unique(broken.begin(), broken.end()), broken.end());
        for (const Range& merge : broken) {
            const std::size_t begin = lineBegin(merge.begin);
            std::string_view names = base::trimmed(line(begin));
            if (!names.starts_with("<<:"))
                return false;
            names = names.substr(0, names.find(" #"));
            const bool isWhole =
                names.find('[') == std::string_view::npos ? names.find('*') != std::string_view::npos : base::trimmed(names).ends_with(']');
            if (!isWhole)
                return false;
            std::string text;
            for (const Member& member : from.members) {
                const Member* wanted = member.merged && member.mergeRange == merge ? counterpart(member, to) : nullptr;
                if (wanted)
                    text += m_writer.member(*wanted, indent);
            }
            const std::size_t end = nextLine(begin);
            m_edits.push_back({{begin, end}, std::move(text)});
            m_touched.push_back({begin, end});
        }
        return true;
    }

    bool patchMember(const Member& from, const Member& to, std::size_t indent)
    {
        const Value& old = *from.value;
        const Value& wanted = *to.value;
        if (isKept(old, wanted))
            return true;
        if (patchInside(old, wanted))
            return true;
        return replace(from, wanted, indent);
    }

    bool patchInside(const Value& old, const Value& wanted)
    {
        if (!old.definition.isEmpty() || old.kind != wanted.kind)
            return false;
        const std::size_t edits = m_edits.size();
        const std::size_t touched = m_touched.size();
        const bool isBlock = old.style != Style::Flow;
        if ((old.isMapping() && (isBlock ? patchMapping(old, wanted) : patchFlow(old, wanted))) ||
            (old.isSequence() && patchItems(old, wanted, isBlock)))
            return true;
        m_edits.resize(edits);
        m_touched.resize(touched);
        return false;
    }

    bool patchItems(const Value& old, const Value& wanted, bool isBlock)
    {
        if (old.items.size() != wanted.items.size() || old.items.empty())
            return false;
        for (std::size_t i = 0; i < old.items.size(); ++i) {
            const Value& a = *old.items[i];
            const Value& b = *wanted.items[i];
            if (isKept(a, b))
                continue;
            const bool isDone = isBlock ? patchInside(a, b) || patchScalar(a, b) : patchFlowValue(a, b);
            if (!isDone)
                return false;
        }
        return true;
    }

    bool patchFlow(const Value& old, const Value& wanted)
    {
        if (old.members.size() != wanted.members.size())
            return false;
        for (const Member& member : old.members) {
            const Member* other = counterpart(member, wanted);
            if (!other || member.merged)
                return false;
            if (!isKept(*member.value, *other->value) && !patchFlowValue(*member.value, *other->value))
                return false;
        }
        return true;
    }

    bool patchFlowValue(const Value& old, const Value& wanted) { return patchInside(old, wanted) || patchScalar(old, wanted); }

    /// A scalar in place of a scalar, on its line.
    bool patchScalar(const Value& old, const Value& wanted)
    {
        if (!old.isScalar() || !wanted.isScalar() || old.range.isEmpty() || old.style == Style::Literal || old.style == Style::Folded)
            return false;
        m_edits.push_back({old.range, flowText(wanted)});
        m_touched.push_back(old.range);
        return true;
    }

    bool replace(const Member& from, const Value& wanted, std::size_t indent)
    {
        const auto colon = behindColon(from);
        if (!colon)
            return false;
        const Value& old = *from.value;
        const std::size_t end = std::max(*colon, old.range.end);
        Piece piece = m_writer.piece(wanted, indent);
        if (piece.body.empty() && patchScalar(old, wanted)) // keeps what stands between the colon and the value
            return true;
        m_edits.push_back({{*colon, end}, std::move(piece.head)});
        m_touched.push_back({from.keyRange.end, end});
        if (!piece.body.empty()) {
            const std::size_t at = nextLine(end == 0 ? 0 : end - 1);
            insertLines(at, std::move(piece.body));
        }
        return true;
    }

    /// Whole lines in front of a line, or behind a last line that has no break.
    void insertLines(std::size_t at, std::string lines)
    {
        const bool isBroken = at == 0 || m_text[at - 1] == '\n';
        if (!isBroken)
            lines = m_lineBreak + lines;
        m_edits.push_back({{at, at}, std::move(lines)});
    }

    bool remove(const Member& member, const Value& mapping, std::size_t indent)
    {
        if (isBehindDash(member))
            return false;
        std::size_t begin = lineBegin(member.keyRange.begin);
        const std::size_t end = nextLine(std::max(member.keyRange.end, member.value->range.end) - 1);
        // A comment above goes along unless the next key seems to be of the same group.
        const bool isFollowed = std::any_of(mapping.members.begin(), mapping.members.end(), [&](const Member& other) {
            return !other.merged && lineBegin(other.keyRange.begin) == end && &other != &member;
        });
        while (!isFollowed && begin > m_region.begin) {
            const std::size_t above = lineBegin(begin - 1);
            if (!isComment(line(above)) || indentOf(line(above)) != indent)
                break;
            begin = above;
        }
        m_edits.push_back({{begin, end}, {}});
        m_touched.push_back({begin, end});
        return true;
    }

    void append(const Member& last, std::size_t indent, std::string lines)
    {
        std::size_t at = nextLine(std::max(last.keyRange.end, last.value->range.end) - 1);
        while (at < m_region.end && isComment(line(at)) && indentOf(line(at)) >= indent)
            at = nextLine(at);
        insertLines(at, std::move(lines));
    }

    /// A member that `from` lacks: its own lines with their comments where it stands in this text as it is, else written.
    std::string newMember(const Member& member, std::size_t indent) const
    {
        if (const auto copy = copied(member, indent))
            return *copy;
        return m_writer.member(member, indent);
    }

    std::optional<std::string> copied(const Member& member, std::size_t indent) const
    {
        const Value& value = *member.value;
        if (member.keyRange.isEmpty() || member.merged || value.source != m_parsed.root->source || value.layer == Layer::Setting ||
            value.range.begin < member.keyRange.end || value.range.end > m_text.size())
            return std::nullopt;
        const auto column = columnOf(member);
        if (!column || isBehindDash(member))
            return std::nullopt;
        std::size_t begin = lineBegin(member.keyRange.begin);
        const std::size_t end = nextLine(std::max(member.keyRange.end, value.range.end) - 1);
        std::string own(m_text, begin, end - begin);
        const Parsed read = parse(std::make_shared<SourceText>(own));
        if (!read.complete || !read.root || !read.root->isMapping() || read.root->members.size() != 1 ||
            !isSameMember(read.root->members.front(), member) || !sameData(*read.root->members.front().value, value))
            return std::nullopt;
        std::size_t top = begin;
        while (top > 0) {
            const std::size_t above = lineBegin(top - 1);
            if (!isComment(line(above)) || indentOf(line(above)) != *column)
                break;
            top = above;
        }
        own.insert(0, m_text, top, begin - top);
        if (!own.ends_with('\n'))
            own += m_lineBreak;
        return shifted(own, *column, indent);
    }

    /// Lines moved from one column to another; nothing when a line does not reach that far.
    static std::optional<std::string> shifted(std::string_view text, std::size_t from, std::size_t to)
    {
        std::string out;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
            std::string_view one = text.substr(at, end - at);
            at = end;
            if (base::trimmed(one).empty()) {
                out += one;
                continue;
            }
            const std::size_t own = indentOf(one);
            if (own < from && !isComment(one))
                return std::nullopt;
            one.remove_prefix(std::min(own, from));
            out += blanks(to) + std::string(one);
        }
        return out;
    }

    const Parsed& m_parsed;
    const std::string& m_text;
    Range m_region;
    std::vector<Range> m_before;
    std::string m_lineBreak;
    Writer m_writer;
    std::vector<TextEdit> m_edits;
    std::vector<Range> m_touched;
};

/// The lines of a text, each with its break.
std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
        out.push_back(text.substr(at, end - at));
        at = end;
    }
    return out;
}

bool isCommentLine(std::string_view line)
{
    return base::trimmed(line).starts_with('#');
}

/// The part of the text that is cut out for a mapping, and what stands in front of it.
struct Cut {
    Range region;
    std::size_t indent = 0; ///< Taken off each line.
    std::string head;       ///< Comments that go in front.
};

std::optional<Cut> cutOf(const Parsed& parsed, const ValuePtr& from)
{
    const std::string& text = parsed.source->text();
    Cut cut;
    if (from == parsed.root) {
        cut.region = {0, text.size()};
        return cut;
    }
    const auto owner =
        std::find_if(parsed.root->members.begin(), parsed.root->members.end(), [&](const Member& m) { return m.value == from; });
    if (owner == parsed.root->members.end() || from->style == Style::Flow || !from->definition.isEmpty() || from->members.empty())
        return std::nullopt;
    std::size_t first = std::string::npos;
    for (const Member& member : from->members)
        first = std::min(first, member.merged ? member.mergeRange.begin : member.keyRange.begin);
    std::size_t begin = text.rfind('\n', first);
    if (begin == std::string::npos || begin < owner->keyRange.end)
        return std::nullopt;
    ++begin;
    cut.indent = first - begin;
    // The lines between the key and the first key of the block are comments; they go along.
    const std::size_t keyLineEnd = text.find('\n', owner->keyRange.end);
    cut.region.begin = keyLineEnd + 1;
    std::size_t end = text.find('\n', from->range.end == 0 ? 0 : from->range.end - 1);
    end = end == std::string::npos ? text.size() : end + 1;
    // Comments behind the last value that are indented as the block are its own.
    std::size_t at = end;
    for (const std::string_view line : linesOf(std::string_view(text).substr(end))) {
        at += line.size();
        const bool isOwn = isCommentLine(line) && line.find_first_not_of(' ') >= cut.indent;
        if (!isOwn && !base::trimmed(line).empty())
            break;
        if (isOwn)
            end = at;
    }
    cut.region.end = end;
    if (owner == parsed.root->members.begin()) {
        const std::size_t start = text.starts_with(byteOrderMark) ? byteOrderMark.size() : 0;
        for (const std::string_view line : linesOf(std::string_view(text).substr(start, owner->keyRange.begin - start))) {
            if (!isCommentLine(line) && !base::trimmed(line).empty())
                break;
            cut.head += line;
        }
    }
    const std::string_view keyLine = std::string_view(text).substr(owner->keyRange.end, keyLineEnd - owner->keyRange.end);
    if (const std::size_t hash = keyLine.find(" #"); hash != std::string_view::npos)
        cut.head += std::string(base::trimmed(keyLine.substr(hash))) + "\n";
    return cut;
}

std::string unindented(std::string_view text, std::size_t by)
{
    std::string out;
    for (std::string_view line : linesOf(text)) {
        const std::size_t own = std::min(line.find_first_not_of(' '), line.size());
        line.remove_prefix(std::min(own, by));
        out += line;
    }
    return out;
}

bool readsAs(const std::string& text, const Value& wanted)
{
    const Parsed read = parse(std::make_shared<SourceText>(text));
    return read.complete && read.root && sameData(*read.root, wanted);
}

std::optional<std::string> patched(const Parsed& parsed, const ValuePtr& from, const ValuePtr& to)
{
    const auto cut = cutOf(parsed, from);
    if (!cut || !from->isMapping() || !to->isMapping())
        return std::nullopt;
    // What an edit touches decides which aliases can stay, and that in turn what is edited.
    std::vector<Range> touched;
    std::vector<TextEdit> edits;
    for (int round = 0; round < 4; ++round) {
        Patcher patcher(parsed, cut->region, touched);
        if (!patcher.patch(from, to))
            return std::nullopt;
        edits = patcher.edits();
        const bool isStable = patcher.touched() == touched || parsed.anchors.empty();
        touched = patcher.touched();
        if (isStable)
            break;
    }
    std::size_t done = cut->region.begin;
    std::stable_sort(edits.begin(), edits.end(), [](const TextEdit& a, const TextEdit& b) { return a.range < b.range; });
    for (TextEdit& edit : edits) {
        if (edit.range.begin < done || edit.range.end > cut->region.end)
            return std::nullopt;
        done = edit.range.end;
        edit.range.begin -= cut->region.begin;
        edit.range.end -= cut->region.begin;
    }
    std::string text = applyEdits(parsed.source->text().substr(cut->region.begin, cut->region.end - cut->region.begin), std::move(edits));
    if (cut->indent > 0)
        text = unindented(text, cut->indent);
    text.insert(0, cut->head);
    if (!text.ends_with('\n'))
        text += '\n';
    return text;
}

} // namespace

std::string keyText(const Member& member)
{
    if (member.keyKind == Kind::Null && member.key.empty())
        return "~";
    if (member.keyKind != Kind::String)
        return member.key;
    return isPrintableLine(member.key) && isSafePlain(member.key) ? member.key : doubleQuoted(member.key);
}

std::string flowText(const Value& value)
{
    if (value.isScalar())
        return scalarText(value);
    std::string out;
    for (const ValuePtr& item : value.items)
        out += (out.empty() ? "" : ", ") + flowText(*item);
    for (const Member& member : value.members)
        out += (out.empty() ? "" : ", ") + keyText(member) + ": " + flowText(*member.value);
    return value.isSequence() ? "[" + out + "]" : "{" + out + "}";
}

std::string blockText(const Value& mapping, std::size_t indent)
{
    return Writer("\n").members(mapping, indent);
}

std::string indented(std::string_view text, std::size_t by)
{
    std::string out;
    for (const std::string_view line : linesOf(text)) {
        if (!base::trimmed(line).empty())
            out += blanks(by);
        out += line;
    }
    return out;
}

Rewritten rewritten(const Parsed& parsed, const ValuePtr& from, const ValuePtr& to)
{
    if (auto text = patched(parsed, from, to); text && readsAs(*text, *to))
        return {*std::move(text), true};
    const auto cut = parsed.root && from != parsed.root ? cutOf(parsed, from) : std::nullopt;
    std::string text = to->isMapping() && !to->members.empty() ? blockText(*to, 0) : flowText(*to) + "\n";
    if (cut)
        text.insert(0, cut->head);
    if (readsAs(text, *to))
        return {std::move(text), false};
    return {emit(*to), false};
}

} // namespace wb::syntax
