// kubectl over a transport: on this machine (remote::LocalTransport) or on a login host (remote::OpenSshTransport). The words of a command
// are quoted one by one and the manifest goes in by standard input, so that nothing in them is read by a shell; no kubeconfig is copied.
#pragma once

#include "core/remote/transport.h"
#include "core/snapshot/kubectl.h"

#include <memory>

namespace wb::snapshot {

class TransportKubectl final : public KubectlRunner
{
public:
    /// `program`: a name on the PATH there, or a path.
    explicit TransportKubectl(std::shared_ptr<remote::Transport> transport, std::string program = "kubectl");

    [[nodiscard]] Result<KubectlOutcome> run(const std::vector<std::string>& arguments, std::string_view input,
                                             std::stop_token stop) override;

    /// "this machine" or the host: shown beside everything that is done there.
    [[nodiscard]] std::string host() const { return m_transport->host(); }

private:
    std::shared_ptr<remote::Transport> m_transport;
    std::string m_program;
};

} // namespace wb::snapshot
