#include "core/snapshot/quantity.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace wb::snapshot {

std::optional<double> quantityOf(std::string_view text)
{
    constexpr std::array<std::pair<std::string_view, double>, 14> suffixes = {{
        {"Ki", 1024.0},
        {"Mi", 1048576.0},
        {"Gi", 1073741824.0},
        {"Ti", 1099511627776.0},
        {"Pi", 1125899906842624.0},
        {"Ei", 1152921504606846976.0},
        {"n", 1e-9},
        {"u", 1e-6},
        {"m", 1e-3},
        {"k", 1e3},
        {"M", 1e6},
        {"G", 1e9},
        {"T", 1e12},
        {"P", 1e15},
    }};
    if (text.starts_with('+'))
        text.remove_prefix(1);
    if (text.empty() || text.front() == '+')
        return std::nullopt;
    if (const auto plain = base::numberOf(text))
        return plain;
    double factor = 0.0;
    for (const auto& [suffix, value] : suffixes) {
        if (text.ends_with(suffix)) {
            factor = value;
            text.remove_suffix(suffix.size());
            break;
        }
    }
    if (factor == 0.0 && text.ends_with('E')) {
        factor = 1e18;
        text.remove_suffix(1);
    }
    const bool isNumber = std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-'; });
    const auto number = factor > 0.0 && isNumber ? base::numberOf(text) : std::nullopt;
    return number ? std::optional(*number * factor) : std::nullopt;
}

} // namespace wb::snapshot
