// The locale of the process while Qt starts.
#pragma once

#include <optional>
#include <string>

namespace wb::base {

/// Where the locale is not one of UTF-8 (LANG=C of many containers), Qt takes another one and writes four lines about it to the standard
/// error output of every command. While this lives the environment names that other one; afterwards it is the user's own again, so that
/// programs which we start get that. To be used before there is a second thread.
class Utf8Locale
{
public:
    Utf8Locale();
    Utf8Locale(const Utf8Locale&) = delete;
    Utf8Locale& operator=(const Utf8Locale&) = delete;
    ~Utf8Locale();

private:
    bool m_isNeeded = false;
    std::optional<std::string> m_before;
};

} // namespace wb::base
