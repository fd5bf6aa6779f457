// What is said of a command line that cannot be taken, beyond the words of the library that reads it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wb::cli {

/// A sentence for a first word that is neither an option nor a command, with the nearest command; empty when the word is fine.
[[nodiscard]] std::string unknownCommand(const std::vector<std::string>& arguments, std::span<const std::string_view> commands);

/// For a file whose name begins with a dash, which is taken for an option: how to name it; else empty.
[[nodiscard]] std::string dashedFile(const std::vector<std::string>& arguments);

} // namespace wb::cli
