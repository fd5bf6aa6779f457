// The job script of the portable launcher: #SBATCH lines, data made from the plan, and the fixed shell library of resources/runtime.
//
// `sbatch FILE` runs it, with bash and srun only. Results go to <output folder>/<job id>/ in the layout that srtctl leaves: config.yaml,
// <job id>.json, sbatch_script.sh, recipe.lock.yaml, logs/ with the logs of all processes under srtctl's names. `srtwb-status.json` beside
// them is there from the start and says state, stage, reason and exit code (resources/runtime/launcher.sh). Slurm's own log is
// slurm-<job id>.out in the folder of the submit, as a folder that does not exist yet would end the job.
//
// Names and addresses of nodes are known when the job runs: they stand as "${srt_node[N]}" and "${srt_address[N]}". Every other text is a
// quoted word.
#pragma once

#include "core/plan/topology.h"
#include "core/render/artifact.h"
#include "core/render/steps.h"

#include <string>
#include <vector>

namespace wb::render {

struct PortableJob {
    std::string script;
    std::vector<Step> steps; ///< What it starts, for people: nodes by their names in the plan, folders as containers see them.
};
/// The launcher must take the job.
[[nodiscard]] PortableJob portableJob(const recipe::Job& job, const recipe::Cluster& cluster, const plan::Topology& topology,
                                      const Context& context);
/// What its containers get, in the order in which it is mounted; of two for one folder of the container the later counts.
[[nodiscard]] std::vector<Mount> portableMounts(const recipe::Job& job, const recipe::Cluster& cluster, const Context& context);
/// The fixed part of it, for tests: functions that write the programs of resources/runtime, and the launcher.
[[nodiscard]] const std::string& portableLibrary();

/// The folder on the cluster with nats-server, etcd and setup scripts; empty when nobody names one.
[[nodiscard]] std::string servicesFolder(const recipe::Cluster& cluster, const Context& context);

} // namespace wb::render
