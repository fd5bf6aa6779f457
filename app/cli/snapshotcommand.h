// The commands below `srtwb snapshot`: one file each, one row each in snapshotcommand.cpp.
#pragma once

#include "app/cli/command.h"
#include "core/base/result.h"

#include <string>
#include <vector>

namespace wb::cli {

Run addSnapshotCheck(CLI::App& command, Console& console);
Run addSnapshotImport(CLI::App& command, Console& console);
Run addSnapshotPreflight(CLI::App& command, Console& console);
Run addSnapshotRestoreManifest(CLI::App& command, Console& console);

/// The bytes of a file, or of standard input for "-".
[[nodiscard]] Result<std::string> readInput(const std::string& path);

} // namespace wb::cli
