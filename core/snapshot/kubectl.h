// Snapshot on a cluster, by kubectl: nothing else is needed there, and nothing is left behind. The caller says how kubectl is run (on this
// machine, or over SSH on a login host); arguments are given as words, never as a line for a shell, and manifests go in by standard input.
// Every command carries the context and the namespace of its target. Objects are created, never applied: `apply` would take over an object
// of the same name that somebody else made.
//
// Functions wait for one kubectl call each and never sleep; `Follower` says when to ask again.
#pragma once

#include "core/base/result.h"
#include "core/snapshot/clusterstatus.h"
#include "core/snapshot/crd.h"
#include "core/snapshot/manifestcheck.h"

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace wb::snapshot {

struct KubectlOutcome {
    int exitCode = 0;
    std::string out;
    std::string err;
};

/// Runs kubectl. An Error is for a call that did not come to an end (not found, no connection, cancelled); a call that kubectl answers with
/// a code other than 0 is an outcome.
class KubectlRunner
{
public:
    KubectlRunner() = default;
    virtual ~KubectlRunner() = default;
    KubectlRunner(const KubectlRunner&) = delete;
    KubectlRunner& operator=(const KubectlRunner&) = delete;

    /// The words behind "kubectl", and its standard input.
    [[nodiscard]] virtual Result<KubectlOutcome> run(const std::vector<std::string>& arguments, std::string_view input,
                                                     std::stop_token stop) = 0;
};

/// Where an object is. Shown beside everything that is done there.
struct KubeTarget {
    std::string context; ///< Empty: kubectl's current one.
    std::string space;   ///< Namespace; empty: kubectl's current one.
};

struct KubeObject {
    std::string kind;
    std::string name;
};

/// What can be done on the cluster; three-valued: nothing when it could not be found out.
struct Connection {
    std::string clientVersion;
    std::string serverVersion;
    std::optional<bool> canCreateJobs;
    std::optional<bool> hasDefinitions;
    std::vector<std::string> problems; ///< One sentence each, in the words of kubectl.
};
[[nodiscard]] Connection connect(KubectlRunner& runner, const KubeTarget& target, std::stop_token stop = {});

/// The cluster's own definitions of Snapshot.
[[nodiscard]] Result<CrdSet> fetchCrds(KubectlRunner& runner, const KubeTarget& target, std::stop_token stop = {});

/// What the server says to a manifest without keeping it.
struct DryRun {
    bool isAccepted = false;
    std::vector<syntax::Diagnostic> findings; ///< Rule "server"; the place is the field that the server names, where it is in the text.
    std::string words;                        ///< kubectl's own, whole.
};
[[nodiscard]] Result<DryRun> dryRun(KubectlRunner& runner, const KubeTarget& target, const CheckedManifest& manifest,
                                    std::stop_token stop = {});

/// Creates the manifest's objects. Refused when a PodSnapshot has the name of a SnapshotJob in it already: the operator would take the old
/// one for the new, and the capture would be done before it began.
[[nodiscard]] Result<std::vector<KubeObject>> create(KubectlRunner& runner, const KubeTarget& target, const CheckedManifest& manifest,
                                                     std::stop_token stop = {});

/// The object as it is now; NotFound when there is none.
[[nodiscard]] Result<base::json::Value> fetchObject(KubectlRunner& runner, const KubeTarget& target, const KubeObject& object,
                                                    std::stop_token stop = {});

/// Where Snapshot's agent runs: it depends on the Helm release.
struct AgentPlace {
    std::string space = "snapshot-system";
    std::string selector = "app.kubernetes.io/component=agent";
    std::string container = "agent";
};
/// The agent's log on a node: for importStartupText.
[[nodiscard]] Result<std::string> agentLog(KubectlRunner& runner, const KubeTarget& target, const AgentPlace& agent, std::string_view node,
                                           std::stop_token stop = {});

/// The PodSnapshotContent of a SnapshotJob, a PodSnapshot or of itself: through the names that they tell. NotFound while one of them tells
/// none yet.
[[nodiscard]] Result<base::json::Value> contentOf(KubectlRunner& runner, const KubeTarget& target, const KubeObject& object,
                                                  std::stop_token stop = {});
/// The agent's log on the node of an object: that on which it was captured, or on which a Pod runs.
[[nodiscard]] Result<std::string> agentLogOf(KubectlRunner& runner, const KubeTarget& target, const AgentPlace& agent,
                                             const KubeObject& object, std::stop_token stop = {});

/// What the cluster noted about an object, oldest first: "Warning FailedScheduling: 0/3 nodes are available (4 times)".
[[nodiscard]] Result<std::vector<TimelineEntry>> eventsOf(KubectlRunner& runner, const KubeTarget& target, const KubeObject& object,
                                                          std::stop_token stop = {});

/// What deleting an object does, for the question before it: names the object, its namespace and context, and what goes with it.
[[nodiscard]] std::string deletionWarning(const KubeTarget& target, const KubeObject& object);
/// Deletes it. The caller has asked with `deletionWarning`.
[[nodiscard]] Result<void> deleteObject(KubectlRunner& runner, const KubeTarget& target, const KubeObject& object,
                                        std::stop_token stop = {});

/// Follows one object until nothing more happens to it: ask `poll` each time that `wait` has passed.
class Follower
{
public:
    Follower(KubeTarget target, KubeObject object);

    /// One look at the object. An error leaves the last status as it was, and is told; the next look comes later.
    [[nodiscard]] Result<ObjectStatus> poll(KubectlRunner& runner, std::stop_token stop = {});

    [[nodiscard]] const std::optional<ObjectStatus>& last() const { return m_last; }
    [[nodiscard]] bool isDone() const { return m_last && m_last->isFinal(); }
    [[nodiscard]] std::chrono::seconds wait() const { return m_wait; }

private:
    KubeTarget m_target;
    KubeObject m_object;
    std::optional<ObjectStatus> m_last;
    std::chrono::seconds m_wait{2};
};

} // namespace wb::snapshot
