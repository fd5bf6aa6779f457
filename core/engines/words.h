// Values of a recipe as words of a command line, in the spelling that srtctl gives them: its Python's `str` (core/syntax/pythontext.h) and
// `json.dumps`.
#pragma once

#include "core/syntax/value.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wb::engines {

using Words = std::vector<std::string>;

/// A value as Python's `json.dumps` prints it: blanks behind commas and colons, everything in ASCII.
[[nodiscard]] std::string jsonText(const syntax::Value& value);
[[nodiscard]] std::string jsonText(std::string_view text);

/// Flags of a mode on their way to the command line. Names are compared with `_` and `-` taken for one.
class Flags
{
public:
    /// Null has no flags.
    explicit Flags(const syntax::ValuePtr& mapping);

    /// The value of a flag, or null.
    [[nodiscard]] syntax::ValuePtr find(std::string_view flag) const;
    void drop(std::string_view flag);
    /// Sets a flag to a text.
    void set(std::string key, std::string text);

    /// In the order of the keys: true is the bare flag, false and null are nothing, a list follows its flag word by word.
    [[nodiscard]] Words words() const;

private:
    std::vector<std::pair<std::string, syntax::ValuePtr>> m_flags;
};

} // namespace wb::engines
