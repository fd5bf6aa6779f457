// Every offset of real recipes, whole and cut off: nothing may crash, and what is accepted must leave the recipe as good YAML as it was.
#include "core/assist/completion.h"
#include "core/assist/hover.h"
#include "core/assist/navigation.h"
#include "core/syntax/yaml.h"
#include "tests/core/assist/documents.h"
#include "tests/support/corpus.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

namespace wb::assist {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> recipes()
{
    std::vector<fs::path> out;
    for (const char* folder : {"corpus/v1/recipes", "corpus/v1/examples", "corpus/v1/invalid", "corpus/v2/recipes"}) {
        const auto path = test::shared(folder);
        if (!path)
            continue;
        for (const auto& entry : fs::recursive_directory_iterator(*path)) {
            if (entry.path().extension() == ".yaml")
                out.push_back(entry.path());
        }
    }
    std::sort(out.begin(), out.end());
    return out;
}

std::shared_ptr<const syntax::SourceText> sourceOf(std::string text)
{
    return std::make_shared<syntax::SourceText>(std::move(text), "recipe.yaml");
}

/// Everything the editor may ask at a place.
void askEverything(const Document& document, std::size_t offset)
{
    const std::size_t size = document.text().size();
    for (const Completion& each : completionsAt(document, offset).items) {
        ASSERT_LE(each.edit.range.begin, each.edit.range.end);
        ASSERT_LE(each.edit.range.end, size);
        ASSERT_LE(each.cursor, each.edit.text.size());
    }
    if (const auto hover = hoverAt(document, offset)) {
        ASSERT_LE(hover->range.end, size);
    }
    for (const Location& each : definitionsAt(document, offset)) {
        ASSERT_LE(each.range.begin, each.range.end);
    }
    if (renameableAt(document, offset)) {
        ASSERT_TRUE(renamed(document, offset, "other-name-x").whyNot.empty());
    }
}

TEST(AssistCorpus, AnswersAtEveryOffsetOfRecipes)
{
    SRTWB_NEEDS_SHARED("corpus/v1/recipes");
    // A part of the files, each offset of them: the rest differs in numbers only.
    const std::vector<fs::path> all = recipes();
    for (std::size_t i = 0; i < all.size(); i += 120) {
        const auto source = sourceOf(test::bytesOf(all[i]));
        const Document document(source, test::clusterFacts(), nullptr);
        for (std::size_t offset = 0; offset <= source->text().size(); ++offset) {
            askEverything(document, offset);
            if (testing::Test::HasFatalFailure()) {
                FAIL() << all[i] << " at " << offset;
            }
        }
    }
}

TEST(AssistCorpus, AnswersInRecipesCutOffAnywhere)
{
    SRTWB_NEEDS_SHARED("corpus/v1/recipes");
    const std::vector<fs::path> all = recipes();
    for (std::size_t i = 0; i < all.size(); i += 11) {
        const std::string text = test::bytesOf(all[i]);
        for (std::size_t cut = i % 97; cut <= text.size(); cut += 97) {
            const Document document(sourceOf(text.substr(0, cut)), test::clusterFacts(), nullptr);
            askEverything(document, cut);
            askEverything(document, cut / 2);
            static_cast<void>(outlineOf(document));
            if (testing::Test::HasFatalFailure()) {
                FAIL() << all[i] << " cut at " << cut;
            }
        }
    }
}

TEST(AssistCorpus, AnswersWithTheValuesOfTheJobs)
{
    SRTWB_NEEDS_SHARED("corpus/v1/recipes/gb300-fp8/glm5.yaml");
    const auto source = sourceOf(test::bytesOf(*test::shared("corpus/v1/recipes/gb300-fp8/glm5.yaml")));
    const Document document = test::checkedDocument(source);
    std::size_t withValues = 0;
    for (std::size_t offset = 0; offset <= source->text().size(); offset += 7) {
        askEverything(document, offset);
        if (const auto hover = hoverAt(document, offset))
            withValues += hover->values.empty() ? 0 : 1;
    }
    EXPECT_GT(withValues, 400U);
}

TEST(AssistCorpus, AnAcceptedKeyLeavesTheRecipeReadable)
{
    SRTWB_NEEDS_SHARED("corpus/v1/recipes");
    const std::vector<fs::path> all = recipes();
    std::size_t tried = 0;
    for (std::size_t i = 0; i < all.size(); i += 17) {
        const std::string text = test::bytesOf(all[i]);
        const syntax::Parsed before = syntax::parse(sourceOf(text));
        if (!before.complete)
            continue;
        const Skeleton skeleton(sourceOf(text));
        for (std::size_t id = 0; id < skeleton.nodes().size(); id += 5) {
            const Skeleton::Node& node = skeleton.node(static_cast<Skeleton::Id>(id));
            if (node.kind != Skeleton::Kind::Key || node.isFlow)
                continue;
            const std::size_t line = text.rfind('\n', node.begin) == std::string::npos ? 0 : text.rfind('\n', node.begin) + 1;
            if (text.substr(line, node.begin - line).find_first_not_of(' ') != std::string::npos)
                continue; // the first key of an item
            std::string opened = text;
            opened.insert(line, std::string(node.column, ' ') + "\n");
            const Document document(sourceOf(opened), test::clusterFacts(), nullptr);
            const Completions offered = completionsAt(document, line + node.column);
            for (std::size_t k = 0; k < offered.items.size(); k += 1 + offered.items.size() / 4) {
                ++tried;
                const std::string accepted = syntax::applyEdits(opened, {offered.items[k].edit});
                const syntax::Parsed after = syntax::parse(sourceOf(accepted));
                ASSERT_TRUE(after.complete) << all[i] << ": " << offered.items[k].label << " before line "
                                            << sourceOf(text)->lineCol(node.begin).line << "\n"
                                            << after.diagnostics.front().message;
            }
        }
    }
    EXPECT_GT(tried, 1000U);
}

} // namespace
} // namespace wb::assist
