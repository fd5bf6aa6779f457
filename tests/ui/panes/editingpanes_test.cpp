// The panes in which recipes are searched, compared and changed, over a session made of real checks.
#include "core/recipe/rules.h"
#include "core/syntax/codes.h"
#include "tests/ui/shell/sessionfixture.h"
#include "ui/models/text.h"
#include "ui/panes/comparepane.h"
#include "ui/panes/formpane.h"
#include "ui/panes/helppane.h"
#include "ui/panes/recipespane.h"
#include "ui/panes/tableview.h"
#include "ui/panes/variantspane.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTabWidget>
#include <QTextBrowser>
#include <QToolButton>

namespace wb::ui {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string sweepRecipe()
{
    std::string text = test::plainRecipe + "sweep:\n  isl: [1024, 8192] # lengths\n";
    text.replace(text.find("isl: 1024"), 9, "isl: \"{isl}\"");
    return text;
}

class EditingPanesTest : public test::SessionTest
{
protected:
    EditingPanesTest()
    {
        // The editor that takes the changes in the window.
        QObject::connect(&session.documents(), &Documents::changeRequested, &session,
                         [this](DocumentId id, const QString& name, const std::string& text) {
                             step = name;
                             session.documents().setText(id, text);
                         });
    }

    template <typename Widget>
    static Widget& child(const QWidget& pane, const char* name)
    {
        auto* found = pane.findChild<Widget*>(QString::fromLatin1(name));
        if (!found)
            throw std::runtime_error(std::string("the pane has no ") + name);
        return *found;
    }

    DocumentId open(const std::string& bytes)
    {
        session.documents().open(write(QStringLiteral("a.yaml"), bytes));
        EXPECT_TRUE(settles());
        return session.documents().current()->id;
    }

    static void show(QWidget& pane)
    {
        pane.resize(700, 600);
        pane.show();
    }

    [[nodiscard]] std::string text() { return session.documents().current()->source->text(); }

    static int rowOf(const TableView& view, const char* key)
    {
        for (int row = 0; row < view.model()->rowCount(); ++row) {
            if (view.model()->index(row, 0).data().toString() == QLatin1String(key))
                return row;
        }
        return -1;
    }

    static std::vector<std::string> actionsOf(TableView& view)
    {
        QMenu menu;
        Q_EMIT view.menuRequested(menu, view.currentSource());
        std::vector<std::string> out;
        for (const QAction* action : menu.actions())
            out.push_back(action->text().toStdString());
        return out;
    }

    QString step;
};

TEST_F(EditingPanesTest, RecipesAreFilteredByWordsAndTerms)
{
    write(QStringLiteral("r/a.yaml"), test::plainRecipe);
    std::string other = test::plainRecipe;
    other.replace(other.find("h100"), 4, "b200");
    other.replace(other.find("isl: 1024"), 9, "isl: 8192");
    write(QStringLiteral("r/deep/b.yaml"), other);
    RecipesPane pane(session);
    show(pane);
    session.library().setFolder(folder.filePath(QStringLiteral("r")));
    ASSERT_TRUE(settles());
    auto& view = child<TableView>(pane, "recipesView");
    auto& filter = child<QLineEdit>(pane, "recipesFilter");
    filter.setText(QStringLiteral("isl>4000"));
    ASSERT_EQ(view.model()->rowCount(), 1);
    EXPECT_EQ(view.model()->index(0, 0).data().toString(), QStringLiteral("deep"));
    EXPECT_THAT(child<QLabel>(pane, "recipesSummary").text().toStdString(), HasSubstr("1 of 2 files"));
    filter.setText(QStringLiteral("gpu_type=h100"));
    ASSERT_EQ(view.model()->rowCount(), 1);
    EXPECT_EQ(view.model()->index(0, 0).data().toString(), QStringLiteral("a.yaml"));
    filter.setText(QStringLiteral("nokey=1"));
    EXPECT_THAT(child<QLabel>(pane, "recipesFilterNote").text().toStdString(), HasSubstr("nokey"));
    filter.setText(QStringLiteral("isl>"));
    EXPECT_THAT(child<QLabel>(pane, "recipesFilterNote").text().toStdString(), HasSubstr("has no value"));
    filter.clear();
    EXPECT_EQ(view.model()->rowCount(), 2);
}

TEST_F(EditingPanesTest, RecipesThatAreAlikeAreFoundAndOfferedTogether)
{
    std::string other = test::plainRecipe;
    other.replace(other.find("tiny"), 4, "near");
    write(QStringLiteral("r/a.yaml"), test::plainRecipe);
    write(QStringLiteral("r/b.yaml"), other);
    RecipesPane pane(session);
    show(pane);
    session.library().setFolder(folder.filePath(QStringLiteral("r")));
    ASSERT_TRUE(settles());
    auto& view = child<TableView>(pane, "recipesView");
    EXPECT_EQ(view.model()->index(0, RecipesModel::AlikeColumn).data().toString(), QStringLiteral("1 (2)"));
    view.setCurrentIndex(view.model()->index(0, 0));
    EXPECT_THAT(actionsOf(view), testing::Contains("Compare the 2 that are alike"));
    view.selectAll();
    EXPECT_THAT(actionsOf(view), testing::Contains("Compare 2 recipes"));
}

TEST_F(EditingPanesTest, AFolderThatCannotBeReadIsShownWithItsReason)
{
    write(QStringLiteral("r/a.yaml"), test::plainRecipe);
    write(QStringLiteral("r/closed/b.yaml"), test::plainRecipe);
    const QString closed = folder.filePath(QStringLiteral("r/closed"));
    QFile::setPermissions(closed, {});
    if (QDir(closed).isReadable()) {
        QFile::setPermissions(closed, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        GTEST_SKIP() << "the administrator may read everything";
    }
    RecipesPane pane(session);
    show(pane);
    session.library().setFolder(folder.filePath(QStringLiteral("r")));
    EXPECT_TRUE(settles());
    const auto& view = child<TableView>(pane, "recipesView");
    const int row = rowOf(view, "closed");
    QFile::setPermissions(closed, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    ASSERT_GE(row, 0);
    EXPECT_EQ(view.model()->index(row, RecipesModel::StateColumn).data().toString(), QStringLiteral("unreadable"));
    EXPECT_FALSE(view.model()->index(row, 0).data(Qt::ToolTipRole).toString().isEmpty());
}

TEST_F(EditingPanesTest, TheSelectedJobIsShownResolvedWithOrigins)
{
    VariantsPane pane(session);
    show(pane);
    open(test::overrideRecipe());
    session.selection().setVariant(1); // "two"; jobs are in the order of their suffixes
    ASSERT_TRUE(settles());
    const auto& view = child<TableView>(pane, "resolvedView");
    const int row = rowOf(view, "resources.agg_nodes");
    ASSERT_GE(row, 0);
    EXPECT_EQ(view.model()->index(row, 1).data().toString(), QStringLiteral("2"));
    EXPECT_EQ(view.model()->index(row, 2).data().toString(), QStringLiteral("override_two"));
    const int before = view.model()->rowCount();
    child<QCheckBox>(pane, "showDefaults").setChecked(true);
    EXPECT_GT(view.model()->rowCount(), before);
}

TEST_F(EditingPanesTest, AValueOfTheSweepIsChangedInPlace)
{
    VariantsPane pane(session);
    show(pane);
    open(sweepRecipe());
    child<QTabWidget>(pane, "variantsTabs").setCurrentIndex(1);
    ASSERT_TRUE(settles());
    auto& matrix = child<TableView>(pane, "matrixView");
    ASSERT_EQ(matrix.model()->rowCount(), 2);
    int column = 1;
    while (column < matrix.model()->columnCount() && matrix.model()->headerData(column, Qt::Horizontal).toString() != QStringLiteral("isl"))
        ++column;
    ASSERT_LT(column, matrix.model()->columnCount());
    const QModelIndex cell = matrix.model()->index(1, column);
    ASSERT_EQ(cell.data().toString(), QStringLiteral("8192"));
    ASSERT_TRUE(cell.flags().testFlag(Qt::ItemIsEditable));
    matrix.model()->setData(cell, QStringLiteral("4096"), Qt::EditRole);
    ASSERT_TRUE(settles());
    std::string wanted = sweepRecipe();
    wanted.replace(wanted.find("8192]"), 4, "4096");
    EXPECT_EQ(text(), wanted) << "nothing but the bytes of the value";
    EXPECT_EQ(step, QStringLiteral("set benchmark.isl"));
    EXPECT_EQ(matrix.model()->index(1, column).data().toString(), QStringLiteral("4096"));
}

TEST_F(EditingPanesTest, DuplicatesAndClashesAreMarked)
{
    VariantsPane pane(session);
    show(pane);
    open(test::overrideRecipe() + "\noverride_again:\n  resources:\n    agg_nodes: 2\n    agg_workers: 2\n");
    const auto& view = child<TableView>(pane, "variantsView");
    EXPECT_THAT(view.model()->index(2, VariantsModel::MarkColumn).data().toString().toStdString(), HasSubstr("same as"));
    EXPECT_THAT(child<QLabel>(pane, "variantsSummary").text().toStdString(), HasSubstr("1 duplicate"));
}

TEST_F(EditingPanesTest, TheTableOfJobsIsCopiedAsTabSeparatedValues)
{
    VariantsPane pane(session);
    show(pane);
    open(test::overrideRecipe());
    child<TableView>(pane, "variantsView").copyTable();
    const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
    ASSERT_EQ(lines.size(), 3);
    EXPECT_TRUE(lines[0].startsWith(QStringLiteral("Job\t")));
    EXPECT_EQ(lines[0].count(QLatin1Char('\t')), lines[2].count(QLatin1Char('\t')));
    EXPECT_THAT(lines[2].toStdString(), HasSubstr("1:00:00"));
}

TEST_F(EditingPanesTest, TrialValuesAreTriedAndTakenAway)
{
    VariantsPane pane(session);
    show(pane);
    open(test::overrideRecipe());
    auto& trial = child<QLineEdit>(pane, "trialValues");
    trial.setText(QStringLiteral("slurm.time_limit=\"2:00:00\""));
    QTest::keyClick(&trial, Qt::Key_Return);
    ASSERT_TRUE(settles());
    EXPECT_THAT(child<QLabel>(pane, "variantsSummary").text().toStdString(), HasSubstr("48 GPU-h"));
    EXPECT_EQ(text(), test::overrideRecipe());
    trial.clear();
    ASSERT_TRUE(settles());
    EXPECT_THAT(child<QLabel>(pane, "variantsSummary").text().toStdString(), Not(HasSubstr("48 GPU-h")));
    trial.setText(QStringLiteral("nonsense"));
    QTest::keyClick(&trial, Qt::Key_Return);
    EXPECT_THAT(child<QLabel>(pane, "variantsNote").text().toStdString(), HasSubstr("key=value"));
}

TEST_F(EditingPanesTest, SeveralJobsAreMarkedForWhatIsDoneWithThem)
{
    VariantsPane pane(session);
    show(pane);
    open(test::overrideRecipe());
    child<TableView>(pane, "variantsView").selectAll();
    EXPECT_EQ(session.selection().chosen().size(), 2U);
}

TEST_F(EditingPanesTest, TheFormChangesOnlyTheBytesOfTheValue)
{
    FormPane pane(session);
    show(pane);
    std::string commented = test::plainRecipe;
    commented.insert(commented.find("\n  osl"), "   # tokens in");
    open(commented);
    auto& view = child<TableView>(pane, "formView");
    auto* model = qobject_cast<FormModel*>(view.filter().sourceModel());
    ASSERT_TRUE(model);
    const auto value = [&](const char* path) { return model->indexOf(QString::fromLatin1(path)).siblingAtColumn(FormModel::ValueColumn); };
    ASSERT_TRUE(value("benchmark.isl").isValid());
    model->setData(value("benchmark.isl"), QStringLiteral("2048"), Qt::EditRole);
    ASSERT_TRUE(settles());
    std::string wanted = commented;
    wanted.replace(wanted.find("1024"), 4, "2048");
    EXPECT_EQ(text(), wanted);
    EXPECT_EQ(step, QStringLiteral("set benchmark.isl"));
    EXPECT_EQ(value("benchmark.isl").data().toString(), QStringLiteral("2048"));
    model->setData(value("benchmark.isl"), QString(), Qt::EditRole);
    ASSERT_TRUE(settles());
    EXPECT_THAT(text(), Not(HasSubstr("isl: 2048")));
    EXPECT_THAT(text(), HasSubstr("osl: 1024"));
    EXPECT_EQ(step, QStringLiteral("remove benchmark.isl"));
}

TEST_F(EditingPanesTest, TheFormEditsOneSectionOfAFileWithOverrides)
{
    FormPane pane(session);
    show(pane);
    open(test::overrideRecipe());
    auto& sections = child<QComboBox>(pane, "formSection");
    ASSERT_EQ(sections.count(), 3);
    sections.setCurrentIndex(sections.findData(QStringLiteral("override_short")));
    Q_EMIT sections.activated(sections.currentIndex());
    auto* model = qobject_cast<FormModel*>(child<TableView>(pane, "formView").filter().sourceModel());
    const QModelIndex limit = model->indexOf(QStringLiteral("slurm.time_limit")).siblingAtColumn(FormModel::ValueColumn);
    ASSERT_EQ(limit.data().toString(), QStringLiteral("0:30:00"));
    model->setData(limit, QStringLiteral("0:45:00"), Qt::EditRole);
    ASSERT_TRUE(settles());
    std::string wanted = test::overrideRecipe();
    wanted.replace(wanted.find("0:30:00"), 7, "0:45:00");
    EXPECT_EQ(text(), wanted);
}

TEST_F(EditingPanesTest, TheFormFollowsTheText)
{
    FormPane pane(session);
    show(pane);
    const DocumentId id = open(test::plainRecipe);
    std::string changed = test::plainRecipe;
    changed.replace(changed.find("h100"), 4, "b200");
    session.documents().setText(id, changed);
    ASSERT_TRUE(settles());
    auto* model = qobject_cast<FormModel*>(child<TableView>(pane, "formView").filter().sourceModel());
    EXPECT_EQ(model->indexOf(QStringLiteral("resources.gpu_type")).siblingAtColumn(FormModel::ValueColumn).data().toString(),
              QStringLiteral("b200"));
    session.documents().setText(id, changed + "x: [\n");
    ASSERT_TRUE(settles());
    EXPECT_THAT(child<QLabel>(pane, "formNote").text().toStdString(), HasSubstr("syntax error"));
}

TEST_F(EditingPanesTest, TheFormIsUsedByKeyboardAlone)
{
    FormPane pane(session);
    show(pane);
    pane.activateWindow(); // an editor in a window without the keyboard closes itself
    ASSERT_TRUE(QTest::qWaitForWindowActive(&pane));
    open(test::plainRecipe);
    auto& view = child<TableView>(pane, "formView");
    auto* model = qobject_cast<FormModel*>(view.filter().sourceModel());
    const QModelIndex name = view.filter().mapFromSource(model->indexOf(QStringLiteral("name")));
    ASSERT_TRUE(name.isValid());
    view.setFocus();
    view.setCurrentIndex(name);
    QTest::keyClick(&view, Qt::Key_Return);
    auto* line = view.findChild<QLineEdit*>();
    ASSERT_TRUE(line) << "Enter opens the editor of the value";
    EXPECT_FALSE(line->accessibleName().isEmpty());
    line->setText(QStringLiteral("renamed"));
    QTest::keyClick(line, Qt::Key_Return);
    // The view takes what was typed by an event of its own, after the key.
    EXPECT_TRUE(QTest::qWaitFor([&] { return text().find("name: renamed\n") != std::string::npos; })) << text();
}

TEST_F(EditingPanesTest, TheComparisonFoldsWhatIsTheSame)
{
    ComparePane pane(session);
    show(pane);
    open(test::overrideRecipe());
    const CheckedPtr checked = session.selection().checked();
    session.compare({{.path = {}, .checked = checked, .job = 0, .title = QStringLiteral("a")},
                     {.path = {}, .checked = checked, .job = 1, .title = QStringLiteral("a")}});
    ASSERT_TRUE(settles());
    const auto& view = child<TableView>(pane, "compareView");
    EXPECT_GE(rowOf(view, "resources.agg_nodes"), 0);
    EXPECT_LT(rowOf(view, "benchmark.osl"), 0);
    const int different = view.model()->rowCount();
    child<QCheckBox>(pane, "showIdentical").setChecked(true);
    EXPECT_GT(view.model()->rowCount(), different);
    EXPECT_GE(rowOf(view, "benchmark.osl"), 0);
    child<QTabWidget>(pane, "compareTabs").setCurrentIndex(1);
    EXPECT_THAT(child<QWidget>(pane, "compareText").accessibleName().toStdString(), HasSubstr("Difference"));
}

TEST_F(EditingPanesTest, HelpHasATextForEachCodeAndRule)
{
    HelpPane pane(session);
    show(pane);
    const auto& view = child<QTextBrowser>(pane, "helpView");
    for (const syntax::CodeInfo& code : syntax::allCodes()) {
        session.showHelp(QString::fromStdString(std::string(code.id)));
        EXPECT_THAT(view.toPlainText().toStdString(), HasSubstr(std::string(code.title))) << code.id;
    }
    for (const recipe::Rule& rule : recipe::rules()) {
        session.showHelp(QString::fromStdString(std::string(rule.id)));
        EXPECT_THAT(view.toPlainText().toStdString(), HasSubstr(std::string(rule.id))) << rule.id;
        EXPECT_THAT(view.toPlainText().toStdString(), Not(HasSubstr("no help")));
    }
    session.showHelp(QStringLiteral("nothing-like-it"));
    EXPECT_THAT(view.toPlainText().toStdString(), HasSubstr("no help"));
}

TEST_F(EditingPanesTest, HelpTellsOfThePlaceAtTheCursor)
{
    HelpPane pane(session);
    show(pane);
    const std::string broken = test::plainRecipe + "nonsense: 1\n";
    const DocumentId id = open(broken);
    const auto& view = child<QTextBrowser>(pane, "helpView");
    session.documents().setCursor(id, broken.find("nonsense") + 2);
    session.showHelpAtCursor();
    EXPECT_THAT(view.toPlainText().toStdString(), HasSubstr("unknown-key"));
    session.documents().setCursor(id, broken.find("gpus_per_node") + 2);
    session.showHelpAtCursor();
    EXPECT_THAT(view.toPlainText().toStdString(), HasSubstr("resources.gpus_per_node"));
}

TEST_F(EditingPanesTest, AVariantIsChangedInItsRow)
{
    open(sweepRecipe());
    VariantsPane pane(session);
    show(pane);
    ASSERT_TRUE(settles());
    auto& view = child<TableView>(pane, "variantsView");
    const auto editRow = [&](int row, const char* typed) {
        view.setFocus();
        view.setCurrentIndex(view.model()->index(row, 0));
        QTest::keyClick(&view, Qt::Key_F2);
        auto* edit = view.findChild<QLineEdit*>();
        ASSERT_TRUE(edit);
        edit->selectAll();
        QTest::keyClicks(edit, QString::fromLatin1(typed));
        QTest::keyClick(edit, Qt::Key_Return);
        ASSERT_TRUE(settles());
        ASSERT_TRUE(QTest::qWaitFor([&] { return !view.findChild<QLineEdit*>(); })) << "the field goes away";
    };
    editRow(1, "isl = 4096");
    EXPECT_THAT(text(), HasSubstr("isl: [1024, 4096] # lengths"));
    EXPECT_EQ(step, QStringLiteral("set isl"));
    EXPECT_EQ(session.selection().variant(), 1U) << "it is still the second job that is selected";
    const std::string before = text();
    editRow(1, "osl = 4096");
    EXPECT_EQ(text(), before);
    EXPECT_THAT(child<QLabel>(pane, "variantsNote").text().toStdString(), HasSubstr("osl"));
}

TEST_F(EditingPanesTest, ASuffixIsChangedInItsRow)
{
    open(test::overrideRecipe());
    VariantsPane pane(session);
    show(pane);
    ASSERT_TRUE(settles());
    auto& view = child<TableView>(pane, "variantsView");
    const QModelIndex first = view.model()->index(0, VariantsModel::SuffixColumn);
    const std::string suffix = first.data().toString().toStdString();
    view.model()->setData(first, QStringLiteral("new_one"));
    ASSERT_TRUE(settles());
    EXPECT_THAT(text(), HasSubstr("\noverride_new_one:\n"));
    EXPECT_THAT(text(), Not(HasSubstr("override_" + suffix)));
    const std::string before = text();
    for (const char* bad : {"two words", "", "two"}) { // the last is the other job's
        view.model()->setData(view.model()->index(0, VariantsModel::SuffixColumn), QString::fromLatin1(bad));
        ASSERT_TRUE(settles());
        EXPECT_EQ(text(), before) << bad;
        EXPECT_FALSE(child<QLabel>(pane, "variantsNote").isHidden()) << bad;
    }
}

TEST_F(EditingPanesTest, AClusterFileIsCalledWhatItIs)
{
    VariantsPane pane(session);
    show(pane);
    open("default_account: me\ngpus_per_node: 8\n");
    EXPECT_EQ(child<QLabel>(pane, "variantsSummary").text(), QStringLiteral("Cluster file: no jobs"));
    EXPECT_THAT(child<TableView>(pane, "variantsView").accessibleDescription().toStdString(), HasSubstr("This is a cluster file."));
    for (const syntax::Diagnostic& problem : session.documents().current()->checked->diagnostics)
        EXPECT_EQ(problem.source, syntax::Source::Recipe) << "its problems stand in the text that is shown";
}

TEST_F(EditingPanesTest, VariantsTellWhatAJobCostsAndGives)
{
    VariantsPane pane(session);
    show(pane);
    open(test::plainRecipe + "health_check:\n  max_attempts: 90\n  interval_seconds: 20\n");
    auto& view = child<TableView>(pane, "variantsView");
    const auto cell = [&](int column) { return view.model()->index(0, column).data().toString(); };
    EXPECT_EQ(cell(VariantsModel::HealthColumn), QStringLiteral("0:30:00"));
    EXPECT_EQ(cell(VariantsModel::PointsColumn), QStringLiteral("2"));
    EXPECT_EQ(cell(VariantsModel::GpuHoursColumn), QStringLiteral("8"));
    const std::string summary = child<QLabel>(pane, "variantsSummary").text().toStdString();
    EXPECT_THAT(summary, HasSubstr("2 benchmark point"));
    EXPECT_THAT(summary, HasSubstr("health wait up to 0:30:00"));
    std::string manual = test::plainRecipe;
    manual.replace(manual.find("benchmark:"), std::string::npos, "benchmark:\n  type: manual\n");
    session.documents().setText(session.documents().current()->id, manual);
    ASSERT_TRUE(settles());
    EXPECT_EQ(cell(VariantsModel::PointsColumn), dash());
    EXPECT_THAT(view.model()->index(0, VariantsModel::PointsColumn).data(Qt::ToolTipRole).toString().toStdString(),
                HasSubstr("concurrencies"));
    EXPECT_THAT(child<QLabel>(pane, "variantsSummary").text().toStdString(), HasSubstr("benchmark points not known"));
}

TEST_F(EditingPanesTest, JobsWithoutResultsAreListedAndMarkedForSubmission)
{
    VariantsPane pane(session);
    show(pane);
    open(test::overrideRecipe() + "override_three:\n  slurm:\n    time_limit: \"0:20:00\"\n");
    auto& view = child<TableView>(pane, "variantsView");
    auto& without = child<QToolButton>(pane, "withoutResults");
    const auto cell = [&](int row) { return view.model()->index(row, VariantsModel::ResultsColumn).data().toString(); };
    ASSERT_EQ(view.model()->rowCount(), 3);
    EXPECT_EQ(without.text(), QStringLiteral("Without results (3)"));
    EXPECT_EQ(cell(0), QStringLiteral("none"));
    // A run of the second job that measured one of its two concurrencies, and one that failed.
    const auto result = [&](const QString& id, const std::string& job, int concurrency, int completed) {
        const QString run = QStringLiteral("results/") + id;
        write(run + QLatin1Char('/') + id + QStringLiteral(".json"), R"({"version": "2.0", "job_id": ")" + id.toStdString() +
                                                                         R"(", "job_name": ")" + job +
                                                                         R"(", "resources": {"gpus_per_node": 8, "agg_nodes": 1}})");
        write(run + QStringLiteral("/logs/sa-bench_isl_1024_osl_1024/results_concurrency_%1_gpus_8.json").arg(concurrency),
              R"({"backend": "dynamo", "max_concurrency": )" + std::to_string(concurrency) + R"(, "num_prompts": 40, "completed": )" +
                  std::to_string(completed) +
                  R"(, "duration": 10.0, "total_input_tokens": 40960, "total_output_tokens": 40960, "request_throughput": 4.0,
                  "output_throughput": 4096.0, "total_token_throughput": 8192.0, "mean_ttft_ms": 50.0, "median_ttft_ms": 50.0,
                  "mean_tpot_ms": 5.0, "median_tpot_ms": 5.0, "reuse_http_connections": true})");
    };
    const std::string second = session.selection().checked()->variants[1].name;
    const std::string third = session.selection().checked()->variants[2].name;
    result(QStringLiteral("7"), second, 4, 40);
    result(QStringLiteral("8"), third, 4, 0);
    session.results().import({folder.filePath(QStringLiteral("results"))});
    ASSERT_TRUE(settles());
    ASSERT_EQ(session.results().points()->size(), 2U);
    EXPECT_EQ(without.text(), QStringLiteral("Without results (2)")) << "a run in which all failed is no result";
    EXPECT_EQ(cell(1), QStringLiteral("1 of 2"));
    EXPECT_THAT(view.model()->index(1, VariantsModel::ResultsColumn).data(Qt::ToolTipRole).toString().toStdString(),
                HasSubstr("concurrencies without one: 8"));
    QTest::mouseClick(&without, Qt::LeftButton);
    EXPECT_THAT(session.selection().chosen(), testing::ElementsAre(0, 2)) << "ready to be submitted";
    EXPECT_THAT(child<QLabel>(pane, "variantsNote").text().toStdString(), HasSubstr("2 job"));
    ASSERT_TRUE(settles());
    EXPECT_THAT(session.selection().chosen(), testing::ElementsAre(0, 2)) << "the dry run of the first one takes nothing away";
    auto* menu = child<QToolButton>(pane, "variantsActions").menu();
    Q_EMIT menu->aboutToShow();
    for (QAction* action : menu->actions())
        if (action->text() == QStringLiteral("Mark jobs with missing points (3)"))
            action->trigger();
    EXPECT_THAT(session.selection().chosen(), testing::ElementsAre(0, 1, 2));
}

TEST_F(EditingPanesTest, TheColumnsOfTheVariantsFitTheirPane)
{
    open(sweepRecipe());
    VariantsPane pane(session);
    pane.resize(560, 600);
    pane.show();
    ASSERT_TRUE(settles());
    auto& view = child<TableView>(pane, "variantsView");
    EXPECT_TRUE(view.isColumnHidden(VariantsModel::MarkColumn)) << "no job has a mark";
    EXPECT_LE(view.header()->length(), view.viewport()->width());
}

} // namespace
} // namespace wb::ui
