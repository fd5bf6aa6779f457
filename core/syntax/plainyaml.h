// The simple part of YAML, which nearly every recipe keeps to, read without libyaml: block mappings and lists, scalars that end on their
// line, lists of words in brackets. libyaml is the judge of what a text means: what is read here is read as it reads it, to the byte (a
// test and the fuzzer compare the two), and any text with something else in it, or something wrong, is left to it as a whole.
#pragma once

#include "core/syntax/value.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wb::syntax {

struct PlainEvent {
    enum class Type : std::uint8_t { MappingStart, SequenceStart, CollectionEnd, Scalar };
    Type type = Type::Scalar;
    Style style = Style::Plain; ///< Of a scalar: Plain, SingleQuoted or DoubleQuoted; of a collection: Block or Flow.
    std::size_t begin = 0;      ///< In bytes, as all places.
    std::size_t end = 0;        ///< Of scalars, and of the end of a flow collection: behind its bracket. Else the same as `begin`.
    std::string_view text;      ///< Of a scalar, escapes taken out.
};

struct PlainEvents {
    std::vector<PlainEvent> events; ///< Of one document; texts live as long as the source text and `unescaped`.
    std::deque<std::string> unescaped;
};

/// `text`: valid UTF-8 without control characters and byte order mark. Nothing when the text is not of the simple kind, or empty.
[[nodiscard]] std::optional<PlainEvents> plainEvents(std::string_view text);

} // namespace wb::syntax
