// The transport that goes nowhere: scripts run on this machine, for clusters whose tools are at hand here (kubectl).
#pragma once

#include "core/remote/transport.h"

namespace wb::remote {

struct LocalOptions {
    std::string shell = "/bin/sh";
    std::string path; ///< PATH of the script; empty: that of this process.
    AuditSink audit;  ///< May be empty. Called from the thread that runs the command.
    std::function<std::int64_t()> now;
};

class LocalTransport final : public Transport
{
public:
    explicit LocalTransport(LocalOptions options = {});

    [[nodiscard]] Result<RemoteOutcome> run(const RemoteCommand& command, std::stop_token stop = {}) override;
    [[nodiscard]] Result<void> connect(std::stop_token stop = {}) override; ///< There is nothing to connect to.
    [[nodiscard]] bool isConnected() override;                              ///< Always.
    void disconnect() override;
    [[nodiscard]] std::string host() const override; ///< "this machine"

private:
    LocalOptions m_options;
};

} // namespace wb::remote
