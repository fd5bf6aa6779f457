// What a cluster file and the observability switch lay under a recipe before it is read.
#pragma once

#include "core/recipe/job.h"
#include "core/syntax/diagnostic.h"
#include "core/syntax/value.h"

#include <span>
#include <string_view>
#include <vector>

namespace wb::recipe {

/// The document with the cluster's defaults where the recipe is silent, and with aliases of models and containers looked up (once, whole
/// text, no chains). Blocks of the wrong shape are left for the reader to report.
[[nodiscard]] syntax::ValuePtr withClusterDefaults(const syntax::ValuePtr& document, const Cluster& cluster);

/// A key of a recipe whose text may be a name of the cluster file.
struct NamedPlace {
    std::string_view path;  ///< Of the recipe: "model.container".
    std::string_view names; ///< Key of the cluster file: "containers".
};
[[nodiscard]] std::span<const NamedPlace> namedPlaces();

/// Names in a document, as it is written, that the cluster file lacks. Holds for both languages.
[[nodiscard]] std::vector<syntax::Diagnostic> checkNames(const syntax::ValuePtr& document, const Cluster& cluster);
/// What the cluster file says about a document of schema 1 as it is written, before its defaults are laid under it: names that the file
/// lacks, and the number of GPUs that srtctl does not take from it.
[[nodiscard]] std::vector<syntax::Diagnostic> checkAgainstCluster(const syntax::ValuePtr& document, const Cluster& cluster);

/// `observability.enabled` writes tracing variables into the environments, keeping what is there.
[[nodiscard]] syntax::ValuePtr withObservability(const syntax::ValuePtr& document);

/// What upstream derives from a configuration after it was read: an install source other than a release clears the release.
[[nodiscard]] syntax::ValuePtr withDerived(const syntax::ValuePtr& config);

} // namespace wb::recipe
