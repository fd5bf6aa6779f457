// srtwb check: all problems of recipes.
#include "app/cli/command.h"
#include "app/cli/findings.h"
#include "app/cli/recipes.h"
#include "app/cli/sarif.h"
#include "core/base/memory.h"
#include "core/base/parallel.h"
#include "core/base/text.h"
#include "core/schema/flags.h"
#include "core/schema/pack.h"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <optional>
#include <system_error>
#include <thread>

namespace wb::cli {

using base::json::Array;
using base::json::Value;

namespace {

struct CheckOptions : RecipeOptions {
    bool isSarif = false;
    bool isGithub = false;
};

Value fileJson(const check::Checked& checked)
{
    Value out;
    out.append("path", checked.source->path());
    out.append("pack", checked.pack);
    out.append("valid", checked.pack ? Value(checked.valid) : Value());
    out.append("jobs", checked.pack ? Value(checked.variants.size()) : Value());
    Array variants;
    for (const check::CheckedVariant& variant : checked.variants) {
        Value object;
        object.append("suffix", variant.variant.suffix);
        object.append("name", variant.name.empty() ? Value() : Value(variant.name));
        object.append("valid", variant.valid);
        variants.push_back(std::move(object));
    }
    out.append("variants", std::move(variants));
    out.append("diagnostics", toJson(checked.diagnostics, checked));
    return out;
}

/// A path that could not be read: no verdict, and why.
Value unreadJson(const Error& error)
{
    Value out;
    out.set("path", error.detail);
    out.set("pack", Value());
    out.set("valid", Value());
    out.set("jobs", Value());
    out.set("variants", Array());
    out.set("diagnostics", Array{toJson(error)});
    return out;
}

struct Totals {
    std::size_t recipes = 0;
    std::size_t clusters = 0;
    std::size_t others = 0;
    std::size_t jobs = 0;
    std::size_t errors = 0;
    std::size_t warnings = 0;
};

Totals totalsOf(const std::vector<check::Checked>& files)
{
    Totals out;
    for (const check::Checked& checked : files) {
        const bool isCluster = checked.pack && checked.source == checked.clusterSource;
        ++(isCluster ? out.clusters : checked.pack ? out.recipes : out.others);
        out.jobs += checked.variants.size();
        for (const syntax::Diagnostic& problem : checked.diagnostics) {
            out.errors += problem.severity == syntax::Severity::Error ? 1 : 0;
            out.warnings += problem.severity == syntax::Severity::Warning ? 1 : 0;
        }
    }
    return out;
}

std::string counted(std::size_t number, std::string_view thing)
{
    return std::to_string(number) + " " + std::string(thing) + (number == 1 ? "" : "s");
}

/// The text of a value as it stands in the list of files of the document.
std::string listed(const Value& value)
{
    std::string text = base::json::write(value);
    text.pop_back(); // its last line break
    return base::replacedAll(text, "\n", "\n    ");
}

/// The document {"files": [...]}, of texts that stood ready: writing it anew from values would keep one core busy while the others wait.
void printJson(const std::vector<std::string>& texts, const std::vector<Error>& unread, Console& console)
{
    std::string document; // written as one: each write into a pipe wakes the reader up
    document.reserve(std::accumulate(texts.begin(), texts.end(), std::size_t{4096},
                                     [](std::size_t sum, const std::string& text) { return sum + text.size() + 8; }));
    std::string_view divider = "{\n  \"files\": [\n    ";
    const auto add = [&](std::string_view text) {
        document += divider;
        document += text;
        divider = ",\n    ";
    };
    for (const std::string& text : texts)
        add(text);
    for (const Error& error : unread)
        add(listed(unreadJson(error)));
    document += texts.empty() && unread.empty() ? "{\n  \"files\": []\n}\n" : "\n  ]\n}\n";
    console.write(document);
}

void print(const CheckOptions& options, const std::vector<check::Checked>& files, const std::vector<Error>& unread, Console& console)
{
    if (options.isSarif) {
        console.writeDocument(sarifLog(files, unread));
        return;
    }
    for (const check::Checked& checked : files) {
        for (const syntax::Diagnostic& problem : checked.diagnostics)
            console.write(options.isGithub ? asAnnotation(problem, checked) : asText(problem, checked, console.hasColour()));
    }
    if (options.isGithub) {
        for (const Error& error : unread)
            console.write(asAnnotation(error));
    }
    const Totals totals = totalsOf(files);
    std::string line = totals.clusters > 0 ? counted(totals.clusters, "cluster file") : "";
    if (totals.recipes > 0 || line.empty())
        line += (line.empty() ? "" : ", ") + counted(totals.recipes, "recipe") + ", " + counted(totals.jobs, "job");
    line += ": " + counted(totals.errors, "error") + ", " + counted(totals.warnings, "warning");
    if (totals.others > 0)
        line += "; " + counted(totals.others, "other file") + " left out";
    if (!unread.empty())
        line += "; " + counted(unread.size(), "path") + " could not be read";
    console.say(line + ".");
}

/// One file that was checked.
struct Outcome {
    Result<check::Checked> checked;
    std::string json; ///< With --json what is printed of it, else empty.
};

/// Leaves of a checked file what is printed. The trees and jobs of hundreds of files would be held until the last one is read, and each
/// page of them be new to the system.
void dropTrees(check::Checked& checked)
{
    checked.parsed.root = nullptr;
    checked.parsed.anchors.clear();
    for (check::CheckedVariant& variant : checked.variants) {
        variant.config = nullptr;
        variant.job = nullptr;
        variant.variant.document = nullptr;
        variant.variant.params.clear();
    }
}

/// Reads what most folders of recipes need, while the folder is walked through and the other cores have nothing to do yet.
std::jthread readAhead(const CheckOptions& options)
{
    const auto isFolder = [](const std::string& argument) {
        std::error_code ignored;
        return std::filesystem::is_directory(argument, ignored);
    };
    if (options.pack != "auto" || std::none_of(options.recipes.begin(), options.recipes.end(), isFolder))
        return {};
    try {
        return std::jthread([] {
            static_cast<void>(schema::builtInPack("v1"));
            for (const std::string_view engine : {"sglang", "trtllm", "vllm"})
                static_cast<void>(schema::flagTable(engine));
        });
    } catch (const std::system_error&) {
        return {}; // the system gives no more threads: each is read when it is asked for
    }
}

int run(const CheckOptions& options, Console& console)
{
    base::keepFreedMemory(std::size_t{64} << 20); // what one file leaves is for the next one
    const std::jthread ahead = readAhead(options);
    const RecipeSet set = findRecipes(options.recipes);
    auto facts = readFacts(options, console);
    if (!facts) {
        console.fail(facts.error());
        return World;
    }
    auto settings = readSettings(options);
    if (!settings) {
        console.fail(settings.error());
        return Usage;
    }
    check::Options how;
    how.expansion.settings = *std::move(settings);
    std::vector<std::optional<Outcome>> outcomes(set.files.size());
    base::parallelFor(set.files.size(), [&](std::size_t i) {
        Outcome& outcome = outcomes[i].emplace(Outcome{checkFile(set.files[i], *facts, how), {}});
        if (!outcome.checked)
            return;
        dropTrees(*outcome.checked);
        if (options.isJson) {
            outcome.json = listed(fileJson(*outcome.checked));
            outcome.checked->diagnostics.clear();
            outcome.checked->variants.clear();
        }
    });

    std::vector<Error> unread = set.errors;
    std::vector<check::Checked> files;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        if (outcomes[i]->checked) {
            files.push_back(*std::move(outcomes[i]->checked));
            texts.push_back(std::move(outcomes[i]->json));
            continue;
        }
        unread.push_back(std::move(outcomes[i]->checked.error()));
        unread.back().detail = set.files[i].path;
    }
    for (const Error& error : unread)
        console.fail(error);
    if (options.isJson)
        printJson(texts, unread, console);
    else
        print(options, files, unread, console);
    if (!unread.empty())
        return World;
    if (set.files.empty()) {
        console.fail("There is no *.yaml or *.yml file below the given folders.");
        return World;
    }
    const bool isGood = std::all_of(files.begin(), files.end(), [](const check::Checked& c) { return c.valid || !c.pack; });
    return isGood ? Good : Findings;
}

} // namespace

Run addCheck(CLI::App& command, Console& console)
{
    auto options = std::make_shared<CheckOptions>();
    addRecipeOptions(command, *options, false);
    CLI::Option* json = command.get_option("--json");
    CLI::Option* sarif = command.add_flag("--sarif", options->isSarif, "Print a SARIF 2.1.0 log")->excludes(json);
    command.add_flag("--github", options->isGithub, "Print annotations for GitHub Actions")->excludes(sarif)->excludes(json);
    return [options, &console] { return run(*options, console); };
}

} // namespace wb::cli
