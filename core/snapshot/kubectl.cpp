#include "core/snapshot/kubectl.h"

#include "core/base/text.h"
#include "core/snapshot/jsonfields.h"

#include <algorithm>
#include <utility>

namespace wb::snapshot {

using base::inQuotes;
using base::json::Value;

namespace {

constexpr std::chrono::seconds shortestWait{2};
constexpr std::chrono::seconds longestWait{30};
constexpr std::chrono::seconds usualWait{5};

constexpr std::string_view timeout = "--request-timeout=60s";   // a server that does not answer must not hold a call for ever
constexpr std::string_view logLimit = "--limit-bytes=67108864"; // 64 MiB; the log of an agent grows as long as it runs

std::vector<std::string> words(const KubeTarget& target, std::initializer_list<std::string> more)
{
    std::vector<std::string> out;
    if (!target.context.empty())
        out.push_back("--context=" + target.context);
    if (!target.space.empty())
        out.push_back("--namespace=" + target.space);
    out.emplace_back(timeout);
    out.insert(out.end(), more.begin(), more.end());
    return out;
}

std::string lastLine(std::string_view text)
{
    text = base::trimmed(text);
    const std::size_t at = text.rfind('\n');
    return std::string(at == std::string_view::npos ? text : text.substr(at + 1));
}

/// The server's own reason: "kubectl: command not found" and a context that is not found say nothing about the object.
bool saysNotFound(const KubectlOutcome& outcome)
{
    return outcome.err.find("(NotFound)") != std::string::npos;
}

Error refusal(const KubectlOutcome& outcome, std::string_view doing)
{
    const ErrorCode code = saysNotFound(outcome)                                  ? ErrorCode::NotFound
                           : outcome.err.find("(Forbidden)") != std::string::npos ? ErrorCode::Denied
                                                                                  : ErrorCode::Refused;
    const std::string said = lastLine(outcome.err);
    return {code, std::string(doing) + " failed: " + (said.empty() ? "kubectl gave no reason." : said), outcome.err};
}

/// The output of a call that must succeed.
Result<std::string> call(KubectlRunner& runner, const std::vector<std::string>& arguments, std::string_view input, std::string_view doing,
                         std::stop_token stop)
{
    auto outcome = runner.run(arguments, input, std::move(stop));
    if (!outcome)
        return passedOn(std::move(outcome.error()), doing);
    if (outcome->exitCode != 0)
        return tl::unexpected(refusal(*outcome, doing));
    return std::move(outcome->out);
}

/// Kinds with their group: `pods` of another group must not be meant.
std::string resourceOf(const std::string& kind)
{
    const bool isSnapshot = kind == "SnapshotJob" || kind == "PodSnapshot" || kind == "PodSnapshotContent";
    if (isSnapshot)
        return base::lowered(kind) + "s.nvidia.com";
    return kind == "Deployment" ? "deployments.apps" : base::lowered(kind);
}

/// "spec.podTemplate.spec.containers[0].env[2].value" -> the value's place in the text; what is not there ends at the last that is.
Node nodeAt(const CheckedObject& object, std::string_view path)
{
    Node node{object.root, object.path, {}};
    if (!object.root->members.empty())
        node.place = object.root->members.front().keyRange;
    while (!path.empty() && node) {
        if (path.front() == '.')
            path.remove_prefix(1);
        Node next;
        if (path.starts_with('[')) {
            const std::size_t end = std::min(path.find(']'), path.size() - 1);
            const auto index = base::integerOf(path.substr(1, end - 1));
            const bool isThere = index && *index >= 0 && static_cast<std::size_t>(*index) < node.value->items.size();
            next = isThere ? node.item(static_cast<std::size_t>(*index)) : node.child(path.substr(1, end - 1));
            path.remove_prefix(end + 1);
        } else {
            const std::size_t end = std::min(path.find_first_of(".["), path.size());
            next = node.child(path.substr(0, end));
            path.remove_prefix(end);
        }
        if (!next)
            return node;
        node = next;
    }
    return node;
}

/// The object that a line of kubectl's is about: by its name, else the first.
const CheckedObject* objectFor(const CheckedManifest& manifest, std::string_view line)
{
    const auto found = std::find_if(manifest.objects.begin(), manifest.objects.end(), [line](const CheckedObject& object) {
        return !object.name.empty() && line.find("\"" + object.name + "\"") != std::string_view::npos;
    });
    if (found != manifest.objects.end())
        return &*found;
    return manifest.objects.empty() ? nullptr : &manifest.objects.front();
}

/// The field that a sentence begins with or quotes: "spec.x: Invalid value: ...", `unknown field "spec.x"`.
std::string_view fieldIn(std::string_view sentence)
{
    constexpr std::string_view quoted = "field \"";
    if (const std::size_t at = sentence.find(quoted); at != std::string_view::npos) {
        sentence.remove_prefix(at + quoted.size());
        return sentence.substr(0, sentence.find('"'));
    }
    const std::size_t colon = sentence.find(": ");
    const std::string_view field = colon == std::string_view::npos ? std::string_view() : sentence.substr(0, colon);
    return field.starts_with("spec") || field.starts_with("metadata") ? field : std::string_view();
}

syntax::Diagnostic serverFinding(const CheckedObject* object, std::string_view sentence)
{
    Findings findings(object ? object->offset : 0);
    const std::string_view field = fieldIn(sentence);
    const Node at = object ? nodeAt(*object, field) : Node();
    syntax::Diagnostic finding = findings.error("server", at, "The server says: " + std::string(base::trimmed(sentence)));
    if (!field.empty())
        finding.path = "." + std::string(field);
    return finding;
}

/// Each sentence of kubectl's refusal, at its field.
std::vector<syntax::Diagnostic> serverFindings(const CheckedManifest& manifest, std::string_view said)
{
    std::vector<syntax::Diagnostic> out;
    const CheckedObject* object = nullptr;
    for (std::string_view line : base::splitAt(said, '\n')) {
        line = base::trimmed(line);
        if (line.empty() || line.starts_with("Warning:"))
            continue;
        if (line.starts_with("* ")) {
            out.push_back(serverFinding(object ? object : objectFor(manifest, line), line.substr(2)));
            continue;
        }
        object = objectFor(manifest, line);
        constexpr std::string_view invalid = "is invalid:";
        constexpr std::string_view strict = "strict decoding error:";
        std::string_view rest = line;
        for (const std::string_view head : {invalid, strict}) {
            if (const std::size_t at = rest.find(head); at != std::string_view::npos)
                rest = base::trimmed(rest.substr(at + head.size()));
        }
        if (rest.empty())
            continue; // the sentences follow, each on its line
        if (line.find(strict) == std::string_view::npos) {
            out.push_back(serverFinding(object, rest));
            continue;
        }
        std::size_t begin = 0;
        while (begin < rest.size()) { // "unknown field "a", unknown field "b""
            std::size_t end = rest.find(", unknown field", begin);
            end = end == std::string_view::npos ? rest.size() : end;
            out.push_back(serverFinding(object, rest.substr(begin, end - begin)));
            begin = end + 2;
        }
    }
    return out;
}

std::string whereIs(const KubeTarget& target)
{
    return (target.space.empty() ? std::string("kubectl's current namespace") : "namespace " + inQuotes(target.space)) + " of " +
           (target.context.empty() ? std::string("kubectl's current context") : "context " + inQuotes(target.context));
}

} // namespace

Connection connect(KubectlRunner& runner, const KubeTarget& target, std::stop_token stop)
{
    Connection out;
    const auto version = call(runner, words(target, {"version", "-o", "json"}), {}, "Asking for the version", stop);
    if (!version) {
        out.problems.push_back(version.error().message);
    } else if (const auto read = base::json::read(*version)) {
        out.clientVersion = textAt(*read, {"clientVersion", "gitVersion"});
        out.serverVersion = textAt(*read, {"serverVersion", "gitVersion"});
    }
    const auto can = runner.run(words(target, {"auth", "can-i", "create", "snapshotjobs.nvidia.com"}), {}, stop);
    if (!can) {
        out.problems.push_back(can.error().message);
    } else if (base::trimmed(can->out) == "yes" || base::trimmed(can->out) == "no") {
        out.canCreateJobs = base::trimmed(can->out) == "yes";
        if (!*out.canCreateJobs)
            out.problems.push_back("You may not create SnapshotJobs in " + whereIs(target) + ".");
    } else {
        out.problems.push_back("Whether you may create SnapshotJobs could not be found out: " + lastLine(can->err));
    }
    const auto crd = runner.run(words(target, {"get", "crd", "snapshotjobs.nvidia.com", "-o", "name"}), {}, stop);
    if (!crd) {
        out.problems.push_back(crd.error().message);
    } else if (crd->exitCode == 0) {
        out.hasDefinitions = true;
    } else if (saysNotFound(*crd)) {
        out.hasDefinitions = false;
        out.problems.emplace_back("The cluster has no SnapshotJob: NVIDIA Snapshot is not installed there.");
    } else {
        out.problems.push_back("Whether Snapshot is installed could not be found out: " + lastLine(crd->err));
    }
    return out;
}

Result<CrdSet> fetchCrds(KubectlRunner& runner, const KubeTarget& target, std::stop_token stop)
{
    auto text = call(
        runner,
        words(target, {"get", "crd", "snapshotjobs.nvidia.com", "podsnapshots.nvidia.com", "podsnapshotcontents.nvidia.com", "-o", "json"}),
        {}, "Fetching the definitions of Snapshot", std::move(stop));
    if (!text)
        return tl::unexpected(std::move(text.error()));
    const std::vector<std::string> texts{*std::move(text)};
    auto set = readCrds(texts, "the cluster");
    if (set)
        set->origin = target.context.empty() ? "the cluster of kubectl's current context" : "the cluster of context " + target.context;
    return set;
}

Result<DryRun> dryRun(KubectlRunner& runner, const KubeTarget& target, const CheckedManifest& manifest, std::stop_token stop)
{
    auto outcome = runner.run(words(target, {"create", "--dry-run=server", "--validate=strict", "-o", "name", "-f", "-"}),
                              manifest.source->text(), std::move(stop));
    if (!outcome)
        return passedOn(std::move(outcome.error()), "Asking the server about the manifest");
    DryRun out;
    out.isAccepted = outcome->exitCode == 0;
    out.words = outcome->out + outcome->err;
    if (!out.isAccepted)
        out.findings = serverFindings(manifest, outcome->err);
    return out;
}

Result<std::vector<KubeObject>> create(KubectlRunner& runner, const KubeTarget& target, const CheckedManifest& manifest,
                                       std::stop_token stop)
{
    for (const CheckedObject& object : manifest.objects) {
        if (object.kind != "SnapshotJob" || object.name.empty())
            continue;
        const KubeTarget place{target.context, object.space.empty() ? target.space : object.space};
        const auto old = fetchObject(runner, place, {"PodSnapshot", object.name}, stop);
        if (old) {
            return failure(ErrorCode::Refused, "A PodSnapshot " + inQuotes(object.name) + " exists in " + whereIs(place) +
                                                   ": the capture would take it for its own; give the SnapshotJob another name.");
        }
        if (old.error().code != ErrorCode::NotFound)
            return passedOn(Error(old.error()), "Looking for a PodSnapshot of the name");
    }
    auto text = call(runner, words(target, {"create", "--validate=strict", "-o", "json", "-f", "-"}), manifest.source->text(),
                     "Creating the objects", std::move(stop));
    if (!text)
        return tl::unexpected(std::move(text.error()));
    std::vector<KubeObject> out;
    auto objects = objectsOf(*text);
    if (!objects)
        return passedOn(std::move(objects.error()), "Reading what kubectl created");
    for (const Value& object : *objects)
        out.push_back({textAt(object, {"kind"}), textAt(object, {"metadata", "name"})});
    return out;
}

Result<Value> fetchObject(KubectlRunner& runner, const KubeTarget& target, const KubeObject& object, std::stop_token stop)
{
    const std::string doing = "Looking at " + object.kind + " " + inQuotes(object.name);
    auto text = call(runner, words(target, {"get", resourceOf(object.kind), object.name, "-o", "json"}), {}, doing, std::move(stop));
    if (!text)
        return tl::unexpected(std::move(text.error()));
    auto read = base::json::read(*text);
    if (!read)
        return passedOn(std::move(read.error()), doing);
    return read;
}

Result<std::string> agentLog(KubectlRunner& runner, const KubeTarget& target, const AgentPlace& agent, std::string_view node,
                             std::stop_token stop)
{
    const KubeTarget place{target.context, agent.space};
    const std::string doing = "Fetching the agent's log of node " + inQuotes(node);
    auto pods = call(
        runner, words(place, {"get", "pods", "-l", agent.selector, "--field-selector", "spec.nodeName=" + std::string(node), "-o", "json"}),
        {}, doing, stop);
    if (!pods)
        return tl::unexpected(std::move(pods.error()));
    auto objects = objectsOf(*pods);
    const std::string name = objects && !objects->empty() ? textAt(objects->front(), {"metadata", "name"}) : std::string();
    if (name.empty()) {
        return failure(ErrorCode::NotFound, "No Pod of the agent (" + agent.selector + ") runs on node " + inQuotes(node) +
                                                " in namespace " + inQuotes(agent.space) +
                                                "; its namespace and labels depend on the Helm release.");
    }
    return call(runner, words(place, {"logs", name, "-c", agent.container, std::string(logLimit)}), {}, doing, std::move(stop));
}

Result<Value> contentOf(KubectlRunner& runner, const KubeTarget& target, const KubeObject& object, std::stop_token stop)
{
    auto found = fetchObject(runner, target, object, stop);
    if (!found || object.kind == "PodSnapshotContent")
        return found;
    const std::string next = statusOf(*found).snapshot;
    const bool isJob = object.kind == "SnapshotJob";
    if (!isJob && object.kind != "PodSnapshot")
        return failure(ErrorCode::Unsupported, "A " + object.kind + " has no PodSnapshotContent.");
    if (next.empty()) {
        return failure(ErrorCode::NotFound, object.kind + " " + inQuotes(object.name) + " does not tell its " +
                                                (isJob ? "PodSnapshot" : "PodSnapshotContent") + " yet.");
    }
    return contentOf(runner, target, {isJob ? "PodSnapshot" : "PodSnapshotContent", next}, std::move(stop));
}

Result<std::string> agentLogOf(KubectlRunner& runner, const KubeTarget& target, const AgentPlace& agent, const KubeObject& object,
                               std::stop_token stop)
{
    const bool isPod = object.kind == "Pod";
    auto found = isPod ? fetchObject(runner, target, object, stop) : contentOf(runner, target, object, stop);
    if (!found)
        return tl::unexpected(std::move(found.error()));
    const std::string node = isPod ? textAt(*found, {"spec", "nodeName"}) : textAt(*found, {"spec", "source", "nodeName"});
    if (node.empty())
        return failure(ErrorCode::NotFound, object.kind + " " + inQuotes(object.name) + " does not tell its node yet.");
    return agentLog(runner, target, agent, node, std::move(stop));
}

Result<std::vector<TimelineEntry>> eventsOf(KubectlRunner& runner, const KubeTarget& target, const KubeObject& object, std::stop_token stop)
{
    const std::string doing = "Asking for the events of " + object.kind + " " + inQuotes(object.name);
    auto listed = call(runner,
                       words(target, {"get", "events", "--field-selector",
                                      "involvedObject.kind=" + object.kind + ",involvedObject.name=" + object.name, "-o", "json"}),
                       {}, doing, std::move(stop));
    if (!listed)
        return tl::unexpected(std::move(listed.error()));
    const auto objects = objectsOf(*listed);
    if (!objects)
        return passedOn(objects.error(), doing);
    std::vector<TimelineEntry> events;
    for (const Value& event : *objects) {
        const auto first = [&event](std::initializer_list<std::string_view> keys) {
            for (const std::string_view key : keys)
                if (std::string text = textAt(event, {key}); !text.empty())
                    return text;
            return std::string();
        };
        const Value* count = event.find("count");
        const auto times = count ? count->integer() : std::nullopt;
        std::string text = first({"type"}) + ' ' + first({"reason"}) + ": " + first({"message"});
        if (times && *times > 1)
            text += " (" + std::to_string(*times) + " times)";
        events.push_back({first({"lastTimestamp", "eventTime", "firstTimestamp"}), std::move(text)});
    }
    std::ranges::stable_sort(events, {}, &TimelineEntry::time);
    return events;
}

std::string deletionWarning(const KubeTarget& target, const KubeObject& object)
{
    std::string out = "This deletes " + object.kind + " " + inQuotes(object.name) + " in " + whereIs(target) + ".";
    if (object.kind == "PodSnapshot" || object.kind == "PodSnapshotContent")
        out +=
            " Its artifact on the storage goes too, and nothing can be restored from it again (Snapshot before 0.1.0 leaves the artifact).";
    else if (object.kind == "SnapshotJob")
        out += " A capture that is running is lost; its PodSnapshot may be deleted with it, and with that the artifact.";
    else
        out += " What serves there stops.";
    return out;
}

Result<void> deleteObject(KubectlRunner& runner, const KubeTarget& target, const KubeObject& object, std::stop_token stop)
{
    auto done = call(runner, words(target, {"delete", resourceOf(object.kind), object.name, "--wait=false"}), {},
                     "Deleting " + object.kind + " " + inQuotes(object.name), std::move(stop));
    if (!done)
        return tl::unexpected(std::move(done.error()));
    return {};
}

Follower::Follower(KubeTarget target, KubeObject object)
    : m_target(std::move(target))
    , m_object(std::move(object))
{
}

Result<ObjectStatus> Follower::poll(KubectlRunner& runner, std::stop_token stop)
{
    auto object = fetchObject(runner, m_target, m_object, std::move(stop));
    if (!object) {
        m_wait = std::min(m_wait * 2, longestWait);
        return tl::unexpected(std::move(object.error()));
    }
    ObjectStatus status = statusOf(*object);
    const bool isNew = !m_last || m_last->progress != status.progress || m_last->reason != status.reason;
    m_wait = isNew ? shortestWait : std::min(m_wait + std::chrono::seconds(1), usualWait);
    m_last = status;
    return status;
}

} // namespace wb::snapshot
