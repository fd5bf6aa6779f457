#include "app/cli/console.h"

#include <unistd.h>

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
    std::fwrite(text.data(), 1, text.size(), stdout);
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
    std::fflush(stdout);
    std::fwrite(line.data(), 1, line.size(), stderr);
    std::fputc('\n', stderr);
}

bool Console::finish()
{
    return std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

} // namespace wb::cli
