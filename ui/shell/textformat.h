// How a file writes its text: byte order mark and line ends. The editor and the checks work on text with plain line feeds; saving gives
// every line that was not touched back as it was.
#pragma once

#include "core/base/result.h"

#include <string>
#include <vector>

namespace wb::ui {

enum class LineEnd : unsigned char { Lf, CrLf, Cr, None };

struct TextFormat {
    bool byteOrderMark = false;
    std::vector<LineEnd> lineEnds; ///< One for each line of the file; the last may be None.

    friend bool operator==(const TextFormat&, const TextFormat&) = default;
};

struct FileText {
    std::string text; ///< UTF-8, line feeds only, no byte order mark.
    TextFormat format;
};

/// Refuses what is not UTF-8 or holds NUL bytes: an editor would change such a file behind its user's back.
[[nodiscard]] Result<FileText> decoded(const std::string& bytes, const std::string& path);

/// The bytes of the new text. Lines that both texts begin or end with keep their line ends, others get the one that is used most.
[[nodiscard]] std::string encoded(const std::string& text, const FileText& file);
/// The format that the bytes of `encoded` have.
[[nodiscard]] TextFormat formatAfter(const std::string& text, const FileText& file);

} // namespace wb::ui
