// Submissions on a real Slurm over a real sshd, with everything that breaks. What counts is the queue: each job is there exactly once.
#include "core/base/sha256.h"
#include "core/base/shell.h"
#include "core/base/text.h"
#include "core/remote/monitor.h"
#include "core/remote/slurm.h"
#include "core/remote/slurmstates.h"
#include "core/remote/waiting.h"
#include "tests/cluster/testbed.h"
#include "tests/support/corpus.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <string>

namespace wb::remote {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using store::JobEntry;
using store::Step;
using testing::HasSubstr;

class ClusterSubmit : public test::OnTestbed
{
protected:
    void SetUp() override
    {
        OnTestbed::SetUp();
        if (IsSkipped())
            return;
        m_options.host = "testbed";
        m_options.launcher = "portable";
        m_options.remoteFolder = remoteFolder();
        m_options.patience = seconds(30);
        m_options.grace = milliseconds(500);
        m_options.pollInterval = milliseconds(500);
        m_options.now = [] { return std::chrono::duration_cast<seconds>(std::chrono::system_clock::now().time_since_epoch()).count(); };
        m_options.newToken = [this] {
            return base::sha256Hex(m_options.remoteFolder + std::to_string(m_tokens++) + std::to_string(m_options.now())).substr(0, 16);
        };
        openRecord();
    }

    void openRecord()
    {
        m_record.reset();
        auto record = store::JobRecord::open(m_folder.below("state"), store::JobRecord::Access::Write, milliseconds(2000));
        ASSERT_TRUE(record) << record.error().message;
        m_record.emplace(*std::move(record));
    }

    /// A job script as an artifact of a launcher would be.
    static Bundle bundleOf(const std::string& token, std::size_t extraBytes = 0, const std::string& directives = {})
    {
        Bundle bundle;
        const auto add = [&](const std::string& name, const std::string& bytes, unsigned mode) {
            bundle.files.push_back({name, bytes, base::sha256Hex(bytes), mode});
        };
        add("job.sh",
            "#!/bin/bash\n#SBATCH --job-name=a-job\n#SBATCH --time=5\n#SBATCH --output=job-%j.log\n" + directives +
                "echo \"hello from $PWD\"\nls\n",
            0755);
        add("config/with space.yaml", "name: a-job\n# ünïcödé\n", 0644);
        if (extraBytes > 0)
            add("big.bin", std::string(extraBytes, 'x'), 0644);
        bundle.main = "job.sh";
        bundle.command = {"sbatch", "--parsable", "--comment=" + commentFor("", token), "./job.sh"};
        return bundle;
    }

    struct Outcome {
        SubmitSummary summary;
        std::vector<SubmitEvent> events;
        std::vector<JobEntry> jobs;
    };

    Outcome submit(std::size_t count, const std::string& alias = "testbed", std::size_t extraBytes = 0, const std::string& directives = {},
                   std::stop_token stop = {})
    {
        Outcome outcome;
        std::vector<PlanItem> items;
        for (std::size_t i = 0; i < count; ++i)
            items.push_back({"a-job", "r.yaml", "v" + std::to_string(i), std::to_string(extraBytes) + directives});
        const auto call = openCall(*m_record, items, alias, m_options, false);
        EXPECT_TRUE(call) << call.error().message;
        std::vector<Bundle> bundles;
        for (const JobEntry& job : call->jobs)
            bundles.push_back(bundleOf(job.id, extraBytes, directives));
        for (Bundle& bundle : bundles)
            bundle.secretEnvironment = m_secrets;
        auto ssh = transport(alias);
        Submitter submitter(*ssh, *m_record, m_options, [&](const SubmitEvent& event) { outcome.events.push_back(event); });
        const auto summary = submitter.submit(*call, bundles, stop);
        EXPECT_TRUE(summary) << summary.error().message;
        if (summary)
            outcome.summary = *summary;
        EXPECT_EQ(outcome.summary.planned, outcome.summary.submitted + outcome.summary.failed + outcome.summary.skipped);
        for (const JobEntry& job : call->jobs)
            outcome.jobs.push_back(*m_record->find(job.id));
        return outcome;
    }

    static std::string told(const Outcome& outcome)
    {
        std::string text;
        for (const SubmitEvent& event : outcome.events)
            text += std::string(name(event.kind)) + " " + event.job.jobId + " " + event.job.message + "\n";
        return text;
    }

    /// Every job of the outcome is in the queue once, and nothing else of ours is.
    void expectEachOnce(const Outcome& outcome) const
    {
        const auto counts = tokens();
        for (const JobEntry& job : outcome.jobs) {
            const auto at = counts.find(job.id);
            EXPECT_EQ(at == counts.end() ? 0 : at->second, 1) << job.id << "\n" << told(outcome);
            EXPECT_EQ(job.step, Step::Submitted) << told(outcome);
            EXPECT_FALSE(job.jobId.empty());
        }
        std::size_t ours = 0;
        for (const auto& [token, count] : counts)
            for (const JobEntry& job : m_record->jobs())
                ours += token == job.id ? 1U : 0U;
        EXPECT_EQ(ours, outcome.jobs.size());
    }

    /// No half upload is left in the remote folder.
    void expectNoLeftovers() const
    {
        std::error_code ignored;
        for (const auto& each : std::filesystem::directory_iterator(m_options.remoteFolder, ignored))
            EXPECT_FALSE(each.path().filename().string().starts_with(".srtwb-")) << each.path();
    }

    /// A program of that name that stands in front of Slurm's in the path of the submission.
    void putInFront(const std::string& name, const std::string& script)
    {
        const std::string folder = env("SLURM_TESTBED_REMOTE") + "/plain/bin-" + std::to_string(::getpid());
        std::filesystem::remove_all(folder); // of another test of this process
        std::filesystem::create_directories(folder);
        std::ofstream(folder + '/' + name) << "#!/bin/sh\n" << script;
        std::filesystem::permissions(folder, std::filesystem::perms::all);
        std::filesystem::permissions(folder + '/' + name, std::filesystem::perms::all);
        m_options.preamble = "PATH=" + folder + ":$PATH";
    }

    SubmitOptions m_options;
    std::optional<store::JobRecord> m_record;
    std::string m_secrets;
    int m_tokens = 0;
};

TEST_F(ClusterSubmit, SendsTheBytesAndSubmitsEachJobOnce)
{
    const Outcome outcome = submit(3);
    EXPECT_EQ(outcome.summary.submitted, 3U) << told(outcome);
    expectEachOnce(outcome);
    expectNoLeftovers();
    ASSERT_EQ(outcome.events.size(), 6U);
    for (const JobEntry& job : outcome.jobs) {
        const std::string sent = test::bytesOf(job.remoteDir + "/job.sh");
        EXPECT_EQ(base::sha256Hex(sent), job.sha256);
        for (const store::SentFile& file : job.files)
            EXPECT_EQ(base::sha256Hex(test::bytesOf(job.remoteDir + '/' + file.name)), file.sha256) << file.name;
        struct stat found = {};
        ASSERT_EQ(::stat((job.remoteDir + "/job.sh").c_str(), &found), 0);
        EXPECT_EQ(found.st_mode & 0777U, 0755U);
    }
    EXPECT_TRUE(m_record->calls().front().ended);
}

TEST_F(ClusterSubmit, SecretsReachTheJobAndNothingElse)
{
    const auto lines = secretLines({{"SRTWB_TEST_TOKEN", "it's $ecret"}});
    ASSERT_TRUE(lines);
    m_secrets = *lines;
    const Outcome outcome = submit(1, "testbed", 0, "test \"$SRTWB_TEST_TOKEN\" = \"it's \\$ecret\" && echo right\n");
    EXPECT_EQ(outcome.summary.submitted, 1U) << told(outcome);
    const JobEntry& job = outcome.jobs.front();
    const std::string log = job.remoteDir + "/job-" + job.jobId + ".log";
    const auto end = std::chrono::steady_clock::now() + seconds(30);
    while (!std::filesystem::exists(log) || test::bytesOf(log).find("right") == std::string::npos) {
        ASSERT_LT(std::chrono::steady_clock::now(), end) << test::bytesOf(log);
        waitFor(milliseconds(100), {});
    }
    EXPECT_EQ(test::runHere("grep -rl \"it's .ecret\" " + base::shellQuoted(m_folder.path().string())).out, "") << "in the record";
    EXPECT_EQ(test::runHere("grep -rl \"it's .ecret\" " + base::shellQuoted(job.remoteDir) + " | grep -v job.sh").out, "") << "left there";
    EXPECT_FALSE(secretLines({{"A B", "x"}}));
}

TEST_F(ClusterSubmit, SecretsOfASecondTryAreTheNewOnesAndNoneIsLeft)
{
    putInFront("sbatch", "f=$(dirname \"$0\")/once\n[ -e \"$f\" ] || { : >\"$f\"; echo 'sbatch: error: invalid partition specified: x' "
                         ">&2; exit 1; }\nexec /usr/bin/sbatch \"$@\"\n");
    m_secrets = *secretLines({{"SRTWB_TEST_TOKEN", "old-secret"}});
    const std::string check = "test \"$SRTWB_TEST_TOKEN\" = new-secret && echo right\n";
    const Outcome refused = submit(1, "testbed", 0, check);
    EXPECT_EQ(refused.summary.failed, 1U) << told(refused);
    EXPECT_EQ(test::runHere("grep -rl old-secret " + base::shellQuoted(refused.jobs.front().remoteDir)).out, "") << "left there";
    m_secrets = *secretLines({{"SRTWB_TEST_TOKEN", "new-secret"}});
    const Outcome outcome = submit(1, "testbed", 0, check);
    EXPECT_EQ(outcome.summary.submitted, 1U) << told(outcome);
    const JobEntry& job = outcome.jobs.front();
    EXPECT_EQ(job.id, refused.jobs.front().id) << "the same job, in the same folder";
    const std::string log = job.remoteDir + "/job-" + job.jobId + ".log";
    const auto end = std::chrono::steady_clock::now() + seconds(30);
    while (!std::filesystem::exists(log) || test::bytesOf(log).find("right") == std::string::npos) {
        ASSERT_LT(std::chrono::steady_clock::now(), end) << test::bytesOf(log);
        waitFor(milliseconds(100), {});
    }
    EXPECT_EQ(test::runHere("grep -rl -- -secret " + base::shellQuoted(job.remoteDir) + " | grep -v job.sh").out, "") << "left there";
}

TEST_F(ClusterSubmit, AFolderOfResultsBelowTheRemoteHomeIsFound)
{
    std::vector<PlanItem> items = {{"a-job", "r.yaml", "", "0"}};
    const auto call = openCall(*m_record, items, "testbed", m_options, false);
    ASSERT_TRUE(call);
    Bundle bundle = bundleOf(call->jobs.front().id);
    bundle.outputDir = "~/outputs/%j";
    auto ssh = transport();
    Submitter submitter(*ssh, *m_record, m_options, {});
    ASSERT_TRUE(submitter.submit(*call, {bundle}));
    const JobEntry job = *m_record->find(call->jobs.front().id);
    const auto home = ssh->run({.title = "home", .script = "cd && pwd -P", .input = {}});
    ASSERT_TRUE(home);
    EXPECT_EQ(job.outputDir, std::string(base::trimmed(home->out)) + "/outputs/" + job.jobId);
}

TEST_F(ClusterSubmit, OddFoldersAndEveryLoginShell)
{
    for (const std::string parent : {"with space", "ünïcödé-目录-🚀", "it's \"odd\" $HOME; #x"}) {
        m_options.remoteFolder = remoteFolder(parent);
        const Outcome outcome = submit(1);
        EXPECT_EQ(outcome.summary.submitted, 1U) << parent << "\n" << told(outcome);
        EXPECT_TRUE(outcome.jobs.front().remoteDir.starts_with(env("SLURM_TESTBED_REMOTE"))) << outcome.jobs.front().remoteDir;
        expectNoLeftovers();
    }
    fault("banner");
    fault("login-path");
    for (const std::string host : {"testbed-fish", "testbed-csh", "testbed"}) {
        m_options.host = host;
        m_options.remoteFolder = "~/srtwb test " + std::to_string(::getpid());
        const Outcome outcome = submit(1, host);
        EXPECT_EQ(outcome.summary.submitted, 1U) << host << "\n" << told(outcome);
    }
}

TEST_F(ClusterSubmit, TheSameCallIsNotSubmittedAgain)
{
    std::stop_source stop;
    const Outcome first = submit(2);
    EXPECT_EQ(first.summary.submitted, 2U);
    // All are there: the same plan is a new call then, by intent of the user.
    const Outcome second = submit(2);
    EXPECT_EQ(second.summary.submitted, 2U);
    EXPECT_NE(first.jobs.front().id, second.jobs.front().id);
    EXPECT_EQ(tokens().size() >= 4, true);
}

TEST_F(ClusterSubmit, WhatWasCancelledGoesOnWithTheSameCall)
{
    std::stop_source stop;
    Outcome first;
    std::vector<PlanItem> items;
    for (int i = 0; i < 4; ++i)
        items.push_back({"a-job", "r.yaml", "v" + std::to_string(i), "0"});
    {
        const auto call = openCall(*m_record, items, "testbed", m_options, false);
        ASSERT_TRUE(call);
        std::vector<Bundle> bundles;
        for (const JobEntry& job : call->jobs)
            bundles.push_back(bundleOf(job.id));
        auto ssh = transport();
        Submitter submitter(*ssh, *m_record, m_options, [&](const SubmitEvent& event) {
            if (event.kind == SubmitEvent::Kind::Submitted)
                stop.request_stop();
        });
        const auto summary = submitter.submit(*call, bundles, stop.get_token());
        ASSERT_TRUE(summary);
        EXPECT_EQ(summary->submitted, 1U);
        EXPECT_EQ(summary->skipped, 3U);
    }
    openRecord();
    const Outcome second = submit(4);
    EXPECT_EQ(second.summary.submitted, 3U) << told(second);
    EXPECT_EQ(second.summary.skipped, 1U);
    expectEachOnce(second);
}

TEST_F(ClusterSubmit, TheConnectionDropsWhileSbatchRuns)
{
    putInFront("sbatch", "sleep 1\nexec /usr/bin/sbatch \"$@\"\n");
    fault("--when-size '" + m_options.remoteFolder + "/*/.srtwb/try-1/process' 1 ssh-drop");
    const Outcome outcome = submit(2);
    EXPECT_EQ(outcome.summary.submitted, 2U) << told(outcome);
    expectEachOnce(outcome);
    expectNoLeftovers();
}

TEST_F(ClusterSubmit, SshdIsKilledWhileSbatchRunsAndComesBack)
{
    putInFront("sbatch", "sleep 1\nexec /usr/bin/sbatch \"$@\"\n");
    fault("--when-size '" + m_options.remoteFolder + "/*/.srtwb/try-1/process' 1 --for 2 ssh-kill");
    const Outcome outcome = submit(2);
    EXPECT_EQ(outcome.summary.submitted, 2U) << told(outcome);
    expectEachOnce(outcome);
}

TEST_F(ClusterSubmit, TheConnectionDropsWhileFilesAreSent)
{
    fault("--when-size '" + m_options.remoteFolder + "/.srtwb-*.part/big.bin' 3000000 ssh-drop");
    const Outcome outcome = submit(1, "testbed", 30'000'000);
    EXPECT_EQ(outcome.summary.submitted, 1U) << told(outcome);
    expectEachOnce(outcome);
    expectNoLeftovers();
    EXPECT_EQ(std::filesystem::file_size(outcome.jobs.front().remoteDir + "/big.bin"), 30'000'000U);
}

TEST_F(ClusterSubmit, SbatchIsKilledAfterItWasAccepted)
{
    putInFront("sbatch", "/usr/bin/sbatch \"$@\" >/dev/null\nkill -9 $$\n");
    const Outcome outcome = submit(2);
    EXPECT_EQ(outcome.summary.submitted, 2U) << told(outcome);
    expectEachOnce(outcome);
}

TEST_F(ClusterSubmit, SbatchIsKilledBeforeItWasAccepted)
{
    putInFront("sbatch",
               "f=$(dirname \"$0\")/once-$(basename \"$PWD\")\n[ -e \"$f\" ] || { : >\"$f\"; kill -9 $$; }\nexec /usr/bin/sbatch \"$@\"\n");
    const Outcome outcome = submit(2);
    EXPECT_EQ(outcome.summary.submitted, 2U) << told(outcome);
    expectEachOnce(outcome);
    EXPECT_EQ(outcome.jobs.front().attempt, 2);
}

TEST_F(ClusterSubmit, TheControllerIsPausedAndTakesTheJobLater)
{
    ASSERT_TRUE(transport()->run({.title = "warm", .script = "true", .input = {}}));
    fault("--for 7 ctld-pause");
    const Outcome outcome = submit(1);
    EXPECT_EQ(outcome.summary.submitted, 1U) << told(outcome);
    expectEachOnce(outcome);
}

TEST_F(ClusterSubmit, TheControllerIsDownAndTheNextCallGoesOn)
{
    fault("ctld-kill");
    const Outcome outcome = submit(2);
    EXPECT_EQ(outcome.summary.failed, 2U) << told(outcome);
    EXPECT_THAT(outcome.jobs.front().message, HasSubstr("Unable to contact slurm controller"));
    EXPECT_THAT(outcome.jobs.front().message, HasSubstr("scontrol ping"));
    heal();
    const Outcome again = submit(2);
    EXPECT_EQ(again.summary.submitted, 2U) << told(again);
    EXPECT_EQ(again.jobs.front().id, outcome.jobs.front().id);
    expectEachOnce(again);
}

TEST_F(ClusterSubmit, RefusalsComeWithSlurmsWordsAndTheCure)
{
    const Outcome partition = submit(1, "testbed", 0, "#SBATCH --partition=nope\n");
    EXPECT_EQ(partition.summary.failed, 1U);
    const JobEntry& job = partition.jobs.front();
    EXPECT_EQ(job.step, Step::Rejected);
    EXPECT_THAT(job.said, HasSubstr("invalid partition specified: nope"));
    EXPECT_EQ(job.saidCode, 1);
    EXPECT_THAT(job.message, HasSubstr("default_partition"));
    const Outcome segment = submit(1, "testbed", 0, "#SBATCH --frobnicate=2\n");
    EXPECT_THAT(segment.jobs.front().message, HasSubstr("does not know one of the options"));
    EXPECT_EQ(segment.jobs.front().saidCode, 255);
    EXPECT_EQ(segment.summary.failed, 1U);
    EXPECT_FALSE(tokens().contains(job.id));
}

TEST_F(ClusterSubmit, FullAndForbiddenFoldersAreTold)
{
    m_options.patience = seconds(5);
    for (const std::string parent : {"readonly", "denied"}) {
        m_options.remoteFolder = env("SLURM_TESTBED_REMOTE") + '/' + parent + "/x";
        const Outcome outcome = submit(1);
        EXPECT_EQ(outcome.summary.failed, 1U);
        EXPECT_THAT(outcome.jobs.front().message + told(outcome), HasSubstr("cannot be used")) << parent;
    }
    if (env("SLURM_TESTBED_NAMESPACES") != "1")
        GTEST_SKIP() << "A full disk cannot be mounted here.";
    fault("disk-full");
    m_options.remoteFolder = env("SLURM_TESTBED_REMOTE") + "/full";
    const Outcome outcome = submit(1, "testbed", 200'000);
    EXPECT_EQ(outcome.summary.failed, 1U);
    EXPECT_THAT(told(outcome), HasSubstr("No space left on device"));
    EXPECT_FALSE(tokens().contains(outcome.jobs.front().id));
}

TEST_F(ClusterSubmit, SessionsThatHangAreReplacedAndTheJobIsThereOnce)
{
    putInFront("sbatch", "sleep 1\nexec /usr/bin/sbatch \"$@\"\n");
    fault("--when-size '" + m_options.remoteFolder + "/*/.srtwb/try-1/process' 1 --for 20 ssh-pause-sessions");
    const Outcome outcome = submit(2);
    EXPECT_EQ(outcome.summary.submitted, 2U) << told(outcome);
    heal();
    expectEachOnce(outcome);
}

TEST_F(ClusterSubmit, AServerThatIsPausedForAMinuteIsWaitedFor)
{
    m_options.patience = seconds(150);
    putInFront("sbatch", "sleep 1\nexec /usr/bin/sbatch \"$@\"\n");
    fault("--when-size '" + m_options.remoteFolder + "/*/.srtwb/try-1/process' 1 --for 60 ssh-pause");
    const Outcome outcome = submit(2);
    EXPECT_EQ(outcome.summary.submitted, 2U) << told(outcome);
    heal();
    expectEachOnce(outcome);
    expectNoLeftovers();
}

TEST_F(ClusterSubmit, AUsedUpQuotaIsExplained)
{
    // A stand-in: no file system here keeps quotas. The words are those of the C library for EDQUOT.
    putInFront("sbatch", "echo 'sbatch: error: Batch job submission failed: Disk quota exceeded' >&2\nexit 1\n");
    const Outcome outcome = submit(1);
    EXPECT_EQ(outcome.summary.failed, 1U) << told(outcome);
    EXPECT_EQ(outcome.jobs.front().step, Step::Rejected);
    EXPECT_THAT(outcome.jobs.front().said, HasSubstr("Disk quota exceeded"));
    EXPECT_THAT(outcome.jobs.front().message, HasSubstr("choose another remote folder"));
}

TEST_F(ClusterSubmit, TheClockOfTheClusterMayBeAnHourOff)
{
    for (const std::string shift : {"-1 hour", "+1 hour"}) {
        putInFront("date", "exec /bin/date -d '" + shift + "' \"$@\"\n");
        m_options.remoteFolder = remoteFolder(shift);
        const Outcome outcome = submit(2);
        EXPECT_EQ(outcome.summary.submitted, 2U) << shift << "\n" << told(outcome);
        expectEachOnce(outcome);
        // Also one whose answer was lost: whether it is there is not told by any clock of the cluster.
        JobEntry job = outcome.jobs.front();
        const std::string number = job.jobId;
        job.step = Step::Submitting;
        job.jobId.clear();
        std::filesystem::remove(job.remoteDir + "/.srtwb/try-1/code");
        auto ssh = transport();
        Submitter submitter(*ssh, *m_record, m_options, {});
        const auto found = submitter.reconcile(job);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->jobId, number) << shift;
        ASSERT_TRUE(cancelJobs(*ssh, outcome.jobs, ""));
        m_record.reset();
        std::filesystem::remove_all(m_folder.below("state"));
        openRecord();
    }
}

TEST_F(ClusterSubmit, OursAreFoundAmongFiveHundredOthers)
{
    slurm("setpriv --reuid bench --regid bench --clear-groups sbatch --hold --array=1-500 --time=1 --chdir=/tmp --output=/dev/null --wrap "
          "true");
    const Outcome outcome = submit(3);
    EXPECT_EQ(outcome.summary.submitted, 3U) << told(outcome);
    expectEachOnce(outcome);
    auto ssh = transport();
    const auto polled = poll(*ssh, outcome.jobs, "", m_options.now());
    ASSERT_TRUE(polled) << polled.error().message;
    EXPECT_EQ(polled->answer.jobs.size(), 3U) << "only our jobs are asked for";
    // By the token alone, in the whole queue of the user.
    JobEntry job = outcome.jobs.back();
    const std::string number = job.jobId;
    job.step = Step::Submitting;
    job.jobId.clear();
    std::filesystem::remove(job.remoteDir + "/.srtwb/try-1/code");
    Submitter submitter(*ssh, *m_record, m_options, {});
    const auto found = submitter.reconcile(job);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->jobId, number);
}

TEST_F(ClusterSubmit, NotMoreThanAllowedAreInFlight)
{
    m_options.maxInFlight = 2;
    const Outcome outcome = submit(5);
    EXPECT_EQ(outcome.summary.submitted, 5U) << told(outcome);
    expectEachOnce(outcome);
    // The third began only when one of the first two had ended.
    const auto ended = [&](std::size_t index) { return m_record->find(outcome.jobs[index].id)->ended; };
    EXPECT_TRUE(ended(0) || ended(1));
}

TEST_F(ClusterSubmit, JobsAreWatchedToTheirEndAndFailuresKeepTheirCode)
{
    const Outcome good = submit(1);
    const Outcome bad = submit(1, "testbed", 0, "exit 3\n");
    auto ssh = transport();
    std::vector<JobEntry> jobs = {good.jobs.front(), bad.jobs.front()};
    const auto end = std::chrono::steady_clock::now() + seconds(60);
    while (!std::all_of(jobs.begin(), jobs.end(), [](const JobEntry& job) { return isEnd(job.state); })) {
        ASSERT_LT(std::chrono::steady_clock::now(), end) << jobs[0].state << jobs[1].state;
        const auto polled = poll(*ssh, jobs, "", m_options.now());
        ASSERT_TRUE(polled) << polled.error().message;
        EXPECT_FALSE(polled->answer.hasAccounting) << "this testbed keeps none";
        for (const JobEntry& changed : polled->changed)
            for (JobEntry& job : jobs)
                if (job.id == changed.id)
                    job = changed;
        waitFor(milliseconds(200), {});
    }
    EXPECT_EQ(jobs[0].state, "completed");
    EXPECT_EQ(jobs[0].exitCode, 0);
    EXPECT_EQ(jobs[1].state, "failed");
    EXPECT_EQ(jobs[1].exitCode, 3);
    EXPECT_TRUE(jobs[1].ended);
    EXPECT_THAT(test::bytesOf(jobs[0].remoteDir + "/job-" + jobs[0].jobId + ".log"), HasSubstr("hello from " + jobs[0].remoteDir));
}

TEST_F(ClusterSubmit, ACancelledJobIsCancelled)
{
    const Outcome outcome = submit(1, "testbed", 0, "sleep 300\n");
    auto ssh = transport();
    ASSERT_TRUE(cancelJobs(*ssh, outcome.jobs, ""));
    JobEntry job = outcome.jobs.front();
    const auto end = std::chrono::steady_clock::now() + seconds(30);
    while (!isEnd(job.state)) {
        ASSERT_LT(std::chrono::steady_clock::now(), end) << job.state;
        const auto polled = poll(*ssh, {job}, "", m_options.now());
        ASSERT_TRUE(polled);
        if (!polled->changed.empty())
            job = polled->changed.front();
        waitFor(milliseconds(200), {});
    }
    EXPECT_EQ(job.state, "cancelled");
}

TEST_F(ClusterSubmit, ALostAnswerIsReconciledWithoutAskingAgain)
{
    // As after a kill between sbatch and its answer: the record says Submitting, and the job is there.
    const Outcome outcome = submit(1);
    JobEntry job = outcome.jobs.front();
    const std::string number = job.jobId;
    job.step = Step::Submitting;
    job.jobId.clear();
    ASSERT_TRUE(m_record->put(job));
    auto ssh = transport();
    Submitter submitter(*ssh, *m_record, m_options, {});
    auto found = submitter.reconcile(job);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->jobId, number);
    // Also without what the submission printed: by the token.
    std::filesystem::remove(job.remoteDir + "/.srtwb/try-1/code");
    found = submitter.reconcile(job);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->jobId, number);
    expectEachOnce(outcome);
}

} // namespace
} // namespace wb::remote
