// What the cursor is at: the key or the value of which path, and what a completion would replace there.
#pragma once

#include "core/assist/document.h"

#include <cstddef>
#include <string>

namespace wb::assist {

enum class Side : std::uint8_t {
    Key,     ///< A key is, or can be, written here.
    Value,   ///< A value of a key or an item.
    Comment, ///< Nothing of the language.
    Text,    ///< The body of a block scalar: only placeholders mean something.
};

struct Place {
    Side side = Side::Comment;
    Path path;                            ///< Key: of the mapping around. Otherwise: of the value.
    Skeleton::Id node = Skeleton::none;   ///< Key: the key under the cursor, or none. Otherwise: whose value it is.
    Skeleton::Id parent = Skeleton::none; ///< Key: whose mapping it is; none: the document's.
    syntax::Range word;                   ///< Key or value as it stands, with its quotes; empty at the cursor when there is none.
    std::string prefix;                   ///< What of the word stands before the cursor, without an opening quote.
    syntax::Range indent;                 ///< Key, on a line of its own: the blanks before it.
    std::uint32_t column = 0;             ///< Key: where the mapping's keys begin.
    bool isFlow = false;                  ///< Within { } or [ ].
    bool hasColon = false;                ///< Key: a colon follows already.
    char quote = '\0';                    ///< The quote that the word begins with.
    Meaning meaning;                      ///< Of `path`.
};

[[nodiscard]] Place placeAt(const Document& document, std::size_t offset);

} // namespace wb::assist
