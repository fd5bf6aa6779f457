// The one place that knows UTF-16: the editor's document counts in it, everything else in UTF-8 bytes.
#pragma once

#include "core/syntax/source.h"

#include <QStringView>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

class QTextDocument;

namespace wb::ui {

/// The bytes [begin, oldEnd) of a text became the bytes [begin, newEnd) of the next one.
struct TextChange {
    std::size_t begin = 0;
    std::size_t oldEnd = 0;
    std::size_t newEnd = 0;

    [[nodiscard]] bool isEmpty() const { return oldEnd == begin && newEnd == begin; }

    friend bool operator==(const TextChange&, const TextChange&) = default;
};

/// The smallest single change that makes one text from another; never within a character.
[[nodiscard]] TextChange changeBetween(std::string_view before, std::string_view after);

/// Where a range lies after a change. One that the change lies within grows or shrinks with it; nothing when the change took a part of the
/// range or all of it.
[[nodiscard]] std::optional<syntax::Range> movedAlong(syntax::Range range, const TextChange& change);

/// Whether the change touched what the range covers.
[[nodiscard]] bool touches(const TextChange& change, syntax::Range range);

/// A half surrogate pair becomes U+FFFD.
[[nodiscard]] std::string utf8Of(QStringView text);

/// A document's text in UTF-8, kept up with its edits line by line, and the way between byte offsets and UTF-16 positions. Following a
/// key press in a long text costs the lines that changed and one move of bytes; a question costs one look at a table of lines.
class Positions
{
public:
    Positions();

    void reset(const QTextDocument& document);
    /// To be called with what QTextDocument::contentsChange says; the document may say more than did change.
    TextChange follow(const QTextDocument& document, int position, int removed, int added);

    [[nodiscard]] const std::string& text() const { return m_text; }
    /// Byte offset of a UTF-16 position; one within a pair counts as its beginning, one behind the end as the end.
    [[nodiscard]] std::size_t offsetOf(int position) const;
    /// UTF-16 position of a byte offset; one within a character counts as its beginning, one behind the end as the end.
    [[nodiscard]] int positionOf(std::size_t offset) const;
    /// Line from 0.
    [[nodiscard]] std::size_t lineOf(std::size_t offset) const;
    [[nodiscard]] std::size_t lineCount() const { return m_lines.size(); }

private:
    /// Lengths with the line end.
    struct Line {
        std::uint32_t bytes = 0;
        std::uint32_t units = 0;
    };
    struct Start {
        std::size_t byte = 0;
        std::size_t unit = 0;
    };

    void ensureStarts(std::size_t line) const;
    [[nodiscard]] std::size_t lineOfUnit(std::size_t unit) const;
    TextChange replaceAll(const QTextDocument& document);

    std::string m_text;
    std::vector<Line> m_lines;
    mutable std::vector<Start> m_starts; ///< Where lines begin; right up to and with m_known, the rest is made when it is asked for.
    mutable std::size_t m_known = 0;
};

} // namespace wb::ui
