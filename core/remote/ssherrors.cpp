#include "core/remote/ssherrors.h"

#include "core/base/text.h"

#include <array>
#include <string>

namespace wb::remote {

namespace {

constexpr std::array rows = {
    SshError{
        "REMOTE HOST IDENTIFICATION HAS CHANGED", ErrorCode::Refused,
        "shows another host key than the known one. Somebody may be listening in, or the host was set up anew; nothing was sent. Ask its "
        "administrator for the fingerprint, then remove the old key with \"ssh-keygen -R\"."},
    SshError{"Host key verification failed", ErrorCode::Refused,
             "is not known yet: its host key was not accepted. Log in once with \"ssh\" and compare the fingerprint."},
    SshError{"Permission denied", ErrorCode::Denied,
             "does not accept this log-in; the key may be missing in the agent, or the session expired."},
    SshError{"Too many authentication failures", ErrorCode::Denied, "does not accept this log-in: too many keys were tried."},
    SshError{"Could not resolve hostname", ErrorCode::Unreachable, "has a name that cannot be resolved; a VPN may be down."},
    SshError{"Connection refused", ErrorCode::Unreachable, "does not accept connections."},
    SshError{"Connection timed out", ErrorCode::TimedOut, "does not answer."},
    SshError{"Operation timed out", ErrorCode::TimedOut, "does not answer."},
    SshError{"banner exchange", ErrorCode::TimedOut, "does not answer as an SSH server would."},
    SshError{"No route to host", ErrorCode::Unreachable, "cannot be reached from here."},
    SshError{"Network is unreachable", ErrorCode::Unreachable, "cannot be reached: there is no network."},
    SshError{"not responding", ErrorCode::TimedOut, "stopped answering."},
    SshError{"Bad configuration option", ErrorCode::Malformed,
             "cannot be reached: the SSH configuration has an option that ssh does not know."},
    SshError{"Connection closed", ErrorCode::Unreachable, "closed the connection."},
    SshError{"Connection reset", ErrorCode::Unreachable, "closed the connection."},
    SshError{"Broken pipe", ErrorCode::Unreachable, "closed the connection."},
    SshError{"session request failed", ErrorCode::Unreachable, "opens no further session on this connection."},
};

} // namespace

std::span<const SshError> sshErrors()
{
    return rows;
}

Error sshFailure(std::string_view host, std::string_view err)
{
    const std::string name(base::printable(host));
    for (const SshError& row : rows) {
        if (err.find(row.words) != std::string_view::npos)
            return {row.code, name + ' ' + std::string(row.meaning), std::string(base::trimmed(err))};
    }
    return {ErrorCode::Unreachable, "The connection to " + name + " failed before the command had answered.",
            std::string(base::trimmed(err))};
}

} // namespace wb::remote
