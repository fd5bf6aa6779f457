#include "core/remote/slurmerrors.h"

#include "core/base/text.h"

#include <array>
#include <string>

namespace wb::remote {

namespace {

constexpr std::array rows = {
    // May have been accepted: first, since such output may hold further lines.
    SlurmError{
        "controller-timeout", "Socket timed out on send/recv operation", false,
        "The Slurm controller did not answer in time; the job may have been accepted all the same, which is looked up by its token."},
    SlurmError{"controller-lost", "Unexpected message received", false,
               "The Slurm controller's answer could not be read; whether the job was accepted is looked up by its token."},
    SlurmError{"protocol", "Zero Bytes were transmitted or received", false,
               "The Slurm controller closed the connection; whether the job was accepted is looked up by its token."},
    // Surely not accepted.
    SlurmError{"controller-down", "Unable to contact slurm controller", true,
               "The Slurm controller is down or not reachable from the login node; try again when \"scontrol ping\" says UP."},
    SlurmError{"authentication", "Protocol authentication error", true,
               "munge does not work on the login node; its administrator must restart it."},
    SlurmError{"controller-busy", "Slurm temporarily unable to accept job", true,
               "The Slurm controller is at its limit of jobs; submit fewer at once with --max-in-flight, or wait."},
    SlurmError{"unknown-segment", "unrecognized option '--segment", true,
               "This Slurm does not know --segment (it came with 23.11); set use_segment_sbatch_directive: false in the cluster file."},
    SlurmError{"unknown-container", "unrecognized option '--container-image", true,
               "This Slurm has no pyxis plugin; containers need it on every node, or a launcher that does without."},
    SlurmError{"unknown-option", "unrecognized option", true,
               "This Slurm does not know one of the options; remove it from sbatch_directives or srun_options."},
    SlurmError{"invalid-option", "invalid option", true,
               "An option is wrong; look at sbatch_directives of the recipe and the cluster file."},
    SlurmError{"dos-line-breaks", "DOS line breaks", true, "The job script has DOS line breaks; save the recipe with Unix ones."},
    SlurmError{
        "invalid-partition", "invalid partition specified", true,
        "There is no such partition; set slurm.partition in the recipe or default_partition in the cluster file to one that sinfo lists."},
    SlurmError{"partition-group", "User's group not permitted to use this partition", true,
               "This user may not use that partition; set slurm.partition to another."},
    SlurmError{"partition-account", "Account not permitted to use this partition", true,
               "This account may not use that partition; set slurm.account or slurm.partition."},
    SlurmError{"partition-down", "partition is not available", true, "That partition is down; set slurm.partition to another or wait."},
    SlurmError{"partition-inactive", "Requested partition configuration not available now", true,
               "That partition cannot take this job now; set slurm.partition to another or wait."},
    SlurmError{"account-expired", "account expired", true, "The account has expired; set slurm.account to another."},
    SlurmError{"invalid-account", "Invalid account", true,
               "This user has no such account, or not in this partition; set slurm.account to one that \"sacctmgr show assoc\" lists."},
    SlurmError{"invalid-qos", "Invalid qos", true, "There is no such QOS for this account; change qos in sbatch_directives."},
    SlurmError{"submit-limit", "MaxSubmitJob", true,
               "As many jobs as the account, user or QOS may have are in the queue already; use --max-in-flight or wait."},
    SlurmError{"running-limit", "MaxJobsPer", true, "The account, user or QOS may not run more jobs at once; use --max-in-flight or wait."},
    SlurmError{"gres-limit", "MaxGRES", true, "The job asks for more GPUs than the QOS or account allows; use fewer nodes or another QOS."},
    SlurmError{"tres-limit", "MaxTRES", true, "The job asks for more than the QOS or account allows; use fewer nodes or another QOS."},
    SlurmError{"node-limit", "MaxNode", true,
               "The job asks for more nodes than the QOS or account allows; use fewer nodes or another QOS."},
    SlurmError{"wall-limit", "MaxWall", true, "The time limit is above that of the QOS or account; lower slurm.time_limit."},
    SlurmError{"policy", "Job violates accounting/QOS policy", true,
               "A limit of the account or QOS forbids the job (size, time or number of jobs); the word in front of this message names it."},
    SlurmError{"time-limit", "Requested time limit is invalid", true, "The time limit is above the partition's; lower slurm.time_limit."},
    SlurmError{"bad-time", "Invalid --time specification", true,
               "The time limit is no time as Slurm writes it; write slurm.time_limit as H:MM:SS."},
    SlurmError{"segment-size", "Requested topology configuration is not available", true,
               "The segments do not fit the cluster's blocks; change the node counts, or set use_segment_sbatch_directive: false."},
    SlurmError{
        "invalid-gres", "Invalid generic resource", true,
        "This cluster has no such GPUs or does not count them; set use_gpus_per_node_directive: false, or gpu_type and gpus_per_node "
        "as the nodes have them."},
    SlurmError{"too-many-nodes", "Node count specification invalid", true,
               "The partition has fewer nodes than the job asks for; use fewer nodes "
               "or another partition."},
    SlurmError{"too-many-processors", "More processors requested than permitted", true,
               "The partition has fewer nodes or processors than the job asks for; use fewer nodes or another partition."},
    SlurmError{
        "node-configuration", "Requested node configuration is not available", true,
        "No node of the partition has so many GPUs, processors or so much memory; set resources.gpus_per_node as the nodes have it."},
    SlurmError{"memory", "Memory specification can not be satisfied", true, "No node has so much memory; change mem in sbatch_directives."},
    SlurmError{"node-names", "Invalid node name specified", true,
               "A node that the job names does not exist; change nodelist or exclude in "
               "sbatch_directives."},
    SlurmError{"feature", "Invalid feature specification", true, "No node has that feature; change constraint in sbatch_directives."},
    SlurmError{"reservation", "reservation is invalid", true, "There is no such reservation now; change reservation in sbatch_directives."},
    SlurmError{"reservation-access", "Access denied to requested reservation", true,
               "This user or account may not use that reservation; change reservation in sbatch_directives."},
    SlurmError{"dependency", "Job dependency problem", true,
               "A job that this one depends on is not known; change dependency in sbatch_directives."},
    SlurmError{"quota", "Disk quota exceeded", true,
               "The quota of the remote folder is used up; remove old runs or choose another remote folder."},
    SlurmError{"disk-full", "No space left on device", true, "The disk of the remote folder is full; remove old runs or choose another."},
    SlurmError{"pathname", "Unable to open file", true,
               "The job script is not there; the remote folder may not be shared with this login node."},
    SlurmError{"script-size", "Pathname of a file, directory or other parameter too long", true,
               "A path or parameter is too long for Slurm."},
    SlurmError{"held", "Job held by", true, "The job is held."},
    SlurmError{"not-found-sbatch", "sbatch: not found", true,
               "sbatch is not in the search path on the login node; name the modules or the preamble that the profile should use."},
    SlurmError{"not-found-sbatch-bash", "sbatch: command not found", true,
               "sbatch is not in the search path on the login node; name the modules or the preamble that the profile should use."},
    SlurmError{"not-found-srtctl", "srtctl: not found", true,
               "srtctl is not in the search path on the login node; name its folder or a preamble in the profile, or choose the portable "
               "launcher."},
};

} // namespace

std::span<const SlurmError> slurmErrors()
{
    return rows;
}

const SlurmError* explained(std::string_view err)
{
    const std::string text = base::lowered(err);
    for (const SlurmError& row : rows) {
        if (text.find(base::lowered(row.words)) != std::string::npos)
            return &row;
    }
    return nullptr;
}

} // namespace wb::remote
