// srtwb snapshot restore-manifest: the restore manifest of a capture manifest.
#include "app/cli/input.h"
#include "app/cli/outfiles.h"
#include "app/cli/snapshotcommand.h"
#include "core/base/text.h"
#include "core/snapshot/restoremanifest.h"

#include <memory>

namespace wb::cli {

using base::json::Array;
using base::json::Value;

namespace {

struct RestoreManifestOptions : snapshot::RestoreOptions {
    std::string capture;
    std::string output;
    bool mayReplace = false;
    bool isJson = false;
};

int run(const RestoreManifestOptions& options, Console& console)
{
    auto text = readInput(options.capture);
    if (!text) {
        console.fail(text.error());
        return World;
    }
    const auto made = snapshot::restoreManifestOf(*text, options);
    if (!made) {
        console.fail(Error(made.error()).within("Reading " + base::pathInQuotes(options.capture)));
        return Findings;
    }
    if (!options.output.empty()) {
        if (auto written = writeFiles({{options.output, made->text}}, options.mayReplace); !written) {
            console.fail(written.error());
            return World;
        }
    }
    if (options.isJson) {
        Array notes;
        for (const std::string& note : made->notes)
            notes.emplace_back(note);
        Value document;
        document.set("name", made->name);
        document.set("yaml", made->text);
        document.set("commentsKept", made->areCommentsKept);
        document.set("notes", std::move(notes));
        console.writeDocument(document);
    } else if (options.output.empty()) {
        console.write(made->text);
    }
    for (const std::string& note : made->notes)
        console.say(note);
    if (!made->areCommentsKept)
        console.say("The layout of the capture could not be edited in place: comments were lost.");
    return Good;
}

} // namespace

Run addSnapshotRestoreManifest(CLI::App& command, Console& console)
{
    auto options = std::make_shared<RestoreManifestOptions>();
    command.add_option("capture", options->capture, "A SnapshotJob, or the Deployment or Pod that is captured; - for standard input")
        ->required();
    command.add_option("--snapshot", options->snapshot, "Name of the PodSnapshot (a SnapshotJob's is its own name)");
    command.add_option("--name", options->name, "Name of the restored object (else the capture's with -restored)");
    command.add_option("--output", options->output, "Write to this file");
    command.add_flag("--force", options->mayReplace, "Replace the file");
    command.add_flag("--json", options->isJson, "Print one JSON document");
    return [options, &console] { return run(*options, console); };
}

} // namespace wb::cli
