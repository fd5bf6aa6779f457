#include "core/snapshot/restoreadded.h"

#include "core/snapshot/documents.h"
#include "core/snapshot/findings.h"
#include "core/snapshot/manifestcheck.h"
#include "core/snapshot/nodefacts.h"
#include "core/snapshot/podcontract.h"

#include <optional>
#include <utility>

namespace wb::snapshot {

namespace {

bool isRestore(const Node& root, std::string_view kind)
{
    const Node metadata = kind == "Pod" ? root.child("metadata") : root.at({"spec", "template", "metadata"});
    const Node annotations = metadata ? metadata.child("annotations") : Node();
    return annotations && annotations.child("nvidia.com/restore-from");
}

} // namespace

Result<Capture> captureAt(std::string_view text, std::size_t offset)
{
    const syntax::SourceText source{std::string(text)};
    std::optional<Capture> first;
    std::optional<Capture> firstJob;
    std::optional<Capture> here;
    std::string podSnapshot;
    for (const Document& document : documentsOf(source)) {
        const syntax::ValuePtr& root = document.parsed.root;
        if (!root || !root->isMapping())
            continue;
        const Node node{root, "", {}};
        const std::string kind(textOf(node, "kind"));
        const Node metadata = node.child("metadata");
        const std::string name(metadata ? textOf(metadata, "name") : std::string_view());
        if (kind == "PodSnapshot" && podSnapshot.empty())
            podSnapshot = name;
        const bool isJob = kind == "SnapshotJob";
        if ((!isJob && kind != "Deployment" && kind != "Pod") || isRestore(node, kind))
            continue;
        const std::string& own = document.parsed.source->text();
        const Capture capture{.kind = kind, .name = name, .text = own, .needsSnapshotName = !isJob, .podSnapshot = {}};
        if (document.offset <= offset && offset <= document.offset + own.size())
            here = capture;
        if (!first)
            first = capture;
        if (isJob && !firstJob)
            firstJob = capture;
    }
    std::optional<Capture> found = here ? here : firstJob ? firstJob : first;
    if (!found)
        return failure(ErrorCode::NotFound, "There is no SnapshotJob, Deployment or Pod to restore in the text.");
    found->podSnapshot = podSnapshot;
    return *std::move(found);
}

Result<RestoreAdded> addRestoreManifest(std::string_view text, const Capture& capture, const RestoreOptions& options, const CrdSet& crds)
{
    auto made = restoreManifestOf(capture.text, options);
    if (!made)
        return tl::unexpected(std::move(made.error()));
    RestoreAdded out;
    out.manifest = *std::move(made);
    std::string own = out.manifest.text;
    if (own.starts_with("---")) // the marker of a later document came with it
        own.erase(0, own.find('\n') == std::string::npos ? own.size() : own.find('\n') + 1);
    out.text = std::string(text);
    if (!out.text.empty() && out.text.back() != '\n')
        out.text += '\n';
    out.text += "---\n" + own;
    if (!out.text.ends_with('\n'))
        out.text += '\n';

    const CheckedManifest checked = checkManifest(std::make_shared<syntax::SourceText>(own), crds);
    for (const syntax::Diagnostic& finding : checked.findings) {
        if (finding.severity == syntax::Severity::Error)
            out.faults.push_back(finding.message);
    }
    const auto captured = readPodFacts(capture.text);
    const auto restored = readPodFacts(own);
    if (!captured || !restored)
        return out;
    for (const CompatResult& result : compare(targetOn({}, *captured), targetOn({}, *restored))) {
        if (result.state == CheckState::Mismatch)
            out.faults.push_back(std::string(result.check) + ": " + result.message);
    }
    return out;
}

} // namespace wb::snapshot
