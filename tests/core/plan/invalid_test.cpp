// Broken recipes of the corpus whose fault is in the plan: each is found, in its lines.
#include "core/check/check.h"
#include "core/plan/topology.h"
#include "core/recipe/lower.h"
#include "tests/support/corpus.h"
#include "tests/support/golden.h"

#include <gmock/gmock.h>

#include <memory>

namespace wb::plan {
namespace {

using base::json::Value;

std::shared_ptr<const syntax::SourceText> sourceOf(const std::filesystem::path& path)
{
    return std::make_shared<syntax::SourceText>(test::bytesOf(path), path.string());
}

/// A place counts when the finding or one of its notes overlaps the lines.
bool touches(const syntax::Diagnostic& diagnostic, const syntax::SourceText& text, std::size_t first, std::size_t last)
{
    const auto within = [&](const syntax::Range& range) {
        const std::size_t begin = text.lineCol(range.begin).line;
        const std::size_t end = text.lineCol(range.end).line;
        return begin <= last && end >= first;
    };
    if (within(diagnostic.range))
        return true;
    for (const syntax::Note& note : diagnostic.notes)
        if (note.source == syntax::Source::Recipe && within(note.range))
            return true;
    return false;
}

TEST(PlanInvalid, FindsEveryFaultOfFittingInItsLines)
{
    SRTWB_NEEDS_SHARED("corpus/v1/invalid/manifest.json");
    const auto manifest = base::json::read(test::bytesOf(*test::shared("corpus/v1/invalid/manifest.json")));
    ASSERT_TRUE(manifest);
    std::vector<std::string> missed;
    std::vector<std::string> alarmed;
    std::size_t judged = 0;
    for (const Value& entry : manifest->array()) {
        if (test::textAt(entry, "category") != "gpu-fit")
            continue;
        const check::ClusterFile cluster =
            check::readCluster(sourceOf(*test::shared("corpus/clusters/" + test::textAt(entry, "cluster") + ".yaml")));
        const auto source = sourceOf(*test::shared("corpus/v1/invalid/" + test::textAt(entry, "file")));
        const check::Checked checked = check::check(source, check::factsFor(cluster));
        const auto lines = entry.find("lines")->array();
        bool isFound = false;
        std::string said;
        bool isRefused = false;
        for (const check::CheckedVariant& variant : checked.variants) {
            if (!variant.config)
                continue;
            for (const syntax::Diagnostic& diagnostic : plan(recipe::lower(variant.config), *cluster.cluster).diagnostics) {
                said += "\n    " + diagnostic.message;
                isRefused = isRefused || diagnostic.severity == syntax::Severity::Error;
                isFound = isFound || touches(diagnostic, *source, static_cast<std::size_t>(*lines.at(0).integer()),
                                             static_cast<std::size_t>(*lines.at(1).integer()));
            }
        }
        const std::string label = test::textAt(entry, "id") + " " + test::textAt(entry, "what") + said;
        if (entry.find("broken")->boolean() == true && !isFound)
            missed.push_back(label);
        if (entry.find("broken")->boolean() == false && isRefused)
            alarmed.push_back(label);
        ++judged;
    }
    EXPECT_EQ(judged, 13U);
    EXPECT_THAT(missed, testing::IsEmpty());
    EXPECT_THAT(alarmed, testing::IsEmpty());
}

} // namespace
} // namespace wb::plan
