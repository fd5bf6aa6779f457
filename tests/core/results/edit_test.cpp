#include "core/results/importer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wb::results {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(SetByUser, PutsAValueWithItsOriginAndTellsWhatTheFileSaid)
{
    Point p;
    p.source = "r.json";
    p.gpus.working = 16;
    p.gpus.total = 16;
    p.gpus.origin = "file name";
    ASSERT_TRUE(setByUser(p, "gpus", "8"));
    EXPECT_EQ(p.gpus.working, 8);
    EXPECT_EQ(p.gpus.total, 8);
    EXPECT_THAT(p.gpus.origin, HasSubstr("told by the user"));
    EXPECT_EQ(originOf(p, "gpus.working")->key, "told by the user");
    EXPECT_THAT(p.notes, Contains("Working GPUs: the file says 16, you said 8."));
    ASSERT_TRUE(setByUser(p, "hardware", "gb200"));
    EXPECT_EQ(p.hardware, "gb200");
    ASSERT_TRUE(setByUser(p, "run", "my run"));
    EXPECT_EQ(p.run.text, "my run");
}

TEST(SetByUser, AgreementIsNotTold)
{
    Point p;
    p.isl = 1024;
    ASSERT_TRUE(setByUser(p, "isl", "1024"));
    EXPECT_THAT(p.notes, IsEmpty());
}

TEST(SetByUser, AnEmptyTextMakesItUnknown)
{
    Point p;
    p.isl = 1024;
    ASSERT_TRUE(setByUser(p, "isl", ""));
    EXPECT_EQ(p.isl, std::nullopt);
    EXPECT_EQ(whyUnknown(p, "isl"), std::nullopt);
}

TEST(SetByUser, RefusesWhatCannotBe)
{
    Point p;
    for (const auto& [field, text] : {std::pair("isl", "many"), std::pair("isl", "-1"), std::pair("isl", "inf"), std::pair("nothing", "1"),
                                      std::pair("id", "x"), std::pair("run", ""), std::pair("gpus", "0"), std::pair("gpus.working", "0.0"),
                                      std::pair("gpus.allocated", "-0"), std::pair("concurrency", "0")})
        EXPECT_FALSE(setByUser(p, field, text)) << field << '=' << text;
    EXPECT_EQ(p, Point());
}

} // namespace
} // namespace wb::results
