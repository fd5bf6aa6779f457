// Tar and zip archives, as result folders are handed around in. They are unpacked into a private folder, read from there, and removed
// again; what comes out names the archive: "runs.tar.gz/1001/logs/...".
#pragma once

#include "core/results/importer.h"

#include <stop_token>
#include <string>
#include <string_view>

namespace wb::results {

/// As `ImportedFile::format`: an archive that was looked into.
inline constexpr std::string_view archiveFormat = "archive";

/// .tar, .tar.gz, .tgz, .tar.xz, .tar.zst, .tar.bz2, .zip: by the name, as an archive is not looked into otherwise.
[[nodiscard]] bool isArchiveName(std::string_view path);

/// The files in an archive and their points. Entries that would lie outside of it, links, devices, and names that are never results are
/// left out; more than `mostBytes` of it are not unpacked.
[[nodiscard]] ImportedFile importArchive(const std::string& path, const ImportOptions& options, const std::stop_token& stop);

} // namespace wb::results
