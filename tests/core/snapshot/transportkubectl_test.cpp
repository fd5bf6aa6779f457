// kubectl over a transport: a program of that name that replays the shared status shapes, run through a real shell.
#include "core/base/text.h"
#include "core/remote/localtransport.h"
#include "core/snapshot/transportkubectl.h"
#include "tests/support/corpus.h"
#include "tests/support/temporaryfolder.h"

#include <QCoreApplication>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace wb::snapshot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Writes its words, a line each, and its input into files; then answers with the next of the files "answer.N", with the code in "code.N".
constexpr const char* stub = R"sh(#!/bin/sh
here=$(dirname "$0")
for word in "$@"; do printf '%s\n' "$word"; done > "$here/words"
cat > "$here/input"
number=$(cat "$here/number" 2>/dev/null || echo 0)
echo $((number + 1)) > "$here/number"
[ -f "$here/code.$number" ] && { cat "$here/answer.$number" >&2; exit "$(cat "$here/code.$number")";
}
cat "$here/answer.$number"
)sh";

class TransportKubectlTest : public testing::Test
{
protected:
    TransportKubectlTest()
    {
        const std::string program = m_folder.put("kubectl", stub);
        ::chmod(program.c_str(), 0700);
        m_kubectl = std::make_unique<TransportKubectl>(
            std::make_shared<remote::LocalTransport>(remote::LocalOptions{.path = m_folder.path().string() + ":/usr/bin:/bin"}));
    }

    void says(const std::string& answer, int code = 0)
    {
        m_folder.put("answer." + std::to_string(m_answers), answer);
        if (code != 0)
            m_folder.put("code." + std::to_string(m_answers), std::to_string(code));
        ++m_answers;
    }

    [[nodiscard]] std::string fileOf(const char* name) const { return test::bytesOf(m_folder.path() / name); }

    int m_argc = 0;
    QCoreApplication m_application{m_argc, nullptr};
    test::TemporaryFolder m_folder;
    std::unique_ptr<TransportKubectl> m_kubectl;
    int m_answers = 0;
};

TEST_F(TransportKubectlTest, GivesWordsAndInputAsTheyAre)
{
    says("out\n");
    const std::vector<std::string> words = {"get", "it's", "$(touch /tmp/x)", "a b", "\"q\"", "--namespace=;rm -rf", ""};
    const auto outcome = m_kubectl->run(words, "kind: Pod\n# $(x) 'y'\n", {});
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_EQ(outcome->out, "out\n");
    EXPECT_EQ(outcome->exitCode, 0);
    EXPECT_EQ(fileOf("words"), base::joined(words, "\n") + "\n");
    EXPECT_EQ(fileOf("input"), "kind: Pod\n# $(x) 'y'\n");
}

TEST_F(TransportKubectlTest, ARefusalIsAnOutcomeAndAMissingProgramAnError)
{
    says("Error from server (Forbidden): no\n", 1);
    const auto refused = m_kubectl->run({"get"}, {}, {});
    ASSERT_TRUE(refused);
    EXPECT_EQ(refused->exitCode, 1);
    EXPECT_THAT(refused->err, HasSubstr("Forbidden"));
    TransportKubectl none(std::make_shared<remote::LocalTransport>(), "no-such-kubectl");
    const auto missing = none.run({"version"}, {}, {});
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::NotFound);
    EXPECT_THAT(missing.error().message, HasSubstr("this machine"));
}

TEST_F(TransportKubectlTest, StopsWhenItIsToldTo)
{
    m_folder.put("kubectl", "#!/bin/sh\nsleep 60\n");
    ::chmod((m_folder.path() / "kubectl").c_str(), 0700);
    std::stop_source stop;
    stop.request_stop();
    const auto outcome = m_kubectl->run({"get"}, {}, stop.get_token());
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, ErrorCode::Cancelled);
}

TEST_F(TransportKubectlTest, FollowsAJobThroughItsStates)
{
    SRTWB_NEEDS_SHARED("snapshot/status");
    for (const char* shape : {"sj-0-no-status", "sj-1-pending", "sj-2-running", "sj-3-completed"})
        says(test::bytesOf(*test::shared("snapshot/status") / (std::string(shape) + ".json")));
    Follower follower({"lab", "perf"}, {"SnapshotJob", "j"});
    std::vector<Progress> seen;
    while (!follower.isDone() && seen.size() < 10) {
        const auto status = follower.poll(*m_kubectl);
        ASSERT_TRUE(status) << status.error().message;
        seen.push_back(status->progress);
    }
    EXPECT_THAT(seen, ElementsAre(Progress::Submitted, Progress::Pending, Progress::Capturing, Progress::Completed));
    EXPECT_EQ(fileOf("words"), "--context=lab\n--namespace=perf\n--request-timeout=60s\nget\nsnapshotjobs.nvidia.com\nj\n-o\njson\n");
}

TEST_F(TransportKubectlTest, EveryStatusShapeHasItsClass)
{
    SRTWB_NEEDS_SHARED("snapshot/status/expected.json");
    const auto expected = base::json::read(test::bytesOf(*test::shared("snapshot/status/expected.json")));
    ASSERT_TRUE(expected);
    std::size_t count = 0;
    for (const base::json::Member& member : expected->object()) {
        SCOPED_TRACE(member.key);
        const std::string stem = member.key.ends_with(".json") ? member.key.substr(0, member.key.size() - 5) : member.key;
        says(test::bytesOf(*test::shared("snapshot/status") / (stem + ".json")));
        const std::string kind = stem.starts_with("sj") ? "SnapshotJob" : stem.starts_with("pod") ? "Pod" : "PodSnapshot";
        const auto status = Follower({}, {kind, "x"}).poll(*m_kubectl);
        ASSERT_TRUE(status) << status.error().message;
        const std::string* wanted = member.value.string();
        ASSERT_TRUE(wanted);
        EXPECT_EQ(shown(*status), *wanted);
        ++count;
    }
    EXPECT_EQ(count, 18U);
}

TEST_F(TransportKubectlTest, FindsTheContentOfAJobAndTheLogOfItsNode)
{
    SRTWB_NEEDS_SHARED("snapshot/status");
    const auto shape = [](const char* name) { return test::bytesOf(*test::shared("snapshot/status") / name); };
    says(shape("sj-3-completed.json"));
    says(shape("ps-ready.json"));
    says(shape("psc-ready-with-source.json"));
    says(R"({"kind": "List", "items": [{"kind": "Pod", "metadata": {"name": "agent-x"}}]})");
    says("the log\n");
    const auto log = agentLogOf(*m_kubectl, {}, {}, {"SnapshotJob", "j"});
    ASSERT_TRUE(log) << log.error().message;
    EXPECT_EQ(*log, "the log\n");
    EXPECT_THAT(fileOf("words"), HasSubstr("agent-x"));
    says(shape("sj-1-pending.json"));
    const auto early = contentOf(*m_kubectl, {}, {"SnapshotJob", "j"});
    ASSERT_FALSE(early);
    EXPECT_EQ(early.error().code, ErrorCode::NotFound);
}

} // namespace
} // namespace wb::snapshot
