#include "app/gui/display.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string_view>

namespace wb::app {

namespace {

std::string_view variable(const char* name)
{
    const char* value = std::getenv(name);
    return value ? value : std::string_view();
}

bool answers(const std::string& socketPath)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (socketPath.size() >= sizeof(address.sun_path))
        return false;
    std::memcpy(address.sun_path, socketPath.data(), socketPath.size());
    const int handle = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (handle < 0)
        return false;
    const bool isThere = ::connect(handle, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
    ::close(handle);
    return isThere;
}

/// "7" of ":7" and ":7.0"; empty for a display of another machine.
std::string localDisplayNumber(std::string_view display)
{
    if (display.starts_with("unix:"))
        display.remove_prefix(4);
    if (!display.starts_with(':'))
        return {};
    display.remove_prefix(1);
    return std::string(display.substr(0, display.find('.')));
}

} // namespace

std::string whyNoDisplay()
{
    if (!variable("QT_QPA_PLATFORM").empty() || !variable("WAYLAND_DISPLAY").empty())
        return {};
    const std::string_view display = variable("DISPLAY");
    if (display.empty())
        return "There is no display: neither DISPLAY nor WAYLAND_DISPLAY is set; srtwb does the same work without a window.";
    const std::string number = localDisplayNumber(display);
    if (!number.empty() && !answers("/tmp/.X11-unix/X" + number))
        return "The display \"" + std::string(display) + "\" does not answer; srtwb does the same work without a window.";
    return {};
}

} // namespace wb::app
