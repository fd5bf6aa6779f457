// What can be written at a place, best first, each with the exact edit.
#pragma once

#include "core/assist/document.h"
#include "core/syntax/diagnostic.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace wb::assist {

enum class CompletionKind : std::uint8_t { Key, Section, Flag, Choice, Switch, Alias, Placeholder, Anchor, Value, Parameter };

struct Completion {
    CompletionKind kind = CompletionKind::Key;
    std::string label;  ///< The word itself: "prefill_nodes".
    std::string detail; ///< A few words beside it: type and default, the target of an alias, the values of a parameter.
    std::string doc;    ///< Sentences; may be empty.
    bool isRequired = false;
    bool isDoubtful = false; ///< Deprecated, read by nothing here, removed: offered last.
    syntax::TextEdit edit;   ///< Makes it; takes the word that stands there.
    std::size_t cursor = 0;  ///< Where the cursor goes: bytes from the begin of the edit's text.
    bool opensNext = false;  ///< A value follows that can be completed in turn.
};

struct Completions {
    std::vector<Completion> items;
    syntax::Range word;      ///< What stands there now.
    std::string prefix;      ///< What of it was typed before the cursor.
    bool isComplete = false; ///< What was typed is one of the words already.
};

/// The completions at the offset that fit what stands before it.
[[nodiscard]] Completions completionsAt(const Document& document, std::size_t offset);

/// How well a word fits what was typed: 0 not at all, 4 as its beginning. "_" and "-" count alike, as does case.
[[nodiscard]] int fit(std::string_view typed, std::string_view word);

/// Selectors of the text's variants as behind the colon of PATH:SELECTOR, with a line about each. Empty for a text without variants.
struct SelectorName {
    std::string selector;
    std::string doc;
};
[[nodiscard]] std::vector<SelectorName> selectorsOf(const Document& document);

} // namespace wb::assist
