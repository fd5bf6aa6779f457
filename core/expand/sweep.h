// Sweeps: the Cartesian product of parameters, filled into the placeholders of a document.
#pragma once

#include "core/expand/variant.h"

namespace wb::expand {

/// The variants of one document that has a `sweep` mapping; the document itself when it has none. Values of whole-text placeholders keep
/// their type; elsewhere they become the text that stands in the file. Problems go to `diagnostics`.
[[nodiscard]] std::vector<Variant> sweptVariants(const Variant& variant, std::size_t limit, std::vector<syntax::Diagnostic>& diagnostics);

} // namespace wb::expand
