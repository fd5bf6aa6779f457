// The "lock" block that srtctl writes into a copy of the recipe it ran: such a lockfile is a recipe like any other.
#pragma once

#include "core/expand/variant.h"

#include <vector>

namespace wb::expand {

/// Says what the lock of a document stands for, and where it is of no use; nothing for a document without one. The hash that it carries is
/// of a text that upstream's own YAML writer makes, so it is not checked here, and that is said.
void describeLock(const syntax::Parsed& parsed, Form form, std::vector<syntax::Diagnostic>& diagnostics);

} // namespace wb::expand
