#include "core/recipe/rules.h"

#include "core/base/text.h"
#include "core/recipe/flagrules.h"

#include <algorithm>
#include <array>

namespace wb::recipe {

using syntax::Code;
using syntax::Diagnostic;
using syntax::Severity;
using syntax::ValuePtr;

namespace {

void checkName(RuleFindings& findings)
{
    const std::string& name = findings.job().name;
    if (base::trimmed(name).empty()) {
        findings.report("name", Severity::Error, "The job has an empty name; Slurm and the folder of the run need one.");
        return;
    }
    if (name.find_first_of("\n\r\t") != std::string::npos) {
        findings.report("name", Severity::Error, "The name holds a line break or a tab, which cuts its #SBATCH line in two.");
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

void checkTopology(RuleFindings& findings)
{
    const Resources& resources = findings.job().resources;
    const bool hasNone = !resources.prefillNodes && !resources.decodeNodes && !resources.aggNodes && !resources.prefillWorkers &&
                         !resources.decodeWorkers && !resources.aggWorkers;
    if (hasNone) {
        findings.report("resources", Severity::Error,
                        "\"resources\" says neither how many nodes nor how many workers; set agg_nodes and agg_workers, or the prefill and "
                        "decode ones.");
        return;
    }
    if (!resources.isDisaggregated() && resources.aggWorkers.value_or(0) == 0)
        findings.report("resources.agg_workers", Severity::Error, "No worker is asked for: \"resources.agg_workers\" must be at least 1.");
    const bool lacksWorkers =
        resources.isDisaggregated() && resources.prefillWorkers.value_or(0) == 0 && resources.decodeWorkers.value_or(0) == 0;
    if (lacksWorkers)
        findings.report("resources.prefill_workers", Severity::Error,
                        "No worker is asked for: \"resources.prefill_workers\" and \"resources.decode_workers\" are both 0 or absent.");
}

bool isSlurmBenchmark(const Job& job)
{
    return job.benchmark.type == "sa-bench";
}

void checkConcurrencies(RuleFindings& findings)
{
    const ValuePtr written = findings.at("benchmark.concurrencies");
    if (!written || written->isNull() || !findings.job().benchmark.concurrencies.empty())
        return;
    if (written->isSequence())
        findings.report("benchmark.concurrencies", Severity::Error, "\"benchmark.concurrencies\" is an empty list.");
    else
        findings.report("benchmark.concurrencies", Severity::Error,
                        "\"benchmark.concurrencies\" is " + syntax::shown(*written) +
                            "; write a list such as [4, 8], or numbers with an x between them (\"4x8\").");
}

void checkSaBench(RuleFindings& findings)
{
    if (!isSlurmBenchmark(findings.job()))
        return;
    const auto isAbsent = [&](std::string_view key) {
        const ValuePtr value = findings.at("benchmark." + std::string(key));
        return !value || value->isNull();
    };
    const ValuePtr dataset = findings.at("benchmark.dataset_name");
    const bool isCustom = dataset && dataset->text == "custom";
    std::vector<std::string> missing;
    for (const std::string_view key : {"concurrencies", "isl", "osl"}) {
        if (isAbsent(key) && (key == "concurrencies" || !isCustom))
            missing.emplace_back(key);
    }
    if (isCustom && isAbsent("dataset_path"))
        missing.emplace_back("dataset_path");
    if (!missing.empty())
        findings.report("benchmark.type", Severity::Error,
                        "The benchmark \"sa-bench\" also needs " + base::joined(missing, ", ") +
                            "; without them the job fails once its workers are up.");
}

} // namespace

RuleFindings::Place RuleFindings::placeOf(std::string_view path) const
{
    Place out;
    for (std::string_view here = path; out.range.isEmpty();) {
        const ValuePtr value = at(here);
        const std::size_t dot = here.rfind('.');
        const ValuePtr parent = dot == std::string_view::npos ? m_job.config : at(here.substr(0, dot));
        const syntax::Member* member = parent ? parent->member(dot == std::string_view::npos ? here : here.substr(dot + 1)) : nullptr;
        // A whole block is not underlined: its key stands for it.
        if (value && value->isScalar() && !value->range.isEmpty())
            out.range = value->range;
        else if (member)
            out.range = member->keyRange;
        if (value)
            out.source = value->source;
        if (dot == std::string_view::npos)
            break;
        here = here.substr(0, dot);
    }
    return out;
}

Diagnostic& RuleFindings::report(std::string_view path, Severity severity, std::string message)
{
    const Place place = placeOf(path);
    Diagnostic problem;
    problem.code = Code::Rule;
    problem.rule = rule;
    problem.severity = severity;
    problem.path = path;
    problem.message = std::move(message);
    problem.range = place.range;
    problem.source = place.source;
    m_out.push_back(std::move(problem));
    return m_out.back();
}

const FlagUses& RuleFindings::flagUses()
{
    if (!m_flagUses)
        m_flagUses = std::make_shared<const FlagUses>(flagUsesOf(m_job));
    return *m_flagUses;
}

void RuleFindings::note(Diagnostic& problem, std::string_view path, std::string message) const
{
    const Place place = placeOf(path);
    if (!place.range.isEmpty())
        problem.notes.push_back({std::move(message), place.range, place.source});
}

std::span<const Rule> rules()
{
    static constexpr std::array all = {
        Rule{"job-name", Packs::Both, "The name of a job is not empty and can stand in an #SBATCH line, a folder name and a shell.",
             checkName},
        Rule{"topology", Packs::Both, "Some worker is asked for, on some node.", checkTopology},
        Rule{"concurrencies", Packs::Both, "The concurrencies of a benchmark are numbers.", checkConcurrencies},
        Rule{"sa-bench-keys", Packs::Both, "What sa-bench needs is there before the job has waited for its workers.", checkSaBench},
        Rule{"engine-flags", Packs::Both, "The engine has each flag that it is given.", checkFlagNames},
        Rule{"flag-values", Packs::Both, "The value of an engine flag is one that the flag takes, and reaches the engine as it is meant.",
             checkFlagValues},
        Rule{"flag-standing", Packs::Both, "No engine flag is gone, about to go, or newer than the image.", checkFlagStanding},
        Rule{"flag-owners", Packs::Both, "Flags that srtctl sets for each process are not fixed by the recipe.", checkFlagOwners},
        Rule{"flag-spelling", Packs::Both, "An engine flag is given once, in full, in the spelling that reaches the engine.",
             checkFlagSpellings},
        Rule{"flag-sizes", Packs::Both, "Batch sizes, token counts and switches of one engine go together.", checkFlagSizes},
    };
    return all;
}

std::vector<Diagnostic> checkRules(const Job& job)
{
    std::vector<Diagnostic> out;
    RuleFindings findings(job, out);
    for (const Rule& rule : rules()) {
        if (rule.packs == (job.schema == 1 ? Packs::Second : Packs::First))
            continue;
        findings.rule = rule.id;
        rule.check(findings);
    }
    return out;
}

} // namespace wb::recipe
