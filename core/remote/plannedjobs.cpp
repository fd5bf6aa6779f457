#include "core/remote/plannedjobs.h"

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/sha256.h"
#include "core/base/shell.h"
#include "core/base/text.h"
#include "core/base/unifieddiff.h"
#include "core/remote/slurm.h"

#include <random>

namespace wb::remote {

namespace {

/// The first error of a variant, as its reason.
std::string whyNot(const check::Checked& checked, const check::CheckedVariant& variant)
{
    for (const syntax::Diagnostic& problem : checked.diagnostics) {
        const bool isOurs = problem.variant.empty() || problem.variant == variant.variant.suffix.value_or("");
        if (problem.severity == syntax::Severity::Error && isOurs)
            return problem.message;
    }
    return "It has errors.";
}

void planVariant(PlannedJobs& out, std::size_t index)
{
    const check::Checked& checked = *out.checked;
    const check::CheckedVariant& variant = checked.variants[index];
    const std::string shown = variant.name.empty() ? variant.variant.suffix.value_or("?") : variant.name;
    if (!variant.job) {
        out.unready.push_back({shown, whyNot(checked, variant)});
        return;
    }
    const recipe::Cluster& cluster = check::clusterOf(out.facts, checked);
    const plan::Plan plan = plan::plan(*variant.job, cluster);
    if (!plan.topology) {
        out.unready.push_back({shown, plan.diagnostics.empty() ? "Its workers cannot be placed." : plan.diagnostics.front().message});
        return;
    }
    // As a dry run makes it, so that what was looked at is what is sent.
    render::Context context;
    context.launcher = out.launcher;
    context.sourcePath = out.path;
    context.suffix = variant.variant.suffix.value_or("");
    context.resolvedYaml = check::resolvedYaml(checked, index);
    context.servicesFolder = out.services;
    context.outputFolder = out.outputs;
    auto artifacts = render::render(*variant.job, cluster, plan, context);
    if (!artifacts) {
        out.unready.push_back({shown, artifacts.error().message});
        return;
    }
    ReadyJob ready;
    ready.variant = index;
    ready.artifacts = *std::move(artifacts);
    ready.counts = plan.counts;
    ready.job = variant.job;
    std::string hashes;
    for (const BundleFile& file : sentFiles(ready.artifacts))
        hashes += file.name + ' ' + file.sha256 + '\n';
    ready.item = {variant.name, out.path, variant.variant.suffix.value_or(""), base::sha256Hex(hashes)};
    out.ready.push_back(std::move(ready));
}

Result<TokenedBundle> bareBundle(const PlannedJobs& planned, const ReadyJob& job, const std::string& token)
{
    TokenedBundle out;
    if (planned.launcher == render::Launcher::Portable) {
        const recipe::Cluster& known = check::clusterOf(planned.facts, *planned.checked);
        auto bundle = portableBundle(job.artifacts, *job.job, planned.outputs.empty() ? known.outputDir : planned.outputs, token);
        if (!bundle)
            return tl::unexpected<Error>(std::move(bundle.error()));
        out.bundle = *std::move(bundle);
        return out;
    }
    // The recipe again, as a plain one, with the comment set: so it is the language's own way of writing it that is sent.
    const check::Checked& checked = *planned.checked;
    const std::string before = check::resolvedYaml(checked, job.variant);
    check::Options how;
    // Settings are YAML, and a quoted text of JSON is one whatever is in it.
    const base::json::Value comment(commentFor(writtenComment(*job.job), token));
    how.expansion.settings = {{"sbatch_directives.comment", base::json::write(comment, 0), false}};
    const check::Checked again = check::check(std::make_shared<syntax::SourceText>(before, planned.path), planned.facts, how);
    if (again.variants.size() != 1 || !again.variants.front().job)
        return failure(ErrorCode::Malformed, "The recipe of " + base::inQuotes(job.item.name) + " cannot take a comment.");
    const std::string after = check::resolvedYaml(again, 0);
    const recipe::Cluster& cluster = check::clusterOf(planned.facts, checked);
    const plan::Plan plan = plan::plan(*again.variants.front().job, cluster);
    render::Context context;
    context.launcher = planned.launcher;
    context.sourcePath = planned.path;
    context.suffix = job.item.variant;
    context.resolvedYaml = after;
    auto artifacts = render::render(*again.variants.front().job, cluster, plan, context);
    if (!artifacts)
        return tl::unexpected<Error>(std::move(artifacts.error()));
    auto bundle = srtctlBundle(*artifacts, planned.profile.srtctl, planned.profile.remoteClusterFile);
    if (!bundle)
        return tl::unexpected<Error>(std::move(bundle.error()));
    out.bundle = *std::move(bundle);
    out.difference = base::unifiedDiff(before, after, "resolved", "sent");
    return out;
}

void addOnce(std::string& list, const std::optional<std::string>& word)
{
    if (!word || word->empty())
        return;
    for (const std::string_view each : base::splitAt(list, ','))
        if (base::trimmed(each) == *word)
            return;
    list += (list.empty() ? "" : ", ") + *word;
}

} // namespace

render::Launcher launcherOf(std::string_view name)
{
    return name == "srtctl" ? render::Launcher::Srtctl : render::Launcher::Portable;
}

void planVariants(PlannedJobs& planned, const std::vector<std::size_t>& variants)
{
    for (const std::size_t index : variants)
        if (index < planned.checked->variants.size())
            planVariant(planned, index);
}

Result<std::vector<std::pair<std::string, std::string>>>
secretsOf(const Profile& profile, const std::function<std::optional<std::string>(const std::string& name)>& lookUp)
{
    std::vector<std::pair<std::string, std::string>> out;
    for (const std::string_view word : base::splitAt(profile.secrets, ',')) {
        const std::string name(base::trimmed(word));
        if (name.empty())
            continue;
        auto value = lookUp(name);
        if (!value)
            return failure(ErrorCode::NotFound, "The profile " + base::inQuotes(profile.name) + " gives its jobs " + base::inQuotes(name) +
                                                    ", and this environment has no such variable; set it.");
        out.emplace_back(name, *std::move(value));
    }
    return out;
}

Result<TokenedBundle> bundleFor(const PlannedJobs& planned, const ReadyJob& job, const std::string& token)
{
    auto bundle = bareBundle(planned, job, token);
    if (!bundle)
        return bundle;
    auto secrets = secretLines(planned.secrets);
    if (!secrets)
        return tl::unexpected<Error>(std::move(secrets.error()));
    bundle->bundle.secretEnvironment = *std::move(secrets);
    return bundle;
}

Result<SubmissionSheet> sheetOf(const PlannedJobs& planned)
{
    SubmissionSheet sheet;
    sheet.host = planned.profile.host;
    sheet.remoteFolder = planned.profile.remoteFolder;
    sheet.jobs = planned.ready.size();
    sheet.unready = planned.unready.size();
    double nodeHours = 0;
    double gpuHours = 0;
    bool isTimeKnown = true;
    // What nobody has agreed to must not be in the record, so there is no token yet: all are of the same length.
    const std::string token(16, '0');
    for (const ReadyJob& job : planned.ready) {
        auto bundle = bundleFor(planned, job, token);
        if (!bundle)
            return tl::unexpected<Error>(std::move(bundle.error()));
        if (&job == &planned.ready.front()) {
            sheet.jobFolder = job.item.name + "-<token>";
            sheet.command = base::replacedAll(base::shellCommand(bundle->bundle.command), token, "<token>");
            sheet.difference = base::replacedAll(bundle->difference, token, "<token>");
        }
        sheet.nodes += job.counts.nodes;
        isTimeKnown = isTimeKnown && job.counts.hours;
        nodeHours += static_cast<double>(job.counts.nodes) * job.counts.hours.value_or(0);
        gpuHours += job.counts.gpuHours().value_or(0);
        for (const BundleFile& file : bundle->bundle.files) {
            ++sheet.files;
            sheet.bytes += file.bytes.size();
        }
        addOnce(sheet.account, job.job->account);
        addOnce(sheet.partition, job.job->partition);
    }
    if (isTimeKnown) {
        sheet.nodeHours = nodeHours;
        sheet.gpuHours = gpuHours;
    }
    return sheet;
}

SubmitOptions submitOptions(const PlannedJobs& planned, std::function<std::int64_t()> now, std::function<std::string()> newToken)
{
    SubmitOptions out;
    const Profile& profile = planned.profile;
    out.host = profile.name;
    out.remoteFolder = profile.remoteFolder;
    out.launcher = planned.launcherName;
    out.preamble = profile.preamble;
    out.maxInFlight = static_cast<std::size_t>(profile.maxInFlight);
    out.stagger = std::chrono::seconds(profile.staggerSeconds);
    out.patience = std::chrono::seconds(profile.patienceSeconds);
    out.pollInterval = std::chrono::seconds(profile.pollSeconds);
    out.now = std::move(now);
    out.newToken = std::move(newToken);
    return out;
}

std::string newToken()
{
    static std::random_device source;
    constexpr std::string_view digits = "0123456789abcdef";
    std::string token;
    for (int i = 0; i < 4; ++i) {
        unsigned bits = source();
        for (int j = 0; j < 4; ++j, bits >>= 4U)
            token += digits[bits & 15U];
    }
    return token;
}

std::vector<PreflightCheck> checksHere(const PlannedJobs& planned)
{
    std::vector<PreflightCheck> out;
    const check::Checked& checked = *planned.checked;
    out.push_back({"recipe", Location::Here, checked.valid ? CheckState::Ok : CheckState::Absent, planned.path,
                   checked.valid ? "The recipe has no errors." : "The recipe has errors; \"srtwb check\" lists them."});
    const recipe::Cluster& cluster = check::clusterOf(planned.facts, checked);
    out.push_back(
        {"cluster-file", Location::Here, cluster.isKnown ? CheckState::Ok : CheckState::Warning, cluster.path,
         cluster.isKnown ? "The recipe is checked against it." : "There is no cluster file: aliases and defaults are not known."});
    for (const UnreadyJob& job : planned.unready)
        out.push_back({"variant", Location::Here, CheckState::Absent, job.name, job.why});
    if (planned.profile.host.empty())
        out.push_back({"connection", Location::Here, CheckState::Unknown, planned.profile.name,
                       "The profile has no host: nothing was asked of a cluster."});
    return out;
}

PreflightNeeds needsOf(const PlannedJobs& planned, bool asksNodes)
{
    const recipe::Cluster& cluster = check::clusterOf(planned.facts, *planned.checked);
    PreflightNeeds needs;
    needs.remoteFolder = planned.profile.remoteFolder;
    needs.preamble = planned.profile.preamble;
    needs.asksNodes = asksNodes;
    if (planned.launcher == render::Launcher::Srtctl) {
        needs.srtctl = planned.profile.srtctl;
        needs.packVersion = std::to_string(planned.checked->schema);
        needs.remoteClusterFile = planned.profile.remoteClusterFile;
        if (cluster.isKnown) {
            if (const auto bytes = base::readFile(cluster.path))
                needs.clusterSha256 = base::sha256Hex(*bytes);
        }
    }
    for (const ReadyJob& job : planned.ready) {
        addNeeds(needs, *job.job, cluster);
        for (const BundleFile& file : sentFiles(job.artifacts))
            needs.uploadBytes += file.bytes.size();
    }
    return needs;
}

} // namespace wb::remote
