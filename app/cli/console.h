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
    void say(std::string_view line); ///< Standard error, unless --quiet.
    void fail(const Error& error);   ///< Standard error, also with --quiet.
    void fail(std::string_view line);

    /// True when all that was written arrived (the disk may be full, the reader gone).
    [[nodiscard]] bool finish();

private:
    bool m_isQuiet = false;
    bool m_hasColour = false;
};

} // namespace wb::cli
