// Snapshot on a cluster in the window, with a stub of kubectl that replays the shared status shapes.
#include "core/base/text.h"
#include "tests/support/corpus.h"
#include "tests/ui/panes/panefixture.h"
#include "ui/models/cellsmodel.h"
#include "ui/panes/snapshotcluster.h"

#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QToolButton>

#include <deque>
#include <mutex>

namespace wb::ui {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string job = "apiVersion: nvidia.com/v1alpha1\nkind: SnapshotJob\nmetadata:\n  name: j\nspec:\n  podSnapshotTemplate: {}\n"
                        "  podTemplate:\n    spec:\n      containers:\n      - name: main\n        image: a\n";

/// Answers by what is asked for; each answer of a kind once, the last for ever. Called from workers.
class StubKubectl final : public snapshot::KubectlRunner
{
public:
    Result<snapshot::KubectlOutcome> run(const std::vector<std::string>& arguments, std::string_view input, std::stop_token) override
    {
        const std::scoped_lock lock(m_mutex);
        const std::string line = base::joined(arguments, " ");
        m_calls.push_back(line + (input.empty() ? "" : " <input"));
        for (auto& [asked, answers] : m_answers) {
            if (line.find(asked) == std::string::npos)
                continue;
            const snapshot::KubectlOutcome answer = answers.front();
            if (answers.size() > 1)
                answers.pop_front();
            return answer;
        }
        return snapshot::KubectlOutcome{1, {}, "Error from server (NotFound): " + line + " not found\n"};
    }

    void says(const std::string& asked, std::string out) { add(asked, {0, std::move(out), {}}); }
    void refuses(const std::string& asked, std::string err) { add(asked, {1, {}, std::move(err)}); }
    [[nodiscard]] std::vector<std::string> calls()
    {
        const std::scoped_lock lock(m_mutex);
        return m_calls;
    }

private:
    void add(const std::string& asked, snapshot::KubectlOutcome outcome)
    {
        for (auto& [known, answers] : m_answers) {
            if (known == asked)
                return answers.push_back(std::move(outcome));
        }
        m_answers.emplace_back(asked, std::deque{std::move(outcome)});
    }

    std::mutex m_mutex;
    std::vector<std::pair<std::string, std::deque<snapshot::KubectlOutcome>>> m_answers;
    std::vector<std::string> m_calls;
};

class SnapshotClusterTest : public test::PaneTest
{
protected:
    SnapshotClusterTest()
    {
        session.kube().setRunner([this](const QString&) { return kubectl; });
        makePane<SnapshotCluster>();
    }

    /// kubectl is called on the workers for what is far away.
    [[nodiscard]] bool settles()
    {
        return QTest::qWaitFor([this] { return session.workers().isIdle() && session.remoteWorkers().isIdle(); }, 20'000);
    }

    void open(const std::string& bytes)
    {
        session.documents().open(write(QStringLiteral("job.yaml"), bytes));
        ASSERT_TRUE(settles());
    }

    static std::string shape(const char* name) { return wb::test::bytesOf(*wb::test::shared("snapshot/status") / name); }

    std::shared_ptr<StubKubectl> kubectl = std::make_shared<StubKubectl>();
};

TEST_F(SnapshotClusterTest, SaysWhereItIsAndWhatCanBeDoneThere)
{
    kubectl->says("version", R"({"clientVersion": {"gitVersion": "v1.31.0"}, "serverVersion": {"gitVersion": "v1.30.2"}})");
    kubectl->says("auth can-i", "no\n");
    child<QLineEdit>("kubeContext").setText(QStringLiteral("lab"));
    child<QLineEdit>("kubeNamespace").setText(QStringLiteral("perf"));
    Q_EMIT child<QLineEdit>("kubeNamespace").editingFinished();
    EXPECT_THAT(child<QLabel>("kubePlace").text().toStdString(), HasSubstr("this machine · context lab · namespace perf"));
    child<QToolButton>("kubeCheck").click();
    ASSERT_TRUE(settles());
    const std::string state = child<QLabel>("kubeState").text().toStdString();
    EXPECT_THAT(state, HasSubstr("server v1.30.2"));
    EXPECT_THAT(state, HasSubstr("you may not create"));
    EXPECT_THAT(state, HasSubstr("not installed"));
    for (const std::string& call : kubectl->calls())
        EXPECT_THAT(call, HasSubstr("--context=lab --namespace=perf"));
}

TEST_F(SnapshotClusterTest, WhatCannotBeFoundOutIsNotKnown)
{
    for (const char* asked : {"version", "auth", "get crd"})
        kubectl->refuses(asked, "Unable to connect to the server: no route\n");
    child<QToolButton>("kubeCheck").click();
    ASSERT_TRUE(settles());
    const std::string state = child<QLabel>("kubeState").text().toStdString();
    EXPECT_THAT(state, HasSubstr("server not reached"));
    EXPECT_THAT(state, HasSubstr("whether you may create SnapshotJobs is not known"));
    EXPECT_THAT(state, HasSubstr("whether Snapshot is installed is not known"));
}

TEST_F(SnapshotClusterTest, TheServersWordsStandAtTheirLines)
{
    open(job);
    kubectl->refuses("--dry-run=server",
                     "The SnapshotJob \"j\" is invalid: spec.podTemplate.spec.containers[0].image: Invalid value: \"a\": no\n");
    child<QToolButton>("kubeDryRun").click();
    ASSERT_TRUE(settles());
    EXPECT_THAT(column("kubeFindings", 0), ElementsAre(HasSubstr("Invalid value")));
    EXPECT_THAT(column("kubeFindings", 2), ElementsAre("11"));
    EXPECT_THAT(kubectl->calls(), ElementsAre(testing::AllOf(HasSubstr("create --dry-run=server --validate=strict"), HasSubstr("<input"))));
}

TEST_F(SnapshotClusterTest, CreatesAfterAQuestionAndFollowsUntilItIsDone)
{
    SRTWB_NEEDS_SHARED("snapshot/status");
    open(job);
    kubectl->says("create --validate=strict", R"({"kind": "SnapshotJob", "metadata": {"name": "j"}})");
    for (const char* name : {"sj-0-no-status.json", "sj-2-running.json", "sj-3-completed.json"})
        kubectl->says("get snapshotjobs.nvidia.com j", shape(name));
    child<QToolButton>("kubeCreate").click();
    auto& question = child<QMessageBox>("kubeCreateQuestion");
    EXPECT_THAT(question.text().toStdString(), testing::AllOf(HasSubstr("SnapshotJob j"), HasSubstr("this machine")));
    EXPECT_THAT(kubectl->calls(), IsEmpty()) << "nothing happens before the answer";
    child<QPushButton>("kubeCreateYes").click();
    ASSERT_TRUE(settles());
    ASSERT_EQ(session.kube().followed().size(), 1U);
    ASSERT_TRUE(QTest::qWaitFor([&] { return session.kube().followed().front().isDone; }, 30'000));
    EXPECT_THAT(column("kubeObjects", 2), ElementsAre("Completed"));
    EXPECT_THAT(column("kubeTimeline", 1), Contains("Captured: CaptureCompleted"));
    for (const std::string& call : kubectl->calls())
        EXPECT_THAT(call, Not(HasSubstr("apply")));
}

TEST_F(SnapshotClusterTest, AnOldSnapshotOfTheNameIsNotAdopted)
{
    SRTWB_NEEDS_SHARED("snapshot/status");
    open(job);
    kubectl->says("get podsnapshots.nvidia.com j", shape("ps-ready.json"));
    session.kube().create(session.documents().current()->id);
    ASSERT_TRUE(settles());
    EXPECT_THAT(logged().back(), HasSubstr("exists in"));
    EXPECT_THAT(session.kube().followed(), IsEmpty());
    EXPECT_THAT(kubectl->calls(), Not(Contains(HasSubstr("create"))));
}

TEST_F(SnapshotClusterTest, EveryStatusShapeIsShownAsItsClass)
{
    SRTWB_NEEDS_SHARED("snapshot/status");
    const auto expected = base::json::read(shape("expected.json"));
    ASSERT_TRUE(expected);
    ASSERT_EQ(expected->object().size(), 18U);
    std::size_t number = 0;
    for (const base::json::Member& one : expected->object()) {
        SCOPED_TRACE(one.key);
        const std::string text = shape((one.key + ".json").c_str());
        const std::string kind = *base::json::read(text)->find("kind")->string();
        const std::string name = "o" + std::to_string(number++);
        kubectl->says(" " + name + " ", text);
        session.kube().follow({kind, name});
        ASSERT_TRUE(settles());
        const std::vector<std::string> states = column("kubeObjects", 2);
        ASSERT_EQ(states.size(), number);
        EXPECT_EQ(states.front(), *one.value.string()) << "the newest is the first";
    }
}

TEST_F(SnapshotClusterTest, AReasonThatIsNotKnownIsUnknown)
{
    SRTWB_NEEDS_SHARED("snapshot/status");
    kubectl->says("get pod p", shape("pod-restore-unknown-reason.json"));
    session.kube().follow({"Pod", "p"});
    ASSERT_TRUE(settles());
    EXPECT_THAT(column("kubeObjects", 2), ElementsAre("Unknown"));
}

TEST_F(SnapshotClusterTest, DeletingASnapshotSaysThatTheArtifactGoes)
{
    SRTWB_NEEDS_SHARED("snapshot/status");
    kubectl->says("get podsnapshots.nvidia.com shot", shape("ps-ready.json"));
    kubectl->says("delete podsnapshots.nvidia.com shot", "deleted\n");
    session.kube().follow({"PodSnapshot", "shot"});
    ASSERT_TRUE(settles());
    QMenu menu;
    Q_EMIT child<TableView>("kubeObjects").menuRequested(menu, child<TableView>("kubeObjects").currentSource());
    menu.actions().back()->trigger();
    auto& question = child<QMessageBox>("kubeDeleteQuestion");
    EXPECT_THAT(question.text().toStdString(), testing::AllOf(HasSubstr("\"shot\""), HasSubstr("artifact")));
    EXPECT_EQ(question.defaultButton(), question.button(QMessageBox::Cancel));
    EXPECT_THAT(kubectl->calls(), Not(Contains(HasSubstr("delete"))));
    child<QPushButton>("kubeDeleteYes").click();
    ASSERT_TRUE(settles());
    EXPECT_THAT(kubectl->calls(), Contains(HasSubstr("delete podsnapshots.nvidia.com shot")));
    EXPECT_THAT(session.kube().followed(), IsEmpty());
}

TEST_F(SnapshotClusterTest, TheAgentsLogBecomesARunAndTheContentAPreflight)
{
    SRTWB_NEEDS_SHARED("snapshot/status");
    SRTWB_NEEDS_SHARED("snapshot/logs/agent-restore.log");
    kubectl->says("get podsnapshots.nvidia.com shot", shape("ps-ready.json"));
    kubectl->says("get podsnapshotcontents.nvidia.com", shape("psc-ready-with-source.json"));
    kubectl->says("get pods -l", R"({"kind": "List", "items": [{"kind": "Pod", "metadata": {"name": "agent-x"}}]})");
    kubectl->says("logs agent-x", wb::test::bytesOf(*wb::test::shared("snapshot/logs/agent-restore.log")));
    session.kube().follow({"PodSnapshot", "shot"});
    ASSERT_TRUE(settles());
    session.kube().importLog(0);
    session.kube().usePreflight(0);
    ASSERT_TRUE(settles());
    EXPECT_FALSE(session.snapshots().startup()->runs.empty());
    EXPECT_FALSE(session.snapshots().captured().gpus.empty());
}

TEST_F(SnapshotClusterTest, TheClustersOwnDefinitionsComeIntoForce)
{
    SRTWB_NEEDS_SHARED("snapshot/crds/main-b7e707c/nvidia.com_podsnapshots.yaml");
    kubectl->says("get crd snapshotjobs", wb::test::bytesOf(*wb::test::shared("snapshot/crds/main-b7e707c/nvidia.com_podsnapshots.yaml")));
    child<QToolButton>("kubeCrds").click();
    ASSERT_TRUE(settles());
    EXPECT_EQ(session.snapshots().crds()->name, "the cluster");
}

} // namespace
} // namespace wb::ui
