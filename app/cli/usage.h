// What is said of a command line that cannot be taken, beyond the words of the library that reads it.
#pragma once

#include <CLI/CLI.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wb::cli {

/// A sentence for a first word that is neither an option nor a command, with the nearest command; empty when the word is fine.
[[nodiscard]] std::string unknownCommand(const std::vector<std::string>& arguments, std::span<const std::string_view> commands);

/// A sentence for the first word that begins with two dashes and is no option of the command, with the nearest option; empty when all are
/// options. `app` has the commands.
[[nodiscard]] std::string unknownOption(const CLI::App& app, const std::vector<std::string>& arguments);

/// A sentence for the first option or argument that was given an empty text where one is needed; empty when there is none. Texts that may
/// be empty: titles and filters.
[[nodiscard]] std::string emptyArgument(const CLI::App& app);

/// For a file whose name begins with a dash, which is taken for an option: how to name it; else empty.
[[nodiscard]] std::string dashedFile(const std::vector<std::string>& arguments);

} // namespace wb::cli
