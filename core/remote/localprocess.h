// Programs on this machine, run to their end by the thread that waits for them. Inside core/remote alone: others have transports.
#pragma once

#include <QByteArray>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

#include <chrono>
#include <functional>
#include <stop_token>
#include <string>

namespace wb::remote {

/// How a local process ended, or why it was not waited for.
enum class LocalEnd { Exited, Stopped, TimedOut, NotStarted, TooMuch };

struct LocalRun {
    LocalEnd end = LocalEnd::Exited;
    int exitCode = -1;
    QByteArray out;
    QByteArray err;
    std::chrono::milliseconds duration{0};
};

struct LocalLimits {
    std::chrono::milliseconds total{60'000};
    std::chrono::milliseconds idle{60'000};
};

/// Runs a local program to its end. `isDone` may end the wait early, by what came so far. The program does not outlive this process;
/// `ownsTerminal`: it keeps the terminal and reads from it, instead of the input.
[[nodiscard]] LocalRun runLocally(const QString& program, const QStringList& arguments, const std::string& input,
                                  const QProcessEnvironment& environment, LocalLimits limits, const std::stop_token& stop,
                                  bool ownsTerminal, const std::function<bool(const QByteArray&)>& isDone = {});

} // namespace wb::remote
