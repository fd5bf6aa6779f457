// A text changed so that it reads as other data: comments, order, quotes and layout stay wherever the data did not change.
//
// How it is safe: what was made is read again and compared; where the places of the text were understood wrongly, or the text is of a kind
// that cannot be patched, the data is written anew instead (comments are lost then, data never is).
#pragma once

#include "core/syntax/value.h"
#include "core/syntax/yaml.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace wb::syntax {

struct Rewritten {
    std::string text;      ///< Reads as the wanted data, by the rules of YAML 1.1; ends in a line break.
    bool isPatched = true; ///< False: written anew, without the comments.
};

/// The text of `from`, which is the root of `parsed` or a mapping below a key of the root, changed so that it reads as `to`.
/// A mapping below a key is cut out and shifted to the left edge; comments at the top of the file go with it when it is the first one.
/// Keys stay in the order of `from`; keys that it lacks come last, with their comments when they stand in the same text.
[[nodiscard]] Rewritten rewritten(const Parsed& parsed, const ValuePtr& from, const ValuePtr& to);

/// A key of a mapping, quoted where needed.
[[nodiscard]] std::string keyText(const Member& member);
/// A value on one line: scalars in the quotes that they had, collections in flow style.
[[nodiscard]] std::string flowText(const Value& value);
/// The members of a mapping as block style, each line indented by that many blanks.
[[nodiscard]] std::string blockText(const Value& mapping, std::size_t indent);

/// Each line that is not blank moved to the right.
[[nodiscard]] std::string indented(std::string_view text, std::size_t by);

} // namespace wb::syntax
