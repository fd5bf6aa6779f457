// The long text that the benches of the window, of typing and of completion share.
#pragma once

#include <string>

namespace wb::test {

/// A recipe of about 50,000 lines: a base and 7,142 overrides of seven lines.
[[nodiscard]] std::string longRecipe();

} // namespace wb::test
