#include "tests/ui/models/modeltest.h"
#include "ui/models/recipesmodel.h"
#include "ui/models/text.h"

#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <set>

namespace wb::ui {
namespace {

FolderListing listing(std::vector<std::string> files)
{
    std::sort(files.begin(), files.end());
    return {.root = QStringLiteral("/recipes"), .files = std::move(files), .truncated = false};
}

/// All paths in the model, as the view would show them.
std::set<std::string> pathsOf(const RecipesModel& model)
{
    std::set<std::string> paths;
    const std::function<void(const QModelIndex&)> walk = [&](const QModelIndex& parent) {
        for (int row = 0; row < model.rowCount(parent); ++row) {
            const QModelIndex index = model.index(row, 0, parent);
            if (const QString path = index.data(RecipesModel::PathRole).toString(); !path.isEmpty())
                paths.insert(path.toStdString());
            walk(index);
        }
    };
    walk({});
    return paths;
}

TEST(RecipesModel, ShowsFoldersBeforeFiles)
{
    RecipesModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setListing(listing({"a.yaml", "z/one.yaml", "z/two.yaml"}));
    ASSERT_EQ(model.rowCount(), 2);
    EXPECT_EQ(model.index(0, 0).data().toString(), QStringLiteral("z"));
    EXPECT_TRUE(model.index(0, 0).data(RecipesModel::IsFolderRole).toBool());
    EXPECT_EQ(model.rowCount(model.index(0, 0)), 2);
    EXPECT_EQ(model.indexOf(QStringLiteral("/recipes/z/two.yaml")).row(), 1);
    EXPECT_FALSE(model.indexOf(QStringLiteral("/elsewhere/z/two.yaml")).isValid());
}

TEST(RecipesModel, ShowsADashUntilAFileIsChecked)
{
    RecipesModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setListing(listing({"a.yaml"}));
    EXPECT_EQ(model.index(0, RecipesModel::JobsColumn).data().toString(), dash());
    auto summaries = std::make_shared<RecipeSummaries>();
    RecipeSummary summary;
    summary.isRecipe = true;
    summary.jobs = 3;
    summary.errors = 2;
    summary.engine = "sglang";
    summaries->emplace("a.yaml", summary);
    model.setSummaries(summaries);
    EXPECT_EQ(model.index(0, RecipesModel::JobsColumn).data().toString(), QStringLiteral("3"));
    EXPECT_EQ(model.index(0, RecipesModel::EngineColumn).data().toString(), QStringLiteral("sglang"));
    EXPECT_EQ(model.index(0, RecipesModel::ModelColumn).data().toString(), dash());
    EXPECT_THAT(model.index(0, RecipesModel::StateColumn).data().toString().toStdString(), testing::StartsWith("2 error"));
}

TEST(RecipesModel, GivesNoVerdictOnWhatIsNoRecipe)
{
    RecipesModel model;
    model.setListing(listing({"srtslurm.yaml"}));
    auto summaries = std::make_shared<RecipeSummaries>();
    summaries->emplace("srtslurm.yaml", RecipeSummary{});
    model.setSummaries(summaries);
    EXPECT_EQ(model.index(0, RecipesModel::StateColumn).data().toString(), QStringLiteral("not a recipe"));
    EXPECT_EQ(model.index(0, RecipesModel::JobsColumn).data().toString(), dash());
}

TEST(RecipesModel, SurvivesRandomChangesOfTheFolder)
{
    RecipesModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    test::Shuffler shuffler;
    for (int round = 0; round < 100; ++round) {
        std::vector<std::string> files;
        std::set<std::string> wanted;
        for (const int number : shuffler.some(18)) {
            files.push_back("d" + std::to_string(number % 4) + "/e" + std::to_string(number % 2) + "/f" + std::to_string(number) + ".yaml");
            wanted.insert("/recipes/" + files.back());
        }
        const std::set<std::string> before = pathsOf(model);
        std::vector<std::pair<std::string, QPersistentModelIndex>> kept;
        for (const std::string& path : before)
            kept.emplace_back(path, QPersistentModelIndex(model.indexOf(text(path))));
        model.setListing(listing(files));
        ASSERT_EQ(pathsOf(model), wanted) << "round " << round;
        for (const auto& [path, index] : kept) {
            ASSERT_EQ(index.isValid(), wanted.contains(path)) << path;
            if (index.isValid()) {
                ASSERT_EQ(index.data(RecipesModel::PathRole).toString().toStdString(), path);
            }
        }
    }
}

} // namespace
} // namespace wb::ui
