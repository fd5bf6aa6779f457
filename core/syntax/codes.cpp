#include "core/syntax/codes.h"

#include <array>
#include <cassert>

namespace wb::syntax {

namespace {

// In the order of the enumerators.
constexpr std::array table = {
    CodeInfo{Code::EmptyDocument, "empty", "empty file",
             "The file holds no YAML value, only blanks or comments. A recipe needs at least name, model and resources."},
    CodeInfo{Code::NotUtf8, "not-text", "not a text file",
             "The file holds bytes that are not UTF-8 text, or control characters. Recipes are UTF-8 text: open the file in an editor and "
             "save it as such, or choose another file."},
    CodeInfo{Code::YamlSyntax, "yaml-syntax", "YAML syntax",
             "The text breaks the rules of YAML, so what follows the place cannot be trusted. The usual causes are indentation, a missing "
             "colon or bracket, and text that needs quotes because it holds a colon, a # or a bracket."},
    CodeInfo{Code::Tab, "yaml-tab", "tab", "YAML takes tabs only inside quotes, block texts and comments. Replace them with spaces."},
    CodeInfo{Code::ConflictMarker, "conflict-marker", "merge conflict",
             "The file holds markers of an unresolved version-control merge. Decide for one side and delete the marker lines."},
    CodeInfo{Code::DuplicateKey, "duplicate-key", "key set twice",
             "The same key stands twice in one mapping. The cluster's reader silently keeps the last one, so the first value is lost. "
             "Delete or rename one of them."},
    CodeInfo{Code::DuplicateAnchor, "duplicate-anchor", "anchor set twice",
             "The same anchor name (&name) is set twice; upstream's reader refuses that. Rename one of them."},
    CodeInfo{Code::UnknownAlias, "unknown-alias", "alias without anchor",
             "An alias (*name) needs an anchor (&name) of the same name earlier in the file. Text that begins with * needs quotes."},
    CodeInfo{Code::UnknownTag, "unknown-tag", "unknown tag",
             "Tags (!name) carry no meaning in recipes. Text that begins with ! needs quotes."},
    CodeInfo{Code::SeveralDocuments, "several-documents", "more than one document",
             "A line with --- begins a second document; a recipe file is one document. Split the file."},
    CodeInfo{
        Code::KeyNotText, "key-not-text", "key that is no text",
        "YAML reads this key as a number, boolean, null, list or mapping. Keys of recipes are text: put it in quotes if it is meant so."},
    CodeInfo{Code::MergeNotMap, "merge-not-map", "merge of something else",
             "The merge key << takes a mapping or a list of mappings, normally as an alias (<<: *base)."},
    CodeInfo{Code::TooDeep, "too-deep", "too large or too deep",
             "The document nests deeper, or its aliases multiply to more values, than any recipe needs. It is not read further."},
    CodeInfo{Code::BaseSixty, "base-sixty", "time read as a number",
             "YAML 1.1 reads an unquoted 12:00:00 as the number 43200 (base 60). Put times in quotes."},
    CodeInfo{Code::OldNumber, "old-number", "number in an old notation",
             "YAML 1.1 reads 010 as 8 (octal) and 1_000 as 1000; YAML 1.2 reads the first as 10 and other programs the second as text. "
             "Write the decimal number, or quote it when text is meant."},
    CodeInfo{Code::WordBoolean, "word-boolean", "word read as true or false",
             "YAML 1.1, which srtctl reads, takes yes, no, on and off without quotes for true and false; YAML 1.2 takes them for text. "
             "Write true or false, or quote the word when text is meant."},
    CodeInfo{Code::NotAMapping, "not-a-mapping", "not a mapping",
             "A recipe is a mapping of keys (name, model, resources, ...) at its top level."},
    CodeInfo{Code::OtherLanguage, "other-language", "another recipe language",
             "The recipe does not declare the version of the language that the cluster's srtctl reads, or declares another one. srtctl 2.x "
             "reads \"schema: 2\" only; `srtwb migrate` rewrites a recipe of schema 1."},
    CodeInfo{Code::LegacyKey, "legacy-key", "key of the old language",
             "srtctl 2.x reads schema 2 only and refuses a recipe that still has a key of schema 1. `srtwb migrate` rewrites the recipe."},
    CodeInfo{Code::UnknownKey, "unknown-key", "unknown key",
             "No such key exists here, and the cluster's srtctl refuses the recipe because of it. It is either misspelt or stands in the "
             "wrong block."},
    CodeInfo{Code::MissingKey, "missing-key", "missing key", "A required key is absent from this block."},
    CodeInfo{Code::WrongType, "wrong-type", "wrong type",
             "The value is of another type than the key takes: text where a number is needed, a list where a mapping is, and so on. "
             "Numbers and booleans are not turned into text: quote them where text is needed."},
    CodeInfo{Code::NotNull, "not-null", "null where a value is needed",
             "The key has no value (or null), and this key does not take null. Often every line below a key was commented out. Give it a "
             "value or delete the key."},
    CodeInfo{Code::NotAChoice, "not-a-choice", "not one of the choices", "The key takes one of a few words, and this is none of them."},
    CodeInfo{Code::UnusualValue, "unusual-value", "unusual value",
             "The value is accepted, but is none of those in common use. Check the spelling."},
    CodeInfo{Code::OutOfRange, "out-of-range", "out of range", "The number is outside the limits in which this setting makes sense."},
    CodeInfo{
        Code::Truncated, "truncated", "fraction cut off",
        "The key takes whole numbers; the fraction will be cut off silently when the job is loaded. Write the whole number that is meant."},
    CodeInfo{Code::NumberTooLarge, "number-too-large", "number too large",
             "The number is beyond anything a cluster has, and beyond 64 bits or the limits of the tools behind it."},
    CodeInfo{Code::Inert, "inert", "read by nothing", "The key is accepted, and nothing reads it: it has no effect."},
    CodeInfo{Code::NotRead, "not-read", "not read here",
             "The key belongs to another type of benchmark or front end; with the one chosen here it is ignored."},
    CodeInfo{Code::Deprecated, "deprecated", "old name", "The key still works and has a successor."},
    CodeInfo{Code::UnknownFlag, "unknown-flag", "unknown engine flag",
             "The engine has no such command-line flag in the version known here. The container may hold another version."},
    CodeInfo{Code::Rule, "rule", "values that do not go together",
             "Each value is fine by itself, but they contradict each other: the job would be refused, or fail after it has been given its "
             "nodes."},
    CodeInfo{Code::UnknownAliasName, "unknown-name", "name unknown to the cluster file",
             "The cluster file has no model path or container of that name, so it is taken as it stands."},
    CodeInfo{Code::DoesNotFit, "does-not-fit", "does not fit the nodes",
             "The workers cannot be placed on the nodes that the recipe asks for."},
    CodeInfo{Code::PortClash, "port-clash", "port clash", "Two processes would use one port, or a range of ports runs into the next one."},
    CodeInfo{Code::IdleNodes, "idle-nodes", "idle nodes or GPUs", "The job takes nodes or GPUs on which nothing runs."},
    CodeInfo{Code::NotRendered, "not-rendered", "not shown in a dry run",
             "The recipe is good, but this version cannot yet say what srtctl makes of this part, so that the artifacts lack it."},
    CodeInfo{Code::UnknownTopKey, "unknown-section", "unknown section",
             "Beside base, an override file has only override_<name> and zip_override_<name> sections. Anything else at the top is "
             "silently ignored by upstream."},
    CodeInfo{Code::BadVariant, "bad-section", "section that cannot be used",
             "The section is no mapping, or null, so no job can be made of it."},
    CodeInfo{Code::ZipLength, "zip-length", "lists of different length",
             "All lists of a zip section that are longer than one must have the same length: they are walked in step."},
    CodeInfo{Code::ZipEmpty, "zip-empty", "zip without values",
             "A zip section needs at least one list with an element; each element makes one job."},
    CodeInfo{Code::ZipScalarList, "zip-scalar-list", "list cut into single values",
             "The key takes a list, but in a zip section each list is cut into its elements. Write a list of lists."},
    CodeInfo{Code::ZipNull, "zip-null", "null in a zip",
             "Upstream validates this variant with the key deleted and then submits it with the key of base in place. The job that runs is "
             "not the one that was checked."},
    CodeInfo{
        Code::ZipQuotes, "zip-quotes", "quotes lost in a zip",
        "srtctl writes each job of a zip anew by the rules of YAML 1.2, without the quotes, and reads it back by those of YAML 1.1, where "
        "this text is a number or a boolean. Resolved recipes written here keep the quotes."},
    CodeInfo{Code::ScalarNameInZip, "zip-name", "name without effect",
             "In a zip section only a list of names counts; a single name is ignored by upstream."},
    CodeInfo{Code::SuffixClash, "suffix-clash", "two jobs of one suffix",
             "Two sections make jobs of the same suffix; upstream gives one of them the content of the other."},
    CodeInfo{Code::BadSweep, "bad-sweep", "sweep that cannot be expanded",
             "The sweep block is a mapping from parameter names to non-empty lists of values."},
    CodeInfo{
        Code::SweepInVariant, "sweep-in-variant", "sweep inside a variant",
        "The override is laid over the base first, and the result is swept, as srt-slurm's documentation says. Its srtctl refuses such a "
        "file, so submit the resolved jobs."},
    CodeInfo{Code::RepeatedSweepValue, "repeated-sweep-value", "value twice in a sweep",
             "A parameter lists the same value twice, so the same job would run twice under one name."},
    CodeInfo{Code::UnknownPlaceholder, "unknown-placeholder", "unknown placeholder",
             "Text in braces looks like a sweep placeholder, but the sweep has no parameter of that name, so the braces reach the job as "
             "they are."},
    CodeInfo{Code::UnusedSweepKey, "unused-sweep-key", "unused sweep parameter",
             "No placeholder uses this parameter, so all its values make the same job."},
    CodeInfo{Code::PlaceholderInName, "placeholder-in-name", "placeholder in the name",
             "Placeholders in the job name stay as they are; the parameters are appended to the name anyway."},
    CodeInfo{Code::PlaceholderInKey, "placeholder-in-key", "placeholder in a key",
             "Placeholders are filled in values only; in a key the braces stay as they are."},
    CodeInfo{Code::UnquotedPlaceholder, "unquoted-placeholder", "placeholder without quotes",
             "Without quotes YAML reads {name} as a mapping, and nothing is filled in. Quote it."},
    CodeInfo{
        Code::RefilledPlaceholder, "refilled-placeholder", "placeholder inside a value",
        "A value of the sweep holds a placeholder itself. srtctl fills it in when its parameter comes later in the sweep; here a value is "
        "taken as it is written."},
    CodeInfo{
        Code::TypedPlaceholder, "typed-placeholder", "type that srtctl would lose",
        "A placeholder that is the whole value keeps the type of the parameter's value here. srtctl turns it into text when it expands the "
        "file itself: true becomes \"True\", null becomes \"None\", a number a quoted number."},
    CodeInfo{Code::DuplicateJob, "duplicate-job", "same job twice",
             "Two jobs of this file are the same but for their names; running both measures one thing twice."},
    CodeInfo{Code::SameName, "same-name", "two jobs of one name",
             "Two jobs of this file have the same name, so that their results cannot be told apart by it."},
    CodeInfo{Code::TooManyJobs, "too-many-jobs", "too many jobs", "The file stands for more jobs than the limit."},
    CodeInfo{Code::NoSuchSelector, "no-such-selector", "selector names nothing",
             "What stands behind the colon of the recipe's path names no variant of the file, and no job of its sweep."},
    CodeInfo{Code::BadSetting, "bad-setting", "setting that cannot be made", "A --set or --unset could not be applied to the recipe."},
    CodeInfo{
        Code::Lockfile, "lockfile", "lockfile",
        "The file carries the \"lock\" of a run. The recipe in it is used without the lock; the hash in the lock is not checked here."},
    CodeInfo{Code::ClusterFile, "cluster-file", "cluster file",
             "The cluster file has an error. Upstream drops the whole file then: accounts, partitions, aliases and directives would all be "
             "missing from the job."},
    CodeInfo{Code::Unreadable, "unreadable", "path that could not be read",
             "The file or folder could not be read, so nothing is known of the recipes in it. Check that it is there and that you may read "
             "it."},
};
static_assert(table.size() == static_cast<std::size_t>(Code::Count));
static_assert([] {
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (table.at(i).code != static_cast<Code>(i))
            return false;
    }
    return true;
}());

} // namespace

const CodeInfo& info(Code code)
{
    assert(code < Code::Count);
    return table.at(static_cast<std::size_t>(code));
}

std::string_view id(Code code)
{
    return info(code).id;
}

std::span<const CodeInfo> allCodes()
{
    return table;
}

} // namespace wb::syntax
