#include "core/store/jobrecord.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/store/atomicfile.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <thread>
#include <unordered_map>
#include <utility>

namespace wb::store {

namespace fs = std::filesystem;
using base::json::Value;

namespace {

constexpr std::array<std::string_view, 6> stepNames = {"planned", "staged", "submitting", "submitted", "rejected", "skipped"};

/// The texts of a job and their keys: one table for reading and writing.
struct TextField {
    std::string_view key;
    std::string JobEntry::*member;
};
constexpr std::array textFields = {
    TextField{"job", &JobEntry::id},
    TextField{"call", &JobEntry::call},
    TextField{"host", &JobEntry::host},
    TextField{"sshHost", &JobEntry::sshHost},
    TextField{"name", &JobEntry::name},
    TextField{"recipe", &JobEntry::recipe},
    TextField{"variant", &JobEntry::variant},
    TextField{"launcher", &JobEntry::launcher},
    TextField{"sha256", &JobEntry::sha256},
    TextField{"remoteDir", &JobEntry::remoteDir},
    TextField{"outputDir", &JobEntry::outputDir},
    TextField{"jobId", &JobEntry::jobId},
    TextField{"cluster", &JobEntry::cluster},
    TextField{"state", &JobEntry::state},
    TextField{"reason", &JobEntry::reason},
    TextField{"stage", &JobEntry::stage},
    TextField{"workers", &JobEntry::workers},
    TextField{"figures", &JobEntry::figures},
    TextField{"nodes", &JobEntry::nodes},
    TextField{"message", &JobEntry::message},
    TextField{"said", &JobEntry::said},
    TextField{"fetched", &JobEntry::fetched},
};

struct TimeField {
    std::string_view key;
    std::optional<std::int64_t> JobEntry::*member;
};
constexpr std::array timeFields = {
    TimeField{"submitted", &JobEntry::submitted},         TimeField{"started", &JobEntry::started}, TimeField{"ended", &JobEntry::ended},
    TimeField{"expectedStart", &JobEntry::expectedStart}, TimeField{"seen", &JobEntry::seen},
};

struct CodeField {
    std::string_view key;
    std::optional<int> JobEntry::*member;
};
constexpr std::array codeFields = {
    CodeField{"exitCode", &JobEntry::exitCode},
    CodeField{"signal", &JobEntry::signal},
    CodeField{"saidCode", &JobEntry::saidCode},
};

std::string lineOf(const JobEntry& entry)
{
    Value value;
    for (const TextField& field : textFields)
        if (!(entry.*field.member).empty())
            value.append(std::string(field.key), entry.*field.member);
    for (const TimeField& field : timeFields)
        if (entry.*field.member)
            value.append(std::string(field.key), *(entry.*field.member));
    for (const CodeField& field : codeFields)
        if (entry.*field.member)
            value.append(std::string(field.key), *(entry.*field.member));
    value.append("step", name(entry.step));
    value.append("attempt", entry.attempt);
    value.append("attempted", entry.attempted);
    base::json::Array files;
    for (const SentFile& file : entry.files) {
        Value one;
        one.append("name", file.name);
        one.append("sha256", file.sha256);
        one.append("bytes", static_cast<std::int64_t>(file.bytes));
        files.push_back(std::move(one));
    }
    value.append("files", std::move(files));
    for (const base::json::Member& other : entry.others.object())
        value.append(other.key, other.value);
    return base::json::write(value, 0);
}

std::string textOf(const Value& value, std::string_view key)
{
    const Value* found = value.find(key);
    return found && found->string() ? *found->string() : std::string();
}

std::optional<std::int64_t> numberOf(const Value& value, std::string_view key)
{
    const Value* found = value.find(key);
    return found ? found->integer() : std::nullopt;
}

template <typename Table>
bool hasKey(const Table& table, std::string_view key)
{
    return std::any_of(table.begin(), table.end(), [&](const auto& field) { return field.key == key; });
}

JobEntry jobOf(const Value& value)
{
    JobEntry entry;
    for (const TextField& field : textFields)
        entry.*field.member = textOf(value, field.key);
    for (const TimeField& field : timeFields)
        entry.*field.member = numberOf(value, field.key);
    for (const CodeField& field : codeFields)
        if (const auto number = numberOf(value, field.key))
            entry.*field.member = static_cast<int>(*number);
    const auto* const step = std::find(stepNames.begin(), stepNames.end(), textOf(value, "step"));
    // A step that this version does not know must not be taken for one before the submission.
    entry.step = step == stepNames.end() ? Step::Submitting : static_cast<Step>(step - stepNames.begin());
    entry.attempt = static_cast<int>(numberOf(value, "attempt").value_or(0));
    entry.attempted = numberOf(value, "attempted").value_or(0);
    if (const Value* files = value.find("files")) {
        for (const Value& file : files->array())
            entry.files.push_back(
                {textOf(file, "name"), textOf(file, "sha256"), static_cast<std::uint64_t>(numberOf(file, "bytes").value_or(0))});
    }
    constexpr std::array<std::string_view, 4> plain = {"step", "attempt", "attempted", "files"};
    for (const base::json::Member& member : value.object()) {
        const bool isKnown = hasKey(textFields, member.key) || hasKey(timeFields, member.key) || hasKey(codeFields, member.key) ||
                             std::find(plain.begin(), plain.end(), member.key) != plain.end();
        if (!isKnown)
            entry.others.set(member.key, member.value);
    }
    return entry;
}

std::string lineOf(const CallEntry& entry)
{
    Value value;
    value.append("call", entry.id);
    value.append("host", entry.host);
    value.append("plan", entry.plan);
    value.append("begun", entry.begun);
    if (entry.ended)
        value.append("ended", *entry.ended);
    return base::json::write(value, 0);
}

CallEntry callOf(const Value& value)
{
    return {textOf(value, "call"), textOf(value, "host"), textOf(value, "plan"), numberOf(value, "begun").value_or(0),
            numberOf(value, "ended")};
}

/// An open file.
class File
{
public:
    File() = default;
    explicit File(int number)
        : m_number(number)
    {
    }
    File(File&& other) noexcept
        : m_number(std::exchange(other.m_number, -1))
    {
    }
    File& operator=(File&& other) noexcept
    {
        std::swap(m_number, other.m_number);
        return *this;
    }
    ~File()
    {
        if (m_number >= 0)
            ::close(m_number);
    }
    [[nodiscard]] int number() const { return m_number; }

private:
    int m_number = -1;
};

Result<void> writeAll(int file, std::string_view bytes, const fs::path& path)
{
    if (const int error = base::writeAll(file, bytes); error != 0)
        return tl::unexpected<Error>(base::systemError(error, path, "Writing the job record"));
    return {};
}

} // namespace

std::string_view name(Step step)
{
    return stepNames[static_cast<std::size_t>(step)];
}

struct JobRecord::Private {
    fs::path path;
    File lock;
    File file; ///< Open for appending while we may write.
    std::vector<JobEntry> jobs;
    std::unordered_map<std::string, std::size_t> jobIndex;
    std::vector<CallEntry> calls;
    std::vector<std::string> warnings;
    std::size_t lines = 0;
    std::size_t wholeBytes = 0; ///< Up to the last line break.
    bool mayCompact = true;     ///< Nothing was unreadable.

    void take(JobEntry entry)
    {
        const auto [at, isNew] = jobIndex.try_emplace(entry.id, jobs.size());
        if (isNew)
            jobs.push_back(std::move(entry));
        else
            jobs[at->second] = std::move(entry);
    }
    void take(CallEntry entry)
    {
        const auto same = std::find_if(calls.begin(), calls.end(), [&](const CallEntry& call) { return call.id == entry.id; });
        if (same == calls.end())
            calls.push_back(std::move(entry));
        else
            *same = std::move(entry);
    }

    Result<void> read()
    {
        jobs.clear();
        jobIndex.clear();
        calls.clear();
        warnings.clear();
        lines = 0;
        wholeBytes = 0;
        mayCompact = true;
        std::error_code error;
        if (!fs::exists(path, error) && !error) // what is there and cannot be reached is no empty history
            return {};
        auto text = base::readFile(path);
        if (!text)
            return tl::unexpected<Error>(std::move(text.error()));
        wholeBytes = text->rfind('\n') == std::string::npos ? 0 : text->rfind('\n') + 1;
        for (const std::string_view line : base::splitAt(std::string_view(*text).substr(0, wholeBytes), '\n')) {
            if (line.empty())
                continue;
            ++lines;
            const auto value = base::json::read(line);
            if (value && value->find("job")) {
                take(jobOf(*value));
            } else if (value && value->find("plan")) {
                take(callOf(*value));
            } else {
                mayCompact = false;
                warnings.push_back("Line " + std::to_string(lines) + " of the job record " + base::pathInQuotes(path.string()) +
                                   " cannot be read and is left alone.");
            }
        }
        return {};
    }

    [[nodiscard]] Result<void> openForWriting()
    {
        file = File(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
        if (file.number() < 0)
            return tl::unexpected<Error>(base::systemError(errno, path, "Opening the job record"));
        struct stat found = {};
        // A line that a kill cut off would spoil the next one.
        if (::fstat(file.number(), &found) == 0 && static_cast<std::size_t>(found.st_size) > wholeBytes &&
            ::ftruncate(file.number(), static_cast<off_t>(wholeBytes)) != 0)
            return tl::unexpected<Error>(base::systemError(errno, path, "Mending the job record"));
        return {};
    }

    [[nodiscard]] Result<void> append(const std::string& text)
    {
        if (file.number() < 0)
            return failure(ErrorCode::Refused, "The job record is open for reading only.");
        // Also what was written and could not be made sure is in the file, and was seen by whoever reads it.
        struct stat found = {};
        if (::fstat(file.number(), &found) != 0)
            return tl::unexpected<Error>(base::systemError(errno, path, "Looking at the job record"));
        wholeBytes = static_cast<std::size_t>(found.st_size);
        if (auto written = writeAll(file.number(), text, path); !written) {
            (void)::ftruncate(file.number(), static_cast<off_t>(wholeBytes)); // half a line would spoil the next
            return written;
        }
        if (::fdatasync(file.number()) != 0)
            return tl::unexpected<Error>(base::systemError(errno, path, "Writing the job record"));
        wholeBytes += text.size();
        return {};
    }

    /// Old lines of the same jobs go when there are many of them.
    [[nodiscard]] Result<void> compact()
    {
        if (!mayCompact || lines < 500 + 4 * (jobs.size() + calls.size()))
            return {};
        std::string text;
        for (const CallEntry& call : calls)
            text += lineOf(call) + '\n';
        for (const JobEntry& job : jobs)
            text += lineOf(job) + '\n';
        if (auto written = writeAtomically(path.string(), text); !written)
            return written;
        (void)::chmod(path.c_str(), 0600);
        lines = jobs.size() + calls.size();
        wholeBytes = text.size();
        return {};
    }
};

JobRecord::JobRecord(std::unique_ptr<Private> data)
    : d(std::move(data))
{
}

JobRecord::JobRecord(JobRecord&&) noexcept = default;
JobRecord& JobRecord::operator=(JobRecord&&) noexcept = default;
JobRecord::~JobRecord() = default;

Result<JobRecord> JobRecord::open(const std::string& folder, Access access, std::chrono::milliseconds patience)
{
    auto data = std::make_unique<Private>();
    data->path = fs::path(folder) / "jobs.jsonl";
    if (access == Access::Read) {
        if (auto done = data->read(); !done)
            return tl::unexpected<Error>(std::move(done.error()));
        return JobRecord(std::move(data));
    }
    if (auto made = makeFolder(folder); !made)
        return tl::unexpected<Error>(std::move(made.error()));
    (void)::chmod(folder.c_str(), 0700);
    const fs::path lockPath = fs::path(folder) / "jobs.lock";
    data->lock = File(::open(lockPath.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (data->lock.number() < 0)
        return tl::unexpected<Error>(base::systemError(errno, lockPath, "Locking the job record with"));
    const auto end = std::chrono::steady_clock::now() + patience;
    while (::flock(data->lock.number(), LOCK_EX | LOCK_NB) != 0) {
        if (std::chrono::steady_clock::now() >= end) {
            const auto holder = base::readFile(lockPath);
            return failure(ErrorCode::Refused,
                           "Another workbench or srtwb writes the job record now" +
                               (holder && !holder->empty() ? " (process " + std::string(base::trimmed(*holder)) + ")" : std::string()) +
                               "; this one may watch, not submit.",
                           lockPath.string());
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    (void)::ftruncate(data->lock.number(), 0);
    (void)writeAll(data->lock.number(), std::to_string(::getpid()) + '\n', lockPath);
    auto ready = data->read();
    if (ready)
        ready = data->compact();
    if (ready)
        ready = data->openForWriting();
    if (!ready)
        return tl::unexpected<Error>(std::move(ready.error()));
    return JobRecord(std::move(data));
}

const std::vector<JobEntry>& JobRecord::jobs() const
{
    return d->jobs;
}

const std::vector<CallEntry>& JobRecord::calls() const
{
    return d->calls;
}

const JobEntry* JobRecord::find(std::string_view id) const
{
    const auto at = d->jobIndex.find(std::string(id));
    return at == d->jobIndex.end() ? nullptr : &d->jobs[at->second];
}

const std::vector<std::string>& JobRecord::warnings() const
{
    return d->warnings;
}

Result<void> JobRecord::put(const JobEntry& entry)
{
    if (auto done = d->append(lineOf(entry) + '\n'); !done)
        return done;
    d->take(entry);
    return {};
}

Result<void> JobRecord::put(const std::vector<JobEntry>& entries)
{
    std::string text;
    for (const JobEntry& entry : entries)
        text += lineOf(entry) + '\n';
    if (text.empty())
        return {};
    if (auto done = d->append(text); !done)
        return done;
    for (const JobEntry& entry : entries)
        d->take(entry);
    return {};
}

Result<void> JobRecord::put(const CallEntry& entry)
{
    if (auto done = d->append(lineOf(entry) + '\n'); !done)
        return done;
    d->take(entry);
    return {};
}

Result<void> JobRecord::reload()
{
    return d->read();
}

} // namespace wb::store
