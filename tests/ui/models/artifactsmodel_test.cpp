#include "tests/ui/models/modeltest.h"
#include "ui/models/artifactsmodel.h"

#include <QAbstractItemModelTester>
#include <gmock/gmock.h>

namespace wb::ui {
namespace {

render::Artifact artifact(std::string name, std::size_t size = 3)
{
    render::Artifact out;
    out.name = std::move(name);
    out.bytes = std::string(size, 'x');
    out.sha256 = std::string(64, 'a');
    return out;
}

TEST(ArtifactsModel, ShowsNameKindSizeAndTheBeginningOfTheHash)
{
    render::Artifact script = artifact("sbatch_script.sh", 2048);
    script.predicted = true;
    ArtifactsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setArtifacts(std::make_shared<const std::vector<render::Artifact>>(std::vector{script}));
    EXPECT_EQ(model.index(0, ArtifactsModel::NameColumn).data().toString(), QStringLiteral("sbatch_script.sh"));
    EXPECT_EQ(model.index(0, ArtifactsModel::KindColumn).data().toString(), QStringLiteral("job-script, predicted"));
    EXPECT_EQ(model.index(0, ArtifactsModel::SizeColumn).data().toString(), QStringLiteral("2.0 KiB"));
    EXPECT_EQ(model.index(0, ArtifactsModel::Sha256Column).data().toString(), QStringLiteral("aaaaaaaaaaaa"));
    EXPECT_EQ(model.index(0, ArtifactsModel::Sha256Column).data(Qt::ToolTipRole).toString().size(), 64);
}

TEST(ArtifactsModel, SurvivesRandomChanges)
{
    ArtifactsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    test::Shuffler shuffler;
    for (int round = 0; round < 200; ++round) {
        std::vector<render::Artifact> artifacts;
        for (const int number : shuffler.some(8))
            artifacts.push_back(artifact("file" + std::to_string(number)));
        model.setArtifacts(round % 17 == 0 ? nullptr : std::make_shared<const std::vector<render::Artifact>>(artifacts));
        ASSERT_EQ(static_cast<std::size_t>(model.rowCount()), round % 17 == 0 ? 0 : artifacts.size());
        for (int row = 0; row < model.rowCount(); ++row)
            ASSERT_EQ(model.row(row).artifact().name, artifacts[static_cast<std::size_t>(row)].name);
    }
}

} // namespace
} // namespace wb::ui
