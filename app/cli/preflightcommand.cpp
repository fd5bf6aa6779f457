// srtwb preflight: what can be known before a job is submitted.
#include "app/cli/plannedjobs.h"
#include "app/cli/remotecommands.h"
#include "app/cli/remotesession.h"
#include "core/base/files.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/remote/preflight.h"

namespace wb::cli {

using base::json::Value;
using remote::CheckState;
using remote::PreflightCheck;

namespace {

struct PreflightCommandOptions : RemoteOptions {
    bool asksNodes = false;
};

std::vector<PreflightCheck> checksHere(const PlannedJobs& planned)
{
    std::vector<PreflightCheck> out;
    const check::Checked& checked = *planned.recipe.checked;
    out.push_back({"recipe", remote::Location::Here, checked.valid ? CheckState::Ok : CheckState::Absent, planned.recipe.path,
                   checked.valid ? "The recipe has no errors." : "The recipe has errors; \"srtwb check\" lists them."});
    const recipe::Cluster& cluster = check::clusterOf(planned.recipe.facts, checked);
    out.push_back(
        {"cluster-file", remote::Location::Here, cluster.isKnown ? CheckState::Ok : CheckState::Warning, cluster.path,
         cluster.isKnown ? "The recipe is checked against it." : "There is no cluster file: aliases and defaults are not known."});
    for (const UnreadyJob& job : planned.unready)
        out.push_back({"variant", remote::Location::Here, CheckState::Absent, job.name, job.why});
    return out;
}

int run(const PreflightCommandOptions& options, Console& console)
{
    const PlannedJobs planned = planJobs(options, console);
    if (planned.code != Good)
        return planned.code;
    std::vector<PreflightCheck> checks = checksHere(planned);
    bool isReached = true;
    if (planned.profile.host.empty()) {
        checks.push_back({"connection", remote::Location::Here, CheckState::Unknown, planned.profile.name,
                          "The profile has no host: nothing was asked of a cluster."});
    } else {
        const check::Checked& checked = *planned.recipe.checked;
        const recipe::Cluster& cluster = check::clusterOf(planned.recipe.facts, checked);
        remote::PreflightNeeds needs;
        needs.remoteFolder = planned.profile.remoteFolder;
        needs.preamble = planned.profile.preamble;
        needs.asksNodes = options.asksNodes;
        if (planned.launcher == render::Launcher::Srtctl) {
            needs.srtctl = planned.profile.srtctl;
            needs.packVersion = std::to_string(checked.schema);
            needs.remoteClusterFile = planned.profile.remoteClusterFile;
            if (cluster.isKnown) {
                if (const auto bytes = base::readFile(cluster.path))
                    needs.clusterSha256 = base::sha256Hex(*bytes);
            }
        }
        for (const ReadyJob& job : planned.ready) {
            remote::addNeeds(needs, *job.job, cluster);
            for (const remote::BundleFile& file : remote::sentFiles(job.artifacts))
                needs.uploadBytes += file.bytes.size();
        }
        const Interruption interruption;
        RemoteSession session;
        const auto found = remote::preflight(session.transportOf(planned.profile), needs, interruption.token());
        for (const PreflightCheck& check : found)
            isReached = isReached && !(check.id == "connection" && check.state == CheckState::Absent);
        checks.insert(checks.end(), found.begin(), found.end());
        session.sayTrouble(console);
    }
    bool hasAbsent = false;
    base::json::Array list;
    for (const PreflightCheck& check : checks) {
        hasAbsent = hasAbsent || check.state == CheckState::Absent;
        if (options.isJson) {
            Value object;
            object.set("id", check.id);
            object.set("location", remote::name(check.location));
            object.set("state", remote::name(check.state));
            object.set("subject", check.subject);
            object.set("message", check.message);
            list.push_back(std::move(object));
        } else {
            console.write(std::string(remote::name(check.state)) + '\t' + std::string(remote::name(check.location)) + '\t' + check.id +
                          '\t' + base::printable(check.subject) + '\t' + base::printable(check.message) + '\n');
        }
    }
    if (options.isJson) {
        Value document;
        document.set("checks", std::move(list));
        console.writeDocument(document);
    }
    if (!isReached)
        return World;
    return hasAbsent ? Findings : Good;
}

} // namespace

Run addPreflight(CLI::App& command, Console& console)
{
    auto options = std::make_shared<PreflightCommandOptions>();
    addRemoteOptions(command, *options);
    command.add_flag("--compute", options->asksNodes, "Also look for paths on a compute node, by a short srun");
    return [options, &console] { return run(*options, console); };
}

} // namespace wb::cli
