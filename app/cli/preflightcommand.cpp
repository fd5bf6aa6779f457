// srtwb preflight: what can be known before a job is submitted.
#include "app/cli/plannedjobs.h"
#include "app/cli/remotecommands.h"
#include "app/cli/remotesession.h"
#include "core/base/text.h"

namespace wb::cli {

using base::json::Value;
using remote::CheckState;
using remote::PreflightCheck;

namespace {

struct PreflightCommandOptions : RemoteOptions {
    bool asksNodes = false;
};

int run(const PreflightCommandOptions& options, Console& console)
{
    const PlannedJobs planned = planJobs(options, console);
    if (planned.code != Good)
        return planned.code;
    std::vector<PreflightCheck> checks = remote::checksHere(planned);
    bool isReached = true;
    if (!planned.profile.host.empty()) {
        const remote::PreflightNeeds needs = remote::needsOf(planned, options.asksNodes);
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
