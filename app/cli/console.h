// What srtwb says and where: documents on standard output, prose on standard error.
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <string>
#include <string_view>

namespace wb::cli {

class Console
{
public:
    Console();

    void setQuiet(bool isQuiet) { m_isQuiet = isQuiet; }
    [[nodiscard]] bool hasColour() const { return m_hasColour; } ///< Standard output is a terminal and NO_COLOR is not set.

    void write(std::string_view text); ///< Standard output, as it is.
    void writeDocument(const base::json::Value& document) { write(base::json::write(document)); }
    void say(std::string_view line); ///< Standard error, unless --quiet. What a terminal would obey is made printable, here and below.
    void fail(const Error& error);   ///< Standard error, also with --quiet.
    void fail(std::string_view line);

    /// True when all that was written arrived (the disk may be full). A reader that went away had enough (`| head`): that is no failure.
    [[nodiscard]] bool finish();

private:
    bool m_isQuiet = false;
    bool m_hasColour = false;
    bool m_isReaderGone = false;
};

} // namespace wb::cli
