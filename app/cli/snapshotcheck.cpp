// srtwb snapshot check: all problems of manifests.
#include "app/cli/findings.h"
#include "app/cli/input.h"
#include "app/cli/snapshotcommand.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/snapshot/manifestcheck.h"

#include <algorithm>
#include <filesystem>
#include <memory>

namespace wb::cli {

using base::json::Array;
using base::json::Value;

namespace {

namespace fs = std::filesystem;

struct CheckOptions {
    std::vector<std::string> paths;
    std::vector<std::string> crds = {"latest"};
    bool isJson = false;
};

struct Found {
    std::vector<std::string> files;
    std::vector<Error> errors; ///< `detail` is the path.
};

bool isManifestName(const fs::path& path)
{
    return path.extension() == ".yaml" || path.extension() == ".yml";
}

Found findManifests(const std::vector<std::string>& paths)
{
    Found out;
    for (const std::string& path : paths) {
        std::error_code ignored;
        if (path == "-" || !fs::is_directory(path, ignored)) {
            out.files.push_back(path);
            continue;
        }
        base::FilesBelow below = base::filesBelow(path, isManifestName);
        for (const fs::path& file : below.files)
            out.files.push_back(file.string());
        out.errors.insert(out.errors.end(), below.errors.begin(), below.errors.end());
    }
    return out;
}

/// The schemas that the options ask for: a built-in state, or files and folders that hold them.
Result<std::shared_ptr<const snapshot::CrdSet>> readSchemas(const std::vector<std::string>& names)
{
    if (names.size() == 1) {
        if (auto builtin = snapshot::builtinCrds(names.front()))
            return builtin;
    }
    std::vector<std::string> files;
    for (const std::string& name : names) {
        std::error_code ignored;
        if (snapshot::builtinCrds(name))
            return failure(ErrorCode::Malformed, base::inQuotes(name) + " is a whole set; no other --crd goes with it.");
        if (!fs::is_directory(name, ignored)) {
            files.push_back(name);
            continue;
        }
        for (const fs::path& file : base::filesBelow(name, isManifestName).files)
            files.push_back(file.string());
    }
    std::vector<std::string> texts;
    for (const std::string& file : files) {
        auto bytes = readInput(file);
        if (!bytes)
            return tl::unexpected(std::move(bytes.error()));
        texts.push_back(*std::move(bytes));
    }
    auto set = snapshot::readCrds(texts, base::joined(names, ", "));
    if (!set)
        return tl::unexpected(std::move(set.error()));
    return std::make_shared<const snapshot::CrdSet>(*std::move(set));
}

Value findingJson(const syntax::Diagnostic& finding, const syntax::SourceText& source)
{
    const syntax::LineCol begin = source.lineCol(finding.range.begin);
    const syntax::LineCol end = source.lineCol(finding.range.end);
    Value out;
    out.set("rule", syntax::id(finding));
    out.set("severity", syntax::name(finding.severity));
    out.set("path", finding.path);
    out.set("line", begin.line);
    out.set("column", begin.column);
    out.set("endLine", end.line);
    out.set("endColumn", end.column);
    out.set("message", finding.message);
    Array fixes;
    for (const syntax::Fix& fix : finding.fixes)
        fixes.emplace_back(fix.title);
    out.set("fixes", std::move(fixes));
    return out;
}

Value fileJson(const snapshot::CheckedManifest& checked)
{
    Value out;
    out.set("path", checked.source->path());
    out.set("valid", checked.hasVerdict() ? Value(checked.valid) : Value());
    Array objects;
    for (const snapshot::CheckedObject& object : checked.objects) {
        Value entry;
        entry.set("apiVersion", object.apiVersion);
        entry.set("kind", object.kind);
        entry.set("name", object.name.empty() ? Value() : Value(object.name));
        entry.set("checked", object.isChecked);
        entry.set("line", checked.source->lineCol(object.range.begin).line);
        objects.push_back(std::move(entry));
    }
    out.set("objects", std::move(objects));
    Array findings;
    for (const syntax::Diagnostic& finding : checked.findings)
        findings.push_back(findingJson(finding, *checked.source));
    out.set("findings", std::move(findings));
    return out;
}

Value unreadJson(const Error& error)
{
    Value out;
    out.set("path", error.detail);
    out.set("valid", Value());
    out.set("objects", Array());
    Value finding;
    finding.set("rule", syntax::id(syntax::Code::Unreadable));
    finding.set("severity", "error");
    finding.set("path", "");
    finding.set("line", Value());
    finding.set("column", Value());
    finding.set("message", error.message);
    out.set("findings", Array{std::move(finding)});
    return out;
}

void printJson(const snapshot::CrdSet& crds, const std::vector<snapshot::CheckedManifest>& files, const std::vector<Error>& unread,
               Console& console)
{
    Array array;
    for (const snapshot::CheckedManifest& checked : files)
        array.push_back(fileJson(checked));
    for (const Error& error : unread)
        array.push_back(unreadJson(error));
    Value document;
    document.set("crd", crds.name);
    document.set("crdOrigin", crds.origin);
    document.set("crdSha256", crds.sha256);
    document.set("files", std::move(array));
    console.writeDocument(document);
}

void printText(const std::vector<snapshot::CheckedManifest>& files, Console& console)
{
    for (const snapshot::CheckedManifest& manifest : files) {
        check::Checked shown;
        shown.source = manifest.source;
        for (const syntax::Diagnostic& finding : manifest.findings)
            console.write(asText(finding, shown, console.hasColour()));
    }
}

std::string counted(std::size_t number, std::string_view thing)
{
    return std::to_string(number) + " " + std::string(thing) + (number == 1 ? "" : "s");
}

std::string summaryOf(const std::vector<snapshot::CheckedManifest>& files)
{
    std::size_t objects = 0;
    std::size_t others = 0;
    std::size_t errors = 0;
    std::size_t warnings = 0;
    for (const snapshot::CheckedManifest& file : files) {
        for (const snapshot::CheckedObject& object : file.objects)
            ++(object.isChecked ? objects : others);
        for (const syntax::Diagnostic& finding : file.findings) {
            errors += finding.severity == syntax::Severity::Error ? 1 : 0;
            warnings += finding.severity == syntax::Severity::Warning ? 1 : 0;
        }
    }
    return counted(objects, "object") + ": " + counted(errors, "error") + ", " + counted(warnings, "warning") +
           (others > 0 ? "; " + counted(others, "other object") + " not checked" : "") + ".";
}

int run(const CheckOptions& options, Console& console)
{
    const auto crds = readSchemas(options.crds);
    if (!crds) {
        console.fail(crds.error());
        return World;
    }
    for (const std::string& kind : (*crds)->borrowed)
        console.say("The definitions given have no " + kind + "; the built-in one is used.");
    Found found = findManifests(options.paths);
    std::vector<snapshot::CheckedManifest> files;
    for (const std::string& path : found.files) {
        auto text = readInput(path);
        if (!text) {
            found.errors.push_back(std::move(text.error()));
            found.errors.back().detail = path;
            continue;
        }
        files.push_back(snapshot::checkManifest(std::make_shared<const syntax::SourceText>(*std::move(text), path), **crds));
    }
    for (const Error& error : found.errors)
        console.fail(error);
    if (options.isJson)
        printJson(**crds, files, found.errors, console);
    else
        printText(files, console);
    console.say(summaryOf(files) + " Schemas: " + (*crds)->name + " (" + (*crds)->origin + ").");
    if (!found.errors.empty())
        return World;
    if (files.empty()) {
        console.fail("There is no *.yaml or *.yml file below the given folders.");
        return World;
    }
    const bool isGood = std::all_of(files.begin(), files.end(), [](const snapshot::CheckedManifest& file) { return file.valid; });
    return isGood ? Good : Findings;
}

} // namespace

Run addSnapshotCheck(CLI::App& command, Console& console)
{
    auto options = std::make_shared<CheckOptions>();
    command.add_option("path", options->paths, "Manifests, folders of them, or - for standard input")->required();
    command.add_option("--crd", options->crds, "Schemas: latest, main-b7e707c, or a file or folder of CustomResourceDefinitions")
        ->capture_default_str()
        ->allow_extra_args(false);
    command.add_flag("--json", options->isJson, "Print one JSON document");
    return [options, &console] { return run(*options, console); };
}

} // namespace wb::cli
