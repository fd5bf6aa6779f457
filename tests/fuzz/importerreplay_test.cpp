// Samples of every format, whole, cut off and with bytes changed, through every importer: none may crash or break a promise.
#include "core/results/importer.h"
#include "tests/fuzz/importerfuzz.h"
#include "tests/support/corpus.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>

namespace wb::fuzz {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> samples()
{
    std::vector<std::string> texts;
    for (const char* folder : {"tests/data/results", "tests/fuzz/foundresults"})
        if (fs::exists(test::own(folder)))
            for (const auto& entry : fs::directory_iterator(test::own(folder)))
                texts.push_back(test::bytesOf(entry.path()));
    return texts;
}

TEST(FuzzImporters, EverySampleThroughEveryImporter)
{
    for (const std::string& text : samples()) {
        tryResult(text);
        for (const results::Importer& importer : results::importers())
            tryResult(text, importer.id);
    }
}

TEST(FuzzImporters, CutOffAnywhere)
{
    for (const std::string& text : samples())
        for (std::size_t i = 1; i < 40; ++i)
            tryResult(std::string_view(text).substr(0, text.size() * i / 40));
}

TEST(FuzzImporters, WithBytesChanged)
{
    std::mt19937 random(1); // NOLINT(cert-msc51-cpp): the same on each run
    constexpr std::string_view bytes = "\"{}[],:0-9eE.\n \xff\x00tNI";
    for (const std::string& text : samples())
        for (int round = 0; round < 60; ++round) {
            std::string changed = text;
            for (int i = 0; i < 1 + round % 8; ++i)
                changed[random() % changed.size()] = bytes[random() % bytes.size()];
            tryResult(changed);
            tryResult(changed, results::importers()[random() % results::importers().size()].id);
        }
}

} // namespace
} // namespace wb::fuzz
