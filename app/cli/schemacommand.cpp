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
    std::vector<std::string> names; ///< Keys or flags to look up; none: all.
};

std::string hint(std::string_view near)
{
    return near.empty() ? std::string(".") : "; did you mean \"" + std::string(near) + "\"?";
}

/// One flag after the other; a name that there is not is a finding.
int lookUp(const schema::FlagTable& table, const std::vector<std::string>& names, Console& console)
{
    int code = Good;
    for (const std::string& name : names) {
        const schema::Flag* flag = table.find(name);
        if (!flag)
            flag = table.abbreviated(name);
        if (flag) {
            console.write(schema::asText(*flag));
            continue;
        }
        console.fail(table.title() + " has no flag " + base::inQuotes(name) + " that is known here" + hint(table.nearest(name)));
        code = Findings;
    }
    return code;
}

int lookUp(const schema::Pack& pack, const std::vector<std::string>& names, Console& console)
{
    int code = Good;
    for (const std::string& name : names) {
        const std::string found = schema::asText(pack, name);
        console.write(found);
        if (found.empty()) {
            console.fail("The pack " + base::inQuotes(pack.id()) + " has no key " + base::inQuotes(name) +
                         hint(schema::nearestKey(pack, name)));
            code = Findings;
        }
    }
    return code;
}

int printFlags(const SchemaOptions& options, Console& console)
{
    const schema::FlagTable* table = schema::flagTable(options.engine);
    if (!table) {
        const std::vector<std::string> known(schema::flagTableIds().begin(), schema::flagTableIds().end());
        console.fail("There is no flag table " + base::inQuotes(options.engine) + "; there are " + base::joined(known, ", ") + ".");
        return Usage;
    }
    if (!options.names.empty())
        return lookUp(*table, options.names, console);
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
    if (!options.names.empty())
        return lookUp(*pack, options.names, console);
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
    CLI::Option* names =
        command.add_option("names", options->names, "Keys (concurrencies, benchmark.concurrencies) or, with --engine, flags to look up");
    command.add_option("--format", options->format, "text, markdown or json-schema")
        ->capture_default_str()
        ->check(CLI::IsMember({"text", "markdown", "json-schema"}))
        ->excludes(names);
    return [options, &console] { return run(*options, console); };
}

} // namespace wb::cli
