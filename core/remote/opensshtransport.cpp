#include "core/remote/opensshtransport.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/remote/framing.h"
#include "core/remote/localprocess.h"
#include "core/remote/ssherrors.h"

#include <QByteArray>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QProcessEnvironment>
#include <QStringList>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <mutex>
#include <random>

namespace wb::remote {

namespace {

using std::chrono::milliseconds;

QString q(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// Nobody who writes to a log or a profile can know it beforehand.
std::string newMark()
{
    static thread_local std::random_device source;
    constexpr std::string_view digits = "0123456789abcdef";
    std::string mark = "srtwb";
    for (int i = 0; i < 6; ++i) {
        unsigned bits = source();
        for (int j = 0; j < 4; ++j, bits >>= 4U)
            mark += digits[bits & 15U];
    }
    return mark;
}

} // namespace

struct OpenSshTransport::Private {
    OpenSshOptions options;
    std::string socket;
    std::mutex connecting;
    std::atomic<bool> isConnected = false;

    [[nodiscard]] QStringList baseArguments() const
    {
        QStringList out;
        if (!options.configFile.empty())
            out << "-F" << q(options.configFile);
        // No remote command, tunnel or agent of the user's configuration: nothing but our script.
        out << "-T"
            << "-S" << q(socket);
        for (const std::string& option :
             {std::string("EscapeChar=none"), "ConnectTimeout=" + std::to_string(options.connectTimeout.count()),
              "ServerAliveInterval=" + std::to_string(options.aliveInterval.count()), std::string("ServerAliveCountMax=3"),
              std::string("ForwardX11=no"), std::string("ForwardAgent=no"), std::string("ClearAllForwardings=yes"),
              std::string("PermitLocalCommand=no"), std::string("RemoteCommand=none"), std::string("RequestTTY=no"),
              std::string("LogLevel=ERROR")})
            out << "-o" << q(option);
        return out;
    }

    [[nodiscard]] QProcessEnvironment environment(bool mayAsk) const
    {
        QProcessEnvironment out = QProcessEnvironment::systemEnvironment();
        if (!mayAsk || options.asking != Asking::Helper)
            return out;
        out.insert("SSH_ASKPASS", q(options.askpass));
        out.insert("SSH_ASKPASS_REQUIRE", "force");
        for (const auto& [name, value] : options.askpassEnvironment)
            out.insert(q(name), q(value));
        return out;
    }

    [[nodiscard]] bool isMasterAlive() const
    {
        QStringList arguments = baseArguments();
        arguments << "-O"
                  << "check" << q(options.host);
        const LocalRun ran =
            runLocally(q(options.program), arguments, {}, environment(false), {milliseconds(3'000), milliseconds(3'000)}, {}, false);
        return ran.end == LocalEnd::Exited && ran.exitCode == 0;
    }

    /// Whoever makes a new connection meanwhile has the lock, and then there is nothing to forget.
    void forgetDeadMaster()
    {
        const std::unique_lock lock(connecting, std::try_to_lock);
        if (!lock.owns_lock() || isMasterAlive())
            return;
        isConnected = false;
        ::unlink(socket.c_str());
    }

    void note(const RemoteCommand& command, std::int64_t begin, const Result<RemoteOutcome>& result, milliseconds duration) const
    {
        if (!options.audit)
            return;
        options.audit({begin, options.host, command.title, command.script,
                       result ? "exit " + std::to_string(result->exitCode) : result.error().message, duration.count()});
    }

    [[nodiscard]] std::int64_t now() const { return options.now ? options.now() : 0; }

    /// Ends what a command that is given up left running on the other side.
    void endRemotely(long process) const
    {
        if (process <= 1)
            return;
        const std::string number = std::to_string(process);
        const Framed frame = framed("kill -TERM -" + number + " && sleep 0.2; kill -KILL -" + number, {}, newMark());
        QStringList arguments = baseArguments();
        arguments << "-o"
                  << "BatchMode=yes"
                  << "--" << q(options.host) << q(frame.commandLine);
        (void)runLocally(q(options.program), arguments, frame.input, environment(false), {milliseconds(700), milliseconds(700)}, {}, false);
    }

    [[nodiscard]] Error gaveUp(const LocalRun& ran, const RemoteCommand& command) const
    {
        if (ran.end == LocalEnd::Stopped)
            return {ErrorCode::Cancelled, "Cancelled: " + command.title + '.', {}};
        if (ran.end == LocalEnd::TooMuch)
            return {ErrorCode::Malformed, options.host + " answers with more than is taken: " + command.title + '.', {}};
        return {ErrorCode::TimedOut, options.host + " did not answer in time: " + command.title + '.', ran.err.toStdString()};
    }
};

OpenSshTransport::OpenSshTransport(OpenSshOptions options)
    : d(std::make_unique<Private>())
{
    d->options = std::move(options);
    static std::atomic<unsigned> counter = 0;
    d->socket = d->options.controlFolder + '/' + std::to_string(::getpid()) + '-' + std::to_string(counter++);
}

OpenSshTransport::~OpenSshTransport()
{
    disconnect();
}

std::string OpenSshTransport::host() const
{
    return d->options.host;
}

Result<void> OpenSshTransport::connect(std::stop_token stop)
{
    return connect(true, stop);
}

bool OpenSshTransport::isConnected()
{
    if (!d->isConnected || !QFileInfo::exists(q(d->socket)))
        return false;
    if (d->isMasterAlive())
        return true;
    d->isConnected = false;
    return false;
}

Result<void> OpenSshTransport::connect(bool mayAsk, const std::stop_token& stop)
{
    std::unique_lock lock(d->connecting, std::defer_lock);
    // Whoever may not ask does not wait for a person either.
    if (mayAsk)
        lock.lock();
    else if (!lock.try_lock())
        return failure(ErrorCode::Unreachable, "The connection to " + d->options.host + " is being made.");
    if (d->isConnected && QFileInfo::exists(q(d->socket)))
        return {};
    if (d->options.host.empty() || d->options.host.front() == '-' || base::hasControlCharacter(d->options.host))
        return failure(ErrorCode::Malformed, base::inQuotes(d->options.host) + " is no name of a host.");
    // Else somebody could put his own socket there.
    if (auto made = base::makePrivateFolder(d->options.controlFolder); !made)
        return made;
    ::unlink(d->socket.c_str());
    QStringList arguments = d->baseArguments();
    const bool asks = mayAsk && d->options.asking != Asking::Never;
    if (!asks)
        arguments << "-o"
                  << "BatchMode=yes";
    // The first answer to a question decides; a refusal must not be asked again without end.
    arguments << "-o"
              << "NumberOfPasswordPrompts=2"
              << "-o"
              << "ControlMaster=yes"
              << "-o"
              << "ControlPersist=60"
              << "-N"
              << "-f"
              << "--" << q(d->options.host);
    const milliseconds patience = asks ? milliseconds(300'000) : milliseconds(d->options.connectTimeout) * 2;
    const LocalRun ran = runLocally(q(d->options.program), arguments, {}, d->environment(asks), {patience, patience}, stop,
                                    asks && d->options.asking == Asking::Terminal);
    if (ran.end == LocalEnd::NotStarted)
        return failure(ErrorCode::NotFound,
                       "The program " + base::inQuotes(d->options.program) + " cannot be started; it is part of OpenSSH.",
                       ran.err.toStdString());
    if (ran.end != LocalEnd::Exited)
        return tl::unexpected<Error>(d->gaveUp(ran, {.title = "connecting", .script = {}, .input = {}}));
    if (ran.exitCode != 0)
        return tl::unexpected<Error>(sshFailure(d->options.host, ran.err.toStdString()));
    d->isConnected = true;
    return {};
}

void OpenSshTransport::disconnect()
{
    if (!d->isConnected.exchange(false))
        return;
    QStringList arguments = d->baseArguments();
    arguments << "-O"
              << "exit" << q(d->options.host);
    (void)runLocally(q(d->options.program), arguments, {}, d->environment(false), {milliseconds(2'000), milliseconds(2'000)}, {}, false);
    ::unlink(d->socket.c_str());
}

Result<RemoteOutcome> OpenSshTransport::run(const RemoteCommand& command, std::stop_token stop)
{
    const std::int64_t begin = d->now();
    QElapsedTimer clock;
    clock.start();
    const auto ended = [&](Result<RemoteOutcome> result) {
        d->note(command, begin, result, milliseconds(clock.elapsed()));
        return result;
    };
    if (auto connected = connect(command.mayAsk, stop); !connected)
        return ended(tl::unexpected<Error>(std::move(connected.error())));
    const std::string mark = newMark();
    const Framed frame = framed(command.script, command.input, mark);
    QStringList arguments = d->baseArguments();
    arguments << "-o"
              << "BatchMode=yes"
              << "-o"
              << "ControlMaster=no"
              << "--" << q(d->options.host) << q(frame.commandLine);
    const std::string endMark = '\n' + mark + " end ";
    std::size_t seen = 0;
    // A background process that a profile started may hold the connection open for ever: the end mark is the end.
    const auto hasEnded = [&](const QByteArray& out) {
        const std::string_view all(out.data(), static_cast<std::size_t>(out.size()));
        const std::size_t at = all.find(endMark, seen > endMark.size() ? seen - endMark.size() : 0);
        seen = all.size();
        return at != std::string_view::npos && all.find('\n', at + endMark.size()) != std::string_view::npos;
    };
    const LocalRun ran = runLocally(q(d->options.program), arguments, frame.input, d->environment(false), {command.timeout, command.idle},
                                    stop, false, hasEnded);
    Unframed answer = unframed({ran.out.data(), static_cast<std::size_t>(ran.out.size())},
                               {ran.err.data(), static_cast<std::size_t>(ran.err.size())}, mark);
    if (ran.end == LocalEnd::NotStarted)
        return ended(failure(ErrorCode::NotFound, "The program " + base::inQuotes(d->options.program) + " cannot be started.",
                             ran.err.toStdString()));
    if (answer.exitCode)
        return ended(RemoteOutcome{*answer.exitCode, std::move(answer.out), std::move(answer.err), ran.duration});
    if (ran.end != LocalEnd::Exited) {
        if (ran.end == LocalEnd::TimedOut)
            d->forgetDeadMaster();
        d->endRemotely(answer.process);
        return ended(tl::unexpected<Error>(d->gaveUp(ran, command)));
    }
    // Whatever broke, the next command begins with a new connection.
    d->forgetDeadMaster();
    if (answer.hasBegun || ran.exitCode != 255)
        return ended(failure(ErrorCode::Unreachable, "The connection to " + d->options.host + " broke off: " + command.title + '.',
                             ran.err.toStdString()));
    return ended(tl::unexpected<Error>(sshFailure(d->options.host, ran.err.toStdString())));
}

Result<std::vector<std::pair<std::string, std::string>>> resolvedConfig(const OpenSshOptions& options)
{
    QStringList arguments;
    if (!options.configFile.empty())
        arguments << "-F" << q(options.configFile);
    arguments << "-G"
              << "--" << q(options.host);
    const LocalRun ran = runLocally(q(options.program), arguments, {}, QProcessEnvironment::systemEnvironment(),
                                    {milliseconds(5'000), milliseconds(5'000)}, {}, false);
    if (ran.end != LocalEnd::Exited || ran.exitCode != 0)
        return tl::unexpected<Error>(sshFailure(options.host, ran.err.toStdString()));
    std::vector<std::pair<std::string, std::string>> out;
    const std::string text = ran.out.toStdString();
    for (const std::string_view line : base::splitAt(text, '\n')) {
        const std::size_t blank = line.find(' ');
        if (blank != std::string_view::npos)
            out.emplace_back(base::lowered(line.substr(0, blank)), std::string(line.substr(blank + 1)));
    }
    return out;
}

std::vector<std::string> hostAliases(std::string_view sshConfig)
{
    std::vector<std::string> out;
    for (const std::string_view raw : base::splitAt(sshConfig, '\n')) {
        const std::string_view line = base::trimmed(raw);
        if (line.size() < 5 || base::lowered(line.substr(0, 4)) != "host" || (line[4] != ' ' && line[4] != '\t' && line[4] != '='))
            continue;
        std::string words(line.substr(5));
        std::replace_if(
            words.begin(), words.end(), [](char c) { return c == '\t' || c == '='; }, ' ');
        for (const std::string_view word : base::splitAt(words, ' ')) {
            const bool isPattern = word.find_first_of("*?!\"") != std::string_view::npos;
            if (!word.empty() && !isPattern && std::find(out.begin(), out.end(), word) == out.end())
                out.emplace_back(word);
        }
    }
    return out;
}

} // namespace wb::remote
