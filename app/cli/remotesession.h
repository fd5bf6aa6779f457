// What the commands on clusters share: profiles, the connection, the job record, Ctrl-C.
#pragma once

#include "app/cli/command.h"
#include "core/remote/auditlog.h"
#include "core/remote/opensshtransport.h"
#include "core/remote/profiles.h"
#include "core/store/jobrecord.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace wb::cli {

/// Below $XDG_STATE_HOME, else ~/.local/state: the job record, the audit log.
[[nodiscard]] std::string stateFolder();
/// Below $XDG_CONFIG_HOME, else ~/.config: profiles.json.
[[nodiscard]] std::string profilesFile();
[[nodiscard]] std::int64_t secondsNow(); ///< Since 1970.

/// The profiles of the user; without a file none. A bad file is an error that names it.
[[nodiscard]] Result<std::vector<remote::Profile>> userProfiles();

/// Ctrl-C and SIGTERM ask to stop; a second one ends the program.
class Interruption
{
public:
    Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;
    ~Interruption();
    [[nodiscard]] std::stop_token token() const;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

/// Connections of one call of srtwb, each made when it is needed first.
class RemoteSession
{
public:
    /// `secrets`: values that must not stand in the audit log.
    explicit RemoteSession(std::vector<std::string> secrets = {});

    /// The connection of a profile. ssh may ask on the terminal where there is one, and `mayAsk`.
    [[nodiscard]] remote::OpenSshTransport& transportOf(const remote::Profile& profile, bool mayAsk = true);
    /// Troubles of the audit log are said once.
    void sayTrouble(Console& console) const;

private:
    std::shared_ptr<remote::AuditLog> m_audit;
    std::vector<std::pair<remote::Profile, std::unique_ptr<remote::OpenSshTransport>>> m_transports;
};

} // namespace wb::cli
