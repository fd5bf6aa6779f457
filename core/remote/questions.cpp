#include "core/remote/questions.h"

#include "core/base/files.h"
#include "core/base/text.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>

namespace wb::remote {

struct Questions::Private {
    std::string path;
    int socket = -1;
    Answerer answerer;
    std::jthread thread;
    std::mutex mutex; ///< Of what follows.
    struct Kept {
        std::string answer;
        std::string process; ///< The ssh that it was given to last.
    };
    std::map<std::string, Kept> kept; ///< By words.

    std::optional<std::string> answerTo(const std::string& process, const std::string& words)
    {
        const Prompt prompt = promptOf(words);
        {
            const std::scoped_lock lock(mutex);
            const auto at = kept.find(words);
            // The same ssh asks again: the answer was wrong.
            if (at != kept.end() && at->second.process != process) {
                at->second.process = process;
                return at->second.answer;
            }
        }
        auto answer = answerer(prompt);
        if (answer && mayBeKept(prompt.kind)) {
            const std::scoped_lock lock(mutex);
            kept[words] = {*answer, process};
        }
        return answer;
    }

    /// True when the client has something to say; false when it is to be given up.
    static bool hasWords(int client, const std::stop_token& stop)
    {
        constexpr int sliceMs = 100;
        constexpr int mostSlices = 100; // our own helper writes at once
        for (int slice = 0; slice < mostSlices && !stop.stop_requested(); ++slice) {
            pollfd waiting{client, POLLIN, 0};
            if (::poll(&waiting, 1, sliceMs) > 0)
                return true;
        }
        return false;
    }

    void serve(int client, const std::stop_token& stop)
    {
        // The process of ssh, a line break, the words, a zero.
        std::string message;
        std::array<char, 4096> buffer{};
        constexpr std::size_t longest = 65536;
        while (message.find('\0') == std::string::npos && message.size() < longest) {
            if (!hasWords(client, stop))
                return;
            const ssize_t got = ::read(client, buffer.data(), buffer.size());
            if (got <= 0)
                return;
            message.append(buffer.data(), static_cast<std::size_t>(got));
        }
        message.resize(std::min(message.find('\0'), message.size()));
        const std::size_t lineEnd = std::min(message.find('\n'), message.size());
        const auto answer = answerTo(message.substr(0, lineEnd), message.substr(std::min(lineEnd + 1, message.size())));
        std::string reply = answer ? '1' + *answer : std::string("0");
        (void)::send(client, reply.data(), reply.size(), MSG_NOSIGNAL);
        std::fill(reply.begin(), reply.end(), '\0');
    }

    void run(const std::stop_token& stop)
    {
        while (!stop.stop_requested()) {
            pollfd waiting{socket, POLLIN, 0};
            constexpr int sliceMs = 100;
            if (::poll(&waiting, 1, sliceMs) <= 0)
                continue;
            const int client = ::accept4(socket, nullptr, nullptr, SOCK_CLOEXEC);
            if (client < 0)
                continue;
            serve(client, stop);
            ::close(client);
        }
    }

    ~Private()
    {
        if (thread.joinable()) {
            thread.request_stop();
            thread.join();
        }
        if (socket >= 0)
            ::close(socket);
        if (!path.empty())
            ::unlink(path.c_str());
    }
};

Questions::Questions(std::unique_ptr<Private> data)
    : d(std::move(data))
{
}

Questions::~Questions() = default;

Result<std::unique_ptr<Questions>> Questions::open(const std::string& folder, Answerer answerer)
{
    if (auto made = base::makePrivateFolder(folder); !made)
        return tl::unexpected<Error>(std::move(made.error()));
    static std::atomic<unsigned> counter = 0;
    auto data = std::make_unique<Private>();
    data->answerer = std::move(answerer);
    const std::string path = folder + "/ask-" + std::to_string(::getpid()) + '-' + std::to_string(counter++);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof(address.sun_path))
        return failure(ErrorCode::Unsupported, "The path " + base::pathInQuotes(path) + " is too long for a socket.");
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    ::unlink(path.c_str());
    data->socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (data->socket < 0 || ::bind(data->socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 ||
        ::chmod(path.c_str(), 0600) != 0 || ::listen(data->socket, 8) != 0)
        return tl::unexpected<Error>(base::systemError(errno, path, "Opening the socket"));
    data->path = path;
    Private* const raw = data.get();
    data->thread = std::jthread([raw](const std::stop_token& stop) { raw->run(stop); });
    return std::unique_ptr<Questions>(new Questions(std::move(data)));
}

std::vector<std::pair<std::string, std::string>> Questions::environment() const
{
    return {{askpassVariable, d->path}};
}

void Questions::forget()
{
    const std::scoped_lock lock(d->mutex);
    d->kept.clear();
}

} // namespace wb::remote
