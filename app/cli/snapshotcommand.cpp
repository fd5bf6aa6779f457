// srtwb snapshot: manifests, compatibility and startup results of NVIDIA Snapshot.
#include "app/cli/snapshotcommand.h"

#include <array>

namespace wb::cli {

namespace {

constexpr std::array commands = {
    Command{"check", "Find all problems of SnapshotJobs, PodSnapshots and restore Pods",
            "  srtwb snapshot check manifests/\n  kubectl get crd snapshotjobs.nvidia.com podsnapshots.nvidia.com -o json > crds.json\n"
            "  srtwb snapshot check --crd crds.json job.yaml --json",
            addSnapshotCheck},
    Command{"preflight", "Say which nodes can restore a checkpoint",
            "  kubectl get podsnapshotcontent NAME -o json > content.json\n  kubectl get nodes -o json > nodes.json\n"
            "  srtwb snapshot preflight --source content.json --target nodes.json --manifest restore.yaml",
            addSnapshotPreflight},
    Command{"restore-manifest", "Make the restore manifest of a capture manifest",
            "  srtwb snapshot restore-manifest job.yaml --output restore.yaml\n"
            "  srtwb snapshot restore-manifest source-deployment.yaml --snapshot my-snapshot",
            addSnapshotRestoreManifest},
    Command{"import", "Compare cold starts with restores, and say when a checkpoint pays",
            "  srtwb snapshot import results/\n  srtwb snapshot import agent.log results/ --bandwidth 25 --json", addSnapshotImport},
};

} // namespace

Run addSnapshot(CLI::App& command, Console& console)
{
    command.require_subcommand(1);
    std::array<std::pair<CLI::App*, Run>, commands.size()> runs;
    for (std::size_t i = 0; i < commands.size(); ++i) {
        CLI::App* sub = command.add_subcommand(std::string(commands[i].name), std::string(commands[i].summary));
        sub->footer("Examples:\n" + std::string(commands[i].examples));
        sub->fallthrough(); // --quiet also behind the second word
        runs[i] = {sub, commands[i].add(*sub, console)};
    }
    return [runs] {
        for (const auto& [sub, run] : runs) {
            if (sub->parsed())
                return run();
        }
        return static_cast<int>(Usage);
    };
}

} // namespace wb::cli
