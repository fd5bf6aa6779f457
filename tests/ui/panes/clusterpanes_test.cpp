// The Cluster, Jobs and Log panes over a cluster of stand-ins: the scripts that would go to a login node run here.
#include "tests/support/corpus.h"
#include "tests/support/localcluster.h"
#include "tests/ui/shell/sessionfixture.h"
#include "ui/models/jobsmodel.h"
#include "ui/panes/clusterpane.h"
#include "ui/panes/fetchdialog.h"
#include "ui/panes/jobspane.h"
#include "ui/panes/logpane.h"
#include "ui/panes/profiledialog.h"
#include "ui/panes/submitdialog.h"
#include "ui/panes/tableview.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QToolButton>

#include <filesystem>
#include <fstream>

namespace wb::ui {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr int patienceMs = 20'000;

std::shared_ptr<wb::test::LocalCluster> newCluster()
{
    return std::make_shared<wb::test::LocalCluster>();
}

class ClusterPanesTest : public test::SessionTest
{
protected:
    ClusterPanesTest()
        : ClusterPanesTest(newCluster())
    {
    }

    explicit ClusterPanesTest(const std::shared_ptr<wb::test::LocalCluster>& made)
        : SessionTest({.make = [made](const remote::Profile&) { return made; }})
        , cluster(made)
    {
        session.jobs().setWatching(true);
    }

    template <typename Widget>
    static Widget& child(const QObject& pane, const char* name)
    {
        auto* found = pane.findChild<Widget*>(QString::fromLatin1(name));
        if (!found)
            throw std::runtime_error(std::string("there is no ") + name);
        return *found;
    }

    /// Waits for the dialog of that name.
    template <typename Widget>
    static Widget* dialog(const QWidget& pane, const char* name)
    {
        (void)QTest::qWaitFor([&] { return pane.findChild<Widget*>(QString::fromLatin1(name)) != nullptr; }, patienceMs);
        return pane.findChild<Widget*>(QString::fromLatin1(name));
    }

    static std::string textOf(const TableView& view, int row, int column)
    {
        return view.model()->index(row, column).data().toString().toStdString();
    }

    static bool waitFor(const std::function<bool()>& isSo) { return QTest::qWaitFor(isSo, patienceMs); }

    void useProfile(const std::function<void(remote::Profile&)>& change = {})
    {
        remote::Profile profile;
        profile.name = "bed";
        profile.host = "login";
        profile.remoteFolder = "~/jobs";
        profile.launcher = "srtctl";
        profile.srtctl = "srtctl";
        profile.patienceSeconds = 1;
        if (change)
            change(profile);
        session.clusters().save(profile);
        ASSERT_TRUE(waitFor([this] { return session.clusters().current().name == "bed"; }));
    }

    void openRecipe()
    {
        session.documents().open(
            write(QStringLiteral("recipe.yaml"), test::overrideRecipe() + "\noverride_long:\n  slurm:\n    time_limit: \"2:00:00\"\n"));
        ASSERT_TRUE(waitFor([this] { return session.selection().checked() != nullptr; }));
        ASSERT_TRUE(settles());
        ASSERT_EQ(session.selection().checked()->variants.size(), 3U);
        session.selection().setChosen({0, 1, 2});
    }

    /// All three jobs of the recipe through the confirmation sheet.
    void submitAll(ClusterPane& pane)
    {
        ASSERT_TRUE(waitFor([&] { return child<QToolButton>(pane, "submitJobs").isEnabled(); }))
            << child<QToolButton>(pane, "submitJobs").toolTip().toStdString();
        child<QToolButton>(pane, "submitJobs").click();
        auto* sheet = dialog<QDialog>(pane, "submitDialog");
        ASSERT_NE(sheet, nullptr) << logged().back();
        child<QPushButton>(*sheet, "submitNow").click();
        ASSERT_TRUE(waitFor([this] { return session.clusters().submission().summary.has_value(); }));
    }

    std::shared_ptr<wb::test::LocalCluster> cluster;
};

TEST_F(ClusterPanesTest, AClusterFileIsFetchedForItsProfileAlone)
{
    ClusterPane pane(session);
    pane.show();
    const QString there = write(QStringLiteral("there/srtslurm.yaml"), "cluster: fetched\ndefault_partition: gpu\n");
    remote::Profile other;
    other.name = "other";
    other.host = "login2";
    session.clusters().save(other);
    ASSERT_TRUE(settles());
    useProfile([&](remote::Profile& profile) { profile.remoteClusterFile = there.toStdString(); });
    ASSERT_TRUE(settles());
    auto& button = child<QToolButton>(pane, "fetchClusterFile");
    button.click();
    EXPECT_FALSE(button.isEnabled()) << "one at a time";
    session.clusters().setCurrent(QStringLiteral("other")); // while it is on its way
    ASSERT_TRUE(settles());
    EXPECT_EQ(session.clusters().current().name, "other") << "nobody is taken to another cluster";
    EXPECT_EQ(session.clusterPath(), QString()) << "nor checked against its file";
    session.clusters().setCurrent(QStringLiteral("bed"));
    ASSERT_TRUE(settles());
    const std::string here = session.clusters().current().clusterFile;
    EXPECT_EQ(session.clusterPath().toStdString(), here);
    EXPECT_EQ(bytesOf(QString::fromStdString(here)), "cluster: fetched\ndefault_partition: gpu\n");
    ASSERT_TRUE(session.cluster());

    // What is fetched again is read again, and what cannot be fetched leaves the copy.
    write(QStringLiteral("there/srtslurm.yaml"), "cluster: again\n");
    button.click();
    ASSERT_TRUE(settles());
    EXPECT_EQ(bytesOf(QString::fromStdString(here)), "cluster: again\n");
    QFile::remove(there);
    button.click();
    ASSERT_TRUE(settles());
    EXPECT_THAT(logged(), Contains(HasSubstr("There is no cluster file")));
    EXPECT_EQ(bytesOf(QString::fromStdString(here)), "cluster: again\n");
}

TEST_F(ClusterPanesTest, TheSheetNamesHostCostAndCommandBeforeAnythingIsSent)
{
    ClusterPane pane(session);
    pane.resize(700, 500);
    pane.show();
    useProfile();
    openRecipe();
    child<QToolButton>(pane, "submitJobs").click();
    auto* sheet = dialog<QDialog>(pane, "submitDialog");
    ASSERT_NE(sheet, nullptr);
    const std::string words = sheet->accessibleDescription().toStdString();
    // 2, 1 and 1 nodes of 8 GPUs for 1, 0.5 and 2 hours.
    EXPECT_THAT(words, AllOf(HasSubstr("login"), HasSubstr("4.5 node-hours"), HasSubstr("36 GPU-hours"), HasSubstr("Account"),
                             HasSubstr("Partition")));
    EXPECT_THAT(child<QPlainTextEdit>(*sheet, "submitCommand").toPlainText().toStdString(), HasSubstr("srtctl apply -f"));
    EXPECT_EQ(cluster->jobCount(), 0U);
    EXPECT_TRUE(cluster->titles().empty()) << "nothing was asked of the cluster";
    sheet->reject();
    EXPECT_FALSE(session.clusters().submission().isRunning);
}

TEST_F(ClusterPanesTest, ASubmissionAddsUpAndEachJobIsThereOnce)
{
    ClusterPane pane(session);
    pane.show();
    cluster->takeSrtctl();
    useProfile();
    openRecipe();
    submitAll(pane);
    const Submission& submission = session.clusters().submission();
    EXPECT_EQ(submission.summary->planned, 3U);
    EXPECT_EQ(submission.summary->submitted, 3U) << logged().back();
    EXPECT_EQ(cluster->jobCount(), 3U);
    auto& view = child<TableView>(pane, "submissionView");
    ASSERT_EQ(view.model()->rowCount(), 3);
    EXPECT_EQ(textOf(view, 0, 0), "submitted");
    EXPECT_EQ(textOf(view, 0, 2), "101");
    EXPECT_THAT(child<QLabel>(pane, "submissionSummary").text().toStdString(), HasSubstr("3 planned = 3 submitted + 0 failed + 0 skipped"));
    EXPECT_EQ(session.jobs().all().size(), 3U);
    EXPECT_EQ(session.jobs().all().front().step, store::Step::Submitted);
}

TEST_F(ClusterPanesTest, WhatSlurmSaysIsShownWordForWordWithTheCure)
{
    ClusterPane pane(session);
    pane.show();
    cluster->takeSrtctl();
    cluster->refuse("sbatch: error: invalid partition specified: nope\n"
                    "sbatch: error: Batch job submission failed: Invalid partition name specified\n");
    useProfile();
    openRecipe();
    submitAll(pane);
    EXPECT_EQ(session.clusters().submission().summary->failed, 3U);
    auto& view = child<TableView>(pane, "submissionView");
    view.setCurrentIndex(view.model()->index(0, 0));
    EXPECT_EQ(textOf(view, 0, 0), "failed");
    const std::string said = child<QPlainTextEdit>(pane, "submissionSaid").toPlainText().toStdString();
    EXPECT_THAT(said, AllOf(HasSubstr("sbatch: error: Batch job submission failed: Invalid partition name specified"),
                            HasSubstr("exit code"), HasSubstr("\u2192")));
}

TEST_F(ClusterPanesTest, AReadOnlyProfileAndTheOfflineOneSubmitNothing)
{
    ClusterPane pane(session);
    pane.show();
    openRecipe();
    auto& submit = child<QToolButton>(pane, "submitJobs");
    EXPECT_FALSE(submit.isEnabled());
    EXPECT_THAT(submit.toolTip().toStdString(), HasSubstr("has no host"));
    useProfile([](remote::Profile& profile) { profile.isReadOnly = true; });
    EXPECT_FALSE(submit.isEnabled());
    EXPECT_THAT(submit.toolTip().toStdString(), HasSubstr("read-only"));
    EXPECT_THAT(child<QLabel>(pane, "clusterFacts").text().toStdString(), AllOf(HasSubstr("ssh login"), HasSubstr("read-only")));
}

TEST_F(ClusterPanesTest, ASubmissionThatCannotLogInFailsAsAWholeAndLeavesNoRecord)
{
    ClusterPane pane(session);
    pane.show();
    useProfile();
    openRecipe();
    cluster->setError(Error{ErrorCode::Denied, "login does not accept this log-in.", "Permission denied (publickey)."});
    submitAll(pane);
    EXPECT_EQ(session.clusters().submission().summary->failed, 3U);
    EXPECT_TRUE(session.jobs().all().empty());
    EXPECT_THAT(child<QLabel>(pane, "clusterFacts").text().toStdString(), HasSubstr("log-in needed"));
}

TEST_F(ClusterPanesTest, PreflightSaysWhereItLookedAndWhatItFound)
{
    ClusterPane pane(session);
    pane.show();
    useProfile();
    openRecipe();
    child<QToolButton>(pane, "startPreflight").click();
    EXPECT_TRUE(session.clusters().preflight().isRunning);
    ASSERT_TRUE(waitFor([this] { return !session.clusters().preflight().isRunning; }));
    auto& view = child<TableView>(pane, "preflightView");
    std::vector<std::string> findings;
    for (int row = 0; row < view.model()->rowCount(); ++row)
        findings.push_back(textOf(view, row, 0) + '/' + textOf(view, row, 1) + '/' + textOf(view, row, 2));
    EXPECT_THAT(findings, Contains("ok/here/recipe"));
    EXPECT_THAT(child<QLabel>(pane, "clusterFacts").text().toStdString(), HasSubstr("\u00b7 connected"));
    EXPECT_THAT(findings, Contains(HasSubstr("login node/partition")));
    EXPECT_THAT(child<QLabel>(pane, "preflightAbout").text().toStdString(),
                AllOf(HasSubstr("recipe.yaml: 3 job(s) on login"), HasSubstr(" ok")));
    // Without a host what can be seen here is shown, and nothing is asked.
    session.clusters().setCurrent(QStringLiteral("offline"));
    const std::size_t before = cluster->titles().size();
    child<QToolButton>(pane, "startPreflight").click();
    ASSERT_TRUE(waitFor([this] { return !session.clusters().preflight().isRunning; }));
    EXPECT_EQ(cluster->titles().size(), before);
    EXPECT_GT(view.model()->rowCount(), 1);
}

TEST_F(ClusterPanesTest, ProfilesAreMadeChangedAndRemoved)
{
    ClusterPane pane(session);
    pane.show();
    child<QToolButton>(pane, "newProfile").click();
    auto* made = dialog<ProfileDialog>(pane, "profileDialog");
    ASSERT_NE(made, nullptr);
    auto& save = child<QPushButton>(*made, "saveProfile");
    EXPECT_FALSE(save.isEnabled()) << "it has no name yet";
    child<QLineEdit>(*made, "profileName").setText(QStringLiteral("big"));
    child<QComboBox>(*made, "profileHost").setCurrentText(QStringLiteral("-oProxyCommand=x"));
    EXPECT_FALSE(save.isEnabled());
    child<QComboBox>(*made, "profileHost").setCurrentText(QStringLiteral("me@big"));
    child<QLineEdit>(*made, "profileColour").setText(QStringLiteral("#c01c28"));
    ASSERT_TRUE(save.isEnabled()) << child<QLabel>(*made, "profileWhyNot").text().toStdString();
    save.click();
    ASSERT_TRUE(waitFor([this] { return session.clusters().current().name == "big"; }));
    EXPECT_THAT(bytesOf(session.clusters().profilesFile()), HasSubstr("me@big"));
    EXPECT_TRUE(child<QWidget>(pane, "clusterColour").isVisible());
    auto& list = child<QComboBox>(pane, "clusterProfile");
    EXPECT_EQ(list.count(), 2);
    EXPECT_EQ(list.currentText(), QStringLiteral("big"));
    child<QToolButton>(pane, "removeProfile").click();
    auto* question = dialog<QMessageBox>(pane, "profileQuestion");
    ASSERT_NE(question, nullptr);
    for (QAbstractButton* button : question->buttons())
        if (question->buttonRole(button) == QMessageBox::DestructiveRole)
            button->click();
    ASSERT_TRUE(waitFor([&] { return list.count() == 1; }));
    EXPECT_EQ(session.clusters().current().name, "offline");
}

TEST_F(ClusterPanesTest, AProfilesFileThatCannotBeReadIsToldAndNeverWrittenOver)
{
    QDir().mkpath(session.dataFolder());
    write(QStringLiteral("data/profiles.json"), "{ this is no JSON");
    session.clusters().load();
    ASSERT_TRUE(settles());
    EXPECT_FALSE(session.clusters().trouble().isEmpty());
    remote::Profile profile;
    profile.name = "x";
    profile.host = "y";
    EXPECT_THAT(session.clusters().whyNoProfile(profile, {}).toStdString(), HasSubstr("cannot be read"));
    EXPECT_EQ(bytesOf(session.clusters().profilesFile()), "{ this is no JSON");
}

// --- jobs -----------------------------------------------------------------------------------------------------------------------------

class JobsPaneTest : public ClusterPanesTest
{
protected:
    void submitThree()
    {
        ClusterPane submitting(session);
        cluster->takeSrtctl();
        useProfile();
        openRecipe();
        submitAll(submitting);
        ASSERT_EQ(cluster->jobCount(), 3U);
    }

    [[nodiscard]] std::string stateOf(const std::string& jobId)
    {
        for (const store::JobEntry& job : session.jobs().all())
            if (job.jobId == jobId)
                return job.state;
        return "none";
    }

    [[nodiscard]] bool reaches(const std::string& jobId, const std::string& state)
    {
        session.jobs().refreshNow();
        return waitFor([&] { return stateOf(jobId) == state; });
    }

    /// Answers the confirmation.
    static void agree(const QWidget& pane)
    {
        auto* question = dialog<QMessageBox>(pane, "jobsQuestion");
        ASSERT_NE(question, nullptr);
        EXPECT_NE(question->defaultButton()->objectName(), QStringLiteral("doIt")) << "it is never the default";
        child<QPushButton>(*question, "doIt").click();
    }
};

TEST_F(JobsPaneTest, WhoAsksWhileAnAnswerIsOnItsWayGetsANewerOne)
{
    submitThree();
    ASSERT_TRUE(reaches("101", "pending"));
    const auto isAsking = [this] {
        const std::vector<Jobs::Watch> watches = session.jobs().watches();
        return !watches.empty() && watches.front().isAsking;
    };
    const auto polls = [this] {
        const std::vector<std::string> titles = cluster->titles();
        return std::count(titles.begin(), titles.end(), "poll 3 jobs");
    };
    ASSERT_TRUE(waitFor([&] { return !isAsking(); }));
    const auto before = polls();
    session.jobs().refreshNow();
    ASSERT_TRUE(waitFor(isAsking));
    session.jobs().refreshNow();
    EXPECT_TRUE(waitFor([&] { return polls() == before + 2; }));
    EXPECT_TRUE(settles());
    EXPECT_EQ(polls(), before + 2) << "once more, not for ever";
}

TEST_F(JobsPaneTest, JobsAreWatchedByOneQueryAndStayWhenTheyAreOver)
{
    JobsPane pane(session);
    pane.resize(1200, 500);
    pane.show();
    auto& view = child<TableView>(pane, "jobsView");
    const QAbstractItemModelTester tester(view.filter().sourceModel(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    submitThree();
    ASSERT_TRUE(reaches("101", "pending"));
    EXPECT_EQ(view.model()->rowCount(), 3);
    EXPECT_THAT(textOf(view, 0, JobsModel::StartColumn), HasSubstr("expected")) << "the newest comes first";
    EXPECT_EQ(textOf(view, 0, JobsModel::ReasonColumn), "Priority");
    EXPECT_EQ(textOf(view, 0, JobsModel::ElapsedColumn), "\u2014");
    cluster->setState("101", "RUNNING");
    cluster->setState("102", "FAILED");
    ASSERT_TRUE(reaches("101", "running"));
    EXPECT_EQ(stateOf("102"), "failed");
    EXPECT_EQ(stateOf("103"), "pending");
    EXPECT_THAT(textOf(view, 2, JobsModel::ElapsedColumn), HasSubstr("0:0"));
    EXPECT_EQ(textOf(view, 1, JobsModel::ExitColumn), "3");
    // One query, whatever the number of jobs.
    const std::vector<std::string> titles = cluster->titles();
    EXPECT_THAT(titles, Contains("poll 3 jobs"));
    EXPECT_THAT(titles, Not(Contains("poll 1 job")));
    EXPECT_THAT(child<QLabel>(pane, "jobsWatches").text().toStdString(), HasSubstr("bed: "));
    // A job that the queue forgot is neither running nor over.
    cluster->forget("102");
    cluster->setState("101", "COMPLETED");
    ASSERT_TRUE(reaches("101", "completed"));
    EXPECT_EQ(stateOf("102"), "failed") << "what ended stays as it was seen";
    EXPECT_EQ(view.model()->rowCount(), 3);
    child<QCheckBox>(pane, "onlyOpenJobs").setChecked(true);
    EXPECT_EQ(view.model()->rowCount(), 1);
    // They are there again in the next session.
    Session later({.dataFolder = session.dataFolder(), .mode = async::Mode::Pool, .environment = {}});
    later.jobs().load();
    ASSERT_TRUE(QTest::qWaitFor([&] { return later.workers().isIdle(); }, patienceMs));
    EXPECT_EQ(later.jobs().all().size(), 3U);
}

TEST_F(JobsPaneTest, AClusterThatDoesNotAnswerIsAskedLessAndLess)
{
    JobsPane pane(session);
    pane.show();
    submitThree();
    ASSERT_TRUE(reaches("101", "pending"));
    cluster->setError(Error{ErrorCode::Unreachable, "login closed the connection.", {}});
    const auto isTold = [&](int failures) {
        session.jobs().refreshNow();
        return waitFor([&] {
            const auto watches = session.jobs().watches();
            return watches.size() == 1 && watches.front().failures >= failures && !watches.front().isAsking;
        });
    };
    ASSERT_TRUE(isTold(1));
    ASSERT_TRUE(isTold(2));
    const Jobs::Watch watch = session.jobs().watches().front();
    EXPECT_GE(watch.next - QDateTime::currentSecsSinceEpoch(), 60) << "30 s, doubled twice, less what passed since";
    EXPECT_THAT(child<QLabel>(pane, "jobsWatches").text().toStdString(), HasSubstr("closed the connection"));
    EXPECT_EQ(stateOf("101"), "pending") << "what is not known did not change";
    EXPECT_EQ(session.connections().link(session.clusters().current()).state, Connections::State::Failed);
    // While nobody can look nothing is asked.
    session.jobs().setWatching(false);
    cluster->setError(std::nullopt);
    const std::size_t before = cluster->titles().size();
    session.jobs().refreshNow();
    ASSERT_TRUE(settles());
    EXPECT_EQ(cluster->titles().size(), before);
    session.jobs().setWatching(true);
    cluster->setState("101", "RUNNING");
    EXPECT_TRUE(reaches("101", "running"));
    EXPECT_EQ(session.jobs().watches().front().failures, 0);
}

TEST_F(JobsPaneTest, CancellingAndDeletingAreTwoThingsThatNameHostAndFolder)
{
    JobsPane pane(session);
    pane.show();
    submitThree();
    cluster->setState("101", "RUNNING");
    ASSERT_TRUE(reaches("101", "running"));
    auto& view = child<TableView>(pane, "jobsView");
    view.setCurrentIndex(view.model()->index(2, 0));
    const store::JobEntry job = *session.jobs().find(session.selection().job());
    ASSERT_EQ(job.jobId, "101");
    auto& remove = child<QToolButton>(pane, "removeJobFolder");
    EXPECT_FALSE(remove.isEnabled());
    EXPECT_THAT(remove.toolTip().toStdString(), HasSubstr("in use"));
    child<QToolButton>(pane, "cancelJob").click();
    auto* question = dialog<QMessageBox>(pane, "jobsQuestion");
    ASSERT_NE(question, nullptr);
    EXPECT_THAT(question->text().toStdString(), HasSubstr("login"));
    EXPECT_THAT(question->informativeText().toStdString(), AllOf(HasSubstr("101"), HasSubstr("scancel")));
    agree(pane);
    ASSERT_TRUE(waitFor([&] { return cluster->state("101") == "CANCELLED"; }));
    EXPECT_EQ(cluster->state("102"), "PENDING") << "only what was selected";
    ASSERT_TRUE(waitFor([&] { return stateOf("101") == "cancelled"; }));
    ASSERT_TRUE(waitFor([&] { return pane.findChild<QMessageBox*>() == nullptr; }));
    EXPECT_TRUE(std::filesystem::exists(job.remoteDir)) << "cancelling removes nothing";
    EXPECT_FALSE(child<QToolButton>(pane, "cancelJob").isEnabled());
    ASSERT_TRUE(remove.isEnabled()) << remove.toolTip().toStdString();
    remove.click();
    question = dialog<QMessageBox>(pane, "jobsQuestion");
    ASSERT_NE(question, nullptr);
    EXPECT_THAT(question->informativeText().toStdString(), HasSubstr("login:" + job.remoteDir));
    agree(pane);
    ASSERT_TRUE(waitFor([&] { return !std::filesystem::exists(job.remoteDir); })) << logged().back();
    EXPECT_EQ(session.jobs().all().size(), 3U) << "the history stays";
}

TEST_F(JobsPaneTest, ResultsAreListedWithSizesFetchedAndImported)
{
    JobsPane pane(session);
    pane.show();
    cluster->setBody("mkdir -p out && cp -r '" + wb::test::own("resources/samples/results/outputs").string() + "/.' out/");
    submitThree();
    for (const char* id : {"101", "102", "103"})
        cluster->setState(id, "COMPLETED");
    ASSERT_TRUE(reaches("103", "completed"));
    auto& view = child<TableView>(pane, "jobsView");
    view.setCurrentIndex(view.model()->index(0, 0));
    const std::string id = session.selection().job();
    child<QToolButton>(pane, "fetchJob").click();
    auto* fetch = dialog<FetchDialog>(pane, "fetchDialog");
    ASSERT_NE(fetch, nullptr) << logged().back();
    EXPECT_GT(child<TableView>(*fetch, "fetchFiles").model()->rowCount(), 3);
    EXPECT_THAT(child<QLabel>(*fetch, "fetchSummary").text().toStdString(), HasSubstr("KiB"));
    EXPECT_TRUE(session.results().points()->empty());
    child<QPushButton>(*fetch, "fetchNow").click();
    ASSERT_TRUE(waitFor([this] { return !session.results().points()->empty(); })) << logged().back();
    ASSERT_TRUE(settles());
    const store::JobEntry* job = session.jobs().find(id);
    EXPECT_THAT(job->fetched, HasSubstr("results/bed/103-"));
    EXPECT_EQ(textOf(view, 0, JobsModel::ResultsColumn), "fetched");
    // The job's point follows the job, and the job follows the point.
    session.selection().setPoint({});
    session.selection().setJob({});
    session.selectJob(id);
    EXPECT_EQ(session.selection().point(), session.results().points()->front().id);
    session.selection().setJob({});
    session.selection().setPoint(session.results().points()->back().id);
    EXPECT_EQ(session.selection().job(), id);
}

TEST_F(JobsPaneTest, SelectingAJobSelectsItsVariantAndOpensItsRecipe)
{
    JobsPane pane(session);
    pane.show();
    submitThree();
    auto& view = child<TableView>(pane, "jobsView");
    view.setCurrentIndex(view.model()->index(1, 0));
    const store::JobEntry job = *session.jobs().find(session.selection().job());
    EXPECT_EQ(session.selection().checkedVariant()->name, job.name);
    session.documents().close(session.documents().current()->id);
    child<QToolButton>(pane, "jobRecipe").click();
    ASSERT_TRUE(waitFor([this] { return session.selection().checked() != nullptr; }));
    ASSERT_TRUE(settles());
    EXPECT_EQ(session.selection().checkedVariant()->name, job.name);
}

// --- logs -----------------------------------------------------------------------------------------------------------------------------

TEST_F(JobsPaneTest, TheLogIsFollowedBeforeItExistsAndShowsTheFirstError)
{
    LogPane pane(session);
    pane.resize(900, 400);
    pane.show();
    submitThree();
    cluster->setState("101", "RUNNING");
    ASSERT_TRUE(reaches("101", "running"));
    const store::JobEntry job = session.jobs().all().front();
    ASSERT_EQ(job.jobId, "101");
    session.showJobLog(job.id);
    auto& log = child<QPlainTextEdit>(pane, "jobLogText");
    ASSERT_TRUE(log.isVisible());
    ASSERT_TRUE(waitFor([&] { return child<QLabel>(pane, "jobLogState").text().contains(QStringLiteral("no log yet")); }))
        << child<QLabel>(pane, "jobLogState").text().toStdString();
    const std::string place = job.outputDir.empty() ? job.remoteDir : job.outputDir;
    std::filesystem::create_directories(place + "/logs");
    const auto append = [&](const std::string& name, const std::string& words) {
        std::ofstream(place + "/logs/" + name, std::ios::app) << words;
    };
    append("sweep_101.log", "begin\n\x1b[31mred\x1b[0m\nwaiting 1\nwaiting 2\nwaiting 3\nhalf a li");
    session.jobLogs().refreshNow();
    ASSERT_TRUE(waitFor([&] { return log.toPlainText().contains(QStringLiteral("waiting 3")); }));
    EXPECT_THAT(log.toPlainText().toStdString(), AllOf(Not(HasSubstr("\x1b")), Not(HasSubstr("half a li"))));
    EXPECT_THAT(child<QLabel>(pane, "jobLogState").text().toStdString(), HasSubstr("last byte"));
    EXPECT_FALSE(child<QToolButton>(pane, "jobLogError").isEnabled());
    append("sweep_101.log", "ne\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB\nthe end\n");
    session.jobLogs().refreshNow();
    ASSERT_TRUE(waitFor([&] { return log.toPlainText().endsWith(QStringLiteral("the end")); }));
    EXPECT_THAT(log.toPlainText().toStdString(), HasSubstr("half a line\n"));
    child<QToolButton>(pane, "jobLogError").click();
    EXPECT_THAT(log.textCursor().selectedText().toStdString(), HasSubstr("CUDA out of memory"));
    EXPECT_FALSE(child<QLabel>(pane, "jobLogSign").text().isEmpty());
    child<QCheckBox>(pane, "jobLogCollapse").setChecked(true);
    ASSERT_TRUE(waitFor([&] { return log.toPlainText().contains(QStringLiteral("3 times")); })) << log.toPlainText().toStdString();
    // Several files at once, one of them not there yet.
    append("worker.out", "from the worker\n");
    session.jobLogs().setFollowed(
        {QStringLiteral("logs/sweep_101.log"), QStringLiteral("logs/worker.out"), QStringLiteral("logs/later.err")});
    ASSERT_TRUE(waitFor([&] { return log.toPlainText().contains(QStringLiteral("logs/worker.out: from the worker")); }))
        << log.toPlainText().toStdString();
    EXPECT_THAT(log.toPlainText().toStdString(), HasSubstr("logs/sweep_101.log: begin"));
    append("later.err", "late\n");
    session.jobLogs().refreshNow();
    EXPECT_TRUE(waitFor([&] { return log.toPlainText().contains(QStringLiteral("logs/later.err: late")); }));
    child<QLineEdit>(pane, "jobLogSearch").setText(QStringLiteral("from the worker"));
    QTest::keyClick(&child<QLineEdit>(pane, "jobLogSearch"), Qt::Key_Return);
    EXPECT_EQ(log.textCursor().selectedText(), QStringLiteral("from the worker"));
}

TEST_F(ClusterPanesTest, CommandsThatWentToClustersAreListedNewestFirst)
{
    write(QStringLiteral("data/audit.jsonl"),
          "{\"time\":1,\"host\":\"a\",\"title\":\"poll 1 job\",\"command\":\"squeue\",\"outcome\":\"exit 0\",\"ms\":12}\n"
          "{\"time\":2,\"host\":\"a\",\"title\":\"stage 3 jobs\",\"command\":\"x\",\"outcome\":\"exit 1\",\"ms\":7}\n");
    LogPane pane(session);
    pane.show();
    child<QTabWidget>(pane, "logTabs").setCurrentIndex(2);
    auto& view = child<TableView>(pane, "commandsView");
    ASSERT_TRUE(waitFor([&] { return view.model()->rowCount() == 2; }));
    EXPECT_EQ(textOf(view, 0, 2), "stage 3 jobs");
    EXPECT_EQ(textOf(view, 1, 4), "12");
}

} // namespace
} // namespace wb::ui
