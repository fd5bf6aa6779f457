// The golden facts of the shared corpus: for each recipe the jobs that a reference made of it.
#pragma once

#include "core/base/json.h"
#include "core/recipe/job.h"

#include <string>
#include <string_view>
#include <vector>

namespace wb::test {

/// One golden file.
struct GoldenFile {
    std::string name;        ///< Of the file: "up__recipes__b200-fp4__8k1k.yaml.json".
    base::json::Value facts; ///< The document.
};

/// All golden files of a cluster ("gb200", "hopper"), sorted by name; empty when the corpus is not there.
[[nodiscard]] const std::vector<GoldenFile>& goldenFiles(std::string_view cluster);

/// One job of a golden file, with the text to name it in a failure.
struct GoldenJob {
    std::string label;
    const base::json::Value* facts = nullptr;
    recipe::Job job; ///< Read from its `config`.
};
[[nodiscard]] std::vector<GoldenJob> goldenJobs(std::string_view cluster);

/// The settings of the cluster file by which the golden facts of that name were made.
[[nodiscard]] recipe::Cluster goldenCluster(std::string_view cluster);

/// A value without a place, as data.
[[nodiscard]] syntax::ValuePtr valueOf(const base::json::Value& json);

[[nodiscard]] std::string textAt(const base::json::Value& object, std::string_view key);

} // namespace wb::test
