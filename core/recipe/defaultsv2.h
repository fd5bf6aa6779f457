// What a cluster file and the engines lay under a recipe in schema 2 before it is read. The recipe's own values always win.
#pragma once

#include "core/recipe/job.h"
#include "core/syntax/diagnostic.h"
#include "core/syntax/value.h"

#include <span>
#include <string_view>
#include <vector>

namespace wb::recipe {

/// The document with the cluster's defaults where the recipe is silent, and with names of models and containers looked up: containers
/// wherever an image is named, by one walk over the document. `cluster` is a cluster file of srtctl 2.x.
[[nodiscard]] syntax::ValuePtr withClusterDefaultsOfSecond(const syntax::ValuePtr& document, const Cluster& cluster);

/// The document with what observability, the frontend "trtllm_serve" and the engine TensorRT-LLM set by themselves. A value of the recipe
/// that works against it is told.
[[nodiscard]] syntax::ValuePtr withExpansions(const syntax::ValuePtr& document);

/// Truthy as Python sees it: the quoted text "false" is.
[[nodiscard]] bool isTruthy(const syntax::ValuePtr& value);

/// Whether the text at a path (its keys, the outermost first) is looked up among the containers of the cluster file.
[[nodiscard]] bool mayNameImage(std::span<const std::string_view> keys);

} // namespace wb::recipe
