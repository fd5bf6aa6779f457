#include "tests/ui/shell/sessionfixture.h"
#include "ui/shell/draftsdialog.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QTreeWidget>

#include <filesystem>

namespace wb::ui {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// A session that keeps drafts, beside the fixture's own, which does not.
class DraftsTest : public test::SessionTest
{
protected:
    [[nodiscard]] std::unique_ptr<Session> started() const
    {
        return std::make_unique<Session>(SessionOptions{
            .dataFolder = folder.path() + QStringLiteral("/data"), .draftsFolder = drafts(), .mode = async::Mode::Pool, .environment = {}});
    }
    [[nodiscard]] QString drafts() const { return folder.path() + QStringLiteral("/drafts"); }

    static bool settles(Session& of)
    {
        return QTest::qWaitFor([&of] { return of.workers().isIdle(); }, 20'000);
    }

    [[nodiscard]] std::vector<std::string> kept() const
    {
        std::vector<std::string> files;
        std::error_code none;
        for (const auto& each : fs::recursive_directory_iterator(drafts().toStdString(), none)) {
            if (each.path().extension() == ".json")
                files.push_back(bytesOf(QString::fromStdString(each.path().string())));
        }
        return files;
    }

    /// What a killed program leaves: its folder with a lock that nobody holds.
    void leave(const store::Draft& draft) const
    {
        const fs::path gone = fs::path(drafts().toStdString()) / "4711-abcdef";
        fs::create_directories(gone);
        auto recovery = store::Recovery::open(drafts().toStdString());
        ASSERT_TRUE(recovery);
        ASSERT_TRUE(recovery->keep("doc1", draft));
        for (const auto& each : fs::recursive_directory_iterator(drafts().toStdString())) {
            if (each.path().extension() == ".json" && each.path().parent_path() != gone)
                fs::copy(each.path(), gone / each.path().filename());
        }
        recovery->drop("doc1");
    }
};

TEST_F(DraftsTest, KeepsWhatWasTypedAndForgetsItOnceItIsSaved)
{
    const QString path = write(QStringLiteral("a.yaml"), test::plainRecipe);
    const auto mine = started();
    mine->documents().open(path);
    ASSERT_TRUE(settles(*mine));
    const DocumentId id = mine->documents().current()->id;
    mine->documents().setText(id, test::plainRecipe + "# typed\n");
    ASSERT_TRUE(QTest::qWaitFor([&] { return kept().size() == 1; }, 2 * Drafts::delay + 3000)) << "kept within seconds";
    EXPECT_THAT(kept()[0], HasSubstr("# typed"));
    mine->documents().save(id);
    EXPECT_TRUE(QTest::qWaitFor([&] { return kept().empty(); }, 2 * Drafts::delay + 3000)) << "what is saved is no draft";
    EXPECT_EQ(bytesOf(path), test::plainRecipe + "# typed\n");
}

TEST_F(DraftsTest, ClosingInOrderLeavesNothing)
{
    {
        const auto mine = started();
        mine->documents().add("name: given up\n");
        ASSERT_TRUE(QTest::qWaitFor([&] { return kept().size() == 1; }, 2 * Drafts::delay + 3000));
    }
    EXPECT_TRUE(kept().empty());
}

TEST_F(DraftsTest, OffersWhatAnEarlierProgramLeftAndPutsItOverTheFileAsAChange)
{
    const QString path = write(QStringLiteral("a.yaml"), test::plainRecipe);
    leave({path.toStdString(), "a.yaml", test::plainRecipe + "# lost\n", "x", 1});
    const auto mine = started();
    std::vector<store::Orphan> orphans;
    QObject::connect(&mine->drafts(), &Drafts::found, mine.get(), [&](const auto& found) { orphans = found; });
    mine->drafts().look();
    ASSERT_TRUE(settles(*mine));
    ASSERT_EQ(orphans.size(), 1U);
    QString replaced;
    QObject::connect(&mine->documents(), &Documents::replaced, mine.get(), [&](DocumentId id, const std::string& text) {
        replaced = QString::fromStdString(text);
        mine->documents().setText(id, text); // as an editor does
    });
    mine->drafts().restore(orphans[0]);
    ASSERT_TRUE(settles(*mine));
    EXPECT_THAT(replaced.toStdString(), HasSubstr("# lost"));
    ASSERT_TRUE(mine->documents().current());
    EXPECT_TRUE(mine->documents().current()->isModified);
    EXPECT_EQ(bytesOf(path), test::plainRecipe) << "nothing is written unasked";
}

TEST_F(DraftsTest, ATextWhoseFileIsGoneComesBackUnderItsName)
{
    leave({folder.filePath(QStringLiteral("gone.yaml")).toStdString(), "gone.yaml", "name: x\n", "x", 1});
    const auto mine = started();
    std::vector<store::Orphan> orphans;
    QObject::connect(&mine->drafts(), &Drafts::found, mine.get(), [&](const auto& found) { orphans = found; });
    mine->drafts().look();
    ASSERT_TRUE(settles(*mine));
    ASSERT_EQ(orphans.size(), 1U);
    mine->drafts().restore(orphans[0]);
    ASSERT_TRUE(settles(*mine));
    const Document* document = mine->documents().current();
    ASSERT_TRUE(document);
    EXPECT_EQ(document->source->text(), "name: x\n");
    EXPECT_TRUE(document->isModified);
    EXPECT_TRUE(document->isGone);
    mine->documents().save(document->id);
    ASSERT_TRUE(settles(*mine));
    EXPECT_EQ(bytesOf(folder.filePath(QStringLiteral("gone.yaml"))), "name: x\n");
}

TEST_F(DraftsTest, TheDialogRestoresAndDiscardsOneByOne)
{
    const auto mine = started();
    const auto draft = [](std::string title) { return store::Draft{"", std::move(title), "name: x\n", "", 1}; };
    auto* dialog = new DraftsDialog(*mine, {{"/nowhere/1/a.json", draft("One")}, {"/nowhere/1/b.json", draft("Two")}}, nullptr);
    dialog->open();
    auto* list = dialog->findChild<QTreeWidget*>(QStringLiteral("draftsList"));
    ASSERT_TRUE(list);
    EXPECT_EQ(list->topLevelItemCount(), 2);
    const auto button = [&](const QString& text) {
        for (QPushButton* each : dialog->findChildren<QPushButton*>()) {
            if (each->text().remove(QLatin1Char('&')) == text)
                return each;
        }
        return static_cast<QPushButton*>(nullptr);
    };
    ASSERT_TRUE(button(QStringLiteral("Discard")));
    button(QStringLiteral("Discard"))->click();
    EXPECT_EQ(list->topLevelItemCount(), 1);
    const QSignalSpy closed(dialog, &QDialog::accepted);
    button(QStringLiteral("Restore"))->click();
    EXPECT_EQ(closed.count(), 1);
    ASSERT_TRUE(settles(*mine));
    ASSERT_TRUE(mine->documents().current());
    EXPECT_EQ(mine->documents().current()->title, QStringLiteral("Two"));
    mine->documents().close(mine->documents().current()->id);
}

} // namespace
} // namespace wb::ui
