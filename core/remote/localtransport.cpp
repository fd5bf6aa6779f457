#include "core/remote/localtransport.h"

#include "core/base/text.h"
#include "core/remote/localprocess.h"

#include <utility>

namespace wb::remote {

namespace {

std::string bytesOf(const QByteArray& bytes)
{
    return {bytes.data(), static_cast<std::size_t>(bytes.size())};
}

Result<RemoteOutcome> outcomeOf(const LocalRun& run, const RemoteCommand& command, const std::string& shell)
{
    switch (run.end) {
    case LocalEnd::NotStarted:
        return failure(ErrorCode::NotFound, "The program " + base::inQuotes(shell) + " cannot be started.", bytesOf(run.err));
    case LocalEnd::Stopped:
        return failure(ErrorCode::Cancelled, "Cancelled: " + command.title + '.');
    case LocalEnd::TimedOut:
        return failure(ErrorCode::TimedOut, "There was no answer in time: " + command.title + '.', bytesOf(run.err));
    case LocalEnd::TooMuch:
        return failure(ErrorCode::Malformed, "The answer is more than is taken: " + command.title + '.');
    case LocalEnd::Exited:
        break;
    }
    return RemoteOutcome{run.exitCode, bytesOf(run.out), bytesOf(run.err), run.duration};
}

} // namespace

LocalTransport::LocalTransport(LocalOptions options)
    : m_options(std::move(options))
{
}

Result<void> LocalTransport::connect(std::stop_token)
{
    return {};
}

bool LocalTransport::isConnected()
{
    return true;
}

void LocalTransport::disconnect() {}

std::string LocalTransport::host() const
{
    return "this machine";
}

Result<RemoteOutcome> LocalTransport::run(const RemoteCommand& command, std::stop_token stop)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    if (!m_options.path.empty())
        environment.insert(QStringLiteral("PATH"), QString::fromStdString(m_options.path));
    const std::int64_t begin = m_options.now ? m_options.now() : 0;
    const LocalRun run = runLocally(QString::fromStdString(m_options.shell), {QStringLiteral("-c"), QString::fromStdString(command.script)},
                                    command.input, environment, {command.timeout, command.idle}, stop, false);
    Result<RemoteOutcome> out = outcomeOf(run, command, m_options.shell);
    if (m_options.audit) {
        m_options.audit({begin, host(), command.title, command.script, out ? "exit " + std::to_string(out->exitCode) : out.error().message,
                         run.duration.count()});
    }
    return out;
}

} // namespace wb::remote
