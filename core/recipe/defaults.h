// What a cluster file and the observability switch lay under a recipe before it is read.
#pragma once

#include "core/recipe/job.h"
#include "core/syntax/value.h"

namespace wb::recipe {

/// The document with the cluster's defaults where the recipe is silent, and with aliases of models and containers looked up (once, whole
/// text, no chains). Blocks of the wrong shape are left for the reader to report.
[[nodiscard]] syntax::ValuePtr withClusterDefaults(const syntax::ValuePtr& document, const Cluster& cluster);

/// `observability.enabled` writes tracing variables into the environments, keeping what is there.
[[nodiscard]] syntax::ValuePtr withObservability(const syntax::ValuePtr& document);

/// What upstream derives from a configuration after it was read: an install source other than a release clears the release.
[[nodiscard]] syntax::ValuePtr withDerived(const syntax::ValuePtr& config);

} // namespace wb::recipe
