#include "tests/ui/shell/sessionfixture.h"

namespace wb::ui {
namespace {

using testing::ElementsAre;

class LibraryTest : public test::SessionTest
{
};

TEST_F(LibraryTest, ListsAndChecksTheRecipesBelowAFolder)
{
    write(QStringLiteral("r/a.yaml"), test::plainRecipe);
    write(QStringLiteral("r/deep/b.yml"), test::overrideRecipe());
    write(QStringLiteral("r/broken.yaml"), "name: [\n");
    write(QStringLiteral("r/notes.txt"), "no recipe");
    session.library().setFolder(folder.filePath(QStringLiteral("r")));
    ASSERT_TRUE(settles());
    EXPECT_THAT(session.library().listing().files, ElementsAre("a.yaml", "broken.yaml", "deep/b.yml"));
    ASSERT_TRUE(session.library().summaries());
    const RecipeSummary& plain = session.library().summaries()->at("a.yaml");
    EXPECT_TRUE(plain.isRecipe);
    EXPECT_EQ(plain.errors, 0U);
    EXPECT_EQ(plain.engine, "sglang");
    EXPECT_EQ(plain.gpu, "h100");
    EXPECT_THAT(plain.names, ElementsAre("tiny"));
    EXPECT_EQ(session.library().summaries()->at("deep/b.yml").jobs, 2U);
    EXPECT_GT(session.library().summaries()->at("broken.yaml").errors, 0U);
    EXPECT_EQ(session.library().filesWithJob("tiny").value(0), folder.filePath(QStringLiteral("r/a.yaml")));
}

TEST_F(LibraryTest, SeesNewFilesAfterASave)
{
    write(QStringLiteral("r/a.yaml"), test::plainRecipe);
    session.library().setFolder(folder.filePath(QStringLiteral("r")));
    ASSERT_TRUE(settles());
    const DocumentId id = session.documents().add(test::plainRecipe);
    session.documents().save(id, folder.filePath(QStringLiteral("r/new.yaml")));
    ASSERT_TRUE(settles());
    EXPECT_THAT(session.library().listing().files, ElementsAre("a.yaml", "new.yaml"));
}

TEST_F(LibraryTest, SeesWhatOtherProgramsDoInTheFolder)
{
    write(QStringLiteral("r/deep/a.yaml"), test::plainRecipe);
    session.library().setFolder(folder.filePath(QStringLiteral("r")));
    ASSERT_TRUE(settles());
    write(QStringLiteral("r/deep/b.yaml"), test::overrideRecipe());
    const auto jobsOf = [this](const char* file) {
        const auto& all = session.library().summaries();
        const auto found = all ? all->find(file) : RecipeSummaries::const_iterator();
        return all && found != all->end() ? found->second.jobs : 0U;
    };
    EXPECT_TRUE(QTest::qWaitFor([&] { return jobsOf("deep/b.yaml") == 2; }, 20'000)) << "a file that came";
    write(QStringLiteral("r/deep/a.yaml"), test::overrideRecipe());
    EXPECT_TRUE(QTest::qWaitFor([&] { return jobsOf("deep/a.yaml") == 2; }, 20'000)) << "a file that was written over";
    QFile::remove(folder.filePath(QStringLiteral("r/deep/b.yaml")));
    EXPECT_TRUE(QTest::qWaitFor([&] { return session.library().listing().files.size() == 1; }, 20'000)) << "a file that went";
}

TEST_F(LibraryTest, ChecksOnlyWhatChanged)
{
    write(QStringLiteral("r/a.yaml"), test::plainRecipe);
    session.library().setFolder(folder.filePath(QStringLiteral("r")));
    ASSERT_TRUE(settles());
    const auto before = session.library().summaries();
    session.library().refresh();
    ASSERT_TRUE(settles());
    EXPECT_EQ(session.library().summaries(), before) << "nothing changed, so nobody is told of anything";
}

TEST_F(LibraryTest, CheckingALargeFolderIsATaskThatCanBeStopped)
{
    for (int i = 0; i < 60; ++i)
        write(QStringLiteral("r/%1.yaml").arg(i), test::plainRecipe);
    session.library().setFolder(folder.filePath(QStringLiteral("r")));
    ASSERT_TRUE(QTest::qWaitFor([this] { return session.tasks().running() || session.library().summaries(); }, 20'000));
    if (const Task* task = session.tasks().running()) {
        session.tasks().cancel(task->id);
        EXPECT_FALSE(session.library().isChecking());
        EXPECT_FALSE(session.library().summaries()) << "what was stopped delivers nothing";
        EXPECT_EQ(session.tasks().all().back().state, TaskState::Cancelled);
        session.tasks().retry(session.tasks().all().back().id);
    }
    ASSERT_TRUE(settles());
    ASSERT_TRUE(session.library().summaries());
    EXPECT_EQ(session.library().summaries()->size(), 60U);
    EXPECT_EQ(session.tasks().all().back().state, TaskState::Done);
}

TEST_F(LibraryTest, TakesTheClusterFileThatTheLanguageFinds)
{
    const QString cluster = write(QStringLiteral("srtslurm.yaml"), "cluster: here\n");
    write(QStringLiteral("r/a.yaml"), test::plainRecipe);
    session.library().setFolder(folder.filePath(QStringLiteral("r")));
    ASSERT_TRUE(settles());
    EXPECT_EQ(session.clusterPath(), cluster);
    EXPECT_FALSE(session.isClusterChosen());
    session.setClusterFile({});
    session.library().setFolder(folder.path());
    ASSERT_TRUE(settles());
    EXPECT_TRUE(session.clusterPath().isEmpty()) << "the user wants none";
}

} // namespace
} // namespace wb::ui
