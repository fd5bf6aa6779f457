// The recipe of one variant as a text of its own: what `srtwb resolve` prints, what is sent to the cluster, what explode writes.
//
// Upstream's own writer differs in ways that are not copied: a null in a zip deletes here too, texts that YAML 1.1 would take for numbers
// or booleans stay quoted, "override_base" keeps its changes, and a zip keeps the comments and quotes of base.
#pragma once

#include "core/expand/variant.h"

#include <string>

namespace wb::expand {

/// Reads back, by the rules of YAML 1.1, as `variant.document`. A plain file that nothing changed is given back byte for byte.
/// Comments, order and quotes of the source (of base, and of keys new to it) are kept where the text allows.
[[nodiscard]] std::string resolvedText(const syntax::Parsed& parsed, const Variant& variant);

} // namespace wb::expand
