#include "core/base/utf8locale.h"

#include <langinfo.h>

#include <clocale>
#include <cstdlib>
#include <string_view>

namespace wb::base {

namespace {

constexpr const char* variable = "LC_ALL";

} // namespace

Utf8Locale::Utf8Locale()
{
    std::setlocale(LC_ALL, "");
    m_isNeeded = std::string_view(::nl_langinfo(CODESET)) != "UTF-8";
    if (!m_isNeeded)
        return;
    if (const char* value = std::getenv(variable))
        m_before = value;
    (void)::setenv(variable, "C.UTF-8", 1);
}

Utf8Locale::~Utf8Locale()
{
    if (m_isNeeded && m_before)
        (void)::setenv(variable, m_before->c_str(), 1);
    else if (m_isNeeded)
        (void)::unsetenv(variable);
}

} // namespace wb::base
