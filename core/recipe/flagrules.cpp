#include "core/recipe/flagrules.h"

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/recipe/rules.h"
#include "core/recipe/rulewords.h"
#include "core/syntax/yaml.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <unordered_set>
#include <utility>

namespace wb::recipe {

using base::inQuotes;
using schema::Certainty;
using schema::Flag;
using schema::FlagKind;
using schema::FlagTable;
using schema::FlagType;
using schema::SrtctlUse;
using schema::Version;
using syntax::Code;
using syntax::Diagnostic;
using syntax::Kind;
using syntax::Member;
using syntax::Severity;
using syntax::Value;
using syntax::ValuePtr;

namespace {

// --- saying it -----------------------------------------------------------------------------------------------------------------------

/// At the flag's key.
Diagnostic& reportKey(RuleFindings& findings, const FlagBlock& block, const std::string& path, const Member& member, Severity severity,
                      std::string message)
{
    Diagnostic& problem = findings.report(block.path, severity, std::move(message));
    problem.path = path + "." + member.key;
    problem.source = member.value->source;
    problem.range = member.keyRange.isEmpty() ? member.value->range : member.keyRange;
    return problem;
}

/// At the flag's value, or at its key where that is a whole block or stands in no text.
Diagnostic& reportValue(RuleFindings& findings, const FlagBlock& block, const std::string& path, const Member& member, const Value& value,
                        Severity severity, std::string message)
{
    Diagnostic& problem = reportKey(findings, block, path, member, severity, std::move(message));
    if (value.isScalar() && !value.range.isEmpty())
        problem.range = value.range;
    return problem;
}

void addFix(Diagnostic& problem, std::string title, std::vector<syntax::TextEdit> edits)
{
    const bool isInText = std::none_of(edits.begin(), edits.end(), [](const syntax::TextEdit& edit) { return edit.range.isEmpty(); });
    if (isInText)
        problem.fixes.push_back({std::move(title), std::move(edits)});
}

/// The name in the spelling of the recipe: with `_` where the key that it replaces has them.
std::string spelledAs(std::string name, const FlagBlock& block, std::string_view key)
{
    const bool isSnake =
        block.style == FlagStyle::Dashed && key.find('_') != std::string_view::npos && key.find('-') == std::string_view::npos;
    if (isSnake)
        std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

bool isNewerImage(const FlagUses& uses, const FlagBlock& block)
{
    const auto version = uses.versionFor(block);
    return version && block.table->newest() && *version > *block.table->newest();
}

/// What the table is worth where it says that the engine refuses something: an error only for an image of a version that it covers.
Severity severityOf(const FlagUses& uses, const FlagBlock& block)
{
    switch (block.table->certainty()) {
    case Certainty::Refuses:
        return uses.versionFor(block) && !isNewerImage(uses, block) ? Severity::Error : Severity::Warning;
    case Certainty::Likely:
        return Severity::Warning;
    case Certainty::Partial:
        break;
    }
    return Severity::Hint;
}

/// As `severityOf`, for what a newer version may have added: a name that is near a known one is no proof, engines name new flags alike.
Severity severityOfMissing(const FlagUses& uses, const FlagBlock& block)
{
    return isNewerImage(uses, block) ? Severity::Hint : severityOf(uses, block);
}

std::string thing(const FlagBlock& block)
{
    return block.style == FlagStyle::File ? "key" : "flag";
}

// --- names ---------------------------------------------------------------------------------------------------------------------------

bool sameSpelling(std::string_view a, std::string_view b)
{
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return (x == '_' ? '-' : x) == (y == '_' ? '-' : y); });
}

/// The mapping has such a key, so another one was not meant for it, and would stand beside it.
bool hasSpelling(const Value& mapping, std::string_view name)
{
    return std::any_of(mapping.members.begin(), mapping.members.end(), [&](const Member& m) { return sameSpelling(m.key, name); });
}

/// `mapping` holds the member.
void reportUnknown(RuleFindings& findings, const FlagBlock& block, const std::string& path, const Value& mapping, const Member& member,
                   std::string_view owner, std::string_view near)
{
    const auto isBeside = [&](const Member& there) {
        return sameSpelling(there.key, near) && findings.facts().sections.standsBeside(there, member);
    };
    if (!sameSpelling(near, member.key) && std::any_of(mapping.members.begin(), mapping.members.end(), isBeside))
        near = {};
    const FlagUses& uses = findings.flagUses();
    std::string message = std::string(owner) + " has no " + thing(block) + " " + inQuotes(member.key) + " that is known here";
    if (!near.empty())
        message += "; did you mean \"" + std::string(near) + "\"?";
    else if (block.table->isComplete() || block.table->certainty() == Certainty::Refuses)
        message += " (state: " + block.table->state() + "); another version in the image may have it.";
    else
        message += ", but not all of them are.";
    Diagnostic& problem = reportKey(findings, block, path, member, severityOfMissing(uses, block), std::move(message));
    problem.code = Code::UnknownFlag;
    if (!near.empty())
        addFix(problem, "Change to \"" + spelledAs(std::string(near), block, member.key) + "\"",
               {{member.keyRange, spelledAs(std::string(near), block, member.key)}});
}

std::string_view nearestKey(const Flag& flag, std::string_view written)
{
    std::vector<std::string_view> names;
    for (const Flag& key : flag.keys)
        names.emplace_back(key.name);
    return base::nearestName(written, names);
}

/// The keys that the chosen variant of a block takes; null where all do, or where it is not known.
const std::vector<std::string>* variantKeys(const Flag& flag, const Value& mapping, std::string& word)
{
    if (flag.discriminator.empty())
        return nullptr;
    const ValuePtr chosen = mapping.find(flag.discriminator);
    if (!chosen || !chosen->isString())
        return nullptr;
    word = chosen->text;
    for (const auto& [name, keys] : flag.variants) {
        if (name == word)
            return keys ? &*keys : nullptr;
    }
    return nullptr;
}

/// Keys of a block that the engine reads strictly.
void checkKeys(RuleFindings& findings, const FlagBlock& block, const std::string& path, const Flag& flag, const Value& mapping)
{
    if (flag.isUnread || flag.keys.empty() || !mapping.isMapping())
        return;
    std::string word;
    const std::vector<std::string>* taken = variantKeys(flag, mapping, word);
    for (const Member& member : mapping.members) {
        if (member.keyKind != Kind::String)
            continue;
        const Flag* key = flag.key(member.key);
        if (!key) {
            reportUnknown(findings, block, path, mapping, member, inQuotes(flag.name) + " of " + block.table->title(),
                          nearestKey(flag, member.key));
            continue;
        }
        const bool isTaken = !taken || key->seenOnly || std::find(taken->begin(), taken->end(), key->name) != taken->end();
        if (!isTaken) {
            Diagnostic& problem = reportKey(findings, block, path, member, severityOfMissing(findings.flagUses(), block),
                                            inQuotes(flag.name) + " takes no " + inQuotes(member.key) + " where its " +
                                                inQuotes(flag.discriminator) + " is " + inQuotes(word) + ".");
            problem.code = Code::UnknownFlag;
            continue;
        }
        checkKeys(findings, block, path + "." + member.key, *key, *member.value);
    }
}

/// Unknown flags may go on to another program: with the vLLM chat processor to vLLM's parser.
bool passesUnknownOn(const FlagBlock& block)
{
    const FlagUse* processor = block.find("dyn-chat-processor");
    return processor && processor->member->value->isString() && processor->member->value->text == "vllm";
}

// --- values --------------------------------------------------------------------------------------------------------------------------

std::string trimmedText(const Value& value)
{
    return std::string(base::trimmed(value.text));
}

bool isWhole(const Value& value)
{
    if (value.kind == Kind::Integer)
        return true;
    return value.isString() && base::integerOf(base::replacedAll(trimmedText(value), "_", "")).has_value();
}

bool isNumber(const Value& value)
{
    if (value.kind == Kind::Integer || value.kind == Kind::Float)
        return true;
    if (!value.isString())
        return false;
    const std::string text = trimmedText(value);
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

/// "16k", "2.5M", "1Gi": a number with a unit behind it.
bool isNumberWithUnit(const Value& value)
{
    if (!value.isString())
        return false;
    std::string text = trimmedText(value);
    while (!text.empty() && !(text.back() >= '0' && text.back() <= '9'))
        text.pop_back();
    Value bare;
    bare.kind = Kind::String;
    bare.text = text;
    return value.text.size() - text.size() <= 3 && isNumber(bare);
}

bool isBooleanWord(const Value& value)
{
    if (!value.isString())
        return false;
    const std::string text = base::lowered(value.text);
    return text == "true" || text == "false";
}

/// Whether one scalar may be one of the parts. On a command line every scalar is a word; in a file its kind counts.
bool fits(const Value& value, std::uint8_t parts, const Flag& flag, FlagStyle style)
{
    const FlagType type{parts, 0};
    if (type.takes(FlagType::Any) || type.takes(FlagType::Json))
        return true;
    if (value.kind == Kind::Bool)
        return type.takes(FlagType::Boolean);
    if (type.takes(FlagType::Text))
        return style != FlagStyle::File || value.isString();
    if (type.takes(FlagType::Integer) &&
        (isWhole(value) || (style == FlagStyle::File && value.kind == Kind::Float && value.number == std::floor(value.number))))
        return true;
    if (type.takes(FlagType::Number) && isNumber(value))
        return true;
    if (type.takes(FlagType::Boolean) && style == FlagStyle::File)
        return isBooleanWord(value) || (value.kind == Kind::Integer && (value.integer == 0 || value.integer == 1));
    if (flag.takesUnits && isNumberWithUnit(value))
        return true;
    return flag.takesNone && value.isString() && value.text == "None";
}

std::string wordOf(const Value& value)
{
    return value.kind == Kind::Bool ? (value.boolean ? "True" : "False") : value.text;
}

/// One value of a flag: its kind, the choices, the limits.
void checkScalar(RuleFindings& findings, const FlagBlock& block, const std::string& path, const Member& member, const Value& value,
                 const Flag& flag, std::uint8_t parts)
{
    const FlagUses& uses = findings.flagUses();
    if (!fits(value, parts, flag, block.style)) {
        const bool isItem = &value != member.value.get();
        reportValue(findings, block, path, member, value, severityOf(uses, block),
                    inQuotes(member.key) + " takes " + (isItem ? "a list of such values: " : "") + schema::inWords(flag) + ", not " +
                        syntax::shown(value) + ".");
        return;
    }
    const std::string word = wordOf(value);
    const bool isOutside = !flag.choices.empty() && !flag.openChoices &&
                           std::find(flag.choices.begin(), flag.choices.end(), word) == flag.choices.end() &&
                           !(flag.takesNone && word == "None");
    if (isOutside) {
        const std::vector<std::string_view> words(flag.choices.begin(), flag.choices.end());
        const std::string near(base::nearestName(word, words));
        std::string message = inQuotes(member.key) + " of " + block.table->title() + " takes ";
        message += flag.choices.size() <= 12 ? schema::inWords(flag) : "one of " + std::to_string(flag.choices.size()) + " words";
        message += ", not " + syntax::shown(value) + (near.empty() ? "." : "; did you mean \"" + near + "\"?");
        Diagnostic& problem = reportValue(findings, block, path, member, value, severityOfMissing(uses, block), std::move(message));
        if (!near.empty())
            addFix(problem, "Change to \"" + near + "\"", {{value.range, value.style == syntax::Style::Plain ? near : "\"" + near + "\""}});
        return;
    }
    // On a command line a number in quotes is the same word.
    const bool isNumeric = value.kind == Kind::Integer || value.kind == Kind::Float;
    const auto number = isNumeric                                            ? std::optional(value.number)
                        : value.isString() && block.style != FlagStyle::File ? base::numberOf(trimmedText(value))
                                                                             : std::nullopt;
    if (number && (!flag.limits.allow(*number) || (flag.belowMost && flag.limits.most && *number >= *flag.limits.most)))
        reportValue(findings, block, path, member, value, severityOf(uses, block),
                    inQuotes(member.key) + " of " + block.table->title() + " takes " + schema::inWords(flag) + ", not " +
                        syntax::shown(value) + ".");
}

/// A mapping on a command line is written as Python shows it, which no program reads.
void reportMapping(RuleFindings& findings, const FlagBlock& block, const Member& member, const Value& value)
{
    Diagnostic& problem = reportKey(findings, block, block.path, member, Severity::Warning,
                                    inQuotes(member.key) + " is a mapping, which srtctl writes as Python text with single quotes; " +
                                        block.table->title() + " reads JSON, so write it as one JSON text in quotes.");
    const std::string text = base::json::write(syntax::toJson(value), 0);
    const bool isPlaceholder = value.style == syntax::Style::Flow && value.members.size() == 1 && value.members[0].value->isNull();
    const bool isWritten = !isPlaceholder && !value.range.isEmpty() && value.definition.isEmpty() && !member.merged;
    if (isWritten && text.find('\'') == std::string::npos)
        problem.fixes.push_back({"Write it as JSON text", {{value.range, "'" + text + "'"}}});
}

void reportFalse(RuleFindings& findings, const FlagBlock& block, const Member& member, const Flag& flag)
{
    const bool isOn = flag.isOnByDefault();
    const std::string key = spelledAs("no-" + flag.name, block, member.key);
    Diagnostic& problem = reportValue(findings, block, block.path, member, *member.value, isOn ? Severity::Warning : Severity::Hint,
                                      "srtctl gives no flag for false, so " + inQuotes(member.key) + " stays " +
                                          (isOn ? "on, as it is by default" : "as the engine has it by default") + "; write \"" + key +
                                          ": true\" to switch it off.");
    if (!member.merged && member.value->definition.isEmpty() && !hasSpelling(*block.flags, key))
        addFix(problem, "Write \"" + key + ": true\"", {{member.keyRange, key}, {member.value->range, "true"}});
}

void checkSwitch(RuleFindings& findings, const FlagBlock& block, const FlagUse& use)
{
    const Value& value = *use.member->value;
    const Flag& flag = *use.match.flag;
    if (value.kind == Kind::Bool) {
        const bool mayBeOn = flag.negatable && !use.match.isNegated &&
                             (!flag.defaultKnown || !flag.defaultValue.boolean().has_value() || flag.isOnByDefault());
        if (!value.boolean && mayBeOn)
            reportFalse(findings, block, *use.member, flag);
        return;
    }
    Diagnostic& problem = reportValue(findings, block, block.path, *use.member, value, severityOf(findings.flagUses(), block),
                                      inQuotes(use.member->key) + " is a switch and takes no value, but " + syntax::shown(value) +
                                          " is put behind it; write true, or false to leave it out.");
    if (isBooleanWord(value))
        addFix(problem, "Change to " + base::lowered(value.text), {{value.range, base::lowered(value.text)}});
}

/// A value on a command line.
void checkArgument(RuleFindings& findings, const FlagBlock& block, const FlagUse& use)
{
    const Member& member = *use.member;
    const Value& value = *member.value;
    const Flag& flag = *use.match.flag;
    if (value.isNull())
        return;
    if (value.isMapping()) {
        reportMapping(findings, block, member, value);
        return;
    }
    if (flag.kind == FlagKind::Switch || flag.kind == FlagKind::OptionalSwitch) {
        checkSwitch(findings, block, use);
        return;
    }
    const FlagUses& uses = findings.flagUses();
    const bool takesSeveral = flag.type.takesList() || !flag.nargs.empty();
    if (value.kind == Kind::Bool && !flag.type.takes(FlagType::Boolean)) {
        const bool mayStandAlone = flag.nargs == "?" || flag.nargs == "*";
        if (value.boolean && !mayStandAlone)
            reportValue(findings, block, block.path, member, value, severityOf(uses, block),
                        inQuotes(member.key) + " needs a value (" + schema::inWords(flag) + "), but true gives the bare flag.");
        else if (!value.boolean)
            reportValue(findings, block, block.path, member, value, Severity::Hint,
                        "srtctl gives no flag for false, so " + inQuotes(member.key) + " keeps its default; delete it.");
        return;
    }
    if (value.isSequence()) {
        if (block.style == FlagStyle::Kept || !takesSeveral) {
            const std::string why = block.style == FlagStyle::Kept
                                        ? "srtctl writes a list here as one Python text"
                                        : inQuotes(member.key) + " takes one value, but a list gives several words";
            reportKey(findings, block, block.path, member, severityOf(uses, block), why + "; write one text.");
            return;
        }
        for (const ValuePtr& item : value.items) {
            if (item->isScalar() && !item->isNull())
                checkScalar(findings, block, block.path, member, *item, flag, flag.type.items != 0 ? flag.type.items : flag.type.parts);
        }
        return;
    }
    const bool isJson = flag.type.takes(FlagType::Json) && !flag.type.takes(FlagType::Any);
    if (isJson && value.isString() && base::trimmed(value.text).starts_with('{') && !base::json::read(value.text)) {
        reportValue(findings, block, block.path, member, value, Severity::Warning,
                    inQuotes(member.key) + " of " + block.table->title() +
                        " takes JSON, and this text is none: JSON has double quotes, and no comma at the end.");
        return;
    }
    const std::uint8_t parts = flag.type.parts != 0 ? flag.type.parts : flag.type.items;
    checkScalar(findings, block, block.path, member, value, flag, parts);
}

/// A value of a file that the engine reads strictly.
void checkEntry(RuleFindings& findings, const FlagBlock& block, const std::string& path, const Member& member, const Flag& flag)
{
    const Value& value = *member.value;
    const FlagUses& uses = findings.flagUses();
    if (flag.type.takes(FlagType::Any) || (value.isNull() && (flag.nullable || flag.seenOnly)))
        return;
    if (value.isNull()) {
        reportKey(findings, block, path, member, Severity::Warning,
                  inQuotes(member.key) + " of " + block.table->title() + " takes " + schema::inWords(flag) +
                      ", not null; delete it to keep the default.");
        return;
    }
    if (value.isMapping()) {
        if (!flag.type.takes(FlagType::Object) && !flag.type.takes(FlagType::Json)) {
            reportKey(findings, block, path, member, severityOf(uses, block),
                      inQuotes(member.key) + " of " + block.table->title() + " takes " + schema::inWords(flag) + ", not a mapping.");
            return;
        }
        for (const Member& inner : value.members) {
            if (const Flag* key = flag.key(inner.key))
                checkEntry(findings, block, path + "." + member.key, inner, *key);
        }
        return;
    }
    if (value.isSequence()) {
        if (!flag.type.takesList() && !flag.type.takes(FlagType::Json)) {
            reportKey(findings, block, path, member, severityOf(uses, block),
                      inQuotes(member.key) + " of " + block.table->title() + " takes " + schema::inWords(flag) + ", not a list.");
            return;
        }
        if (value.items.size() < flag.leastItems)
            reportKey(findings, block, path, member, severityOf(uses, block), inQuotes(member.key) + " is an empty list.");
        for (const ValuePtr& item : value.items) {
            if (flag.type.items != 0 && item->isScalar() && !item->isNull())
                checkScalar(findings, block, path, member, *item, flag, flag.type.items);
        }
        return;
    }
    checkScalar(findings, block, path, member, value, flag, flag.type.parts);
}

// --- standing ------------------------------------------------------------------------------------------------------------------------

/// A name of the table that says which program its version is of: "dynamo 1.4", "0.14".
struct Since {
    bool isDynamo = false;
    Version version;
};

std::optional<Since> sinceOf(std::string_view text)
{
    constexpr std::string_view dynamo = "dynamo ";
    const bool isDynamo = text.starts_with(dynamo);
    const auto version = schema::versionOf(isDynamo ? text.substr(dynamo.size()) : text);
    return version ? std::optional(Since{isDynamo, *version}) : std::nullopt;
}

/// Whether the image is at least of that version; nothing: it does not tell.
std::optional<bool> isAtLeast(const FlagUses& uses, const FlagBlock& block, std::string_view since)
{
    const auto wanted = sinceOf(since);
    if (!wanted)
        return std::nullopt;
    if (wanted->isDynamo) {
        const bool tells = uses.image && uses.image->program == "dynamo";
        return tells ? std::optional(uses.image->version >= wanted->version) : std::nullopt;
    }
    const auto version = uses.versionFor(block);
    return version ? std::optional(*version >= wanted->version) : std::nullopt;
}

/// The new name with its value, when a program can write it.
struct Successor {
    std::string name;
    std::string value; ///< Empty: the old value stays.
};

std::optional<Successor> successorOf(const Flag& flag)
{
    const bool isPlain = !flag.renamedTo.empty() && flag.renamedTo.find_first_of(" {}/,") == std::string::npos;
    if (!isPlain)
        return std::nullopt;
    const std::size_t equals = flag.renamedTo.find('=');
    Successor out{flag.renamedTo.substr(0, equals), equals == std::string::npos ? "" : flag.renamedTo.substr(equals + 1)};
    return out.value.empty() || flag.type.isSwitch() ? std::optional(out) : std::nullopt;
}

/// The image is known to be new enough for the new name.
bool knowsNewName(const FlagUses& uses, const FlagBlock& block, const Flag& old, const Flag& successor)
{
    const auto version = uses.versionFor(block);
    if (!version)
        return false;
    if (!successor.since.empty())
        return isAtLeast(uses, block, successor.since).value_or(false);
    if (successor.seenIn)
        return *version >= successor.seenIn->first;
    return old.seenIn && *version > old.seenIn->second;
}

/// The flag stands in the block already, maybe under another of its names.
bool isGiven(const FlagBlock& block, const Flag& flag, const Member& besides)
{
    return std::any_of(block.uses.begin(), block.uses.end(),
                       [&](const FlagUse& use) { return use.match && use.match.flag == &flag && use.member != &besides; });
}

/// `mapping` holds the member.
void addRename(RuleFindings& findings, const FlagBlock& block, const Value& mapping, const Member& member, const Flag& old,
               const Flag* target, Diagnostic& problem)
{
    const auto successor = successorOf(old);
    if (!successor || !target || !knowsNewName(findings.flagUses(), block, old, *target))
        return;
    const std::string name = spelledAs(successor->name, block, member.key);
    if (hasSpelling(mapping, name) || isGiven(block, *target, member))
        return;
    const bool isAsGiven = successor->value.empty();
    if (!isAsGiven && !(member.value->kind == Kind::Bool && member.value->boolean))
        return;
    std::vector<syntax::TextEdit> edits = {{member.keyRange, name}};
    if (!isAsGiven)
        edits.push_back({member.value->range, successor->value});
    addFix(problem, "Change to \"" + name + (isAsGiven ? "" : ": " + successor->value) + "\"", std::move(edits));
}

std::string imageName(const FlagUses& uses, const FlagBlock& block)
{
    const auto version = uses.versionFor(block);
    return version ? "the image's " + schema::textOf(*version) : std::string();
}

void checkRemoved(RuleFindings& findings, const FlagBlock& block, const Member& member, const Flag& flag, const Flag* target)
{
    const FlagUses& uses = findings.flagUses();
    const auto isGone = isAtLeast(uses, block, flag.removedIn);
    if (isGone && !*isGone)
        return; // the image is old enough
    std::string message = "Newer versions of " + block.table->title() + " have no " + inQuotes(member.key);
    if (isGone)
        message = block.table->title() + " has no " + inQuotes(member.key) + " from " + flag.removedIn + " on, and the image is newer";
    if (!flag.renamedTo.empty())
        message += "; its place is taken by " + flag.renamedTo;
    Diagnostic& problem = reportKey(findings, block, block.path, member, severityOf(uses, block), message + ".");
    problem.code = Code::Deprecated;
    addRename(findings, block, *block.flags, member, flag, target, problem);
}

void checkDeprecated(RuleFindings& findings, const FlagBlock& block, const std::string& path, const Value& mapping, const Member& member,
                     const Flag& flag, const Flag* target)
{
    const auto version = findings.flagUses().versionFor(block);
    const bool knowsNew = target && knowsNewName(findings.flagUses(), block, flag, *target);
    const bool isOfItsTime = version && flag.seenIn && *version <= flag.seenIn->second;
    if (!flag.renamedTo.empty() && isOfItsTime && !knowsNew)
        return; // in this image the old name is the one to use
    std::string message = inQuotes(member.key) + " is old in " + block.table->title() + ": " + flag.deprecated;
    message.pop_back();
    message[message.size() - flag.deprecated.size() + 1] = base::lowered(std::string(1, flag.deprecated.front()))[0];
    const bool isRename = target != nullptr;
    if (isRename && version && !knowsNew)
        message += ", which " + imageName(findings.flagUses(), block) + " may not know yet";
    else if (isRename && !version && flag.seenIn)
        message += "; images up to " + schema::textOf(flag.seenIn->second) + " are run with the old name";
    Diagnostic& problem = reportKey(findings, block, path, member, Severity::Hint, message + ".");
    problem.code = Code::Deprecated;
    addRename(findings, block, mapping, member, flag, target, problem);
}

const Flag* targetOf(const Flag& flag, const FlagTable& table)
{
    const auto successor = successorOf(flag);
    return successor ? table.find(successor->name) : nullptr;
}

/// The value is a block with keys that the table knows. Most values are none, and need no path for their keys.
bool hasKnownKeys(const Flag& flag, const Value& value)
{
    return value.isMapping() && !flag.keys.empty();
}

void checkKeyStanding(RuleFindings& findings, const FlagBlock& block, const std::string& path, const Flag& flag, const Value& mapping)
{
    for (const Member& member : mapping.members) {
        const Flag* key = flag.key(member.key);
        if (!key)
            continue;
        if (!key->deprecated.empty()) {
            const auto successor = successorOf(*key);
            checkDeprecated(findings, block, path, mapping, member, *key, successor ? flag.key(successor->name) : nullptr);
        }
        if (hasKnownKeys(*key, *member.value))
            checkKeyStanding(findings, block, path + "." + member.key, *key, *member.value);
    }
}

bool isTensorrt(const FlagBlock& block)
{
    const ValuePtr backend = block.flags->find("backend");
    return backend && backend->isString() && (backend->text == "tensorrt" || backend->text == "trt");
}

void checkCompany(RuleFindings& findings, const FlagBlock& block, const Member& member, const Flag& flag)
{
    const FlagUses& uses = findings.flagUses();
    if (flag.onlyWith == "tensorrt" && !isTensorrt(block))
        reportKey(findings, block, block.path, member, severityOfMissing(uses, block),
                  inQuotes(member.key) + " belongs to the TensorRT backend; the PyTorch backend, which is the default, refuses it.");
    const std::string& frontend = findings.job().frontend.type;
    const bool isBare = block.mode && (frontend == "sglang" || frontend == "sglang-server" || frontend == "vllm");
    if (flag.onlyWith == "dynamo" && isBare)
        reportKey(findings, block, block.path, member, severityOf(uses, block),
                  inQuotes(member.key) + " is a flag of Dynamo's workers; with the front end " + inQuotes(frontend) +
                      " the bare server of the engine is run, which does not have it.");
}

// --- owners --------------------------------------------------------------------------------------------------------------------------

/// As --disaggregation-mode has it.
std::string_view modeWord(Mode mode)
{
    return mode == Mode::Prefill ? "prefill" : mode == Mode::Decode ? "decode" : "agg";
}

bool isDataParallel(const FlagBlock& block)
{
    const FlagUse* size = block.find("data-parallel-size");
    return size && !size->member->value->isNull();
}

/// One fixed port is right for one prefill worker of a node whose front end asks the worker itself.
void checkBootstrapPort(RuleFindings& findings, const FlagBlock& block, const Member& member, const Flag& flag)
{
    if (block.mode != Mode::Prefill) // others are not given it, and listen on nothing
        return;
    const Job& job = findings.job();
    const bool isTold = job.frontend.type == "sglang";
    const bool mayMeet = job.resources.prefillWorkers.value_or(0) > job.resources.prefillNodes.value_or(0);
    const std::string said = flag.srtctlDoc.substr(0, flag.srtctlDoc.size() - 1);
    std::string outcome = ", and the recipe's stands behind it and wins.";
    if (isTold)
        outcome = " and names that one to the router, but the recipe's wins: the router asks where nobody listens.";
    else if (mayMeet)
        outcome = ", but the recipe's wins: workers of one node would share it.";
    Diagnostic& problem = reportKey(findings, block, block.path, member, isTold || mayMeet ? Severity::Warning : Severity::Hint,
                                    inQuotes(member.key) + " is given twice: " + said + outcome);
    if (isTold && job.frontend.block)
        findings.note(problem, "frontend.type", "This front end is told the ports by srtctl.");
    else if (mayMeet)
        findings.note(problem, "resources.prefill_workers", "There are more workers than nodes.");
}

void checkOwner(RuleFindings& findings, const FlagBlock& block, const Member& member, const Flag& flag)
{
    if (member.value->isNull())
        return;
    if (flag.name == "disaggregation-bootstrap-port") {
        checkBootstrapPort(findings, block, member, flag);
        return;
    }
    if (flag.srtctl == SrtctlUse::None || flag.srtctl == SrtctlUse::Reads)
        return;
    const Value& value = *member.value;
    const bool isOff = value.kind == Kind::Bool && !value.boolean;
    const std::string said = flag.srtctlDoc.substr(0, flag.srtctlDoc.size() - 1);
    switch (flag.srtctl) {
    case SrtctlUse::Drops:
        reportKey(findings, block, block.path, member, Severity::Hint, inQuotes(member.key) + " has no effect: " + flag.srtctlDoc);
        break;
    case SrtctlUse::Clashes:
        if (!isOff)
            reportKey(findings, block, block.path, member, Severity::Warning,
                      inQuotes(member.key) + " is srtctl's affair: " + said + "; delete it.");
        break;
    case SrtctlUse::Repeats:
        // What srtctl gives anyway may stand there.
        if (block.mode && value.isString() && value.text == modeWord(*block.mode))
            break;
        if (block.mode && flag.name == "disaggregation-mode" && value.isString()) {
            reportValue(findings, block, block.path, member, value, Severity::Warning,
                        inQuotes(member.key) + " is " + inQuotes(value.text) + " here, so the " + std::string(modeWord(*block.mode)) +
                            " workers run as that: srtctl gives the mode of the block, and the recipe's stands behind it and wins.");
            break;
        }
        if (!isOff)
            reportKey(findings, block, block.path, member, Severity::Hint,
                      inQuotes(member.key) + " is given twice: " + said + ", and the recipe's stands behind it and wins.");
        break;
    case SrtctlUse::Derives:
        // With data parallelism there are rules of its own; without it the recipe's flag reaches every process.
        if (!isOff && !isDataParallel(block))
            reportKey(findings, block, block.path, member, Severity::Warning,
                      inQuotes(member.key) + " reaches every process of the worker, the first one too: " + said + "; delete it.");
        break;
    case SrtctlUse::None:
    case SrtctlUse::Reads:
        break;
    }
}

// --- spelling ------------------------------------------------------------------------------------------------------------------------

/// The first use of each flag of a block: by the flag of the table, else by the spelling.
struct FirstUses {
    std::vector<std::pair<const Flag*, const FlagUse*>> ofFlags; ///< A few dozen at most: looking through them is quicker than a tree.
    std::map<std::string, const FlagUse*> ofNames;

    /// The use that was there first, or this one.
    const FlagUse& put(const Flag* flag, const FlagUse& use)
    {
        if (!flag)
            return *ofNames.emplace(base::replacedAll(use.member->key, "_", "-"), &use).first->second;
        const auto found = std::find_if(ofFlags.begin(), ofFlags.end(), [&](const auto& one) { return one.first == flag; });
        return found == ofFlags.end() ? *ofFlags.emplace_back(flag, &use).second : *found->second;
    }
};

/// The flag that is meant, also where it is cut short; null where the table has none.
const Flag* meantBy(const FlagUse& use, const FlagBlock& block)
{
    return use.match.flag ? use.match.flag : block.table->abbreviated(use.member->key);
}

void checkTwice(RuleFindings& findings, const FlagBlock& block, const FlagUse& use, FirstUses& firstUses)
{
    const FlagUse& other = firstUses.put(meantBy(use, block), use);
    if (&other == &use)
        return;
    Diagnostic& problem = reportKey(findings, block, block.path, *use.member, Severity::Warning,
                                    inQuotes(use.member->key) + " and " + inQuotes(other.member->key) +
                                        " are one flag, which is given twice; the engine takes the last of the two in alphabetical order.");
    if (block.style == FlagStyle::Kept)
        problem.message = inQuotes(use.member->key) + " and " + inQuotes(other.member->key) + " are one flag, which is given twice.";
    if (!other.member->keyRange.isEmpty())
        problem.notes.push_back({"The other one.", other.member->keyRange, other.member->value->source});
}

// --- sizes ---------------------------------------------------------------------------------------------------------------------------

std::optional<std::int64_t> wholeOf(const ValuePtr& value)
{
    if (value && value->kind == Kind::Integer && !value->huge)
        return value->integer;
    return std::nullopt;
}

void checkBatch(RuleFindings& findings, const FlagBlock& block, std::string_view batchKey, std::string_view tokensKey, Severity severity,
                std::string_view outcome)
{
    const FlagUse* batch = block.find(batchKey);
    const FlagUse* tokens = block.find(tokensKey);
    if (!batch || !tokens)
        return;
    const auto requests = wholeOf(batch->member->value);
    const auto most = wholeOf(tokens->member->value);
    if (!requests || !most || *requests <= *most)
        return;
    Diagnostic& problem =
        reportValue(findings, block, block.path, *tokens->member, *tokens->member->value, severity,
                    inQuotes(tokens->member->key) + " is " + std::to_string(*most) + ", but " + inQuotes(batch->member->key) + " is " +
                        std::to_string(*requests) + ": each request takes a token at least, so " + std::string(outcome) + ".");
    if (!batch->member->value->range.isEmpty())
        problem.notes.push_back({"This asks for so many requests.", batch->member->value->range, batch->member->value->source});
}

/// Goes with sameData.
struct ScalarHash {
    std::size_t operator()(const Value* value) const
    {
        switch (value->kind) {
        case Kind::Bool:
            return value->boolean ? 1 : 0;
        case Kind::Integer:
            return std::hash<std::int64_t>{}(value->integer);
        case Kind::Float:
            return std::isnan(value->number) ? 0 : std::hash<double>{}(value->number);
        default:
            return std::hash<std::string>{}(value->text);
        }
    }
};

struct SameScalar {
    bool operator()(const Value* a, const Value* b) const { return syntax::sameData(*a, *b); }
};

void checkRepeated(RuleFindings& findings, const FlagBlock& block, const std::string& path, const Member& member)
{
    const Value& list = *member.value;
    if (!list.isSequence())
        return;
    std::unordered_set<const Value*, ScalarHash, SameScalar> seen; // these lists may be long, and each job has them
    for (const ValuePtr& item : list.items) {
        if (!item->isScalar())
            continue;
        const auto [first, isNew] = seen.insert(item.get());
        if (isNew)
            continue;
        Diagnostic& problem = reportValue(findings, block, path, member, *item, Severity::Hint,
                                          inQuotes(member.key) + " has " + syntax::shown(*item) + " twice.");
        if (!(*first)->range.isEmpty())
            problem.notes.push_back({"The first one.", (*first)->range, (*first)->source});
        return;
    }
}

void checkTrtllmSizes(RuleFindings& findings, const FlagBlock& block)
{
    checkBatch(findings, block, "max_batch_size", "max_num_tokens", Severity::Warning, "a full batch is out of reach");
    const ValuePtr graphs = block.flags->find("cuda_graph_config");
    if (const Member* sizes = graphs && graphs->isMapping() ? graphs->member("batch_sizes") : nullptr)
        checkRepeated(findings, block, block.path + ".cuda_graph_config", *sizes);
    const Member* balance = block.flags->member("attention_dp_config");
    const ValuePtr attention = block.flags->find("enable_attention_dp");
    const bool isOff = !attention || (attention->kind == Kind::Bool && !attention->boolean);
    if (balance && balance->value->isMapping() && isOff) {
        Diagnostic& problem = reportKey(findings, block, block.path, *balance, Severity::Hint,
                                        "\"attention_dp_config\" has no effect while \"enable_attention_dp\" is " +
                                            std::string(attention ? "false" : "not set") + ".");
        if (attention && !attention->range.isEmpty())
            problem.notes.push_back({"Attention is not data-parallel here.", attention->range, attention->source});
    }
}

} // namespace

const FlagUse* FlagBlock::find(std::string_view flag) const
{
    for (const FlagUse& use : uses) {
        if (use.match.flag && use.match.flag->name == flag && !use.match.isNegated)
            return &use;
    }
    return nullptr;
}

std::optional<Version> FlagUses::versionFor(const FlagBlock& block) const
{
    if (!image)
        return std::nullopt;
    const std::string& engine = block.table->engine();
    const bool isDynamo = engine == "mocker" || engine == "dynamo-frontend";
    const bool isSame =
        image->program == engine || (isDynamo && image->program == "dynamo") || (image->program.empty() && block.mode && !isDynamo);
    return isSame ? std::optional(image->version) : std::nullopt;
}

FlagUses flagUsesOf(const Job& job)
{
    FlagUses out;
    out.image = schema::imageVersion(job.container);
    if (!out.image)
        out.image = schema::imageVersion(job.containerAsWritten);
    const auto add = [&](std::string_view table, FlagStyle style, std::string path, std::optional<Mode> mode, const ValuePtr& flags) {
        FlagBlock block{schema::flagTable(table), style, std::move(path), mode, flags, {}};
        if (!block.table || !flags || !flags->isMapping())
            return;
        block.uses.reserve(flags->members.size());
        for (const Member& member : flags->members) {
            if (member.keyKind == Kind::String)
                block.uses.push_back({&member, block.table->match(member.key)});
        }
        out.blocks.push_back(std::move(block));
    };
    const FlagStyle style = job.backend.type == "trtllm" ? FlagStyle::File : FlagStyle::Dashed;
    for (const ModeKeys& mode : modeKeys)
        add(job.backend.type, style, flagsPath(job, mode), mode.mode, job.backend.of(mode.mode).flags);
    const std::string_view frontend = job.frontend.type == "dynamo"   ? "dynamo-frontend"
                                      : job.frontend.type == "sglang" ? "sglang-router"
                                                                      : "";
    add(frontend, FlagStyle::Kept, "frontend.args", std::nullopt, syntax::at(job.config, "frontend.args"));
    add("aiperf", FlagStyle::Kept, "benchmark.aiperf_args", std::nullopt, syntax::at(job.config, "benchmark.aiperf_args"));
    return out;
}

void checkFlagNames(RuleFindings& findings)
{
    for (const FlagBlock& block : findings.flagUses().blocks) {
        for (const FlagUse& use : block.uses) {
            const bool isKnown = use.match || block.table->abbreviated(use.member->key);
            if (!isKnown) {
                if (!passesUnknownOn(block))
                    reportUnknown(findings, block, block.path, *block.flags, *use.member, block.table->title(),
                                  block.table->nearest(use.member->key));
                continue;
            }
            if (!use.match || block.style != FlagStyle::File)
                continue;
            const Flag& flag = *use.match.flag;
            const bool isSpelledSo =
                flag.name == use.member->key || std::find(flag.aliases.begin(), flag.aliases.end(), use.member->key) != flag.aliases.end();
            if (!isSpelledSo)
                reportUnknown(findings, block, block.path, *block.flags, *use.member, block.table->title(), flag.name);
            if (hasKnownKeys(flag, *use.member->value))
                checkKeys(findings, block, block.path + "." + use.member->key, flag, *use.member->value);
        }
    }
}

void checkFlagValues(RuleFindings& findings)
{
    for (const FlagBlock& block : findings.flagUses().blocks) {
        for (const FlagUse& use : block.uses) {
            if (!use.match) {
                if (block.style != FlagStyle::File && use.member->value->isMapping())
                    reportMapping(findings, block, *use.member, *use.member->value);
            } else if (block.style == FlagStyle::File) {
                checkEntry(findings, block, block.path, *use.member, *use.match.flag);
            } else {
                checkArgument(findings, block, use);
            }
        }
    }
}

void checkFlagStanding(RuleFindings& findings)
{
    const FlagUses& uses = findings.flagUses();
    for (const FlagBlock& block : uses.blocks) {
        for (const FlagUse& use : block.uses) {
            if (!use.match)
                continue;
            const Flag& flag = *use.match.flag;
            const Member& member = *use.member;
            if (flag.isRemoved)
                checkRemoved(findings, block, member, flag, targetOf(flag, *block.table));
            else if (!flag.deprecated.empty())
                checkDeprecated(findings, block, block.path, *block.flags, member, flag, targetOf(flag, *block.table));
            if (use.match.isFormer) {
                Diagnostic& problem = reportKey(findings, block, block.path, member, Severity::Hint,
                                                inQuotes(member.key) + " is an old spelling of \"" + (use.match.isNegated ? "no-" : "") +
                                                    flag.name + "\" in " + block.table->title() + ".");
                problem.code = Code::Deprecated;
            }
            if (!flag.since.empty() && isAtLeast(uses, block, flag.since) == false)
                reportKey(findings, block, block.path, member, Severity::Hint,
                          inQuotes(member.key) + " is known in " + block.table->title() + " from " + flag.since +
                              " on, and the image is older.");
            checkCompany(findings, block, member, flag);
            if (block.style == FlagStyle::File && hasKnownKeys(flag, *member.value))
                checkKeyStanding(findings, block, block.path + "." + member.key, flag, *member.value);
        }
    }
}

void checkFlagOwners(RuleFindings& findings)
{
    for (const FlagBlock& block : findings.flagUses().blocks) {
        for (const FlagUse& use : block.uses) {
            if (use.match)
                checkOwner(findings, block, *use.member, *use.match.flag);
        }
    }
}

void checkFlagSpellings(RuleFindings& findings)
{
    for (const FlagBlock& block : findings.flagUses().blocks) {
        FirstUses firstUses;
        for (std::size_t i = 0; i < block.uses.size(); ++i) {
            const Member& member = *block.uses[i].member;
            checkTwice(findings, block, block.uses[i], firstUses);
            if (block.style == FlagStyle::Kept && member.key.find('_') != std::string::npos) {
                const std::string dashed = base::replacedAll(member.key, "_", "-");
                Diagnostic& problem = reportKey(findings, block, block.path, member, Severity::Warning,
                                                inQuotes(member.key) + " reaches " + block.table->title() +
                                                    " as it is written here, and its flags have \"-\" where this has \"_\".");
                if (!block.flags->member(dashed) && (!block.uses[i].match || !isGiven(block, *block.uses[i].match.flag, member)))
                    addFix(problem, "Change to \"" + dashed + "\"", {{member.keyRange, dashed}});
            }
            if (block.uses[i].match)
                continue;
            if (const Flag* full = block.table->abbreviated(member.key)) {
                const std::string name = spelledAs(full->name, block, member.key);
                Diagnostic& problem = reportKey(findings, block, block.path, member, Severity::Hint,
                                                inQuotes(member.key) + " is taken as short for \"" + name +
                                                    "\" for as long as no other flag begins so; write it in full.");
                if (!hasSpelling(*block.flags, name) && !isGiven(block, *full, member))
                    addFix(problem, "Change to \"" + name + "\"", {{member.keyRange, name}});
            }
        }
    }
}

void checkFlagSizes(RuleFindings& findings)
{
    for (const FlagBlock& block : findings.flagUses().blocks) {
        const std::string& engine = block.table->engine();
        if (engine == "trtllm")
            checkTrtllmSizes(findings, block);
        if (engine == "vllm")
            checkBatch(findings, block, "max-num-seqs", "max-num-batched-tokens", Severity::Warning, "vLLM refuses to start");
        for (const std::string_view flag : {"cuda-graph-bs", "cuda-graph-bs-decode", "cuda-graph-bs-prefill", "cudagraph-capture-sizes"}) {
            if (const FlagUse* use = engine == "trtllm" ? nullptr : block.find(flag))
                checkRepeated(findings, block, block.path, *use->member);
        }
    }
}

} // namespace wb::recipe
