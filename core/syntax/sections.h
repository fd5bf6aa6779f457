// Which part of a document a key stands in. "base", each override and each zip are texts of their own, laid over each other when the file
// is expanded: a key that one of them has is not set twice when another one has it, too.
#pragma once

#include "core/syntax/yaml.h"

#include <cstddef>
#include <vector>

namespace wb::syntax {

class Sections
{
public:
    Sections() = default; ///< All is one part.
    explicit Sections(const Parsed& parsed);

    /// Both keys are written in one mapping of one part, so that renaming `written` to the other would set that key twice. Of keys of one
    /// mapping after the parts were laid over each other; false for a key that stands in no text, in another file, or that only one `<<`
    /// brought in.
    [[nodiscard]] bool standsBeside(const Member& there, const Member& written) const;

private:
    [[nodiscard]] std::size_t partOf(Range key) const;

    std::vector<std::size_t> m_begins; ///< Of the keys of the parts; none: there is one part.
};

} // namespace wb::syntax
