#include "tests/fuzz/recipefuzz.h"

#include "core/check/check.h"
#include "core/check/equality.h"
#include "core/expand/provenance.h"
#include "core/recipe/migrate.h"
#include "tests/support/libyamljudge.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

namespace wb::fuzz {

namespace {

constexpr std::string_view clusterText = "default_account: a\ndefault_partition: p\ndefault_time_limit: \"04:00:00\"\n"
                                         "gpus_per_node: 8\nmodel_paths: {m: /models/m}\ncontainers: {c: /images/c.sqsh}\n"
                                         "default_sbatch_directives: {exclusive: \"\"}\nuse_het_jobs: false\n";

void require(bool holds, std::string_view what)
{
    if (holds)
        return;
    std::fprintf(stderr, "Does not hold: %.*s\n", static_cast<int>(what.size()), what.data());
    std::abort();
}

void requirePlaces(const check::Checked& checked)
{
    const std::size_t size = checked.source->text().size();
    for (const syntax::Diagnostic& problem : checked.diagnostics) {
        require(!problem.message.empty(), "every finding says something");
        if (problem.source != syntax::Source::Recipe)
            continue;
        require(problem.range.begin <= problem.range.end && problem.range.end <= size, "the place of a finding is in the text");
        for (const syntax::Note& note : problem.notes)
            require(note.source != syntax::Source::Recipe || note.range.end <= size, "the place of a note is in the text");
        for (const syntax::Fix& fix : problem.fixes) {
            for (const syntax::TextEdit& edit : fix.edits)
                require(edit.range.begin <= edit.range.end && edit.range.end <= size, "the place of a fix is in the text");
            static_cast<void>(syntax::applyEdits(checked.source->text(), fix.edits));
        }
    }
}

void requireResolved(const check::Checked& checked, std::size_t index)
{
    const expand::Variant& variant = checked.variants[index].variant;
    std::string text = check::resolvedYaml(checked, index);
    if (!checked.parsed.complete || !variant.document || !checked.variants[index].job)
        return;
    // The language stands beside the base, and in the resolved recipe.
    if (const std::size_t line = text.find("schema: "); checked.parsed.root->member("schema") && !variant.document->member("schema")) {
        require(line == 0 || (line != std::string::npos && text[line - 1] == '\n'), "a resolved recipe says its language");
        text.erase(line, text.find('\n', line) - line + 1);
    }
    const syntax::Parsed again = syntax::parse(std::make_shared<syntax::SourceText>(text));
    require(again.complete && again.root, "a resolved recipe can be read");
    require(syntax::sameData(*again.root, *variant.document), "a resolved recipe reads as the variant");
}

void tryMigration(const syntax::Parsed& parsed)
{
    const recipe::Migration migration = recipe::migrate(parsed);
    const std::size_t size = parsed.source->text().size();
    for (const recipe::MigrationNote& note : migration.notes) {
        require(!note.message.empty(), "every note of a migration says something");
        require(note.range.begin <= note.range.end && note.range.end <= size, "the place of a note of a migration is in the text");
    }
}

/// The text as the value of a setting, and as what a setting changes.
void trySettings(std::string_view text, const check::Facts& facts)
{
    constexpr std::size_t longest = 4096; // of a value that is typed
    check::Options options;
    options.expansion.settings = {{"environment.\"a.b\"", std::string(text.substr(0, longest)), false},
                                  {std::string(text.substr(0, 64)), "1", false},
                                  {"resources", {}, true}};
    static_cast<void>(check::check(std::make_shared<syntax::SourceText>(std::string(text), "recipe.yaml"), facts, options));
}

} // namespace

void tryRecipe(std::string_view text)
{
    require(!test::judgedByLibyaml(text).difference, "what is read without libyaml is read as libyaml does");
    static const check::Facts facts =
        check::factsFor(check::readCluster(std::make_shared<syntax::SourceText>(std::string(clusterText), "srtslurm.yaml")));
    require(facts.cluster != nullptr, "the cluster file is good");
    const check::Checked checked = check::check(std::make_shared<syntax::SourceText>(std::string(text), "recipe.yaml"), facts);
    requirePlaces(checked);
    tryMigration(checked.parsed);
    trySettings(text, facts);
    constexpr std::size_t most = 3; // of thousands the first tell what there is to tell
    for (std::size_t i = 0; i < std::min(most, checked.variants.size()); ++i) {
        requireResolved(checked, i);
        static_cast<void>(expand::provenance(checked.variants[i].variant, checked.variants[i].config));
    }
    if (checked.valid && checked.form == expand::Form::Plain && checked.variants.size() == 1) {
        const check::Consolidation both = check::consolidate({checked, checked}, "both", facts);
        require(both.isEqual, "a recipe consolidates with itself");
    }
}

} // namespace wb::fuzz
