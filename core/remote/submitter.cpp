#include "core/remote/submitter.h"

#include "core/base/sha256.h"
#include "core/base/shell.h"
#include "core/base/text.h"
#include "core/remote/jobids.h"
#include "core/remote/monitor.h"
#include "core/remote/slurm.h"
#include "core/remote/slurmerrors.h"
#include "core/remote/slurmstates.h"
#include "core/remote/waiting.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <map>
#include <utility>

namespace wb::remote {

using base::shellQuoted;
using std::chrono::milliseconds;
using store::JobEntry;
using store::Step;

namespace {

constexpr std::array<std::string_view, 4> eventNames = {"staged", "submitted", "failed", "skipped"};

constexpr std::size_t mostJobsAtOnce = 25;
constexpr std::size_t mostBytesAtOnce = std::size_t{4} << 20U;
constexpr int mostAttempts = 3;
/// After that long no sbatch waits for its controller any more, whichever login node it runs on.
constexpr std::int64_t longestSubmission = 300;
/// Slurm forgets ended jobs after MinJobAge, 300 s by default: an absence is sure only before that, or where accounting keeps comments.
constexpr std::int64_t sureFor = 240;

std::string folderName(const PlanItem& item, std::string_view token)
{
    std::string out;
    for (const char c : item.name.empty() ? std::string("job") : item.name) {
        const bool isPlain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
        out += isPlain ? c : '_';
    }
    constexpr std::size_t longest = 80;
    out.resize(std::min(out.size(), longest));
    if (out.front() == '.' || out.front() == '-')
        out.insert(0, "job");
    return out + '-' + std::string(token);
}

std::string planOf(const std::vector<PlanItem>& items, const SubmitOptions& options)
{
    std::string text = options.host + '\n' + options.launcher + '\n' + options.remoteFolder + '\n';
    for (const PlanItem& item : items)
        text += item.name + '\n' + item.recipe + '\n' + item.variant + '\n' + item.sha256 + '\n';
    return base::sha256Hex(text);
}

/// Of two jobs with one name the first stands for the first item.
JobEntry* sameJob(std::vector<JobEntry>& jobs, const PlanItem& item)
{
    const auto at =
        std::find_if(jobs.begin(), jobs.end(), [&](const JobEntry& job) { return job.name == item.name && job.variant == item.variant; });
    return at == jobs.end() ? nullptr : &*at;
}

constexpr std::string_view secretsFile = "srtwb-secrets.env";
constexpr std::string_view notAskedFor = "It was not asked for: the submission was cancelled.";

bool isOnCluster(const JobEntry& job)
{
    return job.step == Step::Submitted;
}

// Takes the files of one job after the other from standard input. After a fault it ends: the rest of the input is of no known place.
constexpr std::string_view stagingFunctions =
    R"sh(fail() { rm -rf -- "$p"; printf 'failed %s %s\n' "$t" "$(printf %s "$1" | tr '\n' ' ')"; exit 1; }
begin() {
t=$1 d=$2 p=$3
why=$( { rm -rf -- "$p" && mkdir -- "$p"; } 2>&1 ) || fail "$why"
: >"$p/.sums" || fail "cannot write in $p"
}
take() {
case $1 in */*) why=$(mkdir -p -- "$p/${1%/*}" 2>&1) || fail "$why";; esac
(umask 077; : >"$p/$1")
why=$( { head -c "$2" >"$p/$1"; } 2>&1 ) || fail "$why"
[ "$3" = 600 ] || why=$(chmod "$3" -- "$p/$1" 2>&1) || fail "$why"
[ "$4" = - ] || printf '%s  %s\n' "$4" "$1" >>"$p/.sums" || fail "cannot write in $p"
}
finish() {
why=$( { cd -- "$p" && sha256sum --quiet -c .sums; } 2>&1 ) || fail "the bytes did not arrive as they were sent: $why"
if [ -d "$d" ]; then
(cd -- "$d" && sha256sum --quiet -c - >/dev/null 2>&1) <"$p/.sums" || fail "$d is there already with other files"
[ ! -f "$p/srtwb-secrets.env" ] || why=$(mv -f -- "$p/srtwb-secrets.env" "$d/" 2>&1) || fail "$why"
rm -rf -- "$p"
else
rm -f -- "$p/.sums"
why=$(mv -- "$p" "$d" 2>&1) || fail "$why"
fi
printf 'staged %s\n' "$t"
}
)sh";

void addStaging(std::string& script, std::string& input, const JobEntry& job, const Bundle& bundle)
{
    const std::size_t slash = job.remoteDir.rfind('/');
    const std::string part = job.remoteDir.substr(0, slash + 1) + ".srtwb-" + job.id + ".part";
    script += "begin " + job.id + ' ' + shellQuoted(job.remoteDir) + ' ' + shellQuoted(part) + '\n';
    for (const BundleFile& file : bundle.files) {
        std::string mode;
        for (const unsigned shift : {6U, 3U, 0U})
            mode += static_cast<char>('0' + ((file.mode >> shift) & 7U));
        script += "take " + shellQuoted(file.name) + ' ' + std::to_string(file.bytes.size()) + ' ' + mode + ' ' + file.sha256 + '\n';
        input += file.bytes;
    }
    if (!bundle.secretEnvironment.empty()) {
        // Without a hash: the script goes to the audit log, and a short secret can be found by its hash.
        script += "take " + std::string(secretsFile) + ' ' + std::to_string(bundle.secretEnvironment.size()) + " 600 -\n";
        input += bundle.secretEnvironment;
    }
    script += "finish\n";
}

/// Where the results will be; empty where only the job's own shell can tell.
std::string outputDirOf(const Bundle& bundle, const JobEntry& job, std::string_view home)
{
    const std::string& output = bundle.outputDir;
    if (output.empty() || output.find('$') != std::string::npos)
        return {};
    if (output.front() == '/')
        return output;
    if (output.starts_with("~/"))
        return std::string(home) + output.substr(1);
    return output.front() == '~' ? std::string() : job.remoteDir + '/' + output;
}

/// When a process began, by the kernel's own count: with its number that names it for good. Also true of one that is stopped.
constexpr std::string_view processFunction = R"sh(began() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f20; }
)sh";

std::string submitScript(const JobEntry& job, const Bundle& bundle, std::string_view preamble)
{
    const std::string attempt = ".srtwb/try-" + std::to_string(job.attempt);
    std::string script = slurmPrelude(preamble);
    // Whoever gives the folder its name has the attempt, with its process in it from the first moment; what was printed stays in it for
    // whoever asks later.
    script += std::string(processFunction) + "cd -- " + shellQuoted(job.remoteDir) + " && mkdir -p .srtwb || exit 1\n";
    script += "w=" + attempt +
              " n=.srtwb/new-$$\nmkdir $n && printf '%s %s %s\\n' \"$$\" \"$(hostname)\" \"$(began $$)\" >$n/process && mv -T $n $w || "
              "{ rm -rf $n; exit 1; }\n";
    const std::string secrets(secretsFile);
    if (!bundle.secretEnvironment.empty())
        script += "set -a; . ./" + secrets + " || exit 1; set +a\n";
    script += "echo started\n" + base::shellCommand(bundle.command) + " </dev/null >$w/out 2>$w/err\ncode=$?\n";
    if (!bundle.secretEnvironment.empty())
        script += "[ $code != 0 ] || rm -f " + secrets + '\n';
    script += "echo $code >$w/code.tmp && mv $w/code.tmp $w/code\ncat $w/out; cat $w/err >&2\nexit $code\n";
    return script;
}

/// `ends`: a process that is still at it is killed, so that it cannot submit any more.
std::string evidenceScript(const JobEntry& job, bool ends)
{
    std::string script(processFunction);
    script += "cd -- " + shellQuoted(job.remoteDir) + " 2>/dev/null || { echo gone; exit 0; }\nw=.srtwb/try-" +
              std::to_string(job.attempt) +
              " n=.srtwb/claim-$$\n"
              "answered() {\n"
              "[ -f $w/code ] || return 0\n"
              "printf 'done %s %s\\n' \"$(cat $w/code)\" \"$(wc -c <$w/out)\"; cat $w/out; cat $w/err; exit 0\n"
              "}\n"
              "mkdir -p .srtwb && mkdir $n && echo '0 nobody 0' >$n/process || exit 1\n"
              "if mv -T $n $w 2>/dev/null; then echo never; exit 0; fi\n"
              "rm -rf $n\n"
              "[ -f $w/process ] || exit 1\n"
              "answered\n"
              "read -r pid at born <$w/process\n"
              "[ \"$pid\" != 0 ] || { echo never; exit 0; }\n"
              "[ \"$at\" = \"$(hostname)\" ] || { echo elsewhere; exit 0; }\n"
              "now=$(began \"$pid\")\n"
              // The shell leads a group: what it started may outlive it. A number that was given to another process since says nothing.
              "if [ -z \"$now\" ] || [ \"$now\" = \"$born\" ]; then\n"
              "if kill -0 -$pid 2>/dev/null; then\n";
    script += ends ? "kill -KILL -$pid; sleep 0.5\n" : "answered; echo busy; exit 0\n";
    script += "fi\nfi\nanswered\necho dead\n";
    return script;
}

} // namespace

struct Submitter::Evidence {
    enum class Kind { Never, Done, Busy, Dead, Elsewhere, Gone };
    Kind kind = Kind::Dead;
    int code = 0; ///< Of Done.
    std::string out;
    std::string err;
};

std::string_view name(SubmitEvent::Kind kind)
{
    return eventNames[static_cast<std::size_t>(kind)];
}

std::string folderWord(std::string_view folder)
{
    if (folder == "~")
        return "\"$HOME\"";
    if (folder.starts_with("~/"))
        return "\"$HOME\"/" + shellQuoted(folder.substr(2));
    return shellQuoted(folder);
}

Result<OpenedCall> openCall(store::JobRecord& record, const std::vector<PlanItem>& items, const std::string& sshHost,
                            const SubmitOptions& options, bool isNew)
{
    OpenedCall opened;
    const std::string plan = planOf(items, options);
    for (const store::CallEntry& call : record.calls()) {
        if (!isNew && !call.ended && call.plan == plan && call.host == options.host) {
            opened.call = call;
            opened.isContinued = true;
        }
    }
    if (!opened.isContinued) {
        opened.call = {options.newToken(), options.host, plan, options.now(), std::nullopt};
        if (auto done = record.put(opened.call); !done)
            return tl::unexpected<Error>(std::move(done.error()));
    }
    std::vector<JobEntry> known;
    for (const JobEntry& job : record.jobs())
        if (opened.isContinued && job.call == opened.call.id)
            known.push_back(job);
    std::vector<JobEntry> fresh;
    for (const PlanItem& item : items) {
        if (JobEntry* const same = sameJob(known, item)) {
            opened.jobs.push_back(*same);
            known.erase(known.begin() + (same - known.data()));
            continue;
        }
        JobEntry job;
        job.id = options.newToken();
        job.call = opened.call.id;
        job.host = options.host;
        job.sshHost = sshHost;
        job.name = item.name;
        job.recipe = item.recipe;
        job.variant = item.variant;
        job.launcher = options.launcher;
        job.remoteDir = folderName(item, job.id); // the folder in front is known when the cluster was asked
        job.state = "planned";
        fresh.push_back(job);
        opened.jobs.push_back(std::move(job));
    }
    if (auto done = record.put(fresh); !done)
        return tl::unexpected<Error>(std::move(done.error()));
    return opened;
}

Submitter::Submitter(Transport& transport, store::JobRecord& record, SubmitOptions options, Sink sink)
    : m_transport(transport)
    , m_record(record)
    , m_options(std::move(options))
    , m_sink(std::move(sink))
{
}

Result<void> Submitter::keep(JobEntry& job)
{
    if (job.step != Step::Submitted)
        job.state = store::name(job.step);
    return m_record.put(job);
}

void Submitter::tell(SubmitEvent::Kind kind, const JobEntry& job, SubmitSummary& summary)
{
    if (kind == SubmitEvent::Kind::Submitted)
        ++summary.submitted;
    else if (kind == SubmitEvent::Kind::Failed)
        ++summary.failed;
    else if (kind == SubmitEvent::Kind::Skipped)
        ++summary.skipped;
    if (m_sink)
        m_sink({kind, job});
}

/// For scripts that may be run again: an outage is waited for.
Result<RemoteOutcome> Submitter::persistently(const RemoteCommand& command, const std::stop_token& stop)
{
    const auto end = std::chrono::steady_clock::now() + m_options.patience;
    milliseconds pause(500);
    while (true) {
        auto outcome = m_transport.run(command, stop);
        const bool mayCome = !outcome && (outcome.error().code == ErrorCode::Unreachable || outcome.error().code == ErrorCode::TimedOut);
        if (outcome || !mayCome || std::chrono::steady_clock::now() + pause >= end)
            return outcome;
        if (!waitFor(pause, stop))
            return failure(ErrorCode::Cancelled, "Cancelled: " + command.title + '.');
        pause = std::min(pause * 2, milliseconds(10'000));
    }
}

Result<Submitter::Folders> Submitter::remoteFolder(const std::stop_token& stop)
{
    RemoteCommand command;
    command.title = "find the remote folder";
    const std::string folder = folderWord(m_options.remoteFolder);
    command.script = "mkdir -p -- " + folder + " && cd -- " + folder + " && [ -w . ] && pwd -P && cd && pwd -P";
    auto outcome = persistently(command, stop);
    if (!outcome)
        return tl::unexpected<Error>(std::move(outcome.error()));
    const std::string path(outcome->out.substr(0, outcome->out.find('\n')));
    if (outcome->exitCode != 0 || path.empty() || path.front() != '/') {
        const std::string why(base::trimmed(outcome->err));
        return failure(ErrorCode::Denied,
                       "The folder " + base::pathInQuotes(m_options.remoteFolder) + " on " + m_transport.host() +
                           " cannot be used: " + (why.empty() ? "it cannot be written to" : base::printable(why)) + '.',
                       outcome->err);
    }
    const std::string_view rest = std::string_view(outcome->out).substr(path.size() + 1);
    const std::string home(rest.substr(0, rest.find('\n')));
    return Folders{path == "/" ? std::string() : path, home == "/" ? std::string() : home};
}

Result<void> Submitter::stage(std::vector<JobEntry>& jobs, const std::vector<Bundle>& bundles, SubmitSummary& summary,
                              const std::stop_token& stop)
{
    std::size_t next = 0;
    while (next < jobs.size() && !stop.stop_requested()) {
        RemoteCommand command;
        command.script = stagingFunctions;
        std::vector<std::size_t> batch;
        for (; next < jobs.size() && batch.size() < mostJobsAtOnce && command.input.size() < mostBytesAtOnce; ++next) {
            if (jobs[next].step != Step::Planned)
                continue;
            addStaging(command.script, command.input, jobs[next], bundles[next]);
            batch.push_back(next);
        }
        if (batch.empty())
            break;
        command.title = "stage " + std::to_string(batch.size()) + (batch.size() == 1 ? " job" : " jobs");
        command.timeout = milliseconds(600'000);
        const auto outcome = persistently(command, stop);
        if (!outcome && outcome.error().code == ErrorCode::Cancelled)
            return {};
        std::map<std::string, std::string, std::less<>> failed;
        std::vector<std::string> staged;
        if (outcome) {
            for (const std::string_view line : base::splitAt(outcome->out, '\n')) {
                if (line.starts_with("staged "))
                    staged.emplace_back(line.substr(7));
                else if (line.starts_with("failed ") && line.size() > 24)
                    failed.emplace(line.substr(7, 16), line.substr(24));
            }
        }
        std::vector<JobEntry> changed;
        std::vector<SubmitEvent::Kind> kinds;
        std::size_t firstOpen = next;
        for (const std::size_t index : batch) {
            JobEntry& job = jobs[index];
            const auto why = failed.find(job.id);
            if (std::find(staged.begin(), staged.end(), job.id) != staged.end()) {
                job.step = Step::Staged;
                kinds.push_back(SubmitEvent::Kind::Staged);
            } else if (why != failed.end() || (staged.empty() && failed.empty())) {
                // What fails here stays planned: the next call begins with it.
                const SlurmError* row = why != failed.end() ? explained(why->second) : nullptr;
                const std::string words = why != failed.end() ? base::printable(base::trimmed(why->second)) : std::string();
                job.message = !outcome ? outcome.error().message
                                       : "Its files could not be written on the cluster: " +
                                             (words.empty() ? base::printable(base::trimmed(outcome->err)) : words) +
                                             (row ? ". " + std::string(row->explanation) : std::string());
                kinds.push_back(SubmitEvent::Kind::Failed);
            } else {
                firstOpen = std::min(firstOpen, index); // behind one that failed
                continue;
            }
            job.state = store::name(job.step);
            changed.push_back(job);
        }
        if (auto done = m_record.put(changed); !done)
            return done;
        for (std::size_t i = 0; i < changed.size(); ++i)
            tell(kinds[i], changed[i], summary);
        // The next batch begins behind the one that failed, not with it.
        next = firstOpen;
        if (!outcome) {
            for (std::size_t index = next; index < jobs.size(); ++index) {
                if (jobs[index].step != Step::Planned)
                    continue;
                jobs[index].message = outcome.error().message;
                tell(SubmitEvent::Kind::Failed, jobs[index], summary);
            }
            return {};
        }
    }
    return {};
}

Result<Submitter::Evidence> Submitter::evidenceOf(const JobEntry& job, bool ends, const std::stop_token& stop)
{
    RemoteCommand command;
    command.title = "ask what became of a submission";
    command.script = evidenceScript(job, ends);
    auto outcome = persistently(command, stop);
    if (!outcome)
        return tl::unexpected<Error>(std::move(outcome.error()));
    static constexpr std::array<std::pair<std::string_view, Evidence::Kind>, 6> words = {{
        {"never", Evidence::Kind::Never},
        {"done", Evidence::Kind::Done},
        {"busy", Evidence::Kind::Busy},
        {"dead", Evidence::Kind::Dead},
        {"elsewhere", Evidence::Kind::Elsewhere},
        {"gone", Evidence::Kind::Gone},
    }};
    const std::string_view out = outcome->out;
    const std::size_t lineEnd = std::min(out.find('\n'), out.size());
    const std::vector<std::string_view> line = base::splitAt(out.substr(0, lineEnd), ' ');
    const auto* const word = std::find_if(words.begin(), words.end(), [&](const auto& each) { return each.first == line.front(); });
    if (word == words.end() || outcome->exitCode != 0)
        return failure(ErrorCode::Denied,
                       "The folder " + base::pathInQuotes(job.remoteDir) + " on " + m_transport.host() + " cannot be looked at.",
                       outcome->err);
    Evidence evidence;
    evidence.kind = word->second;
    if (evidence.kind == Evidence::Kind::Done && line.size() == 3) {
        const std::string_view rest = out.substr(std::min(lineEnd + 1, out.size()));
        const auto size = static_cast<std::size_t>(base::integerOf(line[2]).value_or(0));
        evidence.code = static_cast<int>(base::integerOf(line[1]).value_or(-1));
        evidence.out = rest.substr(0, size);
        evidence.err = rest.substr(std::min(size, rest.size()));
    }
    return evidence;
}

namespace {

/// What a submission printed: into the entry. True when it tells of a job.
bool takeAnswer(JobEntry& job, std::string_view out, std::string_view err, int code)
{
    job.said = std::string(out) + std::string(err);
    job.saidCode = code;
    const auto id = submittedId(out);
    if (!id)
        return false;
    job.jobId = id->number;
    job.cluster = id->cluster;
    if (const std::string told = outputDirIn(out); !told.empty())
        job.outputDir = told;
    return true;
}

void setFound(JobEntry& job, std::int64_t submitted)
{
    job.step = Step::Submitted;
    job.state = "submitted";
    job.submitted = submitted;
    job.message.clear();
    job.outputDir = base::replacedAll(job.outputDir, "%j", job.jobId);
}

/// A refusal that is sure: the job was not accepted.
bool isRefusal(const JobEntry& job)
{
    const SlurmError* row = explained(job.said);
    return row && row->isRefusal && job.saidCode != 0;
}

std::string refusalMessage(const JobEntry& job)
{
    const SlurmError* row = explained(job.said);
    std::string out =
        "It was refused (exit code " + std::to_string(job.saidCode.value_or(-1)) + "): " + std::string(base::trimmed(job.said));
    if (row)
        out += "\n" + std::string(row->explanation);
    return out;
}

} // namespace

Submitter::Fate Submitter::lookUp(JobEntry& job, const std::stop_token& stop)
{
    RemoteCommand command;
    command.title = "look for a job by its token";
    command.script = slurmPrelude(m_options.preamble) + lookUpScript();
    const auto end = std::chrono::steady_clock::now() + m_options.patience;
    int absences = 0;
    while (true) {
        const auto outcome = persistently(command, stop);
        if (!outcome)
            return Fate::Unknown;
        const LookUpAnswer answer = readLookUp(outcome->out);
        if (const auto at = answer.numbers.find(job.id); at != answer.numbers.end()) {
            job.jobId = at->second;
            return Fate::Found;
        }
        const bool isSure = answer.hasQueue && (answer.keepsComments || m_options.now() - job.attempted < sureFor);
        absences = isSure ? absences + 1 : 0;
        // A controller that just woke up may answer this question before it takes the job that waits in its socket: twice.
        if (absences >= 2)
            return Fate::Absent;
        if (answer.hasQueue && !isSure)
            return Fate::Unknown;
        if (std::chrono::steady_clock::now() >= end || !waitFor(m_options.grace, stop))
            return Fate::Unknown;
    }
}

/// What became of the last attempt.
Submitter::Fate Submitter::fateOf(JobEntry& job, const std::stop_token& stop)
{
    const auto end = std::chrono::steady_clock::now() + m_options.patience;
    while (true) {
        const bool isOverdue = m_options.now() - job.attempted > longestSubmission;
        const auto evidence = evidenceOf(job, isOverdue, stop);
        if (!evidence)
            return Fate::Unknown;
        switch (evidence->kind) {
        case Evidence::Kind::Never:
            return Fate::Absent; // the attempt is ours now: it cannot begin any more
        case Evidence::Kind::Done:
            if (takeAnswer(job, evidence->out, evidence->err, evidence->code))
                return Fate::Found;
            return isRefusal(job) ? Fate::Refused : lookUp(job, stop);
        case Evidence::Kind::Dead:
        case Evidence::Kind::Gone:
            return lookUp(job, stop);
        case Evidence::Kind::Elsewhere:
            // On another login node, where it can neither be seen nor ended: it is there, or that stays open.
            if (isOverdue)
                return lookUp(job, stop) == Fate::Found ? Fate::Found : Fate::Unknown;
            break;
        case Evidence::Kind::Busy:
            break;
        }
        if (std::chrono::steady_clock::now() >= end || !waitFor(milliseconds(500), stop))
            return Fate::Unknown;
    }
}

Result<Submitter::Fate> Submitter::attempt(JobEntry& job, const Bundle& bundle, const std::stop_token& stop)
{
    ++job.attempt;
    job.attempted = m_options.now();
    job.step = Step::Submitting;
    job.message.clear();
    if (auto done = keep(job); !done)
        return tl::unexpected<Error>(std::move(done.error()));
    RemoteCommand command;
    command.title = "submit " + job.name;
    command.script = submitScript(job, bundle, m_options.preamble);
    const auto outcome = m_transport.run(command, stop);
    if (!outcome) {
        job.message = outcome.error().message;
        return outcome.error().code == ErrorCode::Cancelled ? Fate::Unknown : fateOf(job, stop);
    }
    constexpr std::string_view started = "started\n";
    const std::size_t at = outcome->out.find(started);
    if (at == std::string::npos) {
        // It ended before it submitted (the folder is gone or cannot be written to), and an attempt of that number was made only once.
        job.message = std::string(base::trimmed(outcome->err));
        return Fate::Absent;
    }
    if (takeAnswer(job, std::string_view(outcome->out).substr(at + started.size()), outcome->err, outcome->exitCode))
        return Fate::Found;
    return isRefusal(job) ? Fate::Refused : lookUp(job, stop);
}

Result<void> Submitter::submitOne(JobEntry& job, const Bundle& bundle, SubmitSummary& summary, const std::stop_token& stop)
{
    Fate fate = Fate::Absent;
    if (job.step == Step::Submitting)
        fate = fateOf(job, stop);
    const int before = job.attempt;
    while (fate == Fate::Absent && job.attempt - before < mostAttempts) {
        if (stop.stop_requested()) {
            job.step = Step::Staged;
            job.message = notAskedFor;
            tell(SubmitEvent::Kind::Skipped, job, summary);
            return keep(job);
        }
        auto next = attempt(job, bundle, stop);
        if (!next)
            return tl::unexpected<Error>(std::move(next.error()));
        fate = *next;
    }
    SubmitEvent::Kind kind = SubmitEvent::Kind::Failed;
    switch (fate) {
    case Fate::Found:
        setFound(job, m_options.now());
        kind = SubmitEvent::Kind::Submitted;
        break;
    case Fate::Refused:
        job.step = Step::Rejected;
        job.message = refusalMessage(job);
        break;
    case Fate::Absent:
        job.step = Step::Rejected;
        job.message = job.saidCode ? refusalMessage(job) : "It could not be submitted: " + job.message;
        break;
    case Fate::Unknown:
        job.message = "It is not known whether it was accepted" + (job.message.empty() ? std::string() : " (" + job.message + ")") +
                      "; the next call looks for it before it asks again.";
        break;
    }
    if (!bundle.secretEnvironment.empty() && fate != Fate::Unknown && !(fate == Fate::Found && job.saidCode == 0))
        removeSecrets(job, stop);
    if (auto done = keep(job); !done)
        return done;
    tell(kind, job, summary);
    return {};
}

/// The submission itself removes the file when it is accepted and nothing breaks; this is for all other ends.
void Submitter::removeSecrets(const JobEntry& job, const std::stop_token& stop)
{
    RemoteCommand command;
    command.title = "remove the secrets of a job";
    command.script = "rm -f -- " + shellQuoted(job.remoteDir + '/' + std::string(secretsFile));
    (void)persistently(command, stop);
}

Result<JobEntry> Submitter::reconcile(JobEntry job, std::stop_token stop)
{
    if (job.step != Step::Submitting)
        return job;
    switch (fateOf(job, stop)) {
    case Fate::Found:
        setFound(job, job.attempted);
        break;
    case Fate::Refused:
        job.step = Step::Rejected;
        job.message = refusalMessage(job);
        break;
    case Fate::Absent:
        job.step = Step::Staged;
        job.message = "It is not on the cluster.";
        break;
    case Fate::Unknown:
        return job;
    }
    removeSecrets(job, stop);
    if (auto done = keep(job); !done)
        return tl::unexpected<Error>(std::move(done.error()));
    return job;
}

Result<void> Submitter::waitForRoom(const store::CallEntry& call, const std::stop_token& stop)
{
    if (m_options.maxInFlight == 0)
        return {};
    auto answered = std::chrono::steady_clock::now();
    while (!stop.stop_requested()) {
        // A job that Slurm knows no more has ended, however it did; it must not be waited for.
        std::vector<JobEntry> open;
        for (const JobEntry& job : m_record.jobs())
            if (job.call == call.id && isOnCluster(job) && !isEnd(job.state) && job.state != "unknown")
                open.push_back(job);
        if (open.size() < m_options.maxInFlight)
            return {};
        auto polled = poll(m_transport, open, m_options.preamble, m_options.now(), stop);
        if (polled && !polled->changed.empty()) {
            if (auto done = m_record.put(polled->changed); !done)
                return done;
            continue;
        }
        const auto now = std::chrono::steady_clock::now();
        if (polled && polled->warning.empty())
            answered = now;
        else if (now - answered > m_options.patience)
            return failure(ErrorCode::Unreachable, "It was not asked for: how many jobs are in flight is not known. " +
                                                       (polled ? polled->warning : polled.error().message));
        if (!waitFor(m_options.pollInterval, stop))
            break;
    }
    return failure(ErrorCode::Cancelled, std::string(notAskedFor));
}

Result<SubmitSummary> Submitter::submit(const OpenedCall& opened, const std::vector<Bundle>& bundles, std::stop_token stop)
{
    assert(bundles.size() == opened.jobs.size());
    SubmitSummary summary;
    summary.planned = opened.jobs.size();
    std::vector<JobEntry> jobs = opened.jobs;
    for (JobEntry& job : jobs) {
        if (isOnCluster(job)) {
            job.message = "It was submitted before the interruption.";
            tell(SubmitEvent::Kind::Skipped, job, summary);
        }
    }
    const auto isOpen = [](const JobEntry& job) { return !isOnCluster(job); };
    if (std::any_of(jobs.begin(), jobs.end(), isOpen)) {
        const auto folder = remoteFolder(stop);
        if (!folder) {
            const bool isCancelled = folder.error().code == ErrorCode::Cancelled;
            for (JobEntry& job : jobs) {
                if (isOnCluster(job))
                    continue;
                job.message = folder.error().message;
                tell(isCancelled ? SubmitEvent::Kind::Skipped : SubmitEvent::Kind::Failed, job, summary);
            }
            return summary;
        }
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            JobEntry& job = jobs[i];
            if (!isOnCluster(job))
                job.message.clear();
            if (job.step == Step::Rejected || job.step == Step::Skipped)
                job.step = Step::Planned; // asked for again; its files are looked at anew
            if (job.step != Step::Planned)
                continue;
            if (job.remoteDir.find('/') == std::string::npos)
                job.remoteDir = folder->remote + '/' + job.remoteDir;
            job.files.clear();
            for (const BundleFile& file : bundles[i].files)
                job.files.push_back({file.name, file.sha256, file.bytes.size()});
            if (const BundleFile* main = bundles[i].mainFile())
                job.sha256 = main->sha256;
            job.outputDir = outputDirOf(bundles[i], job, folder->home);
        }
        std::vector<JobEntry> planned;
        std::copy_if(jobs.begin(), jobs.end(), std::back_inserter(planned), [](const JobEntry& job) { return job.step == Step::Planned; });
        if (auto done = m_record.put(planned); !done)
            return tl::unexpected<Error>(std::move(done.error()));
        if (auto done = stage(jobs, bundles, summary, stop); !done)
            return tl::unexpected<Error>(std::move(done.error()));
    }
    bool isFirst = true;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        JobEntry& job = jobs[i];
        if (isOnCluster(job))
            continue;
        if (job.step == Step::Planned) {
            if (job.message.empty()) { // not reached: cancelled while staging
                job.message = notAskedFor;
                tell(SubmitEvent::Kind::Skipped, job, summary);
            }
            continue;
        }
        const bool isCancelled = stop.stop_requested() || !(isFirst || m_options.stagger.count() == 0 || waitFor(m_options.stagger, stop));
        const auto room =
            isCancelled ? Result<void>(failure(ErrorCode::Cancelled, std::string(notAskedFor))) : waitForRoom(opened.call, stop);
        if (!room && job.step == Step::Staged) {
            job.message = room.error().message;
            tell(SubmitEvent::Kind::Skipped, job, summary);
            continue;
        }
        isFirst = false;
        if (auto done = submitOne(job, bundles[i], summary, stop); !done)
            return tl::unexpected<Error>(std::move(done.error()));
    }
    assert(summary.planned == summary.submitted + summary.failed + summary.skipped);
    if (std::none_of(jobs.begin(), jobs.end(), isOpen)) {
        store::CallEntry ended = opened.call;
        ended.ended = m_options.now();
        if (auto done = m_record.put(ended); !done)
            return tl::unexpected<Error>(std::move(done.error()));
    }
    return summary;
}

} // namespace wb::remote
