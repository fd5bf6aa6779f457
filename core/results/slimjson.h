// Detailed result files hold hundreds of megabytes of texts and per-token times in lists, between the few keys that matter. They are read
// piece by piece, and long lists are left out before the JSON reader sees them.
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>

namespace wb::results {

/// Copies JSON text that arrives in pieces, with "[]" in place of each list inside an object that is longer than `longestList` bytes.
/// Line breaks in what is left out are kept, so that a fault is told in its line. Text that is no JSON comes through changed or not.
class JsonSlimmer
{
public:
    explicit JsonSlimmer(std::size_t longestList = 4096)
        : m_longestList(longestList)
    {
    }

    void feed(std::string_view piece);
    [[nodiscard]] std::string taken() { return std::move(m_out); }

private:
    void feedText(char c);
    void open(char c);
    void close(char c);
    void put(char c);

    std::string m_out;
    std::string m_nesting; ///< The brackets that are open.
    std::size_t m_longestList;
    std::size_t m_listDepth = 0; ///< Brackets open when the list at hand began.
    std::size_t m_listBegin = 0; ///< Where its content begins in m_out; 0: no list at hand.
    bool m_isLeftOut = false;    ///< The list at hand is too long.
    bool m_isInText = false;
    bool m_isEscaped = false;
};

/// A large JSON file without its long lists; of a file that does not begin like JSON only the first megabyte.
[[nodiscard]] Result<std::string> readSlimmed(const std::string& path, const std::stop_token& stop = {});

/// Begins with an object or a list, after blanks and a byte order mark.
[[nodiscard]] bool beginsLikeJson(std::string_view text);

} // namespace wb::results
