// The merging of one mapping over another, as override sections mean it.
#pragma once

#include "core/syntax/value.h"

#include <string>
#include <utility>
#include <vector>

namespace wb::expand {

/// Null deletes, a mapping onto a mapping merges, everything else replaces. Nulls inside a mapping that is new to `base` stay.
[[nodiscard]] syntax::ValuePtr merged(const syntax::ValuePtr& base, const syntax::ValuePtr& over);

/// Dotted keys of the leaves of `over`, with their values (a null value: deleted). A mapping that is new to base is one entry per leaf too.
[[nodiscard]] std::vector<std::pair<std::string, syntax::ValuePtr>> leaves(const syntax::ValuePtr& over);

} // namespace wb::expand
