#include "core/results/sidefiles.h"

#include "core/base/text.h"
#include "core/results/filename.h"
#include "core/results/importers/clientsummary.h"
#include "core/results/importers/rows.h"

#include <algorithm>
#include <array>

namespace wb::results {

using base::json::Value;

namespace {

// ---- by content ------------------------------------------------------------------------------------------------------------------------

/// The first object of a JSON file, or null.
const Value* firstObject(const Input& input)
{
    if (input.json.empty())
        return nullptr;
    const Value& value = input.json.front().value;
    if (value.isObject())
        return &value;
    return !value.array().empty() && value.array().front().isObject() ? &value.array().front() : nullptr;
}

bool isList(const Input& input)
{
    return !input.json.empty() && input.json.front().value.isArray();
}

template <typename Predicate>
bool objectIs(const Input& input, Predicate predicate)
{
    const Value* object = firstObject(input);
    return object && predicate(*object);
}

bool begins(const Input& input, std::string_view text)
{
    return input.text.starts_with(text);
}

struct Look {
    std::string_view what; ///< "the fingerprint of a worker"
    bool (*is)(const Input&);
};

// Rows that ask for more come before rows that ask for less.
constexpr auto looks = std::to_array<Look>({
    {"a PyTorch benchmark file (the same numbers stand in the .json beside it)",
     [](const Input& i) { return isList(i) && objectIs(i, [](const Value& o) {
                                     return hasAll(o, {"benchmark", "metric"});
                                 }); }},
    {"the summary of a vLLM sweep (its runs stand in the files beside it)", isSweepSummary},
    {"the metadata of a srt-slurm run",
     [](const Input& i) {
         return objectIs(i, [](const Value& o) { return hasAll(o, {"job_id", "resources"}) || hasAny(o, {"run_metadata"}); });
     }},
    {"the resource snapshot of a srt-slurm run",
     [](const Input& i) { return objectIs(i, [](const Value& o) {
                              return o.at({"gpus", "configured_total"}) != nullptr;
                          }); }},
    {"the fingerprint of a worker",
     [](const Input& i) { return objectIs(i, [](const Value& o) {
                              return hasAll(o, {"hostname", "pip_packages"});
                          }); }},
    {"a configuration dump of a worker",
     [](const Input& i) {
         return objectIs(i, [](const Value& o) { return hasAny(o, {"server_args"}) || o.at({"config", "server_args"}); });
     }},
    {"the metadata of a genai-bench experiment",
     [](const Input& i) { return objectIs(i, [](const Value& o) {
                              return hasAll(o, {"num_concurrency", "traffic_scenario"});
                          }); }},
    {"a collection of genai-bench results",
     [](const Input& i) {
         return objectIs(i, [](const Value& o) { return hasAny(o, {"experiment_metadata"}) || hasAll(o, {"benchmark_version", "cmd"}); });
     }},
    {"the single requests of an aiperf run",
     [](const Input& i) { return objectIs(i, [](const Value& o) {
                              return o.at({"metadata", "request_start_ns"}) != nullptr;
                          }); }},
    {"the time slices of an aiperf run",
     [](const Input& i) { return objectIs(i, [](const Value& o) { return hasAny(o, {"timeslices"}); }); }},
    {"a dashboard bundle of srt-slurm",
     [](const Input& i) { return objectIs(i, [](const Value& o) {
                              return hasAll(o, {"panels", "kpis"});
                          }); }},
    {"an accuracy score",
     [](const Input& i) {
         return objectIs(i, [](const Value& o) {
             return hasAll(o, {"accuracy", "num_questions"}) || (hasAll(o, {"results", "configs"}) && hasAny(o, {"n-shot", "versions"}));
         });
     }},
    {"the single requests of an llmperf run",
     [](const Input& i) { return objectIs(i, [](const Value& o) {
                              return hasAll(o, {"ttft_s", "end_to_end_latency_s"});
                          }); }},
    {"the description of an MLPerf system",
     [](const Input& i) { return objectIs(i, [](const Value& o) { return hasAny(o, {"accelerators_per_node"}); }); }},
    {"acceptance rates of speculative decoding",
     [](const Input& i) { return objectIs(i, [](const Value& o) { return hasAny(o, {"synthetic_acceptance_rates"}); }); }},
    {"node metrics of a srt-slurm run",
     [](const Input& i) { return begins(i, "timestamp,dp,tp,ep,batch_type") || begins(i, "running_req,sample_count,gen_throughput"); }},
    {"the event log of MLPerf LoadGen", [](const Input& i) { return begins(i, ":::MLLOG"); }},
    {"the summary table of an InferenceX sweep (its runs stand in files of their own)",
     [](const Input& i) { return begins(i, "exp_name,"); }},
    {"a Prometheus metrics dump", [](const Input& i) { return begins(i, "# HELP "); }},
});

// ---- by name ---------------------------------------------------------------------------------------------------------------------------

struct SideName {
    std::string_view pattern;
    std::string_view what;
    bool isNeverRead = false; ///< The name alone decides.
};

constexpr auto sideNames = std::to_array<SideName>({
    {"*recipe.lock.yaml", "the lockfile of a srt-slurm run"},
    {"*sbatch_script.sh", "the job script of a srt-slurm run"},
    {"*git_state.txt", "the git state of a srt-slurm run"},
    {"*reproduction-report.txt", "the reproduction report of a srt-slurm run"},
    {"*postprocess-status.json", "the state of srt-slurm's post-processing"},
    {"*config*.yaml", "a configuration"},
    {"*config*.yml", "a configuration"},
    {"*.yaml", "a YAML file that is no benchmark report"},
    {"*.yml", "a YAML file that is no benchmark report"},
    {"*trtllm_config_*", "a configuration of a worker"},
    {"*nginx.conf", "a configuration of nginx"},
    {"*gpu_telemetry_export.jsonl", "GPU telemetry"},
    {"*server_metrics_export.*", "metrics of the server"},
    {"*raw_prometheus.jsonl", "metrics of the server"},
    {"*host_samples.jsonl", "samples of the hosts"},
    {"*profile_export.jsonl", "the single requests of an aiperf run"},
    {"*inputs.json", "the inputs of an aiperf run"},
    {"*gen_throughput.csv", "node metrics of a srt-slurm run"},
    {"*cache_metadata.json", "the cache of a dashboard"},
    {"*status.json", "the state of a run"},
    {"*status_events.jsonl", "the events of a run"},
    {"*_accuracy.json", "an accuracy log"},
    {"*benchmark_command.txt", "the command line of a benchmark"},
    {"*status.txt", "the state of a run"},
    {"*.log", "a log"},
    {"*.out", "a log"},
    {"*.err", "a log"},
    {"*.toml", "a configuration"},
    {"*.conf", "a configuration"},
    {"*.ini", "a configuration"},
    {"*.sh", "a script", true},
    {"*.py", "a script", true},
    {"*.md", "a text for people", true},
    {"*.html", "a web page", true},
    {"*.htm", "a web page", true},
    {"*.pdf", "a document", true},
    {"*.png", "a picture", true},
    {"*.jpg", "a picture", true},
    {"*.jpeg", "a picture", true},
    {"*.svg", "a picture", true},
    {"*.parquet", "a Parquet table (time series)", true},
    {"*.sqsh", "a container image", true},
    {"*.tar", "an archive; unpack it to import what is in it", true},
    {"*.tgz", "an archive; unpack it to import what is in it", true},
    {"*.gz", "a compressed file; unpack it to import it", true},
    {"*.zst", "a compressed file; unpack it to import it", true},
    {"*.xz", "a compressed file; unpack it to import it", true},
    {"*.zip", "an archive; unpack it to import what is in it", true},
    {"*.db", "a database", true},
    {"*.sqlite", "a database", true},
    {"*.sqlite-wal", "a database", true},
    {"*.sqlite-shm", "a database", true},
    {"*.pyc", "compiled Python", true},
    {"*.nsys-rep", "a profile", true},
});

const SideName* findSideName(std::string_view path)
{
    const std::string name = base::lowered(lastPart(path));
    const auto* found = std::ranges::find_if(sideNames, [&](const SideName& row) { return matches(row.pattern, name); });
    return found == sideNames.end() ? nullptr : found;
}

std::string capitalized(std::string_view what)
{
    std::string text(what);
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
        text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
}

// ---- what is left ----------------------------------------------------------------------------------------------------------------------

std::optional<Verdict> verdictOnBytes(std::string_view text)
{
    if (text.empty())
        return Verdict{FileState::Refused, "The file is empty."};
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
        return Verdict{FileState::Refused, "The file is UTF-16 text; save it as UTF-8 to import it."};
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return Verdict{FileState::Refused, "The file holds nothing but blanks."};
    if (text.substr(0, 65536).find('\0') != std::string_view::npos)
        return Verdict{FileState::Refused, "The file is binary data, not a result file."};
    return std::nullopt;
}

Verdict verdictOnUnknownJson(const Input& input)
{
    const Value* object = firstObject(input);
    if (!object)
        return {FileState::Refused, "The file is JSON without an object of results in it."};
    std::vector<std::string> keys;
    for (const base::json::Member& member : object->object()) {
        if (keys.size() == 4) {
            keys.emplace_back("...");
            break;
        }
        keys.push_back(base::inQuotes(member.key));
    }
    if (keys.empty())
        return {FileState::Refused, "The file holds an empty JSON object."};
    return {FileState::Refused,
            "The file is JSON, but of no result format that is known here (its keys: " + base::joined(keys, ", ") + ")."};
}

} // namespace

bool matches(std::string_view pattern, std::string_view text)
{
    // Most patterns are endings, and each file of a folder is held against all of them.
    if (pattern.starts_with('*') && pattern.find('*', 1) == std::string_view::npos)
        return text.ends_with(pattern.substr(1));
    std::size_t p = 0;
    std::size_t t = 0;
    std::size_t star = std::string_view::npos;
    std::size_t resume = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = t;
        } else if (p < pattern.size() && pattern[p] == text[t]) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++resume;
        } else {
            return false;
        }
    }
    return std::all_of(pattern.begin() + static_cast<std::ptrdiff_t>(p), pattern.end(), [](char c) { return c == '*'; });
}

std::optional<Verdict> verdictOnName(std::string_view path)
{
    const std::string name = base::lowered(lastPart(path));
    for (const SideName& row : sideNames)
        if (row.isNeverRead && matches(row.pattern, name))
            return Verdict{FileState::Ignored, capitalized(row.what) + ", not a result file."};
    return std::nullopt;
}

Verdict verdictOn(const Input& input)
{
    const SideName* known = findSideName(input.path);
    if (auto verdict = verdictOnBytes(input.text))
        return known ? Verdict{FileState::Ignored, capitalized(known->what) + ", not a result file; " +
                                                       base::lowered(verdict->reason.substr(0, 1)) + verdict->reason.substr(1)}
                     : *verdict;
    for (const Look& look : looks)
        if (look.is(input))
            return {FileState::Ignored, capitalized(look.what) + ", not a result file."};
    if (known)
        return {FileState::Ignored, capitalized(known->what) + ", not a result file."};
    if (input.fault)
        return {FileState::Refused, input.fault->message};
    if (!input.json.empty())
        return verdictOnUnknownJson(input);
    if (base::firstInvalidUtf8(input.text.substr(0, 4096)).value_or(4096) < std::min<std::size_t>(input.text.size(), 4090))
        return {FileState::Refused, "The file is binary data, not a result file."};
    return {FileState::Refused, "The file is text, but of no result format that is known here."};
}

std::optional<std::string> reasonToSkipFolder(std::string_view name)
{
    const std::string plain = base::lowered(name);
    if (plain == "warmup" || plain == "warm-up" || plain == "warm_up")
        return "A warm-up folder: what is in it is not part of the measurement.";
    if (plain.size() > 1 && plain.front() == '.' && plain != "..")
        return "A hidden folder, which is not looked into.";
    return std::nullopt;
}

} // namespace wb::results
