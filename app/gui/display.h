#pragma once

#include <string>

namespace wb::app {

/// Why no window can be shown here, in one sentence; empty when one can, as far as can be told without asking the display itself. Qt ends
/// the program with an abort when it finds no display, so this is asked before.
[[nodiscard]] std::string whyNoDisplay();

} // namespace wb::app
