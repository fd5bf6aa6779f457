#include "core/base/shell.h"
#include "core/remote/monitor.h"
#include "core/remote/runlog.h"
#include "tests/support/temporaryfolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace wb::remote {
namespace {

using testing::HasSubstr;

/// What `sh` prints.
std::string printed(const std::string& script)
{
    std::string out;
    FILE* pipe = popen(("sh -c " + base::shellQuoted(script)).c_str(), "r");
    std::array<char, 4096> part{};
    while (const std::size_t count = std::fread(part.data(), 1, part.size(), pipe))
        out.append(part.data(), count);
    EXPECT_EQ(pclose(pipe), 0) << out;
    return out;
}

class RunLogTest : public testing::Test
{
protected:
    RunLogTest() { std::filesystem::create_directories(dir + "/logs"); }
    void write(const std::string& name, const std::string& text) { std::ofstream(dir + "/logs/" + name, std::ios::app) << text; }
    [[nodiscard]] RunLog read() const { return readRunLog(printed(runLogScript("7", base::shellQuoted(dir), false))); }

    const test::TemporaryFolder folder;
    const std::string dir = folder.below("it's a $(folder)");
};

TEST_F(RunLogTest, TellsNothingOfWhatIsNotThere)
{
    EXPECT_EQ(printed(runLogScript("7", base::shellQuoted(dir), false)), "");
    EXPECT_EQ(read().stage, "");
    write("sweep_7.log", "nothing of it\n");
    EXPECT_EQ(read().stage, "");
}

TEST_F(RunLogTest, TellsTheStageOfTheLastLineThatSaysOne)
{
    write("sweep_7.log", "2026-11-30 02:10:00 INFO Starting infrastructure services\n");
    EXPECT_EQ(read().stage, "infra");
    write("sweep_7.log", "INFO Starting backend workers\nINFO == squeue 0\n\x1b[32mINFO\x1b[0m Starting frontend layer\n");
    EXPECT_EQ(read().stage, "frontend");
    write("sweep_7.log", "INFO Waiting for server health (expecting 3 health entries: 2P + 1D)...\n" + std::string(300'000, 'x') + "\n");
    EXPECT_EQ(read().stage, "health");
    write("sweep_7.log", "INFO Server is healthy - starting benchmark\n");
    EXPECT_EQ(read().stage, "benchmark");
}

TEST_F(RunLogTest, CountsTheWorkersThatServe)
{
    write("sweep_7.log", "Model is not ready, waiting for 1 prefills and 4 decodes. Have 1 prefills and 0 decodes.\n");
    EXPECT_EQ(read().workers, "1 of 2 prefill, 0 of 4 decode");
    write("sweep_7.log", "Model is not ready, waiting for -1 prefills and 2 decodes. Have 3 prefills and 2 decodes.\n");
    EXPECT_EQ(read().workers, "3 of 3 prefill, 2 of 4 decode") << "more than were asked for";
    write("sweep_7.log", "Model is not ready, waiting for 0 prefills and 1 decodes. Have 0 prefills and 3 decodes. (3 regular workers)\n");
    EXPECT_EQ(read().workers, "3 of 4") << "aggregated";
    write("sweep_7.log", "Model is ready. Have 0 prefills and 4 decodes.\n");
    EXPECT_EQ(read().workers, "4 of 4");
    write("sweep_7.log", "Model is not ready, waiting for the end\nModel is ready. Have a prefills\n");
    EXPECT_EQ(read().workers, "4 of 4") << "a line that tells no counts takes none away";
    write("sweep_7.log", "Model is ready. Have 0 prefills and 99999999999 decodes.\n");
    EXPECT_EQ(read().workers, "4 of 4") << "a number that is none of workers";
}

TEST_F(RunLogTest, TellsTheFiguresThatTheClientPrintedLast)
{
    const std::string table = "============ Serving Benchmark Result ============\n"
                              "Maximum request concurrency:             8         \n"
                              "Output token throughput (tok/s):         123.45    \n"
                              "Mean TPOT (ms):                          9.99      \n"
                              "Median TPOT (ms):                        8.21      \n";
    write("benchmark.out", table);
    EXPECT_EQ(read().figures, "concurrency 8: 123.45 output tok/s, TPOT median 8.21 ms");
    write("benchmark.out", "Output token throughput (tok/s):         200.00\n");
    EXPECT_EQ(read().figures, "200.00 output tok/s") << "the table that is being written; its concurrency is not that of the one before";
    write("benchmark.out", "Output token throughput (tok/s): nan\n");
    EXPECT_EQ(read().figures, "200.00 output tok/s");
}

TEST(RunLogJob, WhatWasToldStaysWhereTheLogSaysNothing)
{
    store::JobEntry job;
    job.jobId = "7";
    job.stage = "workers";
    job.figures = "10 output tok/s";
    PollAnswer answer;
    answer.hasQueue = true;
    answer.jobs["7"].state = "running";
    answer.logs["7"] = {.stage = {}, .workers = "1 of 4", .figures = {}};
    const store::JobEntry next = updated(job, answer, 100);
    EXPECT_EQ(next.stage, "workers");
    EXPECT_EQ(next.workers, "1 of 4");
    EXPECT_EQ(next.figures, "10 output tok/s");

    // The status file of the run is believed before its log.
    answer.runs["7"].state = "running";
    answer.runs["7"].stage = "health";
    answer.logs["7"].stage = "frontend";
    EXPECT_EQ(updated(job, answer, 100).stage, "health");
}

} // namespace
} // namespace wb::remote
