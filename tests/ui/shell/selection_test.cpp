#include "tests/ui/shell/sessionfixture.h"

namespace wb::ui {
namespace {

using testing::HasSubstr;

class SelectionTest : public test::SessionTest
{
protected:
    void open(const std::string& bytes, const std::string& wanted = {})
    {
        session.documents().open(write(QStringLiteral("a.yaml"), bytes), {.variant = wanted, .offset = {}});
        ASSERT_TRUE(settles());
        ASSERT_TRUE(session.selection().checked());
    }

    std::string suffix()
    {
        const check::CheckedVariant* variant = session.selection().checkedVariant();
        return variant ? variant->variant.suffix.value_or("(none)") : "(nothing selected)";
    }

    void choose(const std::string& wanted)
    {
        const auto& variants = session.selection().checked()->variants;
        for (std::size_t i = 0; i < variants.size(); ++i) {
            if (variants[i].variant.suffix == wanted)
                session.selection().setVariant(i);
        }
    }
};

TEST_F(SelectionTest, IsTheFirstVariantUntilAnotherIsChosen)
{
    open(test::overrideRecipe());
    EXPECT_EQ(session.selection().variant(), 0U);
    choose("short");
    EXPECT_EQ(suffix(), "short");
}

TEST_F(SelectionTest, StaysWithTheVariantWhenOthersComeBeforeIt)
{
    open(test::overrideRecipe());
    choose("short");
    const std::string more = test::overrideRecipe();
    const std::size_t at = more.find("override_two");
    session.documents().setText(session.documents().current()->id,
                                more.substr(0, at) + "override_zero:\n  slurm:\n    time_limit: \"2:00:00\"\n\n" + more.substr(at));
    ASSERT_TRUE(settles());
    EXPECT_EQ(suffix(), "short");
}

TEST_F(SelectionTest, FollowsTheSelectorThatAFileIsOpenedWith)
{
    open(test::overrideRecipe(), "two");
    EXPECT_EQ(suffix(), "two");
    open(test::overrideRecipe(), "short");
    EXPECT_EQ(suffix(), "short") << "also when the file is open already";
}

TEST_F(SelectionTest, SaysWhenThereIsNoSuchVariant)
{
    open(test::overrideRecipe(), "absent");
    EXPECT_EQ(session.selection().variant(), 0U);
    EXPECT_THAT(logged().back(), HasSubstr("absent"));
}

TEST_F(SelectionTest, IsKeptForEachDocument)
{
    open(test::overrideRecipe());
    choose("short");
    const DocumentId first = session.documents().current()->id;
    session.documents().open(write(QStringLiteral("b.yaml"), test::overrideRecipe()));
    ASSERT_TRUE(settles());
    EXPECT_EQ(session.selection().variant(), 0U);
    session.documents().setCurrent(first);
    EXPECT_EQ(suffix(), "short");
}

TEST_F(SelectionTest, IsNothingWithoutADocument)
{
    EXPECT_FALSE(session.selection().variant());
    EXPECT_EQ(session.selection().checkedVariant(), nullptr);
    session.selection().setVariant(3);
    EXPECT_FALSE(session.selection().variant());
}

} // namespace
} // namespace wb::ui
