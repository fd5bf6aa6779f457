// What has become of an object of Snapshot on a cluster, from its JSON (`kubectl get ... -o json`). A reason that is not known is Unknown,
// never one of the others.
#pragma once

#include "core/base/json.h"

#include <string>
#include <string_view>
#include <vector>

namespace wb::snapshot {

enum class Progress {
    Submitted,          ///< A SnapshotJob that no controller has seen yet.
    Pending,            ///< On the way: the Pod is not ready, the restore is not asked for or goes on.
    Capturing,          ///< A SnapshotJob whose workload is ready.
    Completed,          ///< A SnapshotJob that is done.
    Ready,              ///< A PodSnapshot or its content that can be restored.
    Succeeded,          ///< A restored Pod.
    PartiallySucceeded, ///< Some containers of a Pod were restored.
    Failed,
    Unknown, ///< The object says something that is not known here.
};
[[nodiscard]] std::string_view name(Progress progress);

/// A moment of an object's life, as the cluster stamped it.
struct TimelineEntry {
    std::string time; ///< RFC 3339
    std::string text; ///< "Captured: CaptureCompleted"

    friend bool operator==(const TimelineEntry&, const TimelineEntry&) = default;
};

struct ObjectStatus {
    std::string kind;
    std::string name;
    std::string space;
    Progress progress = Progress::Unknown;
    std::string reason;                  ///< In the words of the cluster; empty when it gives none.
    std::string message;                 ///< In the words of the cluster.
    std::string advice;                  ///< What to do, where something is known; empty else.
    std::vector<TimelineEntry> timeline; ///< By time.
    std::string snapshot; ///< Of a SnapshotJob: its PodSnapshot. Of a PodSnapshot: its content's name. Of a content: its node.
    std::string startedAt;
    std::string completedAt;
    long long deadlineSeconds = 0; ///< Of a SnapshotJob; 0 when it is not told.

    /// Nothing more is going to happen to it.
    [[nodiscard]] bool isFinal() const;
};

/// "Failed: DeadlineExceeded" for a SnapshotJob that failed, else the name of its progress.
[[nodiscard]] std::string shown(const ObjectStatus& status);

/// Of a SnapshotJob, PodSnapshot, PodSnapshotContent or Pod; Unknown for everything else.
[[nodiscard]] ObjectStatus statusOf(const base::json::Value& object);

} // namespace wb::snapshot
