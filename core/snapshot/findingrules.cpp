#include "core/snapshot/findingrules.h"

#include <array>

namespace wb::snapshot {

namespace {

constexpr std::array all = {
    FindingRule{"required", "The schema requires a key that is not there, or is null. The server refuses the object."},
    FindingRule{"unknown", "The schema has no such field. The server drops it silently; kubectl --validate=strict refuses it."},
    FindingRule{"type",
                "The value is of another type than the schema's. A number where text belongs (the value of a variable) needs quotes."},
    FindingRule{"enum", "The value is none of the choices."},
    FindingRule{"pattern", "The text does not match the pattern of the field."},
    FindingRule{"format", "The value is not of the form that the field asks for: a time of RFC 3339, an integer that fits."},
    FindingRule{"minimum", "The number is smaller than the least that is taken."},
    FindingRule{"maximum", "The number is greater than the most that is taken."},
    FindingRule{"minLength", "The text is shorter than the least that is taken."},
    FindingRule{"maxLength", "The text is longer than the most that is taken."},
    FindingRule{"minItems", "The list has fewer items than must be there."},
    FindingRule{"maxItems", "The list has more items than may be there. Snapshot captures one container."},
    FindingRule{"maxProperties", "The map has more keys than may be there."},
    FindingRule{"duplicate", "Two items of a list that is a set or a map are the same by what they are known by."},
    FindingRule{"cel", "A rule of the schema in the Common Expression Language does not hold; defaults are filled in before it is asked."},
    FindingRule{"cel.server-only", "The schema has a rule or a pattern that only the server can judge: it was not checked here."},
    FindingRule{"kind", "The object's apiVersion and kind are not those of a schema at hand: only the server can check it."},
    FindingRule{"name", "The object's name is not one that Kubernetes takes."},
    FindingRule{"selector", "A Deployment's selector is not among the labels of its own Pods: the server refuses it."},
    FindingRule{"empty", "The file holds no object."},
    FindingRule{"immutable", "The object is on a cluster, where its spec cannot be changed: delete it and create it again."},
    FindingRule{"server", "What the cluster's server said, at the field that it named."},
    FindingRule{"contract.restore-from",
                "nvidia.com/restore-from names the PodSnapshot: a DNS name of at most 253 characters, in the same namespace."},
    FindingRule{"contract.container-map",
                "nvidia.com/restore-container-map is source=destination, several with commas between; a destination occurs once."},
    FindingRule{"contract.destination", "A destination of the restore is no container of the Pod."},
    FindingRule{"contract.control-volume",
                "The Pod needs one volume \"snapshot-control\" that is an emptyDir: the agent speaks with it there."},
    FindingRule{"contract.control-mount",
                "Each container needs one mount of \"snapshot-control\" at /snapshot-control, writable, with its own name as subPath."},
    FindingRule{"contract.control-env", "Each container needs SNAPSHOT_CONTROL_DIR with the value /snapshot-control."},
    FindingRule{"contract.cuda-shared-memory-support",
                "nvidia.com/cuda-shared-memory-support is \"enabled\" or \"disabled\", in small letters."},
    FindingRule{"warn.alpha-contract", "Labels or annotations of Snapshot before 0.1.0: a newer agent does not look at them."},
    FindingRule{"warn.engine-args-json", "The value of the engine's arguments is no JSON, which the workload expects."},
    FindingRule{"warn.multi-gpu-without-shared-memory",
                "Several GPUs without nvidia.com/cuda-shared-memory-support: the memory that they share is not captured."},
    FindingRule{"warn.not-inert", "The container would start its workload instead of waiting for the restore."},
    FindingRule{"warn.placeholder", "A placeholder stands where a name belongs: put the name in its place."},
    FindingRule{"warn.skip-compat-check", "The value is none that means true or false, so the compatibility checks stay on."},
    FindingRule{"warn.source-control-env",
                "A plain source Pod should have SNAPSHOT_CONTROL_DIR: without it the workload cannot say that it is ready."},
};

} // namespace

std::span<const FindingRule> findingRules()
{
    return all;
}

} // namespace wb::snapshot
