// srtwb schema: the recipe language, printed from its pack.
#include "app/cli/command.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/schema/pack.h"

namespace wb::cli {

namespace {

struct SchemaOptions {
    std::string pack = "v1";
    std::string format = "text";
};

int run(const SchemaOptions& options, Console& console)
{
    std::shared_ptr<const schema::Pack> pack = schema::builtInPack(options.pack);
    if (!pack) {
        auto text = base::readFile(options.pack);
        if (!text) {
            std::string known;
            for (const std::string_view id : schema::builtInPackIds())
                known += (known.empty() ? "" : ", ") + std::string(id);
            console.fail(base::inQuotes(options.pack) + " is neither a built-in pack (" + known + ") nor a file that can be read.");
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
    command.add_option("--pack", options->pack, "Built-in pack (v1, cluster) or a pack file")->capture_default_str();
    command.add_option("--format", options->format, "text, markdown or json-schema")
        ->capture_default_str()
        ->check(CLI::IsMember({"text", "markdown", "json-schema"}));
    return [options, &console] { return run(*options, console); };
}

} // namespace wb::cli
