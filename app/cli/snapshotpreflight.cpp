// srtwb snapshot preflight: which nodes can restore a checkpoint.
#include "app/cli/input.h"
#include "app/cli/snapshotcommand.h"
#include "core/base/text.h"
#include "core/snapshot/preflight.h"

#include <algorithm>
#include <iterator>
#include <memory>

namespace wb::cli {

using base::json::Array;
using base::json::Value;

namespace {

struct PreflightOptions {
    std::string source;
    std::string capture;
    std::vector<std::string> targets;
    std::string manifest;
    bool isJson = false;
};

/// A file read by one of the readers; the path is named in the error.
template <typename T>
Result<T> readWith(const std::string& path, Result<T> (*read)(std::string_view))
{
    auto text = readInput(path);
    if (!text)
        return tl::unexpected(std::move(text.error()));
    auto out = read(*text);
    if (!out)
        return passedOn(std::move(out.error()), "Reading " + base::pathInQuotes(path));
    return out;
}

Value textOrNull(const std::string& text)
{
    return text.empty() ? Value() : Value(text);
}

Value nodeJson(const snapshot::NodeOutcome& outcome)
{
    Value out;
    out.set("name", textOrNull(outcome.node.facts.name));
    out.set("verdict", snapshot::name(outcome.verdict));
    Array checks;
    for (const snapshot::CompatResult& result : outcome.results) {
        Value entry;
        entry.set("check", result.check);
        entry.set("gate", snapshot::name(result.gate));
        entry.set("state", snapshot::name(result.state));
        entry.set("source", textOrNull(result.source));
        entry.set("target", textOrNull(result.target));
        entry.set("message", textOrNull(result.message));
        checks.push_back(std::move(entry));
    }
    out.set("checks", std::move(checks));
    Array advice;
    for (const snapshot::NodeAdvice& one : outcome.advice) {
        Value entry;
        entry.set("id", one.id);
        entry.set("state", snapshot::name(one.state));
        entry.set("message", textOrNull(one.message));
        advice.push_back(std::move(entry));
    }
    out.set("advice", std::move(advice));
    return out;
}

std::string shown(const std::string& text)
{
    return text.empty() ? "—" : text;
}

void printText(const std::vector<snapshot::NodeOutcome>& outcomes, Console& console)
{
    for (const snapshot::NodeOutcome& outcome : outcomes) {
        console.write(base::printable(shown(outcome.node.facts.name)) + ": " + std::string(snapshot::name(outcome.verdict)) + "\n");
        for (const snapshot::CompatResult& result : outcome.results) {
            std::string line = "  " + std::string(snapshot::name(result.state)) + "\t" + std::string(result.check) + "\t" +
                               shown(result.source) + " -> " + shown(result.target);
            if (!result.message.empty())
                line += "\t" + result.message;
            console.write(base::replacedAll(base::printable(base::replacedAll(line, "\t", "  ")), "\t", " ") + "\n");
        }
        for (const snapshot::NodeAdvice& advice : outcome.advice) {
            if (advice.state == snapshot::CheckState::Mismatch)
                console.write("  advice  " + base::printable(advice.message) + "\n");
        }
    }
}

int run(const PreflightOptions& options, Console& console)
{
    auto source = readWith<snapshot::CompatFacts>(options.source, snapshot::readSourceFacts);
    if (!source) {
        console.fail(source.error());
        return World;
    }
    if (!options.capture.empty()) {
        auto capture = readWith<snapshot::PodFacts>(options.capture, snapshot::readPodFacts);
        if (!capture) {
            console.fail(capture.error());
            return World;
        }
        source = snapshot::completedBy(*std::move(source), *capture);
    }
    std::optional<snapshot::PodFacts> pod;
    if (!options.manifest.empty()) {
        auto read = readWith<snapshot::PodFacts>(options.manifest, snapshot::readPodFacts);
        if (!read) {
            console.fail(read.error());
            return World;
        }
        pod = *std::move(read);
    }
    std::vector<snapshot::ClusterNode> nodes;
    for (const std::string& path : options.targets) {
        auto read = readWith<std::vector<snapshot::ClusterNode>>(path, snapshot::readNodes);
        if (!read) {
            console.fail(read.error());
            return World;
        }
        std::move(read->begin(), read->end(), std::back_inserter(nodes));
    }
    const std::vector<snapshot::NodeOutcome> outcomes = snapshot::preflightOf(*source, nodes, pod);
    if (options.isJson) {
        Array entries;
        for (const snapshot::NodeOutcome& outcome : outcomes)
            entries.push_back(nodeJson(outcome));
        Value document;
        document.set("nodes", std::move(entries));
        console.writeDocument(document);
    } else {
        printText(outcomes, console);
    }
    const auto refused = std::count_if(outcomes.begin(), outcomes.end(),
                                       [](const snapshot::NodeOutcome& outcome) { return outcome.verdict == snapshot::Verdict::Refused; });
    console.say(std::to_string(outcomes.size()) + (outcomes.size() == 1 ? " node, " : " nodes, ") + std::to_string(refused) +
                " of them would be refused.");
    return static_cast<std::size_t>(refused) == outcomes.size() ? Findings : Good;
}

} // namespace

Run addSnapshotPreflight(CLI::App& command, Console& console)
{
    auto options = std::make_shared<PreflightOptions>();
    command.add_option("--source", options->source, "What was captured: a PodSnapshotContent, or a description of the node")->required();
    command.add_option("--capture", options->capture, "Capture manifest: completes the source with its mounts and limits");
    command.add_option("--target", options->targets, "Nodes (kubectl get nodes -o json), or a description of one")
        ->required()
        ->allow_extra_args(false);
    command.add_option("--manifest", options->manifest, "Restore manifest: image, limits, GPUs and mounts of the target");
    command.add_flag("--json", options->isJson, "Print one JSON document");
    command.footer(command.get_footer() + "\nExit code 1 when every node would be refused. A fact that is not known never refuses.");
    return [options, &console] { return run(*options, console); };
}

} // namespace wb::cli
