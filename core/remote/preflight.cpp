#include "core/remote/preflight.h"

#include "core/base/shell.h"
#include "core/base/text.h"
#include "core/plan/paths.h"
#include "core/plan/topology.h"
#include "core/remote/slurm.h"
#include "core/remote/slurmerrors.h"
#include "core/remote/submitter.h"
#include "core/render/artifact.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

namespace wb::remote {

using base::inQuotes;
using base::pathInQuotes;
using base::shellQuoted;

namespace {

constexpr std::array<std::string_view, 3> locationNames = {"here", "login", "compute"};
constexpr std::array<std::string_view, 4> stateNames = {"ok", "absent", "unknown", "warning"};

template <typename T>
void addOnce(std::vector<T>& list, T value)
{
    if (std::find(list.begin(), list.end(), value) == list.end())
        list.push_back(std::move(value));
}

/// As the launcher takes it: a file begins with "/" or "./", all else is the name of an image.
bool isImageName(std::string_view container)
{
    return !container.empty() && !container.starts_with('/') && !container.starts_with("./");
}

std::string directive(const std::vector<std::string>& directives, std::string_view key)
{
    std::string found;
    for (const std::string& each : directives)
        if (each.starts_with(std::string(key) + '='))
            found = each.substr(key.size() + 1);
    return found;
}

/// Sections: a line "@@ name" begins one, "@@@ code" ends it with the exit code of what was asked.
struct Section {
    std::string text;
    int code = 0;
};
std::map<std::string, Section, std::less<>> sectionsOf(std::string_view out)
{
    std::map<std::string, Section, std::less<>> sections;
    Section* open = nullptr;
    for (const std::string_view line : base::splitAt(out, '\n')) {
        if (line.starts_with("@@@ ")) {
            if (open)
                open->code = static_cast<int>(base::integerOf(line.substr(4)).value_or(-1));
            open = nullptr;
        } else if (line.starts_with("@@ ")) {
            open = &sections[std::string(line.substr(3))];
        } else if (open) {
            open->text += std::string(line) + '\n';
        }
    }
    return sections;
}

void ask(std::string& script, const std::string& name, const std::string& command)
{
    script += "echo '@@ " + name + "'\n{ " + command + "; } 2>&1 </dev/null\nprintf '\\n@@@ %s\\n' $?\n";
}

std::string testScript(const PreflightNeeds::Request& request)
{
    std::string script = "#!/bin/sh\n";
    for (const std::string& each : request.directives)
        script += each == "hetjob" ? "#SBATCH hetjob\n" : "#SBATCH --" + each + '\n';
    return script + "true\n";
}

class Findings
{
public:
    Findings(Location location, std::vector<PreflightCheck>& out)
        : m_location(location)
        , m_out(out)
    {
    }
    void add(std::string id, CheckState state, std::string subject, std::string message)
    {
        m_out.push_back({std::move(id), m_location, state, std::move(subject), std::move(message)});
    }

private:
    Location m_location;
    std::vector<PreflightCheck>& m_out;
};

const Section* sectionOf(const std::map<std::string, Section, std::less<>>& sections, std::string_view name)
{
    const auto at = sections.find(name);
    return at == sections.end() ? nullptr : &at->second;
}

std::string firstLine(const std::string& text)
{
    const std::string_view trimmed = base::trimmed(text);
    return std::string(trimmed.substr(0, std::min(trimmed.find('\n'), trimmed.size())));
}

/// GPUs of one node by its gres: "gpu:h100:4(S:0-1)" -> 4. Nothing when the text has no count.
std::optional<std::int64_t> gpusOf(std::string_view gres)
{
    std::optional<std::int64_t> sum;
    for (std::string_view part : base::splitAt(gres, ',')) {
        if (!part.starts_with("gpu"))
            continue;
        part = part.substr(0, std::min(part.find('('), part.size()));
        const std::size_t colon = part.rfind(':');
        const auto count = colon == std::string_view::npos ? std::optional<std::int64_t>(1) : base::integerOf(part.substr(colon + 1));
        sum = sum.value_or(0) + count.value_or(1);
    }
    return sum;
}

void judgePartition(Findings& out, PreflightNeeds::Request request, const std::vector<Pairs>& partitions, const Section* nodes)
{
    // Of several Slurm takes the one that starts the job first: each is judged by itself.
    if (const std::vector<std::string_view> names = base::splitAt(request.partition, ','); names.size() > 1) {
        const std::string all = request.partition;
        for (const std::string_view name : base::splitAt(all, ',')) {
            request.partition = base::trimmed(name);
            if (!request.partition.empty())
                judgePartition(out, request, partitions, nodes);
        }
        return;
    }
    const auto at = std::find_if(partitions.begin(), partitions.end(), [&](const Pairs& each) {
        const auto field = each.find(request.partition.empty() ? "Default" : "PartitionName");
        return field != each.end() && field->second == (request.partition.empty() ? "YES" : request.partition);
    });
    const std::string subject = request.partition.empty() ? "(the default partition)" : request.partition;
    if (at == partitions.end()) {
        std::string known;
        for (const Pairs& each : partitions)
            if (const auto field = each.find("PartitionName"); field != each.end())
                known += (known.empty() ? "" : ", ") + field->second;
        out.add("partition", partitions.empty() ? CheckState::Unknown : CheckState::Absent, subject,
                partitions.empty() ? "The partitions cannot be listed."
                                   : "There is no such partition; there are " + known + ". Set slurm.partition.");
        return;
    }
    const auto field = [&](std::string_view key) {
        const auto found = at->find(key);
        return found == at->end() ? std::string() : found->second;
    };
    const std::string name = field("PartitionName");
    if (field("State") != "UP")
        out.add("partition", CheckState::Warning, name, "The partition is " + field("State") + "; jobs wait until it is UP.");
    else
        out.add("partition", CheckState::Ok, name, "The partition is up.");
    const auto limit = limitMinutes(field("MaxTime"));
    const auto wanted = limitMinutes(request.timeLimit);
    if (limit && wanted && *wanted > *limit)
        out.add("time-limit", CheckState::Absent, request.timeLimit,
                "The partition " + inQuotes(name) + " allows " + field("MaxTime") + "; lower slurm.time_limit.");
    else
        out.add("time-limit", wanted ? CheckState::Ok : CheckState::Unknown, request.timeLimit,
                wanted ? "Within the partition's " + field("MaxTime") + "." : "The time limit is no time as Slurm writes it.");
    if (!nodes || nodes->code != 0)
        return;
    std::int64_t fitting = 0;
    std::int64_t all = 0;
    for (const std::string_view line : base::splitAt(nodes->text, '\n')) {
        const std::vector<std::string_view> words = base::splitAt(line, '|');
        if (words.size() != 4 || words[0] != name)
            continue;
        const std::int64_t count = base::integerOf(words[1]).value_or(0);
        all += count;
        if (gpusOf(words[2]).value_or(0) >= request.gpusPerNode)
            fitting += count;
    }
    const std::string subjectNodes = std::to_string(request.nodes) + (request.nodes == 1 ? " node" : " nodes");
    if (request.nodes > all)
        out.add("nodes", CheckState::Absent, subjectNodes, "The partition " + inQuotes(name) + " has " + std::to_string(all) + ".");
    else
        out.add("nodes", CheckState::Ok, subjectNodes, "The partition " + inQuotes(name) + " has " + std::to_string(all) + ".");
    if (request.gpusPerNode <= 0)
        return;
    const std::string subjectGpus = std::to_string(request.gpusPerNode) + " GPUs on a node";
    if (request.nodes > fitting)
        out.add("gpus", CheckState::Warning, subjectGpus,
                std::to_string(fitting) + " nodes of the partition " + inQuotes(name) +
                    " show so many; Slurm may not count GPUs there (then set use_gpus_per_node_directive: false).");
    else
        out.add("gpus", CheckState::Ok, subjectGpus, std::to_string(fitting) + " nodes of the partition " + inQuotes(name) + " have them.");
}

void judgeAccount(Findings& out, const PreflightNeeds::Request& request, const Section* associations)
{
    if (request.account.empty() && request.qos.empty())
        return;
    if (!associations || associations->code != 0 || base::trimmed(associations->text).empty()) {
        out.add("account", CheckState::Unknown, request.account, "This cluster does not tell which accounts a user has.");
        return;
    }
    bool hasAccount = false;
    bool hasQos = request.qos.empty();
    for (const std::string_view line : base::splitAt(associations->text, '\n')) {
        const std::vector<std::string_view> words = base::splitAt(base::trimmed(line), '|');
        if (words.size() < 3)
            continue;
        const bool isOurs = (request.account.empty() || words[0] == request.account) &&
                            (words[1].empty() || request.partition.empty() || words[1] == request.partition);
        hasAccount = hasAccount || isOurs;
        if (isOurs && !hasQos) {
            const std::vector<std::string_view> names = base::splitAt(words[2], ',');
            hasQos = std::find(names.begin(), names.end(), request.qos) != names.end();
        }
    }
    if (!request.account.empty())
        out.add("account", hasAccount ? CheckState::Ok : CheckState::Absent, request.account,
                hasAccount ? "This user has that account." : "This user has no such account for that partition; set slurm.account.");
    if (!request.qos.empty())
        out.add("qos", hasQos ? CheckState::Ok : CheckState::Absent, request.qos,
                hasQos ? "The account may use that QOS." : "The account may not use that QOS; change qos in sbatch_directives.");
}

void judgeTest(Findings& out, const Section* test)
{
    const std::string subject = "sbatch --test-only";
    if (!test || test->code == 127) {
        out.add("test-only", CheckState::Unknown, subject, "sbatch was not asked.");
        return;
    }
    const TestOnly answer = readTestOnly(test->text, test->code);
    if (answer.isAccepted) {
        out.add("test-only", CheckState::Ok, subject, "Slurm would take it; expected start " + answer.start + '.');
        return;
    }
    const SlurmError* row = explained(answer.words);
    out.add("test-only", row && !row->isRefusal ? CheckState::Unknown : CheckState::Absent, subject,
            "Slurm says: " + base::printable(firstLine(answer.words)) + (row ? " " + std::string(row->explanation) : std::string()));
}

void judgeFolder(Findings& out, const PreflightNeeds& needs, const Section* folder, const Section* disk)
{
    if (!folder || folder->code != 0) {
        out.add("remote-folder", CheckState::Absent, needs.remoteFolder,
                "It cannot be written to: " + base::printable(folder ? firstLine(folder->text) : std::string()));
        return;
    }
    out.add("remote-folder", CheckState::Ok, needs.remoteFolder, "It can be written to.");
    // df -Pk: the last line's fourth column is what is free, in KiB.
    const std::string_view text = disk ? base::trimmed(disk->text) : std::string_view();
    const std::string_view line = text.substr(text.rfind('\n') == std::string_view::npos ? 0 : text.rfind('\n') + 1);
    std::vector<std::string_view> words;
    for (const std::string_view word : base::splitAt(line, ' '))
        if (!word.empty())
            words.push_back(word);
    const auto kib = words.size() >= 4 ? base::integerOf(words[3]) : std::nullopt;
    if (!kib) {
        out.add("disk-space", CheckState::Unknown, needs.remoteFolder, "The free space cannot be read.");
        return;
    }
    constexpr std::int64_t comfortable = 1 << 20; // 1 GiB in KiB: logs and results of a run
    const std::int64_t needed = static_cast<std::int64_t>(needs.uploadBytes >> 10U) + 1;
    const std::string said = std::to_string(*kib >> 10) + " MiB are free.";
    out.add("disk-space", *kib < needed ? CheckState::Absent : (*kib < comfortable ? CheckState::Warning : CheckState::Ok),
            needs.remoteFolder, said);
}

/// "srtctl 2.1.0" -> "2"
std::string majorVersion(std::string_view text)
{
    const std::size_t at = text.find_first_of("0123456789");
    if (at == std::string_view::npos)
        return {};
    const std::string_view rest = text.substr(at);
    const std::size_t dot = rest.find('.');
    return dot == std::string_view::npos ? std::string() : std::string(rest.substr(0, dot));
}

void judgeSrtctl(Findings& out, const PreflightNeeds& needs, const Section* srtctl)
{
    if (needs.srtctl.empty())
        return;
    if (!srtctl || srtctl->code != 0) {
        out.add("srtctl", CheckState::Absent, needs.srtctl,
                "It does not run there: " + base::printable(srtctl ? firstLine(srtctl->text) : std::string()) +
                    " Set \"srtctl\" or \"preamble\" in the profile, or use the portable launcher.");
        return;
    }
    const std::string version = firstLine(srtctl->text);
    const std::string major = majorVersion(version);
    if (major.empty() || needs.packVersion.empty())
        out.add("srtctl", CheckState::Unknown, needs.srtctl, "It runs, but which recipe language it reads is not known.");
    else if ((major == "0" || major == "1" ? "1" : major) != needs.packVersion)
        out.add("srtctl", CheckState::Warning, needs.srtctl,
                base::printable(version) + " is there, and the recipe is in schema " + needs.packVersion + ".");
    else
        out.add("srtctl", CheckState::Ok, needs.srtctl, base::printable(version) + " reads schema " + needs.packVersion + ".");
}

void judgeClusterFile(Findings& out, const PreflightNeeds& needs, const Section* file)
{
    if (needs.remoteClusterFile.empty())
        return;
    if (!file || file->code != 0) {
        out.add("cluster-file", CheckState::Absent, needs.remoteClusterFile,
                "The cluster file is not there; srtctl would take another or none.");
        return;
    }
    const std::string hash = firstLine(file->text).substr(0, 64);
    if (needs.clusterSha256.empty())
        out.add("cluster-file", CheckState::Warning, needs.remoteClusterFile, "It is there, and recipes are checked without it here.");
    else if (hash != needs.clusterSha256)
        out.add("cluster-file", CheckState::Warning, needs.remoteClusterFile,
                "It differs from the one that recipes are checked against here (SHA-256 " + hash.substr(0, 12) + " there, " +
                    needs.clusterSha256.substr(0, 12) + " here).");
    else
        out.add("cluster-file", CheckState::Ok, needs.remoteClusterFile, "It is the same as here.");
}

void judgePaths(Findings& out, const PreflightNeeds& needs, const std::map<std::string, Section, std::less<>>& sections, bool isCompute)
{
    for (std::size_t i = 0; i < needs.paths.size(); ++i) {
        const Section* section = sectionOf(sections, "path" + std::to_string(i));
        const PreflightNeeds::Path& path = needs.paths[i];
        if (!section)
            out.add(path.id, CheckState::Unknown, path.path, "It was not looked for.");
        else if (section->code == 0)
            out.add(path.id, CheckState::Ok, path.path, isCompute ? "The compute node sees it." : "The login node sees it.");
        else if (isCompute)
            out.add(path.id, CheckState::Absent, path.path, "The compute node does not see it.");
        else
            out.add(path.id, CheckState::Unknown, path.path,
                    "The login node does not see it; it may be on the nodes' own disks (--compute looks there).");
    }
}

std::string pathTests(const PreflightNeeds& needs)
{
    std::string script;
    for (std::size_t i = 0; i < needs.paths.size(); ++i)
        ask(script, "path" + std::to_string(i), "[ -r " + shellQuoted(needs.paths[i].path) + " ]");
    return script;
}

void askNodes(Transport& transport, const PreflightNeeds& needs, std::vector<PreflightCheck>& checks, const std::stop_token& stop)
{
    if (needs.paths.empty() || needs.requests.empty())
        return;
    Findings out(Location::Compute, checks);
    const PreflightNeeds::Request& request = needs.requests.front();
    std::vector<std::string> words = {"srun", "--nodes=1", "--ntasks=1", "--time=2", "--immediate=30", "--quiet"};
    if (!request.partition.empty())
        words.push_back("--partition=" + request.partition);
    if (!request.account.empty())
        words.push_back("--account=" + request.account);
    RemoteCommand command;
    command.title = "look at paths on a compute node";
    command.timeout = std::chrono::milliseconds(90'000);
    command.script =
        slurmPrelude(needs.preamble) + base::shellCommand(words) + " /bin/sh -c " + shellQuoted(pathTests(needs)) + " </dev/null";
    const auto outcome = transport.run(command, stop);
    if (!outcome || outcome->exitCode != 0) {
        out.add("compute-node", CheckState::Unknown, request.partition,
                "No compute node answered: " + (outcome ? base::printable(firstLine(outcome->err)) : std::string(outcome.error().message)));
        return;
    }
    judgePaths(out, needs, sectionsOf(outcome->out), true);
}

} // namespace

std::string_view name(Location location)
{
    return locationNames[static_cast<std::size_t>(location)];
}

std::string_view name(CheckState state)
{
    return stateNames[static_cast<std::size_t>(state)];
}

void addNeeds(PreflightNeeds& needs, const recipe::Job& job, const recipe::Cluster& cluster)
{
    PreflightNeeds::Request request;
    request.directives = render::directives(job, cluster);
    request.partition = directive(request.directives, "partition");
    request.account = directive(request.directives, "account");
    request.qos = directive(request.directives, "qos");
    request.timeLimit = plan::timeLimit(job);
    for (const std::int64_t nodes : plan::allocation(job))
        request.nodes += nodes;
    if (cluster.gpusPerNodeDirective)
        request.gpusPerNode = job.resources.gpusPerNode;
    // The log's folder is made by the submission, and names may differ: neither matters to Slurm's answer.
    std::erase_if(request.directives, [](const std::string& each) { return each.starts_with("output=") || each.starts_with("job-name="); });
    addOnce(needs.requests, std::move(request));

    if (plan::isFetchedModel(job)) {
        addOnce(needs.known, {"model", Location::Compute, CheckState::Unknown, job.modelPath, "The job fetches the model by its id."});
    } else if (const std::string path = plan::modelSource(job); path.starts_with('/') && path.find('$') == std::string::npos) {
        addOnce(needs.paths, {"model", path});
    } else {
        addOnce(needs.known,
                {"model", Location::Login, CheckState::Unknown, job.modelPath, "Where it is becomes clear on the cluster only."});
    }
    if (isImageName(job.container))
        addOnce(needs.known, {"container", Location::Compute, CheckState::Unknown, job.container, "An image name: the nodes fetch it."});
    else if (job.container.starts_with('/') && job.container.find('$') == std::string::npos)
        addOnce(needs.paths, {"container", job.container});
    else if (!job.container.empty())
        addOnce(needs.known,
                {"container", Location::Login, CheckState::Unknown, job.container, "Where it is becomes clear on the cluster only."});
    for (const render::Mount& mount : render::mounts(job, cluster)) {
        const bool isKnown = mount.host.starts_with('/') && mount.host.find_first_of("$<{") == std::string::npos;
        const bool isModel = !plan::isFetchedModel(job) && mount.host == plan::modelSource(job);
        if (isKnown && !isModel && mount.source.find("mount") != std::string::npos)
            addOnce(needs.paths, {"mount", mount.host});
    }
}

std::vector<PreflightCheck> preflight(Transport& transport, const PreflightNeeds& needs, std::stop_token stop)
{
    std::vector<PreflightCheck> checks = needs.known;
    RemoteCommand command;
    command.title = "preflight";
    command.timeout = std::chrono::milliseconds(180'000);
    command.idle = std::chrono::milliseconds(120'000);
    command.script = slurmPrelude(needs.preamble);
    const std::string folder = folderWord(needs.remoteFolder);
    ask(command.script, "version", "sinfo -V");
    ask(command.script, "partitions", "scontrol -o show partition");
    ask(command.script, "nodes", "sinfo -h -e -o '%R|%D|%G|%l'");
    ask(command.script, "associations", "sacctmgr -nP show assoc user=\"$(id -un)\" format=account,partition,qos");
    // The folder is made by the submission; here only the nearest one that is there is looked at.
    command.script += "folder=" + folder +
                      "\nwhile [ ! -d \"$folder\" ] && [ \"$folder\" != / ] && [ -n \"$folder\" ]; do "
                      "folder=$(dirname -- \"$folder\"); done\n";
    ask(command.script, "folder", "[ -w \"$folder\" ] || { ls -ld -- \"$folder\"; false; }");
    ask(command.script, "disk", "df -Pk -- \"$folder\"");
    ask(command.script, "sha256sum", "sha256sum </dev/null");
    if (!needs.srtctl.empty())
        ask(command.script, "srtctl", shellQuoted(needs.srtctl) + " --version");
    if (!needs.remoteClusterFile.empty())
        ask(command.script, "cluster-file", "sha256sum <" + folderWord(needs.remoteClusterFile));
    command.script += pathTests(needs);
    for (std::size_t i = 0; i < needs.requests.size(); ++i)
        ask(command.script, "test" + std::to_string(i),
            "printf %s " + shellQuoted(testScript(needs.requests[i])) + " | sbatch --test-only --output=/dev/null");
    const auto outcome = transport.run(command, stop);
    Findings out(Location::Login, checks);
    if (!outcome) {
        out.add("connection", CheckState::Absent, transport.host(), outcome.error().message);
        return checks;
    }
    out.add("connection", CheckState::Ok, transport.host(), "The login node answers.");
    const auto sections = sectionsOf(outcome->out);
    const Section* version = sectionOf(sections, "version");
    if (!version || version->code != 0) {
        out.add("slurm", CheckState::Absent, "sinfo",
                "Slurm's commands are not there: " + base::printable(version ? firstLine(version->text) : std::string()) +
                    " Set \"preamble\" in the profile.");
    } else {
        out.add("slurm", CheckState::Ok, base::printable(firstLine(version->text)), "Slurm's commands are there.");
        const Section* partitions = sectionOf(sections, "partitions");
        const std::vector<Pairs> known = partitions && partitions->code == 0 ? readScontrol(partitions->text) : std::vector<Pairs>();
        for (std::size_t i = 0; i < needs.requests.size(); ++i) {
            judgePartition(out, needs.requests[i], known, sectionOf(sections, "nodes"));
            judgeAccount(out, needs.requests[i], sectionOf(sections, "associations"));
            judgeTest(out, sectionOf(sections, "test" + std::to_string(i)));
        }
    }
    judgeFolder(out, needs, sectionOf(sections, "folder"), sectionOf(sections, "disk"));
    const Section* sum = sectionOf(sections, "sha256sum");
    if (!sum || sum->code != 0)
        out.add("sha256sum", CheckState::Absent, "sha256sum", "What is sent cannot be verified: the program is not there.");
    judgeSrtctl(out, needs, sectionOf(sections, "srtctl"));
    judgeClusterFile(out, needs, sectionOf(sections, "cluster-file"));
    judgePaths(out, needs, sections, false);
    if (needs.asksNodes)
        askNodes(transport, needs, checks, stop);
    return checks;
}

} // namespace wb::remote
