// The commands below `srtwb snapshot`: one file each, one row each in snapshotcommand.cpp.
#pragma once

#include "app/cli/command.h"

#include <string>
#include <vector>

namespace wb::cli {

Run addSnapshotCheck(CLI::App& command, Console& console);
Run addSnapshotImport(CLI::App& command, Console& console);
Run addSnapshotPreflight(CLI::App& command, Console& console);
Run addSnapshotRestoreManifest(CLI::App& command, Console& console);

} // namespace wb::cli
