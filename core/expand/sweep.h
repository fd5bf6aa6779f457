// Sweeps: the Cartesian product of parameters, filled into the placeholders of a document.
#pragma once

#include "core/expand/variant.h"

namespace wb::expand {

/// The variants of one document that has a `sweep` mapping; the document itself when it has none. The value of a placeholder that is the
/// whole text keeps its type, unless the key takes text only; elsewhere it becomes the text that stands in the file. Where srtctl would
/// fill in something else, a diagnostic says both. Problems go to `diagnostics`. `room` is how many values of their own (see Options) the
/// variants may still hold; what is taken of it is taken off.
[[nodiscard]] std::vector<Variant> sweptVariants(const Variant& variant, const schema::Pack& pack, std::size_t limit, std::size_t& room,
                                                 std::vector<syntax::Diagnostic>& diagnostics);

} // namespace wb::expand
