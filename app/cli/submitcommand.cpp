// srtwb submit: puts the jobs of a recipe on a cluster, each once.
#include "app/cli/plannedjobs.h"
#include "app/cli/remotecommands.h"
#include "app/cli/remotesession.h"
#include "core/base/shell.h"
#include "core/base/text.h"

#include <unistd.h>

#include <iostream>

namespace wb::cli {

using base::json::Value;
using remote::SubmitEvent;

namespace {

struct SubmitCommandOptions : RemoteOptions {
    bool isAgreed = false;
    bool isNew = false;
    std::int64_t maxInFlight = -1;
    std::int64_t stagger = -1;
};

Value eventJson(std::string_view event, const std::string& name, const std::string& jobId, const std::string& sha256,
                const std::string& message)
{
    const auto known = [](const std::string& text) { return text.empty() ? Value() : Value(text); };
    Value object;
    object.set("event", event);
    object.set("name", known(name));
    object.set("jobId", known(jobId));
    object.set("sha256", known(sha256));
    object.set("message", known(message));
    return object;
}

/// Says what happens, as a line for each event.
class Teller
{
public:
    Teller(Console& console, bool isJson)
        : m_console(console)
        , m_isJson(isJson)
    {
    }

    void tell(std::string_view event, const std::string& name, const std::string& jobId, const std::string& sha256,
              const std::string& message) const
    {
        if (m_isJson) {
            m_console.write(base::json::write(eventJson(event, name, jobId, sha256, message), 0) + "\n");
        } else {
            m_console.write(std::string(event) + '\t' + base::printable(name) + '\t' + base::printable(jobId) + '\n');
            if (!message.empty())
                m_console.say("  " + message);
        }
        (void)m_console.finish(); // whoever waits for the line gets it now
    }

    void tell(const SubmitEvent& event) const
    {
        tell(remote::name(event.kind), event.job.name, event.job.jobId, event.job.sha256, event.job.message);
    }

    void tell(const remote::SubmitSummary& summary) const
    {
        if (m_isJson) {
            Value object;
            object.set("event", "summary");
            object.set("planned", summary.planned);
            object.set("submitted", summary.submitted);
            object.set("failed", summary.failed);
            object.set("skipped", summary.skipped);
            m_console.write(base::json::write(object, 0) + "\n");
        }
        m_console.say(std::to_string(summary.planned) + " planned: " + std::to_string(summary.submitted) + " submitted, " +
                      std::to_string(summary.failed) + " failed, " + std::to_string(summary.skipped) + " skipped.");
    }

private:
    Console& m_console;
    bool m_isJson;
};

/// What is about to happen, for a person who must agree.
void describe(const PlannedJobs& planned, const remote::OpenedCall& opened, const std::vector<TokenedBundle>& bundles, Console& console)
{
    std::int64_t nodes = 0;
    double nodeHours = 0;
    double gpuHours = 0;
    bool isTimeKnown = true;
    std::size_t files = 0;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < planned.ready.size(); ++i) {
        const plan::Counts& counts = planned.ready[i].counts;
        nodes += counts.nodes;
        isTimeKnown = isTimeKnown && counts.hours;
        nodeHours += static_cast<double>(counts.nodes) * counts.hours.value_or(0);
        gpuHours += counts.gpuHours().value_or(0);
        for (const remote::BundleFile& file : bundles[i].bundle.files) {
            ++files;
            bytes += file.bytes.size();
        }
    }
    const recipe::Job& first = *planned.ready.front().job;
    const auto rounded = [](double number) { return base::textOf(static_cast<double>(static_cast<std::int64_t>(number * 10 + 0.5)) / 10); };
    console.say("Submit to " + planned.profile.host + " (profile " + base::inQuotes(planned.profile.name) + "), account " +
                first.account.value_or("(the default)") + ", partition " + first.partition.value_or("(the default)") + ":");
    console.say("  " + std::to_string(planned.ready.size()) + (planned.ready.size() == 1 ? " job, " : " jobs, ") + std::to_string(nodes) +
                " nodes in all; at their time limits " +
                (isTimeKnown ? rounded(nodeHours) + " node-hours, " + rounded(gpuHours) + " GPU-hours" : std::string("(unknown)")));
    console.say("  " + std::to_string(files) + " files with " + std::to_string(bytes) + " bytes into " + planned.profile.remoteFolder);
    console.say("  first: " + opened.jobs.front().remoteDir + ": " + base::shellCommand(bundles.front().bundle.command));
    if (!bundles.front().difference.empty())
        console.say("  the recipe is sent with one line more, by which the job is found again:\n" + bundles.front().difference);
}

bool isAgreed(const SubmitCommandOptions& options, Console& console, bool& isUsage)
{
    if (options.isAgreed)
        return true;
    if (::isatty(STDIN_FILENO) != 1) {
        console.fail("Nothing was submitted: there is no terminal to ask on; --yes agrees beforehand.");
        isUsage = true;
        return false;
    }
    std::cerr << "Submit? [y/N] " << std::flush;
    std::string answer;
    std::getline(std::cin, answer);
    return answer == "y" || answer == "Y" || answer == "yes";
}

remote::SubmitOptions submitOptions(const SubmitCommandOptions& options, const PlannedJobs& planned)
{
    remote::SubmitOptions out;
    const remote::Profile& profile = planned.profile;
    out.host = profile.name;
    out.remoteFolder = profile.remoteFolder;
    out.launcher = planned.launcherName;
    out.preamble = profile.preamble;
    out.maxInFlight = static_cast<std::size_t>(options.maxInFlight >= 0 ? options.maxInFlight : profile.maxInFlight);
    out.stagger = std::chrono::seconds(options.stagger >= 0 ? options.stagger : profile.staggerSeconds);
    out.patience = std::chrono::seconds(profile.patienceSeconds);
    out.pollInterval = std::chrono::seconds(profile.pollSeconds);
    out.now = secondsNow;
    out.newToken = newToken;
    return out;
}

/// None could be sent: each is told, so that the figures add up.
int nothingSent(const PlannedJobs& planned, const Error& why, const Teller& teller)
{
    remote::SubmitSummary summary;
    summary.planned = planned.ready.size() + planned.unready.size();
    const bool isCancelled = why.code == ErrorCode::Cancelled;
    for (const ReadyJob& job : planned.ready)
        teller.tell(isCancelled ? "skipped" : "failed", job.item.name, {}, {}, why.message);
    for (const UnreadyJob& job : planned.unready)
        teller.tell("skipped", job.name, {}, {}, job.why);
    (isCancelled ? summary.skipped : summary.failed) = planned.ready.size();
    summary.skipped += planned.unready.size();
    teller.tell(summary);
    return World;
}

int run(const SubmitCommandOptions& options, Console& console)
{
    const PlannedJobs planned = planJobs(options, console);
    if (planned.code != Good)
        return planned.code;
    if (planned.profile.host.empty()) {
        console.fail("The profile " + base::inQuotes(planned.profile.name) + " has no host; \"srtwb dry-run\" shows what would be sent.");
        return Usage;
    }
    if (planned.profile.isReadOnly) {
        console.fail("The profile " + base::inQuotes(planned.profile.name) + " is read-only: jobs can be watched there, not submitted.");
        return Usage;
    }
    const Teller teller(console, options.isJson);
    if (planned.ready.empty()) {
        (void)nothingSent(planned, {ErrorCode::Cancelled, {}, {}}, teller);
        return Findings;
    }

    const Interruption interruption;
    std::vector<std::string> hidden;
    for (const auto& [name, value] : planned.secrets)
        hidden.push_back(value);
    RemoteSession session(std::move(hidden));
    constexpr std::chrono::seconds lockPatience(5);
    auto record = store::JobRecord::open(stateFolder(), store::JobRecord::Access::Write, lockPatience);
    if (!record) {
        console.fail(record.error());
        return World;
    }
    for (const std::string& warning : record->warnings())
        console.say("warning: " + warning);
    remote::OpenSshTransport& transport = session.transportOf(planned.profile);
    if (auto connected = transport.connect(interruption.token()); !connected) {
        console.fail(connected.error());
        if (!connected.error().detail.empty())
            console.fail(connected.error().detail);
        return nothingSent(planned, connected.error(), teller);
    }
    const remote::SubmitOptions how = submitOptions(options, planned);
    std::vector<remote::PlanItem> items;
    for (const ReadyJob& job : planned.ready)
        items.push_back(job.item);
    // What a person does not agree to must not be in the record: the tokens of the sheet are those that are then used.
    std::vector<TokenedBundle> bundles;
    if (!options.isAgreed) {
        remote::OpenedCall shown;
        for (const remote::PlanItem& item : items) {
            store::JobEntry entry;
            entry.id = std::string(16, '0');
            entry.remoteDir = item.name + "-<token>";
            shown.jobs.push_back(std::move(entry));
        }
        for (const ReadyJob& job : planned.ready) {
            auto bundle = bundleFor(planned, job, shown.jobs.front().id);
            if (!bundle)
                return nothingSent(planned, bundle.error(), teller);
            bundles.push_back(*std::move(bundle));
        }
        describe(planned, shown, bundles, console);
        bool isUsage = false;
        if (!isAgreed(options, console, isUsage))
            return isUsage ? Usage : Good;
        bundles.clear();
    }
    const auto opened = remote::openCall(*record, items, planned.profile.host, how, options.isNew);
    if (!opened) {
        console.fail(opened.error());
        return World;
    }
    if (opened->isContinued)
        console.say("This goes on with the call that was interrupted; --new begins anew.");
    std::vector<remote::Bundle> sent;
    for (std::size_t i = 0; i < planned.ready.size(); ++i) {
        auto bundle = bundleFor(planned, planned.ready[i], opened->jobs[i].id);
        if (!bundle) {
            console.fail(bundle.error());
            return nothingSent(planned, bundle.error(), teller);
        }
        sent.push_back(std::move(bundle->bundle));
    }
    remote::Submitter submitter(transport, *record, how, [&](const SubmitEvent& event) { teller.tell(event); });
    auto summary = submitter.submit(*opened, sent, interruption.token());
    session.sayTrouble(console);
    if (!summary) {
        console.fail(summary.error());
        return World;
    }
    for (const UnreadyJob& job : planned.unready) {
        teller.tell("skipped", job.name, {}, {}, job.why);
        ++summary->planned;
        ++summary->skipped;
    }
    teller.tell(*summary);
    const bool isWhole = summary->failed == 0 && planned.unready.empty() && !interruption.token().stop_requested();
    return isWhole ? Good : Findings;
}

} // namespace

Run addSubmit(CLI::App& command, Console& console)
{
    auto options = std::make_shared<SubmitCommandOptions>();
    addRemoteOptions(command, *options);
    command.add_flag("--yes,-y", options->isAgreed, "Do not ask");
    command.add_flag("--new", options->isNew, "Begin anew although the same call was interrupted before it had submitted all");
    command.add_option("--max-in-flight", options->maxInFlight, "As many jobs of this call may be in the queue at once; 0: any number")
        ->check(CLI::NonNegativeNumber);
    command.add_option("--stagger", options->stagger, "Seconds between two submissions")->check(CLI::NonNegativeNumber);
    return [options, &console] { return run(*options, console); };
}

} // namespace wb::cli
