// Submits jobs, each exactly once, whatever breaks meanwhile.
//
// Each step is written to the job record before it is made and after: planned -> staged -> submitting -> submitted | rejected. Three things
// keep a job from being submitted twice when an answer is lost:
//   - a folder `.srtwb/try-<n>` in the job's folder, which appears at once with the process in it before it submits: whoever makes it first
//     has that attempt, so one that was delayed in a dead connection cannot begin behind our back once we have made it ourselves; and a
//     process that is still at it, or was stopped, is waited for or ended;
//   - what the submission printed is kept beside it, so that the answer can be read later;
//   - the token in the job's comment, by which the queue and the accounting are searched.
// Only when these three say that there is no such job is it asked for again.
#pragma once

#include "core/remote/bundle.h"
#include "core/remote/transport.h"
#include "core/store/jobrecord.h"

#include <chrono>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace wb::remote {

struct SubmitOptions {
    std::string host;                               ///< The profile's name, for the record.
    std::string remoteFolder;                       ///< "~/..." is below the remote home.
    std::string launcher;                           ///< For the record.
    std::string preamble;                           ///< Shell lines of the profile: modules and such.
    std::size_t maxInFlight = 0;                    ///< Jobs of this call that have not ended; 0: no limit.
    std::chrono::seconds stagger{0};                ///< Between two submissions.
    std::chrono::seconds patience{120};             ///< How long an outage is waited for, each time.
    std::chrono::milliseconds pollInterval{30'000}; ///< While waiting for room in flight.
    std::chrono::milliseconds grace{2'000};         ///< Between the two looks that make "not there" sure.
    std::function<std::int64_t()> now;              ///< Seconds since 1970.
    std::function<std::string()> newToken;          ///< 16 hexadecimal digits that no other job has.
};

/// A job as the plan names it. Two calls with the same items in the same order are the same plan.
struct PlanItem {
    std::string name;
    std::string recipe;
    std::string variant;
    std::string sha256; ///< Of what would be sent, before the token is put into it.
};

/// A call that was begun, or one that was interrupted and goes on.
struct OpenedCall {
    store::CallEntry call;
    std::vector<store::JobEntry> jobs; ///< One for each item, in its order; `id` is the token.
    bool isContinued = false;
};

/// Writes the plan to the record, all jobs as planned. A call with the same plan for the same host of which not every job is on the cluster
/// is continued, unless `isNew`.
[[nodiscard]] Result<OpenedCall> openCall(store::JobRecord& record, const std::vector<PlanItem>& items, const std::string& sshHost,
                                          const SubmitOptions& options, bool isNew);

struct SubmitEvent {
    enum class Kind { Staged, Submitted, Failed, Skipped };
    Kind kind = Kind::Staged;
    store::JobEntry job; ///< As it is in the record.
};
[[nodiscard]] std::string_view name(SubmitEvent::Kind kind);

struct SubmitSummary {
    std::size_t planned = 0;
    std::size_t submitted = 0; ///< By this call of `submit`; planned = submitted + failed + skipped.
    std::size_t failed = 0;    ///< Refused, or not known whether it is there.
    std::size_t skipped = 0;   ///< On the cluster before, or not asked for since it was cancelled.
};

class Submitter
{
public:
    using Sink = std::function<void(const SubmitEvent&)>;

    /// All must outlive the submitter; `sink` may be empty and is called on the same thread.
    Submitter(Transport& transport, store::JobRecord& record, SubmitOptions options, Sink sink);

    /// `bundles`: one for each job of the call. An error is the record's own (a full disk here): nothing is done that cannot be written
    /// down.
    [[nodiscard]] Result<SubmitSummary> submit(const OpenedCall& call, const std::vector<Bundle>& bundles, std::stop_token stop = {});

    /// Finds out about a job in the step Submitting without asking for it: gives it as it is then, and writes that down.
    [[nodiscard]] Result<store::JobEntry> reconcile(store::JobEntry job, std::stop_token stop = {});

private:
    enum class Fate { Found, Absent, Refused, Unknown };
    struct Evidence;

    [[nodiscard]] Result<RemoteOutcome> persistently(const RemoteCommand& command, const std::stop_token& stop);
    /// On the cluster, without links and without a slash at the end.
    struct Folders {
        std::string remote;
        std::string home;
    };
    [[nodiscard]] Result<Folders> remoteFolder(const std::stop_token& stop);
    [[nodiscard]] Result<void> stage(std::vector<store::JobEntry>& jobs, const std::vector<Bundle>& bundles, SubmitSummary& summary,
                                     const std::stop_token& stop);
    [[nodiscard]] Result<void> submitOne(store::JobEntry& job, const Bundle& bundle, SubmitSummary& summary, const std::stop_token& stop);
    [[nodiscard]] Result<Fate> attempt(store::JobEntry& job, const Bundle& bundle, const std::stop_token& stop);
    [[nodiscard]] Fate fateOf(store::JobEntry& job, const std::stop_token& stop);
    [[nodiscard]] Fate lookUp(store::JobEntry& job, const std::stop_token& stop);
    [[nodiscard]] Result<Evidence> evidenceOf(const store::JobEntry& job, bool ends, const std::stop_token& stop);
    [[nodiscard]] Result<void> waitForRoom(const store::CallEntry& call, const std::stop_token& stop);
    void removeSecrets(const store::JobEntry& job, const std::stop_token& stop);
    [[nodiscard]] Result<void> keep(store::JobEntry& job);
    void tell(SubmitEvent::Kind kind, const store::JobEntry& job, SubmitSummary& summary);

    Transport& m_transport;
    store::JobRecord& m_record;
    SubmitOptions m_options;
    Sink m_sink;
};

/// Shell words for a folder: "~" and "~/..." are the remote home, all else is quoted.
[[nodiscard]] std::string folderWord(std::string_view folder);

} // namespace wb::remote
