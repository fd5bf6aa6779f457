// What schema 1 and schema 2 of the language call the same thing. Used to say findings of shared rules in the words of the recipe, to lay
// both languages under one Job, and to migrate.
//
// To add one: a row in renames.cpp.
#pragma once

#include "core/syntax/diagnostic.h"

#include <span>
#include <string>
#include <string_view>

namespace wb::recipe {

/// A dotted path in both languages; what stands below it keeps its names unless a longer row says otherwise.
struct Rename {
    std::string_view first;  ///< "resources.prefill_nodes"
    std::string_view second; ///< "roles.prefill.nodes"
};

[[nodiscard]] std::span<const Rename> renames();

/// The path of schema 1 in the words of schema 2: the longest row that covers it decides. The same when they call it alike.
[[nodiscard]] std::string inSecond(std::string_view firstPath);

/// A sentence with the keys of schema 1 that are named in it, with their block or without, in the words of schema 2.
[[nodiscard]] std::string saidInSecond(std::string_view sentence);

/// A finding of a rule that both languages share, turned from the words of schema 1 into those of schema 2. A fix that would write a key of
/// schema 1 is dropped.
void turnToSecond(syntax::Diagnostic& problem);

} // namespace wb::recipe
