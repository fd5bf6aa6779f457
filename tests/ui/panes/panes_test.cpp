// Panes over a session made of real checks: what they show, and what they call.
#include "core/base/sha256.h"
#include "core/store/sentfiles.h"
#include "tests/ui/shell/sessionfixture.h"
#include "ui/editor/recipeeditor.h"
#include "ui/panes/artifactspane.h"
#include "ui/panes/logpane.h"
#include "ui/panes/problemspane.h"
#include "ui/panes/recipespane.h"
#include "ui/panes/tableview.h"
#include "ui/panes/topologymap.h"
#include "ui/panes/topologypane.h"
#include "ui/panes/variantspane.h"

#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>

#include <algorithm>
#include <filesystem>

namespace wb::ui {
namespace {

using testing::HasSubstr;

class PanesTest : public test::SessionTest
{
protected:
    template <typename Widget>
    static Widget& child(const QWidget& pane, const char* name)
    {
        auto* found = pane.findChild<Widget*>(QString::fromLatin1(name));
        if (!found)
            throw std::runtime_error(std::string("the pane has no ") + name);
        return *found;
    }

    void open(const std::string& bytes)
    {
        session.documents().open(write(QStringLiteral("a.yaml"), bytes));
        ASSERT_TRUE(settles());
    }

    static void show(QWidget& pane)
    {
        pane.resize(700, 400);
        pane.show();
    }
};

TEST_F(PanesTest, ProblemsLeadToTheirPlace)
{
    ProblemsPane pane(session);
    show(pane);
    const std::string broken = test::plainRecipe + "nonsense: 1\n";
    open(broken);
    auto& view = child<TableView>(pane, "problemsView");
    ASSERT_GE(view.model()->rowCount(), 1);
    std::optional<std::size_t> asked;
    QObject::connect(&session.documents(), &Documents::placeRequested, &pane, [&](DocumentId, std::size_t offset) { asked = offset; });
    int row = 0;
    while (row < view.model()->rowCount() && !view.model()->index(row, 0).data().toString().contains(QStringLiteral("nonsense")))
        ++row;
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(view.model()->index(row, 0)).center());
    EXPECT_EQ(asked, broken.find("nonsense"));
}

TEST_F(PanesTest, ProblemsOfferTheirFixes)
{
    ProblemsPane pane(session);
    show(pane);
    std::string broken = test::plainRecipe;
    broken.replace(broken.find("resources:"), 10, "resurces: ");
    open(broken);
    auto& view = child<TableView>(pane, "problemsView");
    std::optional<syntax::Fix> asked;
    QObject::connect(&session.documents(), &Documents::fixRequested, &pane, [&](DocumentId, const syntax::Fix& fix) { asked = fix; });
    for (int row = 0; row < view.model()->rowCount() && !asked; ++row) {
        QMenu menu;
        Q_EMIT view.menuRequested(menu, view.filter().mapToSource(view.model()->index(row, 0)));
        if (!menu.actions().isEmpty())
            menu.actions().first()->trigger();
    }
    ASSERT_TRUE(asked);
    EXPECT_THAT(asked->title, HasSubstr("resources"));
}

TEST_F(PanesTest, VariantsSelectTheJobForAllPanes)
{
    VariantsPane pane(session);
    show(pane);
    open(test::overrideRecipe());
    auto& view = child<TableView>(pane, "variantsView");
    ASSERT_EQ(view.model()->rowCount(), 2) << "base is no job by itself";
    EXPECT_EQ(view.currentSource().row(), 0) << "the selected job is marked";
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(view.model()->index(1, 0)).center());
    EXPECT_EQ(session.selection().variant(), 1U);
    EXPECT_THAT(child<QLabel>(pane, "variantsSummary").text().toStdString(), HasSubstr("2 job"));
    EXPECT_THAT(child<QLabel>(pane, "variantsSummary").text().toStdString(), HasSubstr("24 GPUs"));
}

TEST_F(PanesTest, VariantsCountNothingThatIsNotKnown)
{
    check::Checked checked;
    checked.variants.resize(2);
    EXPECT_EQ(variantsSummary(checked).toStdString().find("GPU"), std::string::npos) << "jobs with errors take no known GPUs";
    EXPECT_THAT(variantsSummary(checked).toStdString(), HasSubstr("2 with errors"));
}

TEST_F(PanesTest, ArtifactsShowTheBytesOfTheSelectedJob)
{
    ArtifactsPane pane(session);
    show(pane);
    open(test::overrideRecipe());
    auto& view = child<TableView>(pane, "artifactsView");
    ASSERT_GE(view.model()->rowCount(), 2);
    auto& text = child<RecipeEditor>(pane, "artifactText");
    EXPECT_TRUE(text.isReadOnly());
    for (std::size_t row = 0; row < session.dryRun()->artifacts->size(); ++row) {
        view.scrollTo(view.model()->index(static_cast<int>(row), 0));
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(view.model()->index(static_cast<int>(row), 0)).center());
        EXPECT_EQ(text.utf8Text(), (*session.dryRun()->artifacts)[row].bytes);
    }
}

TEST_F(PanesTest, ArtifactsStayAtTheSameFileOfAnotherJob)
{
    ArtifactsPane pane(session);
    show(pane);
    open(test::overrideRecipe());
    auto& view = child<TableView>(pane, "artifactsView");
    const QModelIndex last = view.model()->index(view.model()->rowCount() - 1, 0); // a file that every job has
    view.scrollTo(last);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(last).center());
    const QString name = last.data().toString();
    session.selection().setVariant(1);
    ASSERT_TRUE(settles());
    EXPECT_EQ(view.currentIndex().siblingAtColumn(0).data().toString(), name);
}

TEST_F(PanesTest, TopologyShowsMapAndTableOfOneJob)
{
    TopologyPane pane(session);
    show(pane);
    open(test::overrideRecipe());
    session.selection().setVariant(1);
    ASSERT_TRUE(settles());
    EXPECT_EQ(child<TableView>(pane, "processesView").model()->rowCount(), static_cast<int>(session.dryRun()->topology->processes.size()));
    EXPECT_THAT(child<QLabel>(pane, "topologySummary").text().toStdString(), HasSubstr("2 node"));
    QTest::keyClick(&child<TopologyMap>(pane, "topologyMap"), Qt::Key_Right);
    EXPECT_EQ(child<TableView>(pane, "processesView").currentSource().row(), 0) << "the table follows the map";
}

TEST_F(PanesTest, RecipesOpenTheFileThatIsChosen)
{
    write(QStringLiteral("r/a.yaml"), test::plainRecipe);
    RecipesPane pane(session);
    show(pane);
    session.library().setFolder(folder.filePath(QStringLiteral("r")));
    ASSERT_TRUE(settles());
    auto& view = child<TableView>(pane, "recipesView");
    ASSERT_EQ(view.model()->rowCount(), 1);
    view.setCurrentIndex(view.model()->index(0, 0));
    QTest::keyClick(&view, Qt::Key_Return);
    ASSERT_TRUE(settles());
    ASSERT_TRUE(session.documents().current());
    EXPECT_EQ(session.documents().current()->title, QStringLiteral("a.yaml"));
}

TEST_F(PanesTest, LogShowsErrorsWithTheirDetails)
{
    LogPane pane(session);
    show(pane);
    session.log().error({ErrorCode::Denied, "It failed.", "because"});
    auto& view = child<TableView>(pane, "logView");
    ASSERT_EQ(view.model()->rowCount(), 1);
    EXPECT_THAT(view.model()->index(0, LogModel::MessageColumn).data(Qt::ToolTipRole).toString().toStdString(), HasSubstr("because"));
}

TEST_F(PanesTest, ArtifactsAreSearchedAllAtOnce)
{
    ArtifactsPane pane(session);
    show(pane);
    open(test::plainRecipe);
    child<QLineEdit>(pane, "artifactWords").setText(QStringLiteral("QWEN3-0.6b"));
    auto& hits = child<TableView>(pane, "artifactHits");
    ASSERT_TRUE(QTest::qWaitFor([&] { return hits.model()->rowCount() > 1; }));
    ASSERT_TRUE(hits.isVisible());
    EXPECT_FALSE(child<TableView>(pane, "artifactsView").isVisible());
    const QModelIndex last = hits.model()->index(hits.model()->rowCount() - 1, 0);
    hits.scrollTo(last);
    QTest::mouseClick(hits.viewport(), Qt::LeftButton, {}, hits.visualRect(last).center());
    auto& text = child<RecipeEditor>(pane, "artifactText");
    const auto& artifacts = *session.dryRun()->artifacts;
    const auto shown = std::find_if(artifacts.begin(), artifacts.end(),
                                    [&](const render::Artifact& each) { return each.name == last.data().toString().toStdString(); });
    ASSERT_NE(shown, artifacts.end());
    EXPECT_EQ(text.utf8Text(), shown->bytes);
    EXPECT_EQ(text.utf8Text().substr(text.cursorOffset() - 10, 10), "Qwen3-0.6B") << "what was found is selected";
    child<QLineEdit>(pane, "artifactWords").clear();
    EXPECT_TRUE(QTest::qWaitFor([&] { return child<TableView>(pane, "artifactsView").isVisible(); }));
}

TEST_F(PanesTest, ArtifactsAreComparedWithAnotherJobAndTheOtherLauncher)
{
    ArtifactsPane pane(session);
    show(pane);
    open(test::overrideRecipe());
    auto& compared = child<QComboBox>(pane, "artifactsCompared");
    auto& view = child<TableView>(pane, "artifactsView");
    auto& text = child<RecipeEditor>(pane, "artifactText");
    EXPECT_TRUE(view.isColumnHidden(ArtifactsModel::ChangeColumn));
    const auto choose = [&](const QString& data) {
        const int at = compared.findData(data);
        ASSERT_GE(at, 0) << data.toStdString();
        compared.setCurrentIndex(at);
        Q_EMIT compared.activated(at);
        ASSERT_TRUE(settles());
    };
    choose(QStringLiteral("job:two"));
    EXPECT_FALSE(view.isColumnHidden(ArtifactsModel::ChangeColumn));
    std::vector<std::string> states;
    for (int row = 0; row < view.model()->rowCount(); ++row)
        states.push_back(view.model()->index(row, ArtifactsModel::ChangeColumn).data().toString().toStdString());
    EXPECT_THAT(states, testing::Contains("differs"));
    EXPECT_THAT(states, testing::Contains("only there")) << "the other job has a second worker";
    const auto row = std::find(states.begin(), states.end(), "differs") - states.begin();
    view.setCurrentIndex(view.model()->index(static_cast<int>(row), 0));
    EXPECT_THAT(text.utf8Text(), HasSubstr("\n@@ "));
    EXPECT_THAT(child<QLabel>(pane, "artifactsTitle").text().toStdString(), HasSubstr("differ from"));
    choose(QStringLiteral("launcher"));
    EXPECT_THAT(child<QLabel>(pane, "artifactsTitle").text().toStdString(), HasSubstr("not compared with the other launcher"))
        << "the portable one does not take this frontend, and says why";
    choose({});
    EXPECT_TRUE(view.isColumnHidden(ArtifactsModel::ChangeColumn));
}

TEST_F(PanesTest, ArtifactsAreComparedWithWhatWasSubmittedLast)
{
    ArtifactsPane pane(session);
    show(pane);
    open(test::plainRecipe);
    auto& compared = child<QComboBox>(pane, "artifactsCompared");
    EXPECT_LT(compared.findData(QStringLiteral("submit")), 0) << "nothing was submitted";
    const auto& artifacts = *session.dryRun()->artifacts;
    ASSERT_GE(artifacts.size(), 3U);
    store::JobEntry job;
    job.id = "0123456789abcdef";
    job.name = "tiny";
    job.jobId = "4711";
    job.recipe = session.documents().current()->path.toStdString();
    job.step = store::Step::Submitted;
    job.submitted = 1;
    job.files = {{artifacts[0].name, artifacts[0].sha256, 1}, {artifacts[1].name, std::string(64, 'a'), 1}};
    session.jobs().take({job});
    ASSERT_TRUE(settles());
    const int at = compared.findData(QStringLiteral("submit"));
    ASSERT_GE(at, 0);
    compared.setCurrentIndex(at);
    Q_EMIT compared.activated(at);
    ASSERT_TRUE(settles());
    auto& view = child<TableView>(pane, "artifactsView");
    const auto change = [&](int row) { return view.model()->index(row, ArtifactsModel::ChangeColumn).data().toString(); };
    EXPECT_EQ(change(0), QStringLiteral("same"));
    EXPECT_EQ(change(1), QStringLiteral("differs"));
    EXPECT_EQ(change(2), QString()) << "it was not sent";
    EXPECT_THAT(child<QLabel>(pane, "artifactsTitle").text().toStdString(), HasSubstr("4711"));
    view.setCurrentIndex(view.model()->index(1, 0));
    EXPECT_EQ(child<RecipeEditor>(pane, "artifactText").utf8Text(), artifacts[1].bytes) << "of what was sent no bytes are known";
}

TEST_F(PanesTest, ArtifactsDifferLineByLineFromWhatWasSubmittedLast)
{
    ArtifactsPane pane(session);
    show(pane);
    open(test::plainRecipe + "environment:\n  HF_TOKEN: hf_newsecretindeed\n");
    const auto& artifacts = *session.dryRun()->artifacts;
    const auto recipe = std::find_if(artifacts.begin(), artifacts.end(),
                                     [](const render::Artifact& each) { return each.kind == render::ArtifactKind::Recipe; });
    ASSERT_NE(recipe, artifacts.end());
    std::string sent = recipe->bytes;
    sent.replace(sent.find("osl: 1024"), 9, "osl: 512");
    sent.replace(sent.find("hf_newsecretindeed"), 18, "hf_oldsecretindeed");
    const std::string sha256 = base::sha256Hex(sent);
    const store::SentBytes copy{sha256, sent};
    ASSERT_TRUE(store::keepSent(session.jobs().stateFolder().toStdString(), {&copy, 1}));
    store::JobEntry job;
    job.id = "0123456789abcdef";
    job.name = "tiny";
    job.recipe = session.documents().current()->path.toStdString();
    job.step = store::Step::Submitted;
    job.submitted = 1;
    job.files = {{recipe->name, sha256, sent.size()}};
    session.jobs().take({job});
    ASSERT_TRUE(settles());
    auto& compared = child<QComboBox>(pane, "artifactsCompared");
    const int at = compared.findData(QStringLiteral("submit"));
    ASSERT_GE(at, 0);
    compared.setCurrentIndex(at);
    Q_EMIT compared.activated(at);
    ASSERT_TRUE(settles());
    auto& view = child<TableView>(pane, "artifactsView");
    view.setCurrentIndex(view.model()->index(static_cast<int>(recipe - artifacts.begin()), 0));
    const std::string shown = child<RecipeEditor>(pane, "artifactText").utf8Text();
    EXPECT_THAT(shown, HasSubstr("-  osl: 512\n"));
    EXPECT_THAT(shown, HasSubstr("+  osl: 1024\n"));
    EXPECT_THAT(shown, testing::Not(HasSubstr("secretindeed"))) << "a secret of then is masked, too";
    EXPECT_THAT(child<QLabel>(pane, "artifactsTitle").text().toStdString(), HasSubstr("1 artifact"));
}

TEST_F(PanesTest, ArtifactsDifferLineByLineBetweenTheLaunchers)
{
    ArtifactsPane pane(session);
    show(pane);
    open(test::plainRecipe + "frontend:\n  type: sglang\n  enable_multiple_frontends: false\n");
    auto& compared = child<QComboBox>(pane, "artifactsCompared");
    const int at = compared.findData(QStringLiteral("launcher"));
    ASSERT_GE(at, 0);
    compared.setCurrentIndex(at);
    Q_EMIT compared.activated(at);
    ASSERT_TRUE(settles());
    EXPECT_THAT(child<QLabel>(pane, "artifactsTitle").text().toStdString(), HasSubstr("differ from the other launcher"));
    auto& view = child<TableView>(pane, "artifactsView");
    const auto rowOf = [&](const char* name) {
        for (int row = 0; row < view.model()->rowCount(); ++row)
            if (view.model()->index(row, 0).data().toString() == QLatin1String(name))
                return row;
        return -1;
    };
    view.setCurrentIndex(view.model()->index(rowOf("sbatch_script.sh"), 0));
    EXPECT_THAT(child<RecipeEditor>(pane, "artifactText").utf8Text(), HasSubstr("\n@@ "));
    EXPECT_EQ(view.model()->index(rowOf("config.yaml"), ArtifactsModel::ChangeColumn).data().toString(), QStringLiteral("same"))
        << "the recipe is the same for both";
}

TEST_F(PanesTest, EnvironmentAndMountsAreTablesWithScopeSourceAndExpansion)
{
    ArtifactsPane pane(session);
    show(pane);
    open(test::plainRecipe + "environment:\n  HF_TOKEN: hf_verysecretindeed\nextra_mount:\n  - \"$HOME/cache:/cache\"\n");
    auto& view = child<TableView>(pane, "artifactsView");
    auto& table = child<TableView>(pane, "artifactTable");
    const auto& artifacts = *session.dryRun()->artifacts;
    const auto choose = [&](render::ArtifactKind kind) {
        const auto found =
            std::find_if(artifacts.begin(), artifacts.end(), [kind](const render::Artifact& each) { return each.kind == kind; });
        view.setCurrentIndex(view.model()->index(static_cast<int>(found - artifacts.begin()), 0));
    };
    const auto titles = [&] {
        QStringList out;
        for (int column = 0; column < table.model()->columnCount(); ++column)
            out += table.model()->headerData(column, Qt::Horizontal).toString();
        return out;
    };
    const auto rowWith = [&](const char* word, int column) {
        for (int row = 0; row < table.model()->rowCount(); ++row)
            if (table.model()->index(row, column).data().toString() == QLatin1String(word))
                return row;
        return -1;
    };
    choose(render::ArtifactKind::Environment);
    ASSERT_TRUE(table.isVisible());
    EXPECT_EQ(titles(), QStringList({QStringLiteral("step"), QStringLiteral("name"), QStringLiteral("value"), QStringLiteral("source")}));
    const int token = rowWith("HF_TOKEN", 1);
    ASSERT_GE(token, 0);
    EXPECT_EQ(table.model()->index(token, 0).data().toString(), QStringLiteral("job script"));
    EXPECT_EQ(table.model()->index(token, 2).data().toString(), QStringLiteral("********"));
    EXPECT_EQ(table.model()->index(token, 3).data().toString(), QStringLiteral("environment"));
    choose(render::ArtifactKind::Mounts);
    EXPECT_EQ(titles().last(), QStringLiteral("expansion"));
    const int cache = rowWith("/cache", 1);
    ASSERT_GE(cache, 0);
    EXPECT_EQ(table.model()->index(cache, 2).data().toString(), QStringLiteral("extra_mount"));
    EXPECT_EQ(table.model()->index(cache, 3).data().toString(), QStringLiteral("expanded on the cluster: $HOME"));
    choose(render::ArtifactKind::Recipe);
    EXPECT_FALSE(table.isVisible());
    child<QLineEdit>(pane, "artifactWords").setText(QStringLiteral("$HOME/cache"));
    auto& hits = child<TableView>(pane, "artifactHits");
    ASSERT_TRUE(QTest::qWaitFor([&] { return hits.model()->rowCount() > 1; }));
    for (int row = 0; row < hits.model()->rowCount(); ++row)
        if (hits.model()->index(row, 0).data().toString() == QLatin1String("mounts.tsv"))
            hits.setCurrentIndex(hits.model()->index(row, 0));
    ASSERT_TRUE(table.isVisible());
    EXPECT_EQ(table.currentIndex().siblingAtColumn(1).data().toString(), QStringLiteral("/cache")) << "what was found is selected";
}

TEST_F(PanesTest, EveryArtifactHasItsHashToCopy)
{
    ArtifactsPane pane(session);
    show(pane);
    open(test::plainRecipe + "environment:\n  HF_TOKEN: hf_verysecretindeed\n");
    auto& view = child<TableView>(pane, "artifactsView");
    const auto& artifacts = *session.dryRun()->artifacts;
    for (std::size_t row = 0; row < artifacts.size(); ++row) {
        view.setCurrentIndex(view.model()->index(static_cast<int>(row), 0));
        for (QToolButton* each : pane.findChildren<QToolButton*>())
            if (each->text() == QStringLiteral("Copy SHA-256"))
                each->click();
        EXPECT_EQ(QGuiApplication::clipboard()->text().toStdString(), base::sha256Hex(artifacts[row].bytes))
            << "of the bytes that are sent, secrets and all";
        const QString begin = view.model()->index(static_cast<int>(row), ArtifactsModel::Sha256Column).data().toString().left(12);
        EXPECT_TRUE(QString::fromStdString(artifacts[row].sha256).startsWith(begin));
    }
}

TEST_F(PanesTest, ArtifactsAreExportedIntoAFolderWithoutSecrets)
{
    const std::string secret = "Leak01";
    ArtifactsPane pane(session);
    show(pane);
    open(test::plainRecipe + "environment:\n  OPTIONS: \"--api-key " + secret + " --url http://me:" + secret +
         "@host/\"\n# GIT_TOKEN=" + secret + "\n");
    std::size_t holding = 0;
    for (const render::Artifact& artifact : *session.dryRun()->artifacts)
        holding += artifact.bytes.find(secret) != std::string::npos ? 1 : 0;
    EXPECT_GE(holding, 3U) << "what is sent has it";
    for (QToolButton* each : pane.findChildren<QToolButton*>()) {
        if (each->menu() && each->text() == QStringLiteral("Export all"))
            each->menu()->actions().first()->trigger();
    }
    QFileDialog* dialog = nullptr;
    for (QFileDialog* each : pane.findChildren<QFileDialog*>())
        dialog = each;
    ASSERT_TRUE(dialog);
    const QString where = folder.filePath(QStringLiteral("exported"));
    Q_EMIT dialog->fileSelected(where);
    dialog->reject();
    ASSERT_TRUE(settles());
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(where.toStdString())) {
        if (!entry.is_regular_file())
            continue;
        ++files;
        EXPECT_THAT(bytesOf(QString::fromStdString(entry.path().string())), testing::Not(HasSubstr(secret))) << entry.path();
    }
    EXPECT_GE(files, session.dryRun()->artifacts->size());
}

TEST_F(PanesTest, AnArtifactWithACommandIsCopiedReadyToPaste)
{
    ArtifactsPane pane(session);
    show(pane);
    open(test::plainRecipe);
    auto& view = child<TableView>(pane, "artifactsView");
    auto& copy = child<QToolButton>(pane, "copyCommand");
    const auto& artifacts = *session.dryRun()->artifacts;
    int workers = 0;
    for (std::size_t row = 0; row < artifacts.size(); ++row) {
        view.setCurrentIndex(view.model()->index(static_cast<int>(row), 0));
        EXPECT_EQ(copy.isVisible(), artifacts[row].kind == render::ArtifactKind::Command) << artifacts[row].name;
        if (artifacts[row].kind != render::ArtifactKind::Command)
            continue;
        copy.click();
        const QString copied = QGuiApplication::clipboard()->text();
        workers += copied.contains(QStringLiteral(" --tensor-parallel-size 8")) ? 1 : 0;
        EXPECT_FALSE(copied.contains(QLatin1Char('\n')));
        EXPECT_FALSE(copied.startsWith(QLatin1Char('#')));
    }
    EXPECT_EQ(workers, 1);
}

TEST_F(PanesTest, SecretsAreMaskedWhereverArtifactsAreSeen)
{
    const std::string secret = "hf_verysecretindeed";
    std::string recipe = test::plainRecipe;
    recipe += "environment:\n  HF_TOKEN: " + secret + "\n";
    ArtifactsPane pane(session);
    show(pane);
    open(recipe);
    auto& view = child<TableView>(pane, "artifactsView");
    auto& text = child<RecipeEditor>(pane, "artifactText");
    const auto& artifacts = *session.dryRun()->artifacts;
    int holding = 0;
    for (std::size_t row = 0; row < artifacts.size(); ++row) {
        view.setCurrentIndex(view.model()->index(static_cast<int>(row), 0));
        EXPECT_THAT(text.utf8Text(), testing::Not(HasSubstr(secret))) << artifacts[row].name;
        if (artifacts[row].bytes.find(secret) == std::string::npos)
            continue;
        ++holding;
        EXPECT_THAT(text.utf8Text(), HasSubstr("********"));
        for (QToolButton* each : pane.findChildren<QToolButton*>()) {
            if (each->text() == QStringLiteral("Copy text"))
                each->click();
        }
        EXPECT_FALSE(QGuiApplication::clipboard()->text().contains(QString::fromStdString(secret)));
    }
    EXPECT_GE(holding, 1) << "what is sent has it";
    child<QLineEdit>(pane, "artifactWords").setText(QString::fromStdString(secret));
    QTest::qWait(300);
    ASSERT_TRUE(settles());
    EXPECT_EQ(child<TableView>(pane, "artifactHits").model()->rowCount(), 0);
}

TEST_F(PanesTest, ArtifactsAreExportedAsATarWithoutSecrets)
{
    const std::string secret = "hf_verysecretindeed";
    ArtifactsPane pane(session);
    show(pane);
    open(test::plainRecipe + "environment:\n  HF_TOKEN: " + secret + "\n");
    for (QToolButton* each : pane.findChildren<QToolButton*>()) {
        if (each->menu() && each->text() == QStringLiteral("Export all"))
            each->menu()->actions().last()->trigger();
    }
    auto* dialog = pane.findChild<QFileDialog*>(QStringLiteral("exportTarDialog"));
    ASSERT_TRUE(dialog);
    const QString file = folder.filePath(QStringLiteral("out.tar"));
    Q_EMIT dialog->fileSelected(file);
    dialog->reject();
    ASSERT_TRUE(settles());
    const std::string bytes = bytesOf(file);
    EXPECT_THAT(bytes, HasSubstr("out/sbatch_script.sh"));
    EXPECT_THAT(bytes, HasSubstr("HF_TOKEN"));
    EXPECT_THAT(bytes, testing::Not(HasSubstr(secret)));
}

TEST_F(PanesTest, TheMapOfTheTopologyIsWrittenAsAPicture)
{
    TopologyPane pane(session);
    show(pane);
    open(test::plainRecipe);
    for (QToolButton* each : pane.findChildren<QToolButton*>()) {
        if (each->text().startsWith(QStringLiteral("Export SVG")))
            each->click();
    }
    auto* dialog = pane.findChild<QFileDialog*>(QStringLiteral("exportMapDialog"));
    ASSERT_TRUE(dialog);
    const QString file = folder.filePath(QStringLiteral("map.svg"));
    Q_EMIT dialog->fileSelected(file);
    dialog->reject();
    ASSERT_TRUE(settles());
    EXPECT_THAT(bytesOf(file), HasSubstr("<svg"));
}

} // namespace
} // namespace wb::ui
