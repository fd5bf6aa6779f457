// Folders and addresses of a job on the cluster, as far as they are known before it runs. What only the cluster knows is shown by a name
// in angle brackets.
#pragma once

#include "core/recipe/job.h"

#include <string>
#include <string_view>

namespace wb::plan {

inline constexpr std::string_view unknownRoot = "<SRTCTL_ROOT>"; ///< srtctl's own folder, which no cluster file names.
inline constexpr std::string_view unknownFolder = "<CWD>"; ///< The folder in which srtctl is called: relative model paths count from it.
inline constexpr std::string_view unknownJob = "<JOB_ID>"; ///< The number that the batch system will give.
inline constexpr std::string_view unknownUuid = "<UUID>";  ///< A fresh one for each start.

/// Stands for the address of a node: "<node000-ip>".
[[nodiscard]] std::string addressOf(std::string_view node);

[[nodiscard]] std::string srtctlRoot(const recipe::Cluster& cluster);
/// The folder that holds a folder for each job.
[[nodiscard]] std::string outputBase(const recipe::Cluster& cluster);
/// Logs of the job, on the host; containers see it as /logs.
[[nodiscard]] std::string logFolder(const recipe::Cluster& cluster);

/// The model is fetched by its id, not read from a folder.
[[nodiscard]] bool isFetchedModel(const recipe::Job& job);
/// The model's id, or its folder on the host; a relative one counts from `unknownFolder`.
[[nodiscard]] std::string modelSource(const recipe::Job& job);
/// What workers are told: the id, or the folder as containers see it.
[[nodiscard]] std::string modelArgument(const recipe::Job& job);
/// Last part of the model's path or id.
[[nodiscard]] std::string modelName(const recipe::Job& job);
/// The copy of the model on a node's own disk (`model.stage_dir`); empty when there is none.
[[nodiscard]] std::string stagedModel(const recipe::Job& job);

} // namespace wb::plan
