// Tar archives made in memory.
#pragma once

#include <array>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace wb::test {

/// A tar (ustar) of plain files: path and bytes of each.
inline std::string tarOf(const std::vector<std::pair<std::string, std::string>>& entries)
{
    constexpr std::size_t block = 512;
    std::string out;
    for (const auto& [path, bytes] : entries) {
        std::string header(block, '\0');
        const auto put = [&header](std::size_t at, const std::string& text) { header.replace(at, text.size(), text); };
        const auto octal = [&put](std::size_t at, std::size_t digits, std::size_t number) {
            std::array<char, 16> text{};
            const int length = std::snprintf(text.data(), text.size(), "%0*zo", static_cast<int>(digits), number);
            put(at, std::string(text.data(), static_cast<std::size_t>(length)));
        };
        put(0, path);
        octal(100, 7, 0644);
        octal(108, 7, 0);
        octal(116, 7, 0);
        octal(124, 11, bytes.size());
        octal(136, 11, 0);
        put(148, std::string(8, ' '));
        put(156, "0");
        put(257, std::string("ustar\0"
                             "00",
                             8));
        std::size_t sum = 0;
        for (const char c : header)
            sum += static_cast<unsigned char>(c);
        octal(148, 6, sum);
        header[154] = '\0';
        out += header + bytes + std::string((block - bytes.size() % block) % block, '\0');
    }
    return out + std::string(2 * block, '\0');
}

} // namespace wb::test
