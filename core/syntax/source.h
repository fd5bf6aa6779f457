// A text and the way from byte offsets to lines and columns. Positions everywhere in core are UTF-8 byte offsets.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace wb::syntax {

/// Half-open range of bytes.
struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;

    [[nodiscard]] bool isEmpty() const { return begin == end; }
    [[nodiscard]] bool overlaps(const Range& other) const { return begin < other.end && other.begin < end; }
    [[nodiscard]] bool contains(std::size_t offset) const { return begin <= offset && offset < end; }

    friend bool operator==(const Range&, const Range&) = default;
    friend auto operator<=>(const Range&, const Range&) = default; // NOLINT(modernize-use-nullptr): the 0 is the compiler's
};

/// Both from 1; columns are Unicode code points.
struct LineCol {
    std::size_t line = 1;
    std::size_t column = 1;

    friend bool operator==(const LineCol&, const LineCol&) = default;
};

/// An immutable text with its table of lines (LF, CRLF and lone CR end a line). Keeps bytes as they are, a byte order mark included.
class SourceText
{
public:
    explicit SourceText(std::string text, std::string path = {});

    [[nodiscard]] const std::string& text() const { return m_text; }
    [[nodiscard]] const std::string& path() const { return m_path; } ///< As the user gave it; empty for a text without a file.

    [[nodiscard]] LineCol lineCol(std::size_t offset) const; ///< An offset behind the end counts as the end.
    [[nodiscard]] std::size_t offset(LineCol place) const;   ///< Nearest valid offset.
    [[nodiscard]] std::size_t lineCount() const { return m_lineStarts.size(); }
    [[nodiscard]] std::size_t lineStart(std::size_t line) const; ///< Line from 1.
    /// The line without its end.
    [[nodiscard]] Range lineRange(std::size_t line) const;

private:
    std::string m_text;
    std::string m_path;
    std::vector<std::size_t> m_lineStarts;
};

} // namespace wb::syntax
