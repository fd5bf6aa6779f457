// What became of the jobs: one query a host, whatever the number of jobs.
#pragma once

#include "core/remote/slurm.h"
#include "core/remote/transport.h"
#include "core/store/jobrecord.h"

#include <chrono>
#include <stop_token>
#include <string>
#include <vector>

namespace wb::remote {

struct Polled {
    std::vector<store::JobEntry> changed; ///< To be put into the record. `seen` alone is no change.
    PollAnswer answer;
    std::string warning; ///< The queue could not be read; empty: it could.
};

/// Asks for those of the jobs that have an id and have not ended; all must be of the transport's host. Asks nothing when there are none.
[[nodiscard]] Result<Polled> poll(Transport& transport, const std::vector<store::JobEntry>& jobs, std::string_view preamble,
                                  std::int64_t now, std::stop_token stop = {});

/// The entry as the answer tells it. A job that neither the queue nor the accounting knows becomes "unknown", never "running" and never
/// ended: only when the queue did answer and it was seen before or is older than the moment in which Slurm takes a job in.
[[nodiscard]] store::JobEntry updated(store::JobEntry job, const PollAnswer& answer, std::int64_t now);

/// How long to wait for the next query: the interval, doubled after each failure up to 16 times. Never below 10 s.
[[nodiscard]] std::chrono::seconds pollPause(std::chrono::seconds interval, int failures);

/// scancel for these jobs. Slurm is silent about jobs that are over; the words of what it refused are the error's detail.
[[nodiscard]] Result<void> cancelJobs(Transport& transport, const std::vector<store::JobEntry>& jobs, std::string_view preamble,
                                      std::stop_token stop = {});

} // namespace wb::remote
