#include "core/recipe/dynamorules.h"

#include "core/base/text.h"
#include "core/recipe/rulewords.h"

#include <vector>

namespace wb::recipe {

using syntax::Diagnostic;
using syntax::Severity;
using syntax::ValuePtr;

namespace {

/// The sources that are set, in the order of the pack; an empty text counts.
std::vector<std::string> sources(const RuleFindings& findings)
{
    std::vector<std::string> out;
    if (isGiven(findings, "dynamo.hash"))
        out.emplace_back("dynamo.hash");
    if (isTrue(findings, "dynamo.top_of_tree"))
        out.emplace_back("dynamo.top_of_tree");
    if (isGiven(findings, "dynamo.wheel"))
        out.emplace_back("dynamo.wheel");
    return out;
}

} // namespace

void checkDynamoSources(RuleFindings& findings)
{
    const std::vector<std::string> given = sources(findings);
    for (std::size_t i = 1; i < given.size(); ++i) {
        Diagnostic& problem = findings.report(
            given[i], Severity::Error, "Dynamo has more than one source: of \"hash\", \"top_of_tree\" and \"wheel\" only one may be set.");
        findings.note(problem, given[0], "The other source.");
    }
}

void checkDynamoWheel(RuleFindings& findings)
{
    if (!isGiven(findings, "dynamo.wheel"))
        return;
    const std::string wheel = textAt(findings, "dynamo.wheel");
    if (base::trimmed(wheel).empty())
        findings.report("dynamo.wheel", Severity::Error, "\"dynamo.wheel\" is empty; it is the version of a wheel, such as \"0.8.1\".");
    else if (wheel.ends_with(".whl") || wheel.find('/') != std::string::npos)
        findings.report("dynamo.wheel", Severity::Error,
                        "\"dynamo.wheel\" is the version of a wheel, such as \"0.8.1\", not the file " + base::inQuotes(wheel) + ".");
}

void checkDynamoPatches(RuleFindings& findings)
{
    const ValuePtr patches = findings.at("dynamo.cargo_patches");
    if (!patches || patches->items.empty() || isGiven(findings, "dynamo.hash"))
        return;
    Diagnostic& problem = findings.report("dynamo.cargo_patches", Severity::Error,
                                          "\"dynamo.cargo_patches\" change a source build, so they need \"dynamo.hash\".");
    const std::vector<std::string> given = sources(findings);
    findings.note(problem, given.empty() ? "dynamo.version" : given.front(), "This is installed instead.");
}

void checkDynamoHash(RuleFindings& findings)
{
    if (isGiven(findings, "dynamo.hash") && base::trimmed(textAt(findings, "dynamo.hash")).empty())
        findings.report(
            "dynamo.hash", Severity::Warning,
            "An empty \"dynamo.hash\" counts as a source and drops the release, but it names no commit; delete it or write null.");
}

void checkDynamoVersion(RuleFindings& findings)
{
    const std::vector<std::string> given = sources(findings);
    const ValuePtr dynamo = findings.at("dynamo");
    const syntax::Member* version = dynamo ? dynamo->member("version") : nullptr;
    if (!version || !version->value->isNull())
        return;
    if (given.empty()) {
        if (findings.job().installsDynamo)
            findings.report("dynamo.version", Severity::Warning,
                            "Without a version and without another source the newest commit of Dynamo is built, another one each day; name "
                            "a version, or say it with \"top_of_tree: true\".");
        return;
    }
    // The reader clears the version and leaves its key's place.
    if (!version->value->isUnwritten() || version->keyRange.isEmpty())
        return;
    Diagnostic& problem =
        findings.reportKey("dynamo", *version, Severity::Warning,
                           "\"dynamo.version\" is dropped, as \"" + given.front() + "\" is installed instead; delete it.");
    findings.note(problem, given.front(), "This is installed.");
}

void checkDynamoInstalled(RuleFindings& findings)
{
    const Job& job = findings.job();
    const bool isDynamo = job.frontend.type == "dynamo";
    if (job.installsDynamo && isDynamo)
        return;
    const std::vector<std::string> given = sources(findings);
    if (given.empty())
        return;
    Diagnostic& problem = findings.report(given.front(), Severity::Warning,
                                          "\"" + given.front() + "\" has no effect, as Dynamo is not installed" +
                                              (isDynamo ? "." : " for the frontend " + base::inQuotes(job.frontend.type) + "."));
    findings.note(problem, isDynamo ? "dynamo.install" : "frontend.type", isDynamo ? "It is switched off here." : "The frontend.");
}

} // namespace wb::recipe
