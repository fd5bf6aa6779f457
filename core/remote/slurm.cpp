#include "core/remote/slurm.h"

#include "core/base/json.h"
#include "core/base/shell.h"
#include "core/base/text.h"
#include "core/plan/topology.h"
#include "core/remote/jobids.h"
#include "core/remote/slurmstates.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace wb::remote {

namespace {

using Fields = std::vector<std::string_view>;

/// The first `count` - 1 fields, and all the rest as the last: names and comments may hold the separator.
Fields fieldsOf(std::string_view line, std::size_t count)
{
    Fields out;
    while (out.size() + 1 < count) {
        const std::size_t bar = line.find('|');
        if (bar == std::string_view::npos)
            return {};
        out.push_back(line.substr(0, bar));
        line.remove_prefix(bar + 1);
    }
    out.push_back(line);
    return out;
}

/// Seconds since 1970; "N/A", "Unknown" and "None" are nothing.
std::optional<std::int64_t> timeOf(std::string_view text)
{
    const auto seconds = base::integerOf(base::trimmed(text));
    return seconds && *seconds > 0 ? seconds : std::nullopt;
}

std::string said(std::string_view text)
{
    const std::string_view word = base::trimmed(text);
    return word == "None" || word == "(null)" || word == "None assigned" || word == "N/A" ? std::string() : std::string(word);
}

/// "3:0": exit code and signal.
void setExit(JobFacts& facts, std::string_view text)
{
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos)
        return;
    const auto code = base::integerOf(base::trimmed(text.substr(0, colon)));
    const auto signal = base::integerOf(base::trimmed(text.substr(colon + 1)));
    if (!code || !signal)
        return;
    facts.exitCode = static_cast<int>(*code);
    if (*signal != 0)
        facts.signal = static_cast<int>(*signal);
}

/// How much a part of a job decides what the whole is: the higher wins.
int weight(std::string_view state)
{
    if (state == "running" || state == "completing")
        return 4;
    if (!isEnd(state))
        return 3;
    return isFailure(state) ? 2 : 1;
}

void unite(JobFacts& whole, const JobFacts& part)
{
    if (weight(part.state) > weight(whole.state)) {
        whole.state = part.state;
        whole.reason = part.reason;
        whole.exitCode = part.exitCode;
        whole.signal = part.signal;
    }
    const auto earlier = [](std::optional<std::int64_t>& a, std::optional<std::int64_t> b) {
        if (b && (!a || *b < *a))
            a = b;
    };
    earlier(whole.submitted, part.submitted);
    earlier(whole.started, part.started);
    if (part.ended && (!whole.ended || *part.ended > *whole.ended))
        whole.ended = part.ended;
    if (!isEnd(whole.state))
        whole.ended.reset();
    if (whole.nodes.empty())
        whole.nodes = part.nodes;
}

void add(std::map<std::string, JobFacts>& jobs, JobFacts facts)
{
    const auto [at, isNew] = jobs.try_emplace(facts.id, facts);
    if (!isNew)
        unite(at->second, facts);
}

// squeue: %i id, %T state, %r reason, %V submitted, %S start (expected for pending ones), %e end, %N nodes, %j name
constexpr std::string_view queueFormat = "%i|%T|%r|%V|%S|%e|%N|%j";
constexpr std::size_t queueFields = 8;

std::optional<JobFacts> readQueueLine(std::string_view line)
{
    const Fields fields = fieldsOf(line, queueFields);
    const auto id = fields.empty() ? std::nullopt : readSlurmId(base::trimmed(fields[0]));
    if (!id)
        return std::nullopt;
    JobFacts facts;
    facts.id = id->number;
    facts.state = stateName(fields[1]);
    facts.reason = said(fields[2]);
    facts.submitted = timeOf(fields[3]);
    if (facts.state == "pending")
        facts.expectedStart = timeOf(fields[4]);
    else
        facts.started = timeOf(fields[4]);
    if (isEnd(facts.state))
        facts.ended = timeOf(fields[5]);
    facts.nodes = said(fields[6]);
    facts.name = fields[7];
    return facts;
}

constexpr std::string_view accountingFormat = "jobid,state,exitcode,submit,start,end,nodelist,reason,jobname";
constexpr std::size_t accountingFields = 9;

std::optional<JobFacts> readAccountingLine(std::string_view line)
{
    const Fields fields = fieldsOf(line, accountingFields);
    const auto id = fields.empty() ? std::nullopt : readSlurmId(base::trimmed(fields[0]));
    if (!id)
        return std::nullopt;
    JobFacts facts;
    facts.id = id->number;
    facts.state = stateName(fields[1]);
    if (isEnd(facts.state))
        setExit(facts, fields[2]);
    facts.submitted = timeOf(fields[3]);
    facts.started = timeOf(fields[4]);
    facts.ended = isEnd(facts.state) ? timeOf(fields[5]) : std::nullopt;
    facts.nodes = said(fields[6]);
    facts.reason = said(fields[7]);
    facts.name = fields[8];
    return facts;
}

std::optional<JobFacts> factsOf(const Pairs& pairs)
{
    const auto text = [&](std::string_view key) {
        const auto at = pairs.find(key);
        return at == pairs.end() ? std::string_view() : std::string_view(at->second);
    };
    auto id = readSlurmId(text("JobId"));
    if (!id)
        return std::nullopt;
    for (const std::string_view owner : {"ArrayJobId", "HetJobId"}) {
        if (const auto whole = readSlurmId(text(owner)))
            id = whole;
    }
    JobFacts facts;
    facts.id = id->number;
    facts.state = stateName(text("JobState"));
    facts.reason = said(text("Reason"));
    facts.name = text("JobName");
    facts.comment = text("Comment");
    facts.nodes = said(text("NodeList"));
    facts.submitted = timeOf(text("SubmitTime"));
    facts.started = timeOf(text("StartTime"));
    if (isEnd(facts.state)) {
        setExit(facts, text("ExitCode"));
        facts.ended = timeOf(text("EndTime"));
    }
    return facts;
}

/// Output in parts: a line "== name code" ends the part that stands above it.
struct Part {
    std::string_view name;
    std::string_view text;
    int code = 0;
};
std::vector<Part> partsOf(std::string_view out)
{
    std::vector<Part> parts;
    std::size_t begin = 0;
    std::size_t at = 0;
    while (at < out.size()) {
        const std::size_t end = std::min(out.find('\n', at), out.size());
        const std::string_view line = out.substr(at, end - at);
        if (line.starts_with("== ")) {
            const std::vector<std::string_view> words = base::splitAt(line, ' ');
            const auto code = words.size() == 3 ? base::integerOf(words[2]) : std::nullopt;
            if (code) {
                parts.push_back({words[1], out.substr(begin, at - begin), static_cast<int>(*code)});
                begin = std::min(end + 1, out.size());
            }
        }
        at = end + 1;
    }
    return parts;
}

std::optional<RunStatus> runStatusOf(std::string_view json)
{
    const auto value = base::json::read(json);
    const auto text = [&](std::string_view key) {
        const base::json::Value* found = value->find(key);
        return found && found->string() ? *found->string() : std::string();
    };
    if (!value || text("state").empty())
        return std::nullopt;
    RunStatus status{text("state"), text("stage"), text("reason"), std::nullopt, text("workers")};
    if (const base::json::Value* code = value->find("exit_code"); code && code->integer())
        status.exitCode = static_cast<int>(*code->integer());
    return status;
}

/// An error that a command printed although it ended with 0 is one too (squeue 22.05 does so).
bool hasAnswered(const Part& part)
{
    return part.code == 0 && part.text.find("slurm_load_jobs error") == std::string_view::npos;
}

} // namespace

std::string slurmPrelude(std::string_view preamble)
{
    // A job inherits these, and bash in it would take itself for one that ssh started and read ~/.bashrc.
    std::string out = "unset SSH_CLIENT SSH_CONNECTION SSH2_CLIENT\n";
    if (!preamble.empty())
        out += std::string(preamble) + '\n';
    // Slurm may be in the path of login shells only; such a shell may print what it likes around it.
    out += "command -v squeue >/dev/null 2>&1 || {\n"
           "found=$(bash -lc 'printf \"\\n@@%s@@\\n\" \"$PATH\"' </dev/null 2>/dev/null | sed -n 's/^@@\\(.*\\)@@$/\\1/p' | tail -n 1)\n"
           "[ -z \"$found\" ] || export PATH=\"$found\"\n"
           "}\n";
    return out;
}

std::string pollScript(std::span<const PollItem> items)
{
    std::vector<std::string> numbers;
    numbers.reserve(items.size());
    for (const PollItem& item : items)
        numbers.push_back(item.number);
    std::string out = "export SLURM_TIME_FORMAT=%s\ndate +%s; echo '== date 0'\n";
    for (std::size_t begin = 0; begin < numbers.size(); begin += mostIdsAtOnce) {
        const std::size_t count = std::min(mostIdsAtOnce, numbers.size() - begin);
        const std::string ids = base::shellQuoted(base::joined(std::span(numbers).subspan(begin, count), ","));
        out += "ids=" + ids + "\n";
        // One unknown id alone is an error of squeue, unknown ones in a list are not: a list of two that are the same.
        out += "queued=$(squeue -h -t all -j \"$ids,${ids%%,*}\" -o '" + std::string(queueFormat) +
               "' 2>&1); code=$?; printf '%s\\n' \"$queued\"; echo \"== squeue $code\"\n";
        out += "sacct -X -n -P -j \"$ids\" -o " + std::string(accountingFormat) + " 2>&1; code=$?; echo \"== sacct $code\"\n";
        out += "if [ $code != 0 ]; then\n"
               "IFS=,; for id in $ids; do unset IFS\n"
               "printf '%s\\n' \"$queued\" | grep -Eq \"^$id([_+][^|]*)?[|](RUNNING|PENDING|CONFIGURING|SUSPENDED)[|]\" && continue\n"
               "scontrol -o show job \"$id\" 2>&1; echo \"== scontrol $?\"\n"
               "done\nfi\n";
    }
    for (const PollItem& item : items) {
        if (item.outputDir.empty())
            continue;
        out += "cat -- " + base::shellQuoted(item.outputDir + '/' + std::string(statusFile)) + " 2>/dev/null && { echo; echo '== run-" +
               item.number + " 0'; }\n";
        out += runLogScript(item.number, base::shellQuoted(item.outputDir), item.isBegun) + "echo '== log-" + item.number + " 0'\n";
    }
    return out;
}

PollAnswer readPoll(std::string_view out)
{
    PollAnswer answer;
    std::map<std::string, JobFacts> accounting;
    std::map<std::string, JobFacts> shown;
    for (const Part& part : partsOf(out)) {
        if (part.name == "date") {
            answer.remoteNow = timeOf(part.text);
        } else if (part.name == "squeue") {
            const bool isUnknown = part.text.find("Invalid job id specified") != std::string_view::npos;
            if (!hasAnswered(part) && !isUnknown) {
                answer.trouble = std::string(base::trimmed(part.text));
                continue;
            }
            answer.hasQueue = true;
            for (const std::string_view line : base::splitAt(part.text, '\n')) {
                if (auto facts = readQueueLine(line))
                    add(answer.jobs, *std::move(facts));
            }
        } else if (part.name == "sacct" && part.code == 0) {
            answer.hasAccounting = true;
            for (const std::string_view line : base::splitAt(part.text, '\n')) {
                if (auto facts = readAccountingLine(line))
                    add(accounting, *std::move(facts));
            }
        } else if (part.name.starts_with("run-")) {
            if (const auto status = runStatusOf(part.text))
                answer.runs[std::string(part.name.substr(4))] = *status;
        } else if (part.name.starts_with("log-")) {
            answer.logs[std::string(part.name.substr(4))] = readRunLog(part.text);
        } else if (part.name == "scontrol" && part.code == 0) {
            for (const Pairs& pairs : readScontrol(part.text)) {
                if (auto facts = factsOf(pairs))
                    add(shown, *std::move(facts));
            }
        }
    }
    if (!answer.trouble.empty())
        answer.hasQueue = false;
    // The queue is newer than the accounting, which lags behind and knows a requeued job by its first end.
    for (auto* others : {&accounting, &shown}) {
        for (auto& [id, facts] : *others) {
            const auto [at, isNew] = answer.jobs.try_emplace(id, facts);
            if (isNew || !isEnd(at->second.state))
                continue;
            if (!at->second.exitCode && isEnd(facts.state)) {
                at->second.exitCode = facts.exitCode;
                at->second.signal = facts.signal;
            }
        }
    }
    return answer;
}

std::string lookUpScript()
{
    return "me=$(id -un)\n"
           "squeue -h -t all -u \"$me\" -o '%i|%k' 2>&1; echo \"== squeue $?\"\n"
           "sacct -X -n -P -u \"$me\" -S now-7days -o jobid,comment 2>&1; echo \"== sacct $?\"\n";
}

LookUpAnswer readLookUp(std::string_view out)
{
    LookUpAnswer answer;
    for (const Part& part : partsOf(out)) {
        if (!hasAnswered(part)) {
            if (part.name == "squeue")
                answer.trouble = std::string(base::trimmed(part.text));
            continue;
        }
        if (part.name == "squeue")
            answer.hasQueue = true;
        for (const std::string_view line : base::splitAt(part.text, '\n')) {
            const Fields fields = fieldsOf(line, 2);
            // Slurm keeps comments in the accounting only where it was told to (AccountingStoreFlags=job_comment).
            const bool isKept = part.name == "sacct" && !fields.empty() && !said(fields[1]).empty();
            answer.keepsComments = answer.keepsComments || isKept;
            const auto id = fields.empty() ? std::nullopt : readSlurmId(base::trimmed(fields[0]));
            const std::string token = id ? tokenIn(fields[1]) : std::string();
            if (!token.empty())
                answer.numbers.emplace(token, id->number);
        }
    }
    return answer;
}

namespace {
constexpr std::string_view tokenMark = "srtwb:";
constexpr std::size_t tokenDigits = 16;
} // namespace

std::string commentFor(std::string_view written, std::string_view token)
{
    std::string out(written);
    if (!out.empty())
        out += ','; // no blank: srtctl writes comments without quotes
    return out + std::string(tokenMark) + std::string(token);
}

std::string tokenIn(std::string_view comment)
{
    const std::size_t at = comment.rfind(tokenMark);
    if (at == std::string_view::npos)
        return {};
    const std::string_view token = comment.substr(at + tokenMark.size(), tokenDigits);
    const bool isToken = token.size() == tokenDigits && token.find_first_not_of("0123456789abcdef") == std::string_view::npos;
    return isToken ? std::string(token) : std::string();
}

TestOnly readTestOnly(std::string_view err, int exitCode)
{
    TestOnly out;
    out.words = std::string(base::trimmed(err));
    // "sbatch: Job 7 to start at 2026-11-30T12:00:26 using 2 processors on nodes node1 in partition gpu"
    constexpr std::string_view begin = " to start at ";
    const std::size_t at = err.find(begin);
    out.isAccepted = exitCode == 0 && at != std::string_view::npos;
    if (at != std::string_view::npos) {
        const std::string_view rest = err.substr(at + begin.size());
        out.start = std::string(rest.substr(0, std::min(rest.find(' '), rest.size())));
    }
    return out;
}

std::vector<Pairs> readScontrol(std::string_view out)
{
    std::vector<Pairs> all;
    for (const std::string_view line : base::splitAt(out, '\n')) {
        Pairs pairs;
        std::string* last = nullptr;
        for (const std::string_view word : base::splitAt(line, ' ')) {
            const std::size_t equals = word.find('=');
            const std::string_view key = word.substr(0, std::min(equals, word.size()));
            const bool isKey = equals != std::string_view::npos && !key.empty() && key.front() >= 'A' && key.front() <= 'Z';
            if (isKey) {
                last = &pairs[std::string(key)];
                *last = word.substr(equals + 1);
            } else if (last && !word.empty()) {
                *last += ' ' + std::string(word); // a value with blanks: a comment, a reason
            }
        }
        if (!pairs.empty())
            all.push_back(std::move(pairs));
    }
    return all;
}

std::optional<std::int64_t> limitMinutes(std::string_view text)
{
    const auto hours = plan::timeLimitHours(text);
    return hours ? std::optional(static_cast<std::int64_t>(std::ceil(*hours * 60))) : std::nullopt;
}

} // namespace wb::remote
