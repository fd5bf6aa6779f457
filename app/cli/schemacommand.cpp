// srtwb schema: the recipe language, printed from its pack; the flags of an engine, from its table.
#include "app/cli/command.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/schema/flags.h"
#include "core/schema/pack.h"

namespace wb::cli {

namespace {

struct SchemaOptions {
    std::string pack = "v1";
    std::string engine;
    std::string format = "text";
};

int printFlags(const SchemaOptions& options, Console& console)
{
    const schema::FlagTable* table = schema::flagTable(options.engine);
    if (!table) {
        const std::vector<std::string> known(schema::flagTableIds().begin(), schema::flagTableIds().end());
        console.fail("There is no flag table " + base::inQuotes(options.engine) + "; there are " + base::joined(known, ", ") + ".");
        return Usage;
    }
    if (options.format == "json-schema")
        console.writeDocument(schema::asJsonSchema(*table));
    else
        console.write(options.format == "markdown" ? schema::asMarkdown(*table) : schema::asText(*table));
    return Good;
}

int run(const SchemaOptions& options, Console& console)
{
    if (!options.engine.empty())
        return printFlags(options, console);
    std::shared_ptr<const schema::Pack> pack = schema::builtInPack(options.pack);
    if (!pack) {
        auto text = base::readFile(options.pack);
        if (!text) {
            std::string known;
            for (const std::string_view id : schema::builtInPackIds())
                known += (known.empty() ? "" : ", ") + std::string(id);
            console.fail(base::pathInQuotes(options.pack) + " is neither a built-in pack (" + known + ") nor a file that can be read.");
            return text.error().code == ErrorCode::NotFound && options.pack.find_first_of("/.") == std::string::npos ? Usage : World;
        }
        auto read = schema::readPack(*text, options.pack);
        if (!read) {
            console.fail(read.error());
            return World;
        }
        pack = *std::move(read);
    }
    if (options.format == "json-schema")
        console.writeDocument(schema::asJsonSchema(*pack));
    else
        console.write(options.format == "markdown" ? schema::asMarkdown(*pack) : schema::asText(*pack));
    return Good;
}

} // namespace

Run addSchema(CLI::App& command, Console& console)
{
    auto options = std::make_shared<SchemaOptions>();
    const std::vector<std::string> packs(schema::builtInPackIds().begin(), schema::builtInPackIds().end());
    const std::vector<std::string> engines(schema::flagTableIds().begin(), schema::flagTableIds().end());
    CLI::Option* pack = command.add_option("--pack", options->pack, "Built-in pack (" + base::joined(packs, ", ") + ") or a pack file")
                            ->capture_default_str();
    command.add_option("--engine", options->engine, "Flags of an engine instead: " + base::joined(engines, ", "))->excludes(pack);
    command.add_option("--format", options->format, "text, markdown or json-schema")
        ->capture_default_str()
        ->check(CLI::IsMember({"text", "markdown", "json-schema"}));
    return [options, &console] { return run(*options, console); };
}

} // namespace wb::cli
