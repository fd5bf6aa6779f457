// srtwb on a real Slurm: the contract of its commands, and kills at random moments. The cluster's srtctl is a stand-in of a few lines that
// hands the recipe's comment to the real sbatch and answers as srtctl does.
#include "core/base/json.h"
#include "core/base/shell.h"
#include "core/base/text.h"
#include "tests/cluster/testbed.h"
#include "tests/support/corpus.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace wb {
namespace {

using base::json::Value;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::HasSubstr;

struct Outcome {
    int code = -1;
    std::string out;
    std::string err;
};

class ClusterCommand : public test::OnTestbed
{
protected:
    void SetUp() override
    {
        OnTestbed::SetUp();
        if (IsSkipped())
            return;
        // Short: the master's socket is below it.
        m_runtime = "/tmp/srtwb-run-" + std::to_string(::getpid());
        std::filesystem::create_directories(m_runtime);
        std::filesystem::permissions(m_runtime, std::filesystem::perms::owner_all);
        const std::string tools = env("SLURM_TESTBED_REMOTE") + "/plain/tools-" + std::to_string(::getpid());
        std::filesystem::create_directories(tools);
        m_srtctl = tools + "/srtctl";
        std::ofstream(m_srtctl) << R"sh(#!/bin/sh
[ "$1" != --version ] || { echo "srtctl 1.4.0"; exit 0; }
comment=$(sed -n "s/.*comment: *[\"']*\([^\"' }]*\).*/\1/p" "$3")
name=$(sed -n 's/^name: *//p' "$3" | head -n 1 | tr -d "\"'")
mkdir -p out/logs
id=$(printf '#!/bin/sh\n%s\n' "${SRTWB_TEST_BODY:-true}" | sbatch --parsable --job-name="$name" --comment="$comment" --output=out/logs/sweep_%j.log) || exit 1
printf '{"status": "submitted", "slurm_job_id": "%s", "job_name": "%s", "output_dir": "%s"}\n' "$id" "$name" "$PWD/out"
)sh";
        std::filesystem::permissions(m_srtctl, std::filesystem::perms::all);
        writeProfile("");
    }

    void TearDown() override
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_runtime, ignored);
        OnTestbed::TearDown();
    }

    void writeProfile(const std::string& preamble, bool isReadOnly = false) const
    {
        Value profile;
        profile.set("name", "bed");
        profile.set("host", "testbed");
        profile.set("sshConfig", sshConfig());
        profile.set("remoteFolder", remoteFolder());
        profile.set("launcher", "srtctl");
        profile.set("srtctl", m_srtctl);
        profile.set("preamble", preamble);
        profile.set("readOnly", isReadOnly);
        profile.set("patienceSeconds", 30);
        profile.set("aliveSeconds", 1);
        profile.set("pollSeconds", 10);
        Value document;
        document.set("profiles", base::json::Array{std::move(profile)});
        (void)m_folder.put("config/srt-workbench/profiles.json", base::json::write(document));
    }

    [[nodiscard]] std::string recipe(int variants, const std::string& name = "tiny") const
    {
        std::string values;
        for (int i = 0; i < variants; ++i)
            values += (i == 0 ? "" : ", ") + ("\"" + std::to_string(i) + "\"");
        return m_folder.put(name + ".yaml",
                            "base:\n  name: " + name +
                                "\n  # about the model\n  model: {path: hf:org/model, container: image:1, precision: fp8}\n"
                                "  resources: {gpu_type: h100, gpus_per_node: 4, agg_nodes: 1, agg_workers: 1}\n"
                                "  backend: {type: vllm}\n  slurm: {time_limit: \"0:10:00\", partition: gpu, account: research}\n"
                                "zip_override_x: {environment: {X: [" +
                                values + "]}}\n");
    }

    [[nodiscard]] std::string environment() const
    {
        return "cd " + base::shellQuoted(m_folder.path().string()) +
               " && export XDG_STATE_HOME=" + base::shellQuoted(m_folder.below("state")) +
               " XDG_CONFIG_HOME=" + base::shellQuoted(m_folder.below("config")) +
               " XDG_DATA_HOME=" + base::shellQuoted(m_folder.below("data")) + " XDG_RUNTIME_DIR=" + m_runtime +
               " SRTSLURM_CONFIG= NO_COLOR=1; ";
    }

    Outcome run(const std::vector<std::string>& arguments) const
    {
        const std::string errors = m_folder.below("stderr");
        const test::LocalOutcome done = test::runHere(environment() + base::shellQuoted(SRTWB_PROGRAM) + ' ' +
                                                      base::shellCommand(arguments) + " 2>" + base::shellQuoted(errors) + " </dev/null");
        return {done.code, done.out, test::bytesOf(errors)};
    }

    /// Starts srtwb and kills it after a time; true when it had ended before by itself.
    bool runAndKill(const std::vector<std::string>& arguments, milliseconds after) const
    {
        const std::string line = environment() + "exec " + base::shellQuoted(SRTWB_PROGRAM) + ' ' + base::shellCommand(arguments) +
                                 " >>out.txt 2>>err.txt </dev/null";
        const pid_t child = ::fork();
        if (child == 0) {
            ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
            ::_exit(127);
        }
        const auto end = steady_clock::now() + after;
        int status = 0;
        while (steady_clock::now() < end) {
            if (::waitpid(child, &status, WNOHANG) == child)
                return WIFEXITED(status) && WEXITSTATUS(status) == 0;
            std::this_thread::sleep_for(milliseconds(2));
        }
        ::kill(child, SIGKILL);
        ::waitpid(child, &status, 0);
        return false;
    }

    static std::vector<Value> lines(const Outcome& outcome)
    {
        std::vector<Value> out;
        for (const std::string_view line : base::splitAt(outcome.out, '\n')) {
            if (line.empty())
                continue;
            auto value = base::json::read(line);
            EXPECT_TRUE(value) << line;
            if (value)
                out.push_back(*std::move(value));
        }
        return out;
    }

    static std::string text(const Value& value, std::string_view key)
    {
        const Value* found = value.find(key);
        return found && found->string() ? *found->string() : std::string();
    }

    std::string m_runtime;
    std::string m_srtctl;
};

TEST_F(ClusterCommand, SubmitsWatchesCancelsAndFetches)
{
    const std::string path = recipe(3);
    const Outcome submitted = run({"submit", "--host", "bed", "--yes", "--json", path});
    ASSERT_EQ(submitted.code, 0) << submitted.err << submitted.out;
    const std::vector<Value> events = lines(submitted);
    ASSERT_EQ(events.size(), 7U) << submitted.out;
    int staged = 0;
    std::vector<std::string> numbers;
    for (const Value& event : events) {
        staged += text(event, "event") == "staged" ? 1 : 0;
        if (text(event, "event") == "submitted") {
            numbers.push_back(text(event, "jobId"));
            EXPECT_EQ(text(event, "sha256").size(), 64U);
            ASSERT_TRUE(event.find("message"));
        }
    }
    EXPECT_EQ(staged, 3);
    ASSERT_EQ(numbers.size(), 3U);
    EXPECT_EQ(base::json::write(events.back(), 0), R"({"event":"summary","planned":3,"submitted":3,"failed":0,"skipped":0})");

    const Outcome listed = run({"jobs", "--json"});
    ASSERT_EQ(listed.code, 0) << listed.err;
    const auto document = base::json::read(listed.out);
    ASSERT_TRUE(document);
    const base::json::Array& jobs = document->find("jobs")->array();
    ASSERT_EQ(jobs.size(), 3U);
    for (const char* key : {"id", "host", "jobId", "name", "recipe", "variant", "state", "reason", "stage", "submitted", "started", "ended",
                            "exitCode", "sha256", "remoteDir"})
        EXPECT_TRUE(jobs.front().find(key)) << key;
    EXPECT_EQ(text(jobs.front(), "host"), "bed");
    EXPECT_EQ(text(jobs.front(), "recipe"), path);
    // The bytes that were sent are those whose hash was told, and hold the token and the comments of the source.
    const std::string sent = test::runHere("cat " + base::shellQuoted(text(jobs.front(), "remoteDir")) + "/*.yaml").out;
    EXPECT_THAT(sent, HasSubstr("srtwb:" + text(jobs.front(), "id")));
    EXPECT_THAT(sent, HasSubstr("# about the model"));
    EXPECT_EQ(tokens().at(text(jobs.front(), "id")), 1);

    const auto end = steady_clock::now() + std::chrono::seconds(60);
    Outcome status;
    do {
        ASSERT_LT(steady_clock::now(), end) << status.out;
        status = run({"status", numbers.front(), "--json"});
        ASSERT_EQ(status.code, 0) << status.err;
    } while (text(base::json::read(status.out)->find("jobs")->array().front(), "state") != "completed");

    const Outcome fetched = run({"fetch", numbers.front(), "--json", "--out", m_folder.below("results")});
    ASSERT_TRUE(base::json::read(fetched.out)) << fetched.out << fetched.err;
    const Value told = base::json::read(fetched.out)->find("fetched")->array().front();
    EXPECT_TRUE(std::filesystem::exists(text(told, "folder") + "/logs/sweep_" + numbers.front() + ".log")) << fetched.out << fetched.err;
    EXPECT_EQ(told.find("partial")->boolean(), false);

    const Outcome logs = run({"logs", numbers.front(), "--list"});
    EXPECT_EQ(logs.code, 0) << logs.err;
    EXPECT_THAT(logs.out, HasSubstr("logs/sweep_" + numbers.front() + ".log"));
    const Outcome audit = run({"jobs", "--audit"});
    EXPECT_THAT(audit.out, HasSubstr("\"title\":\"submit "));
    EXPECT_EQ(run({"status", "99999999"}).code, 1);
}

TEST_F(ClusterCommand, CancelsAndFollows)
{
    writeProfile("export SRTWB_TEST_BODY='echo begun; sleep 300'");
    const Outcome submitted = run({"submit", "--host", "bed", "--yes", "--json", recipe(1)});
    ASSERT_EQ(submitted.code, 0) << submitted.err;
    const std::string number = text(lines(submitted)[1], "jobId");
    Outcome followed;
    std::jthread follower([&] { followed = run({"logs", number, "-f"}); });
    const auto end = steady_clock::now() + std::chrono::seconds(60);
    const auto stateOf = [&] { return slurm("squeue -h -t all -j " + number + " -o %T").out; };
    while (stateOf() != "RUNNING\n") {
        ASSERT_LT(steady_clock::now(), end);
        std::this_thread::sleep_for(milliseconds(100));
    }
    const Outcome cancelled = run({"cancel", number, "--json"});
    EXPECT_EQ(cancelled.code, 0) << cancelled.err;
    follower.join();
    EXPECT_THAT(followed.out, HasSubstr("begun")) << followed.err;
    const Outcome status = run({"status", number, "--json"});
    EXPECT_EQ(status.code, 1) << status.out;
    EXPECT_THAT(status.out, HasSubstr("\"cancelled\""));
    EXPECT_EQ(run({"delete-remote", number}).code, 2);
    EXPECT_EQ(run({"delete-remote", number, "--yes"}).code, 0);
    EXPECT_TRUE(std::filesystem::is_empty(remoteFolder()));
}

TEST_F(ClusterCommand, WrongOptionsAndTheWorldHaveTheirCodes)
{
    const std::string path = recipe(2);
    EXPECT_EQ(run({"submit", "--host", "offline", "--yes", path, "--launcher", "srtctl"}).code, 2);
    EXPECT_EQ(run({"submit", "--host", "bed", path}).code, 2) << "nobody to ask";
    EXPECT_EQ(run({"submit", "--host", "bed", "--yes", "--only", "nonsense", path}).code, 1);
    EXPECT_EQ(run({"submit", "--host", "bed", "--yes", m_folder.below("missing.yaml")}).code, 3);
    const Outcome unreachable = run({"submit", "--host", "no.such.host.invalid", "--launcher", "srtctl", "--yes", "--json", path});
    EXPECT_EQ(unreachable.code, 3) << unreachable.err;
    EXPECT_EQ(base::json::write(lines(unreachable).back(), 0), R"({"event":"summary","planned":2,"submitted":0,"failed":2,"skipped":0})");
    writeProfile("", true);
    EXPECT_EQ(run({"submit", "--host", "bed", "--yes", path}).code, 2) << "read-only";
    EXPECT_TRUE(tokens().empty() || run({"jobs", "--local", "--json"}).out.find("\"id\"") == std::string::npos);
    (void)m_folder.put("config/srt-workbench/profiles.json", "{\"profiles\": [{\"name\": \"bed\", \"hots\": \"x\"}]}");
    const Outcome wrong = run({"submit", "--host", "bed", "--yes", path});
    EXPECT_EQ(wrong.code, 3);
    EXPECT_THAT(wrong.err, HasSubstr("\"hots\""));
}

TEST_F(ClusterCommand, OneVariantAlone)
{
    const Outcome outcome = run({"submit", "--host", "bed", "--yes", "--json", "--only", "x_1", recipe(3)});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(base::json::write(lines(outcome).back(), 0), R"({"event":"summary","planned":1,"submitted":1,"failed":0,"skipped":0})");
    // A word that names nothing is a finding, and the others are not submitted in its stead.
    const std::size_t before = queue().size();
    const Outcome typo = run({"submit", "--host", "bed", "--yes", "--only", "x_1", "--only", "x_9", recipe(3)});
    EXPECT_EQ(typo.code, 1);
    EXPECT_THAT(typo.err, HasSubstr("\"x_9\" names no variant"));
    EXPECT_EQ(queue().size(), before);
}

TEST_F(ClusterCommand, AFolderThatMayBeInUseIsNotRemoved)
{
    ASSERT_EQ(run({"submit", "--host", "bed", "--yes", recipe(1)}).code, 0);
    // As after a kill between sbatch and its answer, with a cluster that cannot be asked.
    auto record = store::JobRecord::open(m_folder.below("state/srt-workbench"), store::JobRecord::Access::Write, milliseconds(2000));
    ASSERT_TRUE(record) << record.error().message;
    store::JobEntry job = record->jobs().back();
    job.step = store::Step::Submitting;
    job.jobId.clear();
    ASSERT_TRUE(record->put(job));
    record = tl::unexpected<Error>(Error{});
    fault("auth-deny");
    const Outcome refused = run({"delete-remote", "--yes", job.id});
    EXPECT_EQ(refused.code, 3) << refused.err;
    EXPECT_TRUE(std::filesystem::exists(job.remoteDir));
    heal();
}

TEST_F(ClusterCommand, PreflightTellsWhereAndWhat)
{
    const std::string path = recipe(1);
    const Outcome good = run({"preflight", "--host", "bed", "--json", path});
    ASSERT_TRUE(base::json::read(good.out)) << good.err << good.out;
    const auto document = *base::json::read(good.out);
    const auto stateOf = [&](const Value& checks, const std::string& id) {
        for (const Value& check : checks.find("checks")->array())
            if (text(check, "id") == id && text(check, "location") != "here")
                return text(check, "state");
        return std::string("none");
    };
    EXPECT_EQ(stateOf(document, "connection"), "ok");
    EXPECT_EQ(stateOf(document, "slurm"), "ok");
    EXPECT_EQ(stateOf(document, "partition"), "ok");
    EXPECT_EQ(stateOf(document, "nodes"), "ok");
    EXPECT_EQ(stateOf(document, "gpus"), "ok");
    EXPECT_EQ(stateOf(document, "time-limit"), "ok");
    EXPECT_EQ(stateOf(document, "srtctl"), "ok");
    EXPECT_EQ(stateOf(document, "account"), "unknown") << "this testbed keeps no accounts";
    EXPECT_EQ(stateOf(document, "model"), "unknown") << "a model that the job fetches";
    EXPECT_EQ(stateOf(document, "remote-folder"), "ok");
    // --segment is not known before 23.11: told with the setting that cures it.
    const bool isOld = env("SLURM_TESTBED_SLURM_VERSION").starts_with("22.");
    EXPECT_EQ(stateOf(document, "test-only"), isOld ? "absent" : "ok") << good.out;
    if (isOld) {
        EXPECT_THAT(good.out, HasSubstr("use_segment_sbatch_directive"));
    }
    EXPECT_EQ(good.code, isOld ? 1 : 0);
    EXPECT_FALSE(std::filesystem::exists(remoteFolder())) << "a preflight makes nothing";

    const std::string wrong =
        m_folder.put("wrong.yaml", "name: wrong\nmodel: {path: /no/such/model, container: image:1, precision: fp8}\n"
                                   "resources: {gpu_type: h100, gpus_per_node: 4, agg_nodes: 9, agg_workers: 9}\nbackend: {type: vllm}\n"
                                   "slurm: {time_limit: \"99:00:00\", partition: gpu}\n");
    const Outcome bad = run({"preflight", "--host", "bed", "--compute", "--json", wrong});
    EXPECT_EQ(bad.code, 1);
    const auto found = base::json::read(bad.out);
    ASSERT_TRUE(found) << bad.err;
    EXPECT_EQ(stateOf(*found, "nodes"), "absent");
    EXPECT_EQ(stateOf(*found, "time-limit"), "absent");
    EXPECT_EQ(stateOf(*found, "model"), "unknown");
    EXPECT_THAT(bad.out, HasSubstr("The compute node does not see it.")) << bad.err;
}

TEST_F(ClusterCommand, KilledAtRandomMomentsEachJobIsThereOnce)
{
    constexpr int variants = 20;
    const char* wanted = std::getenv("SRTWB_KILLS");
    const int kills = wanted ? std::atoi(wanted) : 10;
    std::mt19937 random(20261130);
    const std::string path = recipe(variants, "killed");
    const std::vector<std::string> words = {"submit", "--host", "bed", "--yes", "--json", path};
    // How long one call takes undisturbed: the kills fall into all of it.
    const auto begin = steady_clock::now();
    ASSERT_EQ(run(words).code, 0);
    const auto whole = std::chrono::duration_cast<milliseconds>(steady_clock::now() - begin);
    std::uniform_int_distribution<int> delay(0, static_cast<int>(whole.count()));
    int done = 0;
    int calls = 1;
    while (done < kills) {
        bool hasEnded = false;
        for (int inCall = 0; done < kills && inCall < 5 && !hasEnded; ++inCall) {
            hasEnded = runAndKill(words, milliseconds(delay(random)));
            done += hasEnded ? 0 : 1;
        }
        if (!hasEnded) {
            // A kill after the last line was written ended the call: then this is a new one, by the record's own word.
            const Outcome last = run(words);
            ASSERT_EQ(last.code, 0) << last.err << last.out;
        }
    }
    const auto record = store::JobRecord::open(m_folder.below("state/srt-workbench"), store::JobRecord::Access::Read);
    ASSERT_TRUE(record);
    calls = static_cast<int>(record->calls().size());
    EXPECT_TRUE(record->warnings().empty());
    EXPECT_GE(calls, 2);
    std::set<std::string> numbers;
    for (const store::JobEntry& job : record->jobs()) {
        EXPECT_EQ(job.step, store::Step::Submitted) << job.message;
        EXPECT_TRUE(numbers.insert(job.jobId).second) << job.jobId << " is the id of two jobs";
    }
    EXPECT_EQ(record->jobs().size(), static_cast<std::size_t>(calls * variants)) << "each call's history is complete";
    for (const store::CallEntry& call : record->calls())
        EXPECT_TRUE(call.ended);
    const auto counts = tokens();
    int ours = 0;
    for (const store::JobEntry& job : record->jobs()) {
        const auto at = counts.find(job.id);
        EXPECT_EQ(at == counts.end() ? 0 : at->second, 1) << job.id << " (" << job.jobId << ")";
        ours += at == counts.end() ? 0 : at->second;
    }
    EXPECT_EQ(ours, calls * variants);
    for (const auto& each : std::filesystem::directory_iterator(remoteFolder()))
        EXPECT_FALSE(each.path().filename().string().starts_with('.')) << each.path();
    for (const auto& each : std::filesystem::recursive_directory_iterator(m_folder.below("state")))
        EXPECT_FALSE(each.path().filename().string().ends_with(".tmp")) << each.path();
    RecordProperty("kills", done);
    RecordProperty("calls", calls);
    std::printf("%d kills in %d calls of %d variants; one call takes %d ms\n", done, calls, variants, static_cast<int>(whole.count()));
}

// From the recipe to the frontier with the portable launcher: engines and client are the stand-ins of stubs/, all else is real. The nodes
// of the testbed share one loopback and so the ports: one job at a time.
TEST_F(ClusterCommand, FromTheRecipeToTheFrontier)
{
    const char* wanted = std::getenv("SRTWB_E2E_VARIANTS");
    const int variants = wanted ? std::atoi(wanted) : 2;
    const std::string work = env("SLURM_TESTBED_REMOTE") + "/plain/e2e-" + std::to_string(::getpid());
    ASSERT_EQ(test::runHere("mkdir -p " + work + "/models/stub-model && cp -r " + base::shellQuoted(SRTWB_STUBS) + " " + work +
                            "/stubs && chmod -R a+rX " + work)
                  .code,
              0);
    writeProfile("export PATH=" + work + "/stubs/bin:$PATH PYTHONPATH=" + work + "/stubs/python PYTHONDONTWRITEBYTECODE=1 STUB_NET=1");
    const std::string cluster =
        m_folder.put("srtslurm.yaml", "cluster: testbed\ndefault_partition: gpu\ndefault_time_limit: \"00:05:00\"\n"
                                      "gpus_per_node: 4\nnetwork_interface: \"\"\nuse_segment_sbatch_directive: false\n");
    std::string values;
    for (int i = 0; i < variants; ++i)
        values += (i == 0 ? "" : ", ") + ("\"" + std::to_string(i) + "\"");
    const std::string path = m_folder.put(
        "e2e.yaml", "base:\n  name: e2e\n  model: {path: " + work +
                        "/models/stub-model, container: stub-image, precision: fp8}\n"
                        "  health_check: {max_attempts: 40, interval_seconds: 1}\n  dynamo: {install: false}\n"
                        "  resources: {gpu_type: h100, gpus_per_node: 4, agg_nodes: 1, agg_workers: 2, gpus_per_agg: 2}\n"
                        "  backend: {type: mocker}\n  frontend: {type: dynamo, nginx_container: stub-nginx}\n"
                        "  benchmark: {type: sa-bench, isl: 16, osl: 8, concurrencies: [1, 4], num_prompts_mult: 3, num_warmup_mult: 1}\n"
                        "zip_override_x: {environment: {X: [" +
                        values + "]}}\n");
    const Outcome submitted = run({"submit", "--host", "bed", "--launcher", "portable", "--cluster", cluster, "--services",
                                   work + "/stubs/services", "--max-in-flight", "1", "--yes", "--json", path});
    ASSERT_EQ(submitted.code, 0) << submitted.err << submitted.out;
    // What was looked at is what was sent.
    const Outcome shown = run({"dry-run", "--launcher", "portable", "--cluster", cluster, "--services", work + "/stubs/services", "--out",
                               m_folder.below("dry"), "--json", path});
    std::set<std::string> hashes;
    for (const Value& event : lines(submitted))
        if (text(event, "event") == "submitted")
            hashes.insert(text(event, "sha256"));
    EXPECT_EQ(hashes.size(), static_cast<std::size_t>(variants));
    for (const std::string& hash : hashes)
        EXPECT_THAT(shown.out, HasSubstr(hash)) << "the hash of the preview";

    std::vector<std::string> numbers;
    const auto end = steady_clock::now() + std::chrono::seconds(120);
    bool isDone = false;
    while (!isDone) {
        ASSERT_LT(steady_clock::now(), end);
        const auto listed = base::json::read(run({"jobs", "--json"}).out);
        ASSERT_TRUE(listed);
        isDone = true;
        numbers.clear();
        for (const Value& job : listed->find("jobs")->array()) {
            numbers.push_back(text(job, "jobId"));
            isDone = isDone && text(job, "state") == "completed";
            ASSERT_TRUE(text(job, "state") != "failed" && text(job, "state") != "unknown")
                << base::json::write(job) << test::runHere("cat " + base::shellQuoted(text(job, "remoteDir")) + "/slurm-*.out").out;
            if (isDone) {
                EXPECT_EQ(text(job, "stage"), "done");
            }
        }
    }
    std::vector<std::string> fetch = {"fetch", "--json", "--catalogue", m_folder.below("cat.sqlite"), "--out", m_folder.below("results")};
    fetch.insert(fetch.end(), numbers.begin(), numbers.end());
    const Outcome fetched = run(fetch);
    ASSERT_EQ(fetched.code, 0) << fetched.err << fetched.out;
    const auto told = base::json::read(fetched.out);
    ASSERT_TRUE(told) << fetched.out;
    for (const Value& one : told->find("fetched")->array())
        EXPECT_EQ(one.find("points")->integer(), 2) << base::json::write(one);
    const Outcome pareto = run({"pareto", "--json", "--catalogue", m_folder.below("cat.sqlite"), "--group", "run"});
    ASSERT_EQ(pareto.code, 0) << pareto.err;
    EXPECT_EQ(base::json::read(pareto.out)->find("groups")->array().size(), static_cast<std::size_t>(variants)) << pareto.out;
    EXPECT_EQ(run({"logs", numbers.front(), "--error"}).code, 0);
    std::filesystem::remove_all(work);
}

TEST_F(ClusterCommand, AHundredVariantsOverOneMaster)
{
    const std::string path = recipe(100, "hundred");
    const auto begin = steady_clock::now();
    const Outcome outcome = run({"submit", "--host", "bed", "--yes", "--json", path});
    const auto took = std::chrono::duration_cast<milliseconds>(steady_clock::now() - begin);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(base::json::write(lines(outcome).back(), 0), R"({"event":"summary","planned":100,"submitted":100,"failed":0,"skipped":0})");
    std::printf("100 variants in %d ms\n", static_cast<int>(took.count()));
    RecordProperty("milliseconds", static_cast<int>(took.count()));
    // The budget is 30 s on an idle machine; a busy one may take longer, and time is no proof of a fault.
    const Outcome listed = run({"jobs", "--json"});
    ASSERT_EQ(listed.code, 0);
    const std::string audit = run({"jobs", "--audit"}).out;
    std::size_t polls = 0;
    for (std::size_t at = audit.find("\"title\":\"poll "); at != std::string::npos; at = audit.find("\"title\":\"poll ", at + 1))
        ++polls;
    EXPECT_EQ(polls, 1U) << "one query for a hundred jobs";
}

} // namespace
} // namespace wb
