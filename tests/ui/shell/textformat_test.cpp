#include "ui/shell/textformat.h"

#include <gmock/gmock.h>

#include <random>

namespace wb::ui {
namespace {

FileText read(const std::string& bytes)
{
    auto file = decoded(bytes, "a.yaml");
    EXPECT_TRUE(file) << (file ? "" : file.error().message);
    return file ? *file : FileText{};
}

TEST(TextFormat, GivesEveryByteBackWhenNothingChanged)
{
    for (const std::string& bytes : {std::string(), std::string("a: 1"), std::string("a: 1\n"), std::string("a: 1\r\nb: 2\r\n"),
                                     std::string("a\rb\r"), std::string("\xEF\xBB\xBFname: x\n"), std::string("a\r\nb\nc\rd\r\n\r\n")}) {
        const FileText file = read(bytes);
        EXPECT_EQ(file.text.find('\r'), std::string::npos);
        EXPECT_EQ(encoded(file.text, file), bytes);
    }
}

TEST(TextFormat, KeepsTheLineEndsOfLinesThatWereNotTouched)
{
    const FileText file = read("a: 1\r\nb: 2\nc: 3\r\n");
    EXPECT_EQ(encoded("a: 1\nb: 22\nc: 3\n", file), "a: 1\r\nb: 22\r\nc: 3\r\n") << "the changed line takes the end that is used most";
    EXPECT_EQ(encoded("a: 1\nb: 2\nx: 0\nc: 3\n", file), "a: 1\r\nb: 2\nx: 0\r\nc: 3\r\n");
    EXPECT_EQ(encoded("a: 1\nc: 3\n", file), "a: 1\r\nc: 3\r\n");
}

TEST(TextFormat, GivesTheFormatOfWhatItWrote)
{
    std::mt19937 random(7);
    const std::string ends[] = {"\n", "\r\n", "\r"};
    for (int round = 0; round < 300; ++round) {
        std::string bytes;
        std::string text;
        for (unsigned line = 0, count = static_cast<unsigned>(random() % 6); line < count; ++line)
            bytes += std::string(1, static_cast<char>('a' + random() % 3)) + ends[random() % 3];
        for (unsigned line = 0, count = static_cast<unsigned>(random() % 6); line < count; ++line)
            text += std::string(1, static_cast<char>('a' + random() % 3)) + "\n";
        const FileText file = read(bytes);
        const FileText again = read(encoded(text, file));
        ASSERT_EQ(again.text, text) << "round " << round;
        ASSERT_EQ(again.format, formatAfter(text, file)) << "round " << round;
    }
}

TEST(TextFormat, RefusesWhatIsNoText)
{
    const auto binary = decoded(std::string("a\0b", 3), "a.bin");
    ASSERT_FALSE(binary);
    EXPECT_THAT(binary.error().message, testing::HasSubstr("NUL"));
    const auto latin = decoded("a: 1\nb: \xE4\n", "a.yaml");
    ASSERT_FALSE(latin);
    EXPECT_THAT(latin.error().message, testing::HasSubstr("line 2"));
}

} // namespace
} // namespace wb::ui
