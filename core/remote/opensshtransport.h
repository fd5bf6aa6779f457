// The transport over the system's own ssh, so that all of ~/.ssh/config holds: jump hosts, agent, certificates, Kerberos.
//
// One master connection a host, made at the first command, reused by all others, ended with the object. When this process is killed the
// master ends by itself a minute later. Host keys are checked as the user's configuration says; an unknown one is never taken silently.
#pragma once

#include "core/remote/transport.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace wb::remote {

/// How ssh may ask the user.
enum class Asking {
    Never,    ///< BatchMode: what needs an answer fails.
    Terminal, ///< ssh asks on the terminal that this process has.
    Helper,   ///< ssh asks through `askpass`.
};

struct OpenSshOptions {
    std::string host;          ///< As for ssh: an alias of ~/.ssh/config, a name, user@name. Must not begin with "-".
    std::string configFile;    ///< For `ssh -F`; empty: ssh's own.
    std::string controlFolder; ///< For the socket of the master; a short path, readable by its owner only. Is made.
    std::string program = "ssh";
    Asking asking = Asking::Never;
    std::string askpass; ///< Program for Asking::Helper.
    std::vector<std::pair<std::string, std::string>> askpassEnvironment;
    std::chrono::seconds connectTimeout{15};
    std::chrono::seconds aliveInterval{10}; ///< A server that is silent for three of these is given up.
    AuditSink audit;                        ///< May be empty. Called from the thread that runs the command.
    std::function<std::int64_t()> now;      ///< Seconds since 1970; for the audit log.
};

class OpenSshTransport final : public Transport
{
public:
    explicit OpenSshTransport(OpenSshOptions options);
    ~OpenSshTransport() override;

    [[nodiscard]] Result<RemoteOutcome> run(const RemoteCommand& command, std::stop_token stop = {}) override;
    [[nodiscard]] std::string host() const override;

    [[nodiscard]] Result<void> connect(std::stop_token stop = {}) override;
    [[nodiscard]] bool isConnected() override;
    void disconnect() override;

private:
    struct Private;
    Result<void> connect(bool mayAsk, const std::stop_token& stop);
    std::unique_ptr<Private> d;
};

/// What `ssh -G` says of a host, keys in lower case, in its order: "hostname", "user", "port", "proxyjump", ...
[[nodiscard]] Result<std::vector<std::pair<std::string, std::string>>> resolvedConfig(const OpenSshOptions& options);

/// The names that an ssh_config offers for choosing: its `Host` words without patterns, in order, each once.
[[nodiscard]] std::vector<std::string> hostAliases(std::string_view sshConfig);

} // namespace wb::remote
