#include "core/remote/localprocess.h"

#include <QElapsedTimer>
#include <QProcess>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>

namespace wb::remote {

using std::chrono::milliseconds;

namespace {

constexpr int sliceMs = 20; ///< So often a waiting command looks whether it should stop.
/// What one command may answer; more is a fault of the script.
constexpr qsizetype mostBytes = qsizetype{512} << 20;

} // namespace

LocalRun runLocally(const QString& program, const QStringList& arguments, const std::string& input, const QProcessEnvironment& environment,
                    LocalLimits limits, const std::stop_token& stop, bool ownsTerminal,
                    const std::function<bool(const QByteArray&)>& isDone)
{
    QProcess process;
    process.setProcessEnvironment(environment);
    process.setProgram(program);
    process.setArguments(arguments);
    if (ownsTerminal)
        process.setInputChannelMode(QProcess::ForwardedInputChannel);
    const pid_t parent = ::getpid();
    process.setChildProcessModifier([parent, ownsTerminal] {
        // The command must not outlive a workbench that is killed: nobody would read its answer. A master connection that is asked for on
        // the terminal keeps the terminal; the others get no signal from it (Ctrl-C is ours to handle).
        if (!ownsTerminal)
            (void)::setsid();
        (void)::prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (::getppid() != parent)
            ::_exit(127);
        (void)std::signal(SIGPIPE, SIG_DFL);
    });
    LocalRun ran;
    QElapsedTimer clock;
    clock.start();
    process.start();
    if (!process.waitForStarted(5'000)) {
        ran.end = LocalEnd::NotStarted;
        ran.err = process.errorString().toUtf8();
        return ran;
    }
    if (!ownsTerminal) {
        process.write(input.data(), static_cast<qint64>(input.size()));
        process.closeWriteChannel();
    }
    QElapsedTimer idle;
    idle.start();
    qint64 pending = process.bytesToWrite();
    bool isRunning = true;
    while (isRunning) {
        process.setReadChannel(QProcess::StandardOutput);
        isRunning = !process.waitForFinished(sliceMs) && process.state() != QProcess::NotRunning;
        const QByteArray out = process.readAllStandardOutput();
        const QByteArray err = process.readAllStandardError();
        ran.out += out;
        ran.err += err;
        if (!out.isEmpty() || !err.isEmpty() || process.bytesToWrite() != pending)
            idle.restart();
        pending = process.bytesToWrite();
        if (!isRunning)
            break;
        if (isDone && !out.isEmpty() && isDone(ran.out))
            break;
        if (stop.stop_requested())
            ran.end = LocalEnd::Stopped;
        else if (clock.elapsed() > limits.total.count() || idle.elapsed() > limits.idle.count())
            ran.end = LocalEnd::TimedOut;
        else if (ran.out.size() + ran.err.size() > mostBytes)
            ran.end = LocalEnd::TooMuch;
        if (ran.end != LocalEnd::Exited)
            break;
    }
    if (isRunning && ran.end == LocalEnd::Exited) {
        // The end was told on one channel; what was written to the other before may still be on its way.
        constexpr int lastMs = 100;
        isRunning = !process.waitForFinished(lastMs) && process.state() != QProcess::NotRunning;
        ran.out += process.readAllStandardOutput();
        ran.err += process.readAllStandardError();
    }
    if (isRunning) {
        process.terminate();
        if (!process.waitForFinished(200)) {
            process.kill();
            process.waitForFinished(500);
        }
    }
    ran.exitCode = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    ran.duration = milliseconds(clock.elapsed());
    return ran;
}

} // namespace wb::remote
