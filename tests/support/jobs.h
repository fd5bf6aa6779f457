// Jobs made by hand: a resolved recipe as YAML text, so that findings have places.
#pragma once

#include "core/recipe/job.h"

#include <string_view>

namespace wb::test {

/// The job of a recipe text that needs no defaults. Fails the test when the text does not parse.
[[nodiscard]] recipe::Job jobFrom(std::string_view yaml);

} // namespace wb::test
