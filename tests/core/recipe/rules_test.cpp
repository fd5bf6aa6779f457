// Each row of the rules: a recipe that breaks it, with the place and the note, and one that keeps it.
#include "core/recipe/defaults.h"
#include "core/recipe/formattext.h"
#include "core/recipe/lower.h"
#include "core/recipe/reader.h"
#include "core/recipe/rules.h"
#include "core/syntax/yaml.h"
#include "tests/support/marked.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

namespace wb::recipe {
namespace {

using syntax::Diagnostic;
using syntax::Severity;
using test::Marked;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr Severity error = Severity::Error;
constexpr Severity warning = Severity::Warning;

const std::string job = "name: n\nmodel: {path: /m, container: /c.sqsh, precision: fp8}\n";
const std::string agg = job + "resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n";
const std::string disagg = job + "resources:\n  gpu_type: h100\n  gpus_per_node: 8\n  prefill_nodes: 1\n  prefill_workers: 1\n"
                                 "  decode_nodes: 1\n  decode_workers: 1\n";
const std::string saBench = "  isl: 1024\n  osl: 1024\n";
const std::string telemetry = "telemetry:\n  enabled: true\n  dcgm_exporter: {container_image: img, port: 9400}\n";
const std::string measured = "benchmark: {type: sa-bench, isl: 1, osl: 1, concurrencies: [4, 8]}\n";

/// No note is expected.
constexpr int none = -1;

struct Case {
    std::string rule;
    Severity severity;
    std::string bad; ///< Marked.
    std::string good;
    int note = none; ///< Index of the mark at which a note stands.
    int place = 0;   ///< Index of the mark at which the finding stands.
};

void PrintTo(const Case& c, std::ostream* out)
{
    *out << c.rule;
}

struct Found {
    std::vector<Diagnostic> shape;
    std::vector<Diagnostic> rules;
};

Found found(const std::shared_ptr<const syntax::SourceText>& source)
{
    const syntax::Parsed parsed = syntax::parse(source);
    EXPECT_TRUE(parsed.complete) << source->text();
    Reader reader(schema::builtInPack("v1"));
    Reader::Outcome read = reader.read(withObservability(parsed.root));
    return {std::move(read.diagnostics), checkRules(lower(withDerived(read.config)), {})};
}

std::string shown(const std::vector<Diagnostic>& problems)
{
    std::string out;
    for (const Diagnostic& problem : problems)
        out += "\n  " + std::string(syntax::id(problem)) + " " + problem.path + ": " + problem.message;
    return out;
}

std::vector<Case> cases()
{
    const std::string trt = "backend: {type: trtllm}\n";
    const std::string vllmDp = "backend:\n  type: vllm\n  vllm_config:\n    aggregated:\n";
    return {
        // texts
        {"job-name", warning, "name: [['a; rm']]\n" + agg.substr(8), agg},
        {"directive-names", error, agg + "sbatch_directives:\n  [[\"--mem\"]]: \"0\"\n", agg + "sbatch_directives: {mem: \"0\"}\n"},
        {"directive-names", error, agg + "srun_options:\n  [[cpu-bind verbose]]: none\n",
         agg + "srun_options: {cpu-bind: 'verbose,none'}\n"},
        {"directive-values", warning, agg + "sbatch_directives:\n  comment: [[two words]]\n",
         agg + "sbatch_directives: {comment: '\"two words\"'}\n"},
        {"directive-values", error, agg + "sbatch_directives:\n  comment: [[\"a\\nrm\"]]\n", agg},
        {"directive-values", error, agg + "slurm: {account: [[\"a\\n#SBATCH --uid=0\"]]}\n", agg + "slurm: {account: a}\n"},
        {"directive-values", error, agg + "slurm: {partition: [[\"a\\rb\"]]}\n", agg + "slurm: {partition: a}\n"},
        {"directive-values", error, agg + "slurm: {time_limit: [[\"1:00:00\\0\"]]}\n", agg + "slurm: {time_limit: '1:00:00'}\n"},
        {"directive-values", warning, agg + "slurm: {account: [[a --uid=0]]}\n", agg + "slurm: {account: a}\n"},
        {"directive-values", error, agg + "srun_options: {mpi: [[\"pmix\\nx\"]]}\n", agg + "srun_options: {mpi: pmix}\n"},
        {"directive-names", error, agg + "srun_options: {[[\"mpi\\nx\"]]: pmix}\n", agg + "srun_options: {mpi: pmix}\n"},
        {"directive-names", error, agg + "sbatch_directives: {[[\"mem\\n#SBATCH --uid\"]]: '0'}\n", agg},
        {"job-name", error, "name: [[\"a\\0b\"]]\n" + agg.substr(8), agg},
        {"environment-names", error, agg + "environment: {A: [[\"b\\0c\"]]}\n", agg + "environment: {A: \"b\\nc\"}\n"},
        {"directive-own", warning, agg + "sbatch_directives:\n  [[nodes]]: \"3\"\n", agg + "sbatch_directives: {qos: high}\n"},
        {"environment-names", error, agg + "environment:\n  [[MY-VAR]]: x\n", agg + "environment: {MY_VAR2: x}\n"},
        {"environment-names", error, agg + "frontend:\n  env:\n    [[2X]]: x\n", agg + "frontend: {env: {X2: x}}\n"},
        {"environment-templates", error, agg + "environment:\n  X: [['{\"a\": 1}']]\n", agg + "environment: {X: 'on-{node}-{other}'}\n"},
        {"environment-templates", error, agg + "backend:\n  aggregated_environment:\n    X: [['a{}']]\n", agg},
        {"environment-templates", error, agg + "environment:\n  X: [['a}']]\n", agg},
        {"environment-templates", warning, agg + "environment:\n  X: [['{{a}}']]\n", agg},
        {"environment-templates", warning, agg + "environment:\n  X: [['{a:8}']]\n", agg},
        {"environment-templates", warning, agg + trt + "environment:\n  X: [['h-{node}']]\n",
         agg + trt + "environment: {X: '{\"a\": 1}'}\n"},
        {"environment-templates", warning, agg + "frontend:\n  env:\n    X: [['{node_id}']]\n", agg + "frontend: {env: {X: '{}'}}\n"},
        {"mount-templates", error, agg + "container_mounts:\n  [['/a/{jobid}']]: /b\n", agg + "container_mounts: {'/a/{job_id}': '/b'}\n"},
        {"mount-templates", error, agg + "container_mounts:\n  /a: [['/b/{port}']]\n", agg},
        {"mount-templates", error, agg + "container_mounts:\n  [['${HOME}/x']]: /b\n", agg + "container_mounts: {$HOME/x: /b}\n"},
        {"mount-paths", error, agg + "container_mounts:\n  [['/a:/c']]: /b\n", agg + "container_mounts: {/a: '/b:ro'}\n"},
        {"mount-paths", error, agg + "container_mounts:\n  /a: [['/b,c']]\n", agg},
        {"extra-mount", error, agg + "extra_mount:\n- /a:/b\n- [[/data]]\n", agg + "extra_mount: ['/a:/b', '$X:/c:ro']\n"},
        {"extra-mount", error, agg + "extra_mount:\n- [['/a:']]\n", agg},
        {"command-templates", warning, agg + "benchmark:\n  type: custom\n  command: [['curl {nginx_url}']]\n",
         agg + "benchmark: {type: custom, command: 'curl ${host} {a,b}'}\n"},
        // names
        {"model-name", warning, "name: n\nmodel: {path: [['/a ']], container: /c, precision: fp8}\n" + agg.substr(job.size()), agg},
        {"model-name", warning, "name: n\nmodel: {path: [[$NOT_SET/m]], container: /c, precision: fp8}\n" + agg.substr(job.size()), agg},
        {"model-name", warning, "name: n\nmodel: {path: [[./m]], container: /c, precision: fp8}\n" + agg.substr(job.size()), agg},
        {"model-name", error, "name: n\nmodel: {path: [['hf:']], container: /c, precision: fp8}\n" + agg.substr(job.size()), agg},
        {"image-names", warning, "name: n\nmodel: {path: /m, container: [[' img']], precision: fp8}\n" + agg.substr(job.size()),
         "name: n\nmodel: {path: /m, container: 'a/b:v1', precision: fp8}\n" + agg.substr(job.size())},
        {"image-names", warning, agg + "benchmark:\n  type: custom\n  command: x\n  container_image: [[$OTHER/x]]\n", agg},
        {"model-cache", warning,
         "name: n\nmodel: {path: [['hf:a/b']], container: /c, precision: fp8}\n" + agg.substr(job.size()) +
             "environment:\n  HF_HOME: [[/cache]]\n",
         "name: n\nmodel: {path: 'hf:a/b', container: /c, precision: fp8}\n" + agg.substr(job.size()) +
             "environment: {HF_HOME: /cache}\nbackend: {aggregated_environment: {HF_HOME: /cache}}\n",
         0, 1},
        {"stage-dir", warning,
         "name: n\nmodel: {path: /m, container: /c, precision: fp8, stage_dir: [[/tmp]]}\n" + agg.substr(job.size()) +
             "backend: {type: [[vllm]]}\n",
         "name: n\nmodel: {path: /m, container: /c, precision: fp8, stage_dir: /tmp}\n" + agg.substr(job.size()) + trt, 1},
        // topology
        {"topology", error, job + "[[resources]]: {gpu_type: h100}\n", agg},
        {"topology-mixed", error, disagg + "  agg_workers: [[1]]\n", disagg},
        {"topology-nodes", warning, job + "[[resources]]:\n  gpu_type: h100\n  agg_workers: [[1]]\n", agg, 1},
        {"het-jobs-layout", error, job + "resources:\n  gpu_type: h100\n  agg_nodes: [[1]]\n  agg_workers: 1\n  het_jobs: [[true]]\n",
         disagg + "  het_jobs: true\n", 0, 1},
        {"het-jobs-nodes", error,
         job + "resources:\n  gpu_type: h100\n  prefill_nodes: 1\n  prefill_workers: 1\n  decode_nodes: [[0]]\n"
               "  decode_workers: 1\n  het_jobs: [[true]]\n",
         disagg + "  het_jobs: true\n", 1},
        {"het-jobs-engine", error, disagg + "  het_jobs: [[true]]\nbackend: {type: [[vllm]]}\n", disagg + "backend: {type: vllm}\n", 1},
        {"het-jobs-dedicated", error, disagg + "  het_jobs: [[true]]\nfrontend:\n  dedicated_node: [[true]]\n",
         disagg + "frontend: {dedicated_node: true, enable_multiple_frontends: false}\n", 1},
        {"het-jobs-dedicated", error, disagg + "  het_jobs: [[true]]\nbenchmark:\n  client_dedicated_node: [[true]]\n", disagg, 1},
        {"spread-workers", warning, disagg + "  spread_workers: [[true]]\n  het_jobs: [[true]]\n", disagg + "  spread_workers: true\n", 1},
        {"colocation", warning,
         disagg + "backend:\n  type: vllm\n  allow_prefill_decode_colocation: [[false]]\n"
                  "  allow_prefill_decode_colocation_across_nodes: [[true]]\n",
         disagg + "backend: {type: vllm, allow_prefill_decode_colocation: true, allow_prefill_decode_colocation_across_nodes: true}\n", 0,
         1},
        // dynamo
        {"dynamo-sources", error, agg + "dynamo:\n  hash: [[abcdef0]]\n  wheel: [['0.8.1']]\n", agg + "dynamo: {hash: abcdef0}\n", 0, 1},
        {"dynamo-wheel", error, agg + "dynamo:\n  wheel: [['a.whl']]\n", agg + "dynamo: {wheel: '0.8.1'}\n"},
        {"dynamo-wheel", error, agg + "dynamo:\n  wheel: [[' ']]\n", agg},
        {"dynamo-patches", error, agg + "dynamo:\n  version: [['0.8.1']]\n  [[cargo_patches]]: ['a = 1']\n",
         agg + "dynamo: {hash: abcdef0, cargo_patches: ['a = 1']}\n", 0, 1},
        {"dynamo-hash", warning, agg + "dynamo:\n  hash: [['']]\n", agg + "dynamo: {hash: null}\n"},
        {"dynamo-version", warning, agg + "dynamo:\n  [[version]]: '0.8.1'\n  hash: [[abcdef0]]\n",
         agg + "dynamo: {version: null, hash: abcdef0}\n", 1},
        {"dynamo-version", warning, agg + "dynamo:\n  version: [[null]]\n", agg + "dynamo: {version: null, top_of_tree: true}\n"},
        {"dynamo-installed", warning, agg + "dynamo:\n  install: [[false]]\n  hash: [[abcdef0]]\n", agg + "dynamo: {install: false}\n", 0,
         1},
        {"dynamo-installed", warning, agg + "frontend:\n  type: [[sglang]]\ndynamo:\n  hash: [[abcdef0]]\n", agg, 0, 1},
        // frontends
        {"frontend-pair", error,
         agg + "frontend:\n  type: [[trtllm_serve]]\n  enable_multiple_frontends: false\nbackend:\n  type: [[sglang]]\n",
         agg + "frontend: {type: trtllm_serve, enable_multiple_frontends: false}\n" + trt, 1},
        {"frontend-pair", error, agg + "frontend:\n  type: [[vllm]]\n  enable_multiple_frontends: false\n",
         agg + "frontend: {type: vllm, enable_multiple_frontends: false}\nbackend: {type: vllm}\n"},
        {"frontend-pair", error, agg + "frontend:\n  type: [[sglang]]\nbackend:\n  type: [[vllm]]\n", agg + "frontend: {type: sglang}\n",
         1},
        {"frontend-multiple", error, agg + trt + "frontend:\n  type: [[trtllm_serve]]\n", agg},
        {"frontend-multiple", error, agg + "backend: {type: vllm}\nfrontend:\n  type: [[vllm]]\n  enable_multiple_frontends: [[true]]\n",
         agg, 0, 1},
        {"frontend-layout", error,
         job + "resources:\n  gpu_type: h100\n  prefill_nodes: [[1]]\n  prefill_workers: 1\n  decode_nodes: 1\n"
               "  decode_workers: 1\nbackend: {type: vllm}\n"
               "frontend:\n  type: [[vllm]]\n  enable_multiple_frontends: false\n",
         agg, 0, 1},
        {"frontend-workers", error,
         job + "resources:\n  gpu_type: h100\n  agg_nodes: 1\n  agg_workers: [[2]]\n" + trt +
             "frontend:\n  type: [[trtllm_serve]]\n  enable_multiple_frontends: false\n",
         agg + trt + "frontend: {type: trtllm_serve, enable_multiple_frontends: false}\n", 1},
        {"mocker-frontend", error, agg + "backend:\n  type: [[mocker]]\nfrontend:\n  type: [[sglang]]\n", agg + "backend: {type: mocker}\n",
         0, 1},
        {"orchestrator-dedicated", error,
         disagg + "frontend:\n  orchestrator_placement: [[first_decode]]\n  dedicated_node: [[true]]\n  enable_multiple_frontends: false\n",
         disagg + "frontend: {dedicated_node: true, enable_multiple_frontends: false}\n", 1},
        {"frontend-dedicated", warning, disagg + "frontend:\n  dedicated_node: [[true]]\n  enable_multiple_frontends: [[true]]\n",
         disagg + "frontend: {dedicated_node: true, enable_multiple_frontends: false}\n", 1},
        {"client-dedicated", error, disagg + "benchmark:\n  client_placement: [[last_decode]]\n  client_dedicated_node: [[true]]\n",
         disagg + "benchmark: {client_dedicated_node: true}\n", 1},
        {"placement-decode", error,
         job + "resources:\n  gpu_type: h100\n  agg_nodes: 1\n  agg_workers: [[1]]\n"
               "benchmark:\n  client_placement: [[first_decode]]\n",
         disagg + "benchmark: {client_placement: first_decode}\n", 0, 1},
        {"placement-decode", error, agg + "frontend:\n  orchestrator_placement: [[last_decode]]\n", agg},
        {"placement-several", error,
         disagg + "frontend:\n  orchestrator_placement: [[first_decode]]\n  enable_multiple_frontends: [[true]]\n",
         disagg + "frontend: {orchestrator_placement: first_decode, enable_multiple_frontends: false}\n", 1},
        {"client-address", warning,
         disagg + "benchmark:\n  type: [[sa-bench]]\n  isl: 1\n  osl: 1\n  concurrencies: [4]\n  client_placement: [[first_decode]]\n",
         disagg + "benchmark: {type: custom, command: x, client_placement: first_decode}\n", 0, 1},
        // benchmarks
        {"concurrencies", error, agg + "benchmark:\n  type: sa-bench\n  concurrencies: [[\"4 8\"]]\n" + saBench,
         agg + "benchmark:\n  type: sa-bench\n  concurrencies: \"4x8\"\n" + saBench},
        {"concurrencies", error, agg + "benchmark:\n  type: sa-bench\n  concurrencies: [[\"0x8\"]]\n" + saBench, agg},
        {"concurrencies", error, agg + "benchmark:\n  type: sa-bench\n  [[concurrencies]]: []\n" + saBench, agg + measured},
        {"concurrencies-repeated", warning, agg + "benchmark:\n  type: sa-bench\n  concurrencies: [4, 8, [[4]]]\n" + saBench,
         agg + measured},
        {"trace-concurrencies", warning, agg + "benchmark:\n  type: [[trace-replay]]\n  trace_file: /t\n  concurrencies: [[\"1x2\"]]\n",
         agg + "benchmark: {type: trace-replay, trace_file: /t, concurrencies: \"1,2\"}\n", 0, 1},
        {"sa-bench-keys", error, agg + "benchmark:\n  type: [[sa-bench]]\n  isl: 1024\n", agg + measured},
        {"sa-bench-keys", error, agg + "benchmark:\n  type: [[sa-bench]]\n  dataset_name: [[custom]]\n  concurrencies: [4]\n",
         agg + "benchmark: {type: sa-bench, dataset_name: custom, dataset_path: /d, concurrencies: [4]}\n", 0, 1},
        {"benchmark-needs", error, agg + "benchmark:\n  type: [[custom]]\n", agg + "benchmark: {type: custom, command: x}\n"},
        {"benchmark-needs", error, agg + "benchmark:\n  type: [[trace-replay]]\n  concurrencies: [4]\n", agg},
        {"benchmark-needs", error, agg + "benchmark:\n  type: sglang-bench\n  concurrencies: [4]\n  isl: [[0]]\n  osl: 1\n",
         agg + "benchmark: {type: sglang-bench, concurrencies: [4], isl: 1, osl: 1}\n"},
        {"request-rate", error, agg + "benchmark:\n  type: sa-bench\n  concurrencies: [4]\n  req_rate: [[fast]]\n" + saBench,
         agg + "benchmark:\n  type: sa-bench\n  concurrencies: [4]\n  req_rate: \"2.5\"\n" + saBench},
        {"request-rate", error, agg + "benchmark:\n  type: sglang-bench\n  concurrencies: [4]\n  req_rate: [[0]]\n" + saBench,
         agg + "benchmark:\n  type: sglang-bench\n  concurrencies: [4]\n  req_rate: inf\n" + saBench},
        {"gsm8k-numbers", error, agg + "benchmark:\n  type: gsm8k\n  num_examples: [[0]]\n",
         agg + "benchmark: {type: gsm8k, num_examples: 5}\n"},
        {"gsm8k-repeat", warning, agg + "backend: {type: [[sglang]]}\nbenchmark:\n  type: gsm8k\n  repeat: [[4]]\n",
         agg + "backend: {type: vllm}\nbenchmark: {type: gsm8k, repeat: 4}\n", 0, 1},
        {"router-frontend", error, agg + "frontend:\n  type: [[dynamo]]\nbenchmark:\n  type: [[router]]\n",
         agg + "frontend: {type: sglang}\nbenchmark: {type: router}\n", 0, 1},
        {"benchmark-sweep", error, agg + "benchmark: {type: manual, sweep: {mode: zip, parameters: {a: [[1]]}}}\n",
         agg + "benchmark: {type: manual, sweep: {mode: zip, parameters: {a: [1]}}}\n"},
        {"benchmark-sweep", error, agg + "benchmark: {type: manual, sweep: {a: [[1]]}}\n",
         agg + "benchmark: {type: manual, sweep: {a: [1]}}\n"},
        {"benchmark-sweep", error, agg + "benchmark: {type: manual, sweep: [[3]]}\n", agg + "benchmark: {type: manual, sweep: {}}\n"},
        {"slow-down", warning, agg + "benchmark:\n  type: sa-bench\n  concurrencies: [4]\n  slow_down_sleep_time: [[5]]\n" + saBench,
         agg +
             "frontend: {type: sglang}\nbenchmark:\n  type: sa-bench\n  concurrencies: [4]\n  slow_down_sleep_time: 5\n"
             "  slow_down_wait_time: 5\n" +
             saBench},
        // profiling
        {"profiling-torch", error,
         agg + "backend:\n  type: [[trtllm]]\nprofiling:\n  type: [[torch]]\n  aggregated: {start_step: 1, stop_step: 2}\n",
         agg + trt + "profiling: {type: nsys, aggregated: {start_step: 1, stop_step: 2}}\n", 0, 1},
        {"profiling-time", error, agg + "profiling:\n  type: [[nsys-time]]\n  delay_secs: [[5]]\n",
         agg + "profiling: {type: nsys-time, delay_secs: 5, duration_secs: 5}\n", 1},
        {"profiling-phases", error,
         agg + measured +
             "profiling:\n  type: torch\n  aggregated: {start_step: 1, stop_step: 2}\n  [[prefill]]: {start_step: 1, stop_step: 2}\n",
         agg + measured + "profiling: {type: torch, aggregated: {start_step: 1, stop_step: 2}}\n"},
        {"profiling-phases", error,
         job + "resources:\n  gpu_type: h100\n  prefill_nodes: [[1]]\n  prefill_workers: 1\n  decode_nodes: 1\n  decode_workers: 1\n" +
             measured + "profiling:\n  type: [[torch]]\n  prefill: {start_step: 1, stop_step: 2}\n",
         disagg + measured + "profiling: {type: torch, prefill: {start_step: 1, stop_step: 2}, decode: {start_step: 1, stop_step: 2}}\n", 0,
         1},
        {"profiling-workers", error,
         job + "resources:\n  gpu_type: h100\n  agg_nodes: 1\n  agg_workers: [[0]]\n" + measured +
             "profiling:\n  type: [[torch]]\n  aggregated: {start_step: 1, stop_step: 2}\n",
         agg, 1},
        {"profiling-flag", error,
         agg + measured +
             "backend:\n  type: vllm\n  vllm_config:\n    aggregated:\n      [[profiler-config]]: x\n"
             "profiling:\n  type: [[nsys]]\n  aggregated: {start_step: 1, stop_step: 2}\n",
         agg + "backend: {type: vllm, vllm_config: {aggregated: {profiler-config: x}}}\n", 1},
        {"profiling-empty", warning, agg + measured + "profiling:\n  type: [[torch]]\n  [[aggregated]]: {}\n",
         agg + measured + "profiling: {type: torch, aggregated: {start_step: 1, stop_step: 2}}\n", 0, 1},
        {"profiling-steps", error,
         agg + measured + "profiling:\n  type: torch\n  aggregated:\n    start_step: [[9]]\n    stop_step: [[2]]\n",
         agg + measured + "profiling: {type: torch, aggregated: {start_step: 1, stop_step: 2}}\n", 0, 1},
        {"profiling-trigger", warning,
         agg + "benchmark:\n  type: [[gpqa]]\nprofiling:\n  type: [[torch]]\n  aggregated: {start_step: 1, stop_step: 2}\n",
         agg + measured + "profiling: {type: torch, aggregated: {start_step: 1, stop_step: 2}}\n", 0, 1},
        {"profiling-trigger", error,
         agg + measured +
             "backend: {type: vllm}\nfrontend: {type: [[vllm]], enable_multiple_frontends: false}\n"
             "profiling:\n  type: [[nsys]]\n  aggregated: {start_step: 1, stop_step: 2}\n",
         agg, 0, 1},
        // telemetry
        {"tachometer-observability", error, agg + "observability:\n  enabled: [[false]]\n  tachometer:\n    enabled: [[true]]\n",
         agg + "observability: {enabled: true, tachometer: {enabled: true}}\n", 0, 1},
        {"tachometer-exporter", error,
         agg + measured +
             "telemetry:\n  enabled: true\n  [[dcgm_exporter]]: {container_image: img, port: 9400}\n"
             "observability:\n  enabled: true\n  tachometer:\n    enabled: true\n    [[dcgm_exporter]]: {container_image: img, port: "
             "9401}\n",
         agg + measured + telemetry + "observability: {enabled: true, tachometer: {enabled: true}}\n", 0, 1},
        {"tachometer-folder", error,
         agg + "observability:\n  enabled: true\n  tachometer:\n    enabled: true\n    storage_subdir: [[../x]]\n",
         agg + "observability: {enabled: true, tachometer: {enabled: true, storage_subdir: ./a}}\n"},
        {"tachometer-folder", error,
         agg + measured + telemetry +
             "  storage_subdir: [[both]]\n"
             "observability:\n  enabled: true\n  tachometer:\n    enabled: true\n    storage_subdir: [[both]]\n",
         agg, 0, 1},
        {"tachometer-binary", error, agg + "observability:\n  enabled: true\n  tachometer:\n    enabled: true\n    binary_path: [['']]\n",
         agg + "observability: {enabled: true, tachometer: {enabled: true, binary_path: x}}\n"},
        {"exporter-image", error, agg + measured + "telemetry:\n  enabled: true\n  dcgm_exporter: {container_image: [['']], port: 9400}\n",
         agg + measured + telemetry},
        {"telemetry-exporter", error, agg + measured + "telemetry:\n  enabled: [[true]]\n", agg + measured + telemetry},
        {"telemetry-period", error, agg + measured + telemetry + "  default_frequency: [[3.5]]\n",
         agg + measured + telemetry + "  default_frequency: 3\n"},
        {"telemetry-join", error,
         agg + measured + telemetry + "  request_timeout_seconds: [[4]]\n  collector_join_timeout_seconds: [[18]]\n",
         agg + measured + telemetry + "  request_timeout_seconds: 4\n  collector_join_timeout_seconds: 18.5\n", 0, 1},
        {"telemetry-folder", error, agg + measured + telemetry + "  storage_subdir: [[/abs]]\n",
         agg + measured + telemetry + "  storage_subdir: ./a\n"},
        {"telemetry-benchmark", error,
         agg + "benchmark: {type: [[gpqa]]}\ntelemetry:\n  enabled: [[true]]\n  dcgm_exporter: {container_image: img, port: 9400}\n",
         agg + measured + telemetry, 0, 1},
        {"telemetry-clock", error,
         disagg + measured +
             "infra:\n  etcd_nats_dedicated_node: [[true]]\ntelemetry:\n  enabled: [[true]]\n"
             "  dcgm_exporter: {container_image: img, port: 9400}\n",
         disagg + measured + telemetry, 0, 1},
        {"telemetry-clock", error,
         disagg + "benchmark: {type: sa-bench, isl: 1, osl: 1, concurrencies: [4], client_dedicated_node: [[true]]}\ntelemetry:\n  "
                  "enabled: [[true]]\n"
                  "  dcgm_exporter: {container_image: img, port: 9400}\n",
         disagg + measured + telemetry, 0, 1},
        {"telemetry-concurrencies", error,
         agg + "benchmark: {type: sa-bench, isl: 1, osl: 1, concurrencies: [[\"4x4\"]]}\ntelemetry:\n  enabled: [[true]]\n"
               "  dcgm_exporter: {container_image: img, port: 9400}\n",
         agg + measured + telemetry, 1},
        {"otel", warning, agg + "observability:\n  enable_otel: [[true]]\n",
         agg + "observability: {enable_otel: true, otel_endpoint: 'http://x'}\n"},
        {"otel", warning, agg + "observability:\n  otel_endpoint: [['http://x']]\n", agg},
        {"scrape-interval", warning, agg + "observability:\n  scrape_interval_seconds: [[0.1]]\n",
         agg + "observability: {scrape_interval_seconds: 0.5}\n"},
        {"observability-quoted", warning, agg + "observability:\n  enabled: [[\"false\"]]\n", agg + "observability: {enabled: false}\n"},
        {"observability-events", warning,
         agg + "observability:\n  enabled: [[true]]\nbackend:\n  type: trtllm\n  publish_events_and_metrics: [[false]]\n",
         agg + trt + "observability: {enabled: true}\n", 0, 1},
        // engines
        {"vllm-headless", error, agg + vllmDp + "      data-parallel-size: [[8]]\n      [[headless]]: false\n",
         agg + vllmDp + "      data-parallel-size: 8\n", 0, 1},
        {"vllm-hybrid", warning, agg + vllmDp + "      data_parallel_size: [[8]]\n      [[data-parallel-hybrid-lb]]: true\n",
         agg + vllmDp + "      data-parallel-hybrid-lb: true\n", 0, 1},
        {"vllm-per-gpu", warning, agg + vllmDp + "      data-parallel-size: [[8]]\n  dp_launch_mode: [[per_gpu]]\n",
         agg + vllmDp + "      tensor-parallel-size: 8\n  dp_launch_mode: per_gpu\n", 0, 1},
        {"vllm-sizes", error, agg + vllmDp + "      data-parallel-size: [[4]]\n      tensor-parallel-size: [[\"2\"]]\n",
         agg + vllmDp + "      tensor-parallel-size: \"8\"\n", 0, 1},
        {"vllm-connector", warning, agg + vllmDp + "      [[kv-transfer-config]]: '{\"kv_connector\": \"X\"}'\n  connector: [[nixl]]\n",
         agg + vllmDp + "      kv-transfer-config: '{\"kv_connector\": \"X\"}'\n  connector: null\n", 1},
        {"mooncake-transfer", error,
         disagg + "backend:\n  type: sglang\n  [[mooncake_kv_store]]: {}\n  [[sglang_config]]:\n    prefill: {tp-size: 8}\n",
         disagg + "backend:\n  type: sglang\n  mooncake_kv_store: {}\n  sglang_config:\n    decode: {disaggregation_transfer_backend: "
                  "mooncake}\n",
         1},
        {"mooncake-transfer", error,
         disagg + "backend:\n  type: vllm\n  connector: null\n  [[mooncake_kv_store]]: {}\n  vllm_config:\n    prefill: "
                  "{[[kv-transfer-config]]: {a: Mooncake}}\n",
         disagg + "backend:\n  type: vllm\n  connector: null\n  mooncake_kv_store: {}\n  vllm_config:\n    prefill: {kv-transfer-config: "
                  "'{\"a\": \"MooncakeX\"}'}\n",
         1},
        {"mooncake-arguments", error,
         agg + "backend:\n  type: sglang\n  mooncake_kv_store:\n    master_extra_args: ['-v', [['--port=1']]]\n",
         agg + "backend: {type: sglang, mooncake_kv_store: {master_extra_args: ['--rpc_thread_num=4']}}\n"},
        {"kv-event-modes", warning, agg + "backend:\n  type: sglang\n  kv_events_config:\n    [[agg]]: true\n",
         agg + "backend: {type: sglang, kv_events_config: {aggregated: true}}\n"},
    };
}

class RuleCase : public testing::TestWithParam<Case>
{
};

TEST_P(RuleCase, IsFoundAtItsPlaceAndNowhereElse)
{
    const Case& c = GetParam();
    const Marked yaml(c.bad);
    const Found broken = found(yaml.source());
    EXPECT_FALSE(syntax::hasErrors(broken.shape)) << yaml.text() << shown(broken.shape);
    const auto isIt = [&](const Diagnostic& d) { return d.rule == c.rule; };
    const auto problem = std::find_if(broken.rules.begin(), broken.rules.end(), isIt);
    ASSERT_NE(problem, broken.rules.end()) << yaml.text() << shown(broken.rules);
    EXPECT_EQ(problem->severity, c.severity) << problem->message;
    EXPECT_EQ(problem->range, yaml.range(static_cast<std::size_t>(c.place)))
        << "stands at \"" << yaml.text().substr(problem->range.begin, problem->range.end - problem->range.begin)
        << "\": " << problem->message;
    EXPECT_THAT(problem->message, testing::EndsWith(problem->message.ends_with("?") ? "?" : ".")) << problem->message;
    if (c.note != none) {
        const syntax::Range wanted = yaml.range(static_cast<std::size_t>(c.note));
        const auto hasNote = [&](const syntax::Note& note) { return note.range == wanted; };
        EXPECT_TRUE(std::any_of(problem->notes.begin(), problem->notes.end(), hasNote)) << problem->message << problem->notes.size();
    }
    const Found kept = found(std::make_shared<syntax::SourceText>(c.good, "recipe.yaml"));
    EXPECT_FALSE(syntax::hasErrors(kept.shape)) << c.good << shown(kept.shape);
    EXPECT_EQ(std::count_if(kept.rules.begin(), kept.rules.end(), isIt), 0) << c.good << shown(kept.rules);
    EXPECT_FALSE(syntax::hasErrors(kept.rules)) << c.good << shown(kept.rules);
}

INSTANTIATE_TEST_SUITE_P(All, RuleCase, testing::ValuesIn(cases()), [](const auto& one) {
    std::string name = one.param.rule + "_" + std::to_string(one.index);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

/// Rows whose tests stand beside the functions they call.
const std::set<std::string> testedElsewhere = {"engine-flags"};

TEST(Rules, HaveIdsOfTheirOwnSayWhatMustHoldAndAreAllTried)
{
    std::set<std::string> tried = testedElsewhere;
    for (const Case& c : cases())
        tried.insert(c.rule);
    std::set<std::string> ids;
    for (const Rule& rule : rules()) {
        EXPECT_TRUE(ids.emplace(rule.id).second) << rule.id;
        EXPECT_TRUE(rule.doc.ends_with('.')) << rule.id;
        EXPECT_TRUE(rule.check) << rule.id;
        const bool isTriedElsewhere = rule.id.starts_with("flag-") || rule.packs == Packs::Second; // in tests of their own
        EXPECT_TRUE(isTriedElsewhere || tried.contains(std::string(rule.id))) << rule.id << " has no case";
    }
    for (const std::string& rule : tried)
        EXPECT_TRUE(ids.contains(rule) || testedElsewhere.contains(rule)) << rule << " is no row";
}

TEST(Rules, PointIntoTheClusterFileWhereItMakesTheDemand)
{
    Cluster cluster;
    const Marked file("use_het_jobs: [[true]]\n");
    cluster.config = syntax::parse(file.source("srtslurm.yaml"), syntax::Source::Cluster).root;
    const syntax::Parsed parsed = syntax::parse(Marked(agg).source());
    Reader reader(schema::builtInPack("v1"));
    const Job built = lower(reader.read(withClusterDefaults(parsed.root, cluster)).config);
    const std::vector<Diagnostic> problems = checkRules(built);
    ASSERT_EQ(problems.size(), 1U) << shown(problems);
    EXPECT_EQ(problems[0].rule, "het-jobs-layout");
    EXPECT_EQ(problems[0].source, syntax::Source::Cluster);
    EXPECT_EQ(problems[0].range, file.range());
    EXPECT_THAT(problems[0].message, HasSubstr("use_het_jobs"));
}

TEST(Rules, TakeAVariableThatIsSetForKnown)
{
    const std::string text = "name: n\nmodel: {path: $MODELS/x, container: /c, precision: fp8}\n" + agg.substr(job.size());
    const syntax::Parsed parsed = syntax::parse(std::make_shared<syntax::SourceText>(text, "recipe.yaml"));
    Reader reader(schema::builtInPack("v1"));
    const Job built = lower(reader.read(parsed.root).config);
    const TextPairs environment = {{"MODELS", "/m"}};
    EXPECT_THAT(checkRules(built, {&environment}), IsEmpty());
    EXPECT_EQ(checkRules(built).size(), 1U);
}

TEST(Rules, OfTheFirstLanguageAreNotAskedInTheSecond)
{
    Job second;
    second.schema = 2;
    second.name = "n";
    second.resources.aggNodes = 1;
    second.backend.type = "sglang";
    second.config = syntax::makeNull(syntax::Layer::Default);
    const std::vector<Diagnostic> problems = checkRules(second);
    ASSERT_FALSE(problems.empty());
    for (const Diagnostic& problem : problems) {
        const auto row = std::find_if(rules().begin(), rules().end(), [&](const Rule& rule) { return rule.id == problem.rule; });
        ASSERT_NE(row, rules().end()) << problem.rule;
        EXPECT_NE(row->packs, Packs::First) << problem.rule << ": " << problem.message;
    }
}

TEST(Rules, OfferFixesThatMendTheText)
{
    const auto fixed = [](const std::string& text, std::string_view rule) {
        const Found all = found(std::make_shared<syntax::SourceText>(text, "recipe.yaml"));
        for (const Diagnostic& problem : all.rules) {
            if (problem.rule == rule && !problem.fixes.empty())
                return syntax::applyEdits(text, problem.fixes[0].edits).substr(text.find("resources"));
        }
        return std::string("no fix");
    };
    const std::string tail = agg.substr(job.size());
    EXPECT_EQ(fixed(agg + "extra_mount: [/data]\n", "extra-mount"), tail + "extra_mount: [\"/data:/data\"]\n");
    EXPECT_EQ(fixed(agg + "sbatch_directives: {--mem: \"0\"}\n", "directive-names"), tail + "sbatch_directives: {mem: \"0\"}\n");
    EXPECT_EQ(fixed(agg + "sbatch_directives: {comment: a b}\n", "directive-values"), tail + "sbatch_directives: {comment: '\"a b\"'}\n");
    EXPECT_EQ(fixed(agg + "benchmark: {type: trace-replay, trace_file: /t, concurrencies: 1x2}\n", "trace-concurrencies"),
              tail + "benchmark: {type: trace-replay, trace_file: /t, concurrencies: [1, 2]}\n");
    EXPECT_EQ(fixed(agg + "backend: {kv_events_config: {agg: true}}\n", "kv-event-modes"),
              tail + "backend: {kv_events_config: {aggregated: true}}\n");
}

TEST(FormatParts, SeesWhatPythonsFormatSees)
{
    using Kind = FormatPart::Kind;
    const auto kinds = [](std::string_view text) {
        std::vector<Kind> out;
        for (const FormatPart& part : formatParts(text))
            out.push_back(part.kind);
        return out;
    };
    using testing::ElementsAre;
    EXPECT_THAT(kinds("plain"), IsEmpty());
    EXPECT_THAT(kinds("{node}-{x}"), ElementsAre(Kind::Name, Kind::Name));
    EXPECT_THAT(kinds("{}{0}"), ElementsAre(Kind::Positional, Kind::Positional));
    EXPECT_THAT(kinds("{{a}}"), ElementsAre(Kind::Doubled, Kind::Doubled));
    EXPECT_THAT(kinds("a}"), ElementsAre(Kind::LoneBrace));
    EXPECT_THAT(kinds("{a"), ElementsAre(Kind::LoneBrace));
    EXPECT_THAT(kinds("{a:8}{a!r}"), ElementsAre(Kind::Narrowed, Kind::Narrowed));
    EXPECT_THAT(kinds("{\"a\": 1}{a.b}{a[0]}"), ElementsAre(Kind::Refused, Kind::Refused, Kind::Refused));
    EXPECT_THAT(kinds("{\"a\": {\"b\": 1}}"), ElementsAre(Kind::Refused));
}

} // namespace
} // namespace wb::recipe
