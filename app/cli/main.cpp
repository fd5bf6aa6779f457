// srtwb: the workbench's engine on the command line.
#include "app/cli/command.h"
#include "app/cli/qtapplication.h"
#include "app/cli/remotecommands.h"
#include "app/cli/usage.h"
#include "core/base/text.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <exception>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace wb::cli;

constexpr std::array commands = {
    Command{"check", "Find all problems of recipes",
            "  srtwb check recipes/\n  srtwb check --cluster srtslurm.yaml sweep.yaml --json\n  srtwb check big.yaml:override_lowmem",
            addCheck},
    Command{"expand", "List the jobs that a recipe stands for",
            "  srtwb expand sweep.yaml\n  srtwb expand --json --cluster srtslurm.yaml big.yaml", addExpand},
    Command{"resolve", "Print the recipe of each variant, comments kept",
            "  srtwb resolve big.yaml:override_lowmem\n  srtwb resolve big.yaml --out /tmp/resolved --provenance", addResolve},
    Command{"dry-run", "Write everything that would be submitted", "  srtwb dry-run sweep.yaml --out /tmp/preview", addDryRun},
    Command{"consolidate", "Put recipes that share most values into one file, with proof",
            "  srtwb consolidate a.yaml b.yaml c.yaml --out all.yaml\n  srtwb consolidate old/ --out all.yaml --group tp", addConsolidate},
    Command{"explode", "Take a file with overrides or a sweep apart, with proof", "  srtwb explode all.yaml --out apart", addExplode},
    Command{"migrate", "Rewrite a recipe of schema 1 in schema 2",
            "  srtwb migrate old.yaml\n  srtwb migrate --verify --in-place recipes/\n  srtwb migrate old.yaml --output new.yaml",
            addMigrate},
    Command{"schema", "Print the recipe language",
            "  srtwb schema benchmark.concurrencies\n  srtwb schema --engine sglang mem-fraction-static\n  srtwb schema --pack cluster "
            "--format json-schema",
            addSchema},
    Command{"preflight", "Find out what a cluster would say to a recipe",
            "  srtwb preflight --host hopper sweep.yaml\n  srtwb preflight --host hopper --compute sweep.yaml --json", addPreflight},
    Command{"submit", "Put the jobs of a recipe on a cluster, each once",
            "  srtwb submit --host hopper sweep.yaml\n  srtwb submit --host hopper big.yaml --only lowmem --yes --json", addSubmit},
    Command{"jobs", "List the jobs that were submitted, and what became of them", "  srtwb jobs\n  srtwb jobs --local --json", addJobs},
    Command{"status", "Show what is known of jobs", "  srtwb status 12345\n  srtwb status hopper:12345 --json", addStatus},
    Command{"logs", "Read the logs of a job on the cluster", "  srtwb logs 12345 -f\n  srtwb logs 12345 --error", addLogs},
    Command{"cancel", "Cancel jobs; their files stay", "  srtwb cancel 12345", addCancel},
    Command{"fetch", "Bring the results of jobs home, into the catalogue", "  srtwb fetch 12345\n  srtwb fetch 12345 --list", addFetch},
    Command{"delete-remote", "Remove the folder of a job on the cluster", "  srtwb delete-remote 12345 --yes", addDeleteRemote},
    Command{"import", "Take result files into the catalogue",
            "  srtwb import outputs/\n  srtwb import --catalogue team.sqlite outputs/ --json", addImport},
    Command{"points", "List measured points in canonical units",
            "  srtwb points --csv\n  srtwb points outputs/ --json\n  srtwb points outputs/ --missing sweep.yaml", addPoints},
    Command{"pareto", "Compute Pareto frontiers, draw them",
            "  srtwb pareto outputs/ --x tps-per-user --y output-tps-per-gpu --png chart.png\n"
            "  srtwb pareto outputs/ --y cost-per-m-output-tokens --price \"gb200=3.5, h100=2\" --labels concurrency --svg cost.svg\n"
            "  srtwb pareto --list-axes",
            addPareto},
    Command{"compare", "Say what differs between runs or recipes, and whether it is one thing",
            "  srtwb compare outputs/15902 outputs/15975\n  srtwb compare --json a.lock.yaml b.lock.yaml\n  srtwb compare "
            "big.yaml:override_a big.yaml:override_b\n  srtwb compare sweep.yaml:0 sweep.yaml:dsr1_tp8",
            addCompare},
    Command{"simulate", "Foretell the points of a recipe with a model, before any GPU is spent",
            "  srtwb simulate sweep.yaml --json\n  srtwb simulate new.yaml --calibrate outputs/\n  srtwb simulate --calibrate outputs/",
            addSimulate},
    Command{"snapshot", "Check, preflight and compare NVIDIA Snapshot checkpoints",
            "  srtwb snapshot check manifests/\n  srtwb snapshot import results/", addSnapshot},
};

/// The exit code, when all that was printed arrived.
int finished(Console& console, int code)
{
    if (console.finish())
        return code;
    console.fail("Standard output could not be written.");
    return World;
}

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
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    std::array<std::string_view, commands.size()> names;
    std::transform(commands.begin(), commands.end(), names.begin(), [](const Command& command) { return command.name; });
    if (const std::string unknown = unknownCommand(arguments, names); !unknown.empty()) {
        console.fail(unknown);
        return Usage;
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) { // --help and --version
            app.exit(error);
            return finished(console, Good);
        }
        if (const std::string unknown = unknownOption(app, arguments); !unknown.empty()) {
            console.fail(unknown);
            if (const std::string hint = dashedFile(arguments); !hint.empty())
                console.fail(hint);
            return Usage;
        }
        std::ostringstream said; // what the user typed comes back in it
        app.exit(error, said, said);
        console.fail(wb::base::trimmed(said.str()));
        if (const std::string hint = dashedFile(arguments); !hint.empty())
            console.fail(hint);
        return Usage;
    }
    if (const std::string empty = emptyArgument(app); !empty.empty()) {
        console.fail(empty);
        return Usage;
    }
    console.setQuiet(isQuiet);
    for (std::size_t i = 0; i < commands.size(); ++i) {
        if (!subcommands[i]->parsed())
            continue;
        return finished(console, runs[i]());
    }
    return Usage;
}

/// A standard stream that is closed would be the next file that is opened: what is printed must never go into one.
void holdStandardStreams()
{
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) == -1 && errno == EBADF)
            (void)::open("/dev/null", O_RDONLY); // takes the lowest free number; writing to it fails, as it did
    }
}

} // namespace

int main(int argc, char** argv)
{
    holdStandardStreams();
    std::signal(SIGPIPE, SIG_IGN); // what was begun is ended also when nobody reads the output to its end
    const QtApplicationScope qt;
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        Console().fail(std::string("srtwb failed in a way that it should not: ") + error.what());
        return World;
    }
}
