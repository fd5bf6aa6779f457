// Profiles, prompts, the audit log, logs, fetch rules: what needs no cluster.
#include "core/base/sha256.h"
#include "core/remote/auditlog.h"
#include "core/remote/fetcher.h"
#include "core/remote/logtail.h"
#include "core/remote/monitor.h"
#include "core/remote/opensshtransport.h"
#include "core/remote/ownlog.h"
#include "core/remote/profiles.h"
#include "core/remote/prompts.h"
#include "core/remote/submitter.h"
#include "tests/support/corpus.h"
#include "tests/support/temporaryfolder.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <string>
#include <thread>
#include <vector>

namespace wb::remote {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// Gives answers that were laid in, and keeps what was asked: for readers only.
class LaidIn final : public Transport
{
public:
    explicit LaidIn(std::vector<std::string> answers)
        : m_answers(std::move(answers))
    {
    }
    [[nodiscard]] Result<RemoteOutcome> run(const RemoteCommand& command, std::stop_token /*stop*/) override
    {
        asked.push_back(command.script);
        if (m_next >= m_answers.size())
            return failure(ErrorCode::Unreachable, "There are no more answers.");
        return RemoteOutcome{0, m_answers[m_next++], {}, {}};
    }
    [[nodiscard]] Result<void> connect(std::stop_token /*stop*/) override { return {}; }
    [[nodiscard]] bool isConnected() override { return true; }
    void disconnect() override {}
    [[nodiscard]] std::string host() const override { return "somewhere"; }

    std::vector<std::string> asked;

private:
    std::vector<std::string> m_answers;
    std::size_t m_next = 0;
};

TEST(OwnLog, TheJobsOwnLogIsTheOneThatItsScriptWrites)
{
    store::JobEntry job;
    const std::vector<std::string> paths = {"config.yaml", "logs/node4_agg_w3.out", "logs/sweep_4.log", "logs/sweep_42.log"};
    EXPECT_EQ(ownLog(paths, job), "logs/node4_agg_w3.out");
    job.jobId = "4";
    EXPECT_EQ(ownLog(paths, job), "logs/sweep_4.log");
    job.jobId = "7";
    EXPECT_EQ(ownLog(paths, job), "logs/node4_agg_w3.out");
    EXPECT_EQ(ownLog({"config.yaml"}, job), "");
}

TEST(Profiles, AreReadAndWritten)
{
    const auto profiles =
        readProfiles(R"({"profiles": [{"name": "a", "host": "login", "readOnly": true, "pollSeconds": 60}, {"name": "b"}]})");
    ASSERT_TRUE(profiles) << profiles.error().message;
    ASSERT_EQ(profiles->size(), 2U);
    EXPECT_EQ(profiles->front().host, "login");
    EXPECT_TRUE(profiles->front().isReadOnly);
    const auto again = readProfiles(writeProfiles(*profiles));
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, *profiles);
}

TEST(Profiles, WrongOnesAreNamed)
{
    const auto message = [](std::string_view json) {
        const auto read = readProfiles(json);
        return read ? std::string() : read.error().message;
    };
    EXPECT_THAT(message(R"({"profiles": [{"name": "a", "hots": "x"}]})"), HasSubstr("\"hots\""));
    EXPECT_THAT(message(R"({"profiles": [{"name": "a", "pollSeconds": 1}]})"), HasSubstr("at least 10"));
    EXPECT_THAT(message(R"({"profiles": [{"name": "a", "readOnly": "yes"}]})"), HasSubstr("true or false"));
    EXPECT_THAT(message(R"({"profiles": [{"name": "a"}, {"name": "a"}]})"), HasSubstr("more than one"));
    EXPECT_THAT(message(R"({"profiles": [{"name": "offline"}]})"), HasSubstr("offline"));
    EXPECT_THAT(message(R"({"profiles": [{"host": "x"}]})"), HasSubstr("no \"name\""));
    EXPECT_FALSE(message("[]").empty());
    EXPECT_FALSE(message("{").empty());
}

TEST(Profiles, ANameThatIsNoneIsAHost)
{
    EXPECT_EQ(profileFor({}, "me@login").host, "me@login");
    EXPECT_EQ(profileFor({}, "offline").host, "");
}

TEST(Prompts, AreToldApart)
{
    EXPECT_EQ(promptOf("Enter passphrase for key '/home/me/.ssh/id': ").kind, PromptKind::Passphrase);
    EXPECT_EQ(promptOf("Enter passphrase for key '/home/me/.ssh/id': ").subject, "/home/me/.ssh/id");
    EXPECT_EQ(promptOf("me@login's password: ").kind, PromptKind::Password);
    EXPECT_EQ(promptOf("me@login's password: ").subject, "me@login");
    EXPECT_EQ(promptOf("(me@login) Password: ").subject, "me@login");
    EXPECT_EQ(promptOf("(me@login) Verification code: ").kind, PromptKind::Code);
    const Prompt key =
        promptOf("The authenticity of host '[127.0.0.1]:2222 ([127.0.0.1]:2222)' can't be established.\nED25519 key fingerprint is "
                 "SHA256:abc/def.\nThis key is not known by any other names.\nAre you sure you want to continue connecting "
                 "(yes/no/[fingerprint])? ");
    EXPECT_EQ(key.kind, PromptKind::HostKey);
    EXPECT_EQ(key.subject, "[127.0.0.1]:2222 ([127.0.0.1]:2222)");
    EXPECT_EQ(key.fingerprint, "SHA256:abc/def");
    EXPECT_EQ(promptOf("Something new").kind, PromptKind::Other);
    EXPECT_FALSE(mayBeKept(PromptKind::HostKey));
    EXPECT_FALSE(mayBeKept(PromptKind::Code));
}

TEST(Audit, SecretsAreTakenOut)
{
    EXPECT_EQ(redacted("curl -H s3cret x", {"s3cret"}), "curl -H *** x");
    EXPECT_EQ(redacted("export HF_TOKEN=hf_abc; run"), "export HF_TOKEN=***; run");
    EXPECT_EQ(redacted("AWS_SECRET_ACCESS_KEY='a b' run"), "AWS_SECRET_ACCESS_KEY=*** run");
    EXPECT_EQ(redacted("Authorization: Bearer abc.def"), "Authorization: Bearer ***");
    EXPECT_EQ(redacted("https://me:pw@host/x"), "https://***@host/x");
    EXPECT_EQ(redacted("sbatch --comment=srtwb:0123 --nodes=2"), "sbatch --comment=srtwb:0123 --nodes=2");
    EXPECT_EQ(redacted("ssh://me@host/x"), "ssh://me@host/x");
    // As the shell's own quoting spells them.
    EXPECT_EQ(redacted("export HF_TOKEN='a'\\''b' run"), "export HF_TOKEN=*** run");
    EXPECT_EQ(redacted("env 'HF_TOKEN=a b' run"), "env 'HF_TOKEN=***' run");
    EXPECT_EQ(redacted("MY_AUTH=abc run"), "MY_AUTH=*** run");
    EXPECT_EQ(redacted("-H 'Authorization: Bearer abc' x 'y'"), "-H 'Authorization: Bearer ***' x 'y'");
}

TEST(Audit, IsALineForEachCommandThatOnlyItsOwnerReads)
{
    const test::TemporaryFolder folder;
    AuditLog log(folder.below("audit.jsonl"), {"s3cret"});
    log.add({1, "h", "poll 2 jobs", "squeue\n-t s3cret", "exit 0", 12});
    log.add({2, "h", "poll 2 jobs", "squeue", "exit 0", 12});
    const std::string text = test::bytesOf(folder.below("audit.jsonl"));
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
    EXPECT_THAT(text, Not(HasSubstr("s3cret")));
    struct stat found = {};
    ASSERT_EQ(::stat(folder.below("audit.jsonl").c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 0777U, 0600U);
    EXPECT_EQ(log.trouble(), "");
    AuditLog nowhere(folder.below("missing/audit.jsonl"), {});
    nowhere.add({});
    EXPECT_THAT(nowhere.trouble(), HasSubstr("audit log"));
}

TEST(Audit, AFullFileBecomesTheOlderPart)
{
    const test::TemporaryFolder folder;
    const std::string path = folder.below("audit.jsonl");
    EXPECT_FALSE(readAuditLog(path));
    constexpr std::int64_t mostBytes = 400;
    constexpr int entries = 12;
    AuditLog one(path, {}, mostBytes);
    AuditLog other(path, {}, mostBytes); // of another program
    for (int i = 0; i < entries; ++i) {
        (i % 2 == 0 ? one : other).add({i, "h", "poll", "squeue", "exit 0", 12});
        EXPECT_LT(static_cast<std::int64_t>(test::bytesOf(path).size()), mostBytes + 200);
    }
    const auto text = readAuditLog(path);
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_GE(text->size(), static_cast<std::size_t>(mostBytes)) << "the older part is kept";
    EXPECT_TRUE(text->ends_with(test::bytesOf(path)));
    EXPECT_THAT(*text, HasSubstr("\"time\":11"));
    EXPECT_EQ(one.trouble() + other.trouble(), "");
}

TEST(Audit, ProgramsThatSeeAFullFileAtOnceLoseNothing)
{
    const test::TemporaryFolder folder;
    const std::string path = folder.below("audit.jsonl");
    constexpr int threads = 4;
    constexpr int entries = 200;
    constexpr std::int64_t bound = 80'000; // of 120 kB that they write: it becomes full once
    std::vector<std::thread> all;
    for (int t = 0; t < threads; ++t)
        all.emplace_back([&path, t] {
            AuditLog log(path, {}, bound);
            for (int i = 0; i < entries; ++i)
                log.add({t * 1000 + i, "h", "poll", std::string(70, 'x'), "exit 0", 12});
            EXPECT_EQ(log.trouble(), "");
        });
    for (std::thread& each : all)
        each.join();
    const auto text = readAuditLog(path);
    ASSERT_TRUE(text) << text.error().message;
    const auto lines = std::count(text->begin(), text->end(), '\n');
    EXPECT_EQ(lines, threads * entries) << "set aside once, by one of them";
}

TEST(LogTail, ReadsPiecesByTheirLengths)
{
    LaidIn transport({"piece 10 3 0 4\nab\nc\nnone 0 0 0 0\n\npiece 5 0 5 0\n\n"});
    const auto pieces = readTails(transport, {{"/a", 0}, {"/b", 7}, {"/c", 5}}, 4);
    ASSERT_TRUE(pieces) << pieces.error().message;
    ASSERT_EQ(pieces->size(), 3U);
    EXPECT_EQ((*pieces)[0].bytes, "ab\nc");
    EXPECT_EQ((*pieces)[0].idleSeconds, 3);
    EXPECT_FALSE((*pieces)[1].exists);
    EXPECT_EQ((*pieces)[2].bytes, "");
}

TEST(LogTail, AnAnswerThatIsNoneIsAnError)
{
    for (const char* text : {"", "piece 10 3 0 4\nab", "piece x 3 0 4\nabcd\n", "hello\n"}) {
        LaidIn transport({text});
        EXPECT_FALSE(readTails(transport, {{"/a", 0}}, 4)) << text;
    }
}

TEST(LogTail, WhatATerminalWouldObeyIsShown)
{
    EXPECT_EQ(harmless("a\x1b[31mred\x1b[0m b\n"), "ared b\n");
    EXPECT_EQ(harmless("a\x1b]0;title\x07z"), "a\\x1b]0;title\\x07z");
    EXPECT_EQ(harmless("10%\r50%\r100%\n"), "100%\n");
    EXPECT_EQ(harmless("line\r\n"), "line\n");
    EXPECT_EQ(harmless("\xff\n"), "\\xff\n");
    EXPECT_EQ(harmless("a\tb"), "a    b");
}

TEST(LogTail, LinesThatRepeatAreCounted)
{
    EXPECT_EQ(collapsed("a 1\na 2\na 33\nb\n"), "a 33  [3 times]\nb\n");
    EXPECT_EQ(collapsed(""), "");
}

TEST(LogTail, FindsTheFirstError)
{
    const auto found = firstError("+ echo CUDA out of memory\nfine\nerror: vague\nRuntimeError: CUDA out of memory. Tried\n");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->line, 4U);
    ASSERT_TRUE(found->sign);
    EXPECT_EQ(found->sign->id, "out-of-memory-gpu");
    EXPECT_FALSE(firstError("all errors: 0 terrors\n0 errors\nfine\n"));
    EXPECT_EQ(firstError("x\nERROR something\n")->line, 2U);
}

TEST(Fetch, TakesResultsAndLeavesTheRest)
{
    const std::vector<RemoteFile> files = {{"logs/worker_0.out", 100, 0},   {"logs/sa-bench/results.json", 2000, 0},
                                           {"logs/sweep_12.log", 300, 0},   {"logs/huge.json", std::uint64_t{1} << 40U, 0},
                                           {"../../etc/passwd.json", 1, 0}, {"a//b.json", 1, 0}};
    const FetchPlan plan = planFetch(files, {});
    std::vector<std::string> names;
    for (const RemoteFile& file : plan.wanted)
        names.push_back(file.path);
    EXPECT_THAT(names, ElementsAre("logs/sa-bench/results.json", "logs/sweep_12.log"));
    EXPECT_EQ(plan.bytes, 2300U);
    EXPECT_EQ(plan.left.size(), 4U);
}

TEST(Monitor, AJobThatNobodyKnowsIsUnknownAndNotEnded)
{
    store::JobEntry job;
    job.step = store::Step::Submitted;
    job.jobId = "7";
    job.state = "running";
    job.submitted = 1000;
    PollAnswer answer;
    EXPECT_EQ(updated(job, answer, 5000).state, "running") << "the queue did not answer";
    answer.hasQueue = true;
    EXPECT_EQ(updated(job, answer, 5000).state, "unknown");
    EXPECT_FALSE(updated(job, answer, 5000).ended);
    EXPECT_EQ(updated(job, answer, 1005).state, "running") << "Slurm may not have taken it in yet";
}

TEST(Monitor, WhereSlurmForgotTheRunItselfTells)
{
    store::JobEntry job;
    job.step = store::Step::Submitted;
    job.jobId = "7";
    job.state = "running";
    PollAnswer answer;
    answer.hasQueue = true;
    answer.runs["7"] = {"failed", "workers", "Worker 0 ended.", 5};
    const store::JobEntry after = updated(job, answer, 5000);
    EXPECT_EQ(after.state, "failed");
    EXPECT_EQ(after.exitCode, 5);
    EXPECT_EQ(after.reason, "Worker 0 ended.");
    answer.runs["7"].state = "running"; // killed before it could say more
    EXPECT_EQ(updated(job, answer, 5000).state, "unknown");
}

TEST(Monitor, TimesAreShiftedToOurClock)
{
    store::JobEntry job;
    job.step = store::Step::Submitted;
    job.jobId = "7";
    PollAnswer answer;
    answer.hasQueue = true;
    answer.remoteNow = 3600 + 1000; // an hour ahead
    answer.jobs["7"] = {.id = "7", .state = "completed", .started = 3600 + 900, .ended = 3600 + 950, .exitCode = 0};
    const store::JobEntry after = updated(job, answer, 1000);
    EXPECT_EQ(after.started, 900);
    EXPECT_EQ(after.ended, 950);
    EXPECT_EQ(after.exitCode, 0);
}

TEST(Monitor, OneQueryForAllJobs)
{
    LaidIn transport({"5000\n== date 0\n1|RUNNING|None|10|20|N/A|node1|a\n2|PENDING|Priority|10|N/A|N/A||b\n== squeue 0\n== sacct 1\n"});
    std::vector<store::JobEntry> jobs(3);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        jobs[i].id = std::to_string(i);
        jobs[i].jobId = std::to_string(i + 1);
        jobs[i].step = store::Step::Submitted;
        jobs[i].state = "submitted";
        jobs[i].submitted = 4999;
    }
    jobs[2].state = "completed"; // nobody asks for what has ended
    const auto polled = poll(transport, jobs, "", 5000);
    ASSERT_TRUE(polled);
    EXPECT_EQ(transport.asked.size(), 1U);
    EXPECT_THAT(transport.asked.front(), HasSubstr("ids=1,2\n"));
    ASSERT_EQ(polled->changed.size(), 2U);
    EXPECT_EQ(polled->changed[1].reason, "Priority");
    LaidIn silent({});
    EXPECT_TRUE(poll(silent, {jobs[2]}, "", 5000));
    EXPECT_TRUE(silent.asked.empty());
}

TEST(Monitor, WaitsLongerAfterFailures)
{
    using std::chrono::seconds;
    EXPECT_EQ(pollPause(seconds(30), 0), seconds(30));
    EXPECT_EQ(pollPause(seconds(1), 0), seconds(10));
    EXPECT_EQ(pollPause(seconds(30), 2), seconds(120));
    EXPECT_EQ(pollPause(seconds(30), 100), seconds(480));
}

TEST(Submitter, HomeFoldersAreExpandedThereAndAllElseIsQuoted)
{
    EXPECT_EQ(folderWord("~"), "\"$HOME\"");
    EXPECT_EQ(folderWord("~/a b"), "\"$HOME\"/'a b'");
    EXPECT_EQ(folderWord("/x/$(y)"), "'/x/$(y)'");
    EXPECT_EQ(folderWord("~other/x"), "'~other/x'");
}

TEST(Submitter, TheSamePlanGoesOnAndAnotherBegins)
{
    const test::TemporaryFolder folder;
    auto record = store::JobRecord::open(folder.path().string(), store::JobRecord::Access::Write);
    ASSERT_TRUE(record);
    SubmitOptions options;
    options.host = "h";
    int tokens = 0;
    options.newToken = [&] { return std::string(15, '0') + static_cast<char>('a' + tokens++); };
    options.now = [] { return 100; };
    const std::vector<PlanItem> items = {{"a", "r.yaml", "x", "1"}, {"a", "r.yaml", "x", "2"}};
    const auto first = openCall(*record, items, "ssh", options, false);
    ASSERT_TRUE(first);
    EXPECT_FALSE(first->isContinued);
    ASSERT_EQ(first->jobs.size(), 2U);
    EXPECT_NE(first->jobs[0].id, first->jobs[1].id);
    const auto again = openCall(*record, items, "ssh", options, false);
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->isContinued);
    EXPECT_EQ(again->jobs, first->jobs);
    EXPECT_FALSE(openCall(*record, items, "ssh", options, true)->isContinued);
    std::vector<PlanItem> edited = items;
    edited[1].sha256 = "3";
    EXPECT_FALSE(openCall(*record, edited, "ssh", options, false)->isContinued);
}

TEST(HostAliases, AreTheNamesWithoutPatterns)
{
    EXPECT_THAT(hostAliases("Host a b *.x\n  HostName y\nhost=c\nMatch host z\nHOST a !d\n"), ElementsAre("a", "b", "c"));
}

} // namespace
} // namespace wb::remote
