// A capture manifest from scratch: of a kind of engine, as a starting point, or of a recipe of srt-slurm. The text is our own; what only
// the author knows (image, storage) stands in it as an example and is told.
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/recipe/job.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wb::snapshot {

/// What is captured.
struct CaptureWish {
    std::string name;   ///< Of the SnapshotJob, and of its PodSnapshot.
    std::string engine; ///< "vllm", "sglang", "trtllm"
    std::string model;
    std::int64_t gpus = 1;                 ///< Of one node.
    std::string image = {};                ///< Empty: an example.
    base::json::Value arguments = {};      ///< Of the engine; null: a few usual ones.
    recipe::TextPairs environment = {};    ///< Besides what Snapshot asks for.
    std::vector<std::string> remarks = {}; ///< Comments at the head, a line each.
};

/// A text that checks without an error. The engine is one of those that Snapshot knows.
[[nodiscard]] std::string captureManifest(const CaptureWish& wish);

/// A starting point of a new manifest.
struct ManifestTemplate {
    std::string id; ///< "vllm-1-capture"; stands in settings of the window, never renamed.
    std::string title;
    std::string text;
};
/// Capture and restore for each engine on one GPU and on eight, and a PodSnapshot of a Pod that runs.
[[nodiscard]] const std::vector<ManifestTemplate>& manifestTemplates();
[[nodiscard]] const ManifestTemplate* findTemplate(std::string_view id);

/// The capture of one worker of a recipe. An error says why Snapshot cannot capture it: workers that span nodes, prefill and decode apart,
/// an engine that it does not know.
[[nodiscard]] Result<CaptureWish> captureOf(const recipe::Job& job);

} // namespace wb::snapshot
