#include "app/cli/input.h"

#include "core/base/files.h"

#include <array>
#include <iostream>

namespace wb::cli {

Result<std::string> readInput(const std::string& path, std::uintmax_t limit)
{
    if (path != "-")
        return base::readFile(path, limit);
    std::string out;
    std::array<char, 65536> part{};
    while (std::cin.read(part.data(), part.size()) || std::cin.gcount() > 0) {
        out.append(part.data(), static_cast<std::size_t>(std::cin.gcount()));
        if (out.size() > limit)
            return failure(ErrorCode::Unsupported, "Standard input is larger than " + std::to_string(limit >> 20U) + " MiB.");
    }
    return out;
}

} // namespace wb::cli
