// srtwb submit: puts the jobs of a recipe on a cluster, each once.
#include "app/cli/plannedjobs.h"
#include "app/cli/remotecommands.h"
#include "app/cli/remotesession.h"
#include "core/base/text.h"
#include "core/remote/sentcopies.h"

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
void describe(const PlannedJobs& planned, const remote::SubmissionSheet& sheet, Console& console)
{
    const auto rounded = [](double number) { return base::textOf(static_cast<double>(static_cast<std::int64_t>(number * 10 + 0.5)) / 10); };
    const auto orDefault = [](const std::string& words) { return words.empty() ? std::string("(the default)") : words; };
    console.say("Submit to " + sheet.host + " (profile " + base::inQuotes(planned.profile.name) + "), account " + orDefault(sheet.account) +
                ", partition " + orDefault(sheet.partition) + ":");
    console.say("  " + std::to_string(sheet.jobs) + (sheet.jobs == 1 ? " job, " : " jobs, ") + std::to_string(sheet.nodes) +
                " nodes in all; at their time limits " +
                (sheet.nodeHours ? rounded(*sheet.nodeHours) + " node-hours, " + rounded(*sheet.gpuHours) + " GPU-hours"
                                 : std::string("(unknown)")));
    console.say("  " + std::to_string(sheet.files) + " files with " + std::to_string(sheet.bytes) + " bytes into " + sheet.remoteFolder);
    console.say("  first: " + sheet.jobFolder + ": " + sheet.command);
    if (!sheet.difference.empty())
        console.say("  the recipe is sent with one line more, by which the job is found again:\n" + sheet.difference);
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

remote::SubmitOptions howToSubmit(const SubmitCommandOptions& options, const PlannedJobs& planned)
{
    remote::SubmitOptions out = remote::submitOptions(planned, secondsNow, remote::newToken);
    if (options.maxInFlight >= 0)
        out.maxInFlight = static_cast<std::size_t>(options.maxInFlight);
    if (options.stagger >= 0)
        out.stagger = std::chrono::seconds(options.stagger);
    return out;
}

/// None could be sent: each is told, so that the figures add up.
int nothingSent(const PlannedJobs& planned, const Error& why, const Teller& teller)
{
    remote::SubmitSummary summary;
    summary.planned = planned.ready.size() + planned.unready.size();
    const bool isCancelled = why.code == ErrorCode::Cancelled;
    for (const remote::ReadyJob& job : planned.ready)
        teller.tell(isCancelled ? "skipped" : "failed", job.item.name, {}, {}, why.message);
    for (const remote::UnreadyJob& job : planned.unready)
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
    remote::OpenSshTransport& transport = session.transportOf(planned.profile);
    if (auto connected = transport.connect(interruption.token()); !connected) {
        console.fail(connected.error());
        if (!connected.error().detail.empty())
            console.fail(connected.error().detail);
        return nothingSent(planned, connected.error(), teller);
    }
    const remote::SubmitOptions how = howToSubmit(options, planned);
    std::vector<remote::PlanItem> items;
    for (const remote::ReadyJob& job : planned.ready)
        items.push_back(job.item);
    if (!options.isAgreed) {
        const auto sheet = remote::sheetOf(planned);
        if (!sheet)
            return nothingSent(planned, sheet.error(), teller);
        describe(planned, *sheet, console);
        bool isUsage = false;
        if (!isAgreed(options, console, isUsage))
            return isUsage ? Usage : Good;
    }
    // Not while a person thinks about the question: others may submit meanwhile.
    constexpr std::chrono::seconds lockPatience(5);
    auto record = store::JobRecord::open(stateFolder(), store::JobRecord::Access::Write, lockPatience);
    if (!record) {
        console.fail(record.error());
        return World;
    }
    for (const std::string& warning : record->warnings())
        console.say("warning: " + warning);
    const auto opened = remote::openCall(*record, items, planned.profile.host, how, options.isNew);
    if (!opened) {
        console.fail(opened.error());
        return World;
    }
    if (opened->isContinued)
        console.say("This goes on with the call that was interrupted; --new begins anew.");
    std::vector<remote::Bundle> sent;
    for (std::size_t i = 0; i < planned.ready.size(); ++i) {
        auto bundle = remote::bundleFor(planned, planned.ready[i], opened->jobs[i].id);
        if (!bundle) {
            console.fail(bundle.error());
            return nothingSent(planned, bundle.error(), teller);
        }
        sent.push_back(std::move(bundle->bundle));
    }
    remote::keepCopies(stateFolder(), sent);
    remote::Submitter submitter(transport, *record, how, [&](const SubmitEvent& event) { teller.tell(event); });
    auto summary = submitter.submit(*opened, sent, interruption.token());
    session.sayTrouble(console);
    if (!summary) {
        console.fail(summary.error());
        return World;
    }
    for (const remote::UnreadyJob& job : planned.unready) {
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
