#include "tests/ui/models/modeltest.h"
#include "ui/models/text.h"
#include "ui/models/variantsmodel.h"

#include <QAbstractItemModelTester>
#include <gmock/gmock.h>

namespace wb::ui {
namespace {

using testing::ElementsAre;

check::CheckedVariant variant(std::string name, std::optional<std::string> suffix = {})
{
    check::CheckedVariant out;
    out.variant.suffix = std::move(suffix);
    out.name = std::move(name);
    out.job = std::make_shared<recipe::Job>();
    out.counts.nodes = 2;
    out.counts.gpusAllocated = 8;
    out.counts.hours = 1.5;
    out.valid = true;
    return out;
}

std::shared_ptr<const check::Checked> checked(std::vector<check::CheckedVariant> variants, expand::Form form = expand::Form::Override)
{
    auto out = std::make_shared<check::Checked>();
    out->form = form;
    out->variants = std::move(variants);
    return out;
}

QString shown(const VariantsModel& model, int row, int column)
{
    return model.index(row, column).data().toString();
}

TEST(VariantsModel, ShowsWhatAJobTakes)
{
    check::CheckedVariant one = variant("r1_lowmem", "lowmem");
    one.variant.params = {{"resources.agg_nodes", syntax::makeInteger(2, syntax::Layer::Override)}, {"environment.X", nullptr}};
    VariantsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setVariants(checked({one}));
    EXPECT_EQ(shown(model, 0, VariantsModel::NameColumn), QStringLiteral("r1_lowmem"));
    EXPECT_EQ(shown(model, 0, VariantsModel::SuffixColumn), QStringLiteral("lowmem"));
    EXPECT_EQ(shown(model, 0, VariantsModel::ParamsColumn), QStringLiteral("resources.agg_nodes = 2, environment.X deleted"));
    EXPECT_EQ(shown(model, 0, VariantsModel::NodesColumn), QStringLiteral("2"));
    EXPECT_EQ(shown(model, 0, VariantsModel::GpusColumn), QStringLiteral("8"));
    EXPECT_EQ(shown(model, 0, VariantsModel::TimeColumn), QStringLiteral("1:30:00"));
    EXPECT_EQ(shown(model, 0, VariantsModel::GpuHoursColumn), QStringLiteral("12"));
}

TEST(VariantsModel, ShowsADashWithTheReasonForWhatIsNotKnown)
{
    check::CheckedVariant broken = variant("broken", "broken");
    broken.job.reset();
    broken.valid = false;
    check::CheckedVariant timeless = variant("timeless", "timeless");
    timeless.counts.hours.reset();
    VariantsModel model;
    model.setVariants(checked({broken, timeless}));
    for (const int column :
         {VariantsModel::NodesColumn, VariantsModel::GpusColumn, VariantsModel::TimeColumn, VariantsModel::GpuHoursColumn}) {
        EXPECT_EQ(shown(model, 0, column), dash()) << "column " << column;
        EXPECT_FALSE(model.index(0, column).data(Qt::ToolTipRole).toString().isEmpty()) << "column " << column;
    }
    EXPECT_EQ(shown(model, 1, VariantsModel::GpusColumn), QStringLiteral("8"));
    EXPECT_EQ(shown(model, 1, VariantsModel::GpuHoursColumn), dash());
    EXPECT_THAT(model.index(1, VariantsModel::GpuHoursColumn).data(Qt::ToolTipRole).toString().toStdString(),
                testing::HasSubstr("time limit"));
}

TEST(VariantsModel, MarksAJobThatHasProblemsAlsoInASweep)
{
    check::CheckedVariant bad = variant("b");
    bad.errors = 1;
    bad.warnings = 2;
    bad.valid = false;
    check::CheckedVariant doubtful = variant("c");
    doubtful.warnings = 1;
    VariantsModel model;
    model.setVariants(checked({variant("a"), bad, doubtful}, expand::Form::Sweep));
    EXPECT_EQ(shown(model, 0, VariantsModel::ProblemsColumn), QString());
    EXPECT_THAT(shown(model, 1, VariantsModel::ProblemsColumn).toStdString(), testing::StartsWith("1 error"));
    EXPECT_THAT(shown(model, 2, VariantsModel::ProblemsColumn).toStdString(), testing::StartsWith("1 warning"));
    EXPECT_FALSE(model.index(0, 0).data(VariantsModel::SeverityRole).isValid());
    EXPECT_EQ(model.index(1, 0).data(VariantsModel::SeverityRole).toInt(), static_cast<int>(syntax::Severity::Error));
    EXPECT_EQ(model.index(2, 0).data(VariantsModel::SeverityRole).toInt(), static_cast<int>(syntax::Severity::Warning));
}

TEST(VariantsModel, ShowsListsAndMappingsAsTheyCouldBeWritten)
{
    auto list = std::make_shared<syntax::Value>();
    list->kind = syntax::Kind::Sequence;
    list->items = {syntax::makeInteger(4, syntax::Layer::Override), syntax::makeInteger(8, syntax::Layer::Override)};
    check::CheckedVariant one = variant("a", "a");
    one.variant.params = {{"benchmark.concurrencies", list}, {"benchmark.type", syntax::makeString("sa-bench", syntax::Layer::Override)}};
    EXPECT_EQ(paramsText(one), QStringLiteral("benchmark.concurrencies = [4, 8], benchmark.type = \"sa-bench\""));
}

TEST(VariantsModel, OffersToChangeWhatStandsAtOnePlace)
{
    auto written = std::make_shared<syntax::Value>(*syntax::makeInteger(4, syntax::Layer::Sweep));
    written->range = {10, 11};
    check::CheckedVariant sweep = variant("a");
    sweep.variant.section = "sweep";
    sweep.variant.params = {{"tp", written}, {"osl", syntax::makeInteger(8, syntax::Layer::Setting)}};
    check::CheckedVariant override = variant("b", "low");
    override.variant.section = "override_low";
    check::CheckedVariant slice = variant("c", "tp_2");
    slice.variant.section = "zip_override_tp[2]";
    VariantsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setVariants(checked({sweep, override, slice}));
    const auto isEditable = [&](int row, int column) { return model.index(row, column).flags().testFlag(Qt::ItemIsEditable); };
    EXPECT_TRUE(isEditable(0, VariantsModel::ParamsColumn));
    EXPECT_EQ(model.index(0, VariantsModel::ParamsColumn).data(Qt::EditRole).toString(), QStringLiteral("tp = 4"))
        << "a value of the command line stands in no text";
    EXPECT_FALSE(isEditable(0, VariantsModel::SuffixColumn));
    EXPECT_TRUE(isEditable(1, VariantsModel::SuffixColumn));
    EXPECT_FALSE(isEditable(1, VariantsModel::ParamsColumn));
    EXPECT_FALSE(isEditable(2, VariantsModel::SuffixColumn)) << "the suffix of a slice is a number that nobody wrote";
    EXPECT_FALSE(isEditable(0, VariantsModel::NameColumn));
}

TEST(VariantsModel, NamesTheJobThatADuplicateRepeats)
{
    check::CheckedVariant again = variant("second", "second");
    again.duplicateOf = 0;
    VariantsModel model;
    model.setVariants(checked({variant("first", "first"), again}));
    EXPECT_EQ(shown(model, 1, VariantsModel::MarkColumn), QStringLiteral("same as first"));
}

TEST(VariantKeys, AreTheParametersOfASweep)
{
    check::CheckedVariant one = variant("a");
    one.variant.params = {{"tp", syntax::makeInteger(4, syntax::Layer::Sweep)}, {"mode", syntax::makeString("x", syntax::Layer::Sweep)}};
    EXPECT_THAT(variantKeys(*checked({one}, expand::Form::Sweep)), ElementsAre("tp=4,mode=\"x\""));
    EXPECT_THAT(variantKeys(*checked({variant("a", "lowmem")})), ElementsAre("lowmem"));
    EXPECT_THAT(variantKeys(*checked({variant("a")}, expand::Form::Plain)), ElementsAre(""));
}

TEST(VariantsModel, SurvivesRandomChanges)
{
    VariantsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    test::Shuffler shuffler;
    for (int round = 0; round < 200; ++round) {
        std::vector<check::CheckedVariant> variants;
        for (const int number : shuffler.some(10))
            variants.push_back(variant("job" + std::to_string(number), "s" + std::to_string(number)));
        const auto value = checked(variants);
        model.setVariants(value);
        ASSERT_EQ(static_cast<std::size_t>(model.rowCount()), variants.size());
        for (int row = 0; row < model.rowCount(); ++row) {
            ASSERT_EQ(model.row(row).index, static_cast<std::size_t>(row));
            ASSERT_EQ(model.row(row).checked, value);
        }
    }
}

} // namespace
} // namespace wb::ui
