// Following logs on the cluster: any number of files in one command, each from where it was read last. A file need not be there yet.
#pragma once

#include "core/remote/transport.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace wb::remote {

/// A file and how far it was read.
struct TailPosition {
    std::string path;         ///< On the cluster, absolute.
    std::uint64_t offset = 0; ///< Bytes that were read.
};

struct TailPiece {
    bool exists = false;
    std::uint64_t size = 0;       ///< Of the file now.
    std::int64_t idleSeconds = 0; ///< Since the last byte was written, by the cluster's own clock.
    std::uint64_t begin = 0;      ///< Where `bytes` begin: the offset, or 0 when the file was begun anew.
    bool wasReplaced = false;     ///< It is shorter than what was read: another file, or cut.
    std::string bytes;            ///< At most `most` of them.
};

/// A piece for each position, in the same order.
[[nodiscard]] Result<std::vector<TailPiece>> readTails(Transport& transport, const std::vector<TailPosition>& positions, std::uint64_t most,
                                                       std::stop_token stop = {});

/// A file of a job's folder.
struct RemoteFile {
    std::string path; ///< Relative to the folder that was asked for.
    std::uint64_t size = 0;
    std::int64_t modified = 0; ///< Seconds since 1970, the cluster's clock.

    friend bool operator==(const RemoteFile&, const RemoteFile&) = default;
};
/// All plain files below a folder, sorted by path; what the submission itself keeps there (.srtwb) is left out.
[[nodiscard]] Result<std::vector<RemoteFile>> remoteFiles(Transport& transport, std::string_view folder, std::stop_token stop = {});

/// Bytes that a terminal would obey become visible, line by line; "\r" progress bars keep their last state. Not UTF-8: \xNN.
[[nodiscard]] std::string harmless(std::string_view bytes);

/// Lines that follow each other and differ in numbers only become one with "[n times]". Whole lines only.
[[nodiscard]] std::string collapsed(std::string_view text);

/// A known sign of a failure in a log.
///
/// To add one: a row in logtail.cpp.
struct LogSign {
    std::string_view id;
    std::string_view words;
    std::string_view meaning;
};
[[nodiscard]] std::span<const LogSign> logSigns();

/// The first line that tells of a failure; lines that `set -x` echoed do not count.
struct FoundSign {
    std::size_t line = 0; ///< From 1.
    std::string text;
    const LogSign* sign = nullptr; ///< Null: it says "error" and no more is known of it.
};
[[nodiscard]] std::optional<FoundSign> firstError(std::string_view text);

} // namespace wb::remote
