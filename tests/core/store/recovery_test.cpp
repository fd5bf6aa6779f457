#include "core/store/recovery.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

namespace wb::store {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class RecoveryTest : public testing::Test
{
protected:
    void SetUp() override
    {
        std::string made = (fs::temp_directory_path() / "srtwb-recovery-XXXXXX").string();
        ASSERT_NE(::mkdtemp(made.data()), nullptr);
        folder = fs::path(made) / "drafts";
    }
    void TearDown() override { fs::remove_all(folder.parent_path()); }

    Recovery opened() const
    {
        auto recovery = Recovery::open(folder.string());
        EXPECT_TRUE(recovery) << (recovery ? "" : recovery.error().message);
        return std::move(*recovery);
    }

    static Draft draft(std::string text, std::int64_t time = 1) { return {"/home/u/a.yaml", "a.yaml", std::move(text), "abc", time}; }

    /// A program that keeps drafts and is killed.
    void crash(const std::vector<Draft>& drafts) const
    {
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            auto recovery = Recovery::open(folder.string());
            int key = 0;
            bool isKept = recovery.has_value();
            for (const Draft& each : drafts)
                isKept = isKept && recovery->keep("doc" + std::to_string(key++), each).has_value();
            if (!isKept)
                ::_exit(1);
            ::kill(::getpid(), SIGKILL);
        }
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFSIGNALED(status)) << "the drafts could not be kept";
    }

    fs::path folder;
};

TEST_F(RecoveryTest, OffersWhatAKilledProgramLeftTheLatestFirst)
{
    const std::string odd = "name: \"a\"\n\ttab \xE2\x82\xAC\n";
    crash({draft("old", 1), draft(odd, 2)});
    Recovery recovery = opened();
    const auto found = recovery.orphans();
    EXPECT_THAT(found.warnings, IsEmpty());
    ASSERT_THAT(found.orphans, SizeIs(2));
    EXPECT_EQ(found.orphans[0].draft, draft(odd, 2));
    EXPECT_EQ(found.orphans[1].draft, draft("old", 1));
    EXPECT_THAT(recovery.orphans().orphans, SizeIs(2)) << "looking takes nothing away";
}

TEST_F(RecoveryTest, ADraftThatWasDiscardedIsGone)
{
    crash({draft("text")});
    Recovery recovery = opened();
    recovery.discard(recovery.orphans().orphans.at(0));
    EXPECT_THAT(recovery.orphans().orphans, IsEmpty());
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1) << "only the program's own place is left";
}

TEST_F(RecoveryTest, ALivingProgramKeepsItsDraftsToItself)
{
    Recovery living = opened();
    ASSERT_TRUE(living.keep("doc", draft("text")));
    EXPECT_THAT(opened().orphans().orphans, IsEmpty());
}

TEST_F(RecoveryTest, ADraftThatWasDroppedIsNotOffered)
{
    {
        Recovery recovery = opened();
        ASSERT_TRUE(recovery.keep("doc", draft("text")));
        recovery.drop("doc");
    }
    EXPECT_THAT(opened().orphans().orphans, IsEmpty());
    EXPECT_TRUE(fs::is_empty(folder)) << "nothing is left behind by a program that closed in order";
}

TEST_F(RecoveryTest, WhatIsStillKeptWhenTheProgramEndsIsOffered)
{
    {
        Recovery recovery = opened();
        ASSERT_TRUE(recovery.keep("doc", draft("text")));
    }
    EXPECT_THAT(opened().orphans().orphans, SizeIs(1));
}

TEST_F(RecoveryTest, NobodyElseMayReadIt)
{
    Recovery recovery = opened();
    ASSERT_TRUE(recovery.keep("doc", draft("text")));
    for (const fs::directory_entry& each : fs::recursive_directory_iterator(folder))
        EXPECT_EQ(each.status().permissions() & (fs::perms::group_all | fs::perms::others_all), fs::perms::none) << each.path();
    EXPECT_EQ(fs::status(folder).permissions() & (fs::perms::group_all | fs::perms::others_all), fs::perms::none);
}

TEST_F(RecoveryTest, WhatIsNoDraftIsToldAndLeftAlone)
{
    crash({draft("text")});
    const fs::path left = *fs::directory_iterator(folder);
    std::ofstream(left / "cut.json") << "{\"text\": \"half";
    Recovery recovery = opened();
    const auto found = recovery.orphans();
    EXPECT_THAT(found.orphans, SizeIs(1));
    ASSERT_THAT(found.warnings, SizeIs(1));
    EXPECT_THAT(found.warnings[0], testing::HasSubstr("cut.json"));
    EXPECT_TRUE(fs::exists(left / "cut.json"));
}

TEST_F(RecoveryTest, AFolderThatCannotBeMadeIsNamed)
{
    std::ofstream(folder) << "a file";
    const auto refused = Recovery::open(folder.string());
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, testing::HasSubstr(folder.string()));
}

} // namespace
} // namespace wb::store
