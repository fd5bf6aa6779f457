// The record of what was submitted: a file of its own in the state folder, never the catalogue's fate.
//
// It is a journal, one JSON object a line: the newest line of a job or a call counts. A line is on the disk when `put` returns, so that a
// crash or a kill between two steps loses neither. A last line that was cut off by a kill is dropped. Keys of jobs that this version
// does not know are kept. One program writes at a time (a lock that the kernel holds as long as the program lives); any number may read
// meanwhile.
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wb::store {

/// How far the submission of a job has come. A step is written before it is made (…ing) and after.
enum class Step {
    Planned,    ///< Nothing of it is on the cluster for sure; its files may be.
    Staged,     ///< Its files are on the cluster, verified.
    Submitting, ///< It was asked for, and the answer is not known: it must be looked for before it is asked for again.
    Submitted,  ///< It has an id.
    Rejected,   ///< It was refused.
    Skipped,    ///< It was given up before it was asked for.
};
[[nodiscard]] std::string_view name(Step step);

/// A file as it was sent.
struct SentFile {
    std::string name;
    std::string sha256;
    std::uint64_t bytes = 0;

    friend bool operator==(const SentFile&, const SentFile&) = default;
};

struct JobEntry {
    std::string id;      ///< Ours, and the token in the job's comment: 16 hexadecimal digits.
    std::string call;    ///< Of the submission it belongs to.
    std::string host;    ///< The profile's name.
    std::string sshHost; ///< What ssh was given.
    std::string name;
    std::string recipe; ///< Path as it was given.
    std::string variant;
    std::string launcher;
    std::string sha256;    ///< Of the file that the job is started from.
    std::string remoteDir; ///< Made by the submission; before it is known where, only its name.
    std::string outputDir; ///< Where the results are; "%j" stands for the job id until that is known. Empty: in `remoteDir`.
    std::vector<SentFile> files;
    Step step = Step::Planned;
    int attempt = 0;            ///< The last that was begun; 0: none.
    std::int64_t attempted = 0; ///< When; the cluster's clock is not meant.
    std::string jobId;          ///< Slurm's; empty: none (yet).
    std::string cluster;        ///< Of a federation; empty: the default one.
    std::string state;          ///< As core/remote/slurmstates.h.
    std::string reason;
    std::string stage;   ///< By its status file or log.
    std::string workers; ///< How many serve, as core/remote/runlog.h says it; empty: not known.
    std::string figures; ///< What the client measured last; empty: nothing yet, or not known.
    std::string nodes;
    std::optional<std::int64_t> submitted, started, ended, expectedStart; ///< Seconds since 1970.
    std::optional<std::int64_t> seen;                                     ///< When Slurm was asked last.
    std::optional<int> exitCode;
    std::optional<int> signal;
    std::string message; ///< For people: why it was refused or skipped.
    std::string said;    ///< What the submission printed, out and error, as it is.
    std::optional<int> saidCode;
    std::string fetched;      ///< The folder into which its results were fetched.
    base::json::Value others; ///< An object with the keys of a newer version, or null.

    friend bool operator==(const JobEntry&, const JobEntry&) = default;
};

/// One call of submit.
struct CallEntry {
    std::string id;
    std::string host;
    std::string plan; ///< What was asked for, as a hash: the same plan continues a call that was interrupted.
    std::int64_t begun = 0;
    std::optional<std::int64_t> ended; ///< Absent: it was interrupted, or goes on.

    friend bool operator==(const CallEntry&, const CallEntry&) = default;
};

class JobRecord
{
public:
    enum class Access { Read, Write };

    /// Makes the folder (readable by its owner only). Write waits up to `patience` for the lock, then fails with ErrorCode::Refused and
    /// says which process holds it.
    [[nodiscard]] static Result<JobRecord> open(const std::string& folder, Access access,
                                                std::chrono::milliseconds patience = std::chrono::milliseconds(0));
    JobRecord(JobRecord&&) noexcept;
    JobRecord& operator=(JobRecord&&) noexcept;
    ~JobRecord();

    [[nodiscard]] const std::vector<JobEntry>& jobs() const; ///< In the order in which they were planned.
    [[nodiscard]] const std::vector<CallEntry>& calls() const;
    [[nodiscard]] const JobEntry* find(std::string_view id) const;
    [[nodiscard]] const std::vector<std::string>& warnings() const; ///< Lines that could not be read; they are kept.

    /// Adds or replaces; on the disk when it returns. Several at once are one write.
    [[nodiscard]] Result<void> put(const JobEntry& entry);
    [[nodiscard]] Result<void> put(const std::vector<JobEntry>& entries);
    [[nodiscard]] Result<void> put(const CallEntry& entry);
    /// Reads what others wrote since.
    [[nodiscard]] Result<void> reload();

private:
    struct Private;
    explicit JobRecord(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d;
};

} // namespace wb::store
