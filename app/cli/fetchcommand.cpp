// srtwb fetch: brings the results of a job home and takes them into the catalogue; srtwb delete-remote removes its folder there.
#include "app/cli/jobhistory.h"
#include "app/cli/remotecommands.h"
#include "app/cli/resultsource.h"
#include "core/base/safename.h"
#include "core/base/text.h"
#include "core/remote/fetcher.h"
#include "core/remote/slurmstates.h"
#include "core/store/atomicfile.h"

#include <algorithm>
#include <filesystem>

namespace wb::cli {

using base::json::Value;
using store::JobEntry;

namespace {

struct FetchOptions {
    std::vector<std::string> ids;
    std::string out;
    std::string catalogue;
    bool everything = false;
    bool listsOnly = false;
    bool isJson = false;
    std::int64_t largestMib = 64;
};

struct DeleteOptions {
    std::vector<std::string> ids;
    bool isAgreed = false;
};

std::string folderFor(const FetchOptions& options, const JobEntry& job)
{
    const std::filesystem::path base = options.out.empty()
                                           ? std::filesystem::path(defaultCatalogue()).parent_path() / "results" / base::safeName(job.host)
                                           : std::filesystem::path(options.out);
    return (std::filesystem::absolute(base) / remote::resultsName(job)).string();
}

Value filesJson(const std::vector<remote::RemoteFile>& files)
{
    base::json::Array list;
    for (const remote::RemoteFile& file : files) {
        Value object;
        object.set("path", file.path);
        object.set("bytes", static_cast<std::int64_t>(file.size));
        list.push_back(std::move(object));
    }
    return list;
}

/// Takes what was fetched into the catalogue. The number of points; nothing, and said why, when it could not.
std::optional<std::size_t> import(const FetchOptions& options, const std::string& folder, Console& console)
{
    const std::string path = options.catalogue.empty() ? defaultCatalogue() : options.catalogue;
    if (const std::string parent = std::filesystem::path(path).parent_path().string(); !parent.empty()) {
        if (auto made = store::makeFolder(parent); !made) {
            console.fail(made.error());
            return std::nullopt;
        }
    }
    auto catalogue = openCatalogue(path, catalogue::Access::Write);
    if (!catalogue) {
        console.fail(catalogue.error());
        return std::nullopt;
    }
    const auto imported = catalogue->import({folder});
    if (!imported) {
        console.fail(imported.error());
        return std::nullopt;
    }
    sayWarnings(*imported, console);
    std::size_t points = 0;
    for (const results::ImportedFile& file : imported->files)
        points += file.state == results::FileState::Unchanged ? file.kept : file.points.size();
    return points;
}

struct Tally {
    int code = Good;
    base::json::Array jobs;
    base::json::Array fetched;
};

void fetchOne(const FetchOptions& options, History& history, JobEntry& job, RemoteSession& session, Console& console, Tally& tally,
              const std::stop_token& stop)
{
    remote::OpenSshTransport& transport = session.transportOf(profileOf(history, job));
    const std::string remoteFolder = remote::outputFolder(job);
    if (auto connected = transport.connect(stop); !connected) {
        console.fail(connected.error());
        tally.code = World;
        return;
    }
    const auto files = remote::remoteFiles(transport, remoteFolder, stop);
    if (!files) {
        console.fail(files.error());
        tally.code = World;
        return;
    }
    remote::FetchRule rule;
    rule.everything = options.everything;
    rule.largest = static_cast<std::uint64_t>(options.largestMib) << 20U;
    const remote::FetchPlan plan = remote::planFetch(*files, rule);
    const std::string folder = folderFor(options, job);
    Value told;
    told.set("id", job.id);
    told.set("folder", folder);
    told.set("partial", remote::isPartial(job));
    told.set("files", filesJson(plan.wanted));
    told.set("left", filesJson(plan.left));
    console.say(job.name + ": " + std::to_string(plan.wanted.size()) + " files, " + std::to_string(plan.bytes) + " bytes; " +
                std::to_string(plan.left.size()) + " files stay there.");
    if (options.listsOnly) {
        if (!options.isJson)
            for (const remote::RemoteFile& file : plan.wanted)
                console.write(std::to_string(file.size) + '\t' + base::printable(file.path) + '\n');
        tally.fetched.push_back(std::move(told));
        return;
    }
    const auto fetched = remote::fetchFiles(transport, remoteFolder, plan, folder, {}, stop);
    if (!fetched) {
        console.fail(fetched.error());
        console.say("What came so far is kept; the same command goes on.");
        tally.code = World;
        return;
    }
    for (const std::string& warning : fetched->warnings)
        console.fail(warning);
    if (!fetched->warnings.empty())
        tally.code = std::max<int>(tally.code, Findings);
    const auto points = import(options, folder, console);
    if (!points)
        tally.code = World;
    told.set("points", points ? Value(*points) : Value());
    told.set("unchanged", fetched->unchanged);
    tally.fetched.push_back(std::move(told));
    job.fetched = folder;
    if (auto record = writableRecord()) {
        if (auto done = record->put(job); !done)
            console.fail(done.error());
    }
    if (!options.isJson)
        console.write(base::printable(folder) + '\t' + std::to_string(fetched->files.size()) + " files\t" +
                      (points ? std::to_string(*points) : std::string("?")) + " points\n");
    if (remote::isPartial(job))
        console.say(job.name + " is " + job.state + ": its results are partial.");
}

int runFetch(const FetchOptions& options, Console& console)
{
    auto history = openHistory(console);
    if (!history)
        return World;
    std::vector<JobEntry> jobs;
    for (const std::string& id : options.ids) {
        auto job = jobOf(*history, id, console);
        if (!job)
            return Findings;
        jobs.push_back(*std::move(job));
    }
    const Interruption interruption;
    RemoteSession session;
    Tally tally;
    if (!bringUpToDate(*history, jobs, session, console, interruption.token()))
        tally.code = World;
    for (JobEntry& job : jobs) {
        if (!remote::hasFolder(job)) {
            console.fail(base::inQuotes(job.name) + " has no folder on the cluster.");
            tally.code = std::max<int>(tally.code, Findings);
            continue;
        }
        fetchOne(options, *history, job, session, console, tally, interruption.token());
        tally.jobs.push_back(toJson(job));
    }
    if (options.isJson) {
        Value document;
        document.set("jobs", std::move(tally.jobs));
        document.set("fetched", std::move(tally.fetched));
        console.writeDocument(document);
    }
    session.sayTrouble(console);
    return tally.code;
}

int runDelete(const DeleteOptions& options, Console& console)
{
    auto history = openHistory(console);
    if (!history)
        return World;
    const Interruption interruption;
    RemoteSession session;
    int code = Good;
    for (const std::string& id : options.ids) {
        auto job = jobOf(*history, id, console);
        if (!job)
            return Findings;
        std::vector<JobEntry> one = {*job};
        // What is in the folder also tells whether the job was submitted: it goes only when that is known, and the job has ended.
        if (!bringUpToDate(*history, one, session, console, interruption.token())) {
            console.fail("It is not known whether " + base::inQuotes(job->name) + " has ended, so its folder stays.");
            code = World;
            continue;
        }
        const bool isOpen = one.front().step == store::Step::Submitting;
        if (isOpen || (!one.front().jobId.empty() && !remote::isEnd(one.front().state) && one.front().state != "unknown")) {
            console.fail(base::inQuotes(job->name) + (isOpen ? " may be on the cluster, its answer was lost" : " is " + one.front().state) +
                         "; its folder is in use.");
            code = std::max<int>(code, Findings);
            continue;
        }
        const remote::Profile profile = profileOf(*history, *job);
        if (profile.isReadOnly || !options.isAgreed) {
            console.fail((profile.isReadOnly ? "The profile is read-only: " : "Without --yes nothing is removed: ") + profile.host + ':' +
                         base::printable(job->remoteDir));
            return Usage;
        }
        if (auto done = remote::removeRemoteFolder(session.transportOf(profile), job->remoteDir, job->id, interruption.token()); !done) {
            console.fail(done.error());
            code = World;
            continue;
        }
        console.say("Removed " + profile.host + ':' + job->remoteDir + '.');
    }
    return code;
}

} // namespace

Run addFetch(CLI::App& command, Console& console)
{
    auto options = std::make_shared<FetchOptions>();
    command.add_option("id", options->ids, "Id of the history (its begin will do), Slurm's job id, or HOST:ID")->required();
    command.add_option("--out", options->out, "Folder for the jobs' folders (default: results/HOST beside the catalogue)");
    command.add_option("--catalogue", options->catalogue, "Catalogue file");
    command.add_flag("--all", options->everything, "Also what is no result: logs of workers, profiles");
    command.add_option("--largest", options->largestMib, "MiB above which a file stays there (64)")->check(CLI::PositiveNumber);
    command.add_flag("--list", options->listsOnly, "Only list what would be fetched, with sizes");
    command.add_flag("--json", options->isJson, "Print one JSON document");
    return [options, &console] { return runFetch(*options, console); };
}

Run addDeleteRemote(CLI::App& command, Console& console)
{
    auto options = std::make_shared<DeleteOptions>();
    command.add_option("id", options->ids, "Id of the history (its begin will do), Slurm's job id, or HOST:ID")->required();
    command.add_flag("--yes", options->isAgreed, "Do it");
    return [options, &console] { return runDelete(*options, console); };
}

} // namespace wb::cli
