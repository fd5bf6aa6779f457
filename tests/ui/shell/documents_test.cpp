#include "tests/ui/shell/sessionfixture.h"

#include <QThread>

#include <cstdio>
#include <memory>
#include <vector>

namespace wb::ui {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class DocumentsTest : public test::SessionTest
{
protected:
    DocumentId opened(const QString& path)
    {
        session.documents().open(path);
        EXPECT_TRUE(settles());
        const Document* document = session.documents().find(path);
        EXPECT_TRUE(document) << "not opened";
        return document ? document->id : DocumentId{};
    }

    const Document& at(DocumentId id) { return *session.documents().find(id); }
};

TEST_F(DocumentsTest, ChecksWhatIsOpened)
{
    const DocumentId id = opened(write(QStringLiteral("a.yaml"), test::plainRecipe));
    ASSERT_TRUE(at(id).checked);
    EXPECT_TRUE(at(id).isCheckCurrent());
    EXPECT_EQ(at(id).checked->variants.size(), 1U);
    EXPECT_FALSE(at(id).isModified);
    EXPECT_EQ(session.documents().current()->id, id);
}

TEST_F(DocumentsTest, GivesWhatWasMadeReadyOnTheWorkerWhileItTellsOfTheText)
{
    struct Thread final : Documents::Prepared {
        const QThread* of = QThread::currentThread();
    };
    session.documents().setPreparation([](const std::string& text) -> std::shared_ptr<Documents::Prepared> {
        return text == test::plainRecipe ? std::make_shared<Thread>() : nullptr;
    });
    std::vector<std::shared_ptr<Documents::Prepared>> told;
    QObject::connect(&session.documents(), &Documents::opened, &session.documents(),
                     [&](DocumentId id) { told.push_back(session.documents().takePrepared(id)); });
    opened(write(QStringLiteral("a.yaml"), test::plainRecipe));
    opened(write(QStringLiteral("b.yaml"), test::overrideRecipe()));
    ASSERT_EQ(told.size(), 2U);
    const auto made = std::dynamic_pointer_cast<Thread>(told.front());
    ASSERT_TRUE(made);
    EXPECT_NE(made->of, QThread::currentThread());
    EXPECT_FALSE(told.back());
    EXPECT_FALSE(session.documents().takePrepared(session.documents().current()->id)) << "it is gone when opening was told";
}

TEST_F(DocumentsTest, OpensAFileOnce)
{
    const QString path = write(QStringLiteral("a.yaml"), test::plainRecipe);
    const DocumentId id = opened(path);
    EXPECT_EQ(opened(path), id);
    EXPECT_EQ(session.documents().ids().size(), 1U);
}

TEST_F(DocumentsTest, StandInTheOrderInWhichTheyWereAskedForWhicheverIsReadFirst)
{
    std::string large = test::plainRecipe;
    while (large.size() < 8'000'000)
        large += "# a long comment that takes a while to read, and is longer than the whole of the other file\n";
    const QString first = write(QStringLiteral("first.yaml"), large);
    const QString second = write(QStringLiteral("second.yaml"), test::plainRecipe);
    session.documents().open(first);
    session.documents().open(second);
    ASSERT_TRUE(settles());
    ASSERT_EQ(session.documents().ids().size(), 2U);
    EXPECT_EQ(at(session.documents().ids()[0]).path, first);
    ASSERT_TRUE(session.documents().current());
    EXPECT_EQ(session.documents().current()->path, second);
}

TEST_F(DocumentsTest, WhatWasAskedForLastIsInFrontWhicheverArrivesLast)
{
    const QString front = write(QStringLiteral("front.yaml"), test::plainRecipe);
    const QString late = write(QStringLiteral("late.yaml"), test::plainRecipe);
    const QString later = write(QStringLiteral("later.yaml"), test::plainRecipe);
    const DocumentId id = opened(front);
    std::vector<DocumentId> placed;
    QObject::connect(&session.documents(), &Documents::placeRequested, &session,
                     [&](DocumentId each, std::size_t) { placed.push_back(each); });
    session.documents().open(late, {.variant = {}, .offset = 5});
    session.documents().open(front); // is there already, and so in front at once
    ASSERT_TRUE(settles());
    EXPECT_EQ(session.documents().current()->id, id) << "a place to show is no reason to come to the front";
    EXPECT_THAT(placed, testing::ElementsAre(session.documents().find(late)->id)) << "it is at its place for later";
    session.documents().open(later, {.variant = {}, .offset = 5});
    session.documents().setCurrent(session.documents().find(late)->id); // as a click on its tab
    ASSERT_TRUE(settles());
    EXPECT_EQ(session.documents().current()->path, late);
}

TEST_F(DocumentsTest, KeepsOnlyTheCheckOfTheLatestText)
{
    const DocumentId id = opened(write(QStringLiteral("a.yaml"), test::plainRecipe));
    for (int i = 0; i < 20; ++i)
        session.documents().setText(id, test::plainRecipe + "# " + std::to_string(i) + "\n");
    ASSERT_TRUE(settles());
    EXPECT_TRUE(at(id).isCheckCurrent());
    EXPECT_THAT(at(id).checked->source->text(), HasSubstr("# 19"));
}

TEST_F(DocumentsTest, IsModifiedExactlyWhileItDiffersFromTheFile)
{
    const DocumentId id = opened(write(QStringLiteral("a.yaml"), test::plainRecipe));
    session.documents().setText(id, test::plainRecipe + "x");
    EXPECT_TRUE(at(id).isModified);
    session.documents().setText(id, test::plainRecipe);
    EXPECT_FALSE(at(id).isModified);
}

TEST_F(DocumentsTest, SavesWithTheLineEndsOfTheFile)
{
    const QString path = write(QStringLiteral("a.yaml"), "name: a\r\n# note\r\n");
    const DocumentId id = opened(path);
    session.documents().setText(id, "name: b\n# note\n");
    bool isSaved = false;
    session.documents().save(id, {}, [&](bool done) { isSaved = done; });
    ASSERT_TRUE(settles());
    EXPECT_TRUE(isSaved);
    EXPECT_EQ(bytesOf(path), "name: b\r\n# note\r\n");
    EXPECT_FALSE(at(id).isModified);
}

TEST_F(DocumentsTest, DoesNotOverwriteWhatAnotherProgramWrote)
{
    const QString path = write(QStringLiteral("a.yaml"), "name: a\n");
    const DocumentId id = opened(path);
    session.documents().setText(id, "name: b\n");
    write(QStringLiteral("a.yaml"), "name: theirs\n");
    bool isSaved = true;
    session.documents().save(id, {}, [&](bool done) { isSaved = done; });
    ASSERT_TRUE(settles());
    EXPECT_FALSE(isSaved);
    EXPECT_EQ(bytesOf(path), "name: theirs\n");
    EXPECT_TRUE(at(id).isModified) << "nothing of the user's is lost";
    EXPECT_THAT(logged().back(), HasSubstr("changed by another program"));
}

TEST_F(DocumentsTest, ReadsAFileAgainThatAnotherProgramChanged)
{
    const QString path = write(QStringLiteral("a.yaml"), "name: a\n");
    const DocumentId id = opened(path);
    std::string shown;
    QObject::connect(&session.documents(), &Documents::replaced, &session, [&](DocumentId, const std::string& text) { shown = text; });
    write(QStringLiteral("a.yaml"), "name: other\n");
    session.documents().lookForChanges();
    ASSERT_TRUE(settles());
    EXPECT_EQ(shown, "name: other\n");
    EXPECT_EQ(at(id).source->text(), "name: other\n");
    EXPECT_FALSE(at(id).isModified);
}

TEST_F(DocumentsTest, AsksWhenAFileWasChangedThatHasUnsavedChanges)
{
    const QString path = write(QStringLiteral("a.yaml"), "name: a\n");
    const DocumentId id = opened(path);
    session.documents().setText(id, "name: mine\n");
    write(QStringLiteral("a.yaml"), "name: other\n");
    session.documents().lookForChanges();
    ASSERT_TRUE(settles());
    EXPECT_EQ(at(id).source->text(), "name: mine\n");
    ASSERT_TRUE(at(id).changedOnDisk);
    EXPECT_EQ(at(id).changedOnDisk->text, "name: other\n");
    session.documents().keepMine(id);
    EXPECT_FALSE(at(id).changedOnDisk);
    session.documents().save(id);
    ASSERT_TRUE(settles());
    EXPECT_EQ(bytesOf(path), "name: mine\n") << "it was chosen to keep mine";

    session.documents().setText(id, "name: again\n");
    write(QStringLiteral("a.yaml"), "name: theirs, and longer\n");
    session.documents().lookForChanges();
    ASSERT_TRUE(settles());
    session.documents().takeFromDisk(id);
    EXPECT_EQ(at(id).source->text(), "name: theirs, and longer\n");
    EXPECT_FALSE(at(id).isModified);
}

TEST_F(DocumentsTest, NoticesAChangeByItselfAlsoWhenTheFileIsReplaced)
{
    const QString path = write(QStringLiteral("a.yaml"), "name: a\n");
    const DocumentId id = opened(path);
    for (const char* next : {"name: bb\n", "name: ccc\n"}) {
        write(QStringLiteral("new"), next);
        ASSERT_EQ(std::rename(folder.filePath(QStringLiteral("new")).toStdString().c_str(), path.toStdString().c_str()), 0);
        EXPECT_TRUE(QTest::qWaitFor([&] { return at(id).source->text() == next; }, 10'000)) << next;
    }
}

TEST_F(DocumentsTest, TellsAFileThatIsGoneAndWritesItAgain)
{
    const QString path = write(QStringLiteral("a.yaml"), "name: a\n");
    const DocumentId id = opened(path);
    QFile::remove(path);
    session.documents().lookForChanges();
    ASSERT_TRUE(settles());
    EXPECT_TRUE(at(id).isGone);
    session.documents().save(id);
    ASSERT_TRUE(settles());
    EXPECT_FALSE(at(id).isGone);
    EXPECT_EQ(bytesOf(path), "name: a\n");
}

TEST_F(DocumentsTest, SavesUnderAnotherName)
{
    const DocumentId id = session.documents().add("name: new\n");
    EXPECT_TRUE(at(id).isModified);
    const QString path = folder.filePath(QStringLiteral("new.yaml"));
    session.documents().save(id, path);
    ASSERT_TRUE(settles());
    EXPECT_EQ(bytesOf(path), "name: new\n");
    EXPECT_EQ(at(id).path, path);
    EXPECT_EQ(at(id).title, QStringLiteral("new.yaml"));
    EXPECT_EQ(at(id).checked->source->path(), path.toStdString());
}

TEST_F(DocumentsTest, SaysWhyAFileCannotBeOpened)
{
    session.documents().open(folder.filePath(QStringLiteral("absent.yaml")));
    session.documents().open(write(QStringLiteral("binary.yaml"), std::string("\0\1", 2)));
    ASSERT_TRUE(settles());
    EXPECT_THAT(session.documents().ids(), IsEmpty());
    EXPECT_THAT(logged(), testing::UnorderedElementsAre(HasSubstr("absent.yaml"), HasSubstr("NUL")));
}

TEST_F(DocumentsTest, ShowsAnEmptyFileAsAFinding)
{
    const DocumentId id = opened(write(QStringLiteral("empty.yaml"), ""));
    ASSERT_TRUE(at(id).checked);
    EXPECT_FALSE(at(id).checked->valid);
    EXPECT_FALSE(at(id).checked->diagnostics.empty());
}

TEST_F(DocumentsTest, MakesNoFixThatWasFoundInAnotherText)
{
    const DocumentId id = opened(write(QStringLiteral("a.yaml"), test::plainRecipe));
    int asked = 0;
    QObject::connect(&session.documents(), &Documents::fixRequested, &session, [&] { ++asked; });
    const std::size_t version = at(id).version;
    session.documents().setText(id, test::plainRecipe + "\n");
    session.documents().applyFix(id, version, {});
    EXPECT_EQ(asked, 0);
    session.documents().applyFix(id, at(id).version, {});
    EXPECT_EQ(asked, 1);
}

TEST_F(DocumentsTest, MakesAnotherDocumentCurrentWhenOneIsClosed)
{
    const DocumentId first = opened(write(QStringLiteral("a.yaml"), test::plainRecipe));
    const DocumentId second = opened(write(QStringLiteral("b.yaml"), test::plainRecipe));
    session.documents().close(second);
    EXPECT_EQ(session.documents().current()->id, first);
    session.documents().close(first);
    EXPECT_EQ(session.documents().current(), nullptr);
    ASSERT_TRUE(settles()) << "a check that was under way is dropped quietly";
}

} // namespace
} // namespace wb::ui
