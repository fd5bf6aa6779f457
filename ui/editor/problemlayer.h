// The problems that the editor shows, in the offsets of the text as it is now.
#pragma once

#include "core/syntax/diagnostic.h"
#include "ui/editor/positions.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace wb::ui {

class ProblemLayer
{
public:
    /// Problems found in `source`, brought to `now`, which may differ from it by what was typed meanwhile.
    void set(std::string_view source, std::string_view now, const std::vector<syntax::Diagnostic>& problems);
    void clear();
    /// The text changed: what lies behind moves, what was changed loses its fixes, what was taken goes.
    void follow(const TextChange& change);

    /// In the offsets of now, by place.
    [[nodiscard]] const std::vector<syntax::Diagnostic>& problems() const { return m_problems; }
    /// Indices of the problems that a byte range overlaps or whose empty range it holds, most severe first.
    [[nodiscard]] std::vector<std::size_t> within(syntax::Range range) const;
    /// The edits of now for a fix as it was handed over with its problem; nothing when its place has changed since.
    [[nodiscard]] std::optional<std::vector<syntax::TextEdit>> editsOf(const syntax::Fix& given) const;
    /// Index of the first problem that begins behind the offset, or of the last one before it; goes round at the ends.
    [[nodiscard]] std::optional<std::size_t> after(std::size_t offset) const;
    [[nodiscard]] std::optional<std::size_t> before(std::size_t offset) const;

private:
    /// A fix as it was given and as it is now; `now` is empty when it can no longer be made.
    struct Tracked {
        syntax::Fix given;
        std::optional<syntax::Fix> now;
        std::size_t problem = 0;
    };

    void refreshFixes();

    std::vector<syntax::Diagnostic> m_problems;
    std::vector<Tracked> m_fixes;
};

} // namespace wb::ui
