#include "core/store/temporaries.h"

#include "core/base/sha256.h"
#include "core/base/text.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace wb::store {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view ending = ".tmp";

/// Eight digits for this machine: process numbers of another one, which sees the same folder over a network, mean nothing here.
const std::string& machine()
{
    static const std::string tag = [] {
        std::array<char, 256> name{};
        (void)::gethostname(name.data(), name.size() - 1);
        return base::sha256Hex(name.data()).substr(0, 8);
    }();
    return tag;
}

/// The process of a name that `temporaryBeside` made on this machine.
std::optional<pid_t> processOf(std::string_view name)
{
    if (!name.starts_with('.') || !name.ends_with(ending))
        return std::nullopt;
    name.remove_suffix(ending.size());
    const std::size_t dot = name.rfind('.');
    const std::vector<std::string_view> parts = base::splitAt(name.substr(dot + 1), '-');
    if (dot == 0 || parts.size() != 3 || parts[0] != machine() || !base::integerOf(parts[2]))
        return std::nullopt;
    const auto process = base::integerOf(parts[1]);
    return process && *process > 0 ? std::optional(static_cast<pid_t>(*process)) : std::nullopt;
}

bool isDead(pid_t process)
{
    return ::kill(process, 0) != 0 && errno == ESRCH;
}

} // namespace

fs::path temporaryBeside(const fs::path& target)
{
    static std::atomic<unsigned> counter = 0;
    constexpr std::size_t longest = 160; // leaves room below the 255 bytes that a name may have
    std::string name = target.filename().string();
    if (name.size() > longest)
        name.resize(longest);
    return target.parent_path() /
           ("." + name + '.' + machine() + '-' + std::to_string(::getpid()) + '-' + std::to_string(counter++) + std::string(ending));
}

void removeLeftovers(const fs::path& folder)
{
    std::error_code error;
    std::vector<fs::path> leftovers;
    for (fs::directory_iterator it(folder.empty() ? "." : folder, error); !error && it != fs::directory_iterator(); it.increment(error)) {
        if (const auto process = processOf(it->path().filename().native()); process && isDead(*process))
            leftovers.push_back(it->path());
    }
    for (const fs::path& path : leftovers)
        fs::remove_all(path, error);
}

} // namespace wb::store
