// Who may include whom. A new arrow is a decision, made in this table and in the folder's CMakeLists.txt.
#include "core/base/text.h"
#include "tests/support/corpus.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace wb {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

/// What each folder of core may include beside itself and base; arrows are transitive where the table says so.
const std::map<std::string, Names> arrows = {
    {"base", {}},
    {"syntax", {}},
    {"schema", {}},
    {"recipe", {"syntax", "schema"}},
    {"expand", {"recipe", "syntax", "schema"}},
    {"plan", {"recipe", "syntax", "schema"}},
    {"engines", {"plan", "recipe", "syntax", "schema"}},
    {"render", {"engines", "plan", "recipe", "syntax", "schema"}},
    {"check", {"expand", "plan", "engines", "recipe", "syntax", "schema"}},
    {"assist", {"check", "expand", "plan", "engines", "recipe", "syntax", "schema"}},
    {"results", {"syntax"}},
    {"catalogue", {"results", "syntax"}},
    {"analysis", {"results", "recipe", "plan", "syntax", "schema"}},
    {"store", {}},
    {"remote", {"check", "expand", "render", "store", "engines", "plan", "recipe", "syntax", "schema"}},
    {"snapshot", {"syntax", "schema", "recipe", "plan", "results", "remote"}},
};

/// Folders of core whose headers or sources may use Qt, and which part.
bool mayUseQt(const std::string& folder, const fs::path& file)
{
    return folder == "remote" || folder == "catalogue" || (folder == "store" && file.extension() == ".cpp");
}

/// The only folder that may include such a library.
const std::map<std::string, std::string> librariesAtHome = {
    {"yaml.h", "core/syntax"},  {"yaml-cpp/", "core/syntax"},    {"rapidjson/", "core/base"},
    {"nettle/", "core/base"},   {"QtCharts", "ui/charts"},       {"QChart", "ui/charts"},
    {"CLI/", "app/cli"},        {"qt6keychain/", "app/secrets"}, {"KSyntaxHighlighting/", "ui/editor"},
    {"QSql", "core/catalogue"},
};

struct Include {
    fs::path file;
    std::string folder; ///< "core/syntax"
    std::string path;   ///< As written between the marks.
    bool isOwn = false; ///< In quotes.
};

std::vector<Include> includesBelow(const std::string& top)
{
    std::vector<Include> out;
    for (const auto& entry : fs::recursive_directory_iterator(test::own(top))) {
        const fs::path& file = entry.path();
        if (file.extension() != ".h" && file.extension() != ".cpp")
            continue;
        const std::string folder = fs::relative(file, test::own(".")).parent_path().generic_string();
        const std::string text = test::bytesOf(file);
        for (const std::string_view line : base::splitAt(text, '\n')) {
            if (!line.starts_with("#include "))
                continue;
            const std::string_view rest = line.substr(9);
            const std::size_t end = rest.find_first_of("\">", 1);
            if (end != std::string_view::npos)
                out.push_back({file, folder, std::string(rest.substr(1, end - 1)), rest.front() == '"'});
        }
    }
    return out;
}

/// "core/results/importers" -> "results"
std::string coreFolder(const std::string& path)
{
    const std::size_t begin = path.find('/') + 1;
    return path.substr(begin, path.find('/', begin) - begin);
}

TEST(Architecture, FoldersOfCoreIncludeOnlyWhatTheTableAllows)
{
    std::size_t seen = 0;
    for (const Include& include : includesBelow("core")) {
        const std::string from = coreFolder(include.folder);
        ASSERT_TRUE(arrows.contains(from)) << from << " is not in the table of arrows";
        if (!include.isOwn)
            continue;
        ++seen;
        ASSERT_TRUE(include.path.starts_with("core/")) << include.file << " includes " << include.path;
        const std::string to = coreFolder(include.path);
        EXPECT_TRUE(to == from || to == "base" || arrows.at(from).contains(to)) << include.file << " includes " << include.path;
    }
    EXPECT_GT(seen, 100U);
}

TEST(Architecture, TheTableHasNoCircle)
{
    for (const auto& [from, targets] : arrows) {
        for (const std::string& to : targets)
            EXPECT_FALSE(arrows.at(to).contains(from)) << from << " and " << to;
    }
}

TEST(Architecture, CoreKnowsNoWidgetsAndNoQtWhereItShouldNot)
{
    for (const Include& include : includesBelow("core")) {
        if (include.isOwn || !include.path.starts_with("Q") || !include.file.has_extension())
            continue;
        EXPECT_TRUE(mayUseQt(coreFolder(include.folder), include.file)) << include.file << " includes " << include.path;
        EXPECT_FALSE(include.path.starts_with("QtGui") || include.path.starts_with("QtWidgets") || include.path == "QWidget")
            << include.file;
    }
}

TEST(Architecture, EachLibraryIsUsedInOneFolder)
{
    for (const std::string top : {"core", "ui", "app"}) {
        for (const Include& include : includesBelow(top)) {
            for (const auto& [library, home] : librariesAtHome) {
                if (!include.isOwn && include.path.starts_with(library)) {
                    EXPECT_TRUE(include.folder.starts_with(home))
                        << include.file << " includes " << include.path << ", at home in " << home;
                }
            }
        }
    }
}

TEST(Architecture, PanesDoNotKnowEachOtherAndUiDoesNotKnowApp)
{
    for (const Include& include : includesBelow("ui")) {
        if (!include.isOwn)
            continue;
        EXPECT_FALSE(include.path.starts_with("app/")) << include.file << " includes " << include.path;
        const bool isPane = include.folder == "ui/panes" && include.file.stem().string().ends_with("pane");
        const fs::path target(include.path);
        const bool namesPane = target.parent_path() == "ui/panes" && target.stem().string().ends_with("pane");
        if (isPane && namesPane) {
            EXPECT_EQ(target.stem(), include.file.stem()) << include.file << " includes " << include.path;
        }
    }
}

} // namespace
} // namespace wb
