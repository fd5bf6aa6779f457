// Many recipes that share most of their values as one file with a base and a zip section. What is made here is a text; that it stands for
// the same jobs is proved by checking it (core/check/equality).
#pragma once

#include "core/expand/variant.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wb::expand {

/// A plain recipe that was read.
struct PlainRecipe {
    const syntax::Parsed* parsed = nullptr;
    syntax::ValuePtr document; ///< Its root without a lock.
    std::string path;          ///< For messages.
};

struct Consolidated {
    std::string text;                  ///< Empty when refused.
    std::vector<std::string> refusals; ///< Why it cannot be done, a sentence each.
    std::vector<std::string> notes;    ///< What is lost that is no data: comments.
};

/// The first recipe is the base, with its comments; keys that not all recipes have leave it. Each key that differs is a list in
/// `zip_override_<group>`, the names among them. A value that is null in only some recipes cannot stand in a zip, where null deletes: then
/// the mapping around it goes as a whole, and at the top level it is refused.
[[nodiscard]] Consolidated consolidated(std::span<const PlainRecipe> recipes, std::string_view group);

} // namespace wb::expand
