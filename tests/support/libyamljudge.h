// libyaml's word on what core/syntax/plainyaml.h made of a text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace wb::test {

struct Judgement {
    bool isRead = false; ///< plainEvents took the text.
    std::optional<std::string>
        difference; ///< What libyaml tells otherwise of a text that was taken, with the place; nothing: all is the same.
};

/// A text that plainEvents takes and libyaml refuses differs too. What is no text at all (bytes that are not UTF-8, control characters) is
/// not judged.
[[nodiscard]] Judgement judgedByLibyaml(std::string_view text);

} // namespace wb::test
