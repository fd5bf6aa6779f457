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

} // namespace
} // namespace wb::ui
