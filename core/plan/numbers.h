// Arithmetic on the figures of a recipe: results beyond 64 bits stay at the limit.
#pragma once

#include "core/base/arithmetic.h"

namespace wb::plan {

using base::dividedUp;
using base::product;
using base::sum;

} // namespace wb::plan
