// What the names of result files tell: the only place where the clients of srt-slurm and InferenceX put GPU counts.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace wb::results {

/// Read from names such as "results_concurrency_8_gpus_16_ctx_8_gen_8.json", "concurrency_4_req_rate_inf_gpus_16.json",
/// "isl_1024_osl_1024_concurrency_8_req_rate_2.json", "kimi_8k1k_conc64_rerun.json".
struct NameFacts {
    std::optional<double> concurrency, users, gpus, prefill, decode, isl, osl;
    std::string rest; ///< The name without these parts, without "rerun" and "retry": what names the run when anything is left.
};

/// `path` is a file or a folder; only its last part is looked at.
[[nodiscard]] NameFacts factsInName(std::string_view path);

[[nodiscard]] std::string_view lastPart(std::string_view path); ///< After the last "/".
[[nodiscard]] std::string_view folderOf(std::string_view path); ///< Before the last "/"; empty when there is none.

/// The last part of a folder's path that says something about a run: not "logs", "results" or a sa-bench folder.
[[nodiscard]] std::string tellingFolder(std::string_view folder);

/// A name for the run of a file that tells none: the folder that says something, and what is left of the file's name.
[[nodiscard]] std::string runNameFor(std::string_view path);

} // namespace wb::results
