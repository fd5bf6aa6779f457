#include "core/snapshot/clusterstatus.h"

#include "core/snapshot/jsonfields.h"

#include <algorithm>
#include <array>

namespace wb::snapshot {

using base::json::Value;

namespace {

struct Named {
    Progress progress;
    std::string_view name;
};
constexpr std::array names = {
    Named{Progress::Submitted, "Submitted"}, Named{Progress::Pending, "Pending"},
    Named{Progress::Capturing, "Capturing"}, Named{Progress::Completed, "Completed"},
    Named{Progress::Ready, "Ready"},         Named{Progress::Succeeded, "Succeeded"},
    Named{Progress::Failed, "Failed"},       Named{Progress::PartiallySucceeded, "PartiallySucceeded"},
    Named{Progress::Unknown, "Unknown"},
};

/// What the agent writes into the condition nvidia.com/Restored of a Pod, as upstream classifies it.
struct RestoreReason {
    std::string_view reason;
    Progress progress;
};
constexpr std::array restoreReasons = {
    RestoreReason{"RestoreInProgress", Progress::Pending},
    RestoreReason{"RestoreReplenishing", Progress::Pending},
    RestoreReason{"RestoreSucceeded", Progress::Succeeded},
    RestoreReason{"RestoreFailed", Progress::Failed},
    RestoreReason{"RestoreIncompatible", Progress::Failed},
    RestoreReason{"RestoreReplenishmentIncompatible", Progress::Failed},
    RestoreReason{"RestorePartiallySucceeded", Progress::PartiallySucceeded},
};

struct Advice {
    std::string_view reason;
    std::string_view text;
};
constexpr std::array advices = {
    Advice{"SourceCompletedWithoutCapture",
           "The workload left before it wrote ready-for-snapshot: look at its log, and let it wait after that file."},
    Advice{"DeadlineExceeded", "Raise activeDeadlineSeconds, or look at what the workload waits for."},
    Advice{"CaptureFailed", "Look at the log of the agent on the node."},
    Advice{"PodSnapshotFailed", "Look at the conditions of the PodSnapshot and at the log of the agent."},
    Advice{"JobNameConflict", "A Job of another owner has the name: give the SnapshotJob another one."},
    Advice{"PodSnapshotNameConflict", "A PodSnapshot of another owner has the name: give the SnapshotJob another one."},
    Advice{"PodSnapshotDeleted", "Somebody deleted the PodSnapshot while it was made: create the SnapshotJob again."},
    Advice{"JobDeleted", "Somebody deleted the Job while it ran: create the SnapshotJob again."},
    Advice{"InvalidSpec", "Correct the manifest and create the SnapshotJob again; its spec cannot be changed."},
    Advice{"RestoreIncompatible", "Compare the node with what was captured: a preflight names every difference."},
    Advice{"RestoreReplenishmentIncompatible", "Compare the node with what was captured: a preflight names every difference."},
    Advice{"RestoreFailed", "A failed restore is not tried again: look at the log of the agent, then create a new Pod."},
    Advice{"RestorePartiallySucceeded", "Some containers serve and others do not: delete the Pod and create a new one."},
};

const base::json::Array& conditionsOf(const Value& object)
{
    static const base::json::Array none;
    const Value* found = object.at({"status", "conditions"});
    return found ? found->array() : none;
}

const Value* conditionOf(const Value& object, std::string_view type)
{
    const base::json::Array& all = conditionsOf(object);
    const auto found = std::find_if(all.begin(), all.end(), [type](const Value& c) { return textAt(c, {"type"}) == type; });
    return found == all.end() ? nullptr : &*found;
}

bool holds(const Value* condition)
{
    return condition && textAt(*condition, {"status"}) == "True";
}

void takeWords(ObjectStatus& status, const Value* condition)
{
    if (!condition)
        return;
    status.reason = textAt(*condition, {"reason"});
    status.message = textAt(*condition, {"message"});
}

void readJob(const Value& object, ObjectStatus& status)
{
    const Value* failed = conditionOf(object, "Failed");
    const Value* completed = conditionOf(object, "Completed");
    const Value* running = conditionOf(object, "Running");
    if (conditionsOf(object).empty()) {
        status.progress = Progress::Submitted;
    } else if (holds(failed)) {
        status.progress = Progress::Failed;
        takeWords(status, failed);
    } else if (holds(completed)) {
        status.progress = Progress::Completed;
        takeWords(status, completed);
    } else if (holds(running)) {
        status.progress = Progress::Capturing;
        takeWords(status, conditionOf(object, "Captured"));
    } else {
        status.progress = Progress::Pending;
        takeWords(status, running);
    }
    status.snapshot = textAt(object, {"status", "podSnapshotName"});
    status.startedAt = textAt(object, {"status", "startedAt"});
    status.completedAt = textAt(object, {"status", "completedAt"});
    if (const Value* deadline = object.at({"spec", "activeDeadlineSeconds"}))
        status.deadlineSeconds = deadline->integer().value_or(0);
}

void readSnapshot(const Value& object, ObjectStatus& status)
{
    const Value* failed = conditionOf(object, "Failed");
    const Value* ready = conditionOf(object, "Ready");
    status.progress = holds(failed) ? Progress::Failed : holds(ready) ? Progress::Ready : Progress::Pending;
    takeWords(status, holds(failed) ? failed : ready);
    status.snapshot = status.kind == "PodSnapshot" ? textAt(object, {"status", "boundSnapshotContentName"})
                                                   : textAt(object, {"spec", "source", "nodeName"});
}

void readPod(const Value& object, ObjectStatus& status)
{
    const Value* restored = conditionOf(object, "nvidia.com/Restored");
    if (!restored) {
        status.progress = Progress::Pending;
        return;
    }
    takeWords(status, restored);
    const auto* found =
        std::find_if(restoreReasons.begin(), restoreReasons.end(), [&status](const RestoreReason& r) { return r.reason == status.reason; });
    status.progress = found == restoreReasons.end() ? Progress::Unknown : found->progress;
}

void readTimeline(const Value& object, ObjectStatus& status)
{
    const std::string created = textAt(object, {"metadata", "creationTimestamp"});
    if (!created.empty())
        status.timeline.push_back({created, "created"});
    for (const Value& condition : conditionsOf(object)) {
        const std::string time = textAt(condition, {"lastTransitionTime"});
        if (time.empty() || !holds(&condition))
            continue;
        const std::string reason = textAt(condition, {"reason"});
        status.timeline.push_back({time, textAt(condition, {"type"}) + (reason.empty() ? "" : ": " + reason)});
    }
    std::stable_sort(status.timeline.begin(), status.timeline.end(),
                     [](const TimelineEntry& a, const TimelineEntry& b) { return a.time < b.time; });
}

} // namespace

std::string_view name(Progress progress)
{
    const auto* found = std::find_if(names.begin(), names.end(), [progress](const Named& n) { return n.progress == progress; });
    return found->name;
}

bool ObjectStatus::isFinal() const
{
    return progress == Progress::Completed || progress == Progress::Ready || progress == Progress::Succeeded ||
           progress == Progress::PartiallySucceeded || progress == Progress::Failed;
}

std::string shown(const ObjectStatus& status)
{
    const std::string text(name(status.progress));
    const bool isJobFailure = status.progress == Progress::Failed && status.kind == "SnapshotJob" && !status.reason.empty();
    return isJobFailure ? text + ": " + status.reason : text;
}

ObjectStatus statusOf(const Value& object)
{
    ObjectStatus out;
    out.kind = textAt(object, {"kind"});
    out.name = textAt(object, {"metadata", "name"});
    out.space = textAt(object, {"metadata", "namespace"});
    if (out.kind == "SnapshotJob")
        readJob(object, out);
    else if (out.kind == "PodSnapshot" || out.kind == "PodSnapshotContent")
        readSnapshot(object, out);
    else if (out.kind == "Pod")
        readPod(object, out);
    readTimeline(object, out);
    const auto* found = std::find_if(advices.begin(), advices.end(), [&out](const Advice& a) { return a.reason == out.reason; });
    if (found != advices.end() && out.progress != Progress::Pending)
        out.advice = found->text;
    return out;
}

} // namespace wb::snapshot
