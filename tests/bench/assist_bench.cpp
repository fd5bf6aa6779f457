// Completion and hover on the largest real recipe and on a text of 50,000 lines; the budget is 5 ms each.
#include "core/assist/completion.h"
#include "core/assist/hover.h"
#include "core/assist/navigation.h"
#include "tests/support/longrecipe.h"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

using namespace wb;

namespace {

std::string largestRecipe()
{
    std::ifstream file(SRTWB_SHARED_DIR "/corpus/v1/recipes/gb300-fp8/glm5.yaml", std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

struct Sample {
    std::shared_ptr<const syntax::SourceText> source;
    std::shared_ptr<const check::Facts> facts = std::make_shared<check::Facts>();
    std::shared_ptr<const check::Checked> checked;
};

const Sample& sample(bool isLong)
{
    static Sample all[2];
    Sample& out = all[isLong ? 1 : 0];
    if (!out.source) {
        out.source = std::make_shared<syntax::SourceText>(isLong ? test::longRecipe() : largestRecipe(), "recipe.yaml");
        out.checked = std::make_shared<check::Checked>(check::check(out.source, *out.facts));
        std::printf("%zu lines, %zu jobs\n", out.source->lineCount(), out.checked->variants.size());
    }
    return out;
}

void prepare(benchmark::State& state, bool isLong)
{
    const Sample& text = sample(isLong);
    for (auto _ : state)
        benchmark::DoNotOptimize(assist::Document(text.source, text.facts, text.checked));
}

template <typename Ask>
void ask(benchmark::State& state, bool isLong, std::string_view word, std::ptrdiff_t behind, const Ask& ask)
{
    const Sample& text = sample(isLong);
    const assist::Document document(text.source, text.facts, text.checked);
    const std::size_t offset = text.source->text().rfind(word) + static_cast<std::size_t>(behind);
    for (auto _ : state)
        benchmark::DoNotOptimize(ask(document, offset));
}

void completeFlag(benchmark::State& state, bool isLong)
{
    ask(state, isLong, "mem-fraction-static", 3, assist::completionsAt);
}

void hoverFlag(benchmark::State& state, bool isLong)
{
    ask(state, isLong, "mem-fraction-static", 3, assist::hoverAt);
}

void hoverInBase(benchmark::State& state, bool isLong)
{
    const Sample& text = sample(isLong);
    const assist::Document document(text.source, text.facts, text.checked);
    const std::size_t offset = text.source->text().find("mem-fraction-static") + 3;
    for (auto _ : state)
        benchmark::DoNotOptimize(assist::hoverAt(document, offset));
}

void outline(benchmark::State& state, bool isLong)
{
    const Sample& text = sample(isLong);
    const assist::Document document(text.source, text.facts, text.checked);
    for (auto _ : state)
        benchmark::DoNotOptimize(assist::outlineOf(document));
}

} // namespace

#define BOTH(name)                                                                                                                         \
    BENCHMARK_CAPTURE(name, largest_real, false)->Unit(benchmark::kMillisecond);                                                           \
    BENCHMARK_CAPTURE(name, lines_50000, true)->Unit(benchmark::kMillisecond)

BOTH(prepare);
BOTH(completeFlag);
BOTH(hoverFlag);
BOTH(hoverInBase);
BOTH(outline);

BENCHMARK_MAIN();
