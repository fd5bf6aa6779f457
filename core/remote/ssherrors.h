// What ssh says when it cannot do its work, and what that means. ssh's exit code tells nothing (255 for all, and for some remote commands).
//
// To add one: a row in ssherrors.cpp, with the words of OpenSSH, and a line in ssherrors_test.cpp.
#pragma once

#include "core/base/result.h"

#include <span>
#include <string_view>

namespace wb::remote {

struct SshError {
    std::string_view words; ///< Part of a line of ssh's standard error.
    ErrorCode code;
    std::string_view meaning; ///< Follows the host's name: "does not accept the connection."
};

/// The first that fits wins.
[[nodiscard]] std::span<const SshError> sshErrors();

/// ssh failed on that host and said `err`: the error to tell, with ssh's own words as its detail.
[[nodiscard]] Error sshFailure(std::string_view host, std::string_view err);

} // namespace wb::remote
