// Detailed result files hold hundreds of megabytes of texts and per-token times in lists, between the few keys that matter. They are read
// piece by piece, and long lists and texts are left out before the JSON reader sees them.
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>

namespace wb::results {

/// Copies JSON text that arrives in pieces, with "[]" in place of each list inside an object that is longer than `longestList` bytes, and
/// "" in place of texts that are. Lists whose items are results ("benchmarks", "runs") are kept, and those inside of them looked at.
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
    [[nodiscard]] std::size_t size() const { return m_out.size(); } ///< Bytes kept so far.

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
    std::size_t m_textBegin = 0; ///< Where the text at hand begins in m_out.
    std::string m_lastText;      ///< The text before what is read now, as far as it may be the key of a list that is kept.
    bool m_isLeftOut = false;    ///< The list at hand is too long.
    bool m_isTextLeftOut = false;
    bool m_isInText = false;
    bool m_isEscaped = false;
};

/// Copies text that arrives in pieces: the first megabyte, and of the rest the lines that follow the heading of a client's table. Line
/// breaks are all kept, so that places are told in their line.
class TextSlimmer
{
public:
    void feed(std::string_view piece);
    [[nodiscard]] std::string taken();
    [[nodiscard]] std::size_t size() const { return m_out.size(); }

private:
    void endLine();

    std::string m_out, m_line;
    std::size_t m_toKeep = 0; ///< Lines that still belong to a table.
    std::size_t m_seen = 0;   ///< Bytes.
};

/// A large file without what no importer needs. Refused when more of it is left than fits into the memory that an import may take.
[[nodiscard]] Result<std::string> readSlimmed(const std::string& path, const std::stop_token& stop = {});

/// Begins with an object or a list, after blanks and a byte order mark.
[[nodiscard]] bool beginsLikeJson(std::string_view text);

} // namespace wb::results
