#include "core/syntax/yaml.h"
#include "ui/form/formmodel.h"

#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <gmock/gmock.h>

namespace wb::ui {
namespace {

const std::string recipe = "name: n\nmodel: {path: hf:o/m, container: c, precision: fp8}\n"
                           "resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n"
                           "backend:\n  type: sglang\n  sglang_config:\n    aggregated: {tensor-parallel-size: 8}\n"
                           "benchmark: {type: sa-bench, isl: 1024, osl: 1024, concurrencies: \"4x8\"}\nnonsense: {a: 1}\n";

FormSource sourceOf(const std::string& text, bool isExpert = false)
{
    FormSource source;
    source.pack = schema::builtInPack("v1");
    source.root = syntax::parse(std::make_shared<syntax::SourceText>(text)).root;
    source.isExpert = isExpert;
    return source;
}

QString valueAt(const FormModel& model, const char* path)
{
    const QModelIndex index = model.indexOf(QString::fromLatin1(path));
    return index.isValid() ? index.siblingAtColumn(FormModel::ValueColumn).data().toString() : QStringLiteral("(no row)");
}

int countBelow(const FormModel& model, const QModelIndex& parent = {})
{
    int count = model.rowCount(parent);
    for (int row = 0; row < model.rowCount(parent); ++row)
        count += countBelow(model, model.index(row, 0, parent));
    return count;
}

TEST(FormModel, IsMadeFromThePackAndShowsWhatTheTextHas)
{
    FormModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setSource(sourceOf(recipe));
    EXPECT_EQ(valueAt(model, "benchmark.isl"), QStringLiteral("1024"));
    EXPECT_EQ(valueAt(model, "resources.gpu_type"), QStringLiteral("h100"));
    EXPECT_EQ(valueAt(model, "backend.sglang_config.aggregated.tensor-parallel-size"), QStringLiteral("8"));
    EXPECT_TRUE(model.indexOf(QStringLiteral("slurm.time_limit")).isValid()) << "what is not set can be set";
    EXPECT_FALSE(model.indexOf(QStringLiteral("slurm.time_limit")).data(FormModel::SetRole).toBool());
    for (const schema::Field& field : schema::builtInPack("v1")->root().fields) {
        if (!field.expert && field.inert.empty() && field.deprecated.empty()) {
            EXPECT_TRUE(model.indexOf(QString::fromStdString(field.key)).isValid()) << field.key;
        }
    }
}

TEST(FormModel, KeepsAndShowsKeysThatTheLanguageDoesNotKnow)
{
    FormModel model;
    model.setSource(sourceOf(recipe));
    const QModelIndex unknown = model.indexOf(QStringLiteral("nonsense"));
    ASSERT_TRUE(unknown.isValid());
    EXPECT_TRUE(unknown.data(FormModel::UnknownRole).toBool());
}

TEST(FormModel, ShowsMoreToExperts)
{
    FormModel simple;
    FormModel expert;
    simple.setSource(sourceOf(recipe));
    expert.setSource(sourceOf(recipe, true));
    EXPECT_GT(countBelow(expert), countBelow(simple));
}

TEST(FormModel, OffersTheChoicesOfTheField)
{
    FormModel model;
    model.setSource(sourceOf(recipe));
    EXPECT_TRUE(
        model.indexOf(QStringLiteral("backend.type")).data(FormModel::ChoicesRole).toStringList().contains(QStringLiteral("sglang")));
}

TEST(FormModel, FollowsTheTextWithoutLosingItsPlace)
{
    FormModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setSource(sourceOf(recipe));
    const QPersistentModelIndex kept = model.indexOf(QStringLiteral("benchmark.isl")).siblingAtColumn(FormModel::ValueColumn);
    std::string changed = recipe;
    changed.replace(changed.find("1024"), 4, "2048");
    model.setSource(sourceOf(changed));
    ASSERT_TRUE(kept.isValid());
    EXPECT_EQ(kept.data().toString(), QStringLiteral("2048"));
    changed.replace(changed.find("type: sglang"), 12, "type: vllm  "); // other keys
    model.setSource(sourceOf(changed));
    EXPECT_EQ(valueAt(model, "backend.type"), QStringLiteral("vllm"));
}

TEST(FormModel, TellsWhatIsTyped)
{
    FormModel model;
    model.setSource(sourceOf(recipe));
    std::string told;
    QObject::connect(&model, &FormModel::edited, &model, [&](const QModelIndex& index, const QString& typed) {
        told = (index.data(FormModel::PathRole).toString() + u'=' + typed).toStdString();
    });
    const QModelIndex isl = model.indexOf(QStringLiteral("benchmark.isl")).siblingAtColumn(FormModel::ValueColumn);
    EXPECT_FALSE(model.setData(isl, QStringLiteral("1024"), Qt::EditRole)) << "the same again";
    EXPECT_TRUE(model.setData(isl, QStringLiteral("8192"), Qt::EditRole));
    EXPECT_EQ(told, "benchmark.isl=8192");
    EXPECT_EQ(isl.data().toString(), QStringLiteral("1024")) << "the text decides";
    EXPECT_FALSE(model.indexOf(QStringLiteral("benchmark")).siblingAtColumn(FormModel::ValueColumn).flags().testFlag(Qt::ItemIsEditable));
}

} // namespace
} // namespace wb::ui
