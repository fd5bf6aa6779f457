// Bringing results home: files by rule, whole or not at all, going on where an earlier fetch broke off.
#pragma once

#include "core/remote/logtail.h"
#include "core/remote/transport.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace wb::remote {

/// What is fetched.
struct FetchRule {
    std::uint64_t largest = std::uint64_t{64} << 20U; ///< Files above are left there, and told.
    bool everything = false;                          ///< Also what is no result: logs of workers, profiles.
};

struct FetchPlan {
    std::vector<RemoteFile> wanted;
    std::vector<RemoteFile> left; ///< Not wanted by the rule.
    std::uint64_t bytes = 0;      ///< Of the wanted ones.
};
[[nodiscard]] FetchPlan planFetch(const std::vector<RemoteFile>& files, const FetchRule& rule);

struct Fetched {
    std::vector<std::string> files;    ///< Relative names that are here now, verified.
    std::size_t unchanged = 0;         ///< Of those, the ones that were here already.
    std::vector<std::string> warnings; ///< Files that could not be fetched, and why.
};

/// Fetches the wanted files of `remoteFolder` into `localFolder`. Each is written beside its place, checked by its SHA-256 and renamed; a
/// file that is there with the same hash is left alone. Names that lead out of the folder are refused. `progress`: bytes that came so far;
/// may be empty.
[[nodiscard]] Result<Fetched> fetchFiles(Transport& transport, std::string_view remoteFolder, const FetchPlan& plan,
                                         const std::string& localFolder, const std::function<void(std::uint64_t)>& progress = {},
                                         std::stop_token stop = {});

/// Removes a job's folder on the cluster, with all that is in it. Only a folder that a submission of ours made (its name ends with the
/// token, and it holds `.srtwb`) is removed.
[[nodiscard]] Result<void> removeRemoteFolder(Transport& transport, std::string_view remoteFolder, std::string_view token,
                                              std::stop_token stop = {});

} // namespace wb::remote
