// The dry run of one job as a plain function, for those who set two of them side by side.
#pragma once

#include "ui/shell/session.h"

#include <memory>

namespace wb::ui {

/// What the job would put on the cluster; for a worker. Never null.
[[nodiscard]] std::shared_ptr<const DryRun> dryRunOf(const CheckedPtr& checked, std::size_t index, const Rendering& how,
                                                     const recipe::Cluster& cluster);
/// The cluster settings that count for that recipe; those of a missing file where there is none.
[[nodiscard]] std::shared_ptr<const recipe::Cluster> clusterFor(const Session& session, const check::Checked& checked);

/// The latest job of the record that was submitted from that recipe and variant; null when none was. Good until the jobs change.
[[nodiscard]] const store::JobEntry* lastSubmitted(const std::vector<store::JobEntry>& jobs, const check::Checked& checked,
                                                   std::size_t variant);

} // namespace wb::ui
