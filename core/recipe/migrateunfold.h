// Blocks that a migration takes apart, when they are written in braces on one line: turned into lines of their own first.
#pragma once

#include "core/syntax/yaml.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wb::recipe {

/// A text in which such blocks stand on lines of their own, and the way back to the offsets of the text it was made from.
class Unfolded
{
public:
    explicit Unfolded(const syntax::Parsed& parsed);

    [[nodiscard]] const syntax::Parsed& parsed() const { return m_parsed; }
    [[nodiscard]] syntax::Range original(syntax::Range range) const; ///< In the text that was given.

private:
    [[nodiscard]] bool unfoldOnce();
    [[nodiscard]] std::size_t original(std::size_t offset) const;

    syntax::Parsed m_parsed;
    std::vector<std::vector<syntax::TextEdit>> m_passes; ///< Edits of each pass, in the order of the text before it.
};

/// The migration has something to do inside the block of that name, at the top of a recipe.
[[nodiscard]] bool isTakenApart(std::string_view key, const syntax::ValuePtr& block);

} // namespace wb::recipe
