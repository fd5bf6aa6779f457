// The contract of srtwb, on the real program: exit codes, documents, bad input.
#include "core/base/json.h"
#include "core/base/shell.h"
#include "tests/support/corpus.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace wb {
namespace {

namespace fs = std::filesystem;
using base::json::Value;
using testing::HasSubstr;

struct Outcome {
    int code = -1;
    std::string out; ///< Standard output.
    std::string err; ///< Standard error.
};

class Srtwb : public testing::Test
{
protected:
    Srtwb()
    {
        const auto* info = testing::UnitTest::GetInstance()->current_test_info();
        m_folder = fs::path(testing::TempDir()) / ("srtwb_" + std::string(info->name()));
        fs::remove_all(m_folder);
        fs::create_directories(m_folder);
    }
    ~Srtwb() override { fs::remove_all(m_folder); }
    Srtwb(const Srtwb&) = delete;
    Srtwb& operator=(const Srtwb&) = delete;

    Outcome run(const std::vector<std::string>& arguments, const std::string& before = {}) const
    {
        const std::string errors = (m_folder / "stderr").string();
        const std::string command = "cd " + base::shellQuoted(m_folder.string()) +
                                    " && export XDG_DATA_HOME=" + base::shellQuoted((m_folder / "data").string()) +
                                    " SRTSLURM_CONFIG= NO_COLOR=1; " + before + base::shellQuoted(SRTWB_PROGRAM) + " " +
                                    base::shellCommand(arguments) + " 2>" + base::shellQuoted(errors);
        Outcome outcome;
        FILE* pipe = ::popen(command.c_str(), "r");
        std::array<char, 65536> buffer{};
        std::size_t got = 0;
        while ((got = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0)
            outcome.out.append(buffer.data(), got);
        const int status = ::pclose(pipe);
        outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        outcome.err = test::bytesOf(errors);
        return outcome;
    }

    std::string write(const std::string& name, const std::string& bytes) const
    {
        const fs::path path = m_folder / name;
        fs::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << bytes;
        return path.string();
    }

    [[nodiscard]] std::string folder() const { return m_folder.string(); }

    fs::path m_folder;
};

const std::string goodRecipe = "name: tiny\nmodel: {path: hf:org/model, container: image:1, precision: fp8}\n"
                               "resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n"
                               "backend: {type: vllm}\nslurm: {time_limit: \"1:30:00\"}\n";

Value document(const Outcome& outcome)
{
    auto read = base::json::read(outcome.out);
    EXPECT_TRUE(read) << (read ? "" : read.error().message) << "\n" << outcome.out.substr(0, 400) << outcome.err;
    return read ? *read : Value();
}

TEST_F(Srtwb, SaysItsVersionAndHelps)
{
    EXPECT_EQ(run({"--version"}).code, 0);
    EXPECT_THAT(run({"--version"}).out, testing::StartsWith("srtwb "));
    EXPECT_THAT(run({"check", "--help"}).out, HasSubstr("Examples:"));
    EXPECT_EQ(run({"nonsense"}).code, 2);
    EXPECT_EQ(run({}).code, 2);
    EXPECT_EQ(run({"check"}).code, 2);
    EXPECT_EQ(run({"check", "x.yaml", "--pack"}).code, 2);
}

TEST_F(Srtwb, ChecksAGoodRecipe)
{
    const std::string path = write("good.yaml", goodRecipe);
    const Outcome outcome = run({"check", "--json", path});
    EXPECT_EQ(outcome.code, 0) << outcome.err << outcome.out;
    const Value file = document(outcome).find("files")->array().at(0);
    EXPECT_EQ(*file.find("path")->string(), path);
    EXPECT_EQ(*file.find("pack")->string(), "v1");
    EXPECT_EQ(file.find("valid")->boolean(), true);
    EXPECT_EQ(file.find("jobs")->integer(), 1);
    EXPECT_TRUE(file.find("variants")->array().at(0).find("suffix")->isNull());
    EXPECT_TRUE(file.find("diagnostics")->array().empty());
}

TEST_F(Srtwb, GivesAFindingWithItsPlaceNotesAndFixes)
{
    const std::string path = write("typo.yaml", "naem: ü\n" + goodRecipe.substr(goodRecipe.find('\n') + 1));
    const Outcome outcome = run({"check", "--json", path});
    EXPECT_EQ(outcome.code, 1);
    const Value file = document(outcome).find("files")->array().at(0);
    EXPECT_EQ(file.find("valid")->boolean(), false);
    const Value& problem = file.find("diagnostics")->array().at(0);
    EXPECT_EQ(problem.find("line")->integer(), 1);
    EXPECT_EQ(problem.find("column")->integer(), 1);
    EXPECT_EQ(problem.find("endColumn")->integer(), 5);
    EXPECT_EQ(*problem.find("severity")->string(), "error");
    EXPECT_EQ(*problem.find("source")->string(), "recipe");
    EXPECT_TRUE(problem.find("variant")->isNull());
    EXPECT_EQ(*problem.find("fixes")->array().at(0).find("edits")->array().at(0).find("text")->string(), "name");
}

TEST_F(Srtwb, JudgesBadInputByOneClearSentence)
{
    EXPECT_EQ(run({"check", write("empty.yaml", "")}).code, 1);
    EXPECT_THAT(run({"check", write("empty.yaml", "")}).out, HasSubstr("empty"));
    EXPECT_EQ(run({"check", write("comments.yaml", "# nothing\n\n")}).code, 1);
    const Outcome binary = run({"check", write("binary.yaml", std::string("\x89PNG\r\n\x1a\n\0\xff", 10))});
    EXPECT_EQ(binary.code, 1);
    EXPECT_THAT(binary.out, HasSubstr("binary.yaml:1:1: error: This is a binary file, not a recipe."));
    EXPECT_EQ(run({"check", write("latin.yaml", "name: caf\xe9\n")}).code, 1);
    EXPECT_EQ(run({"check", write("list.yaml", "- a\n")}).code, 1);
    EXPECT_EQ(run({"check", write("broken.yaml", "name: [a\nmodel: b\n")}).code, 1);
    const Outcome missing = run({"check", "no/such.yaml"});
    EXPECT_EQ(missing.code, 3);
    EXPECT_THAT(missing.err, HasSubstr("\"no/such.yaml\""));
    EXPECT_EQ(run({"check", folder()}).code, 1) << "files in a folder are judged as well";
}

TEST_F(Srtwb, TakesAHugeFileFullOfProblems)
{
    std::string text = goodRecipe;
    for (int i = 0; i < 10'000; ++i)
        text += "wrong_key_number_" + std::to_string(i) + ": \"" + std::string(480, 'x') + "\"\n";
    const Outcome outcome = run({"check", "--json", write("huge.yaml", text)});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(document(outcome).find("files")->array().at(0).find("diagnostics")->array().size(), 10'000U);
}

TEST_F(Srtwb, RefusesASelectorThatNamesNothing)
{
    const std::string path = write("good.yaml", goodRecipe);
    const Outcome outcome = run({"check", "--json", path + ":override_x"});
    EXPECT_EQ(outcome.code, 1);
    const Value problem = document(outcome).find("files")->array().at(0).find("diagnostics")->array().at(0);
    EXPECT_EQ(*problem.find("source")->string(), "cli");
    EXPECT_EQ(*problem.find("path")->string(), path);
    EXPECT_TRUE(problem.find("line")->isNull());
}

TEST_F(Srtwb, ReadsStandardInput)
{
    const Outcome outcome = run({"check", "--json", "-"}, "printf 'name: x\\n' | ");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(*document(outcome).find("files")->array().at(0).find("path")->string(), "-");
}

TEST_F(Srtwb, LeavesOutOfFoldersWhatIsNoRecipe)
{
    write("d/good.yaml", goodRecipe);
    write("d/srtslurm.yaml", "cluster: c\ndefault_account: a\n");
    write("d/other.yml", "a: 1\n");
    const Outcome outcome = run({"check", "--json", "d"});
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    const Value files = document(outcome);
    ASSERT_EQ(files.find("files")->array().size(), 3U);
    EXPECT_TRUE(files.find("files")->array()[1].find("pack")->isNull());
    EXPECT_TRUE(files.find("files")->array()[1].find("valid")->isNull()) << "no verdict is no good verdict";
    EXPECT_EQ(*files.find("files")->array()[0].find("path")->string(), "d/good.yaml");
}

TEST_F(Srtwb, ReportsAnErrorOfTheClusterFileOnEveryRecipe)
{
    const std::string cluster = write("srtslurm-bad.yaml", "default_acount: a\n");
    const Outcome outcome = run({"check", "--json", "--cluster", cluster, write("good.yaml", goodRecipe)});
    EXPECT_EQ(outcome.code, 1);
    const Value problem = document(outcome).find("files")->array().at(0).find("diagnostics")->array().at(0);
    EXPECT_EQ(*problem.find("source")->string(), "cluster");
    EXPECT_EQ(*problem.find("path")->string(), cluster);
    EXPECT_EQ(problem.find("line")->integer(), 1);
    EXPECT_EQ(run({"check", "--cluster", "none.yaml", "good.yaml"}).code, 3);
}

TEST_F(Srtwb, WritesForCodeHosts)
{
    const std::string path = write("typo.yaml", "naem: x\n" + goodRecipe.substr(goodRecipe.find('\n') + 1));
    EXPECT_THAT(run({"check", "--github", path}).out, testing::StartsWith("::error title=unknown-key,file="));
    const Value sarif = document(run({"check", "--sarif", path}));
    EXPECT_EQ(*sarif.find("version")->string(), "2.1.0");
    EXPECT_EQ(*sarif.find("runs")->array().at(0).find("results")->array().at(0).find("ruleId")->string(), "unknown-key");
}

TEST_F(Srtwb, ExpandsARecipeWithItsCosts)
{
    const Outcome outcome = run(
        {"expand", "--json", write("good.yaml", goodRecipe), "--set", "resources.agg_nodes=2", "--set", "name=other", "--unset", "slurm"});
    EXPECT_EQ(outcome.code, 0) << outcome.err << outcome.out;
    const Value job = document(outcome).find("jobs")->array().at(0);
    EXPECT_EQ(*job.find("name")->string(), "other");
    EXPECT_EQ(job.find("nodes")->integer(), 2);
    EXPECT_EQ(job.find("gpus")->integer(), 16);
    EXPECT_TRUE(job.find("suffix")->isNull());
    EXPECT_EQ(*job.at({"config", "backend", "type"})->string(), "vllm");
    EXPECT_EQ(run({"expand", folder()}).code, 2) << "one recipe at a time";
}

TEST_F(Srtwb, GivesTheVariantsThatCanBePlannedBesideOneThatCannot)
{
    const std::string path =
        write("mixed.yaml", "base:\n  " +
                                std::string("name: n\n  model: {path: hf:o/m, container: i:1, precision: fp8}\n  resources: {gpu_type: "
                                            "h100, agg_nodes: 1, agg_workers: 1}\n") +
                                "override_bad: {resources: {agg_nodes: many}}\noverride_good: {resources: {agg_nodes: 2}}\n");
    const Outcome outcome = run({"expand", "--json", path});
    EXPECT_EQ(outcome.code, 1);
    const Value all = document(outcome);
    ASSERT_EQ(all.find("jobs")->array().size(), 1U);
    EXPECT_EQ(*all.find("jobs")->array()[0].find("suffix")->string(), "good");
    EXPECT_EQ(*all.find("diagnostics")->array().at(0).find("variant")->string(), "bad");
}

TEST_F(Srtwb, WritesEveryArtifactWithItsHash)
{
    const Outcome outcome = run({"dry-run", "--json", write("good.yaml", goodRecipe), "--out", "preview"});
    EXPECT_EQ(outcome.code, 0) << outcome.err << outcome.out;
    const Value job = document(outcome).find("jobs")->array().at(0);
    const fs::path dir = *job.find("dir")->string();
    EXPECT_TRUE(dir.is_absolute());
    EXPECT_TRUE(job.find("suffix")->isNull());
    bool hasScript = false;
    for (const Value& artifact : job.find("artifacts")->array()) {
        const std::string bytes = test::bytesOf(dir / *artifact.find("name")->string());
        EXPECT_EQ(artifact.find("bytes")->integer(), static_cast<std::int64_t>(bytes.size()));
        hasScript =
            hasScript || (*artifact.find("kind")->string() == "job-script" && bytes.find("#SBATCH --job-name=tiny") != std::string::npos);
    }
    EXPECT_TRUE(hasScript);
    EXPECT_EQ(*job.at({"topology", "head"})->string(), "node000");
    EXPECT_EQ(run({"dry-run", "good.yaml"}).code, 2) << "--out is required";
    write("file", "");
    EXPECT_EQ(run({"dry-run", "good.yaml", "--out", "file/below"}).code, 3);
}

TEST_F(Srtwb, PrintsTheLanguage)
{
    EXPECT_THAT(run({"schema"}).out, HasSubstr("gpus_per_node"));
    EXPECT_EQ(*document(run({"schema", "--format", "json-schema"})).find("$schema")->string(),
              "https://json-schema.org/draft/2020-12/schema");
    EXPECT_EQ(run({"schema", "--pack", "nothing"}).code, 2);
    EXPECT_EQ(run({"schema", "--pack", "./nothing.json"}).code, 3);
}

TEST_F(Srtwb, ImportsAndComparesAndSaysWhyNot)
{
    const fs::path samples = test::own("resources/samples/results");
    const Outcome imported = run({"import", "--json", samples.string()});
    EXPECT_EQ(imported.code, 0) << imported.err << imported.out;
    const auto points = document(imported).find("points")->integer();
    EXPECT_GE(*points, 16);
    const Value again = document(run({"import", "--json", samples.string()}));
    for (const Value& file : again.find("files")->array())
        EXPECT_NE(*file.find("state")->string(), "imported") << "unchanged files are not read again";
    EXPECT_EQ(again.find("points")->integer(), points) << "an unchanged file still has its points";
    EXPECT_EQ(document(run({"points", "--json"})).find("points")->array().size(), static_cast<std::size_t>(*points));
    const Value pareto = document(run({"pareto", "--json"}));
    EXPECT_EQ(*pareto.at({"x", "id"})->string(), "tps-per-user");
    ASSERT_EQ(pareto.find("groups")->array().size(), 2U);
    EXPECT_FALSE(pareto.find("groups")->array()[0].find("frontier")->array().empty());
    EXPECT_EQ(run({"pareto", "--x", "nothing"}).code, 2);
    EXPECT_THAT(run({"pareto", "--list-axes"}).out, HasSubstr("output-tps-per-decode-gpu"));

    const Outcome truncated = run({"points", write("cut.json", "{\"max_concurrency\": 4, \"mean_ttft_ms\": 1.0, \"output_thr")});
    EXPECT_THAT(truncated.err, HasSubstr("line 1, column"));
    const Outcome nothing = run({"points"}, "XDG_DATA_HOME=/nonexistent ");
    EXPECT_EQ(nothing.code, 3);
    EXPECT_THAT(nothing.err, HasSubstr("import results first"));
}

TEST_F(Srtwb, FailsWhenStandardOutputIsFull)
{
    if (!fs::exists("/dev/full"))
        GTEST_SKIP() << "needs /dev/full";
    const std::string path = write("good.yaml", goodRecipe);
    EXPECT_EQ(run({"check", "--json", path}, "exec >/dev/full; ").code, 3);
}

TEST_F(Srtwb, ReadsOnPastWhatItMayNotRead)
{
    write("trav/a/one.yaml", goodRecipe);
    write("trav/m/hidden.yaml", goodRecipe);
    write("trav/z/two.yaml", goodRecipe);
    const std::string locked = write("trav/z/locked.yaml", goodRecipe);
    fs::create_symlink("nowhere", m_folder / "trav/broken.yaml");
    fs::permissions(m_folder / "trav/m", fs::perms::none);
    fs::permissions(locked, fs::perms::none);
    const bool isRoot = ::geteuid() == 0; // who reads everything; the broken link cannot be read by root either
    const std::size_t unread = isRoot ? 1 : 3;
    const std::size_t read = isRoot ? 4 : 2;

    const Outcome text = run({"check", "trav"});
    EXPECT_EQ(text.code, 3);
    EXPECT_THAT(text.err, HasSubstr(std::to_string(read) + " recipes"));
    EXPECT_THAT(text.err, HasSubstr("\"trav/broken.yaml\""));
    EXPECT_THAT(text.err, HasSubstr(std::to_string(unread) + (isRoot ? " path" : " paths") + " could not be read"));
    const Outcome json = run({"check", "--json", "trav"});
    EXPECT_EQ(json.code, 3);
    const base::json::Array files = document(json).find("files")->array();
    ASSERT_EQ(files.size(), read + unread);
    const Value& last = files.at(read);
    EXPECT_TRUE(last.find("valid")->isNull());
    EXPECT_EQ(*last.find("diagnostics")->array().at(0).find("code")->string(), "unreadable");
    const Outcome sarif = run({"check", "--sarif", "trav"});
    const Value invocation = document(sarif).find("runs")->array().at(0).find("invocations")->array().at(0);
    EXPECT_EQ(invocation.find("executionSuccessful")->boolean(), false);
    EXPECT_EQ(invocation.find("toolExecutionNotifications")->array().size(), unread);
    EXPECT_THAT(run({"check", "--github", "trav"}).out, HasSubstr("::error title=unreadable,file=trav/broken.yaml::"));
    if (!isRoot) {
        EXPECT_THAT(text.err, HasSubstr("\"trav/m\""));
        EXPECT_THAT(text.err, HasSubstr("\"trav/z/locked.yaml\""));
    }
    for (const char* command : {"expand", "dry-run"}) {
        const Outcome single = run({command, "--json", "trav/broken.yaml", "--out", "o"});
        const Outcome one = std::string(command) == "expand" ? run({command, "--json", "trav/broken.yaml"}) : single;
        EXPECT_EQ(one.code, 3) << command;
        EXPECT_EQ(*document(one).find("diagnostics")->array().at(0).find("code")->string(), "unreadable");
        EXPECT_TRUE(document(one).find("jobs")->array().empty());
    }
    fs::permissions(m_folder / "trav/m", fs::perms::owner_all);
}

std::vector<std::string> namesIn(const fs::path& folder)
{
    std::vector<std::string> out;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file() && entry.path().filename() != ".srtwb-files.json")
            out.push_back(entry.path().lexically_relative(folder).generic_string());
    }
    std::sort(out.begin(), out.end());
    return out;
}

TEST_F(Srtwb, AJobFolderHoldsWhatWouldBeSubmittedAndNothingElse)
{
    const std::string path = write("r.yaml", goodRecipe);
    ASSERT_EQ(run({"dry-run", path, "--out", "out"}).code, 0);
    const std::vector<std::string> one = namesIn(m_folder / "out/tiny");
    std::string two = goodRecipe;
    two.replace(two.find("agg_nodes: 1, agg_workers: 1"), 28, "agg_nodes: 2, agg_workers: 2");
    write("r.yaml", two);
    ASSERT_EQ(run({"dry-run", path, "--out", "out"}).code, 0);
    EXPECT_GT(namesIn(m_folder / "out/tiny").size(), one.size());
    write("r.yaml", goodRecipe);
    const Outcome again = run({"dry-run", "./r.yaml", "--out", "out", "--json"});
    ASSERT_EQ(again.code, 0) << again.err << "the same recipe by another path";
    EXPECT_EQ(namesIn(m_folder / "out/tiny"), one) << "files of the older plan stay beside the new ones";
    EXPECT_EQ(document(again).find("jobs")->array().at(0).find("artifacts")->array().size(), one.size());
    EXPECT_EQ(std::distance(fs::directory_iterator(m_folder / "out"), fs::directory_iterator()), 1) << "something temporary is left";
}

TEST_F(Srtwb, ADryRunNeverOverwritesAnEditOrTheJobOfAnotherRecipe)
{
    const std::string path = write("r.yaml", goodRecipe);
    const std::string other = write("other.yaml", goodRecipe);
    ASSERT_EQ(run({"dry-run", path, "--out", "out"}).code, 0);
    const Outcome clash = run({"dry-run", other, "--out", "out"});
    EXPECT_EQ(clash.code, 3);
    EXPECT_THAT(clash.err, HasSubstr("/r.yaml\""));
    EXPECT_THAT(clash.err, HasSubstr("/other.yaml\""));
    EXPECT_THAT(clash.err, HasSubstr("--force"));

    const std::string script = (m_folder / "out/tiny/sbatch_script.sh").string();
    std::ofstream(script, std::ios::app) << "# mine\n";
    const Outcome edited = run({"dry-run", path, "--out", "out"});
    EXPECT_EQ(edited.code, 3);
    EXPECT_THAT(edited.err, HasSubstr("\"sbatch_script.sh\" in it was edited"));
    EXPECT_THAT(test::bytesOf(script), HasSubstr("# mine"));
    const Outcome forced = run({"dry-run", path, "--out", "out", "--force"});
    EXPECT_EQ(forced.code, 0) << forced.err;
    EXPECT_THAT(test::bytesOf(script), testing::Not(HasSubstr("# mine")));
    EXPECT_THAT(test::bytesOf(m_folder / "out/tiny.old/sbatch_script.sh"), HasSubstr("# mine")) << "what was edited is kept";

    write("out/tiny/notes.txt", "mine");
    EXPECT_EQ(run({"dry-run", path, "--out", "out"}).code, 3);
    write("foreign/tiny/sbatch_script.sh", "mine");
    EXPECT_EQ(run({"dry-run", path, "--out", "foreign"}).code, 3);
    EXPECT_EQ(test::bytesOf(m_folder / "foreign/tiny/sbatch_script.sh"), "mine");
}

TEST_F(Srtwb, NoValueBreaksOutOfItsLineOfTheScript)
{
    const std::vector<std::string> bad = {
        "slurm: {account: \"acc\\n#SBATCH --uid=0\\ntouch pwned\"}\n", "slurm: {partition: \"p\\rq\"}\n",
        "slurm: {time_limit: \"1:00:00\\n#SBATCH --uid=0\"}\n",        "sbatch_directives: {mem: \"0\\n#SBATCH --uid=0\"}\n",
        "sbatch_directives: {\"mem\\n#SBATCH --uid\": \"0\"}\n",        "srun_options: {mpi: \"pmix\\ntouch pwned\"}\n",
        "srun_options: {\"mpi\\nx\": \"pmix\"}\n",
    };
    const std::string head = goodRecipe.substr(0, goodRecipe.find("slurm:"));
    for (const std::string& lines : bad) {
        const Outcome outcome = run({"dry-run", "--json", write("bad.yaml", head + lines), "--out", "o"});
        EXPECT_EQ(outcome.code, 1) << lines;
        EXPECT_TRUE(document(outcome).find("jobs")->array().empty()) << lines;
        EXPECT_EQ(document(outcome).find("diagnostics")->array().at(0).find("line")->integer(), 5) << lines;
    }
    const Outcome nul = run({"check", write("nul.yaml", "name: \"a\\0b\"\n" + head.substr(head.find('\n') + 1))});
    EXPECT_EQ(nul.code, 1);
    EXPECT_THAT(nul.out, HasSubstr("[job-name]"));
}

TEST_F(Srtwb, PrintsNothingThatATerminalObeys)
{
    const std::string name = "a\nb\x1b[31m\xE2\x80\xAE.yaml";
    write(name, "naem: \"\xE2\x80\xAEx\"\n" + goodRecipe);
    const Outcome outcome = run({"check", name});
    EXPECT_THAT(outcome.out, testing::StartsWith("a\\x0ab\\x1b[31m\\u202e.yaml:1:1: error:"));
    for (const std::string& text : {outcome.out, outcome.err}) {
        EXPECT_EQ(text.find('\x1b'), std::string::npos);
        EXPECT_EQ(text.find("\xE2\x80\xAE"), std::string::npos);
    }
    EXPECT_THAT(run({"check", "no\x1b[2Jthing"}).err, testing::Not(HasSubstr("\x1b")));
    EXPECT_THAT(run({"check", "--bad\x1b[2J"}).err, testing::Not(HasSubstr("\x1b")));
}

TEST_F(Srtwb, NamesTheFileAlsoForWhatTheCommandLineAsksOfIt)
{
    const std::string path = write("good.yaml", goodRecipe);
    EXPECT_THAT(run({"check", path + ":override_x"}).out, testing::StartsWith(path + ": error: The selector"));
    EXPECT_THAT(run({"check", path, "--set", "slurm.time_limit=[1"}).out, testing::StartsWith(path + ": error: The value of --set"));
    const Outcome nothing = run({"check", path, "--unset", "nothere"});
    EXPECT_EQ(nothing.code, 0);
    EXPECT_THAT(nothing.out, HasSubstr(path + ": hint: --unset \"nothere\" removes nothing"));
    EXPECT_EQ(run({"check", path, "--unset", "slurm.time_limit"}).out, "");
}

TEST_F(Srtwb, RefusesWrongOptionsAndSaysWhatWasMeant)
{
    const auto refused = [&](const std::vector<std::string>& arguments) {
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.code, 2) << base::shellCommand(arguments) << "\n" << outcome.err;
        return outcome.err;
    };
    write("good.yaml", goodRecipe);
    EXPECT_THAT(refused({"chekc"}), HasSubstr("\"chekc\"; did you mean \"check\"?"));
    EXPECT_THAT(refused({"nosuch", "--help"}), HasSubstr("no command \"nosuch\""));
    EXPECT_THAT(refused({"check", "good.yaml", "--pack", "v9"}), HasSubstr("\"v9\" is neither a built-in pack (auto, "));
    EXPECT_EQ(run({"check", "good.yaml", "--pack", "./v9.json"}).code, 3) << "a file that is not there is the world's fault";
    EXPECT_THAT(refused({"schema", "--pack", "v9"}), HasSubstr("\"v9\""));
    EXPECT_THAT(refused({"check", "-dash.yaml"}), HasSubstr("write ./-dash.yaml"));
    refused({"check", "good.yaml", "--json", "--sarif"});
    refused({"check", "good.yaml", "--json", "--github"});
    refused({"check", "good.yaml", "--sarif", "--github"});
    EXPECT_THAT(refused({"check", "-", "-"}), HasSubstr("standard input"));
    EXPECT_THAT(refused({"expand", "."}), HasSubstr("folder"));
}

TEST_F(Srtwb, KnowsAReaderThatWentAwayFromADiskThatIsFull)
{
    const auto codeOf = [&](const std::string& command) {
        const int status = std::system(("cd " + base::shellQuoted(folder()) + " && bash -c " + base::shellQuoted(command) + " 2>err").c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    };
    const std::string program = base::shellQuoted(SRTWB_PROGRAM);
    if (fs::exists("/dev/full")) {
        EXPECT_EQ(codeOf(program + " --help >/dev/full"), 3);
        EXPECT_EQ(codeOf(program + " --version >/dev/full"), 3);
    }
    EXPECT_EQ(codeOf(program + " --version >&-"), 3);
    EXPECT_EQ(codeOf(program + " schema --format markdown | head -1 >/dev/null; exit ${PIPESTATUS[0]}"), 0);
    EXPECT_EQ(test::bytesOf(m_folder / "err"), "") << "a reader that had enough is no reason to complain";
}

TEST_F(Srtwb, TakesAListOfAMillionForWhatItIs)
{
    std::string text = "base:\n  name: tiny\n  model: {path: hf:org/model, container: image:1, precision: fp8}\n"
                       "  resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n  backend: {type: vllm}\n"
                       "override_one: {slurm: {partition: a}}\nzip_override_big:\n  benchmark:\n    isl: [";
    for (int i = 0; i < 1'000'000; ++i)
        text += std::to_string(i) + ",";
    const Outcome outcome = run({"expand", "--json", write("big.yaml", text + "]\n")});
    EXPECT_EQ(outcome.code, 1);
    const Value all = document(outcome);
    ASSERT_EQ(all.find("diagnostics")->array().size(), 1U) << "one sentence, and a true one";
    EXPECT_EQ(*all.find("diagnostics")->array()[0].find("code")->string(), "too-many-jobs");
    EXPECT_EQ(all.find("jobs")->array().size(), 1U) << "the other job stays";
}

TEST_F(Srtwb, LinksNoGuiLibrary)
{
    const std::string command = "ldd " + base::shellQuoted(SRTWB_PROGRAM);
    FILE* pipe = ::popen(command.c_str(), "r");
    std::string libraries;
    std::array<char, 4096> buffer{};
    std::size_t got = 0;
    while ((got = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0)
        libraries.append(buffer.data(), got);
    ASSERT_EQ(::pclose(pipe), 0);
    EXPECT_THAT(libraries, HasSubstr("libQt6Core"));
    for (const char* gui : {"Qt6Gui", "Qt6Widgets", "libX11", "libGL"})
        EXPECT_THAT(libraries, testing::Not(HasSubstr(gui)));
}

} // namespace
} // namespace wb
