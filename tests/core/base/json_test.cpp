#include "core/base/json.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <random>

namespace wb::base::json {
namespace {

TEST(Read, TakesWhatStrictReadersRefuse)
{
    const Value value = read("\xEF\xBB\xBF{\"a\": NaN, \"b\": -Infinity, \"c\": 1e999, \"d\": -1e999, \"e\": 1e-999}").value();
    EXPECT_TRUE(std::isnan(*value.find("a")->number()));
    EXPECT_EQ(*value.find("b")->number(), -INFINITY);
    EXPECT_EQ(*value.find("c")->number(), INFINITY);
    EXPECT_EQ(*value.find("d")->number(), -INFINITY);
    EXPECT_EQ(*value.find("e")->number(), 0.0);
}

TEST(Read, KeepsSixtyFourBitNumbersExactly)
{
    const Value value = read("[9223372036854775807, -9223372036854775808, 1753000000000000123]").value();
    EXPECT_EQ(value.array()[0].integer(), 9223372036854775807LL);
    EXPECT_EQ(value.array()[1].integer(), std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(value.array()[2].integer(), 1753000000000000123LL);
}

TEST(Read, LetsTheLastOfTwoEqualKeysWin)
{
    EXPECT_EQ(read("{\"a\": 1, \"a\": 2}").value().find("a")->integer(), 2);
    std::string large = "{";
    for (int i = 0; i < 100; ++i)
        large += "\"k" + std::to_string(i) + "\": 0, ";
    large += "\"k7\": 1}";
    const Value value = read(large).value();
    EXPECT_EQ(value.object().size(), 100U);
    EXPECT_EQ(value.find("k7")->integer(), 1);
}

TEST(ReadAll, GivesEveryDocumentBeforeTheFault)
{
    const Documents all = readAll("{\"a\": 1}\n{\"a\": 2}\n{\"a\": ");
    ASSERT_EQ(all.documents.size(), 2U);
    EXPECT_EQ(all.documents[1].value.find("a")->integer(), 2);
    EXPECT_EQ(all.documents[1].begin, 9U);
    ASSERT_TRUE(all.fault);
    EXPECT_EQ(all.fault->message, "line 3, column 7: the text ends in the middle of a value.");
}

TEST(Read, SaysWhereAFaultIs)
{
    EXPECT_EQ(read("{\"a\" 1}").error().message, "line 1, column 6: a colon is missing behind the key.");
    EXPECT_EQ(read("[1\n 2]").error().message, "line 2, column 2: a comma or \"]\" is missing here.");
    EXPECT_EQ(read("").error().message, "The text holds no JSON value.");
    EXPECT_EQ(read("1 2").error().message, "line 1, column 3: a second JSON value begins here.");
}

TEST(Read, RefusesWhatIsTooDeepInsteadOfCrashing)
{
    EXPECT_THAT(read(std::string(100'000, '[')).error().message, testing::HasSubstr("nested more than 512 deep"));
}

TEST(Write, TurnsWhatIsNotFiniteIntoNull)
{
    Value value;
    value.set("a", NAN);
    value.set("b", INFINITY);
    EXPECT_EQ(write(value, 0), "{\"a\":null,\"b\":null}");
}

TEST(Write, EscapesTextAndReplacesBytesThatAreNoText)
{
    EXPECT_EQ(write(Value("a\"\\\n\x01"), 0), "\"a\\\"\\\\\\n\\u0001\"");
    EXPECT_EQ(write(Value("x\xFFy"), 0), "\"x\xEF\xBF\xBDy\"");
}

Value randomValue(std::mt19937& random, int depth)
{
    switch (random() % (depth > 0 ? 7 : 5)) {
    case 0:
        return {};
    case 1:
        return random() % 2 == 0;
    case 2:
        return static_cast<std::int64_t>(random()) - 2'000'000'000;
    case 3:
        return static_cast<double>(random()) / 7.0 + 0.5;
    case 4:
        return std::string(random() % 5, static_cast<char>('a' + random() % 26)) + "ä\n";
    case 5: {
        Array items;
        for (unsigned i = random() % 4; i > 0; --i)
            items.push_back(randomValue(random, depth - 1));
        return items;
    }
    default: {
        Value object = Object{};
        for (unsigned i = random() % 4; i > 0; --i)
            object.set("k" + std::to_string(i), randomValue(random, depth - 1));
        return object;
    }
    }
}

TEST(Write, IsReadBackTheSame)
{
    std::mt19937 random(3);
    for (int i = 0; i < 200; ++i) {
        const Value value = randomValue(random, 4);
        EXPECT_EQ(read(write(value, 2)).value(), value) << write(value);
        EXPECT_EQ(read(write(value, 0)).value(), value) << write(value);
    }
}

} // namespace
} // namespace wb::base::json
