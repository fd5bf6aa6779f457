#include "app/cli/remotesession.h"

#include "app/cli/qtapplication.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/store/atomicfile.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

namespace wb::cli {

namespace {

std::string below(const char* variable, const char* otherwise)
{
    const char* folder = std::getenv(variable);
    const char* home = std::getenv("HOME");
    return (folder && *folder ? std::string(folder) : std::string(home ? home : ".") + otherwise) + "/srt-workbench";
}

/// A short path: sockets below it may have no more than about a hundred bytes.
std::string controlFolder()
{
    const char* runtime = std::getenv("XDG_RUNTIME_DIR");
    constexpr std::size_t longest = 60;
    if (runtime && *runtime && std::string_view(runtime).size() < longest && ::access(runtime, W_OK) == 0)
        return std::string(runtime) + "/srtwb";
    return "/tmp/srtwb-" + std::to_string(::geteuid());
}

std::array<int, 2> signalPipe = {-1, -1};
std::atomic<int> signalCount = 0;

extern "C" void onSignal(int number)
{
    if (++signalCount > 1) {
        (void)std::signal(number, SIG_DFL);
        (void)std::raise(number);
        return;
    }
    const char byte = 1;
    (void)!::write(signalPipe[1], &byte, 1);
}

} // namespace

std::string stateFolder()
{
    return below("XDG_STATE_HOME", "/.local/state");
}

std::string profilesFile()
{
    return below("XDG_CONFIG_HOME", "/.config") + "/profiles.json";
}

std::int64_t secondsNow()
{
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

Result<std::vector<remote::Profile>> userProfiles()
{
    const std::string path = profilesFile();
    std::error_code error;
    if (!std::filesystem::exists(path, error))
        return std::vector<remote::Profile>();
    const auto text = base::readFile(path);
    if (!text)
        return tl::unexpected<Error>(text.error());
    auto profiles = remote::readProfiles(*text);
    if (!profiles)
        return passedOn(std::move(profiles.error()), base::pathInQuotes(path));
    return profiles;
}

struct Interruption::Private {
    std::stop_source source;
    std::jthread thread;
};

Interruption::Interruption()
    : d(std::make_unique<Private>())
{
    if (::pipe2(signalPipe.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    d->thread = std::jthread([source = d->source](const std::stop_token& stop) mutable {
        while (!stop.stop_requested()) {
            pollfd waiting{signalPipe[0], POLLIN, 0};
            constexpr int sliceMs = 50;
            if (::poll(&waiting, 1, sliceMs) > 0) {
                source.request_stop();
                return;
            }
        }
    });
    (void)std::signal(SIGINT, onSignal);
    (void)std::signal(SIGTERM, onSignal);
}

Interruption::~Interruption()
{
    (void)std::signal(SIGINT, SIG_DFL);
    (void)std::signal(SIGTERM, SIG_DFL);
    if (d->thread.joinable()) {
        d->thread.request_stop();
        d->thread.join();
    }
    for (const int end : signalPipe)
        if (end >= 0)
            ::close(end);
    signalPipe = {-1, -1};
}

std::stop_token Interruption::token() const
{
    return d->source.get_token();
}

RemoteSession::RemoteSession(std::vector<std::string> secrets)
{
    ensureQtApplication();
    // Without the folder the log's first line fails, which is told.
    (void)store::makeFolder(stateFolder());
    m_audit = std::make_shared<remote::AuditLog>(stateFolder() + "/audit.jsonl", std::move(secrets));
}

remote::OpenSshTransport& RemoteSession::transportOf(const remote::Profile& profile, bool mayAsk)
{
    const auto at = std::find_if(m_transports.begin(), m_transports.end(), [&](const auto& each) { return each.first == profile; });
    if (at != m_transports.end())
        return *at->second;
    remote::OpenSshOptions options;
    options.host = profile.host;
    options.configFile = profile.sshConfig;
    options.controlFolder = controlFolder();
    options.connectTimeout = std::chrono::seconds(profile.connectSeconds);
    options.aliveInterval = std::chrono::seconds(profile.aliveSeconds);
    options.asking = mayAsk && ::isatty(STDIN_FILENO) == 1 ? remote::Asking::Terminal : remote::Asking::Never;
    options.audit = [audit = m_audit](const remote::AuditEntry& entry) { audit->add(entry); };
    options.now = secondsNow;
    m_transports.emplace_back(profile, std::make_unique<remote::OpenSshTransport>(std::move(options)));
    return *m_transports.back().second;
}

void RemoteSession::sayTrouble(Console& console) const
{
    if (const std::string trouble = m_audit->trouble(); !trouble.empty())
        console.say("warning: " + trouble);
}

} // namespace wb::cli
