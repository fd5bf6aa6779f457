// How a script is sent so that nothing which a login writes (banners, profiles, module loads) can be taken for its answer, and how its
// answer is told from that. Works with every login shell that knows `exec PROGRAM 'WORDS'`: sh, bash, zsh, fish, csh, tcsh (tried: bash,
// fish, tcsh).
//
// The command line that ssh hands to the login shell is one constant line but for a number. The script itself travels on standard input, in
// front of the script's own input; a script that arrives cut off does not run at all.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace wb::remote {

/// What is given to ssh.
struct Framed {
    std::string commandLine; ///< The remote command.
    std::string input;       ///< For ssh's standard input.
};

/// `mark`: letters and digits that nobody can guess, new for each command.
[[nodiscard]] Framed framed(std::string_view script, std::string_view input, std::string_view mark);

/// What came back, taken apart.
struct Unframed {
    bool hasBegun = false;       ///< The script's begin mark was seen.
    long process = 0;            ///< Of the remote shell, which leads its process group; 0: not known.
    std::optional<int> exitCode; ///< Nothing: the end mark was not seen, so the answer may be cut off.
    std::string out;
    std::string err;
};
[[nodiscard]] Unframed unframed(std::string_view out, std::string_view err, std::string_view mark);

} // namespace wb::remote
