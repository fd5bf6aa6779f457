#include "core/syntax/yaml.h"

#include "core/base/text.h"
#include "core/syntax/byteordermark.h"
#include "core/syntax/mend.h"
#include "core/syntax/plainyaml.h"

#include <yaml.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace wb::syntax {

namespace {

constexpr std::size_t mostNodes = 1'000'000;   // behind aliases, which can stand for more than any memory holds
constexpr std::size_t mostValues = 10'000'000; // written out; one takes about 200 bytes
constexpr std::size_t longestKey = 1024;       // in code points; of YAML 1.1, for keys without "?"

/// No early end, so that the compiler takes many bytes at once.
bool isAscii(std::string_view text)
{
    unsigned char bits = 0;
    for (const char c : text)
        bits = static_cast<unsigned char>(bits | static_cast<unsigned char>(c));
    return bits < 0x80;
}

/// libyaml counts code points; this goes to bytes and back. Marks come nearly in order, so a cursor that walks is quick.
class ByteOffsets
{
public:
    explicit ByteOffsets(const std::string& text)
        : m_text(text)
        , m_ascii(isAscii(text))
    {
    }

    std::size_t of(std::size_t codePoint)
    {
        if (m_ascii)
            return std::min(codePoint, m_text.size());
        while (m_codePoint < codePoint && m_byte < m_text.size()) {
            do
                ++m_byte;
            while (m_byte < m_text.size() && isContinuation(m_text[m_byte]));
            ++m_codePoint;
        }
        while (m_codePoint > codePoint) {
            do
                --m_byte;
            while (m_byte > 0 && isContinuation(m_text[m_byte]));
            --m_codePoint;
        }
        return m_byte;
    }

private:
    static bool isContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

    const std::string& m_text;
    bool m_ascii;
    std::size_t m_codePoint = 0;
    std::size_t m_byte = 0;
};

bool isBlank(char c)
{
    return c == ' ' || c == '\t';
}

bool isSpace(char c)
{
    return isBlank(c) || c == '\n' || c == '\r';
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

struct Saying {
    std::string_view problem; ///< What libyaml says.
    std::string_view ours;    ///< What we say.
};

/// To add one: the text of libyaml's scanner or parser, and the sentence without its full stop.
constexpr std::array sayings = {
    Saying{"mapping values are not allowed in this context",
           "A \": \" stands where no key may stand; check the indentation, or quote the text if the colon belongs to it"},
    Saying{"could not find expected ':'", "A \":\" is missing behind this key"},
    Saying{"did not find expected key", "This line does not fit the indentation of the mapping it stands in"},
    Saying{"did not find expected '-' indicator",
           "This line does not fit the list it stands in: a \"- \" or another indentation is needed"},
    Saying{"did not find expected node content", "A value is missing here"},
    Saying{"did not find expected ',' or ']'", "A \",\" or \"]\" is missing in this list"},
    Saying{"did not find expected ',' or '}'", "A \",\" or \"}\" is missing in this mapping"},
    Saying{"found unexpected end of stream", "A quote that was opened here is never closed"},
    Saying{"found unexpected document indicator", "A quote that was opened here is not closed before the document ends"},
    Saying{"block sequence entries are not allowed in this context",
           "A \"- \" may not stand here; put the list on lines of its own below the key"},
    Saying{"block mapping entries are not allowed in this context", "A key may not stand here"},
    Saying{"mapping keys are not allowed in this context", "A key may not stand here"},
    Saying{"did not find the expected comment or line break", "Only a comment may follow here"},
    Saying{"found unknown escape character", "This escape means nothing in double quotes; use single quotes or double the backslash"},
    Saying{"found a tab character that violates indentation", "A tab stands in the indentation; use spaces"},
    Saying{"found a tab character where an indentation space is expected", "A tab stands in the indentation; use spaces"},
    Saying{"did not find alphabetic or numeric character",
           "A name is missing behind \"&\" or \"*\"; quote the text if that sign belongs to it"},
    Saying{"found undefined tag handle", "This tag is not known"},
    Saying{"did not find expected <document start>", "The document has ended before this line; check the indentation"},
    Saying{"found character that cannot start any token", "A value cannot begin with this character; quote it"},
};

std::string saying(std::string_view problem)
{
    for (const Saying& s : sayings) {
        if (s.problem == problem)
            return std::string(s.ours) + ".";
    }
    return "The YAML cannot be read here: " + std::string(problem) + ".";
}

/// The encoding that the mark at the begin of the text stands for; empty when there is none, or it is that of UTF-8.
std::string_view foreignEncoding(std::string_view text)
{
    using namespace std::string_view_literals;
    if (text.starts_with("\xFF\xFE\0\0"sv) || text.starts_with("\0\0\xFE\xFF"sv))
        return "UTF-32";
    return text.starts_with("\xFF\xFE"sv) || text.starts_with("\xFE\xFF"sv) ? "UTF-16" : "";
}

/// The bytes hold one that may be, or begin, an unprintable character. No early end, so that the compiler takes many bytes at once.
bool mayBeUnprintable(std::string_view bytes)
{
    unsigned char found = 0; // a byte too, or each would be made wider first
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        const bool isControl = (byte < 0x20) & (byte != '\t') & (byte != '\n') & (byte != '\r');
        found = static_cast<unsigned char>(found | static_cast<unsigned char>(isControl | (byte >= 0x7F)));
    }
    return found != 0;
}

/// Control characters and others that YAML refuses in a file.
std::optional<std::size_t> firstUnprintable(std::string_view text)
{
    constexpr std::size_t block = 256;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (i % block == 0) {
            while (i < text.size() && !mayBeUnprintable(text.substr(i, block)))
                i += block;
            if (i >= text.size())
                break;
        }
        const auto c = static_cast<unsigned char>(text[i]);
        if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7F)
            return i;
        // U+0080..U+009F but U+0085, U+FFFE and U+FFFF
        if (c == 0xC2 && i + 1 < text.size()) {
            const auto next = static_cast<unsigned char>(text[i + 1]);
            if (next < 0xA0 && next != 0x85)
                return i;
        }
        if (c == 0xEF && i + 2 < text.size() && static_cast<unsigned char>(text[i + 1]) == 0xBF &&
            static_cast<unsigned char>(text[i + 2]) >= 0xBE)
            return i;
    }
    return std::nullopt;
}

/// Month and day exist, hours below 24, minutes and seconds below 60.
bool isPossibleDate(std::string_view text)
{
    std::vector<std::int64_t> numbers;
    for (std::size_t i = 0; i < text.size() && numbers.size() < 6;) {
        std::size_t end = i;
        while (end < text.size() && text[end] >= '0' && text[end] <= '9')
            ++end;
        if (end == i) {
            ++i;
            continue;
        }
        numbers.push_back(base::integerOf(text.substr(i, end - i)).value_or(0));
        i = end;
    }
    const std::int64_t year = numbers.at(0);
    const std::int64_t month = numbers.at(1);
    if (year < 1 || month < 1 || month > 12)
        return false;
    constexpr std::array<std::int64_t, 12> days = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    const std::int64_t most = days.at(static_cast<std::size_t>(month - 1)) + (month == 2 && isLeap ? 1 : 0);
    if (numbers.at(2) < 1 || numbers.at(2) > most)
        return false;
    return numbers.size() < 6 || (numbers[3] < 24 && numbers[4] < 60 && numbers[5] < 60);
}

/// A collection that is being read.
struct Frame {
    std::shared_ptr<Value> value;
    std::string anchor;
    bool hasKey = false; ///< Mapping: a key was read, its value is due.
    Member pending;
    bool pendingIsMerge = false;
    bool pendingIsLost = false;                     ///< The key is no scalar.
    std::vector<std::pair<ValuePtr, Range>> merges; ///< Mappings behind `<<`, the weakest first.
    std::unordered_set<std::string> keys;           ///< Of large mappings, for finding doubles.
    std::size_t nodes = 1;
};

struct Anchored {
    ValuePtr value; ///< Null while it is being read.
    std::size_t nodes = 0;
    Range range;
};

class Reader
{
public:
    Reader(std::shared_ptr<const SourceText> source, Source kind, Wording wording)
        : m_offsets(source->text())
        , m_text(source->text())
        , m_kind(kind)
        , m_wording(wording)
    {
        m_out.source = std::move(source);
    }

    Parsed read()
    {
        if (refusedAsText())
            return std::move(m_out);
        m_hasConflict = findConflictMarkers();
        readEvents();
        const bool hasTab = findTabs();
        if (m_failure && !m_hasConflict && !hasTab)
            m_out.diagnostics.push_back(*m_failure);
        m_out.complete = !m_failure && !hasErrors(m_out.diagnostics);
        if (!m_out.root && m_out.diagnostics.empty())
            report(Code::EmptyDocument, {0, 0}, "The file is empty.");
        sortAndUnite(m_out.diagnostics);
        return std::move(m_out);
    }

    /// Why the text could not be read to its end; null when it could, or when something else than a slip is the cause.
    [[nodiscard]] const Diagnostic* failure() const { return m_failure && !m_hasConflict ? &*m_failure : nullptr; }
    [[nodiscard]] const Fault& fault() const { return m_fault; }

private:
    Diagnostic& report(Code code, Range range, std::string message, Severity severity = Severity::Error)
    {
        Diagnostic problem;
        problem.code = code;
        problem.severity = severity;
        problem.range = range;
        problem.source = m_kind;
        problem.message = std::move(message);
        m_out.diagnostics.push_back(std::move(problem));
        return m_out.diagnostics.back();
    }

    [[nodiscard]] std::string document() const { return std::string(m_wording.document); }

    bool refusedAsText()
    {
        if (const std::string_view encoding = foreignEncoding(m_text); !encoding.empty()) {
            report(Code::NotUtf8, {0, 2}, "This file is in " + std::string(encoding) + "; save it in the encoding UTF-8.");
            return true;
        }
        if (const auto bad = base::firstInvalidUtf8(m_text)) {
            const bool looksBinary = m_text.find('\0') != std::string::npos;
            report(Code::NotUtf8, {*bad, *bad + 1},
                   looksBinary ? "This is a binary file, not a " + document() + "."
                               : "This byte is not UTF-8; save the file in the encoding UTF-8.");
            return true;
        }
        if (const auto bad = firstUnprintable(m_text)) {
            const auto lead = static_cast<unsigned char>(m_text[*bad]);
            const std::string last = lead == 0xEF ? m_text[*bad + 2] == '\xBE' ? "U+FFFE" : "U+FFFF" : "";
            report(Code::NotUtf8,
                   {*bad, *bad + (lead == 0xEF   ? 3
                                  : lead == 0xC2 ? 2
                                                 : 1)},
                   lead == 0       ? "This is a binary file, not a " + document() + ": it holds a NUL byte."
                   : !last.empty() ? last + " stands here, which is no character and which YAML refuses; delete it."
                                   : "A control character stands here, which YAML refuses; delete it.");
            return true;
        }
        return false;
    }

    bool findConflictMarkers()
    {
        bool found = false;
        constexpr std::string_view ours = "<<<<<<<";
        constexpr std::string_view theirs = ">>>>>>>";
        const auto stands = [&](std::string_view mark) { // looked for without its line break: there are fewer brackets than lines
            std::size_t at = m_text.find(mark);
            while (at != std::string::npos && at > 0 && m_text[at - 1] != '\n')
                at = m_text.find(mark, at + 1);
            return at != std::string::npos;
        };
        if (!stands(ours) && !stands(theirs))
            return false;
        for (std::size_t line = 1; line <= m_out.source->lineCount(); ++line) {
            const Range range = m_out.source->lineRange(line);
            const std::string_view text = std::string_view(m_text).substr(range.begin, range.end - range.begin);
            const std::string_view mark = text.substr(0, ours.size());
            const bool isMark = mark == ours || mark == theirs || mark == "=======" || mark == "|||||||";
            if (isMark && (text.size() == mark.size() || text[mark.size()] == ' ')) {
                report(Code::ConflictMarker, range, "A marker of an unresolved merge conflict stands here.");
                found = true;
            }
        }
        return found;
    }

    /// Tabs that upstream's reader refuses and libyaml takes: outside quotes, block-scalar bodies and comments.
    bool findTabs()
    {
        bool found = false;
        std::size_t next = 0;
        for (std::size_t at = m_text.find('\t'); at != std::string::npos && at <= m_read; at = m_text.find('\t', next)) {
            next = at + 1;
            if (isOpaque(at))
                continue;
            // Told or in a comment: the rest of the line is done with.
            const std::size_t line = m_out.source->lineCol(at).line;
            next = std::max(next, m_out.source->lineRange(line).end);
            if (isInComment(at, m_out.source->lineStart(line)))
                continue;
            std::size_t end = at;
            while (end < m_text.size() && m_text[end] == '\t')
                ++end;
            Diagnostic& problem = report(Code::Tab, {at, end}, "A tab stands here, which YAML does not take outside quotes; use spaces.");
            problem.fixes.push_back({"Replace the tab with spaces", {{{at, end}, std::string((end - at) * 2, ' ')}}});
            found = true;
        }
        return found;
    }

    bool isInComment(std::size_t at, std::size_t lineBegin) const
    {
        for (std::size_t i = lineBegin; i < at; ++i) {
            const bool startsComment = m_text[i] == '#' && (i == lineBegin || isBlank(m_text[i - 1]));
            if (startsComment && !isOpaque(i))
                return true;
        }
        return false;
    }

    bool isOpaque(std::size_t at) const
    {
        const auto scalar = std::partition_point(m_opaque.begin(), m_opaque.end(), [&](const Range& r) { return r.end <= at; });
        return scalar != m_opaque.end() && scalar->contains(at);
    }

    void readEvents()
    {
        m_open.reserve(16);
        if (const auto plain = plainEvents(m_text))
            take(*plain);
        else
            askLibyaml();
        while (!m_open.empty())
            closeTop();
    }

    /// What libyaml would tell of a text of the simple kind.
    void take(const PlainEvents& plain)
    {
        m_documents = 1;
        for (const PlainEvent& event : plain.events) {
            if (m_stopped)
                return;
            switch (event.type) {
            case PlainEvent::Type::MappingStart:
                open(Kind::Mapping, event.begin, nullptr, nullptr, false);
                break;
            case PlainEvent::Type::SequenceStart:
                open(Kind::Sequence, event.begin, nullptr, nullptr, event.style == Style::Flow);
                break;
            case PlainEvent::Type::CollectionEnd:
                if (event.style == Style::Flow)
                    m_open.back().value->range.end = event.end;
                closeTop();
                break;
            case PlainEvent::Type::Scalar:
                takeScalar({.text = event.text, .style = event.style, .begin = event.begin, .end = event.end});
                break;
            }
            m_read = std::max(m_read, event.end);
        }
        m_read = m_text.size();
    }

    void askLibyaml()
    {
        yaml_parser_t parser;
        if (yaml_parser_initialize(&parser) == 0)
            return;
        yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
        yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(m_text.data()), m_text.size());
        bool isDone = false;
        while (!isDone && !m_stopped) {
            yaml_event_t event;
            if (yaml_parser_parse(&parser, &event) == 0) {
                fail(parser);
                break;
            }
            m_read = std::max(m_read, m_offsets.of(event.end_mark.index));
            isDone = event.type == YAML_STREAM_END_EVENT;
            if (isDone)
                m_read = m_text.size();
            take(event);
            yaml_event_delete(&event);
        }
        yaml_parser_delete(&parser);
    }

    void fail(const yaml_parser_t& parser)
    {
        const std::string_view problem = parser.problem ? parser.problem : "";
        const std::string_view context = parser.context ? parser.context : "";
        // The problem is noticed behind the fault: what was being read when it came up is where the fault is.
        const bool atContext = context.find("simple key") != std::string_view::npos || context.find("flow") != std::string_view::npos ||
                               context.find("quoted scalar") != std::string_view::npos;
        const yaml_mark_t mark = atContext && parser.context ? parser.context_mark : parser.problem_mark;
        m_fault.at = m_offsets.of(parser.problem_mark.index);
        m_fault.context = parser.context ? m_offsets.of(parser.context_mark.index) : m_fault.at;
        m_fault.isQuote = context.find("quoted scalar") != std::string_view::npos;
        m_fault.isFlow = context.find("flow") != std::string_view::npos;
        std::size_t begin = m_offsets.of(mark.index);
        while (begin > 0 && begin >= m_text.size())
            --begin;
        while (begin > 0 && (m_text[begin] == '\n' || m_text[begin] == '\r'))
            --begin;
        const std::size_t line = m_out.source->lineCol(begin).line;
        std::size_t end = m_out.source->lineRange(line).end;
        if (end <= begin)
            end = std::min(begin + 1, m_text.size());
        m_read = std::max(m_read, end);
        Diagnostic failed;
        failed.code = Code::YamlSyntax;
        failed.source = m_kind;
        failed.range = {begin, end};
        failed.message = saying(problem);
        if (context.find("simple key") != std::string_view::npos && parser.problem_mark.index > parser.context_mark.index + longestKey)
            failed.message = "This key has more than 1,024 characters, and YAML takes no longer ones.";
        if (!atContext && parser.context && parser.context_mark.index < parser.problem_mark.index) {
            const std::size_t contextAt = m_offsets.of(parser.context_mark.index);
            const std::size_t contextLine = m_out.source->lineCol(contextAt).line;
            if (contextLine != line)
                failed.notes.push_back({"It began here.", m_out.source->lineRange(contextLine), m_kind});
        }
        m_failure = std::move(failed);
    }

    void take(const yaml_event_t& event)
    {
        switch (event.type) {
        case YAML_DOCUMENT_START_EVENT:
            if (++m_documents == 2) {
                const std::size_t begin = m_offsets.of(event.start_mark.index);
                report(Code::SeveralDocuments, {begin, std::min(begin + 3, m_text.size())},
                       "A second document begins here; a " + document() + " is one document.");
                m_stopped = true;
            }
            break;
        case YAML_SCALAR_EVENT: {
            const auto& data = event.data.scalar;
            takeScalar({.text = {reinterpret_cast<const char*>(data.value), data.length},
                        .style = styleOf(data.style),
                        .begin = m_offsets.of(event.start_mark.index),
                        .end = m_offsets.of(event.end_mark.index),
                        .anchor = data.anchor,
                        .tag = data.tag});
            break;
        }
        case YAML_ALIAS_EVENT:
            takeAlias(event);
            break;
        case YAML_SEQUENCE_START_EVENT:
            open(Kind::Sequence, m_offsets.of(event.start_mark.index), event.data.sequence_start.anchor, event.data.sequence_start.tag,
                 event.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE);
            break;
        case YAML_MAPPING_START_EVENT:
            open(Kind::Mapping, m_offsets.of(event.start_mark.index), event.data.mapping_start.anchor, event.data.mapping_start.tag,
                 event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE);
            break;
        case YAML_SEQUENCE_END_EVENT:
        case YAML_MAPPING_END_EVENT:
            if (m_open.back().value->style == Style::Flow)
                m_open.back().value->range.end = m_offsets.of(event.end_mark.index);
            closeTop();
            break;
        default:
            break;
        }
    }

    /// The place behind `&anchor` and `!tag`.
    std::size_t behindProperties(std::size_t begin, std::size_t end) const
    {
        while (begin < end && (m_text[begin] == '&' || m_text[begin] == '!')) {
            while (begin < end && !isSpace(m_text[begin]))
                ++begin;
            while (begin < end && isSpace(m_text[begin]))
                ++begin;
        }
        return begin;
    }

    void noteAnchor(const yaml_char_t* anchor, std::size_t begin, Range value)
    {
        if (!anchor)
            return;
        const std::string name(reinterpret_cast<const char*>(anchor));
        const std::size_t at = m_text.find("&" + name, begin);
        const Range range = at == std::string::npos ? value : Range{at, at + name.size() + 1};
        const auto earlier = m_anchors.find(name);
        if (earlier != m_anchors.end()) {
            Diagnostic& problem = report(Code::DuplicateAnchor, range, "The anchor " + base::inQuotes(name) + " is set twice.");
            problem.notes.push_back({"It is set here first.", earlier->second.range, m_kind});
        }
        m_anchors[name] = {nullptr, 0, range};
        m_out.anchors.push_back({name, range, false});
    }

    void open(Kind kind, std::size_t start, const yaml_char_t* anchor, const yaml_char_t* tag, bool isFlow)
    {
        if (m_open.size() >= deepest) {
            report(Code::TooDeep, {start, std::min(start + 1, m_text.size())},
                   "Values are nested more than " + std::to_string(deepest) + " deep here.");
            m_stopped = true;
            return;
        }
        const std::size_t begin = behindProperties(start, m_text.size());
        Frame frame;
        frame.value = std::make_shared<Value>();
        frame.value->kind = kind;
        frame.value->source = m_kind;
        frame.value->layer = m_kind == Source::Cluster ? Layer::Cluster : Layer::Base;
        frame.value->style = isFlow ? Style::Flow : Style::Block;
        frame.value->range = {begin, begin};
        noteAnchor(anchor, start, {begin, begin + 1});
        if (anchor)
            frame.anchor = reinterpret_cast<const char*>(anchor);
        const std::string_view expected = kind == Kind::Sequence ? "tag:yaml.org,2002:seq" : "tag:yaml.org,2002:map";
        const std::string_view given = tag ? reinterpret_cast<const char*>(tag) : "";
        if (!given.empty() && given != expected && given != "!")
            offerWithoutTag(report(Code::UnknownTag, {start, begin},
                                   "The tag " + base::inQuotes(given) + " has no meaning in a " + document() + "; delete it."),
                            {start, begin});
        m_open.push_back(std::move(frame));
    }

    void closeTop()
    {
        Frame frame = std::move(m_open.back());
        m_open.pop_back();
        Value& value = *frame.value;
        if (frame.hasKey && !frame.pendingIsLost) { // the text ended between a key and its value
            frame.pending.value = emptyValue(frame.pending.keyRange.end);
            addMember(frame, std::move(frame.pending));
        }
        mergeInto(frame);
        if (value.style != Style::Flow || value.range.end == value.range.begin)
            value.range.end = std::max(value.range.end, endOfChildren(value));
        if (!frame.anchor.empty())
            m_anchors[frame.anchor] = {frame.value, frame.nodes, m_anchors[frame.anchor].range};
        attach(frame.value, frame.nodes);
    }

    static std::size_t endOfChildren(const Value& value)
    {
        std::size_t end = value.range.begin;
        for (const ValuePtr& item : value.items)
            end = std::max(end, item->range.end);
        for (const Member& member : value.members) {
            if (!member.merged)
                end = std::max({end, member.keyRange.end, member.value->range.end});
            else
                end = std::max(end, member.mergeRange.end);
        }
        return end;
    }

    ValuePtr emptyValue(std::size_t at) const
    {
        auto value = std::make_shared<Value>();
        value->range = {at, at};
        value->source = m_kind;
        return value;
    }

    /// PyYAML puts merged keys first; own keys win, and of several merged mappings the first named.
    void mergeInto(Frame& frame)
    {
        if (frame.merges.empty())
            return;
        std::vector<Member> all;
        std::unordered_multimap<std::string, std::size_t> places;
        const auto put = [&](Member member) {
            const auto [first, last] = places.equal_range(member.key);
            const auto earlier = std::find_if(first, last, [&](const auto& entry) { return all[entry.second].keyKind == member.keyKind; });
            if (earlier != last) {
                all[earlier->second] = std::move(member);
                return;
            }
            places.emplace(member.key, all.size());
            all.push_back(std::move(member));
        };
        for (const auto& [mapping, range] : frame.merges) {
            countBehindAlias(mapping->members.size(), range);
            if (m_stopped)
                break;
            for (Member member : mapping->members) {
                member.merged = true;
                member.mergeRange = range;
                put(std::move(member));
            }
        }
        for (Member& member : frame.value->members)
            put(std::move(member));
        frame.value->members = std::move(all);
    }

    void takeAlias(const yaml_event_t& event)
    {
        const std::string name(reinterpret_cast<const char*>(event.data.alias.anchor));
        const Range range = {m_offsets.of(event.start_mark.index), m_offsets.of(event.end_mark.index)};
        m_out.anchors.push_back({name, range, true});
        const auto found = m_anchors.find(name);
        if (found == m_anchors.end() || !found->second.value) {
            const bool isOpen = found != m_anchors.end();
            report(Code::UnknownAlias, range,
                   isOpen ? "The alias " + base::inQuotes(name) + " stands inside the value that it names."
                          : "No anchor \"&" + name + "\" stands before this alias.");
            attach(emptyValue(range.begin), 1);
            return;
        }
        auto copy = std::make_shared<Value>(*found->second.value);
        copy->definition = copy->range;
        copy->range = range;
        countBehindAlias(found->second.nodes, range);
        attach(copy, found->second.nodes);
    }

    /// A scalar as it was found, before it is anything's key or value.
    struct Found {
        std::string_view text;
        Style style = Style::Plain;
        std::size_t begin = 0; ///< Of its anchor or tag, when it has one.
        std::size_t end = 0;
        const yaml_char_t* anchor = nullptr;
        const yaml_char_t* tag = nullptr;
    };

    void takeScalar(const Found& found)
    {
        if (isKeyDue() && !found.anchor) {
            Value key; // of it, no more than the text is kept
            readScalar(found, key);
            countValue(key);
            ++m_open.back().nodes;
            takeKey(m_open.back(), std::move(key));
            return;
        }
        auto value = std::make_shared<Value>();
        readScalar(found, *value);
        if (found.anchor)
            m_anchors[reinterpret_cast<const char*>(found.anchor)].value = value;
        attach(std::move(value), 1);
    }

    static Style styleOf(yaml_scalar_style_t style)
    {
        switch (style) {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE:
            return Style::SingleQuoted;
        case YAML_DOUBLE_QUOTED_SCALAR_STYLE:
            return Style::DoubleQuoted;
        case YAML_LITERAL_SCALAR_STYLE:
            return Style::Literal;
        case YAML_FOLDED_SCALAR_STYLE:
            return Style::Folded;
        default:
            return Style::Plain;
        }
    }

    /// What a scalar is, into a fresh value.
    void readScalar(const Found& found, Value& value)
    {
        const std::size_t start = found.begin;
        std::size_t end = found.end;
        const std::size_t begin = behindProperties(start, end);
        const std::string_view text = found.text;
        value.source = m_kind;
        value.layer = m_kind == Source::Cluster ? Layer::Cluster : Layer::Base;
        value.style = found.style;
        const bool isPlain = found.style == Style::Plain;
        if (isPlain) {
            resolvePlain(text, value);
        } else {
            value.kind = Kind::String;
            value.text = text;
        }
        if (found.style == Style::SingleQuoted || found.style == Style::DoubleQuoted) {
            m_opaque.push_back({begin, end});
        } else if (!isPlain) {
            end = endOfBlockScalar(begin, end);
            const std::size_t body = m_text.find('\n', begin);
            if (body != std::string::npos && body < end)
                m_opaque.push_back({body, end});
        }
        value.range = {begin, end};
        noteAnchor(found.anchor, start, value.range);
        applyTag(found.tag, {start, end}, value);
        if (isPlain && (text == "=" || (text == "<<" && !isKeyDue())))
            report(Code::YamlSyntax, value.range,
                   "A plain " + base::inQuotes(text) + " has a meaning of its own in YAML; put it in quotes.");
        if (isPlain && !isKeyDue())
            reportOldNotation(value);
        if (value.kind == Kind::Timestamp && !isPossibleDate(value.text)) {
            Diagnostic& problem = report(Code::YamlSyntax, value.range,
                                         base::inQuotes(value.text) + " is read as a date that does not exist; put it in quotes.");
            problem.fixes.push_back({"Put it in quotes", {{value.range, "\"" + value.text + "\""}}});
        }
        if (found.anchor)
            m_anchors[reinterpret_cast<const char*>(found.anchor)].nodes = 1;
    }

    /// Plain texts that YAML 1.1 and the reader's eye take for different things.
    void reportOldNotation(const Value& value)
    {
        const std::string& text = value.text;
        if (value.kind == Kind::Bool) {
            const std::string word = base::lowered(text);
            if (word == "true" || word == "false")
                return;
            const std::string plain = value.boolean ? "true" : "false";
            Diagnostic& problem = report(Code::WordBoolean, value.range,
                                         text + " without quotes is " + plain + " for " + std::string(m_wording.reader) +
                                             ", which reads YAML 1.1, and text for others.",
                                         Severity::Hint);
            problem.fixes = {{"Change to " + plain, {{value.range, plain}}}, {"Put it in quotes", {{value.range, "\"" + text + "\""}}}};
            return;
        }
        if (value.kind != Kind::Integer || value.huge)
            return;
        const std::string decimal = std::to_string(value.integer);
        const std::size_t digits = text.find_first_not_of("+-");
        const bool isSixty = text.find(':') != std::string::npos;
        const bool isOctal =
            !isSixty && digits + 1 < text.size() && text[digits] == '0' && (text[digits + 1] == '_' || isDigit(text[digits + 1]));
        const bool isGrouped = text.find('_') != std::string::npos;
        if (!isSixty && !isOctal && !isGrouped)
            return;
        const bool isSame = !isSixty && !isOctal; // what is read is what one would think
        Diagnostic& problem = report(isSixty ? Code::BaseSixty : Code::OldNumber, value.range,
                                     text + " without quotes is read as the number " + decimal +
                                         (isSixty   ? " (base 60)."
                                          : isOctal ? " (octal, for its leading zero)."
                                                    : " by YAML 1.1, and as text by others."),
                                     isSame ? Severity::Hint : Severity::Warning);
        problem.fixes = {{"Put it in quotes", {{value.range, "\"" + text + "\""}}}, {"Change to " + decimal, {{value.range, decimal}}}};
    }

    /// Back over blank lines and comments that are indented less than the body.
    std::size_t endOfBlockScalar(std::size_t begin, std::size_t end) const
    {
        const std::size_t firstLine = m_text.find('\n', begin);
        if (firstLine == std::string::npos || firstLine >= end)
            return end;
        std::size_t indent = 0;
        std::size_t at = firstLine + 1;
        while (at < end && (m_text[at] == '\n' || m_text[at] == '\r'))
            ++at;
        while (at < end && m_text[at] == ' ') {
            ++indent;
            ++at;
        }
        for (;;) {
            while (end > firstLine && isSpace(m_text[end - 1]))
                --end;
            const std::size_t lineBegin = m_text.rfind('\n', end == 0 ? 0 : end - 1);
            if (lineBegin == std::string::npos || lineBegin <= firstLine)
                return std::max(end, firstLine);
            std::size_t first = lineBegin + 1;
            while (first < end && m_text[first] == ' ')
                ++first;
            if (m_text[first] != '#' || first - lineBegin - 1 >= indent)
                return end;
            end = lineBegin;
        }
    }

    void applyTag(const yaml_char_t* tag, Range range, Value& value)
    {
        constexpr std::string_view standard = "tag:yaml.org,2002:";
        std::string_view given = tag ? reinterpret_cast<const char*>(tag) : "";
        if (given.empty() || given == "!")
            return;
        const std::string whole(given);
        if (given.starts_with(standard))
            given.remove_prefix(standard.size());
        if (given == "str" || given == "binary") {
            value.kind = Kind::String;
            return;
        }
        Value resolved = value;
        resolvePlain(value.text, resolved);
        const bool fits = (given == "int" && resolved.kind == Kind::Integer) || (given == "bool" && resolved.kind == Kind::Bool) ||
                          (given == "null" && resolved.kind == Kind::Null) || (given == "timestamp" && resolved.kind == Kind::Timestamp) ||
                          (given == "float" && (resolved.kind == Kind::Float || resolved.kind == Kind::Integer));
        if (!fits) {
            offerWithoutTag(report(Code::UnknownTag, range, "The tag " + base::inQuotes(whole) + " does not fit this value; delete it."),
                            {range.begin, value.range.begin});
            return;
        }
        resolved.range = value.range;
        resolved.source = value.source;
        resolved.layer = value.layer;
        if (given == "float")
            resolved.kind = Kind::Float;
        value = std::move(resolved);
    }

    /// `properties`: the anchor and the tag in front of a value.
    void offerWithoutTag(Diagnostic& problem, Range properties) const
    {
        const std::size_t begin = m_text.find('!', properties.begin);
        if (begin >= properties.end)
            return;
        std::size_t end = begin;
        while (end < properties.end && !isSpace(m_text[end]))
            ++end;
        while (end < properties.end && isBlank(m_text[end]))
            ++end;
        problem.fixes.push_back({"Delete the tag", {{{begin, end}, ""}}});
    }

    [[nodiscard]] bool isKeyDue() const { return !m_open.empty() && m_open.back().value->isMapping() && !m_open.back().hasKey; }

    /// Counts what stands in the document by aliases and merges alone.
    void countBehindAlias(std::size_t nodes, Range range)
    {
        m_nodes += nodes;
        if (m_nodes > mostNodes && !m_stopped) {
            report(Code::TooDeep, range,
                   "Aliases of aliases make this document larger than " + std::to_string(mostNodes) + " values; it is read up to here.");
            m_stopped = true;
        }
    }

    void countValue(const Value& value)
    {
        if (++m_values > mostValues && !m_stopped) {
            report(Code::TooDeep, value.range,
                   "The document holds more than " + std::to_string(mostValues) + " values; it is read up to here.");
            m_stopped = true;
        }
    }

    void attach(ValuePtr value, std::size_t nodes)
    {
        countValue(*value);
        if (m_open.empty()) {
            if (m_documents <= 1)
                m_out.root = std::move(value);
            return;
        }
        Frame& frame = m_open.back();
        frame.nodes += nodes;
        if (frame.value->isSequence()) {
            frame.value->items.push_back(std::move(value));
        } else if (!frame.hasKey) {
            takeKey(frame, Value(*value));
        } else {
            frame.hasKey = false;
            if (frame.pendingIsLost) {
                m_out.lossy = true; // told: what the key stands for is not known
            } else if (frame.pendingIsMerge) {
                takeMerge(frame, value);
            } else {
                frame.pending.value = std::move(value);
                addMember(frame, std::move(frame.pending));
            }
        }
    }

    /// The text of the key is taken out of it.
    void takeKey(Frame& frame, Value&& key)
    {
        frame.hasKey = true;
        frame.pending = {};
        frame.pending.keyRange = key.range;
        frame.pending.keyKind = key.kind;
        frame.pendingIsLost = !key.isScalar();
        frame.pendingIsMerge = key.style == Style::Plain && key.text == "<<";
        if (!key.isScalar()) {
            report(Code::KeyNotText, key.range, "A key must be text, not " + std::string(describe(key.kind)) + ".");
            return;
        }
        frame.pending.key = std::move(key.text);
        constexpr std::string_view noBreakSpace = "\xC2\xA0";
        if (frame.pending.key.starts_with(noBreakSpace)) {
            std::size_t end = key.range.begin;
            std::size_t count = 0;
            for (; m_text.compare(end, noBreakSpace.size(), noBreakSpace) == 0 || m_text[end] == ' '; ++count)
                end += m_text[end] == ' ' ? 1 : noBreakSpace.size();
            Diagnostic& problem = report(Code::YamlSyntax, {key.range.begin, end},
                                         count == 1 ? "A no-break space stands in the indentation; use ordinary spaces."
                                                    : "No-break spaces stand in the indentation; use ordinary spaces.");
            problem.fixes.push_back(
                {count == 1 ? "Replace it with a space" : "Replace them with spaces", {{problem.range, std::string(count, ' ')}}});
        }
    }

    void takeMerge(Frame& frame, const ValuePtr& value)
    {
        const Range at = frame.pending.keyRange;
        std::vector<ValuePtr> mappings;
        if (value->isMapping())
            mappings.push_back(value);
        else if (value->isSequence())
            mappings.assign(value->items.rbegin(), value->items.rend());
        const bool areMappings =
            !mappings.empty() && std::all_of(mappings.begin(), mappings.end(), [](const ValuePtr& v) { return v->isMapping(); });
        if (!areMappings && !(value->isSequence() && value->items.empty())) {
            report(Code::MergeNotMap, value->range.isEmpty() ? at : value->range,
                   "\"<<\" takes a mapping or a list of mappings, not " + shown(*value) + ".");
            return;
        }
        for (ValuePtr& mapping : mappings)
            frame.merges.emplace_back(std::move(mapping), at);
    }

    void addMember(Frame& frame, Member member)
    {
        std::vector<Member>& members = frame.value->members;
        constexpr std::size_t large = 24;
        const auto same = [&](const Member& m) { return m.key == member.key && m.keyKind == member.keyKind; };
        if (members.size() == large) {
            for (const Member& earlier : members)
                frame.keys.insert(earlier.key);
        }
        const bool mayBeDouble = members.size() < large || !frame.keys.insert(member.key).second;
        const auto earlier = mayBeDouble ? std::find_if(members.begin(), members.end(), same) : members.end();
        if (earlier == members.end()) {
            members.push_back(std::move(member));
            return;
        }
        Diagnostic& problem = report(Code::DuplicateKey, member.keyRange,
                                     "The key " + base::inQuotes(member.key) + " is set twice; only this last one counts.");
        problem.notes.push_back({"It is set here first.", earlier->keyRange, m_kind});
        earlier->value = std::move(member.value);
        earlier->keyRange = member.keyRange;
    }

    ByteOffsets m_offsets;
    const std::string& m_text;
    Source m_kind;
    Wording m_wording;
    Parsed m_out;
    std::vector<Frame> m_open;
    std::map<std::string, Anchored, std::less<>> m_anchors;
    std::vector<Range> m_opaque; ///< Quoted scalars and bodies of block scalars, in order.
    std::optional<Diagnostic> m_failure;
    Fault m_fault; ///< Of the failure.
    bool m_hasConflict = false;
    std::size_t m_read = 0; ///< Bytes that were understood.
    std::size_t m_documents = 0;
    std::size_t m_values = 0; ///< Written in the text.
    std::size_t m_nodes = 0;  ///< That aliases stand for.
    bool m_stopped = false;
};

/// Brings what was read of a mended text, or of one without its byte order mark, back to the places of the original one.
class PlacesBack
{
public:
    explicit PlacesBack(const std::vector<TextEdit>& edits, std::size_t cutOff = 0)
        : m_edits(edits)
        , m_cutOff(cutOff)
    {
    }

    void in(Range& range) const
    {
        for (auto edit = m_edits.rbegin(); edit != m_edits.rend(); ++edit)
            range = {before(*edit, range.begin), std::max(before(*edit, range.begin), before(*edit, range.end))};
        range = {range.begin + m_cutOff, range.end + m_cutOff};
    }

    void in(Parsed& parsed)
    {
        in(parsed.root);
        for (AnchorUse& anchor : parsed.anchors)
            in(anchor.range);
        for (Diagnostic& problem : parsed.diagnostics)
            in(problem);
    }

    void in(Diagnostic& problem) const
    {
        in(problem.range);
        for (Note& note : problem.notes)
            in(note.range);
        for (Fix& fix : problem.fixes) {
            for (TextEdit& edit : fix.edits)
                in(edit.range);
        }
    }

    void in(const ValuePtr& value)
    {
        if (!value || !m_done.insert(value.get()).second)
            return;
        auto& own = const_cast<Value&>(*value); // made by the reader a moment ago, and seen by nobody yet
        in(own.range);
        if (!own.definition.isEmpty())
            in(own.definition);
        for (const ValuePtr& item : own.items)
            in(item);
        for (Member& member : own.members) {
            in(member.keyRange);
            if (member.merged)
                in(member.mergeRange);
            in(member.value);
        }
    }

private:
    const std::vector<TextEdit>& m_edits;
    std::size_t m_cutOff; ///< Bytes in front of the text.
    std::unordered_set<const Value*> m_done;
};

/// The error of a text, told at the line that is at fault.
Diagnostic toldAt(const Mend& mend, const Diagnostic& failure, const Parsed& parsed)
{
    const auto lineOf = [&](std::size_t offset) { return parsed.source->lineCol(offset).line; };
    const std::size_t line = lineOf(mend.line.begin);
    for (const Diagnostic& problem : parsed.diagnostics) {
        if (problem.code == Code::Tab && lineOf(problem.range.begin) == line)
            return problem;
    }
    Diagnostic told = failure;
    if (!mend.message.empty())
        told.message = mend.message;
    if (lineOf(told.range.begin) != line) {
        told.range = mend.line;
        told.notes.clear();
    }
    if (!mend.below.isEmpty())
        told.notes.push_back({"This line is indented as a part of it.", mend.below, failure.source});
    if (!mend.title.empty())
        told.fixes.push_back({mend.title, {mend.edit}});
    return told;
}

constexpr std::size_t mostMends = 8;
constexpr std::size_t readBytes = 3'000'000; ///< As much may be read for finding how to mend a place: a few milliseconds, or one try.

} // namespace

Parsed parse(std::shared_ptr<const SourceText> source, Source kind, Wording wording)
{
    assert(source);
    if (source->text().starts_with(byteOrderMark)) { // it is no part of the document: no column, no first character of a key
        Parsed out = parse(std::make_shared<SourceText>(source->text().substr(byteOrderMark.size()), source->path()), kind, wording);
        PlacesBack({}, byteOrderMark.size()).in(out);
        out.source = std::move(source);
        return out;
    }
    std::optional<Reader> reader(std::in_place, source, kind, wording);
    Parsed out = reader->read();
    std::vector<TextEdit> edits;
    std::vector<Diagnostic> told;
    bool isLossy = false;
    while (reader->failure() && edits.size() < mostMends) {
        const std::string& text = out.source->text();
        const auto mend = mendOf(text, reader->fault(), std::clamp<std::size_t>(readBytes / (text.size() + 1), 1, 64));
        if (!mend)
            break;
        told.push_back(toldAt(*mend, *reader->failure(), out));
        PlacesBack(edits).in(told.back());
        isLossy = isLossy || mend->isLossy;
        edits.push_back(mend->edit);
        reader.emplace(std::make_shared<SourceText>(applyEdits(text, {mend->edit}), source->path()), kind, wording);
        out = reader->read();
    }
    if (edits.empty())
        return out;
    PlacesBack(edits).in(out);
    out.source = std::move(source);
    out.mended = !reader->failure() && out.root;
    out.complete = false;
    out.lossy = isLossy;
    // A block that lost its head runs into the one above it, whose keys it repeats.
    std::erase_if(out.diagnostics, [&](const Diagnostic& problem) {
        return problem.code == Code::DuplicateKey &&
               std::any_of(told.begin(), told.end(), [&](const Diagnostic& t) { return t.range.begin <= problem.range.begin; });
    });
    std::move(told.begin(), told.end(), std::back_inserter(out.diagnostics));
    sortAndUnite(out.diagnostics);
    return out;
}

base::json::Value toJson(const Value& value)
{
    using base::json::Value;
    switch (value.kind) {
    case Kind::Null:
        return {};
    case Kind::Bool:
        return value.boolean;
    case Kind::Integer:
        return value.huge ? Value(value.number) : Value(value.integer);
    case Kind::Float:
        return value.number;
    case Kind::String:
    case Kind::Timestamp:
        return value.text;
    case Kind::Sequence: {
        base::json::Array items;
        for (const ValuePtr& item : value.items)
            items.push_back(toJson(*item));
        return items;
    }
    case Kind::Mapping: {
        base::json::Object members;
        for (const Member& member : value.members)
            members.push_back({member.key, toJson(*member.value)});
        return members;
    }
    }
    return {};
}

} // namespace wb::syntax
