#include "core/remote/bundle.h"

#include "core/base/shell.h"
#include "core/base/text.h"
#include "core/remote/slurm.h"

#include <algorithm>

namespace wb::remote {

namespace {

const BundleFile* fileNamed(const std::vector<BundleFile>& files, std::string_view name)
{
    const auto at = std::find_if(files.begin(), files.end(), [&](const BundleFile& file) { return file.name == name; });
    return at == files.end() ? nullptr : &*at;
}

/// The first artifact of that kind that is sent.
const render::Artifact* sentOf(const std::vector<render::Artifact>& artifacts, render::ArtifactKind kind)
{
    const auto at = std::find_if(artifacts.begin(), artifacts.end(),
                                 [&](const render::Artifact& artifact) { return artifact.kind == kind && !artifact.predicted; });
    return at == artifacts.end() ? nullptr : &*at;
}

} // namespace

const BundleFile* Bundle::mainFile() const
{
    return fileNamed(files, main);
}

std::vector<BundleFile> sentFiles(const std::vector<render::Artifact>& artifacts)
{
    std::vector<BundleFile> out;
    for (const render::Artifact& artifact : artifacts) {
        const bool isStarted = artifact.kind == render::ArtifactKind::JobScript || artifact.kind == render::ArtifactKind::Recipe;
        if (!artifact.predicted && isStarted) {
            const bool isProgram = artifact.bytes.starts_with("#!");
            out.push_back({artifact.name, artifact.bytes, artifact.sha256, isProgram ? 0700U : 0600U});
        }
    }
    return out;
}

Result<std::string> secretLines(const std::vector<std::pair<std::string, std::string>>& secrets)
{
    std::string out;
    for (const auto& [name, value] : secrets) {
        if (!base::isVariableName(name))
            return failure(ErrorCode::Malformed, base::inQuotes(name) + " is no name of a variable.");
        out += name + '=' + base::shellQuoted(value) + '\n';
    }
    return out;
}

std::string writtenComment(const recipe::Job& job)
{
    std::string comment;
    for (const auto& [key, value] : job.sbatchDirectives)
        if (key == "comment")
            comment = value;
    return comment;
}

Result<Bundle> portableBundle(const std::vector<render::Artifact>& artifacts, const recipe::Job& job, std::string_view outputFolder,
                              std::string_view token)
{
    const render::Artifact* script = sentOf(artifacts, render::ArtifactKind::JobScript);
    if (!script)
        return failure(ErrorCode::Unsupported, "The job has no job script of ours to send; choose the launcher \"srtctl\".");
    Bundle bundle;
    bundle.files = sentFiles(artifacts);
    bundle.main = script->name;
    bundle.outputDir = (outputFolder.empty() ? std::string("outputs") : std::string(outputFolder)) + "/%j";
    bundle.command = {"sbatch", "--parsable", "--comment=" + commentFor(writtenComment(job), token), "./" + script->name};
    return bundle;
}

Result<Bundle> srtctlBundle(const std::vector<render::Artifact>& artifacts, std::string_view program, std::string_view clusterFile)
{
    const render::Artifact* recipe = sentOf(artifacts, render::ArtifactKind::Recipe);
    if (!recipe)
        return failure(ErrorCode::Unsupported, "The job has no recipe to send.");
    Bundle bundle;
    bundle.files = {{recipe->name, recipe->bytes, recipe->sha256, 0600}};
    bundle.main = recipe->name;
    if (!clusterFile.empty())
        bundle.command = {"env", "SRTSLURM_CONFIG=" + std::string(clusterFile)};
    for (const std::string_view word :
         {program, std::string_view("apply"), std::string_view("-f"), std::string_view(recipe->name), std::string_view("--json")})
        bundle.command.emplace_back(word);
    return bundle;
}

} // namespace wb::remote
