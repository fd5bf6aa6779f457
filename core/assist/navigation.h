// Going from a name to where it is defined and to where it is used, and renaming it.
#pragma once

#include "core/assist/document.h"
#include "core/syntax/diagnostic.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wb::assist {

/// A place to go to.
struct Location {
    syntax::Source source = syntax::Source::Recipe; ///< Cluster: the range counts in Facts::clusterSource.
    syntax::Range range;
    std::string what; ///< For a list: "base", "zip_override_tp", "used in backend.type".

    friend bool operator==(const Location&, const Location&) = default;
};

/// Where the name at the offset is defined: an alias of the cluster file there, `*a` at its `&a`, a key of an override at the key of base,
/// a placeholder at its parameter. Empty: it is no name, or it stands where it is defined (a key of base that overrides change).
[[nodiscard]] std::vector<Location> definitionsAt(const Document& document, std::size_t offset);

/// All places of the text that mean the same as the one at the offset, the definition among them, by place.
[[nodiscard]] std::vector<Location> referencesAt(const Document& document, std::size_t offset);

/// A placeholder, parameter or anchor that can be renamed in the whole text.
struct Renameable {
    syntax::Range range; ///< Of the name under the cursor.
    std::string name;
    MarkKind kind = MarkKind::Anchor; ///< Anchor or Parameter.
    std::size_t places = 0;
};
[[nodiscard]] std::optional<Renameable> renameableAt(const Document& document, std::size_t offset);

struct Rename {
    std::vector<syntax::TextEdit> edits;
    std::string whyNot; ///< Why the name cannot be taken; then there are no edits.
};
[[nodiscard]] Rename renamed(const Document& document, std::size_t offset, std::string_view newName);

/// A range of the text of a tree of symbols.
struct Symbol {
    std::string name;   ///< The key; of an item its first value.
    std::string detail; ///< The value on one line, cut; for a mapping empty.
    syntax::Range nameRange;
    syntax::Range range; ///< With all below it.
    std::size_t parent = npos;
    std::size_t depth = 0;
    bool isSection = false; ///< base, override_<name>, sweep, ...
    static constexpr std::size_t npos = static_cast<std::size_t>(-1);
};
/// The text's keys and list items as a tree, parents before children.
[[nodiscard]] std::vector<Symbol> outlineOf(const Document& document);
/// The symbol around the offset, or npos.
[[nodiscard]] std::size_t symbolAt(const std::vector<Symbol>& symbols, std::size_t offset);

} // namespace wb::assist
