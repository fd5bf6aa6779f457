#include "core/recipe/namerules.h"

#include "core/base/text.h"
#include "core/recipe/rulewords.h"
#include "core/syntax/placeholder.h"

#include <algorithm>
#include <array>

namespace wb::recipe {

using syntax::Diagnostic;
using syntax::Severity;
using syntax::ValuePtr;

namespace {

/// The text at the path when a person wrote it into the recipe: not a default, not what the cluster file put in its place.
const syntax::Value* written(const ValuePtr& value)
{
    const bool isOwn = value && value->isString() && !value->isUnwritten() && value->source != syntax::Source::Cluster;
    return isOwn ? value.get() : nullptr;
}

/// Of a name that a shell takes, whatever the locale says.
bool isVariableChar(char c)
{
    return syntax::isPlaceholderChar(c) && c != '-' && c != '.';
}

/// The variable of a text that the submitting shell does not have, with its "$"; empty when all are known.
std::string unknownVariable(std::string_view text, const TextPairs* environment)
{
    for (std::size_t i = text.find('$'); i != std::string_view::npos; i = text.find('$', i + 1)) {
        const std::size_t begin = i + 1 < text.size() && text[i + 1] == '{' ? i + 2 : i + 1;
        std::size_t end = begin;
        while (end < text.size() && isVariableChar(text[end]))
            ++end;
        const std::string_view name = text.substr(begin, end - begin);
        const auto isIt = [&](const auto& variable) { return variable.first == name; };
        const bool isSet = environment && std::any_of(environment->begin(), environment->end(), isIt);
        if (!name.empty() && !isSet)
            return "$" + std::string(name);
    }
    return {};
}

/// What holds for models and images alike. False: told.
bool isCleanName(RuleFindings& findings, std::string_view path, const syntax::Value& value)
{
    const std::string& text = value.text;
    const std::string_view trimmed = base::trimmed(text);
    if (trimmed.empty()) {
        findings.report(path, Severity::Error, "\"" + std::string(path) + "\" is empty.");
        return false;
    }
    if (trimmed.size() != text.size()) {
        Diagnostic& problem = findings.report(
            path, Severity::Warning, "\"" + std::string(path) + "\" begins or ends with a blank, so no name and no path equals it.");
        if (!value.range.isEmpty())
            problem.fixes.push_back({"Delete the blanks", {{value.range, "\"" + std::string(trimmed) + "\""}}});
        return false;
    }
    if (const std::string variable = unknownVariable(text, findings.facts().environment); !variable.empty()) {
        findings.report(path, Severity::Warning,
                        "\"" + std::string(path) + "\" holds " + variable +
                            ", which must be set where the job is submitted; srtctl leaves an unset variable in the text.");
        return false;
    }
    return true;
}

} // namespace

void checkModelName(RuleFindings& findings)
{
    const ValuePtr value = findings.at("model.path");
    const syntax::Value* own = written(value);
    if (!own || !isCleanName(findings, "model.path", *own))
        return;
    const std::string& text = own->text;
    if (text.starts_with("hf:")) {
        if (text.size() == 3)
            findings.report("model.path", Severity::Error, "\"model.path\" names no Hugging Face model behind \"hf:\".");
        return;
    }
    if (text.starts_with('/') || text.starts_with('$'))
        return;
    if (text.starts_with("./") || text.starts_with("../") || text.starts_with('~')) {
        findings.report("model.path", Severity::Warning,
                        text.starts_with('~')
                            ? "srtctl does not expand \"~\" in \"model.path\"; write the whole path or $HOME."
                            : "srtctl counts this path from the folder in which it is started, and again from another one "
                              "in the job; write the whole path.");
    }
}

void checkImageNames(RuleFindings& findings)
{
    const auto check = [&](std::string_view path) {
        if (const syntax::Value* own = written(findings.at(path)))
            isCleanName(findings, path, *own);
    };
    check("model.container");
    check("frontend.nginx_container");
    if (findings.job().benchmark.type == "custom")
        check("benchmark.container_image");
    if (isTrue(findings, "observability.tachometer.enabled")) {
        check("observability.tachometer.dcgm_exporter.container_image");
        check("observability.tachometer.node_exporter.container_image");
    }
    if (isTrue(findings, "telemetry.enabled"))
        check("telemetry.dcgm_exporter.container_image");
}

void checkModelCache(RuleFindings& findings)
{
    const Job& job = findings.job();
    constexpr std::string_view key = "environment.HF_HOME";
    if (!job.modelPath.starts_with("hf:") || !isGiven(findings, key))
        return;
    for (const ModeKeys& mode : modeKeys) {
        for (const auto& [name, text] : job.backend.of(mode.mode).environment) {
            if (name == "HF_HOME")
                return;
        }
    }
    Diagnostic& problem =
        findings.report(key, Severity::Warning,
                        "srtctl looks for HF_HOME in the environments of the modes only, so it does not download the model "
                        "before the workers start, and each of them does; set it in \"backend.prefill_environment\" or the like.");
    findings.note(problem, "model.path", "The model.");
}

void checkStageFolder(RuleFindings& findings)
{
    const Job& job = findings.job();
    if (!job.stageDir || job.backend.type == "trtllm")
        return;
    Diagnostic& problem =
        findings.report("model.stage_dir", Severity::Warning,
                        "The model is copied to \"model.stage_dir\" on every node, but only trtllm workers read the copy.");
    findings.note(problem, "backend.type", "These workers read the model where it lies.");
}

} // namespace wb::recipe
