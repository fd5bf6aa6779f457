// The commands that reach clusters: rows of main.cpp like those of command.h.
#pragma once

#include "app/cli/command.h"

namespace wb::cli {

Run addCancel(CLI::App& command, Console& console);
Run addDeleteRemote(CLI::App& command, Console& console);
Run addFetch(CLI::App& command, Console& console);
Run addJobs(CLI::App& command, Console& console);
Run addLogs(CLI::App& command, Console& console);
Run addPreflight(CLI::App& command, Console& console);
Run addStatus(CLI::App& command, Console& console);
Run addSubmit(CLI::App& command, Console& console);

} // namespace wb::cli
