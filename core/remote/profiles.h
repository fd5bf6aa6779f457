// Which clusters there are and how they are used: a file of the user's, profiles.json, that people may edit.
//
// To add a setting: a member, and a row in profiles.cpp.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wb::remote {

struct Profile {
    std::string name;
    std::string host;                     ///< As for ssh; empty: no host, all is rendered and nothing is sent.
    std::string sshConfig;                ///< File for `ssh -F`; empty: ssh's own.
    std::string remoteFolder = "~/srtwb"; ///< Where the jobs' folders are made.
    std::string clusterFile;              ///< srtslurm.yaml here, that recipes are checked against; empty: the language's own search.
    std::string remoteClusterFile;        ///< The one that the cluster's srtctl reads; empty: srtctl's own search.
    std::string launcher = "portable";    ///< portable or srtctl
    std::string srtctl = "srtctl";        ///< Program there.
    std::string services;                 ///< Folder there with nats-server, etcd and setup scripts, for the portable launcher.
    std::string outputs;                  ///< Folder there that gets a folder for each job; empty: the cluster file's, else the job's own.
    std::string preamble;                 ///< Shell lines in front of Slurm's commands: `module load slurm`.
    std::string secrets;                  ///< Names of variables that jobs get, with commas between: their values come from a secret store.
    std::string colour;                   ///< Of the frame that the window shows: "#rrggbb", or empty.
    bool isReadOnly = false;              ///< Watch only.
    std::int64_t pollSeconds = 30;
    std::int64_t maxInFlight = 0;
    std::int64_t staggerSeconds = 0;
    std::int64_t patienceSeconds = 120;
    std::int64_t connectSeconds = 15;
    std::int64_t aliveSeconds = 10;

    friend bool operator==(const Profile&, const Profile&) = default;
};

inline constexpr std::string_view offlineProfile = "offline"; ///< Built in, has no host.

/// {"profiles": [{"name": ..., "host": ...}]}: a wrong or unknown key is an error that names it.
[[nodiscard]] Result<std::vector<Profile>> readProfiles(std::string_view json);
[[nodiscard]] std::string writeProfiles(const std::vector<Profile>& profiles);

/// The profile of that name, the built-in one, or one made for an ssh host of that name.
[[nodiscard]] Profile profileFor(const std::vector<Profile>& profiles, std::string_view nameOrHost);

} // namespace wb::remote
