#include "core/results/importreport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wb::results {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

Imported sample()
{
    Imported imported;
    ImportedFile good;
    good.path = "a/good.json";
    good.format = "sa-bench";
    good.state = FileState::Imported;
    good.points.resize(2);
    ImportedFile bad;
    bad.path = "a/\x1b[31mred\n.json";
    bad.state = FileState::Refused;
    bad.reason = "It is \xE2\x80\xAE wrong.";
    ImportedFile known = good;
    known.path = "a/known.json";
    known.state = FileState::Unchanged;
    known.points.clear();
    known.kept = 3;
    ImportedFile archive;
    archive.path = "a/x.tar";
    archive.format = "archive";
    archive.state = FileState::Imported;
    archive.points.resize(2);
    archive.inside = {good, bad};
    imported.files = {good, bad, known, archive};
    return imported;
}

TEST(ImportReport, TellsOfEachFileAlsoOfThoseInArchivesAndCountsPointsOnce)
{
    const auto lines = reportLines(sample());
    ASSERT_THAT(lines, SizeIs(6));
    EXPECT_EQ(reportSummary(lines), "7 points: 3 files imported, 1 unchanged, 2 refused.");
    EXPECT_THAT(reportLines(sample(), FileState::Refused), SizeIs(2));
}

TEST(ImportReport, NothingFromAFileOrANameReachesATerminalAsItIs)
{
    const std::string text = reportText(reportLines(sample()));
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_THAT(text, Not(HasSubstr("\xE2\x80\xAE")));
    EXPECT_THAT(text, HasSubstr("\\x1b[31mred\\x0a.json"));
    EXPECT_THAT(text, HasSubstr("imported\ta/good.json\tsa-bench, 2 points\n"));
}

TEST(ImportReport, AsJsonHasTheKeysOfTheContract)
{
    const auto json = reportJson(reportLines(sample()), {{"f", {"run"}, {{"model.repo", "a", "", IdentityState::Unknown}}, {"note"}}});
    EXPECT_EQ(json.find("points")->integer(), 7);
    const auto& file = json.find("files")->array().at(1);
    for (const char* key : {"path", "format", "points", "state", "reason", "warnings"})
        EXPECT_NE(file.find(key), nullptr) << key;
    EXPECT_TRUE(file.find("format")->isNull());
    EXPECT_EQ(*json.find("runs")->array().at(0).find("identity")->array().at(0).find("state")->string(), "unknown");
}

TEST(ImportReport, StatesHaveNames)
{
    EXPECT_EQ(stateNamed("refused"), FileState::Refused);
    EXPECT_EQ(stateNamed("other"), std::nullopt);
}

} // namespace
} // namespace wb::results
