#include "core/remote/following.h"

#include "core/base/safename.h"
#include "core/remote/monitor.h"
#include "core/remote/slurmstates.h"
#include "core/remote/submitter.h"

#include <algorithm>

namespace wb::remote {

using store::JobEntry;
using store::Step;

bool mayChange(const JobEntry& job)
{
    return job.step == Step::Submitting || (job.step == Step::Submitted && !isEnd(job.state));
}

bool hasFolder(const JobEntry& job)
{
    return job.remoteDir.find('/') != std::string::npos;
}

std::string outputFolder(const JobEntry& job)
{
    return job.outputDir.empty() || job.jobId.empty() ? job.remoteDir : job.outputDir;
}

bool isPartial(const JobEntry& job)
{
    return !isEnd(job.state) || isFailure(job.state);
}

std::string resultsName(const JobEntry& job)
{
    return base::safeName(job.jobId.empty() ? job.id : job.jobId + '-' + job.name);
}

Profile profileOf(const std::vector<Profile>& profiles, const JobEntry& job)
{
    Profile profile = profileFor(profiles, job.host);
    if (!job.sshHost.empty())
        profile.host = job.sshHost;
    return profile;
}

Result<Refreshed> refresh(Transport& transport, store::JobRecord* record, const std::vector<JobEntry>& jobs, const Profile& profile,
                          std::int64_t now, std::stop_token stop)
{
    Refreshed out;
    std::vector<JobEntry> asked;
    std::copy_if(jobs.begin(), jobs.end(), std::back_inserter(asked), mayChange);
    if (record) {
        SubmitOptions how;
        how.host = profile.name;
        how.preamble = profile.preamble;
        how.patience = std::chrono::seconds(10);
        how.now = [now] { return now; };
        Submitter submitter(transport, *record, how, {});
        for (JobEntry& job : asked) {
            if (job.step != Step::Submitting)
                continue;
            auto found = submitter.reconcile(job, stop);
            if (!found)
                return tl::unexpected<Error>(std::move(found.error()));
            if (*found == job)
                continue;
            job = *std::move(found);
            out.changed.push_back(job);
        }
    }
    const auto polled = poll(transport, asked, profile.preamble, now, stop);
    if (!polled)
        return tl::unexpected<Error>(polled.error());
    out.warning = polled->warning;
    if (record && !polled->changed.empty()) {
        if (auto done = record->put(polled->changed); !done)
            return tl::unexpected<Error>(std::move(done.error()));
    }
    for (const JobEntry& changed : polled->changed) {
        const auto before = std::find_if(out.changed.begin(), out.changed.end(), [&](const JobEntry& job) { return job.id == changed.id; });
        if (before == out.changed.end())
            out.changed.push_back(changed);
        else
            *before = changed;
    }
    return out;
}

} // namespace wb::remote
