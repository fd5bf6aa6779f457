#include "core/recipe/benchmarkrules.h"

#include "core/base/text.h"
#include "core/recipe/rulewords.h"

#include <algorithm>
#include <array>
#include <set>

namespace wb::recipe {

using syntax::Diagnostic;
using syntax::Severity;
using syntax::ValuePtr;

namespace {

/// What a type of benchmark cannot do without. sa-bench has a rule of its own, as its needs depend on the data set.
struct Needs {
    std::string_view type;
    std::array<std::string_view, 3> keys;
};

constexpr std::array<Needs, 3> needed = {
    {{"custom", {"command"}}, {"sglang-bench", {"concurrencies", "isl", "osl"}}, {"trace-replay", {"trace_file", "concurrencies"}}}};

/// Absent, null or blank. Of concurrencies a blank text is told as what it is.
bool isMissing(const RuleFindings& findings, std::string_view key)
{
    const ValuePtr value = findings.at("benchmark." + std::string(key));
    if (value && value->isString() && key == "concurrencies")
        return false;
    return !value || value->isNull() || (value->isString() && base::trimmed(value->text).empty());
}

void reportMissing(RuleFindings& findings, const std::vector<std::string>& missing)
{
    if (!missing.empty())
        findings.report("benchmark.type", Severity::Error,
                        "The benchmark " + base::inQuotes(findings.job().benchmark.type) + " also needs " + base::joined(missing, ", ") +
                            "; without " + (missing.size() == 1 ? "it" : "them") + " the job fails once its workers are up.");
}

/// Lengths of prompts and answers that are given, but are none.
void checkLengths(RuleFindings& findings)
{
    for (const std::string_view key : {"benchmark.isl", "benchmark.osl"}) {
        if (const auto number = numberAt(findings, key); number && *number <= 0)
            findings.report(key, Severity::Error,
                            "\"" + std::string(key) + "\" is " + base::textOf(*number) + "; " + findings.job().benchmark.type +
                                " needs more than 0.");
    }
}

} // namespace

void checkConcurrencies(RuleFindings& findings)
{
    const ValuePtr written = findings.at("benchmark.concurrencies");
    if (!written || written->isNull())
        return;
    const std::vector<std::int64_t>& levels = findings.job().benchmark.concurrencies;
    // A list's numbers have their limits in the pack; those of a text are seen here only.
    const bool hasZero = written->isString() && std::any_of(levels.begin(), levels.end(), [](std::int64_t level) { return level < 1; });
    if (hasZero)
        findings.report("benchmark.concurrencies", Severity::Error,
                        "\"benchmark.concurrencies\" is " + syntax::shown(*written) + "; each level must be at least 1.");
    if (!levels.empty())
        return;
    const bool isCommas = findings.job().benchmark.type == "trace-replay" && written->isString() &&
                          written->text.find_first_not_of("0123456789, ") == std::string::npos && !base::trimmed(written->text).empty();
    if (isCommas)
        return;
    if (written->isSequence())
        findings.report("benchmark.concurrencies", Severity::Error, "\"benchmark.concurrencies\" is an empty list.");
    else
        findings.report("benchmark.concurrencies", Severity::Error,
                        "\"benchmark.concurrencies\" is " + syntax::shown(*written) +
                            "; write a list such as [4, 8], or numbers with an x between them (\"4x8\").");
}

void checkRepeatedConcurrencies(RuleFindings& findings)
{
    if (isTrue(findings, "telemetry.enabled")) // an error there
        return;
    std::set<std::int64_t> seen;
    const std::vector<std::int64_t>& levels = findings.job().benchmark.concurrencies;
    for (std::size_t i = 0; i < levels.size(); ++i) {
        if (seen.insert(levels[i]).second)
            continue;
        const std::string message =
            "The concurrency " + std::to_string(levels[i]) + " is measured twice, and the second result overwrites the first.";
        const ValuePtr written = findings.at("benchmark.concurrencies");
        if (written && written->isSequence())
            findings.reportItem("benchmark.concurrencies", i, Severity::Warning, message);
        else
            findings.report("benchmark.concurrencies", Severity::Warning, message);
    }
}

void checkTraceConcurrencies(RuleFindings& findings)
{
    const ValuePtr written = findings.at("benchmark.concurrencies");
    if (findings.job().benchmark.type != "trace-replay" || !written || !written->isString() || written->text.find('x') == std::string::npos)
        return;
    Diagnostic& problem = findings.report("benchmark.concurrencies", Severity::Warning,
                                          "trace-replay divides its concurrencies at commas only, so " + syntax::shown(*written) +
                                              " is one level there; write a list.");
    findings.note(problem, "benchmark.type", "The benchmark.");
    const std::string list = "[" + base::replacedAll(written->text, "x", ", ") + "]";
    if (!written->range.isEmpty() && !findings.job().benchmark.concurrencies.empty())
        problem.fixes.push_back({"Change to " + list, {{written->range, list}}});
}

void checkSaBench(RuleFindings& findings)
{
    if (findings.job().benchmark.type != "sa-bench")
        return;
    const bool isCustom = textAt(findings, "benchmark.dataset_name") == "custom";
    std::vector<std::string> missing;
    for (const std::string_view key : {"concurrencies", "isl", "osl"}) {
        if (isMissing(findings, key) && (key == "concurrencies" || !isCustom))
            missing.emplace_back(key);
    }
    reportMissing(findings, missing);
    if (!isCustom) // 0 is also what srtctl hands on for a length that is not given
        checkLengths(findings);
    if (isCustom && isMissing(findings, "dataset_path")) {
        Diagnostic& problem =
            findings.report("benchmark.dataset_name", Severity::Error,
                            "The data set \"custom\" needs dataset_path; without it the job fails once its workers are up.");
        findings.note(problem, "benchmark.type", "The benchmark.");
    }
}

void checkBenchmarkNeeds(RuleFindings& findings)
{
    for (const Needs& needs : needed) {
        if (needs.type != findings.job().benchmark.type)
            continue;
        std::vector<std::string> missing;
        for (const std::string_view key : needs.keys) {
            if (!key.empty() && isMissing(findings, key))
                missing.emplace_back(key);
        }
        reportMissing(findings, missing);
        if (needs.type == "sglang-bench")
            checkLengths(findings);
    }
}

void checkRequestRate(RuleFindings& findings)
{
    const std::string& type = findings.job().benchmark.type;
    if (type != "sa-bench" && type != "sglang-bench")
        return;
    const ValuePtr rate = findings.at("benchmark.req_rate");
    if (!rate || rate->isNull())
        return;
    const auto number = rate->isString() ? base::numberOf(base::trimmed(rate->text)) : std::optional(rate->number);
    const bool isEndless = rate->isString() && base::lowered(base::trimmed(rate->text)) == "inf";
    if (isEndless || (number && *number > 0))
        return;
    findings.report("benchmark.req_rate", Severity::Error,
                    "\"benchmark.req_rate\" is " + syntax::shown(*rate) + "; it is a number of requests per second above 0, or \"inf\".");
}

void checkGsm8kNumbers(RuleFindings& findings)
{
    if (findings.job().benchmark.type != "gsm8k")
        return;
    for (const std::string_view key : {"benchmark.num_examples", "benchmark.max_tokens", "benchmark.repeat", "benchmark.num_threads"}) {
        if (const auto number = numberAt(findings, key); number && *number <= 0)
            findings.report(key, Severity::Error,
                            "\"" + std::string(key) + "\" is " + base::textOf(*number) +
                                "; gsm8k needs more than 0, and the job fails once its workers are up.");
    }
}

void checkGsm8kRepeat(RuleFindings& findings)
{
    const Job& job = findings.job();
    if (job.benchmark.type != "gsm8k" || job.backend.type == "vllm" || !isWritten(findings, "benchmark.repeat"))
        return;
    Diagnostic& problem = findings.report("benchmark.repeat", Severity::Warning,
                                          "\"benchmark.repeat\" has no effect: gsm8k repeats with the engine vllm only.");
    findings.note(problem, "backend.type", "The engine of this job.");
}

void checkRouterFrontend(RuleFindings& findings)
{
    const Job& job = findings.job();
    if (job.benchmark.type != "router" || job.frontend.type == "sglang")
        return;
    Diagnostic& problem =
        findings.report("benchmark.type", Severity::Error,
                        "The benchmark \"router\" measures the frontend \"sglang\", not " + base::inQuotes(job.frontend.type) + ".");
    findings.note(problem, "frontend.type", "The frontend of this job.");
}

void checkSlowDown(RuleFindings& findings)
{
    const Job& job = findings.job();
    if (job.benchmark.type != "sa-bench")
        return;
    const double sleep = numberAt(findings, "benchmark.slow_down_sleep_time").value_or(0);
    const double wait = numberAt(findings, "benchmark.slow_down_wait_time").value_or(0);
    if (sleep <= 0 && wait <= 0)
        return;
    const std::string_view path = sleep > 0 ? "benchmark.slow_down_sleep_time" : "benchmark.slow_down_wait_time";
    if (sleep <= 0 || wait <= 0) {
        findings.report(path, Severity::Warning,
                        "The slow-down has no effect until slow_down_sleep_time and slow_down_wait_time are both above 0.");
    } else if (job.frontend.type != "sglang") {
        Diagnostic& problem = findings.report(path, Severity::Warning, "The slow-down has no effect but with the frontend \"sglang\".");
        findings.note(problem, "frontend.type", "The frontend of this job.");
    }
}

void checkBenchmarkSweep(RuleFindings& findings)
{
    const ValuePtr sweep = findings.at("benchmark.sweep");
    if (!sweep || sweep->isNull())
        return;
    const bool isNested = sweep->member("parameters") != nullptr;
    const std::string path = isNested ? "benchmark.sweep.parameters" : "benchmark.sweep";
    const ValuePtr parameters = findings.at(path);
    if (!parameters->isMapping()) {
        findings.report(path, Severity::Error,
                        "\"" + path + "\" must be a mapping of parameters to lists, not " +
                            std::string(syntax::describe(parameters->kind)) + ".");
        return;
    }
    for (const syntax::Member& member : parameters->members) {
        if (!member.value->isSequence() && (isNested || member.key != "mode"))
            findings.reportValue(path, member, Severity::Error,
                                 base::inQuotes(member.key) + " of \"" + path + "\" must be a list of values, not " +
                                     syntax::shown(*member.value) + ".");
    }
}

} // namespace wb::recipe
