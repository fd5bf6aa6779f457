// From a resolved configuration to the typed Job and Cluster. Rules name keys too, by dotted paths; a test looks each up in the pack.
#pragma once

#include "core/recipe/job.h"

namespace wb::recipe {

/// `config` is a configuration that the Reader gave without an error.
[[nodiscard]] Job lower(const syntax::ValuePtr& config);
[[nodiscard]] Cluster lowerCluster(const syntax::ValuePtr& config, std::string path);

} // namespace wb::recipe
