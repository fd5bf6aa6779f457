// The cluster file that stands on the cluster, for checking recipes here against the same one.
#pragma once

#include "core/remote/transport.h"

#include <stop_token>
#include <string>
#include <string_view>

namespace wb::remote {

struct RemoteClusterFile {
    std::string path; ///< There, as it was named.
    std::string bytes;
    std::string sha256; ///< Of the bytes, told by the cluster and checked here.
};

/// Reads the file. `named`: its path there ("~/..." is the user's own folder); empty: what SRTSLURM_CONFIG of a login shell names. Fails
/// with NotFound when there is none, and says where was looked.
[[nodiscard]] Result<RemoteClusterFile> readClusterFile(Transport& transport, std::string_view named, std::stop_token stop = {});

} // namespace wb::remote
