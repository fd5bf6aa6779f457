#include "tests/ui/shell/sessionfixture.h"
#include "ui/shell/comparison.h"

namespace wb::ui {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string sweepRecipe()
{
    std::string text = test::plainRecipe + "sweep:\n  isl: [1024, 8192]\n";
    text.replace(text.find("isl: 1024"), 9, "isl: \"{isl}\"");
    return text;
}

class ConversionsTest : public test::SessionTest
{
protected:
    ConversionsTest()
    {
        QObject::connect(&session.conversions(), &Conversions::ready, &session, [this](const Conversion& each) { made = each; });
    }

    DocumentId open(const std::string& bytes, const QString& name = QStringLiteral("a.yaml"))
    {
        session.documents().open(write(name, bytes));
        EXPECT_TRUE(settles());
        return session.documents().current()->id;
    }

    std::optional<Conversion> made;
};

TEST_F(ConversionsTest, ASweepBecomesAZipAsAChangeThatIsProved)
{
    const DocumentId id = open(sweepRecipe());
    session.conversions().asZip(id);
    ASSERT_TRUE(settles());
    ASSERT_TRUE(made);
    EXPECT_TRUE(made->isProved) << made->reasons.join(u' ').toStdString();
    EXPECT_EQ(session.documents().find(id)->source->text(), sweepRecipe()) << "nothing changes before it is applied";
    std::string wanted;
    QString step;
    QObject::connect(&session.documents(), &Documents::changeRequested, &session,
                     [&](DocumentId, const QString& name, const std::string& text) {
                         step = name;
                         wanted = text;
                     });
    session.conversions().apply(*made);
    EXPECT_THAT(wanted, HasSubstr("zip_override_sweep"));
    EXPECT_FALSE(step.isEmpty());
}

TEST_F(ConversionsTest, AChangeOfATextThatWasEditedMeanwhileIsNotMade)
{
    const DocumentId id = open(sweepRecipe());
    session.conversions().asZip(id);
    ASSERT_TRUE(settles());
    session.documents().setText(id, sweepRecipe() + "# more\n");
    bool isAsked = false;
    QObject::connect(&session.documents(), &Documents::changeRequested, &session, [&] { isAsked = true; });
    session.conversions().apply(*made);
    EXPECT_FALSE(isAsked);
    EXPECT_THAT(logged(), Contains(HasSubstr("changed meanwhile")));
    EXPECT_TRUE(settles());
}

TEST_F(ConversionsTest, MigrationIsShownWithItsProof)
{
    const DocumentId id = open(test::plainRecipe);
    session.conversions().migrate(id);
    ASSERT_TRUE(settles());
    ASSERT_TRUE(made);
    EXPECT_THAT(made->after, Not(IsEmpty()));
    EXPECT_TRUE(made->isProved) << made->reasons.join(u' ').toStdString();
    EXPECT_THAT(made->notes.join(u' ').toStdString(), HasSubstr("observability.tachometer.enabled"));
    EXPECT_THAT(made->verdict.toStdString(), HasSubstr("equal but for: \"observability.tachometer.enabled\""))
        << "not the same jobs, where a difference is told below";
}

TEST_F(ConversionsTest, FilesBecomeOneAndOneBecomesFiles)
{
    std::string other = test::plainRecipe;
    other.replace(other.find("tiny"), 4, "long");
    other.replace(other.find("isl: 1024"), 9, "isl: 8192");
    const QString a = write(QStringLiteral("r/run_a.yaml"), test::plainRecipe);
    const QString b = write(QStringLiteral("r/run_b.yaml"), other);
    session.conversions().consolidate({a, b});
    ASSERT_TRUE(settles());
    ASSERT_TRUE(made);
    ASSERT_TRUE(made->isProved) << made->reasons.join(u' ').toStdString();
    EXPECT_THAT(made->after, HasSubstr("zip_override_run:"));
    session.conversions().apply(*made);
    ASSERT_TRUE(settles());
    const Document* opened = session.documents().current();
    ASSERT_TRUE(opened && opened->path.isEmpty()) << "it is a new text";
    session.conversions().explode(opened->id);
    ASSERT_TRUE(settles());
    ASSERT_EQ(made->files.size(), 2U);
    EXPECT_TRUE(made->isProved);
    const QString out = folder.filePath(QStringLiteral("out"));
    QDir().mkpath(out);
    session.conversions().writeFiles(*made, out);
    ASSERT_TRUE(settles());
    EXPECT_EQ(QDir(out).entryList({QStringLiteral("*.yaml")}), (QStringList{QStringLiteral("long.yaml"), QStringLiteral("tiny.yaml")}));
    const std::string before = bytesOf(out + QStringLiteral("/tiny.yaml"));
    session.conversions().writeFiles(*made, out);
    ASSERT_TRUE(settles());
    EXPECT_THAT(logged(), Contains(HasSubstr("is there already; nothing was written")));
    EXPECT_EQ(bytesOf(out + QStringLiteral("/tiny.yaml")), before);
}

TEST_F(ConversionsTest, WhatCannotBeDoneSaysWhy)
{
    const DocumentId id = open(test::plainRecipe);
    session.conversions().asSweep(id);
    ASSERT_TRUE(settles());
    ASSERT_TRUE(made);
    EXPECT_FALSE(made->isProved);
    EXPECT_TRUE(made->after.empty());
    EXPECT_FALSE(made->reasons.isEmpty());
    EXPECT_EQ(session.tasks().all().back().state, TaskState::Failed);
}

TEST_F(ConversionsTest, RecipesAndJobsAreComparedSideBySide)
{
    const QString a = write(QStringLiteral("a.yaml"), test::plainRecipe);
    const QString b = write(QStringLiteral("b.yaml"), test::overrideRecipe());
    session.compare({{.path = a}, {.path = b, .variant = "override_*"}, {.path = folder.filePath(QStringLiteral("gone.yaml"))}});
    ASSERT_TRUE(settles());
    const auto& result = session.comparison().result();
    ASSERT_TRUE(result);
    ASSERT_EQ(result->sides.size(), 3U) << "a selector may mean several jobs";
    EXPECT_EQ(result->errors.size(), 1U) << "what is not there is told";
    for (const check::SideRow& row : result->rows) {
        if (row.path == "resources.agg_nodes") {
            EXPECT_EQ(row.cells[0].value, "1");
            EXPECT_EQ(row.cells[1].value, "1") << "the variants stand by name: short";
            EXPECT_EQ(row.cells[2].value, "2") << "two";
            EXPECT_FALSE(row.isSame);
        }
    }
}

TEST_F(ConversionsTest, TrialValuesCountWithoutTouchingTheText)
{
    const DocumentId id = open(test::plainRecipe);
    const std::string before = session.documents().find(id)->source->text();
    session.documents().setTrial(
        id, {{.key = "resources.agg_nodes", .text = "2", .remove = false}, {.key = "resources.agg_workers", .text = "2", .remove = false}});
    ASSERT_TRUE(settles());
    const Document* document = session.documents().find(id);
    ASSERT_EQ(document->checked->variants.size(), 1U);
    EXPECT_EQ(document->checked->variants[0].counts.nodes, 2);
    EXPECT_EQ(document->source->text(), before);
    EXPECT_FALSE(document->isModified);
    session.documents().setTrial(id, {});
    ASSERT_TRUE(settles());
    EXPECT_EQ(session.documents().find(id)->checked->variants[0].counts.nodes, 1);
}

} // namespace
} // namespace wb::ui
