#include "app/cli/console.h"

#include "core/base/text.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace wb::cli {

Console::Console()
{
    const char* noColour = std::getenv("NO_COLOR");
    m_hasColour = ::isatty(STDOUT_FILENO) == 1 && (!noColour || *noColour == '\0');
}

void Console::write(std::string_view text)
{
    if (m_isReaderGone)
        return;
    if (std::fwrite(text.data(), 1, text.size(), stdout) < text.size())
        m_isReaderGone = errno == EPIPE;
}

void Console::say(std::string_view line)
{
    if (!m_isQuiet)
        fail(line);
}

void Console::fail(const Error& error)
{
    fail(error.message);
}

void Console::fail(std::string_view line)
{
    if (std::fflush(stdout) != 0)
        m_isReaderGone = m_isReaderGone || errno == EPIPE;
    std::string shown;
    for (const std::string_view part : base::splitAt(line, '\n')) {
        for (const std::string_view cell : base::splitAt(part, '\t'))
            shown += base::printable(cell) + '\t';
        shown.back() = '\n';
    }
    std::fwrite(shown.data(), 1, shown.size(), stderr);
}

bool Console::finish()
{
    if (m_isReaderGone)
        return true;
    if (std::fflush(stdout) != 0)
        return errno == EPIPE;
    return std::ferror(stdout) == 0;
}

} // namespace wb::cli
