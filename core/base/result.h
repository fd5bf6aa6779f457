// What an operation gives back when the world, not the recipe, was wrong.
//   - the recipe is wrong            -> syntax::Diagnostic (many, each with a place)
//   - disk, SSH, Slurm, a bad file   -> Error, returned as Result<T>
//   - part of it is wrong            -> success, with warnings in the value
//   - we are wrong                   -> assert; never turned into a message
#pragma once

#include <tl/expected.hpp>

#include <string>
#include <string_view>

namespace wb {

enum class ErrorCode { NotFound, Denied, Malformed, Unsupported, Unreachable, Refused, TimedOut, Cancelled };

struct Error {
    ErrorCode code = ErrorCode::Malformed;
    std::string message; ///< One sentence for the user: what failed and on what.
    std::string detail;  ///< stderr, a path, a line number: shown on demand, always logged.

    /// Says what was being done when the error came up; the outermost words come first. Words that the message
    /// begins with already are not said twice.
    [[nodiscard]] Error within(std::string_view doing) &&;

    friend bool operator==(const Error&, const Error&) = default;
};

template <typename T>
using Result = tl::expected<T, Error>;

[[nodiscard]] tl::unexpected<Error> failure(ErrorCode code, std::string message, std::string detail = {});

/// Passes an error on, with what was being done in front of it.
[[nodiscard]] tl::unexpected<Error> passedOn(Error error, std::string_view doing);

} // namespace wb
