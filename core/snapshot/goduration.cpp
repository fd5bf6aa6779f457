#include "core/snapshot/goduration.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace wb::snapshot {

std::optional<double> goDuration(std::string_view text)
{
    // Longer names first: "m" is a beginning of "ms". Both ways to write µ occur.
    constexpr std::array<std::pair<std::string_view, double>, 8> units = {{
        {"ns", 1e-9},
        {"us", 1e-6},
        {"\xC2\xB5s", 1e-6},
        {"\xCE\xBCs", 1e-6},
        {"ms", 1e-3},
        {"s", 1.0},
        {"m", 60.0},
        {"h", 3600.0},
    }};
    const bool isNegative = text.starts_with('-');
    if (isNegative || text.starts_with('+'))
        text.remove_prefix(1);
    if (text == "0")
        return 0.0;
    if (text.empty())
        return std::nullopt;
    double seconds = 0.0;
    while (!text.empty()) {
        const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
        const auto number = base::numberOf(text.substr(0, digits));
        text.remove_prefix(digits);
        const auto* unit = std::find_if(units.begin(), units.end(), [text](const auto& u) { return text.starts_with(u.first); });
        if (!number || unit == units.end())
            return std::nullopt;
        seconds += *number * unit->second;
        text.remove_prefix(unit->first.size());
    }
    return isNegative ? -seconds : seconds;
}

} // namespace wb::snapshot
