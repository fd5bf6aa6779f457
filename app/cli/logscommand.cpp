// srtwb logs: reads the logs of a job on the cluster, and follows them.
#include "app/cli/jobhistory.h"
#include "app/cli/remotecommands.h"
#include "core/base/text.h"
#include "core/remote/logtail.h"
#include "core/remote/monitor.h"
#include "core/remote/ownlog.h"
#include "core/remote/slurmstates.h"
#include "core/remote/waiting.h"

#include <algorithm>
#include <chrono>

namespace wb::cli {

using base::json::Value;
using store::JobEntry;

namespace {

constexpr std::uint64_t mostAtOnce = std::uint64_t{4} << 20U;

struct LogsOptions {
    std::string id;
    std::vector<std::string> files;
    bool follows = false;
    bool listsFiles = false;
    bool showsError = false;
    bool collapses = false;
    bool isJson = false;
};

std::string mainLog(const std::vector<remote::RemoteFile>& files, const JobEntry& job)
{
    std::vector<std::string> paths;
    for (const remote::RemoteFile& file : files)
        paths.push_back(file.path);
    return remote::ownLog(paths, job);
}

void printFiles(const std::vector<remote::RemoteFile>& files, const JobEntry& job, bool isJson, Console& console)
{
    base::json::Array list;
    for (const remote::RemoteFile& file : files) {
        if (!isJson)
            console.write(std::to_string(file.size) + '\t' + base::printable(file.path) + '\n');
        Value object;
        object.set("path", file.path);
        object.set("bytes", static_cast<std::int64_t>(file.size));
        object.set("modified", file.modified);
        list.push_back(std::move(object));
    }
    if (!isJson)
        return;
    Value document;
    document.set("jobs", base::json::Array{toJson(job)});
    document.set("files", std::move(list));
    console.writeDocument(document);
}

/// What was read of one file.
struct Followed {
    std::string path; ///< Relative, for people.
    remote::TailPosition position;
    std::string half; ///< Behind the last line break.
    std::string all;  ///< For --error and --collapse.
    bool existed = false;
};

void show(Followed& file, const remote::TailPiece& piece, const LogsOptions& options, bool isOnly, Console& console)
{
    if (piece.wasReplaced)
        console.say(base::pathInQuotes(file.path) + " was begun anew.");
    file.existed = file.existed || piece.exists;
    if (piece.exists)
        file.position.offset = piece.begin + piece.bytes.size();
    if (piece.bytes.empty())
        return;
    if (options.showsError || options.collapses) {
        file.all += piece.bytes;
        return;
    }
    file.half += piece.bytes;
    const std::size_t end = file.half.rfind('\n');
    if (end == std::string::npos)
        return;
    const std::string text = remote::harmless(std::string_view(file.half).substr(0, end + 1));
    file.half.erase(0, end + 1);
    if (isOnly) {
        console.write(text);
    } else {
        for (const std::string_view line : base::splitAt(std::string_view(text).substr(0, text.size() - 1), '\n'))
            console.write(base::printable(file.path) + ": " + std::string(line) + '\n');
    }
    (void)console.finish(); // whoever waits for the line gets it now
}

int finish(std::vector<Followed>& files, const LogsOptions& options, Console& console)
{
    int code = Good;
    for (Followed& file : files) {
        const std::string text = remote::harmless(file.all.empty() ? file.half : file.all);
        if (options.showsError) {
            if (const auto found = remote::firstError(text)) {
                console.write(base::printable(file.path) + ':' + std::to_string(found->line) + ": " + found->text + '\n');
                if (found->sign)
                    console.say(std::string(found->sign->meaning));
                code = Findings;
            }
        } else if (options.collapses) {
            console.write(remote::collapsed(text));
        } else if (!text.empty()) {
            console.write(text + '\n');
        }
    }
    return code;
}

int run(const LogsOptions& options, Console& console)
{
    auto history = openHistory(console);
    if (!history)
        return World;
    auto job = jobOf(*history, options.id, console);
    if (!job)
        return Findings;
    if (!remote::hasFolder(*job)) {
        console.fail(base::inQuotes(job->name) + " has no folder on the cluster yet.");
        return Findings;
    }
    const Interruption interruption;
    RemoteSession session;
    const remote::Profile profile = profileOf(*history, *job);
    remote::OpenSshTransport& transport = session.transportOf(profile);
    if (auto connected = transport.connect(interruption.token()); !connected) {
        console.fail(connected.error());
        return World;
    }
    const std::string folder = remote::outputFolder(*job);
    std::vector<JobEntry> jobs = {*job};
    (void)bringUpToDate(*history, jobs, session, console, interruption.token());
    auto files = remote::remoteFiles(transport, folder, interruption.token());
    if (!files && !(options.follows && files.error().code == ErrorCode::NotFound)) {
        console.fail(files.error());
        return World;
    }
    if (options.listsFiles || options.isJson) {
        printFiles(files ? *files : std::vector<remote::RemoteFile>(), jobs.front(), options.isJson, console);
        return Good;
    }
    std::vector<Followed> followed;
    for (const std::string& name : options.files)
        followed.push_back({name, {name.starts_with('/') ? name : folder + '/' + name, 0}, {}, {}, false});
    const auto choose = [&] {
        if (!followed.empty())
            return;
        if (const std::string name = files ? mainLog(*files, *job) : std::string(); !name.empty())
            followed.push_back({name, {folder + '/' + name, 0}, {}, {}, false});
    };
    choose();
    // The queue is asked as seldom as by any watcher; the files may be read more often.
    const std::chrono::seconds interval = remote::pollPause(std::chrono::seconds(profile.pollSeconds), 0);
    auto nextPoll = std::chrono::steady_clock::now() + interval;
    while (!interruption.token().stop_requested()) {
        bool isMore = false;
        if (!followed.empty()) {
            std::vector<remote::TailPosition> positions;
            for (const Followed& file : followed)
                positions.push_back(file.position);
            const auto pieces = remote::readTails(transport, positions, mostAtOnce, interruption.token());
            if (!pieces && !options.follows) {
                console.fail(pieces.error());
                return World;
            }
            for (std::size_t i = 0; pieces && i < pieces->size(); ++i) {
                show(followed[i], (*pieces)[i], options, followed.size() == 1, console);
                isMore = isMore || ((*pieces)[i].exists && followed[i].position.offset < (*pieces)[i].size);
            }
        }
        if (isMore)
            continue;
        if (!options.follows || remote::isEnd(jobs.front().state))
            break;
        constexpr std::chrono::milliseconds pause(2'000);
        if (!remote::waitFor(pause, interruption.token()))
            break;
        if (std::chrono::steady_clock::now() >= nextPoll) {
            (void)bringUpToDate(*history, jobs, session, console, interruption.token());
            nextPoll = std::chrono::steady_clock::now() + interval;
        }
        if (followed.empty()) {
            files = remote::remoteFiles(transport, folder, interruption.token());
            choose();
        }
    }
    for (const Followed& file : followed)
        if (!file.existed)
            console.say(base::pathInQuotes(file.path) + " is not there.");
    if (followed.empty())
        console.say("The job has written no log yet.");
    return finish(followed, options, console);
}

} // namespace

Run addLogs(CLI::App& command, Console& console)
{
    auto options = std::make_shared<LogsOptions>();
    command.add_option("id", options->id, "Id of the history (its begin will do), Slurm's job id, or HOST:ID")->required();
    command.add_option("--file", options->files, "File in the job's folder; may be given several times (default: the job's own log)")
        ->allow_extra_args(false);
    command.add_flag("-f,--follow", options->follows, "Go on until the job has ended; a file need not be there yet");
    command.add_flag("--list", options->listsFiles, "List the files of the job's folder");
    command.add_flag("--error", options->showsError, "Print the first line that tells of a failure only");
    command.add_flag("--collapse", options->collapses, "Print lines that repeat once, with their number");
    command.add_flag("--json", options->isJson, "Print one JSON document: the job and its files");
    return [options, &console] { return run(*options, console); };
}

} // namespace wb::cli
