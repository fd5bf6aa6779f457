// Texts with marked places, so that no test counts columns: Marked("[[node]]: 4") has the text "node: 4" and the range of "node";
// "^" is a cursor ("^^" a caret that stays).
#pragma once

#include "core/syntax/source.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace wb::test {

class Marked
{
public:
    explicit Marked(std::string_view marked);

    [[nodiscard]] const std::string& text() const { return m_text; }
    [[nodiscard]] std::shared_ptr<const syntax::SourceText> source(std::string path = "recipe.yaml") const;
    [[nodiscard]] syntax::Range range(std::size_t index = 0) const { return m_ranges.at(index); }
    [[nodiscard]] std::size_t cursor(std::size_t index = 0) const { return m_cursors.at(index); }

private:
    std::string m_text;
    std::vector<syntax::Range> m_ranges;
    std::vector<std::size_t> m_cursors;
};

} // namespace wb::test
