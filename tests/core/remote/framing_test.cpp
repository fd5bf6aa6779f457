#include "core/remote/framing.h"

#include <gmock/gmock.h>

#include <string>

namespace wb::remote {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view mark = "srtwb0123";

TEST(Framing, TheCommandLineIsOneThatEveryLoginShellReadsTheSame)
{
    const Framed frame = framed("echo '!'\necho \"$HOME\"", "payload", mark);
    EXPECT_THAT(frame.commandLine, testing::StartsWith("exec /bin/sh -c '"));
    EXPECT_THAT(frame.commandLine, Not(HasSubstr("!")));
    EXPECT_THAT(frame.commandLine, Not(HasSubstr("\n")));
    EXPECT_TRUE(frame.input.ends_with("payload"));
    const std::size_t script = frame.input.size() - std::string("payload").size();
    EXPECT_THAT(frame.commandLine, HasSubstr("count=" + std::to_string(script) + " "));
}

TEST(Framing, TakesTheAnswerOutOfChatter)
{
    const Unframed answer = unframed("Welcome!\n3 modules loaded\n\nsrtwb0123 begin 4711\none\ntwo\n\nsrtwb0123 end 7\nlogout\n",
                                     "quota: 93%\n\nsrtwb0123 begin\nwarning\n", mark);
    EXPECT_TRUE(answer.hasBegun);
    EXPECT_EQ(answer.process, 4711);
    EXPECT_EQ(answer.exitCode, 7);
    EXPECT_EQ(answer.out, "one\ntwo\n");
    EXPECT_EQ(answer.err, "warning\n");
}

TEST(Framing, KeepsEveryByteAndNoneMore)
{
    std::string all;
    for (int i = 0; i < 256; ++i)
        all += static_cast<char>(i);
    EXPECT_EQ(unframed("\nsrtwb0123 begin 2\n" + all + "\nsrtwb0123 end 0\n", "", mark).out, all);
    const Unframed empty = unframed("\nsrtwb0123 begin 2\n\nsrtwb0123 end 0\n", "", mark);
    EXPECT_EQ(empty.out, "");
    EXPECT_EQ(empty.exitCode, 0);
}

TEST(Framing, AnAnswerThatIsCutOffIsNoAnswer)
{
    const std::string whole = "\nsrtwb0123 begin 2\none\n\nsrtwb0123 end 12\n";
    for (std::size_t length = 0; length < whole.size(); ++length)
        EXPECT_FALSE(unframed(std::string_view(whole).substr(0, length), "", mark).exitCode) << length;
    EXPECT_EQ(unframed(whole, "", mark).exitCode, 12);
}

TEST(Framing, WordsOfAnotherMarkAreNoMark)
{
    EXPECT_FALSE(unframed("\nsrtwb9999 begin 2\none\n\nsrtwb9999 end 0\n", "", mark).hasBegun);
}

} // namespace
} // namespace wb::remote
