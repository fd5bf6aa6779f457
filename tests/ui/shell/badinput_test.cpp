// What the window does with files that vanish, are too large, are no text, cannot be read or written, and with its own death while somebody
// types.
#include "tests/ui/shell/windowfixture.h"
#include "ui/editor/recipeeditor.h"
#include "ui/panes/messagebar.h"
#include "ui/shell/draftsdialog.h"
#include "ui/shell/editorarea.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QElapsedTimer>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProcess>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTreeWidget>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

namespace wb::ui {
namespace {

using testing::HasSubstr;
using testing::Not;

class BadInputTest : public test::WindowTest
{
protected:
    void open(const QString& path)
    {
        session.documents().open(path);
        ASSERT_TRUE(settles());
    }

    /// What the bar over the editors says; empty: it is not shown.
    [[nodiscard]] std::string message() const
    {
        const MessageBar& bar = window->editors().messages();
        std::string out;
        for (const QLabel* each : bar.findChildren<QLabel*>())
            out += each->text().toStdString() + '\n';
        return bar.isHidden() ? std::string() : out;
    }

    [[nodiscard]] QString tabTitle() const
    {
        const auto& tabs = child<QTabWidget>("editorTabs");
        return tabs.tabText(tabs.currentIndex());
    }

    void type(const char* words)
    {
        auto* area = window->editors().current()->findChild<QPlainTextEdit*>(QStringLiteral("editorText"));
        ASSERT_TRUE(area);
        area->setFocus();
        QTest::keyClicks(area, QString::fromLatin1(words));
    }
};

/// No file that is written meanwhile becomes larger than that: what a full disk is to a program.
class FullDisk
{
public:
    explicit FullDisk(rlim_t bytes)
        : m_oldHandler(std::signal(SIGXFSZ, SIG_IGN))
    {
        getrlimit(RLIMIT_FSIZE, &m_old);
        const rlimit limited{bytes, m_old.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limited);
    }
    ~FullDisk()
    {
        setrlimit(RLIMIT_FSIZE, &m_old);
        std::signal(SIGXFSZ, m_oldHandler);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

private:
    rlimit m_old{};
    void (*m_oldHandler)(int);
};

TEST_F(BadInputTest, AFullDiskKeepsTheTextAndIsTold)
{
    const QString path = write(QStringLiteral("a.yaml"), test::plainRecipe);
    open(path);
    type("# mine ");
    const std::string typed = window->editors().current()->utf8Text();
    {
        const FullDisk full(64);
        window->save();
        ASSERT_TRUE(settles());
    }
    EXPECT_THAT(message(), HasSubstr("a.yaml"));
    EXPECT_EQ(window->editors().current()->utf8Text(), typed);
    EXPECT_TRUE(session.documents().current()->isModified);
    EXPECT_EQ(bytesOf(path), test::plainRecipe) << "the file is as it was";
    EXPECT_THAT(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).join(QLatin1Char(' ')).toStdString(), Not(HasSubstr("a.yaml.")))
        << "nothing is left beside it";
    window->save();
    ASSERT_TRUE(settles());
    EXPECT_EQ(bytesOf(path), typed) << "and it can be saved once there is room";
    EXPECT_EQ(message(), "") << "what was wrong before is so no longer";
}

TEST_F(BadInputTest, AFolderThatVanishedKeepsTheTextAndIsTold)
{
    const QString path = write(QStringLiteral("sub/a.yaml"), test::plainRecipe);
    open(path);
    type("# mine ");
    ASSERT_TRUE(QDir(folder.filePath(QStringLiteral("sub"))).removeRecursively());
    session.documents().lookForChanges();
    ASSERT_TRUE(settles());
    EXPECT_THAT(tabTitle().toStdString(), HasSubstr("(gone)"));
    window->save();
    ASSERT_TRUE(settles());
    EXPECT_THAT(message(), HasSubstr("sub/a.yaml"));
    EXPECT_TRUE(session.documents().current()->isModified);
    EXPECT_THAT(window->editors().current()->utf8Text(), HasSubstr("# mine "));
}

TEST_F(BadInputTest, AFileThatIsNotThereOrIsAFolderIsTold)
{
    open(folder.filePath(QStringLiteral("nowhere.yaml")));
    EXPECT_THAT(message(), HasSubstr("nowhere.yaml"));
    open(folder.path());
    EXPECT_FALSE(message().empty());
    EXPECT_TRUE(session.documents().ids().empty());
}

TEST_F(BadInputTest, AFileOfOtherBytesThanUtf8IsNotOpenedAndTheLineIsTold)
{
    const QString path = write(QStringLiteral("latin.yaml"), "name: a\nmodel: caf\xe9\n");
    open(path);
    EXPECT_THAT(message(), HasSubstr("not UTF-8 in line 2"));
    EXPECT_TRUE(session.documents().ids().empty());
    EXPECT_EQ(bytesOf(path), "name: a\nmodel: caf\xe9\n");
}

TEST_F(BadInputTest, AFileThatIsTooLargeIsNotOpenedAndTold)
{
    const QString path = write(QStringLiteral("huge.yaml"), "name: a\n");
    ASSERT_TRUE(QFile::resize(path, (qint64{64} << 20) + 1));
    open(path);
    EXPECT_THAT(message(), HasSubstr("huge.yaml"));
    EXPECT_TRUE(session.documents().ids().empty());
}

TEST_F(BadInputTest, AFileThatCannotBeReadIsTold)
{
    const QString path = write(QStringLiteral("secret.yaml"), test::plainRecipe);
    ASSERT_TRUE(QFile::setPermissions(path, {}));
    const uid_t user = geteuid();
    if (user == 0) { // who may read everything: somebody else for a moment
        ASSERT_EQ(seteuid(65534), 0);
    }
    open(path);
    ASSERT_EQ(seteuid(user), 0);
    EXPECT_THAT(message(), HasSubstr("secret.yaml"));
    EXPECT_TRUE(session.documents().ids().empty());
}

TEST_F(BadInputTest, AFileThatBecomesAnotherKindOfThingIsLeftAlone)
{
    const QString path = write(QStringLiteral("a.yaml"), test::plainRecipe);
    open(path);
    ASSERT_TRUE(QFile::remove(path));
    ASSERT_TRUE(QDir().mkpath(path));
    session.documents().lookForChanges();
    ASSERT_TRUE(settles());
    EXPECT_EQ(window->editors().current()->utf8Text(), test::plainRecipe);
    type("# mine ");
    window->save();
    ASSERT_TRUE(settles());
    EXPECT_FALSE(message().empty());
    EXPECT_TRUE(QFileInfo(path).isDir());
    EXPECT_TRUE(session.documents().current()->isModified);
}

// --- killed while typing --------------------------------------------------------------------------------------------------------------

constexpr const char* typistFolder = "SRTWB_TEST_TYPIST";

/// Not a test of its own: what KilledWhileTyping starts and kills. Types a numbered word each 50 ms and says when.
TEST(Typist, DISABLED_TypesUntilItIsKilled)
{
    const QString folder = qEnvironmentVariable(typistFolder);
    ASSERT_FALSE(folder.isEmpty());
    QSettings settings(folder + QStringLiteral("/settings.ini"), QSettings::IniFormat);
    Session session({.dataFolder = folder + QStringLiteral("/data"),
                     .draftsFolder = folder + QStringLiteral("/drafts"),
                     .mode = async::Mode::Pool,
                     .environment = {}});
    MainWindow window(session, settings);
    window.show();
    session.documents().open(folder + QStringLiteral("/a.yaml"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return window.editors().current() != nullptr; }));
    auto* area = window.editors().current()->findChild<QPlainTextEdit*>(QStringLiteral("editorText"));
    area->moveCursor(QTextCursor::End);
    for (int word = 1; word < 2000; ++word) {
        QTest::keyClicks(area, QStringLiteral("# w%1 ").arg(word));
        std::printf("%d %lld\n", word, static_cast<long long>(QDateTime::currentMSecsSinceEpoch()));
        std::fflush(stdout);
        QTest::qWait(50);
    }
}

TEST(KilledWhileTyping, LosesAtMostFiveSeconds)
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("a.yaml")));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(test::plainRecipe));
    file.close();
    QProcess typist;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QString::fromLatin1(typistFolder), folder.path());
    typist.setProcessEnvironment(environment);
    typist.start(QCoreApplication::applicationFilePath(),
                 {QStringLiteral("--gtest_also_run_disabled_tests"), QStringLiteral("--gtest_filter=Typist.*")});
    ASSERT_TRUE(typist.waitForStarted());
    QByteArray said;
    const auto words = [&] {
        said += typist.readAllStandardOutput();
        std::map<int, qint64> at;
        for (const QByteArray& line : said.split('\n')) {
            const QList<QByteArray> parts = line.split(' ');
            if (parts.size() == 2 && parts[0].toInt() > 0 && parts[1].toLongLong() > 0)
                at[parts[0].toInt()] = parts[1].toLongLong();
        }
        return at;
    };
    // Longer than a draft may take, without a pause: at some moment between two drafts it is over.
    ASSERT_TRUE(QTest::qWaitFor([&] { return !words().empty(); }, 30'000));
    QTest::qWait(7'300);
    const qint64 killed = QDateTime::currentMSecsSinceEpoch();
    typist.kill();
    ASSERT_TRUE(typist.waitForFinished());
    const std::map<int, qint64> typed = words();
    ASSERT_GT(typed.size(), 20U);

    Session session({.dataFolder = folder.filePath(QStringLiteral("data2")),
                     .draftsFolder = folder.filePath(QStringLiteral("drafts")),
                     .mode = async::Mode::Pool,
                     .environment = {}});
    std::vector<store::Orphan> found;
    QObject::connect(&session.drafts(), &Drafts::found, &session, [&](const std::vector<store::Orphan>& orphans) { found = orphans; });
    session.drafts().look();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !found.empty(); }, 10'000)) << "nothing was kept";
    const std::string& text = found.front().draft.text;
    int kept = 0;
    while (text.find("# w" + std::to_string(kept + 1) + ' ') != std::string::npos)
        ++kept;
    ASSERT_GT(kept, 0);
    const auto lost = typed.upper_bound(kept);
    const qint64 oldest = lost == typed.end() ? killed : lost->second;
    EXPECT_LE(killed - oldest, 5'000) << kept << " of " << typed.size() << " words were kept";
}

} // namespace
} // namespace wb::ui
