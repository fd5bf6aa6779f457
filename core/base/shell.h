// The one way by which a value reaches a POSIX shell.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace wb::base {

/// The text as one word of a POSIX shell: as it is when every character is safe, else in single quotes. The empty text becomes ''.
[[nodiscard]] std::string shellQuoted(std::string_view text);

/// The text can be the name of a variable: ASCII letters, digits and "_", no digit first, not empty.
[[nodiscard]] bool isVariableName(std::string_view text);

/// The words, each quoted, with a blank between them.
[[nodiscard]] std::string shellCommand(std::span<const std::string> words);

/// A command line for a message, in double quotes: its words as `shellCommand` puts them, made printable. What stands between the quotes
/// can be run as it is, but for words with control characters in them.
[[nodiscard]] std::string commandInQuotes(std::initializer_list<std::string> words);

} // namespace wb::base
