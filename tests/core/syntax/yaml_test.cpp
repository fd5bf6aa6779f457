#include "core/base/text.h"
#include "core/syntax/dottedpath.h"
#include "core/syntax/yaml.h"
#include "tests/support/corpus.h"
#include "tests/support/marked.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <limits>
#include <random>

namespace wb::syntax {
namespace {

using test::Marked;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Parsed parsed(const Marked& yaml)
{
    return parse(yaml.source());
}

std::vector<std::string> codes(const Parsed& parsed)
{
    std::vector<std::string> out;
    for (const Diagnostic& problem : parsed.diagnostics)
        out.emplace_back(id(problem.code));
    return out;
}

Value plain(std::string_view text)
{
    Value value;
    resolvePlain(text, value);
    return value;
}

TEST(ResolvePlain, FollowsPyYaml)
{
    for (const char* text : {"~", "null", "Null", "NULL", ""})
        EXPECT_EQ(plain(text).kind, Kind::Null) << text;
    for (const char* text : {"yes", "Yes", "YES", "true", "True", "on", "ON"}) {
        EXPECT_EQ(plain(text).kind, Kind::Bool) << text;
        EXPECT_TRUE(plain(text).boolean) << text;
    }
    for (const char* text :
         {"y", "n", "tRUE", "nULL", "08", "0o10", "_1", "1e3", "1.0e3", "1e+3", "-.5", "1-04:00:00", "04:00:00:", "12:60:00", "0.8.1"})
        EXPECT_EQ(plain(text).kind, Kind::String) << text;
    const std::vector<std::pair<const char*, std::int64_t>> integers = {
        {"0", 0},  {"-0", 0},           {"010", 8},   {"0x1F", 31},   {"0b101", 5},       {"1_000", 1000},
        {"+5", 5}, {"12:00:00", 43200}, {"1:30", 90}, {"-1:30", -90}, {"4:00:00", 14400}, {"0123456", 42798}};
    for (const auto& [text, number] : integers) {
        EXPECT_EQ(plain(text).kind, Kind::Integer) << text;
        EXPECT_EQ(plain(text).integer, number) << text;
    }
    const std::vector<std::pair<const char*, double>> floats = {{"1.5", 1.5},      {".5", 0.5},      {"5.", 5.0},      {"1.0e+3", 1000.0},
                                                                {"1.5e-2", 0.015}, {"1:30.5", 90.5}, {"-1_0.5", -10.5}};
    for (const auto& [text, number] : floats) {
        EXPECT_EQ(plain(text).kind, Kind::Float) << text;
        EXPECT_DOUBLE_EQ(plain(text).number, number) << text;
    }
    EXPECT_EQ(plain("2026-08-21").kind, Kind::Timestamp);
    EXPECT_EQ(plain("2026-8-21").kind, Kind::String) << "a date alone needs two digits each";
    EXPECT_EQ(plain("2026-8-2 1:02:03.5 +2").kind, Kind::Timestamp);
    EXPECT_TRUE(plain("100000000000000000000000000000").huge);
}

TEST(Parse, KnowsWhereEverythingStands)
{
    const Marked yaml("[[name]]: [[\"a: b\"]]  # note\nresources:\n  [[gpus]]: [[ [4, 8] ]]\n");
    const Marked tight("[[name]]: [[\"a: b\"]]  # note\nresources:\n  [[gpus]]: [[[4, 8]]]\n");
    const Parsed read = parsed(tight);
    ASSERT_TRUE(read.complete);
    EXPECT_EQ(read.root->member("name")->keyRange, tight.range(0));
    EXPECT_EQ(read.root->find("name")->range, tight.range(1));
    EXPECT_EQ(at(read.root, "resources.gpus")->items.size(), 2U);
    EXPECT_EQ(read.root->find("resources")->member("gpus")->keyRange, tight.range(2));
    EXPECT_EQ(yaml.text().size(), tight.text().size() + 2);
}

TEST(Parse, CountsBytesAlsoBehindWideCharacters)
{
    const Marked yaml("# ü目🚀\nname: [[ünïcödé]]\nnext: [[4]]\n");
    const Parsed read = parsed(yaml);
    EXPECT_EQ(read.root->find("name")->range, yaml.range(0));
    EXPECT_EQ(read.root->find("next")->range, yaml.range(1));
}

TEST(Parse, EndsBlockTextsBeforeCommentsAndBlankLines)
{
    const Marked yaml("script: [[|\n  one\n  # still text\n\n  two]]\n\n# comment\nnext: 1\n");
    EXPECT_EQ(parsed(yaml).root->find("script")->range, yaml.range(0));
}

TEST(Parse, FollowsAliasesAndMergeKeysAsPyYamlDoes)
{
    const Marked yaml("a: &x {p: 1, q: 2}\nb: &y {q: 3, r: 4}\nc:\n  <<: [*x, *y]\n  r: 5\n");
    const Parsed read = parsed(yaml);
    EXPECT_THAT(read.diagnostics, IsEmpty());
    const ValuePtr c = read.root->find("c");
    EXPECT_EQ(c->find("p")->integer, 1);
    EXPECT_EQ(c->find("q")->integer, 2) << "of several the first named wins";
    EXPECT_EQ(c->find("r")->integer, 5) << "own keys win";
    EXPECT_TRUE(c->member("p")->merged);
    EXPECT_FALSE(c->member("r")->merged);
    EXPECT_EQ(read.anchors.size(), 4U);
}

TEST(Parse, PointsAnAliasAtItsOwnPlaceAndNamesTheAnchored)
{
    const Marked yaml("a: &x [[one]]\nb: [[*x]]\n");
    const ValuePtr b = parsed(yaml).root->find("b");
    EXPECT_EQ(b->range, yaml.range(1));
    EXPECT_EQ(b->definition, yaml.range(0));
    EXPECT_EQ(b->text, "one");
}

TEST(Parse, KeepsWhatCameBeforeAnError)
{
    const Marked yaml("name: a\nmodel:\n  path: p\n  [[container \"x\"]]\nresources: {}\n");
    const Parsed read = parsed(yaml);
    EXPECT_FALSE(read.complete);
    ASSERT_TRUE(read.root);
    EXPECT_EQ(at(read.root, "model.path")->text, "p");
    ASSERT_FALSE(read.diagnostics.empty());
    EXPECT_EQ(read.source->lineCol(read.diagnostics[0].range.begin).line, 4U) << read.diagnostics[0].message;
    EXPECT_EQ(read.source->lineCol(read.diagnostics[0].range.end).line, 4U) << "a syntax error marks one line";
}

TEST(Parse, ReportsWhatTheClusterWouldSilentlyGetWrong)
{
    const Marked twice("[[a]]: 1\nb: 2\n[[a]]: 3\n");
    const Parsed read = parsed(twice);
    EXPECT_THAT(codes(read), ElementsAre("duplicate-key"));
    EXPECT_EQ(read.diagnostics[0].range, twice.range(1));
    EXPECT_EQ(read.diagnostics[0].notes.at(0).range, twice.range(0));
    EXPECT_EQ(read.root->find("a")->integer, 3);

    EXPECT_THAT(codes(parsed(Marked("a: 1\n---\nb: 2\n"))), ElementsAre("several-documents"));
    EXPECT_THAT(codes(parsed(Marked("a: *nothing\n"))), ElementsAre("unknown-alias"));
    EXPECT_THAT(codes(parsed(Marked("a: &x 1\nb: &x 2\n"))), ElementsAre("duplicate-anchor"));
    EXPECT_THAT(codes(parsed(Marked("a: !mine 1\n"))), ElementsAre("unknown-tag"));
    EXPECT_THAT(codes(parsed(Marked("[a]: 1\n"))), ElementsAre("key-not-text"));
    EXPECT_THAT(codes(parsed(Marked("<<: 5\n"))), ElementsAre("merge-not-map"));
    EXPECT_THAT(codes(parsed(Marked("a: 2026-13-45\n"))), ElementsAre("yaml-syntax"));
    EXPECT_THAT(codes(parsed(Marked("<<<<<<< ours\na: 1\n=======\na: 2\n>>>>>>> theirs\n"))), testing::Contains("conflict-marker"));
}

TEST(Parse, RefusesTabsWhereTheClusterDoesAndOffersSpaces)
{
    const Marked yaml("a: 1\nb:[[\t]]2\nc: \"x\ty\"  # z\tz\nd: |\n  e\tf\n");
    const Parsed read = parsed(yaml);
    ASSERT_THAT(codes(read), ElementsAre("yaml-tab"));
    EXPECT_EQ(read.diagnostics[0].range, yaml.range());
    ASSERT_EQ(read.diagnostics[0].fixes.size(), 1U);
    EXPECT_THAT(applyEdits(yaml.text(), read.diagnostics[0].fixes[0].edits), HasSubstr("b:  2\n"));
}

TEST(Parse, TellsOfNumbersInAnOldNotationAndOffersBothMeanings)
{
    const auto only = [](const Marked& yaml) {
        const Parsed read = parsed(yaml);
        EXPECT_TRUE(read.complete) << yaml.text();
        EXPECT_EQ(read.diagnostics.size(), 1U) << yaml.text();
        return read.diagnostics.empty() ? Diagnostic() : read.diagnostics[0];
    };
    const Marked octal("a: [[010]]\n");
    EXPECT_EQ(id(only(octal).code), "old-number");
    EXPECT_EQ(only(octal).severity, Severity::Warning);
    EXPECT_EQ(only(octal).range, octal.range());
    EXPECT_THAT(only(octal).message, HasSubstr("number 8"));
    EXPECT_EQ(applyEdits(octal.text(), only(octal).fixes.at(0).edits), "a: \"010\"\n");
    EXPECT_EQ(applyEdits(octal.text(), only(octal).fixes.at(1).edits), "a: 8\n");
    EXPECT_EQ(id(only(Marked("a: 1:30:00\n")).code), "base-sixty");
    EXPECT_EQ(only(Marked("a: 1:30:00\n")).severity, Severity::Warning);
    EXPECT_EQ(id(only(Marked("a: 1_000\n")).code), "old-number");
    EXPECT_EQ(only(Marked("a: 1_000\n")).severity, Severity::Hint);
    EXPECT_EQ(id(only(Marked("a: no\n")).code), "word-boolean");
    EXPECT_EQ(only(Marked("a: ON\n")).severity, Severity::Hint);
    EXPECT_EQ(applyEdits("a: no\n", only(Marked("a: no\n")).fixes.at(0).edits), "a: false\n");
    for (const char* good :
         {"a: 0\n", "a: 10\n", "a: '010'\n", "a: true\n", "a: \"on\"\n", "a: 08\n", "a: 04:00:00\n", "a: 0x1F\n", "no: 1\n"})
        EXPECT_THAT(parsed(Marked(good)).diagnostics, IsEmpty()) << good;
}

TEST(Parse, KnowsEveryMarkOfAConflict)
{
    const auto lines = [](std::string_view yaml) {
        const Parsed read = parsed(Marked(yaml));
        std::vector<std::size_t> out;
        for (const Diagnostic& problem : read.diagnostics) {
            EXPECT_EQ(problem.code, Code::ConflictMarker) << problem.message;
            out.push_back(read.source->lineCol(problem.range.begin).line);
        }
        return out;
    };
    EXPECT_THAT(lines("<<<<<<<\na: 1\n||||||| base\na: 3\n=======\na: 2\n>>>>>>>\n"), ElementsAre(1U, 3U, 5U, 7U));
    EXPECT_THAT(lines("a: 2\n>>>>>>> theirs\n"), ElementsAre(2U)) << "the rest of a half-made merge";
    EXPECT_THAT(lines("<<<<<<< ours\r\na: 1\r\n=======\r\na: 2\r\n>>>>>>> theirs\r\n"), ElementsAre(1U, 3U, 5U));
    EXPECT_THAT(parsed(Marked("a: |\n  =======\n  <<<<<<< x\n")).diagnostics, IsEmpty());
}

TEST(Parse, GivesOneClearSentenceForWhatIsNoText)
{
    const Parsed binary = parse(std::make_shared<SourceText>(std::string("\x89PNG\r\n\x1a\n\0\0", 10)));
    ASSERT_EQ(binary.diagnostics.size(), 1U);
    EXPECT_EQ(binary.diagnostics[0].message, "This is a binary file, not a recipe.");
    const Parsed empty = parse(std::make_shared<SourceText>(""));
    ASSERT_EQ(empty.diagnostics.size(), 1U);
    EXPECT_EQ(empty.diagnostics[0].code, Code::EmptyDocument);
}

TEST(Parse, BoundsDepthAndTheGrowthOfAliases)
{
    EXPECT_THAT(codes(parse(std::make_shared<SourceText>("a: " + std::string(20'000, '[')))), ElementsAre("too-deep"));
    std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 12; ++i) {
        const std::string before = "*a" + std::to_string(i - 1);
        bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
        for (int k = 0; k < 9; ++k)
            bomb += before + ", ";
        bomb += before + "]\n";
    }
    EXPECT_THAT(codes(parse(std::make_shared<SourceText>(bomb))), testing::Contains("too-deep"));
}

TEST(Parse, CountsValuesOnceHoweverDeepTheyStand)
{
    std::string text = "a:\n  b:\n    c:\n      d: [";
    for (int i = 0; i < 1'200'000; ++i)
        text += "1,";
    const Parsed read = parse(std::make_shared<SourceText>(text + "]\ne: 1\n"));
    EXPECT_THAT(codes(read), IsEmpty());
    EXPECT_TRUE(read.root->find("e"));
}

TEST(Parse, NeverCrashesOnDamagedTexts)
{
    const std::string good = test::bytesOf(test::own("recipes/dsr1-disagg-chunked-prefill.yaml"));
    std::mt19937 random(11);
    for (int round = 0; round < 400; ++round) {
        std::string text = good.substr(0, random() % good.size());
        for (int i = 0; i < 4 && !text.empty(); ++i)
            text[random() % text.size()] = "\t:-[]{}&*!|>'\"%@`#\n x"[random() % 22];
        const Parsed read = parse(std::make_shared<SourceText>(text));
        for (const Diagnostic& problem : read.diagnostics) {
            EXPECT_LE(problem.range.begin, problem.range.end);
            EXPECT_LE(problem.range.end, text.size());
        }
    }
}

TEST(Emit, IsReadBackAsTheSameData)
{
    const Marked yaml(
        "a: \"12:00:00\"\nb: 'yes'\nc: [1, 2.5, null, true, \"true\", \"\", {x: y}]\nd: |\n  one\n  two\ne: {}\nf: []\ng: \"a: b # c\"\n"
        "h: '0o17'\ni: \" lead\"\nj: \"tab\\tx\"\nk: \"line\\nbreak\"\n\"on\": '-'\nl: 1e3\nm: \"{x}\"\nn: '=x'\no: '1_000'\np: .inf\nq: "
        "2026-01-02\n");
    const Parsed read = parsed(yaml);
    ASSERT_THAT(read.diagnostics, IsEmpty());
    const std::string written = emit(*read.root);
    const Parsed again = parse(std::make_shared<SourceText>(written));
    ASSERT_THAT(again.diagnostics, IsEmpty()) << written;
    EXPECT_TRUE(sameData(*read.root, *again.root)) << written;
}

TEST(Emit, IsReadBackAsTheSameDataForEveryRealRecipe)
{
    SRTWB_NEEDS_SHARED("corpus/v1/recipes");
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(*test::shared("corpus/v1/recipes"))) {
        if (entry.path().extension() != ".yaml")
            continue;
        const Parsed read = parse(std::make_shared<SourceText>(test::bytesOf(entry.path())));
        ASSERT_TRUE(read.complete) << entry.path();
        const std::string written = emit(*read.root);
        const Parsed again = parse(std::make_shared<SourceText>(written));
        EXPECT_TRUE(again.complete && sameData(*read.root, *again.root)) << entry.path() << "\n" << written;
        ++count;
    }
    EXPECT_GE(count, 555U);
}

TEST(SourceText, GoesFromOffsetsToLinesAndBack)
{
    const SourceText text("ab\r\nä目c\rlast");
    EXPECT_EQ(text.lineCount(), 3U);
    EXPECT_EQ(text.lineCol(0), (LineCol{1, 1}));
    EXPECT_EQ(text.lineCol(6), (LineCol{2, 2})) << "columns are code points";
    for (std::size_t line = 1; line <= 3; ++line) {
        for (std::size_t column = 1; column <= 4; ++column) {
            const std::size_t offset = text.offset({line, column});
            EXPECT_EQ(text.offset(text.lineCol(offset)), offset);
        }
    }
    EXPECT_EQ(text.lineRange(1), (Range{0, 2}));
}

TEST(Codes, HaveIdsThatDifferAndSayWhatToDo)
{
    std::set<std::string_view> ids;
    for (const CodeInfo& code : allCodes()) {
        EXPECT_TRUE(ids.insert(code.id).second) << code.id << " stands twice";
        EXPECT_TRUE(code.help.ends_with('.')) << code.id;
        EXPECT_FALSE(code.title.empty()) << code.id;
    }
}

TEST(SortAndUnite, KeepsTheFirstOfDoublesAndSortsByPlace)
{
    Diagnostic late;
    late.range = {9, 10};
    late.message = "late";
    Diagnostic early;
    early.range = {1, 2};
    early.variant = "first";
    Diagnostic again = early;
    again.variant = "second";
    std::vector<Diagnostic> all = {late, early, again};
    sortAndUnite(all);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].variant, "first");
    EXPECT_EQ(all[1].message, "late");
}

TEST(Emit, KeepsTheKindOfNumbersMadeElsewhere)
{
    for (const double number : {5.0, 1e20, 1e-7, 1.5e300, -0.25, 123456789012345680.0}) {
        const ValuePtr value = makeFloat(number, Layer::Base);
        const Parsed read = parse(std::make_shared<SourceText>(emit(*value)));
        ASSERT_TRUE(read.root) << value->text;
        EXPECT_EQ(read.root->kind, Kind::Float) << value->text;
        EXPECT_EQ(read.root->number, number) << value->text;
    }
    for (const char* text : {"!!float 5", "!!float \"7\"", ".5", "1.0e+3", ".inf"}) {
        const Parsed first = parse(std::make_shared<SourceText>(text));
        ASSERT_TRUE(first.root) << text;
        ASSERT_EQ(first.root->kind, Kind::Float) << text;
        const Parsed again = parse(std::make_shared<SourceText>(emit(*first.root)));
        EXPECT_TRUE(sameData(*first.root, *again.root)) << text << " is written as " << emit(*first.root);
    }
}

TEST(ResolvePlain, TakesATinyNumberForZeroAndAHugeOneForInfinity)
{
    const std::string zeros(400, '0');
    EXPECT_EQ(plain("0." + zeros + "1").number, 0.0);
    EXPECT_EQ(plain("1" + zeros + ".0").number, std::numeric_limits<double>::infinity());
    EXPECT_EQ(plain("-1" + zeros + ".5").number, -std::numeric_limits<double>::infinity());
    EXPECT_EQ(plain("1.0e-999").number, 0.0);
    EXPECT_EQ(plain("1.0e+999").number, std::numeric_limits<double>::infinity());
    EXPECT_EQ(plain("0." + zeros + "1e+999").number, std::numeric_limits<double>::infinity());
    EXPECT_EQ(plain("1" + zeros + ".0e-999").number, 0.0);
    EXPECT_EQ(plain("1.0e-99999999999999999999").number, 0.0);
}

TEST(Mend, ReadsNoDeeperThanTheReader)
{
    // The fault stands before the depth, of which libyaml needs the square: 60 kB took some seconds.
    const Parsed read = parse(std::make_shared<SourceText>("a: b: c\nd:\n  " + std::string(60'000, '[')));
    EXPECT_FALSE(read.complete);
    EXPECT_THAT(codes(read), testing::Contains("yaml-syntax"));
    EXPECT_THAT(codes(read), testing::Contains("too-deep"));
}

TEST(Mend, CountsWhatIsLeftInCodePoints)
{
    // Behind wide characters the count of bytes made every change look worse than it is.
    const Parsed read = parsed(Marked("name: n\n# " + base::replacedAll(std::string(400, 'x'), "x", "\xE2\x82\xAC") +
                                      "\nmodel:\n  path p\n  container: c\nother: 1\n"));
    EXPECT_TRUE(read.mended);
    ASSERT_TRUE(read.root);
    EXPECT_TRUE(read.root->find("other"));
}

TEST(Tabs, OfALongCommentAreSkippedAtOnce)
{
    std::string line = "a: 1 ";
    for (int i = 0; i < 20'000; ++i)
        line += "\t#";
    const Parsed read = parsed(Marked(line + "\nb: 2\n"));
    ASSERT_TRUE(read.root);
    EXPECT_TRUE(read.root->find("b"));
    EXPECT_THAT(codes(parsed(Marked("a: 'x\ty' \t# c\tc\nb:\t1\n"))), testing::Contains("yaml-tab"));
}

TEST(DottedPath, SplitsAtDotsOutsideQuotes)
{
    const auto keys = [](std::string_view path) {
        std::vector<std::string> out;
        for (std::optional<std::string_view> rest = path; rest;) {
            const SplitPath split = splitPath(*rest);
            out.push_back(split.first.text());
            rest = split.rest;
        }
        return out;
    };
    EXPECT_THAT(keys("a.b"), ElementsAre("a", "b"));
    EXPECT_THAT(keys("a.\"b.c\".d"), ElementsAre("a", "b.c", "d"));
    EXPECT_THAT(keys("a.\"b"), ElementsAre("a", "\"b")) << "a quote that closes nowhere";
    EXPECT_THAT(keys("a.\"b\"c.d"), ElementsAre("a", "\"b\"c", "d"));
    EXPECT_THAT(keys("a..b"), ElementsAre("a", "", "b"));
    EXPECT_EQ(pathLength("a.\"b=c\".d=e", '='), std::string_view("a.\"b=c\".d").size());
    EXPECT_EQ(pathLength("a.b", '='), 3U);
    for (const char* key : {"a", "a.b", "", "\"", "\\", "a\"b", "x=y", "[0]", "\"x.y\"", "\\\""}) {
        const std::string path = joinedPath(joinedPath({}, key), "k");
        EXPECT_THAT(keys(path), ElementsAre(key, "k")) << path;
        const ValuePtr made = withPath(nullptr, path, makeInteger(1, Layer::Base));
        ASSERT_TRUE(made->find(key)) << path;
        EXPECT_TRUE(at(made, path)) << path;
        EXPECT_TRUE(withoutPath(made, path)->find(key)->members.empty()) << path;
    }
}

TEST(ByteOrderMark, IsNoPartOfTheTextAndShiftsNoPlace)
{
    const std::string text = "\xEF\xBB\xBF"
                             "name: &n a\nmodel: [b, *n]\nname: 2\n";
    const Parsed read = parse(std::make_shared<SourceText>(text));
    EXPECT_THAT(codes(read), ElementsAre("duplicate-key"));
    ASSERT_TRUE(read.root);
    const Member& name = read.root->members.at(0);
    EXPECT_EQ(name.key, "name");
    EXPECT_EQ(text.substr(name.keyRange.begin, 9), "name: 2\n");
    const ValuePtr list = read.root->find("model");
    EXPECT_EQ(text.substr(list->range.begin, list->range.end - list->range.begin), "[b, *n]");
    EXPECT_EQ(text.substr(list->items[1]->definition.begin, 1), "a");
    EXPECT_EQ(text.substr(read.anchors.at(0).range.begin, 2), "&n");
    EXPECT_EQ(read.source->text(), text);
    EXPECT_EQ(read.source->lineCol(0), (LineCol{1, 1}));
    EXPECT_EQ(read.source->lineCol(3), (LineCol{1, 1}));
    EXPECT_EQ(read.source->offset({1, 1}), 3U);
    EXPECT_EQ(read.source->lineCol(list->range.begin), (LineCol{2, 8}));
    EXPECT_THAT(codes(parse(std::make_shared<SourceText>("\xEF\xBB\xBF"))), ElementsAre("empty"));
    // A broken text is mended behind it.
    const Parsed broken = parse(std::make_shared<SourceText>("\xEF\xBB\xBF"
                                                             "a: 1\nb:2\nc: 3\n"));
    EXPECT_TRUE(broken.mended);
    EXPECT_EQ(broken.source->lineCol(broken.diagnostics.at(0).range.begin).line, 2U);
}

TEST(NotUtf8, NamesTheEncodingAndTheCharacter)
{
    using namespace std::string_view_literals;
    const auto said = [](std::string_view text) {
        const Parsed read = parse(std::make_shared<SourceText>(std::string(text)));
        EXPECT_THAT(codes(read), ElementsAre("not-text"));
        return read.diagnostics.at(0);
    };
    EXPECT_THAT(said("\xFF\xFEn\0a\0"sv).message, HasSubstr("UTF-16"));
    EXPECT_THAT(said("\xFE\xFF\0n\0a"sv).message, HasSubstr("UTF-16"));
    EXPECT_THAT(said("\xFF\xFE\0\0n\0\0\0"sv).message, HasSubstr("UTF-32"));
    EXPECT_THAT(said("\0\0\xFE\xFF\0\0\0n"sv).message, HasSubstr("UTF-32"));
    const Diagnostic noCharacter = said("a: \xEF\xBF\xBE\n");
    EXPECT_THAT(noCharacter.message, HasSubstr("U+FFFE"));
    EXPECT_EQ(noCharacter.range, (Range{3, 6}));
    EXPECT_THAT(said("a: \xEF\xBF\xBF\n").message, HasSubstr("U+FFFF"));
    EXPECT_EQ(said("a: \xC2\x80\n").range, (Range{3, 5}));
    EXPECT_THAT(said("a: \x01\n").message, HasSubstr("control character"));
}

TEST(Keys, AreNeitherTooLongNorCollections)
{
    const Parsed longKey = parse(std::make_shared<SourceText>("a: 1\n" + std::string(1100, 'k') + ": 2\nb: 3\n"));
    ASSERT_EQ(longKey.diagnostics.size(), 1U);
    EXPECT_THAT(longKey.diagnostics[0].message, HasSubstr("1,024"));
    EXPECT_EQ(longKey.source->lineCol(longKey.diagnostics[0].range.begin).line, 2U);
    const Parsed list = parsed(Marked("a: 1\n? [x, y]\n: 2\nb: 3\n"));
    EXPECT_THAT(codes(list), ElementsAre("key-not-text"));
    EXPECT_EQ(list.root->members.size(), 2U) << "the key is told; there is none called \"?\"";
}

TEST(Fixes, OfTheReaderMakeItGood)
{
    const auto mended = [](const std::string& text) {
        const Parsed read = parse(std::make_shared<SourceText>(text));
        EXPECT_EQ(read.diagnostics.size(), 1U) << text;
        if (read.diagnostics.empty() || read.diagnostics[0].fixes.empty())
            return std::string();
        return applyEdits(text, read.diagnostics[0].fixes[0].edits);
    };
    EXPECT_EQ(mended("a: !foo x\n"), "a: x\n");
    EXPECT_EQ(mended("a: &n !foo x\nb: *n\n"), "a: &n x\nb: *n\n");
    EXPECT_EQ(mended("a: !foo [1]\n"), "a: [1]\n");
    EXPECT_EQ(mended("a: !!int x\n"), "a: x\n");
    EXPECT_EQ(mended("a: 2026-13-45\n"), "a: \"2026-13-45\"\n");
    EXPECT_EQ(mended("a:\n  b: 1\n\xC2\xA0\xC2\xA0 \xC2\xA0"
                     "c: 1\n"),
              "a:\n  b: 1\n    c: 1\n");
}

TEST(Tabs, BehindADashCostNothingOfTheList)
{
    const Parsed read = parsed(Marked("concurrencies:\n  -\t4\n  - 8\nb: 1\n"));
    EXPECT_THAT(codes(read), ElementsAre("yaml-tab"));
    EXPECT_TRUE(read.mended);
    EXPECT_FALSE(read.lossy);
    ASSERT_TRUE(read.root->find("concurrencies")->isSequence());
    EXPECT_EQ(read.root->find("concurrencies")->items.size(), 2U);
}

} // namespace
} // namespace wb::syntax
