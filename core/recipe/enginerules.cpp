#include "core/recipe/enginerules.h"

#include "core/base/text.h"
#include "core/recipe/rulewords.h"

#include <algorithm>
#include <array>

namespace wb::recipe {

using syntax::Diagnostic;
using syntax::Member;
using syntax::Severity;
using syntax::ValuePtr;

namespace {

bool isPerGpu(const RuleFindings& findings)
{
    return textAt(findings, "backend.dp_launch_mode") == "per_gpu";
}

/// The data-parallel size of a vLLM mode, when it has one.
const Member* dataParallel(const Job& job, const ModeKeys& mode)
{
    if (job.backend.type != "vllm")
        return nullptr;
    const Member* size = flagOf(job.backend.of(mode.mode).flags, "data-parallel-size");
    return size && !size->value->isNull() ? size : nullptr;
}

std::string pathOf(const Job& job, const ModeKeys& mode, const Member& flag)
{
    return flagsPath(job, mode) + "." + flag.key;
}

} // namespace

void checkVllmHeadless(RuleFindings& findings)
{
    const Job& job = findings.job();
    for (const ModeKeys& mode : modeKeys) {
        const Member* size = dataParallel(job, mode);
        const Member* headless = size && !isPerGpu(findings) ? flagOf(job.backend.of(mode.mode).flags, "headless") : nullptr;
        if (!headless)
            continue;
        Diagnostic& problem =
            findings.reportKey(flagsPath(job, mode), *headless, Severity::Error,
                               "srtctl decides which data-parallel ranks are headless, and refuses the key also with false; delete it.");
        findings.note(problem, pathOf(job, mode, *size), "This makes data-parallel ranks.");
    }
}

void checkVllmHybrid(RuleFindings& findings)
{
    const Job& job = findings.job();
    for (const ModeKeys& mode : modeKeys) {
        const Member* size = dataParallel(job, mode);
        const Member* hybrid = size && !isPerGpu(findings) ? flagOf(job.backend.of(mode.mode).flags, "data-parallel-hybrid-lb") : nullptr;
        if (!hybrid)
            continue;
        Diagnostic& problem = findings.reportKey(flagsPath(job, mode), *hybrid, Severity::Warning,
                                                 base::inQuotes(hybrid->key) + " is dropped: srtctl sets it for the ranks itself.");
        findings.note(problem, pathOf(job, mode, *size), "This makes data-parallel ranks.");
    }
}

void checkVllmPerGpu(RuleFindings& findings)
{
    const Job& job = findings.job();
    if (job.backend.type != "vllm" || job.frontend.type == "vllm" || !isPerGpu(findings))
        return;
    for (const ModeKeys& mode : modeKeys) {
        const Member* size = dataParallel(job, mode);
        if (!size)
            continue;
        Diagnostic& problem =
            findings.report("backend.dp_launch_mode", Severity::Warning,
                            "\"per_gpu\" is deprecated: its ranks share one log and one name on a node, and only the last of "
                            "them is watched; use \"per_node\".");
        findings.note(problem, pathOf(job, mode, *size), "This makes data-parallel ranks.");
        return;
    }
}

void checkVllmSizes(RuleFindings& findings)
{
    const Job& job = findings.job();
    for (const ModeKeys& mode : modeKeys) {
        const Member* size = dataParallel(job, mode);
        if (!size || job.frontend.type == "vllm")
            continue;
        const ValuePtr& flags = job.backend.of(mode.mode).flags;
        for (const std::string_view name : {"data-parallel-size", "tensor-parallel-size", "pipeline-parallel-size"}) {
            const Member* flag = flagOf(flags, name);
            if (!flag || !flag->value->isString())
                continue;
            Diagnostic& problem = findings.reportValue(flagsPath(job, mode), *flag, Severity::Error,
                                                       base::inQuotes(flag->key) + " is the text " + base::inQuotes(flag->value->text) +
                                                           ", with which srtctl cannot count when it starts the ranks; write a number.");
            if (flag != size)
                findings.note(problem, pathOf(job, mode, *size), "This makes data-parallel ranks.");
            if (base::integerOf(flag->value->text) && !flag->value->range.isEmpty() && flag->value->source == syntax::Source::Recipe)
                problem.fixes.push_back({"Take off the quotes", {{flag->value->range, flag->value->text}}});
        }
    }
}

void checkVllmConnector(RuleFindings& findings)
{
    const Job& job = findings.job();
    if (job.backend.type != "vllm" || job.frontend.type == "vllm")
        return;
    for (const ModeKeys& mode : modeKeys) {
        const ValuePtr& flags = job.backend.of(mode.mode).flags;
        const Member* transfer = flagOf(flags, "kv-transfer-config");
        if (!transfer || transfer->value->isNull())
            continue;
        const Member* own = flagOf(flags, "connector");
        const std::string connector = own && own->value->isString() ? own->value->text : textAt(findings, "backend.connector");
        const std::string word = base::lowered(connector);
        if (word.empty() || word == "none" || word == "null")
            continue;
        Diagnostic& problem =
            findings.reportKey(flagsPath(job, mode), *transfer, Severity::Warning,
                               "The workers get --kv-transfer-config twice, from the connector " + base::inQuotes(connector) +
                                   " and from this flag, which comes last and wins; set \"connector: null\" to say so.");
        findings.note(problem, "backend.connector", "The connector.");
    }
}

void checkMooncakeTransfer(RuleFindings& findings)
{
    const Job& job = findings.job();
    if (!isGiven(findings, "backend.mooncake_kv_store") || !job.resources.isDisaggregated())
        return;
    const bool isVllm = job.backend.type == "vllm";
    const std::string_view name = isVllm ? "kv-transfer-config" : "disaggregation-transfer-backend";
    const Member* other = nullptr;
    for (const Mode mode : {Mode::Prefill, Mode::Decode}) {
        const Member* flag = flagOf(job.backend.of(mode).flags, name);
        if (!flag)
            continue;
        other = flag;
        const bool isText = flag->value->isString();
        const bool isMooncake =
            isText && (isVllm ? base::lowered(flag->value->text).find("mooncake") != std::string::npos : flag->value->text == "mooncake");
        if (isMooncake)
            return;
    }
    const std::string block = "backend." + job.backend.type + "_config";
    std::string message = "The Mooncake store would stay unused: neither prefill nor decode workers have " +
                          (isVllm ? std::string("a \"kv-transfer-config\" that names a Mooncake connector")
                                  : std::string("\"disaggregation-transfer-backend: mooncake\""));
    if (isVllm && other && other->value->isMapping())
        message += "; srtctl looks into a text only, so write the mapping as JSON in quotes";
    Diagnostic& problem = findings.report("backend.mooncake_kv_store", Severity::Error, message + ".");
    if (other)
        findings.note(problem, block + "." + (flagOf(job.backend.prefill.flags, name) ? "prefill." : "decode.") + other->key,
                      "The transfer that is set instead.");
    else
        findings.note(problem, block, "The flags of the workers.");
}

void checkMooncakeArguments(RuleFindings& findings)
{
    const ValuePtr arguments = findings.at("backend.mooncake_kv_store.master_extra_args");
    if (!arguments)
        return;
    constexpr std::array<std::string_view, 4> fixed = {"port", "metrics_port", "http_metadata_server_port", "enable_http_metadata_server"};
    for (std::size_t i = 0; i < arguments->items.size(); ++i) {
        std::string_view word = arguments->items[i]->text;
        if (!word.starts_with('-'))
            continue;
        word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
        word = word.substr(0, word.find_first_of("= "));
        if (std::find(fixed.begin(), fixed.end(), word) != fixed.end())
            findings.reportItem(
                "backend.mooncake_kv_store.master_extra_args", i, Severity::Error,
                "The Mooncake master would not listen where the workers look: its ports are fixed at 8700, 8701 and 8702, and "
                "this argument comes last and wins.");
    }
}

void checkKvEventModes(RuleFindings& findings)
{
    const ValuePtr events = findings.at("backend.kv_events_config");
    if (!events || !events->isMapping())
        return;
    std::array<std::string_view, modeKeys.size()> names{};
    std::transform(modeKeys.begin(), modeKeys.end(), names.begin(), [](const ModeKeys& mode) { return mode.key; });
    for (const Member& member : events->members) {
        if (std::find(names.begin(), names.end(), member.key) != names.end())
            continue;
        Diagnostic& problem = findings.reportKey(
            "backend.kv_events_config", member, Severity::Warning,
            base::inQuotes(member.key) + " is no mode, so no worker publishes events by it; the modes are prefill, decode and aggregated.");
        const std::string_view near = member.key == "agg" ? std::string_view("aggregated") : base::nearestName(member.key, names);
        if (!near.empty() && !member.keyRange.isEmpty())
            problem.fixes.push_back({"Change to \"" + std::string(near) + "\"", {{member.keyRange, std::string(near)}}});
    }
}

} // namespace wb::recipe
