// The contract of srtwb, on the real program: exit codes, documents, bad input.
#include "core/base/json.h"
#include "core/base/shell.h"
#include "tests/support/corpus.h"

#include <gmock/gmock.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
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
    EXPECT_TRUE(problem.find("path")->isNull());
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
    EXPECT_EQ(run({"schema", "--pack", "nothing"}).code, 3);
    EXPECT_THAT(run({"schema", "--pack", "cluster"}).out, HasSubstr("default_account"));
}

TEST_F(Srtwb, PrintsTheFlagsOfAnEngine)
{
    EXPECT_THAT(run({"schema", "--engine", "sglang"}).out, HasSubstr("\nmem-fraction-static"));
    EXPECT_THAT(run({"schema", "--engine", "trtllm", "--format", "markdown"}).out,
                HasSubstr("| `kv_cache_config.free_gpu_memory_fraction"));
    const Value schema = document(run({"schema", "--engine", "vllm", "--format", "json-schema"}));
    EXPECT_NE(schema.at({"properties", "tensor-parallel-size", "type"}), nullptr);
    EXPECT_EQ(run({"schema", "--engine", "other"}).code, 2);
    EXPECT_EQ(run({"schema", "--engine", "vllm", "--pack", "v1"}).code, 2);
}

TEST_F(Srtwb, TakesAPackFromAFile)
{
    std::string pack = test::bytesOf(test::own("resources/schema/v1.json"));
    const std::string id = R"("id": "v1")";
    pack.replace(pack.find(id), id.size(), R"("id": "ours")");
    const std::string key = R"("key": "setup_script")";
    pack.replace(pack.find(key), key.size(), R"("key": "set_up")");
    write("ours.json", pack);
    write("good.yaml", goodRecipe + "set_up: run.sh\n");
    const Outcome checked = run({"check", "--json", "--pack", "ours.json", "good.yaml"});
    EXPECT_EQ(checked.code, 0) << checked.out << checked.err;
    EXPECT_EQ(*document(checked).find("files")->array()[0].find("pack")->string(), "ours");
    EXPECT_EQ(run({"check", "good.yaml"}).code, 1) << "the built-in language has no such key";
    const Value jobs = document(run({"expand", "--json", "--pack", "ours.json", "good.yaml"}));
    EXPECT_EQ(*jobs.find("jobs")->array()[0].at({"config", "set_up"})->string(), "run.sh");
    EXPECT_THAT(run({"schema", "--pack", "ours.json"}).out, HasSubstr("set_up"));
    write("broken.json", "{");
    EXPECT_EQ(run({"check", "--pack", "broken.json", "good.yaml"}).code, 3);
    EXPECT_EQ(run({"check", "--pack", "none.json", "good.yaml"}).code, 3);
}

TEST_F(Srtwb, ChecksAClusterFileThatIsNamed)
{
    const std::string cluster = write("srtslurm.yaml", "default_account: a\ndefault_container: image\n");
    const Outcome outcome = run({"check", "--json", "--cluster", cluster, "srtslurm.yaml"});
    EXPECT_EQ(outcome.code, 1);
    const Value file = document(outcome).find("files")->array().at(0);
    EXPECT_EQ(*file.find("pack")->string(), "cluster");
    EXPECT_EQ(file.find("jobs")->integer(), 0);
    const Value problem = file.find("diagnostics")->array().at(0);
    EXPECT_EQ(*problem.find("source")->string(), "cluster");
    EXPECT_EQ(*problem.find("path")->string(), "srtslurm.yaml");
    EXPECT_EQ(problem.find("line")->integer(), 2);
    EXPECT_THAT(run({"check", "srtslurm.yaml"}).err, HasSubstr("1 cluster file: 1 error, 0 warnings."));
    write("good.yaml", goodRecipe);
    EXPECT_EQ(run({"check", "good.yaml"}).code, 1) << "it is found, and it is broken";
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

const std::string oldRecipe =
    "name: tiny # really\nmodel: {path: hf:org/model, container: image:1, precision: fp8}\n"
    "resources:\n  gpu_type: h100\n  gpus_per_node: 8\n  agg_nodes: 1\n  agg_workers: 1\nbackend:\n  type: vllm\n";

TEST_F(Srtwb, MigratesARecipeAsADiffWithoutTouchingIt)
{
    const std::string path = write("old.yaml", oldRecipe);
    const Outcome outcome = run({"migrate", path});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("+schema: 2\n name: tiny # really\n"));
    EXPECT_THAT(outcome.out, HasSubstr("-  agg_nodes: 1\n"));
    EXPECT_THAT(outcome.out, HasSubstr("+engine: vllm\n+roles:\n+  agg:\n+    nodes: 1\n"));
    EXPECT_EQ(test::bytesOf(path), oldRecipe);
}

TEST_F(Srtwb, MigratesInPlaceWithAProofAndChecksCleanAfterwards)
{
    const std::string path = write("old.yaml", oldRecipe);
    const Outcome outcome = run({"migrate", "--verify", "--in-place", path});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("observability.tachometer.enabled")) << "a difference of the languages is shown";
    EXPECT_THAT(outcome.err, HasSubstr("the same jobs"));
    const Outcome checked = run({"check", "--json", path});
    EXPECT_EQ(checked.code, 0) << checked.out;
    EXPECT_EQ(*document(checked).find("files")->array().at(0).find("pack")->string(), "v2");
    const std::string once = test::bytesOf(path);
    EXPECT_EQ(run({"migrate", "--in-place", path}).code, 0);
    EXPECT_EQ(test::bytesOf(path), once);
}

TEST_F(Srtwb, TellsAMigrationAsADocument)
{
    const std::string path = write("old.yaml", oldRecipe);
    const Outcome outcome = run({"migrate", "--json", path, "--output", (m_folder / "new.yaml").string()});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const Value told = document(outcome);
    EXPECT_EQ(told.find("changed")->boolean(), true);
    EXPECT_EQ(told.find("equal")->boolean(), true);
    ASSERT_FALSE(told.find("differences")->array().empty());
    for (const Value& difference : told.find("differences")->array())
        EXPECT_FALSE(difference.find("reason")->isNull());
    EXPECT_TRUE(told.find("notes")->array().empty());
    EXPECT_EQ(run({"check", (m_folder / "new.yaml").string()}).code, 0);
    const Value again = document(run({"migrate", "--json", (m_folder / "new.yaml").string()}));
    EXPECT_EQ(again.find("changed")->boolean(), false);
    EXPECT_EQ(again.find("equal")->boolean(), true);
}

TEST_F(Srtwb, SaysWhatItCannotMigrateAndWritesNothingUnproved)
{
    const std::string text = oldRecipe + "benchmark:\n  type: gsm8k-bench\n";
    const std::string path = write("old.yaml", text);
    const Outcome outcome = run({"migrate", "--verify", "--in-place", path});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("old.yaml:11: \"gsm8k-bench\" is no benchmark of schema 2"));
    EXPECT_EQ(test::bytesOf(path), text);
    EXPECT_EQ(run({"migrate", write("broken.yaml", "a: [\n")}).code, 1);
    EXPECT_EQ(run({"migrate", (m_folder / "absent.yaml").string()}).code, 3);
    EXPECT_EQ(run({"migrate", "--in-place", "--output", "x", path}).code, 2);
}

TEST_F(Srtwb, MigratesAFolderAndGoesOnAfterAnError)
{
    write("set/a.yaml", oldRecipe);
    write("set/b.yaml", "a: [\n");
    const std::string last = write("set/c.yaml", oldRecipe);
    const Outcome outcome = run({"migrate", "--in-place", (m_folder / "set").string()});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("2 migrated, 1 not migrated."));
    EXPECT_THAT(test::bytesOf(last), testing::StartsWith("schema: 2\n"));
}

TEST_F(Srtwb, PlansARecipeInSchema2AndSaysWhatItCannotShow)
{
    const std::string path =
        write("new.yaml",
              "schema: 2\nname: tiny\nmodel: {path: hf:org/model, container: image:1, precision: "
              "fp8}\nresources: {gpu_type: h100, gpus_per_node: 8}\n"
              "engine: sglang\nfrontend: {type: sglang-router}\nroles:\n  agg: {nodes: 1, workers: 1, env: {A: \"1\"}}\nservices:\n  - "
              "{name: side, command: [sleep, inf], nodes: 2}\n");
    const Value jobs = *document(run({"expand", "--json", path})).find("jobs");
    ASSERT_EQ(jobs.array().size(), 1U);
    EXPECT_EQ(jobs.array().front().find("nodes")->integer(), 3);
    EXPECT_NE(jobs.array().front().at({"config", "roles", "agg", "env"}), nullptr) << "in its own words";
    const Outcome dry = run({"dry-run", "--json", path, "--out", (m_folder / "out").string()});
    EXPECT_EQ(dry.code, 0) << dry.err;
    bool isTold = false;
    const Value written = document(dry);
    for (const Value& problem : written.find("diagnostics")->array())
        isTold = isTold || (*problem.find("code")->string() == "not-rendered" &&
                            problem.find("message")->string()->find("\"side\"") != std::string::npos);
    EXPECT_TRUE(isTold);
    const std::string folder = *written.find("jobs")->array().front().find("dir")->string();
    EXPECT_THAT(test::bytesOf(folder + "/environment.tsv"), HasSubstr("\tA\t1\troles.agg.env\n"));
    EXPECT_THAT(test::bytesOf(folder + "/metadata.json"), HasSubstr("\"sglang-router\""));
}

TEST_F(Srtwb, FailsWhenStandardOutputIsFull)
{
    if (!fs::exists("/dev/full"))
        GTEST_SKIP() << "needs /dev/full";
    const std::string path = write("good.yaml", goodRecipe);
    EXPECT_EQ(run({"check", "--json", path}, "exec >/dev/full; ").code, 3);
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
