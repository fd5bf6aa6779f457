// The whole way in the window, on a real sshd and Slurm: log in, twenty variants of the mocker submitted, run, fetched, and on the chart.
// SRTWB_PICTURES=DIR keeps pictures of the window on the way.
#include "tests/cluster/testbed.h"
#include "tests/support/corpus.h"
#include "ui/charts/chartview.h"
#include "ui/models/jobsmodel.h"
#include "ui/panes/tableview.h"
#include "ui/shell/mainwindow.h"
#include "ui/shell/theme.h"

#include <QApplication>
#include <QCheckBox>
#include <QDialog>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QTest>
#include <QToolButton>
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

namespace wb::ui {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr int patienceMs = 30'000;

/// A keychain in memory.
class MemoryStore final : public SecretStore
{
public:
    void read(const QString& key, QObject* /*context*/, std::function<void(const std::optional<QString>&)> then) override
    {
        const auto found = kept.find(key);
        then(found == kept.end() ? std::nullopt : std::optional(found->second));
    }
    void write(const QString& key, const QString& value, QObject* /*context*/, std::function<void(const QString&)> then) override
    {
        kept[key] = value;
        then({});
    }

    std::map<QString, QString> kept;
};

class ClusterWindow : public wb::test::OnTestbed
{
protected:
    void SetUp() override
    {
        OnTestbed::SetUp();
        if (IsSkipped())
            return;
        m_control = "/tmp/srtwb-win-" + std::to_string(::getpid());
        SessionOptions options{.dataFolder = QString::fromStdString(m_folder.below("data")),
                               .mode = async::Mode::Pool,
                               .environment = {},
                               .connections = {.controlFolder = QString::fromStdString(m_control),
                                               .askpass = QStringLiteral(SRTWB_ASKPASS),
                                               .secrets = m_keychain}};
        m_session = std::make_unique<Session>(options);
        m_settings = std::make_unique<QSettings>(QString::fromStdString(m_folder.below("settings.ini")), QSettings::IniFormat);
        m_settings->setValue(QStringLiteral("layouts/current"), QStringLiteral("cluster"));
        m_window = std::make_unique<MainWindow>(*m_session, *m_settings);
        m_window->resize(1600, 950);
        m_window->show();
        m_window->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(m_window.get()));
        m_session->jobs().setWatching(true);
    }

    void TearDown() override
    {
        m_window.reset();
        m_session.reset();
        std::error_code ignored;
        std::filesystem::remove_all(m_control, ignored);
        OnTestbed::TearDown();
    }

    template <typename Widget>
    Widget& child(const char* name) const
    {
        auto* found = m_window->findChild<Widget*>(QString::fromLatin1(name));
        if (!found)
            throw std::runtime_error(std::string("the window has no ") + name);
        return *found;
    }

    /// Waits until the window has a child of that name.
    template <typename Widget>
    Widget* appears(const char* name) const
    {
        (void)QTest::qWaitFor([&] { return m_window->findChild<Widget*>(QString::fromLatin1(name)) != nullptr; }, patienceMs);
        return m_window->findChild<Widget*>(QString::fromLatin1(name));
    }

    void useProfile(const std::string& host, const std::string& preamble = {}, const std::string& services = {}) const
    {
        remote::Profile profile;
        profile.name = "bed";
        profile.host = host;
        profile.sshConfig = sshConfig();
        profile.remoteFolder = remoteFolder() + "/jobs";
        profile.clusterFile = m_folder.put("srtslurm.yaml", "cluster: testbed\ndefault_partition: gpu\n"
                                                            "default_time_limit: \"00:05:00\"\ngpus_per_node: 4\n"
                                                            "network_interface: \"\"\nuse_segment_sbatch_directive: false\n");
        profile.services = services;
        profile.preamble = preamble;
        profile.pollSeconds = 10;
        profile.aliveSeconds = 1;
        m_session->clusters().save(profile);
        ASSERT_TRUE(QTest::qWaitFor([&] { return m_session->clusters().current() == profile; }, patienceMs));
    }

    [[nodiscard]] std::string lastLogged() const
    {
        const auto& rows = m_session->log().model().rows();
        return rows.empty() ? std::string() : rows.back().text.toStdString();
    }

    [[nodiscard]] Connections::Link link() const { return m_session->connections().link(m_session->clusters().current()); }

    [[nodiscard]] bool isLinked(Connections::State state, int ms = patienceMs) const
    {
        return QTest::qWaitFor([&] { return link().state == state; }, ms);
    }

    void picture(const char* name) const
    {
        const char* folder = std::getenv("SRTWB_PICTURES");
        if (!folder)
            return;
        for (const Theme theme : {Theme::Dark, Theme::Light}) {
            applyTheme(theme);
            (void)QTest::qWait(100);
            const QString file = QStringLiteral("%1/%2-%3.png").arg(QString::fromLocal8Bit(folder), QString::fromLatin1(name), id(theme));
            m_window->grab().save(file);
            for (QWidget* each : m_window->findChildren<QDialog*>())
                if (each->isVisible())
                    each->grab().save(QString(file).replace(QStringLiteral(".png"), QStringLiteral("-dialog.png")));
        }
    }

    std::string m_control;
    std::shared_ptr<MemoryStore> m_keychain = std::make_shared<MemoryStore>();
    std::unique_ptr<Session> m_session;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<MainWindow> m_window;
};

TEST_F(ClusterWindow, APassphraseIsAskedForOnceASession)
{
    useProfile("testbed-encrypted");
    child<QToolButton>("clusterConnect").click();
    auto* question = appears<QDialog>("sshQuestion");
    ASSERT_NE(question, nullptr);
    EXPECT_THAT(question->findChild<QLabel*>(QStringLiteral("sshQuestionText"))->text().toStdString(),
                AllOf(HasSubstr("testbed-encrypted"), HasSubstr("passphrase")));
    picture("passphrase");
    auto* answer = question->findChild<QLineEdit*>(QStringLiteral("sshAnswer"));
    ASSERT_NE(answer, nullptr);
    EXPECT_EQ(answer->echoMode(), QLineEdit::Password);
    QTest::keyClicks(answer, QString::fromStdString(env("SLURM_TESTBED_SSH_PASSPHRASE")));
    QTest::keyClick(answer, Qt::Key_Return);
    ASSERT_TRUE(isLinked(Connections::State::Connected)) << (link().why ? link().why->message : "");
    // The connection breaks; the answer is remembered.
    m_session->connections().of(m_session->clusters().current())->disconnect();
    m_session->connections().learn(m_session->clusters().current(), Error{ErrorCode::Unreachable, "gone", {}});
    m_session->connections().open(m_session->clusters().current());
    ASSERT_TRUE(isLinked(Connections::State::Connected));
    EXPECT_FALSE(m_session->connections().question());
}

TEST_F(ClusterWindow, TheKeychainAnswersOnceAndAWrongAnswerIsAskedForAgain)
{
    useProfile("testbed-encrypted");
    child<QToolButton>("clusterConnect").click();
    auto* question = appears<QDialog>("sshQuestion");
    ASSERT_NE(question, nullptr);
    question->findChild<QLineEdit*>(QStringLiteral("sshAnswer"))->setText(QString::fromStdString(env("SLURM_TESTBED_SSH_PASSPHRASE")));
    question->findChild<QCheckBox*>(QStringLiteral("keepAnswer"))->setChecked(true);
    question->findChild<QPushButton*>(QStringLiteral("logIn"))->click();
    ASSERT_TRUE(isLinked(Connections::State::Connected)) << (link().why ? link().why->message : "");
    ASSERT_EQ(m_keychain->kept.size(), 1U);
    const QString key = m_keychain->kept.begin()->first;
    // Another session, with the same keychain: nobody is asked.
    TearDown();
    SetUp();
    m_keychain->kept = {{key, QString::fromStdString(env("SLURM_TESTBED_SSH_PASSPHRASE"))}};
    useProfile("testbed-encrypted");
    child<QToolButton>("clusterConnect").click();
    ASSERT_TRUE(isLinked(Connections::State::Connected)) << (link().why ? link().why->message : "");
    EXPECT_EQ(m_window->findChild<QDialog*>(QStringLiteral("sshQuestion")), nullptr);
    TearDown();
    SetUp();
    m_keychain->kept = {{key, QStringLiteral("wrong")}};
    useProfile("testbed-encrypted");
    child<QToolButton>("clusterConnect").click();
    question = appears<QDialog>("sshQuestion");
    ASSERT_NE(question, nullptr) << "the wrong answer is not given again";
    question->reject();
    EXPECT_TRUE(isLinked(Connections::State::Failed));
}

TEST_F(ClusterWindow, RefusingAQuestionEndsTheLogIn)
{
    useProfile("testbed-encrypted");
    child<QToolButton>("clusterConnect").click();
    auto* question = appears<QDialog>("sshQuestion");
    ASSERT_NE(question, nullptr);
    question->reject();
    ASSERT_TRUE(isLinked(Connections::State::Failed));
    EXPECT_EQ(link().why->code, ErrorCode::Denied);
    EXPECT_THAT(child<QLabel>("clusterFacts").text().toStdString(), HasSubstr("log-in needed"));
}

TEST_F(ClusterWindow, AnUnknownHostShowsItsFingerprintAndIsNotTrustedByDefault)
{
    useProfile("testbed-unknown");
    child<QToolButton>("clusterConnect").click();
    auto* question = appears<QDialog>("sshQuestion");
    ASSERT_NE(question, nullptr);
    auto* print = question->findChild<QLabel*>(QStringLiteral("sshFingerprint"));
    ASSERT_NE(print, nullptr);
    EXPECT_THAT(print->text().toStdString(), HasSubstr("SHA256:"));
    EXPECT_TRUE(question->findChild<QPushButton*>(QStringLiteral("refuseHostKey"))->isDefault());
    picture("hostkey");
    question->findChild<QPushButton*>(QStringLiteral("refuseHostKey"))->click();
    ASSERT_TRUE(isLinked(Connections::State::Failed));
    EXPECT_EQ(link().why->code, ErrorCode::Refused);
    EXPECT_FALSE(m_session->connections().question()) << "it is not asked again without end";
}

TEST_F(ClusterWindow, AChangedHostKeyBlocksAndExplains)
{
    useProfile("testbed-changed");
    child<QToolButton>("clusterConnect").click();
    ASSERT_TRUE(isLinked(Connections::State::Failed));
    EXPECT_EQ(link().why->code, ErrorCode::Refused);
    EXPECT_THAT(link().why->message, AllOf(HasSubstr("another host key"), HasSubstr("ssh-keygen -R")));
    EXPECT_FALSE(m_session->connections().question());
}

TEST_F(ClusterWindow, TheClustersOwnFileIsFetchedAndRecipesAreCheckedAgainstIt)
{
    useProfile("testbed");
    remote::Profile profile = m_session->clusters().current();
    const std::string bytes = "cluster: fetched\ndefault_partition: gpu\n";
    std::filesystem::create_directories(remoteFolder());
    std::filesystem::permissions(remoteFolder(), std::filesystem::perms::all);
    profile.remoteClusterFile = remoteFolder() + "/srtslurm.yaml";
    std::ofstream(profile.remoteClusterFile) << bytes;
    m_session->clusters().save(profile, profile.name);
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_session->clusters().current() == profile; }, patienceMs));
    child<QToolButton>("fetchClusterFile").click();
    EXPECT_FALSE(child<QToolButton>("fetchClusterFile").isEnabled()) << "one at a time";
    const auto isFetched = [&] { return m_session->clusters().current().clusterFile != profile.clusterFile; };
    ASSERT_TRUE(QTest::qWaitFor(isFetched, patienceMs)) << lastLogged();
    const QString here = QString::fromStdString(m_session->clusters().current().clusterFile);
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_session->clusterPath() == here && m_session->cluster(); }, patienceMs));
    QFile copy(here);
    ASSERT_TRUE(copy.open(QIODevice::ReadOnly));
    EXPECT_EQ(copy.readAll().toStdString(), bytes);

    std::filesystem::remove(profile.remoteClusterFile);
    std::string message;
    QObject::connect(&m_session->clusters(), &Clusters::failed, m_window.get(), [&](const Error& error) { message = error.message; });
    child<QToolButton>("fetchClusterFile").click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !message.empty(); }, patienceMs));
    EXPECT_THAT(message, HasSubstr("There is no cluster file"));
    EXPECT_TRUE(QFile::exists(here)) << "the copy stays";
}

TEST_F(ClusterWindow, TwentyVariantsAreSubmittedRunFetchedAndOnTheChart)
{
    constexpr std::size_t variants = 20;
    const std::string folder = remoteFolder();
    std::filesystem::create_directories(folder + "/models/stub-model");
    std::filesystem::copy(SRTWB_STUBS, folder + "/stubs", std::filesystem::copy_options::recursive);
    ASSERT_EQ(wb::test::runHere("chown -R bench: '" + folder + "' 2>&1").code, 0);
    useProfile("testbed",
               "export PATH=" + folder + "/stubs/bin:$PATH PYTHONPATH=" + folder + "/stubs/python PYTHONDONTWRITEBYTECODE=1 STUB_NET=1",
               folder + "/stubs/services");
    std::string values;
    for (std::size_t i = 0; i < variants; ++i)
        values += (i == 0 ? "" : ", ") + std::to_string(i + 1);
    // Each takes all nodes, which share one loopback here, so that they run one after the other.
    const std::string recipe =
        m_folder.put("mock.yaml", "base:\n  name: mock\n  model: {path: " + folder +
                                      "/models/stub-model, container: stub-image, precision: fp8}\n"
                                      "  health_check: {max_attempts: 40, interval_seconds: 1}\n  dynamo: {install: false}\n"
                                      "  resources: {gpu_type: h100, gpus_per_node: 4, agg_nodes: 4, agg_workers: 4, gpus_per_agg: 4}\n"
                                      "  backend: {type: mocker}\n  frontend: {type: dynamo, nginx_container: stub-nginx}\n"
                                      "  benchmark: {type: sa-bench, isl: 16, osl: 8, concurrencies: [1, 4], num_warmup_mult: 1}\n"
                                      "zip_override_p:\n  benchmark: {num_prompts_mult: [" +
                                      values + "]}\n");
    m_session->documents().open(QString::fromStdString(recipe));
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_session->clusters().whyNoSubmit().isEmpty(); }, patienceMs))
        << m_session->clusters().whyNoSubmit().toStdString();
    std::vector<std::size_t> all(variants);
    for (std::size_t i = 0; i < variants; ++i)
        all[i] = i;
    m_session->selection().setChosen(all);

    child<QToolButton>("startPreflight").click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !m_session->clusters().preflight().isRunning; }, patienceMs));
    for (const remote::PreflightCheck& check : m_session->clusters().preflight().checks)
        EXPECT_NE(check.state, remote::CheckState::Absent) << check.id << ": " << check.message;
    picture("preflight");

    child<QToolButton>("submitJobs").click();
    auto* sheet = appears<QDialog>("submitDialog");
    ASSERT_NE(sheet, nullptr);
    EXPECT_THAT(sheet->accessibleDescription().toStdString(),
                AllOf(HasSubstr("20 job"), HasSubstr("80 nodes in all"), HasSubstr("gpu"), HasSubstr("testbed")));
    picture("sheet");
    const auto before = tokens(); // Slurm remembers ended jobs of others for a while
    sheet->findChild<QPushButton*>(QStringLiteral("submitNow"))->click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_session->clusters().submission().summary.has_value(); }, 120'000));
    const remote::SubmitSummary summary = *m_session->clusters().submission().summary;
    EXPECT_EQ(summary.planned, variants);
    EXPECT_EQ(summary.submitted, variants);
    auto tokensThere = tokens();
    for (const auto& [token, count] : before)
        tokensThere.erase(token);
    EXPECT_EQ(tokensThere.size(), variants);
    EXPECT_TRUE(std::all_of(tokensThere.begin(), tokensThere.end(), [](const auto& token) { return token.second == 1; }))
        << "every job exactly once";
    picture("submitted");

    bool isPictured = false;
    const auto areOver = [&] {
        const std::vector<store::JobEntry>& jobs = m_session->jobs().all();
        const auto isIn = [&](const char* state) {
            return std::count_if(jobs.begin(), jobs.end(), [&](const store::JobEntry& job) { return job.state == state; });
        };
        if (!isPictured && isIn("running") > 0 && isIn("completed") > 2) {
            isPictured = true;
            m_session->showJobLog(jobs.front().id);
        }
        return m_session->jobs().openCount() == 0;
    };
    ASSERT_TRUE(QTest::qWaitFor(areOver, 400'000));
    for (const store::JobEntry& job : m_session->jobs().all()) {
        EXPECT_EQ(job.state, "completed") << job.name << ": " << job.reason;
        EXPECT_EQ(job.stage, "done") << job.name;
    }
    m_session->showJobLog(m_session->jobs().all().front().id);
    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return child<QPlainTextEdit>("jobLogText").toPlainText().contains(QStringLiteral("Stage benchmark")); }, patienceMs))
        << child<QLabel>("jobLogState").text().toStdString();
    picture("log");

    m_window->showPane("jobs");
    auto& view = child<TableView>("jobsView");
    view.selectAll();
    picture("jobs");
    child<QToolButton>("fetchJob").click();
    auto* fetch = appears<QDialog>("fetchDialog");
    ASSERT_NE(fetch, nullptr);
    picture("fetch");
    fetch->findChild<QPushButton*>(QStringLiteral("fetchNow"))->click();
    // Two loads each.
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_session->results().points()->size() >= 2 * variants; }, 200'000))
        << m_session->results().points()->size() << " points";
    EXPECT_EQ(m_session->results().points()->size(), 2 * variants);
    for (const store::JobEntry& job : m_session->jobs().all())
        EXPECT_FALSE(job.fetched.empty()) << job.name;

    m_window->action("layout.analyse")->trigger();
    m_session->selectJob(m_session->jobs().all().back().id);
    EXPECT_FALSE(m_session->selection().point().text.empty());
    auto* chart = m_window->findChild<charts::ChartView*>();
    ASSERT_NE(chart, nullptr);
    EXPECT_TRUE(QTest::qWaitFor([&] { return m_session->workers().isIdle(); }, patienceMs));
    (void)QTest::qWaitFor([&] { return chart->isVisible(); }, patienceMs);
    picture("chart");
    // Read by people afterwards, and full of what was done.
    EXPECT_THAT(wb::test::bytesOf(m_session->connections().auditFile().toStdString()),
                AllOf(HasSubstr("stage 20 jobs"), HasSubstr("poll 20 jobs")));
}

} // namespace
} // namespace wb::ui
