// srtwb resolve: the recipe of each variant as a text of its own, and where its values come from.
#include "app/cli/command.h"
#include "app/cli/findings.h"
#include "app/cli/outfiles.h"
#include "app/cli/recipes.h"
#include "core/base/text.h"
#include "core/expand/provenance.h"

#include <filesystem>

namespace wb::cli {

using base::json::Array;
using base::json::Object;
using base::json::Value;

namespace {

struct ResolveOptions : RecipeOptions {
    std::string out;
    bool hasProvenance = false;
    bool mayReplace = false;
};

/// The text that an origin's range counts in; null for the command line and for what stands nowhere.
const syntax::SourceText* textOf(const expand::Origin& origin, const check::Checked& checked)
{
    if (origin.range == syntax::Range{})
        return nullptr;
    if (origin.source == syntax::Source::Recipe)
        return checked.source.get();
    return origin.source == syntax::Source::Cluster ? checked.clusterSource.get() : nullptr;
}

/// A table as comments, so that YAML with it stays YAML.
std::string tableOf(const std::vector<expand::Origin>& origins, const check::Checked& checked)
{
    std::string out;
    for (const expand::Origin& origin : origins) {
        out += "# " + base::printable(origin.path) + "\t" + base::json::write(syntax::toJson(*origin.value), 0) + "\t" +
               base::printable(origin.from);
        if (const syntax::SourceText* text = textOf(origin, checked))
            out += "\t" + base::printable(text->path()) + ":" + std::to_string(text->lineCol(origin.range.begin).line);
        out += "\n";
    }
    return out;
}

Value placeOf(const expand::Origin& origin, const syntax::SourceText& text)
{
    const syntax::LineCol begin = text.lineCol(origin.range.begin);
    const syntax::LineCol end = text.lineCol(origin.range.end);
    Value place;
    place.set("source", std::string(syntax::name(origin.source)));
    place.set("line", begin.line);
    place.set("column", begin.column);
    place.set("endLine", end.line);
    place.set("endColumn", end.column);
    return place;
}

Value variantJson(const check::CheckedVariant& variant, const std::string& yaml, const std::vector<expand::Origin>& origins,
                  const check::Checked& checked, bool hasPlaces)
{
    Value provenance;
    provenance = Object{};
    Value places;
    places = Object{};
    for (const expand::Origin& origin : origins) {
        provenance.set(origin.path, origin.from);
        if (const syntax::SourceText* text = textOf(origin, checked); text && hasPlaces)
            places.set(origin.path, placeOf(origin, *text));
    }
    Value out;
    out.set("path", checked.source->path());
    out.set("suffix", variant.variant.suffix);
    out.set("name", variant.name);
    out.set("yaml", yaml);
    out.set("provenance", std::move(provenance));
    if (hasPlaces)
        out.set("places", std::move(places));
    return out;
}

/// What was made of the recipes that have been read.
struct Made {
    Array documents;
    std::vector<OutFile> files;
    std::set<std::string> taken;
    std::size_t printed = 0; ///< Variants on standard output.
};

void add(const SingleRecipe& recipe, const ResolveOptions& options, Console& console, Made& out)
{
    if (!recipe.checked)
        return;
    const check::Checked& checked = *recipe.checked;
    for (const syntax::Diagnostic& problem : checked.diagnostics) {
        if (problem.severity == syntax::Severity::Error)
            console.fail(asText(problem, checked, false));
    }
    // What came before a syntax error is no recipe.
    const std::size_t count = checked.parsed.complete ? checked.variants.size() : 0;
    for (std::size_t i = 0; i < count; ++i) {
        const check::CheckedVariant& variant = checked.variants[i];
        const std::string* suffix = variant.variant.suffix ? &*variant.variant.suffix : nullptr;
        std::string yaml = check::resolvedYaml(checked, i);
        std::vector<expand::Origin> origins;
        if (options.isJson || options.hasProvenance)
            origins = expand::provenance(variant.variant, variant.config);
        if (options.isJson)
            out.documents.push_back(variantJson(variant, yaml, origins, checked, options.hasProvenance));
        if (!options.out.empty()) {
            const std::string stem =
                uniqueName(variantStem(recipe.path, suffix, checked.form == expand::Form::Sweep, variant.name), out.taken);
            const std::filesystem::path folder = options.out;
            if (options.hasProvenance)
                out.files.push_back({(folder / (stem + ".provenance.tsv")).string(), tableOf(origins, checked)});
            out.files.push_back({(folder / (stem + ".yaml")).string(), std::move(yaml)});
        } else if (!options.isJson) {
            if (count > 1 || !recipe.isNamed)
                console.write((out.printed > 0 ? "\n# --- " : "# --- ") +
                              (recipe.isNamed ? std::string() : base::printable(recipe.path) + ": ") +
                              base::printable(suffix ? *suffix : variant.name) + " ---\n");
            console.write(yaml);
            if (options.hasProvenance)
                console.write("\n# Where each value comes from: key, value, origin, place\n" + tableOf(origins, checked));
            ++out.printed;
        }
    }
}

int run(const ResolveOptions& options, Console& console)
{
    Made made;
    bool isAny = false;
    const int code = checkEach(options, 10'000, console, [&](const SingleRecipe& recipe) {
        add(recipe, options, console, made);
        isAny = true;
    });
    const auto written = writeFiles(made.files, options.mayReplace);
    if (options.isJson && isAny)
        console.writeDocument(Value(std::move(made.documents)));
    if (!written) {
        console.fail(written.error());
        return World;
    }
    for (const OutFile& file : made.files)
        console.say("Written: " + file.path);
    return code;
}

} // namespace

Run addResolve(CLI::App& command, Console& console)
{
    auto options = std::make_shared<ResolveOptions>();
    addFolderOptions(command, *options);
    command.add_option("--out", options->out, "Folder to write <recipe>_<suffix>.yaml into; else standard output");
    command.add_flag("--provenance", options->hasProvenance, "Say of every value where it comes from, with its place");
    command.add_flag("--force", options->mayReplace, "Replace files that are there already");
    return [options, &console] { return run(*options, console); };
}

} // namespace wb::cli
