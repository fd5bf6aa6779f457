// srtwb: the workbench's engine on the command line.
#include "app/cli/command.h"

#include <array>
#include <csignal>
#include <exception>

namespace {

using namespace wb::cli;

constexpr std::array commands = {
    Command{"check", "Find all problems of recipes",
            "  srtwb check recipes/\n  srtwb check --cluster srtslurm.yaml sweep.yaml --json\n  srtwb check big.yaml:override_lowmem",
            addCheck},
    Command{"expand", "List the jobs that a recipe stands for",
            "  srtwb expand sweep.yaml\n  srtwb expand --json --cluster srtslurm.yaml big.yaml", addExpand},
    Command{"dry-run", "Write everything that would be submitted", "  srtwb dry-run sweep.yaml --out /tmp/preview", addDryRun},
    Command{"migrate", "Rewrite a recipe of schema 1 in schema 2",
            "  srtwb migrate old.yaml\n  srtwb migrate --verify --in-place recipes/\n  srtwb migrate old.yaml --output new.yaml",
            addMigrate},
    Command{"schema", "Print the recipe language", "  srtwb schema --format markdown\n  srtwb schema --pack cluster --format json-schema",
            addSchema},
    Command{"import", "Take result files into the catalogue",
            "  srtwb import outputs/\n  srtwb import --catalogue team.sqlite outputs/ --json", addImport},
    Command{"points", "List measured points in canonical units", "  srtwb points --csv\n  srtwb points outputs/ --json", addPoints},
    Command{"pareto", "Compute Pareto frontiers, draw them",
            "  srtwb pareto outputs/ --x tps-per-user --y output-tps-per-gpu --png chart.png\n  srtwb pareto --list-axes", addPareto},
};

int run(int argc, char** argv)
{
    Console console;
    CLI::App app("Recipes, dry runs and results of srt-slurm benchmarks.", "srtwb");
    app.set_version_flag("--version", "srtwb " SRTWB_VERSION);
    app.require_subcommand(1);
    app.footer("Exit codes: 0 nothing wrong, 1 findings, 2 wrong options, 3 the world (an unreadable path, no connection).");
    bool isQuiet = false;
    std::array<Run, commands.size()> runs;
    std::array<CLI::App*, commands.size()> subcommands{};
    for (std::size_t i = 0; i < commands.size(); ++i) {
        CLI::App* command = app.add_subcommand(std::string(commands[i].name), std::string(commands[i].summary));
        command->footer("Examples:\n" + std::string(commands[i].examples));
        command->add_flag("--quiet,-q", isQuiet, "Say nothing but errors on standard error");
        runs[i] = commands[i].add(*command, console);
        subcommands[i] = command;
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? Good : Usage;
    }
    console.setQuiet(isQuiet);
    for (std::size_t i = 0; i < commands.size(); ++i) {
        if (!subcommands[i]->parsed())
            continue;
        const int code = runs[i]();
        if (console.finish())
            return code;
        console.fail("Standard output could not be written.");
        return World;
    }
    return Usage;
}

} // namespace

int main(int argc, char** argv)
{
    std::signal(SIGPIPE, SIG_IGN); // a reader that went away is an error of writing, not the end without a word
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        Console().fail(std::string("srtwb failed in a way that it should not: ") + error.what());
        return World;
    }
}
