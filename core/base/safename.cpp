#include "core/base/safename.h"

namespace wb::base {

std::string safeName(std::string_view name)
{
    std::string out;
    for (const char c : name) {
        const bool isPlain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
                             c == '.' || static_cast<unsigned char>(c) >= 0x80;
        out += isPlain ? c : '_';
    }
    constexpr std::size_t longest = 120;
    if (out.size() > longest) {
        std::size_t end = longest;
        while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xC0U) == 0x80U) // not inside a character
            --end;
        out.resize(end);
    }
    if (out.empty() || out.front() == '.')
        out.insert(0, "job");
    return out;
}

} // namespace wb::base
