// How commands reach a cluster. A script of POSIX sh goes to the remote side and its answer comes back; nothing stays there.
//
// All calls block the thread that makes them, for as long as `stop` is not requested and no limit of time is over: the window calls them
// from a job of its own, never from the thread that paints. One transport may be used by several threads at once.
#pragma once

#include "core/base/result.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace wb::remote {

struct RemoteCommand {
    std::string title;                         ///< What it does, in a few words: "stage 3 jobs". For the audit log and for messages.
    std::string script;                        ///< POSIX sh, any number of lines. Every value in it went through base::shellQuoted.
    std::string input;                         ///< Standard input of the script, any bytes.
    std::chrono::milliseconds timeout{60'000}; ///< For all of it.
    std::chrono::milliseconds idle{60'000};    ///< Without a byte from the other side.
    bool mayAsk = true; ///< False: where there is no connection, none is made that the user would have to answer for.
};

struct RemoteOutcome {
    int exitCode = 0; ///< Of the script, told by the script's own end mark: never ssh's.
    std::string out;  ///< What the script wrote, without what a profile or a banner wrote before it. Any bytes.
    std::string err;  ///< As `out`.
    std::chrono::milliseconds duration{0};
};

class Transport
{
public:
    Transport() = default;
    Transport(const Transport&) = delete;
    Transport& operator=(const Transport&) = delete;
    virtual ~Transport() = default;

    /// The script ran to its end, with whatever exit code; else an error: Unreachable, Denied, Refused (host key), TimedOut, Cancelled.
    /// After an error it is not known how far the script came.
    [[nodiscard]] virtual Result<RemoteOutcome> run(const RemoteCommand& command, std::stop_token stop = {}) = 0;

    /// Makes the connection if there is none, and may ask the user for it.
    [[nodiscard]] virtual Result<void> connect(std::stop_token stop = {}) = 0;
    /// A look at what is here; nothing is asked of the other side. Keeps an idle connection from being given up.
    [[nodiscard]] virtual bool isConnected() = 0;
    /// Ends the connection; the next command makes a new one.
    virtual void disconnect() = 0;

    /// "user@host" or the alias, for people.
    [[nodiscard]] virtual std::string host() const = 0;
};

/// One line of the audit log.
struct AuditEntry {
    std::int64_t time = 0; ///< Seconds since 1970, of the begin.
    std::string host;
    std::string title;
    std::string command;         ///< The script; secrets are taken out by the log.
    std::string outcome;         ///< "exit 0", or the error's message.
    std::int64_t durationMs = 0; ///< Until it ended or was given up.
};
using AuditSink = std::function<void(const AuditEntry&)>;

} // namespace wb::remote
