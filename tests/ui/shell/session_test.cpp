#include "tests/ui/shell/sessionfixture.h"

namespace wb::ui {
namespace {

using testing::HasSubstr;

class SessionDryRunTest : public test::SessionTest
{
protected:
    const render::Artifact* script()
    {
        if (!session.dryRun() || !session.dryRun()->artifacts)
            return nullptr;
        for (const render::Artifact& artifact : *session.dryRun()->artifacts) {
            if (artifact.kind == render::ArtifactKind::JobScript)
                return &artifact;
        }
        return nullptr;
    }
};

TEST_F(SessionDryRunTest, IsOfTheSelectedVariant)
{
    session.documents().open(write(QStringLiteral("a.yaml"), test::overrideRecipe()), {.variant = "two", .offset = {}});
    ASSERT_TRUE(settles());
    ASSERT_TRUE(script()) << "a valid job has a job script";
    EXPECT_THAT(script()->bytes, HasSubstr("#SBATCH --nodes=2"));
    ASSERT_TRUE(session.dryRun()->topology);
    EXPECT_EQ(session.dryRun()->topology->nodes.size(), 2U);
    session.documents().open(folder.filePath(QStringLiteral("a.yaml")), {.variant = "short", .offset = {}});
    ASSERT_TRUE(settles());
    EXPECT_THAT(script()->bytes, HasSubstr("#SBATCH --nodes=1"));
}

TEST_F(SessionDryRunTest, SaysWhyThereIsNothingToShow)
{
    session.documents().open(write(QStringLiteral("a.yaml"), "name: x\n"));
    ASSERT_TRUE(settles());
    ASSERT_TRUE(session.dryRun());
    EXPECT_FALSE(session.dryRun()->artifacts);
    EXPECT_THAT(session.dryRun()->whyNot, HasSubstr("The job \"x\" has errors"));
    const auto wish = session.captureOfRecipe();
    ASSERT_FALSE(wish);
    EXPECT_EQ(wish.error().message, session.dryRun()->whyNot);
}

TEST_F(SessionDryRunTest, GoesWithTheDocument)
{
    session.documents().open(write(QStringLiteral("a.yaml"), test::plainRecipe));
    ASSERT_TRUE(settles());
    ASSERT_TRUE(session.dryRun());
    session.documents().close(session.documents().current()->id);
    EXPECT_FALSE(session.dryRun());
}

TEST_F(SessionDryRunTest, UsesTheClusterFile)
{
    session.documents().open(write(QStringLiteral("a.yaml"), test::plainRecipe));
    session.setClusterFile(write(QStringLiteral("srtslurm.yaml"), "cluster: here\ndefault_partition: fast\ndefault_account: me\n"));
    ASSERT_TRUE(settles());
    ASSERT_TRUE(session.cluster());
    ASSERT_TRUE(session.cluster()->cluster) << "the cluster file is good";
    ASSERT_TRUE(script());
    EXPECT_THAT(script()->bytes, HasSubstr("#SBATCH --partition=fast"));
}

TEST_F(SessionDryRunTest, TellsThatAClusterFileCannotBeRead)
{
    session.setClusterFile(folder.filePath(QStringLiteral("absent.yaml")));
    ASSERT_TRUE(settles());
    EXPECT_EQ(session.cluster(), nullptr);
    EXPECT_THAT(logged().back(), HasSubstr("absent.yaml"));
}

TEST_F(SessionDryRunTest, TellsWhenThePointsRecipeIsNotThere)
{
    session.showPoint({"no such point"});
    EXPECT_TRUE(session.selection().point().isEmpty());
}

} // namespace
} // namespace wb::ui
