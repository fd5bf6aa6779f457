#include "core/recipe/textrules.h"

#include "core/base/text.h"
#include "core/recipe/formattext.h"
#include "core/recipe/rulewords.h"

#include <algorithm>
#include <array>
#include <span>

namespace wb::recipe {

using syntax::Diagnostic;
using syntax::Member;
using syntax::Severity;
using syntax::ValuePtr;

namespace {

constexpr std::array<std::string_view, 2> optionMaps = {"sbatch_directives", "srun_options"};
constexpr std::array<std::string_view, 6> environmentMaps = {
    "environment",  "backend.prefill_environment", "backend.decode_environment", "backend.aggregated_environment", "frontend.env",
    "benchmark.env"};

/// The entries of a mapping of texts; none when it is absent.
std::span<const Member> entries(const RuleFindings& findings, std::string_view path)
{
    const ValuePtr map = findings.at(path);
    return map ? std::span<const Member>(map->members) : std::span<const Member>();
}

bool isVariableName(std::string_view name)
{
    const auto isPart = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; };
    return !name.empty() && !(name.front() >= '0' && name.front() <= '9') && std::all_of(name.begin(), name.end(), isPart);
}

/// The first blank that no quote of the text itself protects.
bool hasBareBlank(std::string_view text)
{
    char quote = 0;
    for (const char c : text) {
        if (quote != 0)
            quote = c == quote ? '\0' : quote;
        else if (c == '"' || c == '\'')
            quote = c;
        else if (c == ' ' || c == '\t')
            return true;
    }
    return false;
}

/// Where a template stands: at the key or at the value of an entry.
struct Templated {
    std::string_view path;
    const Member* member;
    bool isKey;

    [[nodiscard]] std::string_view text() const { return isKey ? std::string_view(member->key) : std::string_view(member->value->text); }
    Diagnostic& report(RuleFindings& findings, Severity severity, std::string message) const
    {
        return isKey ? findings.reportKey(path, *member, severity, std::move(message))
                     : findings.reportValue(path, *member, severity, std::move(message));
    }
};

void checkWorkerTemplate(RuleFindings& findings, const Templated& at)
{
    using Kind = FormatPart::Kind;
    for (const FormatPart& part : formatParts(at.text())) {
        const std::string what = base::inQuotes(part.text);
        switch (part.kind) {
        case Kind::Name: // {node} and {node_id} are filled in, other names stay as they are
            continue;
        case Kind::Doubled:
            at.report(findings, Severity::Warning, "srtctl reads this value as a template, in which " + what + " shrinks to one brace.");
            break;
        case Kind::Narrowed:
            at.report(findings, Severity::Warning,
                      "srtctl reads this value as a template and does not keep " + what + " as it is written.");
            break;
        default:
            at.report(findings, Severity::Error,
                      "srtctl reads this value as a template and fails at " + what +
                          " when it starts the workers; only {node} and {node_id} are known, and a literal brace is written twice.");
            break;
        }
        return; // the first one tells
    }
}

void checkUntemplated(RuleFindings& findings, std::string_view map, const Member& entry, std::string_view who)
{
    for (const std::string_view name : {"{node}", "{node_id}"}) {
        if (entry.value->text.find(name) != std::string::npos)
            findings.reportValue(map, entry, Severity::Warning,
                                 "\"" + std::string(name) + "\" stays as it is: " + std::string(who) + " get no template filled in.");
    }
}

} // namespace

void checkName(RuleFindings& findings)
{
    const std::string& name = findings.job().name;
    if (base::trimmed(name).empty()) {
        findings.report("name", Severity::Error, "The job has an empty name; Slurm and the folder of the run need one.");
        return;
    }
    if (base::hasControlCharacter(name)) {
        findings.report("name", Severity::Error,
                        "The name holds a line break or another control character, which cuts its #SBATCH line in two.");
        return;
    }
    const syntax::ValuePtr written = findings.at("name");
    if (written && written->layer == syntax::Layer::Sweep && name.find('/') != std::string::npos) {
        findings.report("name", Severity::Error,
                        "The name of a job of this sweep holds a \"/\" from one of its values; srtctl names a folder after it and fails.");
        return;
    }
    const auto isUnsafe = [](char c) {
        return static_cast<unsigned char>(c) < 0x21 || std::string_view("'\"`$\\;&|<>()*?!#~/").find(c) != std::string_view::npos;
    };
    const auto unsafe = std::find_if(name.begin(), name.end(), isUnsafe);
    if (unsafe != name.end()) {
        const std::string what = *unsafe == ' ' ? "a blank" : base::inQuotes(std::string_view(&*unsafe, 1));
        findings.report(
            "name", Severity::Warning,
            "The name holds " + what +
                ", which #SBATCH lines, folder names and shells do not take as it is; use letters, digits, \"-\", \"_\" and \".\".");
    }
}

void checkDirectiveNames(RuleFindings& findings)
{
    for (const std::string_view map : optionMaps) {
        for (const Member& entry : entries(findings, map)) {
            const std::size_t dashes = std::min(entry.key.find_first_not_of('-'), entry.key.size());
            if (base::hasControlCharacter(entry.key) || entry.key.empty()) {
                findings.reportKey(map, entry, Severity::Error,
                                   base::inQuotes(entry.key) +
                                       " is no name of an option; such a name is letters, digits and dashes, without line breaks.");
            } else if (dashes > 0) {
                const std::string bare = entry.key.substr(dashes);
                Diagnostic& problem = findings.reportKey(map, entry, Severity::Error,
                                                         "The dashes are written by srtctl: " + base::inQuotes(entry.key) +
                                                             " becomes \"--" + entry.key + "\", which is no option.");
                if (!bare.empty() && !entry.keyRange.isEmpty())
                    problem.fixes.push_back({"Change to \"" + bare + "\"", {{entry.keyRange, bare}}});
            } else if (entry.key.find_first_of(" =") != std::string::npos) {
                findings.reportKey(map, entry, Severity::Error,
                                   base::inQuotes(entry.key) + " is no name of an option; its value belongs behind the colon.");
            }
        }
    }
}

void checkDirectiveValues(RuleFindings& findings)
{
    for (const std::string_view path : {"slurm.account", "slurm.partition", "slurm.time_limit"}) {
        const std::string text = textAt(findings, path);
        if (base::hasControlCharacter(text))
            findings.report(path, Severity::Error,
                            "\"" + std::string(path) +
                                "\" holds a line break or another control character, which cuts its #SBATCH line in two.");
        else if (hasBareBlank(text))
            findings.report(path, Severity::Warning,
                            "sbatch ends \"" + std::string(path) + "\" at its first blank, as srtctl writes it without quotes.");
    }
    for (const Member& entry : entries(findings, "srun_options")) {
        if (base::hasControlCharacter(entry.value->text))
            findings.reportValue("srun_options", entry, Severity::Error,
                                 "The value of " + base::inQuotes(entry.key) +
                                     " holds a line break or another control character, which no option of srun takes.");
    }
    for (const Member& entry : entries(findings, "sbatch_directives")) {
        const std::string& text = entry.value->text;
        if (base::hasControlCharacter(text)) {
            findings.reportValue("sbatch_directives", entry, Severity::Error,
                                 "The value of " + base::inQuotes(entry.key) +
                                     " holds a line break or another control character, which cuts its #SBATCH line in two.");
        } else if (hasBareBlank(text)) {
            Diagnostic& problem =
                findings.reportValue("sbatch_directives", entry, Severity::Warning,
                                     "sbatch ends the value of " + base::inQuotes(entry.key) +
                                         " at its first blank, as srtctl writes it without quotes; put double quotes inside the value.");
            if (!entry.value->range.isEmpty() && text.find_first_of("\"'") == std::string::npos)
                problem.fixes.push_back({"Quote it for sbatch", {{entry.value->range, "'\"" + text + "\"'"}}});
        }
    }
}

void checkOwnDirectives(RuleFindings& findings)
{
    constexpr std::array<std::string_view, 5> own = {"job-name", "output", "nodes", "ntasks", "ntasks-per-node"};
    for (const Member& entry : entries(findings, "sbatch_directives")) {
        if (std::find(own.begin(), own.end(), entry.key) != own.end())
            findings.reportKey("sbatch_directives", entry, Severity::Warning,
                               "srtctl writes --" + entry.key +
                                   " from the recipe itself and counts on it; this directive comes last and wins.");
    }
}

void checkEnvironmentNames(RuleFindings& findings)
{
    for (const std::string_view map : environmentMaps) {
        for (const Member& entry : entries(findings, map)) {
            if (!isVariableName(entry.key))
                findings.reportKey(map, entry, Severity::Error,
                                   base::inQuotes(entry.key) +
                                       " cannot be exported: a variable is called by letters, digits and \"_\", and begins with no digit.");
            if (entry.value->text.find('\0') != std::string::npos)
                findings.reportValue(map, entry, Severity::Error,
                                     "The value of " + base::inQuotes(entry.key) + " holds a NUL byte, at which every program ends it.");
        }
    }
}

void checkEnvironmentTemplates(RuleFindings& findings)
{
    // The TensorRT-LLM workers, the frontends and the benchmark get their variables as they are.
    const bool isTemplated = findings.job().backend.type != "trtllm";
    for (const std::string_view map : environmentMaps) {
        const bool isOfWorkers = map != "frontend.env" && map != "benchmark.env";
        for (const Member& entry : entries(findings, map)) {
            if (entry.value->text.find_first_of("{}") == std::string::npos)
                continue;
            if (!isOfWorkers)
                checkUntemplated(findings, map, entry, map == "frontend.env" ? "frontends" : "benchmark steps");
            else if (isTemplated)
                checkWorkerTemplate(findings, {map, &entry, false});
            else
                checkUntemplated(findings, map, entry, "TensorRT-LLM workers");
        }
    }
}

void checkMountTemplates(RuleFindings& findings)
{
    constexpr std::array<std::string_view, 7> names = {"job_id",     "run_name",        "head_node_ip", "log_dir",
                                                       "model_path", "container_image", "gpus_per_node"};
    const auto check = [&](const Templated& at) {
        using Kind = FormatPart::Kind;
        for (const FormatPart& part : formatParts(at.text())) {
            if (part.kind == Kind::Doubled || part.kind == Kind::Narrowed)
                continue;
            const bool isKnown = part.kind == Kind::Name && std::find(names.begin(), names.end(), part.name) != names.end();
            if (isKnown)
                continue;
            const bool isVariable = part.text.data() != at.text().data() && part.text.data()[-1] == '$';
            std::string message = "The job fails at " + base::inQuotes(part.text) + " in this mount: ";
            if (isVariable)
                message += "braces are a template here, so a variable is written $" + std::string(part.name) + ".";
            else if (part.kind == Kind::Name)
                message += "the names that are filled in are job_id, run_name, head_node_ip, log_dir, model_path, container_image and "
                           "gpus_per_node.";
            else
                message += "braces are a template here, and a literal one is written twice.";
            const std::string_view near = part.kind == Kind::Name ? base::nearestName(part.name, names) : std::string_view();
            if (!near.empty() && !isVariable)
                message.insert(message.size() - 1, "; did you mean \"" + std::string(near) + "\"?");
            if (message.ends_with("?."))
                message.pop_back();
            at.report(findings, Severity::Error, std::move(message));
            return;
        }
    };
    for (const Member& entry : entries(findings, "container_mounts")) {
        check({"container_mounts", &entry, true});
        check({"container_mounts", &entry, false});
    }
}

void checkMountPaths(RuleFindings& findings)
{
    for (const Member& entry : entries(findings, "container_mounts")) {
        if (entry.key.find_first_of(":,") != std::string::npos)
            findings.reportKey("container_mounts", entry, Severity::Error,
                               "The path " + base::inQuotes(entry.key) +
                                   " holds a \":\" or \",\", at which srun would cut its list of mounts.");
        if (entry.value->text.find(',') != std::string::npos)
            findings.reportValue("container_mounts", entry, Severity::Error,
                                 "The path " + base::inQuotes(entry.value->text) +
                                     " holds a \",\", at which srun would cut its list of mounts.");
    }
}

void checkExtraMounts(RuleFindings& findings)
{
    const std::vector<std::string>& mounts = findings.job().extraMounts;
    for (std::size_t i = 0; i < mounts.size(); ++i) {
        const std::string& mount = mounts[i];
        const std::size_t colon = mount.find(':');
        const auto report = [&](std::string message) -> Diagnostic& {
            return findings.reportItem("extra_mount", i, Severity::Error, std::move(message));
        };
        if (colon == std::string::npos) {
            Diagnostic& problem = report("The mount " + base::inQuotes(mount) +
                                         " has no \":\"; it is \"host path:container path\", and the job fails without it.");
            if (!mount.starts_with('/') || problem.range.isEmpty())
                continue;
            std::string both = "\"";
            both.append(mount).append(":").append(mount).append("\"");
            problem.fixes.push_back({"Mount it at the same path", {{problem.range, std::move(both)}}});
        } else if (colon == 0 || colon + 1 == mount.size() || mount[colon + 1] == ':') {
            report("The mount " + base::inQuotes(mount) + " lacks its " + (colon == 0 ? "host" : "container") + " path.");
        } else if (mount.find(',') != std::string::npos) {
            report("The mount " + base::inQuotes(mount) + " holds a \",\", at which srun would cut its list of mounts.");
        }
    }
}

void checkCommandTemplates(RuleFindings& findings)
{
    if (findings.job().benchmark.type != "custom")
        return;
    constexpr std::array<std::string_view, 9> names = {"nginx_url", "frontend_url", "host",    "port",        "index",
                                                       "job_id",    "log_dir",      "node_id", "head_node_ip"};
    const std::string command = textAt(findings, "benchmark.command");
    for (const std::string_view name : names) {
        const std::string braced = "{" + std::string(name) + "}";
        const std::size_t found = command.find(braced);
        if (found == std::string::npos || (found > 0 && (command[found - 1] == '$' || command[found - 1] == '{')))
            continue;
        findings.report("benchmark.command", Severity::Warning,
                        "Nothing fills in \"" + braced +
                            "\" in a benchmark command; the step finds the address in $SRT_FRONTEND_HOST and $SRT_FRONTEND_PORT.");
        return;
    }
}

} // namespace wb::recipe
