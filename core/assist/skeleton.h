// The structure of a YAML text as its lines show it: keys, items and their nesting, whatever state the text is in. A parser gives up at the
// first fault, and a text that is being typed has one nearly always; this never does. On good YAML it agrees with the parser.
#pragma once

#include "core/syntax/source.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace wb::assist {

/// One step of a path: a key, or an item of a list.
struct Step {
    static constexpr std::size_t noIndex = std::numeric_limits<std::size_t>::max();

    std::string key;             ///< Empty for an item.
    std::size_t index = noIndex; ///< From 0; noIndex for a key.

    [[nodiscard]] bool isItem() const { return index != noIndex; }

    friend bool operator==(const Step&, const Step&) = default;
};
using Path = std::vector<Step>;

/// "backend.sglang_config.prefill", items as "[2]".
[[nodiscard]] std::string dotted(const Path& path);

class Skeleton
{
public:
    using Id = std::uint32_t;
    static constexpr Id none = std::numeric_limits<Id>::max();

    enum class Kind : std::uint8_t {
        Key,  ///< "key: value"
        Item, ///< "- value", or an item of a flow list.
        Word, ///< Text on a line of its own that is no key yet, because its colon was not typed.
    };
    enum class Style : std::uint8_t { Empty, Plain, SingleQuoted, DoubleQuoted, Block, FlowMap, FlowList };

    struct Node {
        Kind kind = Kind::Key;
        Style style = Style::Empty;
        bool isFlow = false;        ///< Stands within { } or [ ].
        bool hasColon = false;      ///< Key: the colon was typed.
        std::uint32_t column = 0;   ///< Bytes from the line's begin to the key or the dash.
        Id parent = none;           ///< none: the document.
        std::size_t begin = 0;      ///< Of the key, or the dash.
        syntax::Range key;          ///< With its quotes; empty for an item.
        syntax::Range value;        ///< With its quotes or brackets, without anchor and comment; empty where there is none.
        std::size_t valueBegin = 0; ///< Where a value on this line would begin: behind colon or dash.
        std::size_t end = 0;        ///< Of all that belongs to it, trailing blanks and comments left out.
        syntax::Range anchor;       ///< "&name" before the value, or empty.
    };

    /// Reads the whole text; never fails.
    explicit Skeleton(std::shared_ptr<const syntax::SourceText> source);

    [[nodiscard]] const syntax::SourceText& source() const { return *m_source; }
    [[nodiscard]] std::string_view text() const { return m_source->text(); }
    [[nodiscard]] std::string_view text(syntax::Range range) const;
    [[nodiscard]] const std::vector<Node>& nodes() const { return m_nodes; } ///< By place; a parent stands before its children.
    [[nodiscard]] const Node& node(Id id) const { return m_nodes[id]; }

    /// The key as it reads, quotes resolved as far as they need no escapes.
    [[nodiscard]] std::string keyOf(Id id) const;
    /// The value of a scalar as it reads: quotes taken off, a block scalar as written. Empty for mappings and lists.
    [[nodiscard]] std::string scalarOf(Id id) const;
    [[nodiscard]] Path pathOf(Id id) const;
    [[nodiscard]] std::vector<Id> children(Id parent) const; ///< `none`: the top level.
    [[nodiscard]] Id child(Id parent, std::string_view key) const;
    /// The node at a path, or none.
    [[nodiscard]] Id find(const Path& path) const;
    /// The last node that begins at or before the offset; none when there is none.
    [[nodiscard]] Id lastBefore(std::size_t offset) const;
    /// The offset lies behind the "#" of a comment.
    [[nodiscard]] bool isInComment(std::size_t offset) const;
    /// Comments in order, each to the end of its line.
    [[nodiscard]] const std::vector<syntax::Range>& comments() const { return m_comments; }

private:
    friend class SkeletonReader;

    std::shared_ptr<const syntax::SourceText> m_source;
    std::vector<Node> m_nodes;
    std::vector<Id> m_next;       ///< Next sibling of each node.
    std::vector<Id> m_firstChild; ///< Of each node.
    Id m_firstTop = none;
    std::vector<syntax::Range> m_comments;
};

} // namespace wb::assist
