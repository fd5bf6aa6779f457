// Slurm's answers, recorded from 22.05 and 24.11 and written by hand where a version was not at hand.
#include "core/base/text.h"
#include "core/remote/jobids.h"
#include "core/remote/slurm.h"
#include "core/remote/slurmerrors.h"
#include "core/remote/slurmstates.h"
#include "core/remote/ssherrors.h"
#include "tests/support/corpus.h"

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

namespace wb::remote {
namespace {

using testing::HasSubstr;

TEST(SlurmIds, AreReadInEveryForm)
{
    const std::vector<std::pair<std::string, SlurmId>> words = {
        {"123", {"123", ""}},   {"123;gpu", {"123", "gpu"}}, {"123_4", {"123", ""}}, {"123_[2-5%2]", {"123", ""}},
        {"123+0", {"123", ""}}, {"123.batch", {"123", ""}},  {"123.0", {"123", ""}}, {"9876543;a-b.c", {"9876543", "a-b.c"}},
    };
    for (const auto& [word, id] : words)
        EXPECT_EQ(readSlurmId(word), id) << word;
    for (const char* word :
         {"", "abc", "12a", "-1", "0", "012", "123;", "123; x", "123_", "123_x", "123_[1", "123+", "1 2", "1234567890123"})
        EXPECT_FALSE(readSlurmId(word)) << word;
}

TEST(SlurmIds, AreFoundInWhatASubmissionPrints)
{
    const std::vector<std::pair<std::string, SlurmId>> outputs = {
        {"123\n", {"123", ""}},
        {"123;blue\n", {"123", "blue"}},
        {"Submitted batch job 55\n", {"55", ""}},
        {"Submitted batch job 55 on cluster blue\n", {"55", "blue"}},
        {"Loading slurm/22.05\n7 modules\n123\n", {"123", ""}},
        {"42\nSubmitted batch job 55\n", {"55", ""}}, // a number of a noisy module is not the job
        {"{\"status\": \"submitted\", \"slurm_job_id\": \"77\", \"output_dir\": \"/x\"}\n", {"77", ""}},
        {"{\"status\": \"submitted\", \"slurm_job_id\": 77}\n", {"77", ""}},
        {"  123  \n\n", {"123", ""}},
    };
    for (const auto& [text, id] : outputs)
        EXPECT_EQ(submittedId(text), id) << text;
    for (const char* text :
         {"", "\n", "sbatch: error: Batch job submission failed\n", "Submitted batch job\n", "{\"status\": \"error\"}\n", "12 jobs\n"})
        EXPECT_FALSE(submittedId(text)) << text;
}

TEST(SlurmStates, AreNamedByTheirFirstWord)
{
    EXPECT_EQ(stateName("CANCELLED by 1001"), "cancelled");
    EXPECT_EQ(stateName("COMPLETED"), "completed");
    EXPECT_EQ(stateName(" RUNNING "), "running");
    EXPECT_EQ(stateName("CANCELLED+"), "cancelled");
    EXPECT_EQ(stateName(""), "unknown");
    EXPECT_TRUE(isEnd("timeout"));
    EXPECT_TRUE(isFailure("node_fail"));
    EXPECT_FALSE(isFailure("completed"));
    EXPECT_FALSE(isEnd("unknown"));
    EXPECT_FALSE(isEnd("a_state_of_the_future"));
}

/// Output of `pollScript` as it comes, from the parts.
std::string answer(const std::string& queue, int queueCode, const std::string& accounting, int accountingCode,
                   const std::string& shown = {})
{
    std::string out = "1796040100\n== date 0\n" + queue + "== squeue " + std::to_string(queueCode) + "\n" + accounting + "== sacct " +
                      std::to_string(accountingCode) + "\n";
    if (!shown.empty())
        out += shown + "== scontrol 0\n";
    return out;
}

TEST(SlurmPoll, ReadsTheQueue)
{
    const PollAnswer poll = readPoll(answer("7|RUNNING|None|1796040000|1796040010|N/A|node[1-2]|a|b name\n"
                                            "8|PENDING|Resources|1796040000|1796041000|N/A||c\n"
                                            "module chatter\n",
                                            0, "Slurm accounting storage is disabled\n", 1));
    EXPECT_TRUE(poll.hasQueue);
    EXPECT_FALSE(poll.hasAccounting);
    EXPECT_EQ(poll.remoteNow, 1796040100);
    ASSERT_EQ(poll.jobs.size(), 2U);
    const JobFacts& running = poll.jobs.at("7");
    EXPECT_EQ(running.state, "running");
    EXPECT_EQ(running.name, "a|b name");
    EXPECT_EQ(running.nodes, "node[1-2]");
    EXPECT_EQ(running.started, 1796040010);
    EXPECT_FALSE(running.ended);
    EXPECT_EQ(running.reason, "");
    const JobFacts& pending = poll.jobs.at("8");
    EXPECT_EQ(pending.reason, "Resources");
    EXPECT_EQ(pending.expectedStart, 1796041000);
    EXPECT_FALSE(pending.started);
}

TEST(SlurmPoll, TakesEndsFromTheAccounting)
{
    const PollAnswer poll = readPoll(answer("", 0,
                                            "7|FAILED|3:0|1796040000|1796040010|1796040020|node1|None|a\n"
                                            "8|CANCELLED by 1001|0:0|1796040000|Unknown|1796040020|None assigned|None|b\n"
                                            "9|FAILED|0:11|1796040000|1796040010|1796040020|node1|None|c\n",
                                            0));
    EXPECT_EQ(poll.jobs.at("7").exitCode, 3);
    EXPECT_FALSE(poll.jobs.at("7").signal);
    EXPECT_EQ(poll.jobs.at("8").state, "cancelled");
    EXPECT_FALSE(poll.jobs.at("8").started);
    EXPECT_EQ(poll.jobs.at("8").nodes, "");
    EXPECT_EQ(poll.jobs.at("9").signal, 11);
}

TEST(SlurmPoll, WithoutAccountingTakesEndsFromTheController)
{
    const PollAnswer poll = readPoll(answer("7|FAILED|NonZeroExitCode|1796040000|1796040010|1796040020|node1|a\n", 0,
                                            "Slurm accounting storage is disabled\n", 1,
                                            "JobId=7 JobName=a b UserId=bench(1000) JobState=FAILED Reason=NonZeroExitCode ExitCode=4:0 "
                                            "SubmitTime=1796040000 StartTime=1796040010 "
                                            "EndTime=1796040020 NodeList=node1 Comment=x srtwb:0123456789abcdef Dependency=(null)\n"));
    EXPECT_EQ(poll.jobs.at("7").state, "failed");
    EXPECT_EQ(poll.jobs.at("7").exitCode, 4);
}

TEST(SlurmPoll, TheQueueIsNewerThanTheAccounting)
{
    // A requeued job: the accounting still has its first end.
    const PollAnswer poll = readPoll(answer("7|PENDING|BeginTime|1796040000|1796041000|N/A||a\n", 0,
                                            "7|NODE_FAIL|1:0|1796040000|1796040010|1796040020|node4|None|a\n", 0));
    EXPECT_EQ(poll.jobs.at("7").state, "pending");
    EXPECT_FALSE(poll.jobs.at("7").exitCode);
}

TEST(SlurmPoll, ArraysAndHetJobsAreOne)
{
    const PollAnswer poll = readPoll(answer("8_1|FAILED|NonZeroExitCode|10|20|30|node1|array\n8_0|RUNNING|None|10|20|N/A|node1|array\n"
                                            "8_[3-4%2]|PENDING|JobArrayTaskLimit|10|N/A|N/A||array\n"
                                            "9+0|COMPLETED|None|10|20|30|node1|het\n9+1|FAILED|None|10|20|40|node2|het\n",
                                            0, "", 0));
    ASSERT_EQ(poll.jobs.size(), 2U);
    EXPECT_EQ(poll.jobs.at("8").state, "running");
    EXPECT_FALSE(poll.jobs.at("8").ended);
    EXPECT_EQ(poll.jobs.at("9").state, "failed");
    EXPECT_EQ(poll.jobs.at("9").ended, 40);
}

TEST(SlurmPoll, SilenceIsNoAnswer)
{
    EXPECT_FALSE(readPoll("").hasQueue);
    EXPECT_FALSE(readPoll("1796040100\n== date 0\n").hasQueue);
    const PollAnswer down = readPoll(answer("slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n", 1, "", 1));
    EXPECT_FALSE(down.hasQueue);
    EXPECT_THAT(down.trouble, HasSubstr("Unable to contact"));
    // 22.05 does so with --json: exit code 0 and an error.
    EXPECT_FALSE(readPoll(answer("slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n", 0, "", 1)).hasQueue);
    // Ids that Slurm forgot are an answer: they are not there.
    EXPECT_TRUE(readPoll(answer("slurm_load_jobs error: Invalid job id specified\n", 1, "", 1)).hasQueue);
}

TEST(SlurmPoll, ReadsWhatRunsSayOfThemselves)
{
    const PollAnswer poll = readPoll(answer("7|RUNNING|None|1|2|N/A|node1|a\n", 0, "", 1) +
                                     R"({"version": 1, "state": "running", "stage": "workers", "workers": "1 of 2", "exit_code": null})"
                                     "\n\n== run-7 0\n{\"cut off\n== run-8 0\n");
    ASSERT_EQ(poll.runs.size(), 1U);
    EXPECT_EQ(poll.runs.at("7").stage, "workers");
    EXPECT_EQ(poll.runs.at("7").workers, "1 of 2");
    EXPECT_FALSE(poll.runs.at("7").exitCode);
    const std::vector<PollItem> items = {{"7", "/a b/7", false}};
    EXPECT_THAT(pollScript(items), HasSubstr("'/a b/7/srtwb-status.json'"));
}

TEST(SlurmPoll, AsksForManyJobsInChunks)
{
    std::vector<PollItem> numbers;
    for (int i = 1; i <= 450; ++i)
        numbers.push_back({std::to_string(i), {}, false});
    const std::string script = pollScript(numbers);
    std::size_t queries = 0;
    for (std::size_t at = script.find("sacct "); at != std::string::npos; at = script.find("sacct ", at + 1))
        ++queries;
    EXPECT_EQ(queries, 6U); // three calls, three marks
}

TEST(SlurmSamples, AccountingAndQueueOfBothVersionsAreRead)
{
    SRTWB_NEEDS_SHARED("testbed/samples");
    for (const std::string version : {"22.05", "24.11"}) {
        const std::string folder = std::string(SRTWB_SHARED_DIR) + "/testbed/samples/" + version;
        const std::string text = test::bytesOf(folder + "/scontrol-show-job.txt");
        // The samples are in the long form: one line a job makes them what -o prints.
        std::string oneLine;
        for (const std::string_view line : base::splitAt(text, '\n')) {
            if (line.starts_with("JobId="))
                oneLine += '\n';
            oneLine += std::string(line) + ' ';
        }
        const std::vector<Pairs> jobs = readScontrol(oneLine);
        ASSERT_GT(jobs.size(), 5U) << version;
        for (const Pairs& job : jobs) {
            EXPECT_TRUE(job.contains("JobId")) << version;
            EXPECT_TRUE(job.contains("JobState")) << version;
        }
    }
}

TEST(SlurmTokens, StandBehindTheWrittenComment)
{
    const std::string token = "0123456789abcdef";
    EXPECT_EQ(commentFor("", token), "srtwb:0123456789abcdef");
    EXPECT_EQ(commentFor("nightly", token), "nightly,srtwb:0123456789abcdef");
    EXPECT_EQ(tokenIn("nightly,srtwb:0123456789abcdef"), token);
    EXPECT_EQ(tokenIn("srtwb:0123456789abcde"), "");
    EXPECT_EQ(tokenIn("srtwb:0123456789ABCDEF"), "");
    EXPECT_EQ(tokenIn(""), "");
}

TEST(SlurmLookUp, FindsJobsByToken)
{
    const LookUpAnswer found = readLookUp("12|nightly,srtwb:0123456789abcdef\n13|(null)\n9_[1-2]|a|b srtwb:fedcba9876543210\n== squeue 0\n"
                                          "Slurm accounting storage is disabled\n== sacct 1\n");
    EXPECT_TRUE(found.hasQueue);
    EXPECT_FALSE(found.keepsComments);
    EXPECT_EQ(found.numbers.at("0123456789abcdef"), "12");
    EXPECT_EQ(found.numbers.at("fedcba9876543210"), "9");
    EXPECT_FALSE(readLookUp("").hasQueue);
    // Accounting that keeps no comments cannot tell that a job is not there.
    EXPECT_FALSE(readLookUp("== squeue 0\n12|\n13|(null)\n== sacct 0\n").keepsComments);
    EXPECT_TRUE(readLookUp("== squeue 0\n12|\n13|of another\n== sacct 0\n").keepsComments);
}

TEST(SlurmErrors, RealMessagesAreExplained)
{
    const std::vector<std::pair<std::string, std::string>> messages = {
        {"sbatch: error: invalid partition specified: nope\nsbatch: error: Batch job submission failed: Invalid partition name specified",
         "invalid-partition"},
        {"sbatch: error: Batch job submission failed: More processors requested than permitted", "too-many-processors"},
        {"sbatch: error: Batch job submission failed: Node count specification invalid", "too-many-nodes"},
        {"sbatch: error: Batch job submission failed: Requested time limit is invalid (missing or exceeds some limit)", "time-limit"},
        {"sbatch: error: Batch job submission failed: Requested node configuration is not available", "node-configuration"},
        {"sbatch: error: Batch job submission failed: Invalid generic resource (gres) specification", "invalid-gres"},
        {"sbatch: error: Batch job submission failed: User's group not permitted to use this partition", "partition-group"},
        {"sbatch: error: Batch job submission failed: Invalid account or account/partition combination specified", "invalid-account"},
        {"sbatch: error: Batch job submission failed: Invalid qos specification", "invalid-qos"},
        {"sbatch: error: AssocMaxSubmitJobLimit\nsbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job "
         "submit "
         "limit, user's size and/or time limits)",
         "submit-limit"},
        {"sbatch: error: QOSMaxSubmitJobPerUserLimit", "submit-limit"},
        {"sbatch: error: Batch job submission failed: Job violates accounting/QOS policy", "policy"},
        {"sbatch: unrecognized option '--segment=2'\nTry \"sbatch --help\" for more information", "unknown-segment"},
        {"sbatch: unrecognized option '--frob'", "unknown-option"},
        {"sbatch: error: Batch script contains DOS line breaks (\\r\\n)", "dos-line-breaks"},
        {"sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect failure)", "controller-down"},
        {"sbatch: error: Batch job submission failed: Requested topology configuration is not available", "segment-size"},
        {"sbatch: error: Memory specification can not be satisfied", "memory"},
        {"mkdir: cannot create directory 'x': Disk quota exceeded", "quota"},
        {"head: error writing 'standard output': No space left on device", "disk-full"},
        {"/bin/sh: 12: sbatch: not found", "not-found-sbatch"},
    };
    for (const auto& [text, id] : messages) {
        const SlurmError* row = explained(text);
        ASSERT_TRUE(row) << text;
        EXPECT_EQ(row->id, id) << text;
        EXPECT_TRUE(row->isRefusal) << text;
    }
    const SlurmError* unclear = explained("sbatch: error: Batch job submission failed: Socket timed out on send/recv operation");
    ASSERT_TRUE(unclear);
    EXPECT_FALSE(unclear->isRefusal);
    EXPECT_FALSE(explained("something new"));
    EXPECT_FALSE(explained(""));
}

TEST(SlurmErrors, EveryRowSaysWhatToDo)
{
    for (const SlurmError& row : slurmErrors()) {
        EXPECT_FALSE(row.id.empty());
        EXPECT_TRUE(row.explanation.ends_with('.')) << row.id;
        EXPECT_EQ(explained(row.words), &row) << row.id << " is hidden by a row above it";
    }
}

TEST(SlurmTestOnly, TellsTheExpectedStart)
{
    const TestOnly good =
        readTestOnly("sbatch: Job 7 to start at 2026-11-30T12:00:26 using 2 processors on nodes node1 in partition gpu\n", 0);
    EXPECT_TRUE(good.isAccepted);
    EXPECT_EQ(good.start, "2026-11-30T12:00:26");
    EXPECT_FALSE(readTestOnly("allocation failure: Invalid partition name specified", 1).isAccepted);
    EXPECT_FALSE(readTestOnly("", 0).isAccepted);
}

TEST(SlurmLimits, AreMinutes)
{
    EXPECT_EQ(limitMinutes("1-00:00:00"), 1440);
    EXPECT_EQ(limitMinutes("30:00"), 30);
    EXPECT_FALSE(limitMinutes("UNLIMITED"));
    EXPECT_FALSE(limitMinutes("soon"));
}

TEST(SshErrors, RealMessagesAreToldApart)
{
    EXPECT_EQ(sshFailure("h", "Host key verification failed.").code, ErrorCode::Refused);
    const Error changed = sshFailure("h", "@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\n...\nHost key verification failed.");
    EXPECT_EQ(changed.code, ErrorCode::Refused);
    EXPECT_THAT(changed.message, HasSubstr("another host key"));
    EXPECT_EQ(sshFailure("h", "bench@127.0.0.1: Permission denied (publickey).").code, ErrorCode::Denied);
    EXPECT_EQ(sshFailure("h", "ssh: connect to host 127.0.0.1 port 1: Connection refused").code, ErrorCode::Unreachable);
    EXPECT_EQ(sshFailure("h", "ssh: Could not resolve hostname h: Name or service not known").code, ErrorCode::Unreachable);
    EXPECT_EQ(sshFailure("h", "Connection timed out during banner exchange").code, ErrorCode::TimedOut);
    EXPECT_EQ(sshFailure("h", "").code, ErrorCode::Unreachable);
    EXPECT_EQ(sshFailure("h", "some words").detail, "some words");
}

} // namespace
} // namespace wb::remote
