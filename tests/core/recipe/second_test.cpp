// Schema 2 of the language: the gate, what is laid under a recipe, and the Job that both languages share.
#include "core/base/text.h"
#include "core/recipe/defaultsv2.h"
#include "core/recipe/gate.h"
#include "core/recipe/lower.h"
#include "core/recipe/lowerv2.h"
#include "core/recipe/reader.h"
#include "core/recipe/renames.h"
#include "core/recipe/rulesv2.h"
#include "core/schema/pack.h"
#include "core/syntax/yaml.h"
#include "tests/support/marked.h"

#include <gmock/gmock.h>

#include <set>

namespace wb::recipe {
namespace {

using syntax::Code;
using syntax::Diagnostic;
using test::Marked;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string frame =
    "schema: 2\nname: n\nmodel: {path: p, container: c, precision: fp8}\nresources: {gpu_type: h100, gpus_per_node: 8}\n";

struct Passed {
    syntax::Parsed parsed;
    Gated gated;
};

Passed passed(const Marked& yaml)
{
    Passed out;
    out.parsed = syntax::parse(yaml.source());
    out.gated = passGate(out.parsed.root, *out.parsed.source);
    return out;
}

// --- renames -----------------------------------------------------------------------------------------------------------------------------

/// The field at a path of schema 2, an engine's knob whatever the engine.
const schema::Field* fieldOfSecond(std::string_view path)
{
    const auto pack = schema::builtInPack("v2");
    if (const schema::Field* field = pack->fieldAt(path))
        return field;
    for (const auto& [name, record] : pack->records()) {
        if (path.starts_with("engine.") && name.ends_with("_engine") && record.find(path.substr(7)))
            return record.find(path.substr(7));
    }
    return nullptr;
}

TEST(Renames, LeadToKeysOfSchema2AndFromKeysThatItLacks)
{
    std::set<std::string_view> seen;
    for (const Rename& row : renames()) {
        EXPECT_NE(fieldOfSecond(row.second), nullptr) << row.second;
        EXPECT_TRUE(seen.insert(row.first).second) << row.first << " is there twice";
        if (row.first != row.second) {
            EXPECT_EQ(schema::builtInPack("v2")->fieldAt(row.first), nullptr) << row.first << " is a key of schema 2 still";
        }
    }
}

TEST(Renames, TakeWhatStandsBelowAlong)
{
    EXPECT_EQ(inSecond("resources.prefill_nodes"), "roles.prefill.nodes");
    EXPECT_EQ(inSecond("backend.vllm_config.aggregated.max-num-seqs"), "roles.agg.args.max-num-seqs");
    EXPECT_EQ(inSecond("backend.connector"), "engine.connector");
    EXPECT_EQ(inSecond("resources.gpus_per_node"), "resources.gpus_per_node");
    EXPECT_EQ(inSecond("resources.prefill_nodes_more"), "resources.prefill_nodes_more") << "no name is cut";
    EXPECT_EQ(inSecond("model.path"), "model.path");
}

TEST(Renames, SayASentenceInTheWordsOfSchema2)
{
    EXPECT_EQ(saidInSecond("set \"agg_nodes\" and resources.agg_workers."), "set \"roles.agg.nodes\" and roles.agg.workers.");
    EXPECT_EQ(saidInSecond("The 3 prefill workers of gpus_per_prefill GPUs"), "The 3 prefill workers of roles.prefill.gpus GPUs");
    EXPECT_EQ(saidInSecond("The backend needs \"backend\"."), "The backend needs \"engine\".");
    EXPECT_EQ(saidInSecond("a version of Dynamo"), "a version of Dynamo") << "a plain word stays one";
}

TEST(Renames, DropAFixThatWouldWriteAnOldKey)
{
    Diagnostic problem;
    problem.path = "resources.agg_workers";
    problem.message = "No worker: \"resources.agg_workers\".";
    problem.fixes = {{"Add \"agg_workers: 1\"", {{{0, 0}, "agg_workers: 1\n"}}}, {"Change to 2", {{{4, 5}, "2"}}}};
    turnToSecond(problem);
    EXPECT_EQ(problem.path, "roles.agg.workers");
    EXPECT_EQ(problem.message, "No worker: \"roles.agg.workers\".");
    ASSERT_EQ(problem.fixes.size(), 1U);
    EXPECT_EQ(problem.fixes.front().title, "Change to 2");
}

// --- the gate ----------------------------------------------------------------------------------------------------------------------------

TEST(Gate, AsksForTheVersionAndOffersToAddIt)
{
    const Marked yaml("# head\n[[name]]: n\nengine: sglang\n");
    const Passed read = passed(yaml);
    ASSERT_EQ(read.gated.diagnostics.size(), 1U);
    const Diagnostic& problem = read.gated.diagnostics.front();
    EXPECT_EQ(problem.code, Code::OtherLanguage);
    EXPECT_EQ(problem.range, yaml.range());
    ASSERT_EQ(problem.fixes.size(), 1U);
    EXPECT_EQ(syntax::applyEdits(yaml.text(), problem.fixes.front().edits), "# head\nschema: 2\nname: n\nengine: sglang\n");
    EXPECT_EQ(syntax::at(read.gated.document, "schema")->integer, 2) << "what follows is read all the same";
}

TEST(Gate, RefusesAnotherVersionAtItsPlace)
{
    for (const char* const written :
         {"schema: [[1]]\n", "schema: [['2']]\n", "schema: [[3]]\n", "schema: [[true]]\n", "schema: [[2.0]]\n"}) {
        const Marked yaml(written + std::string("name: n\n"));
        const Passed read = passed(yaml);
        ASSERT_EQ(read.gated.diagnostics.size(), 1U) << written;
        EXPECT_EQ(read.gated.diagnostics.front().range, yaml.range()) << written;
        EXPECT_EQ(syntax::applyEdits(yaml.text(), read.gated.diagnostics.front().fixes.at(0).edits), "schema: 2\nname: n\n");
    }
    EXPECT_THAT(passed(Marked("schema: 2\nname: n\n")).gated.diagnostics, IsEmpty());
}

TEST(Gate, NamesEveryKeyOfSchema1WithItsPlaceAndItsNewName)
{
    const Marked yaml(frame + "[[backend]]: {type: vllm}\nfrontend: {[[dedicated_node]]: true}\ndynamo: {[[hash]]: abc}\n");
    const Passed read = passed(yaml);
    ASSERT_EQ(read.gated.diagnostics.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(read.gated.diagnostics[i].range, yaml.range(i));
        EXPECT_EQ(read.gated.diagnostics[i].code, Code::LegacyKey);
        EXPECT_THAT(read.gated.diagnostics[i].message, HasSubstr("srtwb migrate"));
    }
    EXPECT_THAT(read.gated.diagnostics[2].message, HasSubstr("\"dynamo.source.rev\""));
    EXPECT_EQ(syntax::at(read.gated.document, "backend"), nullptr) << "so that it is not told twice";
    EXPECT_NE(syntax::at(read.gated.document, "frontend"), nullptr);
}

TEST(Gate, PointsFromAnEngineToTheRoles)
{
    const Marked yaml(frame + "engine:\n  type: sglang\n  [[sglang_config]]: {}\n");
    const Passed read = passed(yaml);
    ASSERT_EQ(read.gated.diagnostics.size(), 1U);
    EXPECT_EQ(read.gated.diagnostics.front().range, yaml.range());
    EXPECT_THAT(read.gated.diagnostics.front().message, HasSubstr("\"args\" of each role"));
}

TEST(Gate, MakesAMappingOfABareEngineAndKeepsItsPlace)
{
    const Marked yaml(frame + "engine: [[vllm]]\n");
    const Passed read = passed(yaml);
    EXPECT_THAT(read.gated.diagnostics, IsEmpty());
    EXPECT_EQ(syntax::at(read.gated.document, "engine.type")->text, "vllm");
    EXPECT_EQ(syntax::at(read.gated.document, "engine.type")->range, yaml.range());
}

// --- defaults ----------------------------------------------------------------------------------------------------------------------------

Cluster clusterOf(const std::string& yaml)
{
    const syntax::Parsed parsed = syntax::parse(Marked(yaml).source("srtslurm.yaml"), syntax::Source::Cluster);
    Reader reader(schema::builtInPack("cluster-v2"));
    Reader::Outcome read = reader.read(parsed.root);
    EXPECT_THAT(read.diagnostics, IsEmpty());
    return lowerCluster(read.config, "srtslurm.yaml");
}

TEST(ClusterDefaultsOfSecond, AreLaidUnderARecipeThatIsSilent)
{
    const Cluster cluster = clusterOf("default_account: acc\ngpus_per_node: 4\ndefault_gpu_type: gb200\nuse_het_jobs: true\n"
                                      "default_host_setup: {commands: [x]}\n");
    const auto document =
        withClusterDefaultsOfSecond(passed(Marked("schema: 2\nresources: {gpu_type: ''}\nslurm: {}\n")).gated.document, cluster);
    EXPECT_EQ(syntax::at(document, "slurm.account")->text, "acc");
    EXPECT_EQ(syntax::at(document, "resources.gpu_type")->text, "gb200") << "an empty text is silent";
    EXPECT_EQ(syntax::at(document, "resources.gpus_per_node")->integer, 4);
    EXPECT_TRUE(syntax::at(document, "resources.het_jobs")->boolean);
    EXPECT_NE(syntax::at(document, "host_setup.commands"), nullptr);
    const auto own = withClusterDefaultsOfSecond(
        passed(Marked("schema: 2\nresources: {gpu_type: h100, gpus_per_node: 8, het_jobs: false}\n")).gated.document, cluster);
    EXPECT_EQ(syntax::at(own, "resources.gpu_type")->text, "h100");
    EXPECT_EQ(syntax::at(own, "resources.gpus_per_node")->integer, 8);
    EXPECT_FALSE(syntax::at(own, "resources.het_jobs")->boolean);
}

TEST(ClusterDefaultsOfSecond, LookUpImagesWhereverOneIsNamed)
{
    const Cluster cluster = clusterOf("containers: {short: /images/long.sqsh}\nmodel_paths: {m: /models/m}\n");
    const auto document = withClusterDefaultsOfSecond(
        passed(Marked("schema: 2\nmodel: {path: m, container: short}\nidentity: {container: {image: short}}\n"
                      "roles: {agg: {container: short, env: {container: short}}}\nservices: [{name: s, container: short}]\n"
                      "frontend: {nginx_container: short, container_image: other}\n"))
            .gated.document,
        cluster);
    EXPECT_EQ(syntax::at(document, "model.path")->text, "/models/m");
    EXPECT_EQ(syntax::at(document, "model.container")->text, "/images/long.sqsh");
    EXPECT_EQ(syntax::at(document, "model.container")->source, syntax::Source::Cluster);
    EXPECT_EQ(syntax::at(document, "roles.agg.container")->text, "/images/long.sqsh");
    EXPECT_EQ(syntax::at(document, "roles.agg.env.container")->text, "short") << "a variable is the user's own word";
    EXPECT_EQ(syntax::at(document, "identity.container.image")->text, "short") << "an identity is a record, never looked up";
    EXPECT_EQ(syntax::at(document, "services")->items.front()->find("container")->text, "/images/long.sqsh");
    EXPECT_EQ(syntax::at(document, "frontend.nginx_container")->text, "/images/long.sqsh");
    EXPECT_EQ(syntax::at(document, "frontend.container_image")->text, "other");
}

TEST(Expansions, OfObservabilityGoToDeclaredRolesOnlyAndKeepWhatIsThere)
{
    const auto document = withExpansions(passed(Marked("schema: 2\nengine: trtllm\nroles: {agg: {env: {DYN_LOG: info}, args: "
                                                       "{enable_iter_perf_stats: false}}}\nobservability: {enabled: true}\n"))
                                             .gated.document);
    EXPECT_EQ(syntax::at(document, "roles.agg.env.DYN_LOG")->text, "info");
    EXPECT_EQ(syntax::at(document, "roles.agg.env.DYN_LOGGING_JSONL")->text, "true");
    EXPECT_EQ(syntax::at(document, "frontend.env.DYN_REQUEST_TRACE")->text, "1");
    EXPECT_FALSE(syntax::at(document, "roles.agg.args.enable_iter_perf_stats")->boolean);
    EXPECT_TRUE(syntax::at(document, "roles.agg.args.return_perf_metrics")->boolean);
    EXPECT_EQ(syntax::at(document, "roles.prefill"), nullptr);
}

TEST(Expansions, OfTensorRtDependOnItsBackendAndTheFrontend)
{
    const auto plain = withExpansions(
        passed(Marked("schema: 2\nengine: trtllm\nroles: {agg: {args: {}}, prefill: {args: {backend: tensorrt}}}\n")).gated.document);
    EXPECT_FALSE(syntax::at(plain, "roles.agg.args.enable_iter_perf_stats")->boolean);
    EXPECT_EQ(syntax::at(plain, "roles.prefill.args.enable_iter_perf_stats"), nullptr);
    EXPECT_EQ(syntax::at(plain, "roles.agg.args.return_perf_metrics"), nullptr);
    const auto served = withExpansions(
        passed(Marked("schema: 2\nengine: trtllm\nfrontend: {type: trtllm_serve}\nroles: {agg: {args: {return_perf_metrics: false}}}\n"))
            .gated.document);
    EXPECT_FALSE(syntax::at(served, "roles.agg.args.return_perf_metrics")->boolean) << "what is written stays";
}

// --- the job -----------------------------------------------------------------------------------------------------------------------------

Job jobOf(const std::string& yaml)
{
    const Passed read = passed(Marked(yaml));
    EXPECT_THAT(read.gated.diagnostics, IsEmpty());
    Reader reader(schema::builtInPack("v2"));
    const Reader::Outcome outcome = reader.read(read.gated.document);
    for (const Diagnostic& problem : outcome.diagnostics)
        EXPECT_NE(problem.severity, syntax::Severity::Error) << problem.message;
    return lowerSecond(outcome.config);
}

TEST(LowerSecond, GivesTheSameFactsAsSchema1)
{
    const Job job =
        jobOf(frame + "engine: {type: vllm, connector: null, set_visible_devices: true}\n"
                      "roles:\n  prefill: {nodes: 1, workers: 2, gpus: 2, env: {A: '1'}, args: {x: 1}, kv_events: true}\n"
                      "  decode: {nodes: colocate, workers: 1, gpus: 4}\n"
                      "frontend: {type: dynamo, placement: {node: dedicated}}\nbenchmark: {placement: {node: last_decode}}\n"
                      "dynamo: {source: {rev: abc123, patches: ['a = b']}}\n"
                      "services: [{name: etcd, type: etcd, placement: {node: dedicated}}, {name: p, command: [x], nodes: 3}]\n");
    EXPECT_EQ(job.schema, 2);
    EXPECT_EQ(job.resources.prefillNodes, 1);
    EXPECT_EQ(job.resources.decodeNodes, 0) << "colocated";
    EXPECT_EQ(job.resources.gpusPerPrefill, 2);
    EXPECT_TRUE(job.resources.isDisaggregated());
    EXPECT_EQ(job.backend.type, "vllm");
    EXPECT_THAT(job.backend.prefill.environment, ElementsAre(testing::Pair("A", "1")));
    EXPECT_EQ(job.backend.prefill.flags->find("x")->integer, 1);
    EXPECT_EQ(job.backend.decode.flags, nullptr);
    EXPECT_TRUE(syntax::at(job.config, "backend.set_cuda_visible_devices")->boolean);
    EXPECT_TRUE(syntax::at(job.config, "backend.kv_events_config.prefill")->boolean);
    EXPECT_TRUE(job.frontend.dedicatedNode);
    EXPECT_EQ(job.frontend.orchestratorPlacement, "head");
    EXPECT_EQ(job.benchmark.clientPlacement, "last_decode");
    EXPECT_TRUE(job.etcdNatsDedicatedNode);
    EXPECT_EQ(syntax::at(job.config, "dynamo.hash")->text, "abc123");
    EXPECT_EQ(job.poolNodes, 3);
    EXPECT_EQ(job.services.size(), 2U);
    EXPECT_NE(syntax::at(job.written, "roles.decode.nodes"), nullptr);
}

TEST(LowerSecond, KnowsADeclaredRoleWithoutNodes)
{
    EXPECT_TRUE(jobOf(frame + "roles: {prefill: {}, decode: {}}\n").resources.isDisaggregated());
    EXPECT_FALSE(jobOf(frame + "roles: {agg: {nodes: 1, workers: 1}}\n").resources.isDisaggregated());
}

TEST(LowerSecond, TellsTheRouterFromTheSingleServer)
{
    EXPECT_EQ(jobOf(frame + "frontend: {type: sglang-router}\n").frontend.type, "sglang") << "the word of schema 1";
    EXPECT_EQ(jobOf(frame + "frontend: {type: sglang}\n").frontend.type, "sglang-server");
    EXPECT_EQ(jobOf(frame + "frontend: {type: vllm-router}\n").frontend.type, "vllm-router");
}

TEST(LowerSecond, TakesTheStoreFromItsService)
{
    const Job job =
        jobOf(frame + "services: [{name: m, type: mooncake-master, container: mc, args: [--x], options: {store_config: {a: 1}}}]\n");
    EXPECT_EQ(syntax::at(job.config, "backend.mooncake_kv_store.container")->text, "mc");
    EXPECT_EQ(syntax::at(job.config, "backend.mooncake_kv_store.master_extra_args")->items.size(), 1U);
    EXPECT_EQ(syntax::at(job.config, "backend.mooncake_kv_store.store_config.a")->integer, 1);
    const Job off = jobOf(frame + "services: [{name: m, type: mooncake-master, enabled: false}]\n");
    EXPECT_TRUE(syntax::at(off.config, "backend.mooncake_kv_store")->isNull());
}

TEST(LowerSecond, TakesTheServingEngineWhereEachRoleHasItsOwn)
{
    const Job job = jobOf(frame + "roles:\n  prefill: {nodes: 1, workers: 1, engine: vllm, args: {a: 1}}\n  decode: {nodes: 1, workers: 1, "
                                  "engine: tilert, args: {b: 1}}\n");
    EXPECT_EQ(job.backend.type, "tilert");
    EXPECT_EQ(job.backend.prefill.flags, nullptr) << "flags of another engine";
    EXPECT_NE(job.backend.decode.flags, nullptr);
}

TEST(NotRendered, TellsWhatTheArtifactsLackAtItsPlace)
{
    std::vector<std::string> paths;
    for (const Diagnostic& problem : notRendered(jobOf(
             frame + "engine: vllm\nfrontend: {type: vllm-router}\n"
                     "roles: {agg: {nodes: 1, workers: 1, restart: always, srun_options: {mem: 1G}}}\n"
                     "services: [{name: s, command: [x]}, {name: etcd, type: etcd}, {name: none, command: [x], enabled: false}]\n"))) {
        EXPECT_EQ(problem.code, Code::NotRendered);
        EXPECT_EQ(problem.severity, syntax::Severity::Info);
        EXPECT_FALSE(problem.range.isEmpty()) << problem.message;
        paths.push_back(problem.path);
    }
    EXPECT_THAT(paths, ElementsAre("services[0]", "frontend.type", "roles.agg.srun_options", "roles.agg.restart"));
    EXPECT_THAT(notRendered(jobOf(frame + "roles: {agg: {nodes: 1, workers: 1}}\n")), IsEmpty());
}

// --- rules -------------------------------------------------------------------------------------------------------------------------------

TEST(RulesOfSecond, HaveIdsOfTheirOwnAndASentence)
{
    std::set<std::string_view> ids;
    for (const Rule& rule : rules())
        EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
    for (const Rule& rule : rulesOfSecond()) {
        EXPECT_EQ(rule.packs, Packs::Second) << rule.id;
        EXPECT_THAT(std::string(rule.doc), testing::EndsWith(".")) << rule.id;
    }
}

std::vector<std::string> found(const std::string& yaml)
{
    std::vector<std::string> out;
    for (const Diagnostic& problem : checkRules(jobOf(yaml))) {
        if (problem.severity == syntax::Severity::Error)
            out.push_back(problem.rule);
    }
    return out;
}

TEST(RulesOfSecond, OfSchema1DoNotSpeakOfSchema1Keys)
{
    const std::vector<Diagnostic> problems = checkRules(jobOf(frame + "benchmark: {type: sa-bench}\n"));
    ASSERT_THAT(problems, testing::Not(IsEmpty()));
    for (const Diagnostic& problem : problems) {
        EXPECT_EQ(saidInSecond(problem.message), problem.message);
        EXPECT_EQ(inSecond(problem.path), problem.path);
    }
}

/// A recipe behind `frame`, and the rule that its errors are of; empty: it has none.
std::vector<std::pair<std::string, std::string>> brokenRecipes()
{
    const std::string disagg = "roles: {prefill: {nodes: 1, workers: 1}, decode: {nodes: 1, workers: 1}}\n";
    const std::string agg = "roles: {agg: {nodes: 1, workers: 1}}\n";
    return {
        {agg, ""},
        {disagg, ""},
        {"", "role-workers"},
        {"roles: {prefill: {nodes: 1, workers: 1}, decode: {nodes: 1, workers: 1}, agg: {nodes: 1, workers: 1}}\n", "role-mix"},
        {"roles: {agg: {nodes: 1, workers: 1, extra_args: [a]}}\n", "role-keys"},
        {"engine: trtllm\nroles: {agg: {nodes: 1, workers: 1, restart: sometimes}}\n", "role-keys"},
        {"engine: {type: trtllm, numa_memory_bind: near}\n" + agg, "engine-words"},
        {"roles: {prefill: {nodes: 1, workers: 1}, decode: {nodes: colocate, workers: 1, gpus: 1}}\n", "role-colocation"},
        {"engine: {type: vllm, failover: {shared_dir: tmp}}\ndynamo: {install: false}\n" + agg, "failover"},
        {"dynamo: {source: {}}\n" + agg, "dynamo-source"},
        {"dynamo: {source: {git: 'https://x'}}\n" + agg, "dynamo-source"},
        {"dynamo: {top_of_tree: true, source: {pypi: '1.0'}}\n" + agg, "dynamo-source"},
        {"dynamo: {source: {wheel: a/b.whl}}\n" + agg, "dynamo-source"},
        {"benchmark: {type: gsm8k, isl: 1}\n" + agg, "benchmark-keys"},
        {"benchmark: {type: manual, use_chat_template: true, env: {}}\n" + agg, ""},
        {"reporting: {publishers: [{name: a, command: [x]}, {name: a, command: [x]}]}\n" + agg, "publishers"},
        {"services: [{name: s, command: [x], placement: {pool: nobody}}]\n" + agg, "service-pools"},
        {"services: [{name: s, command: [x], nodes: 1}, {name: t, command: [x], placement: {pool: s}}]\n" + agg, ""},
        {"services: [{name: s, command: ['']}]\n" + agg, "service-commands"},
        {"services: [{name: s, command: [x], external: 'a:1'}]\n" + agg, "service-life"},
        {"services: [{name: s, command: [x], options: {port: 1}}]\n" + agg, "service-options"},
        {"services: [{name: s, command: [x], metrics: [{port: 1}, {port: 2}]}]\n" + agg, "service-options"},
        {"services: [{name: s, command: [x], readiness: {}}]\n" + agg, "service-readiness"},
        {"services: [{name: s, command: [x], source: {git: u, rev: v1}, build_command: make}]\n" + agg, ""},
        {"telemetry: {enabled: true, cpu_power: {enabled: true, storage_subdir: power}}\n" + agg, "power-telemetry"},
        {"telemetry: {enabled: true, storage_subdir: tachometer, cpu_power: {enabled: true}}\n" + agg, "tachometer-exporters"},
        {"observability: {tachometer: {dcgm_exporter: {container_image: '', port: 1}}}\n" + agg, "tachometer-exporters"},
        {"observability: {tachometer: {enabled: false, dcgm_exporter: {container_image: '', port: 1}}}\n" + agg, ""},
        {"observability: {nsys: {nvtx_injection_path: lib.so}}\n" + agg, "automatic-profiles"},
        {"health_check: {extra_fatal_log_patterns: ['(?i)oom', '[]x]', 'a{2}']}\n" + agg, ""},
        {"health_check: {extra_fatal_log_patterns: ['*x']}\n" + agg, "log-patterns"},
        {"frontend: {type: tilert-router, enable_multiple_frontends: false}\n" + disagg, "tilert-router"},
    };
}

TEST(RulesOfSecond, SayWhichRuleIsBroken)
{
    for (const auto& [yaml, rule] : brokenRecipes()) {
        const std::vector<std::string> broken = found(frame + yaml);
        if (rule.empty()) {
            EXPECT_THAT(broken, IsEmpty()) << yaml;
        } else {
            EXPECT_THAT(broken, testing::Each(rule)) << yaml;
            EXPECT_THAT(broken, testing::Not(IsEmpty())) << yaml;
        }
    }
}

TEST(RulesOfSecond, TellThatMetricsAreSwitchedOff)
{
    const auto told = [](const std::string& rest) {
        std::vector<std::string> out;
        for (const Diagnostic& problem : checkRules(jobOf(frame + rest))) {
            if (problem.rule == "trtllm-perf-metrics")
                out.push_back(problem.path + " " + std::string(syntax::name(problem.severity)));
        }
        return out;
    };
    const std::string off = "engine: trtllm\nroles: {agg: {nodes: 1, workers: 1, args: {return_perf_metrics: false}}}\n";
    EXPECT_THAT(told(off + "frontend: {type: trtllm_serve}\n"), ElementsAre("roles.agg.args.return_perf_metrics warning"));
    EXPECT_THAT(told(off + "frontend: {type: trtllm_serve}\nobservability: {enabled: true}\n"), IsEmpty());
    EXPECT_THAT(told(off), IsEmpty());
}

TEST(RulesOfSecond, CountWithFiguresBeyondAllNumbers)
{
    // Products of these are beyond 64 bits; no figure that was cut may be told.
    const std::vector<std::string> texts = {
        "engine: vllm\nfrontend: {type: vllm-router}\nroles: {agg: {nodes: 1, workers: 1, args: {data-parallel-size: 2, "
        "tensor-parallel-size: 4611686018427387904, pipeline-parallel-size: 4}}}\n",
        "engine: vllm\nfrontend: {type: vllm-router}\nroles: {agg: {nodes: 1, workers: 1, args: {data-parallel-size: "
        "9223372036854775807, tensor-parallel-size: 9223372036854775807}}}\n"};
    for (const std::string& text : texts) {
        for (const Diagnostic& problem : checkRules(jobOf(frame + text)))
            EXPECT_THAT(problem.message, testing::Not(HasSubstr("The parallel sizes"))) << text << problem.message;
    }
}

/// Recipes that break a rule, and perhaps others with it: a whole text, and the rule.
std::vector<std::pair<std::string, std::string>> recipesBrokenAmongOthers()
{
    const std::string agg = "roles: {agg: {nodes: 1, workers: 1}}\n";
    const std::string disagg = "roles: {prefill: {nodes: 1, workers: 1}, decode: {nodes: 1, workers: 1}}\n";
    const std::string het = base::replacedAll(frame, "gpus_per_node: 8", "gpus_per_node: 8, het_jobs: true");
    return {
        {frame + "roles: {prefill: {nodes: 1, workers: 1}, decode: {nodes: spread, workers: 1}}\n", "role-counts"},
        {frame + "engine: vllm\nroles: {agg: {nodes: 1, workers: 1, engine: vllm}}\n", "role-engines"},
        {frame + "dynamo: {sidecar: true}\nfrontend: {type: sglang-router}\n" + agg, "sidecars"},
        {frame + "engine: vllm\nroles: {agg: {nodes: 1, workers: 1, args: {data-parallel-size: none}}}\n", "vllm-ranks"},
        {frame + "job_scoped_ports: true\n" + agg, "job-scoped-ports"},
        {frame + "frontend: {type: sglang-router, worker_selection: {a: 1}}\n" + agg, "worker-selection"},
        {frame + "profiling: {type: torch, decode: {start_step: 1, stop_step: 2}}\n" + agg, "profiling-roles"},
        {frame + "services: [{name: m, type: mooncake-master}]\n" + disagg, "mooncake-store"},
        {het + agg, "het-roles"},
        {frame + "engine: vllm\nfrontend: {type: sglang-router}\n" + agg, "frontend-engine"},
        {frame + "frontend: {type: sglang, enable_multiple_frontends: true}\n" + agg, "frontend-single"},
        {frame + "engine: {type: vllm, connector: moriio}\n" + disagg, "discovery-connector"},
        {frame + "engine: vllm\nfrontend: {type: vllm-router}\n"
                 "roles: {agg: {nodes: 1, workers: 1, args: {data-parallel-size: 2, tensor-parallel-size: 2}}}\n",
         "vllm-router-ranks"},
        {frame + "frontend: {type: none}\n" + agg, "frontend-none"},
        {frame + "host_setup: {commands: ['']}\n" + agg, "host-setup"},
        {frame + "post_eval: {passthrough_env: ['1X']}\n" + agg, "post-eval"},
        {frame + "services: [{name: s, command: [x]}, {name: s, command: [x]}]\n" + agg, "service-names"},
        {frame + "services: [{name: s, type: etcd, placement: {node: decode}}]\n" + agg, "service-placement"},
        {frame + "services: [{name: s, command: [x], source: {git: u, rev: main}}]\n" + agg, "service-source"},
        {frame + "services: [{name: s, type: mooncake-store}]\n" + agg, "service-needs"},
        {frame + "engine: trtllm\nfrontend: {type: trtllm_serve}\n"
                 "roles: {agg: {nodes: 1, workers: 1, args: {return_perf_metrics: false}}}\n",
         "trtllm-perf-metrics"},
    };
}

TEST(RulesOfSecond, SayWhichRuleIsBrokenAmongOthers)
{
    for (const auto& [yaml, rule] : recipesBrokenAmongOthers()) {
        std::vector<std::string> broken;
        for (const Diagnostic& problem : checkRules(jobOf(yaml)))
            broken.push_back(problem.rule);
        EXPECT_THAT(broken, testing::Contains(rule)) << yaml;
    }
}

TEST(RulesOfSecond, AreAllTried)
{
    std::set<std::string_view> tried;
    const auto broken = brokenRecipes();
    const auto others = recipesBrokenAmongOthers();
    for (const auto& table : {&broken, &others}) {
        for (const auto& row : *table)
            tried.insert(row.second);
    }
    for (const Rule& rule : rulesOfSecond())
        EXPECT_TRUE(tried.contains(rule.id)) << rule.id << " has no case";
}

TEST(RulesOfSecond, OfferTheRouterWhereTheWordOfSchema1WasMeant)
{
    const std::string yaml = frame + "frontend: {type: sglang, enable_multiple_frontends: true}\nroles: {agg: {nodes: 1, workers: 2}}\n";
    std::vector<syntax::TextEdit> edits;
    for (const Diagnostic& problem : checkRules(jobOf(yaml))) {
        if (problem.rule != "frontend-single")
            continue;
        ASSERT_EQ(problem.fixes.size(), 1U) << problem.message;
        edits.insert(edits.end(), problem.fixes.front().edits.begin(), problem.fixes.front().edits.end());
    }
    EXPECT_EQ(syntax::applyEdits(yaml, edits),
              frame + "frontend: {type: sglang-router, enable_multiple_frontends: false}\nroles: {agg: {nodes: 1, workers: 2}}\n");
}

TEST(RulesOfSecond, StandAtTheKeyThatIsThereWhenADefaultIsAtFault)
{
    const std::string yaml =
        frame + "engine: {type: vllm, connector: moriio}\nroles: {prefill: {nodes: 1, workers: 1}, decode: {nodes: 1, workers: 1}}\n";
    const auto problems = checkRules(jobOf(yaml));
    ASSERT_THAT(problems, testing::Not(IsEmpty()));
    EXPECT_EQ(problems.front().rule, "discovery-connector");
    EXPECT_EQ(yaml.substr(problems.front().range.begin, problems.front().range.end - problems.front().range.begin), "moriio");
}

} // namespace
} // namespace wb::recipe
