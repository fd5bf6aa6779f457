#include "tests/support/libyamljudge.h"

#include "core/base/text.h"
#include "core/syntax/plainyaml.h"

#include <yaml.h>

#include <algorithm>
#include <sstream>
#include <vector>

namespace wb::test {

namespace {

using syntax::PlainEvent;
using syntax::Style;

/// As the reader wants it before it looks at the YAML.
bool isText(std::string_view text)
{
    const auto isControl = [](char c) {
        return (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7F;
    };
    return !base::firstInvalidUtf8(text) && std::none_of(text.begin(), text.end(), isControl) && !text.starts_with("\xEF\xBB\xBF");
}

/// Byte offsets of code points, and of the end.
std::vector<std::size_t> offsetsOf(std::string_view text)
{
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U)
            out.push_back(i);
    }
    out.push_back(text.size());
    return out;
}

std::string described(PlainEvent::Type type, Style style, std::size_t begin, std::size_t end, std::string_view text)
{
    std::ostringstream out;
    out << "event " << static_cast<int>(type) << " in style " << static_cast<int>(style) << " from " << begin << " to " << end << ": "
        << text;
    return out.str();
}

/// Of blocks only the begin is compared: where they end follows from what is in them.
std::string described(const PlainEvent& event)
{
    const bool isBlockEnd = event.type == PlainEvent::Type::CollectionEnd && event.style == Style::Block;
    return isBlockEnd ? described(event.type, event.style, 0, 0, {})
                      : described(event.type, event.style, event.begin, event.end, event.text);
}

/// Empty for events that plainEvents does not give: of streams and of the one document that has no marks.
std::optional<std::string> described(const yaml_event_t& event, const std::vector<std::size_t>& offsets, std::vector<bool>& isFlow)
{
    using Type = PlainEvent::Type;
    const std::size_t begin = offsets.at(event.start_mark.index);
    const std::size_t end = offsets.at(event.end_mark.index);
    const auto opened = [&](Type type, bool flow, const yaml_char_t* anchor, const yaml_char_t* tag) {
        isFlow.push_back(flow);
        return described(type, flow ? Style::Flow : Style::Block, begin, begin, anchor || tag ? "with anchor or tag" : "");
    };
    switch (event.type) {
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT:
        return std::nullopt;
    case YAML_DOCUMENT_START_EVENT:
        return event.data.document_start.implicit ? std::nullopt : std::optional<std::string>("a document with a mark");
    case YAML_DOCUMENT_END_EVENT:
        return event.data.document_end.implicit ? std::nullopt : std::optional<std::string>("a document with an end");
    case YAML_MAPPING_START_EVENT:
        return opened(Type::MappingStart, event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE, event.data.mapping_start.anchor,
                      event.data.mapping_start.tag);
    case YAML_SEQUENCE_START_EVENT:
        return opened(Type::SequenceStart, event.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE, event.data.sequence_start.anchor,
                      event.data.sequence_start.tag);
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT: {
        const bool flow = isFlow.back();
        isFlow.pop_back();
        return flow ? described(Type::CollectionEnd, Style::Flow, begin, end, {}) : described(Type::CollectionEnd, Style::Block, 0, 0, {});
    }
    case YAML_SCALAR_EVENT: {
        const auto& data = event.data.scalar;
        const std::string_view text(reinterpret_cast<const char*>(data.value), data.length);
        const bool isMarked = data.anchor || data.tag;
        const Style style = data.style == YAML_PLAIN_SCALAR_STYLE           ? Style::Plain
                            : data.style == YAML_SINGLE_QUOTED_SCALAR_STYLE ? Style::SingleQuoted
                            : data.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE ? Style::DoubleQuoted
                                                                            : Style::Literal;
        return isMarked ? "a scalar with anchor or tag" : described(Type::Scalar, style, begin, end, text);
    }
    default:
        return "an event that is not expected";
    }
}

} // namespace

Judgement judgedByLibyaml(std::string_view text)
{
    const auto plain = isText(text) ? syntax::plainEvents(text) : std::nullopt;
    if (!plain)
        return {};
    Judgement out{true, std::nullopt};
    const std::vector<std::size_t> offsets = offsetsOf(text);
    yaml_parser_t parser;
    yaml_parser_initialize(&parser);
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(text.data()), text.size());
    std::vector<bool> isFlow;
    std::size_t next = 0;
    for (bool isDone = false; !isDone && !out.difference;) {
        yaml_event_t event;
        if (yaml_parser_parse(&parser, &event) == 0) {
            out.difference = std::string("libyaml refuses it: ") + (parser.problem ? parser.problem : "");
            break;
        }
        isDone = event.type == YAML_STREAM_END_EVENT;
        const auto theirs = described(event, offsets, isFlow);
        yaml_event_delete(&event);
        if (!theirs)
            continue;
        const std::string ours = next < plain->events.size() ? described(plain->events[next]) : "no more events";
        if (ours != *theirs)
            out.difference = "read as " + ours + ", and by libyaml as " + *theirs;
        ++next;
    }
    yaml_parser_delete(&parser);
    if (!out.difference && next < plain->events.size())
        out.difference = "more events than libyaml has: " + described(plain->events[next]);
    return out;
}

} // namespace wb::test
