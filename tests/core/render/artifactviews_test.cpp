#include "core/base/sha256.h"
#include "core/render/artifactviews.h"

#include <gmock/gmock.h>

namespace wb::render {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

Artifact artifact(std::string name, std::string bytes)
{
    std::string sha256 = base::sha256Hex(bytes);
    return {.name = std::move(name), .kind = ArtifactKind::Config, .bytes = std::move(bytes), .sha256 = std::move(sha256)};
}

TEST(ShownTexts, HoldNoSecret)
{
    const std::vector<Artifact> artifacts{artifact("a", "export HF_TOKEN=hf_abcdefgh\n")};
    const std::vector<Secret> secrets{{"HF_TOKEN", "hf_abcdefgh"}};
    EXPECT_THAT(shownTexts(artifacts, secrets), ElementsAre("export HF_TOKEN=********\n"));
}

TEST(FindInTexts, TellsEveryLineThatHoldsTheWordsOnce)
{
    const std::vector<std::string> texts{"one\n  Port 80, port 81\n", "", "port"};
    const auto hits = findInTexts(texts, "port", 10);
    ASSERT_THAT(hits, SizeIs(2));
    EXPECT_EQ(hits[0], (ArtifactHit{0, 2, 6, 10, "Port 80, port 81"}));
    EXPECT_EQ(hits[1], (ArtifactHit{2, 1, 0, 4, "port"}));
    EXPECT_THAT(findInTexts(texts, "port", 1), SizeIs(1));
    EXPECT_THAT(findInTexts(texts, "", 10), IsEmpty());
    EXPECT_THAT(findInTexts(texts, "nowhere", 10), IsEmpty());
}

TEST(FindInTexts, CutsALongLineAtACharacter)
{
    std::string umlauts;
    for (int i = 0; i < 150; ++i)
        umlauts += "\u00e4";
    const std::vector<std::string> texts{"x" + umlauts};
    const auto hits = findInTexts(texts, "x", 10);
    ASSERT_THAT(hits, SizeIs(1));
    EXPECT_EQ(hits[0].text, "x" + umlauts.substr(0, 198) + "\u2026");
}

TEST(PairedArtifacts, TellsWhatDiffersByName)
{
    const std::vector<Artifact> here{artifact("a", "1"), artifact("b", "2"), artifact("c", "3")};
    const std::vector<Artifact> there{artifact("d", "4"), artifact("b", "22"), artifact("a", "1")};
    EXPECT_THAT(pairedArtifacts(here, there),
                ElementsAre(ArtifactPair{"a", ArtifactChange::Same, 0, 2}, ArtifactPair{"b", ArtifactChange::Changed, 1, 1},
                            ArtifactPair{"c", ArtifactChange::OnlyHere, 2, 0}, ArtifactPair{"d", ArtifactChange::OnlyThere, 0, 0}));
}

TEST(PasteableCommand, IsOneLineWithoutRemarks)
{
    EXPECT_EQ(pasteableCommand("# worker 0\n# installed first.\npython3 -m server \\\n    --port 80 \\\n    --name 'a b'\n"),
              "python3 -m server --port 80 --name 'a b'");
    EXPECT_EQ(pasteableCommand("run 'a \\ b'\n"), "run 'a \\ b'");
    EXPECT_EQ(pasteableCommand("# nothing\n"), "");
}

} // namespace
} // namespace wb::render
