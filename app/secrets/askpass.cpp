// srtwb-askpass: ssh starts it as SSH_ASKPASS with its question as the argument. It hands the question to the workbench that started ssh
// and prints the answer; any failure is a refusal, which ends the log-in.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

int refused(const char* why)
{
    std::fprintf(stderr, "srtwb-askpass: %s\n", why);
    return 1;
}

} // namespace

int main(int argc, char** argv)
{
    const char* path = std::getenv("SRTWB_ASKPASS_SOCKET");
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (argc < 2 || !path || std::strlen(path) >= sizeof(address.sun_path))
        return refused("it is started by ssh for the workbench only.");
    std::memcpy(address.sun_path, path, std::strlen(path) + 1);
    const int connection = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection < 0 || ::connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0)
        return refused("the workbench that asked is gone.");
    // Which ssh asks: when one asks the same twice, the first answer was wrong.
    const std::string question = std::to_string(::getppid()) + '\n' + argv[1];
    if (::send(connection, question.c_str(), question.size() + 1, MSG_NOSIGNAL) != static_cast<ssize_t>(question.size() + 1))
        return refused("the workbench that asked is gone.");
    std::string answer;
    std::array<char, 4096> buffer{};
    ssize_t got = 0;
    while ((got = ::read(connection, buffer.data(), buffer.size())) > 0)
        answer.append(buffer.data(), static_cast<std::size_t>(got));
    if (answer.empty() || answer.front() != '1')
        return 1;
    std::fwrite(answer.data() + 1, 1, answer.size() - 1, stdout);
    std::fputc('\n', stdout);
    return std::fflush(stdout) == 0 ? 0 : 1;
}
