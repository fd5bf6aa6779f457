// The commands of srtwb: one file each, one row each.
//
// To add one: <name>command.cpp with its add function, declared here, and a row in main.cpp.
#pragma once

#include "app/cli/console.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace wb::cli {

/// Exit codes are a contract with scripts.
enum ExitCode {
    Good = 0,     ///< Nothing wrong; warnings alone are good.
    Findings = 1, ///< Errors in a recipe, a difference, a failed job.
    Usage = 2,    ///< Wrong options.
    World = 3,    ///< An unreadable path, no connection.
};

/// Adds the options to the command and gives what runs it; called once the options were read.
using Run = std::function<int()>;
struct Command {
    std::string_view name;
    std::string_view summary;
    std::string_view examples; ///< Lines for the end of --help.
    Run (*add)(CLI::App& command, Console& console);
};

Run addCheck(CLI::App& command, Console& console);
Run addCompare(CLI::App& command, Console& console);
Run addConsolidate(CLI::App& command, Console& console);
Run addDryRun(CLI::App& command, Console& console);
Run addExplode(CLI::App& command, Console& console);
Run addExpand(CLI::App& command, Console& console);
Run addImport(CLI::App& command, Console& console);
Run addMigrate(CLI::App& command, Console& console);
Run addPareto(CLI::App& command, Console& console);
Run addPoints(CLI::App& command, Console& console);
Run addResolve(CLI::App& command, Console& console);
Run addSchema(CLI::App& command, Console& console);
Run addSimulate(CLI::App& command, Console& console);
Run addSnapshot(CLI::App& command, Console& console);

} // namespace wb::cli
