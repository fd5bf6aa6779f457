// Files that are no results: what they look like, and what becomes of them.
//
// To add one: a row in sidefiles.cpp, by content (Look) when the content tells, else by name (SideName).
#pragma once

#include "core/results/importer.h"

#include <optional>
#include <string>
#include <string_view>

namespace wb::results {

struct Verdict {
    FileState state = FileState::Refused; ///< Ignored or Refused.
    std::string reason;                   ///< One sentence.
};

/// What a file is that no importer took. Never nothing: the last resort is a refusal that says what stands in it.
[[nodiscard]] Verdict verdictOn(const Input& input);

/// True for the names of files that are never results, whatever they hold, so that they need not be read (pictures, archives).
[[nodiscard]] std::optional<Verdict> verdictOnName(std::string_view path);

/// Folders that are not walked into, with why; nothing for others.
[[nodiscard]] std::optional<std::string> reasonToSkipFolder(std::string_view name);

/// `*` stands for anything; nothing else is special.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view text);

} // namespace wb::results
