// Stands in for core/recipe until that is there.
#include "core/recipe/job.h"

namespace wb::recipe {

const ModeSettings& Backend::of(Mode mode) const
{
    switch (mode) {
    case Mode::Prefill:
        return prefill;
    case Mode::Decode:
        return decode;
    case Mode::Agg:
        break;
    }
    return agg;
}

} // namespace wb::recipe
