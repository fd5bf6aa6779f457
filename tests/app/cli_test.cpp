// The contract of srtwb, on the real program: exit codes, documents, bad input.
#include "core/base/json.h"
#include "core/base/shell.h"
#include "tests/support/corpus.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
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

const std::string overrideRecipe = "base:\n"
                                   "  name: tiny\n"
                                   "  # about the model\n"
                                   "  model: {path: hf:org/model, container: image:1, precision: fp8}\n"
                                   "  resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n"
                                   "  backend: {type: vllm}\n"
                                   "  slurm: {time_limit: \"1:30:00\"}\n"
                                   "override_small: {resources: {gpus_per_node: 4}}\n"
                                   "zip_override_x: {environment: {X: [\"1\", \"2\"]}}\n";

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

TEST_F(Srtwb, WritesThePortableJobScriptWhereItCanAndSaysWhyNot)
{
    write("good.yaml", goodRecipe); // its frontend is dynamo
    const Outcome without = run({"dry-run", "--json", "good.yaml", "--out", "a"});
    EXPECT_EQ(without.code, 0) << without.err;
    EXPECT_THAT(without.err, HasSubstr("is written for srtctl. \"frontend.type\": the portable launcher "));
    const Value fallen = document(without).find("jobs")->array().at(0);
    EXPECT_EQ(*fallen.find("launcher")->string(), "srtctl");
    EXPECT_EQ(fallen.find("whyNotPortable")->array().size(), 1U);
    EXPECT_EQ(fallen.at({"cost", "gpuHours"})->number(), 12.0);

    const Outcome refused = run({"dry-run", "--json", "good.yaml", "--out", "b", "--launcher", "portable"});
    EXPECT_EQ(refused.code, 1);
    EXPECT_TRUE(document(refused).find("jobs")->array().empty());
    EXPECT_EQ(*document(refused).find("diagnostics")->array().at(0).find("severity")->string(), "error");

    const Outcome with = run({"dry-run", "--json", "good.yaml", "--out", "c", "--services", "/srv/services"});
    EXPECT_EQ(with.code, 0) << with.err;
    const Value job = document(with).find("jobs")->array().at(0);
    EXPECT_EQ(*job.find("launcher")->string(), "portable");
    EXPECT_EQ(*job.find("artifacts")->array().at(0).find("name")->string(), "sbatch_script.sh");
    const std::string script = test::bytesOf(fs::path(*job.find("dir")->string()) / "sbatch_script.sh");
    EXPECT_THAT(script, HasSubstr("srt_configs=/srv/services\n"));
    EXPECT_THAT(script, testing::EndsWith("\nsrt_main\n"));
}

TEST_F(Srtwb, PrintsTheLanguage)
{
    EXPECT_THAT(run({"schema"}).out, HasSubstr("gpus_per_node"));
    EXPECT_EQ(*document(run({"schema", "--format", "json-schema"})).find("$schema")->string(),
              "https://json-schema.org/draft/2020-12/schema");
    EXPECT_EQ(run({"schema", "--pack", "nothing"}).code, 2);
    EXPECT_EQ(run({"schema", "--pack", "./nothing.json"}).code, 3);
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

TEST_F(Srtwb, NumbersAndDatesOfOptionsAreSuch)
{
    const std::string file = write("x.json", "{}");
    for (const char* number : {"nan", "inf", "-1", "1e999", "x"}) {
        EXPECT_EQ(run({"points", file, "--max-failures", number}).code, 2) << number;
        EXPECT_EQ(run({"snapshot", "import", file, "--starts", number}).code, 2) << number;
        const Outcome outcome = run({"snapshot", "import", file, "--bandwidth", number});
        EXPECT_EQ(outcome.code, 2) << number;
        EXPECT_LT(outcome.err.size(), 300U) << outcome.err;
    }
    for (const char* date : {"2026-13-45", "2026-02-29", "garbage", "2026-1-01", "2026-01-+1"})
        EXPECT_EQ(run({"snapshot", "import", file, "--today", date}).code, 2) << date;
    EXPECT_NE(run({"snapshot", "import", file, "--today", "2028-02-29", "--bandwidth", "1.5", "--starts", "3"}).code, 2);
}

TEST_F(Srtwb, NoGpusAreNoFactAndAFileCountsOnceHoweverItIsSpelled)
{
    const std::string file = write("r/x_conc8.json", R"({"backend": "vllm", "max_concurrency": 8, "num_prompts": 10, "completed": 10,
        "duration": 10, "output_throughput": 50.0, "median_tpot_ms": 10.0})");
    const std::string catalogue = (m_folder / "c.sqlite").string();
    const Outcome none = run({"import", "--catalogue", catalogue, "--gpus", "0", file});
    EXPECT_EQ(none.code, 2);
    EXPECT_THAT(none.err, HasSubstr("cannot be 0"));
    EXPECT_FALSE(fs::exists(catalogue));
    const std::string folder = (m_folder / "r").string();
    const Value points = document(run({"points", folder, folder + "/.", file, "--json"}));
    EXPECT_EQ(points.find("points")->array().size(), 1U);
    EXPECT_EQ(run({"points", folder, write("r/bad.json", "{"), folder + "/./bad.json"}).code, 1) << "named, so it is a finding";
    EXPECT_EQ(run({"points", folder, folder + "/./bad.json"}).code, 1);
}

TEST_F(Srtwb, ALockfileIsOneUnderAnyName)
{
    const auto lock = [](const std::string& driver) {
        return goodRecipe +
               "lock:\n  fingerprints:\n    agg_w0: {arch: x, os: o, python_version: '3', cuda_version: '13', nccl_version: '2', "
               "frameworks: {}, env: {}, pip_packages: [a==1], gpu: {driver: \"" +
               driver + "\", gpus: [{name: g, memory: 80 GiB}]}}\n";
    };
    const std::string a = write("a.lock.yaml", lock("570.1"));
    const std::string b = write("b.lock.yaml", lock("580.2"));
    const Outcome outcome = run({"compare", a, b});
    EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("580.2"));
    const std::string other = write("other/recipe.lock.yaml", lock("570.1"));
    const Outcome renamed = run({"compare", a, other});
    EXPECT_EQ(renamed.code, 0) << renamed.out << renamed.err;
    // One number for what no side records.
    const std::string unrecorded = std::to_string(*document(run({"compare", a, other, "--json"})).find("unrecorded")->integer());
    EXPECT_THAT(renamed.out, HasSubstr("; " + unrecorded + " more facts are not recorded of any side."));
    EXPECT_THAT(renamed.err, HasSubstr("and " + unrecorded + " are not recorded of any side;"));
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
    const std::string report = write("report.html", "");
    EXPECT_EQ(run({"pareto", "--report", report, "--where", "run=<b>"}).code, 0);
    EXPECT_THAT(test::bytesOf(report),
                testing::AllOf(HasSubstr("run=&lt;b&gt;"), testing::Not(HasSubstr("<b>")), testing::Not(HasSubstr("<script"))));
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
    EXPECT_THAT(outcome.err, HasSubstr("The jobs are equal but for: \"observability.tachometer.enabled\""));
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
    EXPECT_EQ(*told.find("verdict")->string(), "equal-but-for");
    for (const Value& difference : told.find("differences")->array())
        EXPECT_FALSE(difference.find("reason")->isNull());
    const Value& tachometer = told.find("differences")->array().front();
    EXPECT_EQ(*tachometer.find("path")->string(), "observability.tachometer.enabled");
    EXPECT_EQ(*tachometer.find("v1")->string(), "false");
    EXPECT_TRUE(tachometer.find("v2")->isNull()) << "not set";
    EXPECT_TRUE(told.find("notes")->array().empty());
    EXPECT_EQ(run({"check", (m_folder / "new.yaml").string()}).code, 0);
    const Value again = document(run({"migrate", "--json", (m_folder / "new.yaml").string()}));
    EXPECT_EQ(again.find("changed")->boolean(), false);
    EXPECT_EQ(again.find("equal")->boolean(), true);
    EXPECT_EQ(*again.find("verdict")->string(), "equal");
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

const std::string snapshotJob = "# of ours\napiVersion: nvidia.com/v1alpha1\nkind: SnapshotJob\nmetadata:\n  name: tiny\nspec:\n"
                                "  podSnapshotTemplate: {}\n  podTemplate:\n    spec:\n      containers:\n        - name: main\n"
                                "          image: vllm/vllm-openai@sha256:3fb0\n";

TEST_F(Srtwb, ChecksManifestsOfSnapshotWithThreeKindsOfSchemas)
{
    const std::string path = write("m/job.yaml", snapshotJob + "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n");
    const Outcome good = run({"snapshot", "check", "--json", path});
    EXPECT_EQ(good.code, 0) << good.out << good.err;
    EXPECT_EQ(*document(good).find("crd")->string(), "latest");
    const Value file = document(good).find("files")->array().at(0);
    EXPECT_EQ(*file.find("path")->string(), path);
    EXPECT_EQ(file.find("valid")->boolean(), true);
    EXPECT_EQ(file.find("objects")->array().size(), 2U);
    EXPECT_EQ(*file.find("findings")->array().at(0).find("severity")->string(), "info");

    const std::string bad = write("m/typo.yaml", snapshotJob + "  activeDeadlineSecond: 1\n");
    for (const std::string crd : {"latest", "main-b7e707c"}) {
        const Outcome outcome = run({"snapshot", "check", "--crd", crd, "--json", folder() + "/m"});
        EXPECT_EQ(outcome.code, 1);
        EXPECT_EQ(*document(outcome).find("crd")->string(), crd);
        const Value finding = document(outcome).find("files")->array().at(1).find("findings")->array().at(0);
        EXPECT_EQ(*finding.find("rule")->string(), "unknown");
        EXPECT_EQ(*finding.find("path")->string(), ".spec.activeDeadlineSecond");
        EXPECT_EQ(finding.find("line")->integer(), 13);
        EXPECT_EQ(finding.find("column")->integer(), 3);
    }
    const std::string own = write("own.json", test::bytesOf(test::own("resources/snapshot/main-b7e707c.json")));
    const Outcome fromFile = run({"snapshot", "check", "--crd", own, "--json", bad});
    EXPECT_EQ(fromFile.code, 1) << fromFile.err;
    EXPECT_EQ(*document(fromFile).find("crd")->string(), own);
    EXPECT_THAT(run({"snapshot", "check", bad}).out, HasSubstr("did you mean \"activeDeadlineSeconds\""));
    EXPECT_EQ(run({"snapshot", "check", "-"}, "echo 'kind: [' | ").code, 1);
    EXPECT_EQ(run({"snapshot", "check", write("warn.yaml", snapshotJob + "          resources: {limits: {nvidia.com/gpu: 8}}\n")}).code, 0);
}

TEST_F(Srtwb, RefusesWrongUseOfSnapshotCommands)
{
    EXPECT_EQ(run({"snapshot"}).code, 2);
    EXPECT_EQ(run({"snapshot", "nonsense"}).code, 2);
    EXPECT_EQ(run({"snapshot", "check"}).code, 2);
    EXPECT_EQ(run({"snapshot", "import", "--bandwidth", "-1", "x"}).code, 2);
    EXPECT_EQ(run({"snapshot", "check", "absent.yaml"}).code, 3);
    EXPECT_EQ(run({"snapshot", "check", "--crd", "absent.yaml", write("a.yaml", snapshotJob)}).code, 3);
    EXPECT_EQ(run({"snapshot", "check", "--crd", write("no.yaml", "a: b\n"), write("a.yaml", snapshotJob)}).code, 3);
    EXPECT_THAT(run({"snapshot", "check", "--help"}).out, HasSubstr("Examples:"));
}

TEST_F(Srtwb, SaysWhichNodesCanRestoreACheckpoint)
{
    const std::string source =
        write("source.json", R"({"arch": "amd64", "kernel": "6.8.0", "driver": "595.58.03", "gpus": ["NVIDIA B200"]})");
    const std::string same =
        write("same.json", R"({"name": "good", "arch": "amd64", "kernel": "6.8.0", "driver": "595.58.03", "gpus": ["NVIDIA B200"]})");
    const std::string other = write("other.json", R"({"name": "bad", "arch": "arm64", "kernel": "6.8.0"})");
    const Outcome both = run({"snapshot", "preflight", "--source", source, "--target", other, "--target", same, "--json"});
    EXPECT_EQ(both.code, 0) << both.err;
    const base::json::Array nodes = document(both).find("nodes")->array();
    ASSERT_EQ(nodes.size(), 2U);
    EXPECT_EQ(*nodes[0].find("name")->string(), "good") << "the best comes first";
    EXPECT_EQ(*nodes[0].find("verdict")->string(), "not-known") << "image, memory, cpu and mounts are not known";
    EXPECT_EQ(*nodes[1].find("verdict")->string(), "refused");
    EXPECT_EQ(*nodes[1].find("checks")->array().at(0).find("check")->string(), "cpu-arch");
    EXPECT_EQ(*nodes[1].find("checks")->array().at(0).find("state")->string(), "mismatch");
    EXPECT_EQ(run({"snapshot", "preflight", "--source", source, "--target", other}).code, 1) << "every node would be refused";
    EXPECT_EQ(run({"snapshot", "preflight", "--source", source}).code, 2);
    EXPECT_EQ(run({"snapshot", "preflight", "--source", write("x.json", "{"), "--target", same}).code, 3);
}

TEST_F(Srtwb, MakesARestoreManifestThatChecksClean)
{
    const std::string capture = write("job.yaml", snapshotJob);
    const Outcome made = run({"snapshot", "restore-manifest", capture});
    EXPECT_EQ(made.code, 0) << made.err;
    EXPECT_THAT(made.out, HasSubstr("# of ours\n"));
    EXPECT_THAT(made.out, HasSubstr("nvidia.com/restore-from: tiny\n"));
    EXPECT_EQ(run({"snapshot", "check", write("restore.yaml", made.out)}).code, 0);
    const std::string out = (m_folder / "out.yaml").string();
    EXPECT_EQ(run({"snapshot", "restore-manifest", capture, "--output", out}).code, 0);
    EXPECT_EQ(test::bytesOf(out), made.out);
    EXPECT_EQ(run({"snapshot", "restore-manifest", capture, "--output", out, "--name", "other"}).code, 3) << "it would replace a file";
    EXPECT_EQ(run({"snapshot", "restore-manifest", write("c.yaml", "kind: ConfigMap\n")}).code, 1);
    EXPECT_EQ(test::bytesOf(capture), snapshotJob);
}

TEST_F(Srtwb, ImportsStartupResultsAndSaysWhenACheckpointPays)
{
    const std::string table = write(
        "t/table.md", "| Model | Cold start | Checkpoint | Snapshot |\n|---|---|---|---|\n| m | 100 | 30 | 10 |\n| n | 10 | 5 | 20 |\n");
    write("t/words.txt", "nothing of interest\n");
    const Outcome outcome = run({"snapshot", "import", "--json", folder() + "/t"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const base::json::Array runs = document(outcome).find("runs")->array();
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[0].at({"payoff", "speedup"})->number(), 10.0);
    EXPECT_EQ(runs[0].at({"payoff", "breakEvenSourceNeeded"})->integer(), 1);
    EXPECT_EQ(runs[0].at({"payoff", "breakEvenCaptureExtra"})->integer(), 2);
    EXPECT_EQ(*runs[1].at({"payoff", "breakEvenSourceNeeded"})->string(), "never");
    EXPECT_EQ(document(outcome).find("files")->array().size(), 2U);
    for (const std::string flag : {"--csv", "--export"}) {
        const std::string again = write("again" + flag, run({"snapshot", "import", flag, table}).out);
        EXPECT_EQ(run({"snapshot", "import", flag, again}).out, test::bytesOf(again)) << flag;
    }
    EXPECT_THAT(run({"snapshot", "import", table}).out, HasSubstr("pays never (source needed anyway)"));
    EXPECT_EQ(run({"snapshot", "import", folder() + "/t/words.txt"}).code, 1);
    EXPECT_EQ(run({"snapshot", "import", "absent"}).code, 3);
}

TEST_F(Srtwb, JudgesTheSharedManifestsAsTheContractSays)
{
    SRTWB_NEEDS_SHARED("snapshot/manifests");
    std::size_t invalid = 0;
    std::size_t warned = 0;
    for (const auto& entry : fs::directory_iterator(*test::shared("snapshot/manifests/invalid"))) {
        if (entry.path().extension() != ".yaml")
            continue;
        const int code = run({"snapshot", "check", "--quiet", entry.path().string()}).code;
        invalid += code == 1 ? 1 : 0;
        warned += code == 0 ? 1 : 0;
    }
    EXPECT_EQ(invalid, 29U);
    EXPECT_EQ(warned, 3U);
    for (const auto& entry : fs::recursive_directory_iterator(*test::shared("snapshot/manifests/upstream"))) {
        if (entry.path().extension() == ".yaml") {
            const bool isPlaceholder = entry.path().generic_string().ends_with("restore/8-gpu.yaml");
            EXPECT_EQ(run({"snapshot", "check", "--quiet", entry.path().string()}).code, isPlaceholder ? 1 : 0) << entry.path();
        }
    }
}

TEST_F(Srtwb, ReadingACatalogueWritesNothing)
{
    const std::string empty = write("empty.sqlite", "");
    for (const char* command : {"points", "pareto"})
        EXPECT_EQ(run({command, "--catalogue", empty}).code, 0);
    EXPECT_EQ(fs::file_size(empty), 0U);
    const std::string other = write("other.sqlite", std::string(5000, 'x'));
    const Outcome refused = run({"points", "--catalogue", other});
    EXPECT_EQ(refused.code, 3);
    EXPECT_THAT(refused.err, testing::StartsWith("The catalogue "));
    EXPECT_THAT(refused.err, HasSubstr("is no database; move it away"));
    EXPECT_EQ(run({"import", "--catalogue", folder() + "/new.sqlite", folder() + "/nothing"}).code, 3);
    EXPECT_FALSE(fs::exists(folder() + "/new.sqlite")) << "nothing was taken into it";
}

TEST_F(Srtwb, WhatIsNoCatalogueGivesNoPoints)
{
    const std::string pipe = folder() + "/pipe.sqlite";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const std::string text = write("text.sqlite", "no database, but long enough to be looked into as one");
    for (const std::string& wrong : {pipe, text, folder(), std::string("/dev/null"), folder() + "/gone.sqlite", text + "/below.sqlite"}) {
        for (const std::vector<std::string>& command : {std::vector<std::string>{"points"},
                                                        {"points", "--json"},
                                                        {"points", "--csv"},
                                                        {"pareto"},
                                                        {"pareto", "--json"},
                                                        {"compare", "some-run", "other-run"}}) {
            std::vector<std::string> words = command;
            words.insert(words.end(), {"--catalogue", wrong});
            const Outcome outcome = run(words);
            EXPECT_EQ(outcome.code, 3) << wrong << outcome.err;
            EXPECT_EQ(outcome.out, "") << wrong;
            EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << wrong << ": " << outcome.err;
        }
        if (wrong.ends_with("gone.sqlite"))
            continue;
        const Outcome imported = run({"import", "--catalogue", wrong, write("r/a.json", "{}")});
        EXPECT_EQ(imported.code, 3) << wrong << imported.err;
        EXPECT_EQ(imported.out, "") << wrong;
    }
}

TEST_F(Srtwb, SaysHowOneJobOfASweepIsCompared)
{
    const std::string recipe = "model: {path: hf:o/m, container: image:1, precision: fp8}\nbackend: {type: vllm}\n"
                               "resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n";
    const std::string plain = write("plain.yaml", "name: p\n" + recipe);
    const std::string sweep = write("sweep.yaml", "name: s\nsweep: {n: [1, 2]}\n" + recipe +
                                                      "benchmark: {type: sa-bench, isl: \"{n}\", osl: 8, concurrencies: [4]}\n");
    const Outcome outcome = run({"compare", sweep, plain});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err,
                HasSubstr("stands for 2 jobs; name one of them, as in \"srtwb compare " + sweep + ":s_n1 OTHER\"; \"srtwb expand "));
    const Outcome one = run({"compare", sweep + ":s_n1", sweep + ":1"});
    EXPECT_EQ(one.code, 1);
    EXPECT_THAT(one.out, HasSubstr("Only \"benchmark.isl\" differs"));
    EXPECT_EQ(run({"compare", sweep + ":s_n2", sweep + ":1"}).code, 0);
    EXPECT_EQ(run({"compare", sweep + ":2", plain}).code, 1);
    EXPECT_THAT(run({"expand", sweep + ":s_n2"}).out, testing::StartsWith("s_n2\t"));
    EXPECT_EQ(run({"dry-run", sweep + ":gone", "--out", folder() + "/o"}).code, 1);
    // What is advised can be pasted.
    const std::string odd = write("it's a sweep.yaml", "name: 'a:b'\nsweep: {n: [1, 2]}\n" + recipe +
                                                           "benchmark: {type: sa-bench, isl: \"{n}\", osl: 8, concurrencies: [4]}\n");
    const Outcome advice = run({"compare", odd, plain});
    EXPECT_THAT(advice.err, HasSubstr("it'\\''s a sweep.yaml:a:b_n1' OTHER\""));
    EXPECT_EQ(run({"compare", odd + ":a:b_n1", odd + ":0"}).code, 0);
}

TEST_F(Srtwb, AFolderOfRecipesIsTakenWhereARecipeIs)
{
    const std::string tail = "model: {path: hf:o/m, container: image:1, precision: fp8}\nbackend: {type: vllm}\n"
                             "resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n";
    write("in/plain.yaml", "name: p\n" + tail + "benchmark: {type: sa-bench, isl: 8, osl: 8, concurrencies: [4]}\n");
    write("in/below/sweep.yaml",
          "name: s\nsweep: {n: [1, 2]}\n" + tail + "benchmark: {type: sa-bench, isl: \"{n}\", osl: 8, concurrencies: [4]}\n");
    write("in/below/twin.yaml",
          "name: s\nsweep: {n: [1, 2]}\n" + tail + "benchmark: {type: sa-bench, isl: \"{n}\", osl: 9, concurrencies: [4]}\n");
    write("in/srtslurm.yaml", "default_partition: p\n");
    const Outcome dry = run({"dry-run", "in", "--out", "dry", "--json"});
    ASSERT_EQ(dry.code, 0) << dry.err;
    std::set<std::string> folders;
    const Value written = document(dry);
    for (const Value& job : written.find("jobs")->array()) {
        folders.insert(*job.find("dir")->string());
        EXPECT_TRUE(fs::exists(*job.find("dir")->string()));
        EXPECT_THAT(*job.find("path")->string(), testing::StartsWith("in/"));
    }
    EXPECT_EQ(folders.size(), 5U) << "jobs of one name in two files have folders of their own";
    EXPECT_EQ(run({"dry-run", "in", "--out", "dry"}).code, 0) << "a second time they are the same";
    for (int i = 0; i < 2; ++i) // what was written below the folder is none of its recipes
        EXPECT_EQ(document(run({"dry-run", "in", "--out", "in/dry", "--json"})).find("jobs")->array().size(), 5U);
    fs::remove_all(m_folder / "in/dry");
    const Outcome apart = run({"explode", "in", "--out", "apart", "--json"});
    EXPECT_EQ(apart.code, 0) << apart.err;
    EXPECT_EQ(document(apart).find("files")->array().size(), 4U);
    EXPECT_THAT(apart.err, HasSubstr("plain.yaml\" is left out"));
    const Outcome simulated = run({"simulate", "in", "--json"});
    EXPECT_EQ(simulated.code, 0) << simulated.err;
    EXPECT_EQ(document(simulated).find("points")->array().size(), 5U);
    write("plain/one.yaml", "name: p\n" + tail);
    const Outcome none = run({"explode", "plain", "--out", "apart3", "--json"});
    EXPECT_EQ(none.code, 1) << "as for one plain recipe";
    EXPECT_THAT(none.err, HasSubstr("No recipe in \"plain\" stands for several jobs"));
    EXPECT_EQ(document(none).find("equal")->boolean(), false);
    EXPECT_FALSE(fs::exists(m_folder / "apart3"));
    write("in/broken.yaml", "name: b\nmodel: 1\n");
    EXPECT_EQ(run({"dry-run", "in", "--out", "dry2"}).code, 1);
    const Outcome refused = run({"explode", "in", "--out", "apart2"});
    EXPECT_EQ(refused.code, 1);
    EXPECT_FALSE(fs::exists(m_folder / "apart2")) << "all or nothing";
    const Outcome sent = run({"submit", "--host", "nowhere", "in"});
    EXPECT_EQ(sent.code, 2);
    EXPECT_THAT(sent.err, HasSubstr("\"in\" is a folder; name a file in it."));
}

TEST_F(Srtwb, ADryRunThatWroteNothingTellsNoHours)
{
    for (const std::string& path : {(m_folder / "gone.yaml").string(), write("bad.yaml", "name: b\nmodel: 1\n")}) {
        const Outcome outcome = run({"dry-run", path, "--out", "o"});
        EXPECT_NE(outcome.code, 0);
        EXPECT_THAT(outcome.err, testing::AllOf(HasSubstr("No job was written."), testing::Not(HasSubstr("GPU-hours")),
                                                testing::Not(HasSubstr("benchmark point"))))
            << path;
    }
}

TEST_F(Srtwb, SaysWhichTextAZipWouldLoseTheQuotesOf)
{
    const std::string recipe = "model: {path: m, container: c, precision: fp8}\nslurm: {time_limit: \"2:00:00\"}\n"
                               "resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n";
    write("q/a.yaml", "name: a\n" + recipe);
    write("q/b.yaml", "name: b\nsetup_script: s.sh\n" + recipe);
    const Outcome made = run({"consolidate", "q", "--out", "-"});
    EXPECT_EQ(made.code, 0) << made.err;
    EXPECT_THAT(made.err, HasSubstr("which \"2:00:00\" in line "));
    EXPECT_THAT(made.err, testing::Not(HasSubstr("\"\"")));
}

TEST_F(Srtwb, ABrokenLockfileIsSaidOnceWithWhatToDo)
{
    const std::string lock = write("a run/recipe.lock.yaml", goodRecipe + "lock: {slurm: [}\n");
    const Outcome outcome = run({"compare", lock, lock});
    EXPECT_EQ(outcome.code, 3);
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("\"srtwb check '" + lock + "'\" names every problem."));
}

TEST_F(Srtwb, SaysNothingOfTheLocale)
{
    for (const std::string locale : {"LC_ALL=C", "LC_ALL= LC_CTYPE= LANG=C", "LC_ALL=POSIX"}) {
        const Outcome outcome = run({"points", "--catalogue", folder() + "/none.sqlite"}, "export " + locale + "; ");
        EXPECT_THAT(outcome.err, testing::Not(HasSubstr("locale"))) << locale;
        EXPECT_THAT(outcome.err, HasSubstr("There is no catalogue")) << locale;
    }
}

TEST_F(Srtwb, TellsWhatIsNoNumberInAResultWithItsPlace)
{
    const std::string path = write("r.json", R"({"backend": "vllm", "max_concurrency": 8, "num_prompts": 10, "completed": 10,
 "duration": 10, "output_throughput": Infinity, "request_throughput": 68.53875000000001, "median_ttft_ms": "soon", "median_tpot_ms": 10})");
    for (const auto& arguments : {std::vector<std::string>{"import", path}, {"import", "--json", path}, {"points", path}}) {
        fs::remove_all(folder() + "/data");
        const Outcome outcome = run(arguments);
        EXPECT_THAT(outcome.err, HasSubstr(R"("output_throughput" is "Infinity" in r.json, line 2, column 39)"));
        EXPECT_THAT(outcome.err, HasSubstr(R"("median_ttft_ms" is "soon" in r.json, line 2, column 108)"));
    }
    const Value points = document(run({"points", "--json", path}));
    const Value& point = points.find("points")->array().at(0);
    EXPECT_FALSE(*point.find("valid")->boolean());
    EXPECT_EQ(point.find("reasons")->array().size(), 2U);
    EXPECT_TRUE(point.find("outputTps")->isNull());
    const Value pareto = document(run({"pareto", "--json", "--x", "tpot-p50", "--y", "requests-per-s", path}));
    EXPECT_TRUE(pareto.find("groups")->array().at(0).find("frontier")->array().empty());
    EXPECT_THAT(run({"import", path}).err, HasSubstr("1 point: 1 file "));
}

TEST_F(Srtwb, ImportTakesWhatTheUserSaysAndKeepsIt)
{
    const std::string path = write("r.json", R"({"backend": "vllm", "max_concurrency": 8, "num_prompts": 100, "completed": 92,
 "duration": 10, "output_throughput": 800, "median_tpot_ms": 10})");
    EXPECT_EQ(run({"import", "--as", "nothing", path}).code, 2);
    EXPECT_EQ(run({"import", "--tell", "gpus", path}).code, 2);
    EXPECT_EQ(run({"import", "--tell", "colour=red", path}).code, 2);
    EXPECT_EQ(run({"import", "--gpus", "-1", path}).code, 2);
    EXPECT_EQ(run({"import", "--only", "bad", path}).code, 2);
    EXPECT_EQ(run({"import", "--gpus", "16", "--tell", "hardware=gb200", "--isl", "1024", path}).code, 0);
    const Value point = document(run({"points", "--json"})).find("points")->array().at(0);
    EXPECT_EQ(point.at({"gpus", "working"})->number(), 16.0);
    EXPECT_EQ(*point.find("hardware")->string(), "gb200");
    EXPECT_EQ(point.find("isl")->number(), 1024.0);
    EXPECT_FALSE(*point.find("valid")->boolean()) << "8 of 100 requests failed";
    const Value lenient = document(run({"points", "--json", "--max-failures", "10"}));
    EXPECT_TRUE(*lenient.find("points")->array().at(0).find("valid")->boolean());
    EXPECT_THAT(run({"import", "--only", "refused", path}).out, testing::IsEmpty());
    EXPECT_THAT(run({"import", "--as", "guidellm", path}).out, HasSubstr("was said to be GuideLLM"));
}

TEST_F(Srtwb, NamesFromFilesReachNoTerminalAsTheyAre)
{
    write("evil\x1b]0;x\x07_conc8.json", R"({"backend": "vllm", "max_concurrency": 8, "completed": 1, "duration": 1, "median_tpot_ms": 10,
 "output_throughput": 800, "job_name": "red\u001b[31m\u202e", "num_gpus": "8"})");
    for (const char* command : {"import", "points", "pareto"}) {
        const Outcome outcome = run({command, folder() + "/"});
        EXPECT_THAT(outcome.out + outcome.err, testing::Not(HasSubstr("\x1b"))) << command;
        EXPECT_THAT(outcome.out + outcome.err, testing::Not(HasSubstr("\xE2\x80\xAE"))) << command;
        EXPECT_THAT(outcome.out, HasSubstr(std::string_view(command) == "import" ? "\\x1b]0;x" : "red\\x1b[31m")) << command;
    }
}

TEST_F(Srtwb, TheWholePathOfACatalogueStandsInItsMessage)
{
    const std::string path = folder() + "/" + std::string(60, 'd') + "/" + std::string(60, 'e') + "/catalogue.sqlite";
    EXPECT_THAT(run({"points", "--catalogue", path}).err, HasSubstr(path));
}

TEST_F(Srtwb, PrintsNumbersForPeopleShortAndInDocumentsWhole)
{
    const std::string path = write("r.json", R"({"backend": "vllm", "max_concurrency": 8, "num_prompts": 10, "completed": 10,
 "duration": 10, "output_throughput": 68.53875000000001, "request_throughput": 1.0000000001, "median_tpot_ms": 10.123456789})");
    EXPECT_THAT(run({"points", path}).out, HasSubstr("output 68.5388 tok/s\tTPOT p50 10.1235 ms"));
    EXPECT_THAT(run({"points", "--json", path}).out, HasSubstr("68.53875000000001"));
    EXPECT_THAT(run({"points", "--csv", path}).out, HasSubstr("68.53875000000001"));
    const std::vector<std::string> pareto{"pareto", "--x", "tpot-p50", "--y", "output-tps", path};
    EXPECT_THAT(run(pareto).out, HasSubstr("  10.1235\t68.5388\t"));
}

TEST_F(Srtwb, RefusesAPictureWhoseNameIsOfAnotherKind)
{
    const std::string path = write("r.json", R"({"backend": "vllm", "max_concurrency": 8, "completed": 10, "duration": 10,
 "output_throughput": 5, "median_tpot_ms": 10})");
    for (const auto& [option, file] : {std::pair("--png", "x.jpg"), {"--png", "x"}, {"--svg", "x.png"}, {"--pdf", "x.svg"}}) {
        const Outcome outcome = run({"pareto", option, file, path});
        EXPECT_EQ(outcome.code, 2) << option << ' ' << file;
        EXPECT_THAT(outcome.err, HasSubstr(file));
        EXPECT_FALSE(fs::exists(folder() + '/' + file));
    }
    EXPECT_EQ(run({"pareto", "--group", "hardwar", path}).code, 2);
}

TEST_F(Srtwb, DrawsPicturesWithADateAndKeepsTheOldOneWhenTheDiskIsFull)
{
    if (!fs::exists(fs::path(SRTWB_PROGRAM).parent_path() / "srt-workbench"))
        GTEST_SKIP() << "built without the workbench";
    const std::string path = write("r.json", R"({"backend": "vllm", "max_concurrency": 8, "completed": 10, "duration": 10,
 "output_throughput": 5, "median_tpot_ms": 10})");
    const std::vector<std::string> drawing{"pareto",         "--y",   "output-tps", "--date", "2031-05-06", "--where",
                                           "concurrency>=2", "--svg", "chart.svg",  path};
    const Outcome drawn = run(drawing, "export LC_ALL=C; ");
    ASSERT_EQ(drawn.code, 0) << drawn.err;
    EXPECT_THAT(drawn.err, testing::Not(HasSubstr("locale")));
    const std::string before = test::bytesOf(folder() + "/chart.svg");
    EXPECT_THAT(before, HasSubstr("2031-05-06"));
    EXPECT_THAT(before, HasSubstr("concurrency&gt;=2"));
    const Outcome full = run(drawing, "trap '' XFSZ; ulimit -f 4; "); // 4 blocks of 512 or 1024 bytes
    EXPECT_EQ(full.code, 3);
    EXPECT_THAT(full.err, testing::StartsWith("Saving \""));
    EXPECT_THAT(full.err, HasSubstr("chart.svg\" failed: file too large."));
    EXPECT_EQ(test::bytesOf(folder() + "/chart.svg"), before);
}

TEST_F(Srtwb, MakesAxesOfCostAndEnergyFromPricesAndPowers)
{
    const std::string path = write("r.json", R"({"backend": "vllm", "max_concurrency": 8, "completed": 10, "duration": 10, "num_gpus": 2,
 "hardware": "gb200", "output_throughput": 100, "median_tpot_ms": 10})");
    const std::vector<std::string> asked{"pareto", "--json", "--y", "cost-per-m-output-tokens", path};
    const Value without = document(run(asked));
    EXPECT_TRUE(without.find("groups")->array().empty());
    EXPECT_THAT(*without.find("excluded")->array().at(0).find("reason")->string(), HasSubstr("--price"));
    std::vector<std::string> priced = asked;
    priced.insert(priced.end(), {"--price", "h100=2, GB200=3.6", "--slo", "cost-per-m-output-tokens<=21"});
    const Value with = document(run(priced));
    ASSERT_EQ(with.find("groups")->array().size(), 1U);
    EXPECT_EQ(with.find("groups")->array().at(0).find("frontier")->array().size(), 1U);
    EXPECT_THAT(*with.at({"y", "definition"})->string(), HasSubstr("gb200 3.6"));
    EXPECT_EQ(*with.at({"y", "direction"})->string(), "min");
    EXPECT_THAT(run({"pareto", "--y", "joules-per-output-token", "--power", "1000", path}).out, HasSubstr("\t20\t"));
    for (const char* option : {"--price", "--power"}) {
        const Outcome wrong = run({"pareto", option, "gb200=cheap", path});
        EXPECT_EQ(wrong.code, 2) << option;
        EXPECT_THAT(wrong.err, HasSubstr("\"gb200=cheap\" is no"));
    }
    for (const auto& [option, value] : {std::pair("--labels", "all"), {"--scale-x", "cubic"}, {"--show", "everything"}})
        EXPECT_EQ(run({"pareto", option, value, path}).code, 2) << option;
    EXPECT_EQ(run({"pareto", "--view", "absent.srtview", path}).code, 3);
}

TEST_F(Srtwb, DrawsWhatTheWindowDraws)
{
    if (!fs::exists(fs::path(SRTWB_PROGRAM).parent_path() / "srt-workbench"))
        GTEST_SKIP() << "built without the workbench";
    std::string rows;
    for (const int concurrency : {8, 16, 32})
        rows += std::string(rows.empty() ? "[" : ",") + R"({"backend": "vllm", "job_name": "j", "max_concurrency": )" +
                std::to_string(concurrency) + R"(, "completed": 10, "duration": 10, "output_throughput": )" +
                std::to_string(100 + concurrency) + R"(, "median_tpot_ms": )" + std::to_string(concurrency) + "}";
    const std::string path = write("r.json", rows + "]");
    const std::vector<std::string> drawing{"pareto", "--y", "output-tps", "--date", "2031-05-06", "--svg", "chart.svg", path};
    const auto drawn = [&](const std::vector<std::string>& more) {
        std::vector<std::string> all = drawing;
        all.insert(all.end(), more.begin(), more.end());
        const Outcome outcome = run(all);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return test::bytesOf(folder() + "/chart.svg");
    };
    const std::string plain = drawn({});
    const auto labelsIn = [](const std::string& svg) {
        std::size_t count = 0;
        for (const char* label : {">8</text>", ">16</text>", ">32</text>"})
            count += svg.find(label) != std::string::npos ? 1U : 0U;
        return count;
    };
    EXPECT_EQ(labelsIn(drawn({"--labels", "concurrency"})), 3U);
    EXPECT_NE(drawn({"--show", "curves,overall"}), plain);
    EXPECT_NE(drawn({"--scale-x", "log", "--scale-y", "log"}), plain);
    // A view says the same as the options, and what is given besides comes over it.
    const std::string view = write("v.srtview", R"({"srtview": 1, "x": "tps-per-user", "y": "output-tps", "group": "run", "labels":
 "concurrency", "scales": {"x": "log", "y": "log"}, "shows": ["curves", "overall"]})");
    EXPECT_EQ(drawn({"--view", view}),
              drawn({"--labels", "concurrency", "--show", "curves,overall", "--scale-x", "log", "--scale-y", "log"}));
    EXPECT_EQ(labelsIn(drawn({"--view", view, "--labels", "none"})), 0U);
    // The part that was looked at is one of the view's own axes.
    const std::string zoomed = write("z.srtview", R"({"srtview": 1, "x": "tps-per-user", "y": "output-tps", "group": "run",
 "zoom": {"x": [1, 2], "y": [1, 2]}})");
    EXPECT_NE(drawn({"--view", zoomed}), drawn({"--x", "tps-per-user", "--y", "output-tps", "--group", "run"}));
    EXPECT_EQ(drawn({"--view", zoomed, "--y", "ttft-p99"}), drawn({"--x", "tps-per-user", "--y", "ttft-p99", "--group", "run"}));
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
        "slurm: {account: \"acc\\n#SBATCH --uid=0\\ntouch pwned\"}\n",
        "slurm: {partition: \"p\\rq\"}\n",
        "slurm: {time_limit: \"1:00:00\\n#SBATCH --uid=0\"}\n",
        "sbatch_directives: {mem: \"0\\n#SBATCH --uid=0\"}\n",
        "sbatch_directives: {\"mem\\n#SBATCH --uid\": \"0\"}\n",
        "srun_options: {mpi: \"pmix\\ntouch pwned\"}\n",
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
    EXPECT_THAT(refused({"submit", "--host", "h", "."}), HasSubstr("folder"));
    EXPECT_THAT(refused({"check", "good.yaml", "--jsn"}), HasSubstr("\"srtwb check\" has no option \"--jsn\"; did you mean \"--json\"?"));
    EXPECT_THAT(refused({"snapshot", "check", "--sarf", "."}), HasSubstr("\"srtwb snapshot check\" has no option \"--sarf\""));
    EXPECT_THAT(refused({"check", "good.yaml", "--cluster", ""}), HasSubstr("\"--cluster\" is empty"));
    EXPECT_THAT(refused({"pareto", "--csv", ""}), HasSubstr("\"--csv\" is empty"));
    EXPECT_THAT(refused({"import", "--catalogue", "", "good.yaml"}), HasSubstr("\"--catalogue\" is empty"));
    EXPECT_THAT(refused({"check", ""}), HasSubstr("is empty"));
    EXPECT_THAT(refused({"check", "good.yaml", "--set", "benchmark..isl=5"}), HasSubstr("a key in it is empty"));
    EXPECT_THAT(refused({"check", "good.yaml", "--unset", "benchmark."}), HasSubstr("it ends with a \".\""));
    refused({"check", "good.yaml", "--set", "=5"});
}

TEST_F(Srtwb, ExpandsAndResolvesAllRecipesOfAFolder)
{
    write("r/b/one.yaml", goodRecipe);
    write("r/a.yaml", goodRecipe);
    write("r/notes.yaml", "x: 1\n");
    const Outcome expanded = run({"expand", "--json", "r"});
    EXPECT_EQ(expanded.code, 0) << expanded.err;
    const Value jobs = *document(expanded).find("jobs");
    ASSERT_EQ(jobs.array().size(), 2U);
    EXPECT_EQ(*jobs.array()[0].find("path")->string(), "r/a.yaml");
    EXPECT_EQ(*jobs.array()[1].find("path")->string(), "r/b/one.yaml");
    EXPECT_THAT(run({"expand", "r"}).out, HasSubstr("r/b/one.yaml\t"));
    const Outcome resolved = run({"resolve", "--json", "r"});
    EXPECT_EQ(resolved.code, 0) << resolved.err;
    EXPECT_EQ(document(resolved).array().size(), 2U);
    EXPECT_EQ(run({"resolve", "r", "--out", "o"}).code, 0);
    EXPECT_TRUE(fs::exists(m_folder / "o" / "a.yaml") && fs::exists(m_folder / "o" / "one.yaml"));
    fs::create_directories(m_folder / "empty");
    EXPECT_EQ(run({"expand", "empty"}).code, 3);
}

TEST_F(Srtwb, LeavesNothingOfASetThatCannotBeWritten)
{
    const std::string tooLong(300, 'x');
    write("w.yaml", "base:\n  name: n\n  model: {path: /m, container: /c, precision: fp8}\n"
                    "  resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n"
                    "  environment: {X: " +
                        tooLong + tooLong + tooLong + tooLong + "}\noverride_a: {environment: {X: a}}\noverride_b: {name: b}\n");
    const Outcome stopped = run({"explode", "w.yaml", "--out", "o", "--json"}, "trap '' XFSZ; ulimit -f 1; ");
    EXPECT_EQ(stopped.code, 3) << stopped.out << stopped.err;
    EXPECT_THAT(stopped.err, HasSubstr("What had been written before was taken away again."));
    EXPECT_TRUE(fs::is_empty(m_folder / "o"));
    EXPECT_TRUE(document(stopped).find("files")->array().empty());
}

TEST_F(Srtwb, MigratesWithOneVerdict)
{
    const std::string recipe = "base:\n  name: n\n  model:\n    path: /m\n    container: /c\n    precision: fp8\n"
                               "  resources: &r\n    gpu_type: h100\n    gpus_per_node: 8\n    agg_nodes: 1\n    agg_workers: 1\n"
                               "  backend:\n    type: sglang\noverride_v:\n  resources: *r\n";
    write("anchor.yaml", recipe);
    const Outcome proved = run({"migrate", "--verify", "--json", "anchor.yaml"});
    const bool isEqual = document(proved).find("equal")->boolean().value_or(false);
    EXPECT_EQ(proved.code, isEqual ? 0 : 1) << proved.out;
    const Outcome inPlace = run({"migrate", "--verify", "--in-place", "anchor.yaml"});
    EXPECT_EQ(inPlace.code, proved.code) << inPlace.err;
    EXPECT_EQ(inPlace.err.find("is not proved") == std::string::npos, isEqual) << inPlace.err;
    write("good.yaml", goodRecipe);
    const Outcome shown = run({"migrate", "good.yaml", "--output", "-"});
    EXPECT_THAT(shown.out, testing::StartsWith("schema: 2"));
    EXPECT_FALSE(fs::exists(m_folder / "-"));
}

TEST_F(Srtwb, KnowsAReaderThatWentAwayFromADiskThatIsFull)
{
    const auto codeOf = [&](const std::string& command) {
        const int status =
            std::system(("cd " + base::shellQuoted(folder()) + " && bash -c " + base::shellQuoted(command) + " 2>err").c_str());
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

TEST_F(Srtwb, ResolvesVariantsWithWhereTheirValuesComeFrom)
{
    write("r.yaml", overrideRecipe);
    const Outcome all = run({"resolve", "r.yaml", "--json", "--set", "health_check.max_attempts=9"});
    EXPECT_EQ(all.code, 0) << all.err;
    const Value list = document(all);
    ASSERT_EQ(list.array().size(), 3U);
    const Value& first = list.array()[0];
    EXPECT_EQ(*first.find("suffix")->string(), "small");
    EXPECT_THAT(*first.find("yaml")->string(), testing::AllOf(HasSubstr("# about the model"), HasSubstr("time_limit: \"1:30:00\"")));
    const Value& provenance = *first.find("provenance");
    EXPECT_EQ(*provenance.find("resources.gpus_per_node")->string(), "override_small");
    EXPECT_EQ(*provenance.find("model.path")->string(), "base");
    EXPECT_EQ(*provenance.find("health_check.max_attempts")->string(), "--set");
    EXPECT_EQ(*provenance.find("health_check.interval_seconds")->string(), "default");
    EXPECT_EQ(*list.array()[2].find("provenance")->find("environment.X")->string(), "zip_override_x[1]");

    const Outcome one = run({"resolve", "r.yaml:zip_override_x[1]"});
    EXPECT_EQ(one.code, 0);
    EXPECT_THAT(one.out, HasSubstr("X: \"2\""));
    EXPECT_THAT(one.out, testing::Not(HasSubstr("# ---")));
    EXPECT_THAT(run({"resolve", "r.yaml", "--provenance"}).out,
                testing::AllOf(HasSubstr("# --- small ---"), HasSubstr("# resources.gpus_per_node\t4\toverride_small\tr.yaml:8")));

    EXPECT_EQ(run({"resolve", "r.yaml", "--out", "o"}).code, 0);
    EXPECT_EQ(run({"check", "o/r_small.yaml", "o/r_x_0.yaml", "o/r_x_1.yaml"}).code, 0);
    EXPECT_EQ(run({"resolve", "r.yaml", "--out", "o"}).code, 0) << "the same bytes may be written again";
    write("o/r_small.yaml", "mine\n");
    EXPECT_EQ(run({"resolve", "r.yaml", "--out", "o"}).code, 3);
    EXPECT_EQ(test::bytesOf(m_folder / "o/r_small.yaml"), "mine\n");
    EXPECT_EQ(run({"resolve", "r.yaml", "--out", "o", "--force"}).code, 0);

    EXPECT_EQ(run({"resolve", "r.yaml:override_nothing"}).code, 1);
    EXPECT_EQ(run({"resolve", "absent.yaml"}).code, 3);
    EXPECT_EQ(run({"resolve"}).code, 2);
    write("broken.yaml", "a: [\n");
    const Outcome broken = run({"resolve", "broken.yaml", "--json"});
    EXPECT_EQ(broken.code, 1);
    EXPECT_EQ(document(broken).array().size(), 0U);
}

TEST_F(Srtwb, ConsolidatesAndExplodesWithProof)
{
    std::string other = goodRecipe;
    other.replace(other.find("tiny"), 4, "wide");
    other.replace(other.find("agg_nodes: 1"), 12, "agg_nodes: 2");
    write("in/a.yaml", "# one\n" + goodRecipe);
    write("in/b.yaml", other + "environment: {A: \"yes\"}\n");
    const Outcome made = run({"consolidate", "in", "--out", "all.yaml", "--json"});
    EXPECT_EQ(made.code, 0) << made.err;
    EXPECT_TRUE(*document(made).find("equal")->boolean());
    EXPECT_EQ(*document(made).find("files")->array().at(0).string(), "all.yaml");
    EXPECT_THAT(test::bytesOf(m_folder / "all.yaml"),
                testing::AllOf(testing::StartsWith("# one\nbase:\n"), HasSubstr("agg_nodes: [1, 2]")));
    EXPECT_EQ(run({"check", "all.yaml"}).code, 0);

    const Outcome again = run({"consolidate", "in/b.yaml", "in/a.yaml", "--out", "all.yaml"});
    EXPECT_EQ(again.code, 3) << "a file that is there is not replaced";
    EXPECT_THAT(again.err, HasSubstr("--force"));

    const Outcome apart = run({"explode", "all.yaml", "--out", "apart", "--json"});
    EXPECT_EQ(apart.code, 0) << apart.err;
    ASSERT_EQ(document(apart).find("files")->array().size(), 2U);
    EXPECT_EQ(*document(apart).find("files")->array()[1].string(), "apart/all_all_1.yaml");
    EXPECT_THAT(test::bytesOf(m_folder / "apart/all_all_1.yaml"), testing::AllOf(HasSubstr("# one"), HasSubstr("A: \"yes\"")));

    write("bad.yaml", goodRecipe + "nonsense: 1\n");
    const Outcome refused = run({"consolidate", "in/a.yaml", "bad.yaml", "--out", "no.yaml", "--json"});
    EXPECT_EQ(refused.code, 1);
    EXPECT_FALSE(*document(refused).find("equal")->boolean());
    EXPECT_FALSE(fs::exists(m_folder / "no.yaml"));
    EXPECT_EQ(run({"explode", "in/a.yaml", "--out", "x"}).code, 1);
    EXPECT_EQ(run({"consolidate", "in/a.yaml", "in/b.yaml", "--out", "y.yaml", "--group", "a b"}).code, 2);
    EXPECT_EQ(run({"consolidate", "in/a.yaml", "in/b.yaml", "--out", "-"}).out.substr(0, 6), "# one\n");
}

TEST_F(Srtwb, TakesALockfileAsTheRecipeInIt)
{
    write("l.yaml", goodRecipe + "lock:\n  slurm: {job_id: \"7\"}\n  integrity: abc\n");
    const Outcome checked = run({"check", "l.yaml", "--json"});
    EXPECT_EQ(checked.code, 0);
    const Value all = document(checked);
    const Value& problem = all.find("files")->array().at(0).find("diagnostics")->array().at(0);
    EXPECT_EQ(*problem.find("severity")->string(), "info");
    EXPECT_THAT(*problem.find("message")->string(), testing::AllOf(HasSubstr("job 7"), HasSubstr("not checked here")));
    EXPECT_THAT(run({"resolve", "l.yaml"}).out, testing::Eq(goodRecipe));
}

TEST_F(Srtwb, LooksUpOneKeyOrFlag)
{
    const Outcome key = run({"schema", "benchmark.concurrencies"});
    EXPECT_EQ(key.code, 0);
    EXPECT_THAT(key.out, testing::AllOf(HasSubstr("concurrencies:"), testing::Not(HasSubstr("gpus_per_node"))));
    const Outcome flag = run({"schema", "--engine", "sglang", "mem-fraction-static"});
    EXPECT_EQ(flag.code, 0);
    EXPECT_THAT(flag.out, testing::StartsWith("mem-fraction-static:"));
    const Outcome misspelt = run({"schema", "concurencies"});
    EXPECT_EQ(misspelt.code, 1);
    EXPECT_THAT(misspelt.err, HasSubstr("\"concurrencies\""));
}

TEST_F(Srtwb, SimulatesARecipeAndSaysThatNothingWasMeasured)
{
    write("load.yaml", goodRecipe + "benchmark: {type: sa-bench, isl: 1024, osl: 1024, concurrencies: [1, 64]}\n");
    const Outcome outcome = run({"simulate", "load.yaml", "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const Value made = document(outcome);
    ASSERT_EQ(made.find("points")->array().size(), 2U);
    EXPECT_EQ(made.find("points")->array()[0].find("simulated")->boolean(), true);
    EXPECT_TRUE(made.find("points")->array()[0].find("completed")->isNull());
    EXPECT_TRUE(made.find("calibration")->isNull());
    EXPECT_THAT(outcome.err, HasSubstr("not measured"));
    EXPECT_EQ(run({"simulate"}).code, 2);
    EXPECT_EQ(run({"simulate", "load.yaml", "--parameters", "gone.json"}).code, 3);
    write("bad.json", "{}");
    EXPECT_EQ(run({"simulate", "load.yaml", "--parameters", "bad.json"}).code, 1);
}

TEST_F(Srtwb, ComparesRecipesAndRuns)
{
    write("a.yaml", goodRecipe);
    write("b.yaml", goodRecipe + "setup_script: s.sh\n");
    write("many.yaml", "base:\n  name: n\noverride_x: {}\noverride_y: {}\n");
    write("run/config.yaml", goodRecipe);

    EXPECT_EQ(run({"compare", "a.yaml", "a.yaml"}).code, 0);
    const Outcome one = run({"compare", "a.yaml", "b.yaml", "--json"});
    EXPECT_EQ(one.code, 1);
    EXPECT_EQ(*document(one).find("verdict")->string(), "single-variable");
    EXPECT_TRUE(document(one).find("points")->isArray());
    EXPECT_THAT(run({"compare", "a.yaml", "b.yaml"}).out, HasSubstr("Only \"setup_script\" differs."));

    const Outcome unknown = run({"compare", "a.yaml", "run", "--json"});
    EXPECT_EQ(unknown.code, 1) << "a run without a fingerprint leaves its software unknown";
    EXPECT_EQ(*document(unknown).find("verdict")->string(), "unknown");

    const Outcome several = run({"compare", "a.yaml", "many.yaml"});
    EXPECT_EQ(several.code, 1);
    EXPECT_THAT(several.err, HasSubstr("\"srtwb compare many.yaml:override_x OTHER\""));
    EXPECT_EQ(run({"compare", "a.yaml", "gone.yaml"}).code, 3);
    EXPECT_EQ(run({"compare", "a.yaml"}).code, 2);
}

TEST_F(Srtwb, MigratesOverNoFileThatIsThereAndChecksTheCallFirst)
{
    const std::string path = write("old.yaml", oldRecipe);
    const std::string there = write("there.yaml", "precious\n");
    const Outcome refused = run({"migrate", path, "--output", there});
    EXPECT_EQ(refused.code, 3);
    EXPECT_THAT(refused.err, HasSubstr("--force replaces it"));
    EXPECT_EQ(test::bytesOf(there), "precious\n");
    EXPECT_EQ(run({"migrate", path, "--output", there, "--force"}).code, 0);
    EXPECT_THAT(test::bytesOf(there), testing::StartsWith("schema: 2\n"));
    EXPECT_EQ(run({"migrate", "--in-place", path, path + ":override_a"}).code, 2);
    EXPECT_EQ(run({"migrate", "--in-place", path, "-"}, "true | ").code, 2);
    EXPECT_EQ(test::bytesOf(path), oldRecipe) << "the fault of the call is found before the first file is changed";
}

TEST_F(Srtwb, PrintsADocumentAlsoWhenTheRecipeCannotBeRead)
{
    const std::string absent = (m_folder / "absent.yaml").string();
    for (const std::vector<std::string>& call :
         std::vector<std::vector<std::string>>{{"resolve", "--json", absent},
                                               {"explode", "--json", absent, "--out", "made"},
                                               {"consolidate", "--json", absent, absent, "--out", "made.yaml"}}) {
        const Outcome outcome = run(call);
        EXPECT_EQ(outcome.code, 3) << call.front();
        const auto document = base::json::read(outcome.out);
        ASSERT_TRUE(document) << call.front() << ": " << outcome.out;
        if (call.front() == "resolve") {
            EXPECT_TRUE(document->isArray());
        } else {
            EXPECT_EQ(document->find("equal")->boolean(), false);
            EXPECT_EQ(document->find("differences")->array().size(), 1U);
        }
    }
}

TEST_F(Srtwb, ReadsNoMoreOfStandardInputThanOfAFile)
{
    const Outcome outcome = run({"resolve", "-"}, "head -c 70000000 /dev/zero | ");
    EXPECT_EQ(outcome.code, 3);
    EXPECT_THAT(outcome.err, HasSubstr("Standard input is larger than 64 MiB."));
    const Outcome manifest = run({"snapshot", "check", "-"}, "head -c 300000000 /dev/zero | ");
    EXPECT_EQ(manifest.code, 3);
    EXPECT_THAT(manifest.err + manifest.out, HasSubstr("Standard input is larger than 256 MiB."));
}

TEST_F(Srtwb, KeepsOriginsOnTheirLine)
{
    const std::string path =
        write("odd.yaml", "base:\n  name: n\n  model: {path: p, container: c, precision: fp8}\n  resources: {gpu_type: h100, "
                          "agg_nodes: 1, agg_workers: 1}\n\"override_a\\nsetup_script: x\":\n  setup_script: s\n");
    const Outcome outcome = run({"resolve", "--provenance", path});
    EXPECT_THAT(outcome.out, testing::Not(HasSubstr("\nsetup_script: x"))) << outcome.out;
    EXPECT_THAT(outcome.out, HasSubstr("override_a\\x0asetup_script: x"));
}

TEST_F(Srtwb, ListsEveryRuleOfItsSarifLog)
{
    const std::string path =
        write("broken.yaml", goodRecipe + "sbatch_directives: {--mem: \"0\", comment: a b}\nextra_mount: [/data]\nnonsense: 1\n");
    const std::string other = write("rules.yaml", goodRecipe + "sbatch_directives: {--mem: \"0\", comment: a b}\nextra_mount: [/data]\n");
    const Value log = document(run({"check", "--sarif", path, other}));
    const Value& run = log.find("runs")->array().at(0);
    std::set<std::string> listed;
    for (const Value& rule : run.find("tool")->find("driver")->find("rules")->array())
        EXPECT_TRUE(listed.insert(*rule.find("id")->string()).second) << *rule.find("id")->string();
    std::set<std::string> found;
    for (const Value& result : run.find("results")->array())
        found.insert(*result.find("ruleId")->string());
    EXPECT_THAT(found, testing::IsSupersetOf({"unknown-key", "directive-names", "extra-mount"}));
    for (const std::string& id : found)
        EXPECT_TRUE(listed.contains(id)) << id;
}

TEST_F(Srtwb, SaysHowManyJobsAreLeftOutForErrors)
{
    const std::string path = write("o.yaml", overrideRecipe + "override_wrong: {name: [1]}\n");
    const Outcome text = run({"expand", path});
    EXPECT_EQ(text.code, 1);
    EXPECT_THAT(text.err, HasSubstr(", 1 of them left out because of errors."));
    EXPECT_THAT(run({"expand", "--json", path}).err, HasSubstr("1 of them left out because of errors."));
}

TEST_F(Srtwb, MentionsWhatIsNoFileInAFolder)
{
    write("f/good.yaml", goodRecipe);
    fs::create_symlink("nowhere.yaml", fs::path(folder()) / "f/link.yaml");
    ASSERT_EQ(::mkfifo((fs::path(folder()) / "f/pipe.yaml").c_str(), 0600), 0);
    const Outcome outcome = run({"check", "--sarif", "f"});
    EXPECT_EQ(outcome.code, 3);
    EXPECT_THAT(outcome.err, HasSubstr("pipe.yaml\" is not a regular file"));
    const Value log = *base::json::read(outcome.out);
    std::vector<std::string> places;
    for (const Value& result : log.find("runs")->array().at(0).find("results")->array()) {
        const Value& location = result.find("locations")->array().at(0);
        places.push_back(*location.find("physicalLocation")->find("artifactLocation")->find("uri")->string());
    }
    EXPECT_THAT(places, testing::IsSupersetOf({std::string("f/link.yaml"), std::string("f/pipe.yaml")}));
}

TEST_F(Srtwb, MigratesNothingTwiceAndNamesLines)
{
    const std::string twice = write("twice.yaml", goodRecipe + "name: b\n");
    const Outcome refused = run({"migrate", "--verify", "--json", twice});
    EXPECT_EQ(refused.code, 1);
    const Value told = *base::json::read(refused.out);
    ASSERT_EQ(told.find("notes")->array().size(), 1U) << refused.out;
    EXPECT_EQ(told.find("notes")->array()[0].find("line")->integer(), 6);
    const Outcome unproved = run({"migrate", "--verify", "--json", write("wrong.yaml", goodRecipe + "nonsense: 1\n")});
    EXPECT_EQ(unproved.code, 1);
    EXPECT_EQ(base::json::read(unproved.out)->find("notes")->array().at(0).find("line")->integer(), 6) << unproved.out;
    const Outcome marked = run({"migrate", "--in-place", "--verify", write("marked.yaml", "\xEF\xBB\xBFschema: 1\n" + goodRecipe)});
    EXPECT_EQ(marked.code, 0) << marked.err;
    EXPECT_THAT(test::bytesOf((fs::path(folder()) / "marked.yaml").string()), testing::StartsWith("\xEF\xBB\xBFschema: 2\n"));
}

TEST_F(Srtwb, ALargeDetailedFileIsReadInLittleMemory)
{
    const std::string path = (m_folder / "large_conc8.json").string();
    {
        std::ofstream out(path, std::ios::binary);
        out << R"({"backend": "vllm", "max_concurrency": 8, "num_prompts": 10, "completed": 10, "duration": 10, "itls": [)";
        std::string part;
        while (part.size() < (std::size_t{1} << 20))
            part += "[0.0123456789, 0.0123456789, 0.0123456789],";
        for (int i = 0; i < 300; ++i)
            out << part;
        out << R"([0.01]], "output_throughput": 50.0, "median_tpot_ms": 10.0})";
    }
    ASSERT_GE(fs::file_size(path), std::uintmax_t{300} << 20);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        const int out = ::open((m_folder / "out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        ::dup2(out, STDOUT_FILENO);
        ::execl(SRTWB_PROGRAM, "srtwb", "points", path.c_str(), "--json", nullptr);
        ::_exit(127);
    }
    int status = 0;
    rusage used{};
    ASSERT_EQ(::wait4(child, &status, 0, &used), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    EXPECT_THAT(test::bytesOf(m_folder / "out"), HasSubstr("\"outputTps\": 50"));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    EXPECT_LT(used.ru_maxrss, 100 * 1024) << "KiB";
#endif
}

TEST_F(Srtwb, ListsTheJobsOfARecipeThatLackResults)
{
    std::string recipe = overrideRecipe;
    recipe.insert(recipe.find("override_small"), "  benchmark: {type: sa-bench, isl: 10, osl: 10, concurrencies: [4, 8]}\n");
    const std::string path = write("r.yaml", recipe);
    const std::string results = "runs/1/logs/sa-bench_isl_10_osl_10/";
    write("runs/1/1.json", R"({"version": "2.0", "job_id": "1", "job_name": "tiny_small"})");
    write(results + "results_concurrency_4_gpus_4.json",
          R"({"backend": "dynamo", "max_concurrency": 4, "num_prompts": 40, "completed": 40, "duration": 10.0, "output_throughput": 800.0,
              "median_ttft_ms": 20.0, "median_tpot_ms": 10.0, "reuse_http_connections": true})");
    const Outcome text = run({"points", "runs", "--missing", path});
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_THAT(text.out, HasSubstr("small\ttiny_small\tconcurrencies missing: 8\n"));
    EXPECT_THAT(text.out, HasSubstr("x_0\ttiny_x_0\tno results\n"));
    EXPECT_THAT(text.err, HasSubstr("3 of 3 jobs lack results"));
    const Value all = document(run({"points", "runs", "--missing", path, "--json"}));
    ASSERT_EQ(all.find("missing")->array().size(), 3U);
    const Value& small = all.find("missing")->array()[0];
    EXPECT_EQ(*small.find("suffix")->string(), "small");
    EXPECT_EQ(small.find("validPoints")->integer(), 1);
    EXPECT_EQ(base::json::write(*small.find("missing"), 0), "[8]");
    EXPECT_EQ(run({"points", "--missing", path, "--csv"}).code, 2);
    EXPECT_EQ(run({"points", "runs", "--missing", "nowhere.yaml"}).code, 3);
}

TEST_F(Srtwb, ADryRunTellsWhatEachJobCostsAndGives)
{
    const std::string path = write("r.yaml", goodRecipe + "benchmark: {type: sa-bench, isl: 10, osl: 10, concurrencies: [4, 8]}\n"
                                                          "health_check: {max_attempts: 90, interval_seconds: 20}\n");
    const Outcome text = run({"dry-run", path, "--out", "out"});
    EXPECT_THAT(text.out, HasSubstr("\tat most 12 GPU-hours, up to 1800 s of them until the model is served, 2 benchmark points\n"));
    EXPECT_THAT(text.err, HasSubstr("at most 12 GPU-hours and 2 benchmark points in all."));
    const Value cost = *document(run({"dry-run", path, "--out", "out", "--json"})).find("jobs")->array().at(0).find("cost");
    EXPECT_EQ(cost.find("healthBudgetS")->integer(), 1800);
    EXPECT_EQ(base::json::write(*cost.find("concurrencies"), 0), "[4,8]");
}

} // namespace
} // namespace wb
