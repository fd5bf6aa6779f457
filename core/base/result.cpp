#include "core/base/result.h"

namespace wb {

Error Error::within(std::string_view doing) &&
{
    if (!message.starts_with(std::string(doing) + " ")) // "Saving x failed" says already what was being done
        message.insert(0, std::string(doing) + ": ");
    return std::move(*this);
}

tl::unexpected<Error> failure(ErrorCode code, std::string message, std::string detail)
{
    return tl::unexpected<Error>(Error{code, std::move(message), std::move(detail)});
}

tl::unexpected<Error> passedOn(Error error, std::string_view doing)
{
    return tl::unexpected<Error>(std::move(error).within(doing));
}

} // namespace wb
