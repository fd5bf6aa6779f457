#include "core/syntax/plainyaml.h"
#include "tests/support/corpus.h"
#include "tests/support/libyamljudge.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace wb::syntax {
namespace {

using test::judgedByLibyaml;

bool isReadAlike(std::string_view text)
{
    const test::Judgement judgement = judgedByLibyaml(text);
    EXPECT_FALSE(judgement.difference) << *judgement.difference << "\n" << text;
    return judgement.isRead && !judgement.difference;
}

TEST(PlainYaml, ReadsTheSimplePartAsLibyamlDoes)
{
    for (const char* text : {
             "a: 1\n",
             "a: 1",
             "a:\n",
             "a: # why\nb: 2 # two\n",
             "# head\n\na:\n  b:\n    c: x y z   \n  d: 'it''s'\ne: \"a\\\"b\\\\n\\n\"\n",
             "a:\n- 1\n- 2\nb:\n  - x\n  -\n  - y: 1\n    z: 2\n",
             "- - a\n  - b\n-\n- c: d\n",
             "a: [1, two, \"three\", 'f'',', -5, x.y/z,]\n",
             "a: []\nb: [ 1 ]  # list\n",
             "a b : c\n",
             "\"a b\": c#d\n",
             "a: http://x:80/y\nb: -1\nc: --flag\nd: a:b\n",
             "a:\n  x\nb: y\n",
             "a:\n  -\n  - 'x'\n",
             "  a: 1\n  b:\n    - 2\n",
             "\xC3\xA9: \xE4\xBD\xA0 x # \xC3\xA9\nb: \xC3\xA9\n",
             "a:\n-\n-\nb:\n",
             "- a:\n  - b\n  c: d\n- e\n",
             "a:\n\n\n  # x\n   b: 1\n",
             "'': x\n",
             "a: \"\"\nb: ''\n",
         }) {
        EXPECT_TRUE(isReadAlike(text)) << text;
    }
}

TEST(PlainYaml, LeavesTheRestToLibyaml)
{
    for (const char* text : {
             "",
             "# nothing\n",
             "x\n",
             "a: &x 1\n",
             "a: *x\n",
             "a: !!str 1\n",
             "a: |\n  x\n",
             "a: >-\n  x\n",
             "a: {b: 1}\n",
             "---\na: 1\n",
             "a: 1\n...\n",
             "%YAML 1.1\n",
             "a: x\n  y\n",
             "a: 'x\n  y'\n",
             "a: b: c\n",
             "a:\n  b: 1\n c: 2\n",
             "a: 1\n  b: 2\n",
             "a: - b\n",
             "? a\n: b\n",
             "a: [1,\n  2]\n",
             "a: [[1]]\n",
             "a: [b: 1]\n",
             "a: [1 2]\n",
             "a: [1,,2]\n",
             "a: [-]\n",
             "a: \"\\x41\"\n",
             "a:\t1\n",
             "a: 1\r\n",
             "a: \xC2\x85\n",
             "a: 'b' c\n",
             "a: 'b'#c\n",
             "[a]: b\n",
             "a: @b\n",
             "  a: 1\nb: 2\n",
             "- a\nb: 1\n",
             "a: 1\n- b\n",
             "- a\n  b: 1\n",
         }) {
        EXPECT_FALSE(plainEvents(text)) << text;
    }
}

std::vector<std::string> recipes()
{
    std::vector<std::string> out;
    for (const char* folder : {"corpus/v1/recipes", "corpus/v1/invalid", "corpus/v2/recipes", "corpus/clusters"}) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(*test::shared(folder))) {
            if (entry.path().extension() == ".yaml")
                out.push_back(test::bytesOf(entry.path()));
        }
    }
    return out;
}

TEST(PlainYaml, ReadsTheRecipesOfTheCorpusAsLibyamlDoes)
{
    SRTWB_NEEDS_SHARED("corpus/v1/recipes");
    const std::vector<std::string> all = recipes();
    const auto taken = std::count_if(all.begin(), all.end(), isReadAlike);
    EXPECT_GT(static_cast<std::size_t>(taken), all.size() * 9 / 10) << "of " << all.size();
}

/// One slip of a key press or two, at a random place.
std::string changed(std::string text, std::mt19937& random)
{
    const auto below = [&](std::size_t most) { return std::uniform_int_distribution<std::size_t>(0, most - 1)(random); };
    constexpr std::string_view typed = "\n\n  ::--##[]{}'\"&*!|>%@`,?\\~<=x1.e";
    for (std::size_t slips = below(3) + 1; slips > 0 && !text.empty(); --slips) {
        const std::size_t at = below(text.size());
        const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
        switch (below(6)) {
        case 0:
            text.erase(at, 1);
            break;
        case 1:
            text.insert(at, 1, typed[below(typed.size())]);
            break;
        case 2:
            text[at] = typed[below(typed.size())];
            break;
        case 3:
            text.insert(line, below(3) + 1, ' ');
            break;
        case 4:
            text.erase(line, std::min<std::size_t>(text.find_first_not_of(' ', line), line + below(3) + 1) - line);
            break;
        default:
            text.insert(line, text.substr(line, text.find('\n', line) - line + 1));
        }
    }
    return text;
}

TEST(PlainYaml, ReadsSlipsAsLibyamlDoes)
{
    SRTWB_NEEDS_SHARED("corpus/v1/recipes");
    std::mt19937 random(20261201); // the same slips each time
    std::size_t taken = 0;
    for (const std::string& text : recipes()) {
        const std::string part = text.substr(0, text.find('\n', 1500)); // the begin has most kinds of lines
        for (int i = 0; i < 40; ++i)
            taken += isReadAlike(changed(part, random)) ? 1U : 0U;
    }
    EXPECT_GT(taken, 1000U);
}

} // namespace
} // namespace wb::syntax
