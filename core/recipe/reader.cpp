#include "core/recipe/reader.h"

#include "core/base/text.h"
#include "core/recipe/coerce.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace wb::recipe {

using schema::Field;
using schema::Record;
using schema::Type;
using schema::TypeKind;
using syntax::Code;
using syntax::Diagnostic;
using syntax::Kind;
using syntax::Layer;
using syntax::Member;
using syntax::Severity;
using syntax::Style;
using syntax::Value;
using syntax::ValuePtr;

namespace {

std::string pathOf(const std::string& parent, std::string_view key)
{
    return parent.empty() ? std::string(key) : parent + "." + std::string(key);
}

/// From JSON of a pack to a value of the layer Default.
ValuePtr valueOf(const base::json::Value& json)
{
    using JsonKind = base::json::Value::Kind;
    switch (json.kind()) {
    case JsonKind::Null:
        return syntax::makeNull(Layer::Default);
    case JsonKind::Bool:
        return syntax::makeBool(*json.boolean(), Layer::Default);
    case JsonKind::Integer:
        return syntax::makeInteger(*json.integer(), Layer::Default);
    case JsonKind::Number:
        return syntax::makeFloat(*json.number(), Layer::Default);
    case JsonKind::String:
        return syntax::makeString(*json.string(), Layer::Default);
    case JsonKind::List: {
        auto list = std::make_shared<Value>();
        list->kind = Kind::Sequence;
        list->layer = Layer::Default;
        for (const base::json::Value& item : json.array())
            list->items.push_back(valueOf(item));
        return list;
    }
    case JsonKind::Map: {
        auto map = std::make_shared<Value>();
        map->kind = Kind::Mapping;
        map->layer = Layer::Default;
        for (const base::json::Member& member : json.object()) {
            Member added;
            added.key = member.key;
            added.value = valueOf(member.value);
            map->members.push_back(std::move(added));
        }
        return map;
    }
    }
    return syntax::makeNull(Layer::Default);
}

/// The value with the contents of another kind, still standing where it stood.
ValuePtr coerced(const Value& original, const ValuePtr& made)
{
    auto value = std::make_shared<Value>(*made);
    value->range = original.range;
    value->definition = original.definition;
    value->layer = original.layer;
    value->source = original.source;
    return value;
}

std::string doubleQuoted(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += '\\';
        out += c;
    }
    return out + "\"";
}

bool isSimpleQuotable(const Value& value)
{
    return value.style == Style::Plain && !value.range.isEmpty() && value.definition.isEmpty();
}

/// The key of a member as a value, for reports at it.
Value keyValue(const Member& member)
{
    Value key;
    key.kind = member.keyKind;
    key.text = member.key;
    key.range = member.keyRange;
    key.source = member.value->source;
    return key;
}

/// Quotes make a value of the type of what was written without them.
bool takesText(const Type& type)
{
    if (type.kind == TypeKind::Union)
        return std::any_of(type.inner.begin(), type.inner.end(), takesText);
    return type.kind == TypeKind::String || type.kind == TypeKind::Path;
}

} // namespace

/// The defaults of a pack as values, made when they are first needed.
class Reader::Defaults
{
public:
    explicit Defaults(std::shared_ptr<const schema::Pack> pack)
        : m_pack(std::move(pack))
    {
    }

    [[nodiscard]] const schema::Pack* pack() const { return m_pack.get(); }

    const ValuePtr& of(const Field& field, const Record& record)
    {
        std::vector<ValuePtr>& fields = m_kept[&record].fields;
        fields.resize(record.fields.size());
        const auto index = static_cast<std::size_t>(&field - record.fields.data());
        if (!fields[index])
            fields[index] = made(field);
        return fields[index];
    }

    ValuePtr of(const Record& record)
    {
        if (const auto kept = m_kept.find(&record); kept != m_kept.end() && kept->second.whole)
            return kept->second.whole;
        auto config = std::make_shared<Value>();
        config->kind = Kind::Mapping;
        config->style = Style::Block;
        config->layer = Layer::Default;
        config->members.reserve(record.fields.size());
        for (const Field& field : record.fields) {
            Member member;
            member.key = field.key;
            member.value = of(field, record);
            config->members.push_back(std::move(member));
        }
        m_kept[&record].whole = config;
        return config;
    }

private:
    struct OfRecord {
        std::vector<ValuePtr> fields; ///< In the record's order; null: not made yet.
        ValuePtr whole;
    };

    ValuePtr made(const Field& field)
    {
        if (field.defaultValue)
            return valueOf(*field.defaultValue);
        const std::string& name = field.type.kind == TypeKind::Record ? field.type.record : field.type.selectorDefault;
        const Record* record = field.type.kind == TypeKind::Record ? m_pack->record(name) : m_pack->recordFor(field.type, name);
        return record && !field.required ? of(*record) : syntax::makeNull(Layer::Default);
    }

    std::shared_ptr<const schema::Pack> m_pack; ///< Keeps the records' addresses taken.
    std::unordered_map<const Record*, OfRecord> m_kept;
};

/// Each thread has its own: made for each document anew they would be most of what a check makes, and shared by threads, their counts of
/// holders would go to and fro between the cores.
Reader::Defaults& Reader::defaultsOfThread(const std::shared_ptr<const schema::Pack>& pack)
{
    constexpr std::size_t most = 8; // the built-in packs, and a few that users named
    thread_local std::vector<std::unique_ptr<Defaults>> kept;
    const auto found = std::find_if(kept.begin(), kept.end(), [&](const auto& one) { return one->pack() == pack.get(); });
    if (found != kept.end())
        return **found;
    if (kept.size() == most)
        kept.erase(kept.begin());
    return *kept.emplace_back(std::make_unique<Defaults>(pack));
}

Reader::Reader(std::shared_ptr<const schema::Pack> pack, syntax::Sections sections)
    : m_pack(std::move(pack))
    , m_sections(std::move(sections))
{
}

Reader::Outcome Reader::read(const ValuePtr& document)
{
    m_diagnostics.clear();
    m_defaults = &defaultsOfThread(m_pack); // of the thread that reads; the reader may have been made by another one
    Outcome out;
    Place root;
    root.source = document ? document->source : syntax::Source::Recipe;
    if (!document || !document->isMapping()) {
        const Value nothing;
        const Value& value = document ? *document : nothing;
        report(Code::NotAMapping, Severity::Error, value, root,
               document ? "The document is " + std::string(syntax::describe(value.kind)) + "; a mapping of keys is needed."
                        : "The document is empty; a mapping of keys is needed.");
        out.config = m_defaults->of(m_pack->root());
    } else {
        out.config = readRecord(document, m_pack->root(), root);
    }
    out.diagnostics = std::move(m_diagnostics);
    m_diagnostics.clear();
    return out;
}

ValuePtr Reader::readRecord(const ValuePtr& value, const Record& record, const Place& place)
{
    // What one document alone holds is not met again; of many variants, keeping it would cost more than reading it does.
    constexpr long holdersOfOneDocument = 2; // as written, and with the defaults of the cluster file
    const bool isShared = value.use_count() > holdersOfOneDocument;
    const auto key = std::pair(value.get(), &record);
    // An anchor may put one value at two places, whose findings differ.
    if (const auto kept = isShared ? m_kept.find(key) : m_kept.end(); kept != m_kept.end() && kept->second.path == place.path) {
        m_diagnostics.insert(m_diagnostics.end(), kept->second.diagnostics.begin(), kept->second.diagnostics.end());
        return kept->second.config;
    }
    const std::size_t before = m_diagnostics.size();
    auto config = std::make_shared<Value>();
    config->kind = Kind::Mapping;
    config->style = Style::Block;
    config->range = value->range;
    config->layer = value->layer;
    config->source = value->source;
    std::vector<const Member*> given(record.fields.size()); // by the places of their fields
    for (const Member& member : value->members) {
        const Field* field = record.find(member.key);
        if (member.keyKind != Kind::String || !field)
            reportUnknown(member, record, *value, place);
        if (!field)
            continue;
        const Member*& first = given[static_cast<std::size_t>(field - record.fields.data())];
        first = first ? first : &member;
    }
    config->members.reserve(record.fields.size());
    for (std::size_t i = 0; i < given.size(); ++i) {
        const Field& field = record.fields[i];
        const Member* member = given[i] && given[i]->keyKind == Kind::String ? given[i] : nullptr;
        Member read;
        read.key = field.key;
        if (member)
            read.keyRange = member->keyRange;
        read.value = readField(member, field, record, *value, place);
        config->members.push_back(std::move(read));
    }
    checkRead(record, *value, *config, place);
    if (isShared) {
        Kept kept{value, place.path, config, {m_diagnostics.begin() + static_cast<std::ptrdiff_t>(before), m_diagnostics.end()}};
        m_kept.emplace(key, std::move(kept));
    }
    return config;
}

void Reader::checkRead(const Record& record, const Value& mapping, const Value& config, const Place& place)
{
    for (std::size_t i = 0; i < record.fields.size(); ++i) {
        const Field& field = record.fields[i];
        const Member* member = field.readBy.empty() ? nullptr : mapping.member(field.key);
        if (!member || member->value->isNull() || member->keyRange.isEmpty()) // a default of the language or of the cluster file
            continue;
        const std::size_t dot = field.readBySelector.rfind('.');
        if (field.readBySelector.substr(0, std::min(dot, field.readBySelector.size())) != place.path)
            continue; // chosen by another block
        const Field* selector = record.find(std::string_view(field.readBySelector).substr(dot + 1));
        const ValuePtr chosen = selector ? config.find(selector->key) : nullptr;
        const bool isChoice = chosen && chosen->isString() && selector->choice(chosen->text);
        if (!isChoice || std::find(field.readBy.begin(), field.readBy.end(), chosen->text) != field.readBy.end())
            continue;
        if (syntax::sameData(*config.members[i].value, *m_defaults->of(field, record))) // says what is so anyway
            continue;
        Place here = place;
        here.path = pathOf(place.path, field.key);
        here.source = member->value->source;
        here.merge = member->mergeRange;
        Diagnostic& problem = report(Code::NotRead, Severity::Warning, keyValue(*member), here,
                                     base::inQuotes(here.path) + " has no effect: with " + base::inQuotes(selector->key) + " " +
                                         base::inQuotes(chosen->text) + " nothing reads it.");
        if (const Member* choice = mapping.member(selector->key); choice && !choice->value->range.isEmpty())
            problem.notes.push_back({"The choice.", choice->value->range, choice->value->source});
    }
}

ValuePtr Reader::readField(const Member* member, const Field& field, const Record& record, const Value& mapping, const Place& place)
{
    if (!member) {
        if (field.required)
            reportMissing(field, record, mapping, place);
        return m_defaults->of(field, record);
    }
    Place here;
    here.path = pathOf(place.path, field.key);
    here.key = member->keyRange;
    here.source = member->value->source;
    here.merge = member->mergeRange;
    const Value& value = *member->value;
    if (value.isNull()) {
        if (field.nullable || field.type.kind == TypeKind::Any)
            return member->value;
        report(Code::NotNull, Severity::Error, value, here,
               "\"" + here.path + "\" has no value; " + schema::inWords(field.type) + " is needed" +
                   (field.required ? "." : ", or delete the key to use its default."));
        return m_defaults->of(field, record);
    }
    if (!field.inert.empty())
        report(Code::Inert, Severity::Hint, value, here, "\"" + here.path + "\" has no effect: " + field.inert);
    if (!field.deprecated.empty())
        report(Code::Deprecated, Severity::Warning, value, here, "\"" + here.path + "\" is an old name: " + field.deprecated);
    bool ok = true;
    ValuePtr read = readType(member->value, field.type, field, here, ok);
    if (!ok)
        return read ? read : m_defaults->of(field, record);
    if (read->isScalar()) {
        checkChoice(*read, field, here);
        checkLimits(*read, field, here);
    }
    for (std::size_t i = 0; i < read->items.size(); ++i) { // the limits of a list are those of its items
        Place item = here;
        item.path += "[" + std::to_string(i) + "]";
        checkLimits(*read->items[i], field, item);
    }
    return read;
}

ValuePtr Reader::readType(const ValuePtr& value, const Type& type, const Field& field, const Place& place, bool& ok)
{
    switch (type.kind) {
    case TypeKind::Any:
        return value;
    case TypeKind::List:
        return readList(value, type, field, place, ok);
    case TypeKind::Map:
        return readMap(value, type, field, place, ok);
    case TypeKind::Union:
        return readUnion(value, type, field, place, ok);
    case TypeKind::Variant:
        return readVariant(value, type, place, ok);
    case TypeKind::Record: {
        const Record* record = m_pack->record(type.record);
        if (value->isMapping() && record)
            return readRecord(value, *record, place);
        reportWrongType(*value, type, "a mapping of keys", place);
        ok = false;
        return nullptr;
    }
    default:
        return readScalar(value, type, place, ok);
    }
}

ValuePtr Reader::readScalar(const ValuePtr& value, const Type& type, const Place& place, bool& ok)
{
    if (type.kind == TypeKind::String || type.kind == TypeKind::Path) {
        if (value->isString())
            return value;
        reportWrongType(*value, type, schema::inWords(type), place);
        ok = false;
        return nullptr;
    }
    if (type.kind == TypeKind::Boolean) {
        if (const auto flag = asBoolean(*value); flag && (!type.isStrict || value->kind == Kind::Bool))
            return value->kind == Kind::Bool ? value : coerced(*value, syntax::makeBool(*flag, Layer::Base));
    } else if (type.kind == TypeKind::Number) {
        if (const auto number = asNumber(*value)) {
            tellForeignDigits(*value, base::textOf(*number), place);
            return value->kind == Kind::Float ? value : coerced(*value, syntax::makeFloat(*number, Layer::Base));
        }
    } else if (const auto whole = asInteger(*value)) {
        if (whole->huge) {
            report(Code::NumberTooLarge, Severity::Error, *value, place, "\"" + place.path + "\" is too large a number.");
            ok = false;
            return nullptr;
        }
        if (whole->isCut) {
            Diagnostic& problem = report(Code::Truncated, Severity::Warning, *value, place,
                                         "\"" + place.path + "\" takes whole numbers; " + value->text + " will be cut to " +
                                             std::to_string(whole->value) + ".");
            if (isSimpleQuotable(*value))
                problem.fixes.push_back({"Change to " + std::to_string(whole->value), {{value->range, std::to_string(whole->value)}}});
        }
        tellForeignDigits(*value, std::to_string(whole->value), place);
        return value->kind == Kind::Integer ? value : coerced(*value, syntax::makeInteger(whole->value, Layer::Base));
    }
    reportWrongType(*value, type, schema::inWords(type), place);
    ok = false;
    return nullptr;
}

void Reader::tellForeignDigits(const Value& value, const std::string& number, const Place& place)
{
    const bool isAscii = std::all_of(value.text.begin(), value.text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80U; });
    if (value.kind != Kind::String || isAscii)
        return;
    Diagnostic& problem =
        report(Code::OldNumber, Severity::Warning, value, place,
               base::inQuotes(value.text) + " is a text with digits or blanks beside those of ASCII; srtctl reads it as " + number +
                   ", other programs need not, so write " + number + ".");
    if (isSimpleQuotable(value))
        problem.fixes.push_back({"Change to " + number, {{value.range, number}}});
}

ValuePtr Reader::readList(const ValuePtr& value, const Type& type, const Field& field, const Place& place, bool& ok)
{
    if (!value->isSequence()) {
        Diagnostic& problem = reportWrongType(*value, type, schema::inWords(type), place);
        if (value->isScalar() && isSimpleQuotable(*value))
            problem.fixes.push_back(
                {"Make it a list", {{{value->range.begin, value->range.begin}, "["}, {{value->range.end, value->range.end}, "]"}}});
        ok = false;
        return nullptr;
    }
    auto list = std::make_shared<Value>(*value);
    const Type any;
    const Type& items = type.inner.empty() ? any : type.inner.front();
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        Place item = place;
        item.path += "[" + std::to_string(i) + "]";
        ValuePtr& slot = list->items[i];
        if (slot->isNull() && items.kind != TypeKind::Any && !type.valuesNullable) {
            report(Code::NotNull, Severity::Error, *slot, item,
                   "\"" + item.path + "\" has no value; " + schema::inWords(items) + " is needed.");
            ok = false;
            continue;
        }
        bool itemOk = true;
        if (ValuePtr read = readType(slot, items, field, item, itemOk))
            slot = std::move(read);
        ok = ok && itemOk;
    }
    return list;
}

ValuePtr Reader::readMap(const ValuePtr& value, const Type& type, const Field& field, const Place& place, bool& ok)
{
    if (!value->isMapping()) {
        reportWrongType(*value, type, "a mapping", place);
        ok = false;
        return nullptr;
    }
    const Type any;
    const Type& values = type.inner.empty() ? any : type.inner.front();
    // As nearly all environments and flags of engines are: nothing to find, and nothing to make anew for each of many jobs.
    const bool takesAny = values.kind == TypeKind::Any;
    const bool takesText = values.kind == TypeKind::String || values.kind == TypeKind::Path;
    const bool isAsWanted = std::all_of(value->members.begin(), value->members.end(), [&](const Member& member) {
        return member.keyKind == Kind::String && (takesAny || (takesText && member.value->isString()));
    });
    if (isAsWanted)
        return value;
    auto map = std::make_shared<Value>(*value);
    for (Member& member : map->members) {
        Place here = place;
        here.path = pathOf(place.path, member.key);
        here.key = member.keyRange;
        here.source = member.value->source;
        if (member.keyKind != Kind::String) {
            Diagnostic& problem = report(Code::KeyNotText, Severity::Error, keyValue(member), here,
                                         "The key " + member.key + " below \"" + place.path + "\" is read as " +
                                             std::string(syntax::describe(member.keyKind)) + "; put it in quotes.");
            if (!member.keyRange.isEmpty())
                problem.fixes.push_back({"Put the key in quotes", {{member.keyRange, doubleQuoted(member.key)}}});
            ok = false;
            continue;
        }
        if (member.value->isNull() && values.kind != TypeKind::Any && !type.valuesNullable) {
            report(Code::NotNull, Severity::Error, *member.value, here,
                   "\"" + here.path + "\" has no value; " + schema::inWords(values) + " is needed.");
            ok = false;
            continue;
        }
        bool valueOk = true;
        if (ValuePtr read = readType(member.value, values, field, here, valueOk))
            member.value = std::move(read);
        ok = ok && valueOk;
    }
    return map;
}

ValuePtr Reader::readUnion(const ValuePtr& value, const Type& type, const Field& field, const Place& place, bool& ok)
{
    const std::size_t before = m_diagnostics.size();
    std::vector<Diagnostic> nearest;
    for (const Type& alternative : type.inner) {
        bool fits = true;
        ValuePtr read = readType(value, alternative, field, place, fits);
        if (fits)
            return read;
        // The alternative of the same container kind is the one that was meant: its own complaints say most.
        const bool sameContainer = (alternative.kind == TypeKind::List && value->isSequence()) ||
                                   (value->isMapping() && (alternative.kind == TypeKind::Map || alternative.kind == TypeKind::Record ||
                                                           alternative.kind == TypeKind::Variant));
        if (sameContainer)
            nearest.assign(m_diagnostics.begin() + static_cast<std::ptrdiff_t>(before), m_diagnostics.end());
        m_diagnostics.resize(before);
    }
    ok = false;
    if (!nearest.empty()) {
        m_diagnostics.insert(m_diagnostics.end(), nearest.begin(), nearest.end());
        return nullptr;
    }
    Diagnostic& problem = reportWrongType(*value, type, schema::inWords(type), place);
    const bool takesList = std::any_of(type.inner.begin(), type.inner.end(), [](const Type& t) { return t.kind == TypeKind::List; });
    if (takesList && value->isScalar() && isSimpleQuotable(*value))
        problem.fixes.insert(
            problem.fixes.begin(),
            {"Make it a list", {{{value->range.begin, value->range.begin}, "["}, {{value->range.end, value->range.end}, "]"}}});
    return nullptr;
}

ValuePtr Reader::readVariant(const ValuePtr& value, const Type& type, const Place& place, bool& ok)
{
    std::string words;
    for (const auto& [choice, record] : type.records)
        words += (words.empty() ? "\"" : ", \"") + choice + "\"";
    if (!value->isMapping()) {
        reportWrongType(*value, type, "a mapping whose \"" + type.selector + "\" is one of " + words, place);
        ok = false;
        return nullptr;
    }
    const Member* selector = value->member(type.selector);
    const bool isText = selector && selector->value->isString();
    const std::string choice = isText ? selector->value->text : selector ? std::string() : type.selectorDefault;
    if (const Record* record = m_pack->recordFor(type, choice))
        return readRecord(value, *record, place);
    ok = false;
    Place here = place;
    here.path = pathOf(place.path, type.selector);
    here.key = selector->keyRange;
    Diagnostic& problem = report(Code::NotAChoice, Severity::Error, *selector->value, here,
                                 "\"" + here.path + "\" is " + syntax::shown(*selector->value) + "; it must be one of " + words + ".");
    std::vector<std::string_view> names;
    for (const auto& [name, record] : type.records)
        names.emplace_back(name);
    const std::string_view near = base::nearestName(choice, names);
    if (!near.empty() && !selector->value->range.isEmpty())
        problem.fixes.push_back({"Change to \"" + std::string(near) + "\"", {{selector->value->range, std::string(near)}}});
    return nullptr;
}

void Reader::checkChoice(const Value& value, const Field& field, const Place& place)
{
    if (field.choices.empty() || !value.isString())
        return;
    const auto isValue = [&](const schema::Choice& c) { return c.value == value.text; };
    if (std::any_of(field.choices.begin(), field.choices.end(), isValue))
        return;
    if (field.openChoices && base::trimmed(value.text).starts_with('{')) // a JSON text or a placeholder stands for something else
        return;
    std::vector<std::string_view> names;
    std::string words;
    for (const schema::Choice& choice : field.choices) {
        names.emplace_back(choice.value);
        words += (words.empty() ? "\"" : ", \"") + choice.value + "\"";
    }
    const std::string is = "\"" + place.path + "\" is " + syntax::shown(value);
    const std::string consequence = field.otherChoice.empty() ? "" : " " + field.otherChoice;
    Diagnostic& problem = field.openChoices
                              ? report(Code::UnusualValue, Severity::Warning, value, place,
                                       is + ", which is none of the words in use: " + words + "." + consequence)
                              : report(Code::NotAChoice, Severity::Error, value, place, is + "; it must be one of " + words + ".");
    const std::string_view near = base::nearestName(value.text, names);
    if (!near.empty() && !value.range.isEmpty() && value.definition.isEmpty())
        problem.fixes.push_back({"Change to \"" + std::string(near) + "\"", {{value.range, std::string(near)}}});
}

void Reader::checkLimits(const Value& value, const Field& field, const Place& place)
{
    if (value.kind != Kind::Integer && value.kind != Kind::Float)
        return;
    const schema::Limits& limits = field.limits;
    const bool isNan = value.number != value.number;
    const bool isLow = limits.least && (value.number < *limits.least || (limits.aboveLeast && value.number == *limits.least));
    const bool isHigh = limits.most && value.number > *limits.most;
    if (!isLow && !isHigh && !isNan)
        return;
    std::string wanted;
    if (isNan)
        wanted = "a number";
    else if (isLow)
        wanted = (limits.aboveLeast ? "more than " : "at least ") + base::textOf(*limits.least);
    else
        wanted = "at most " + base::textOf(*limits.most);
    report(Code::OutOfRange, Severity::Error, value, place, "\"" + place.path + "\" is " + value.text + "; it must be " + wanted + ".");
}

void Reader::reportUnknown(const Member& member, const Record& record, const Value& mapping, const Place& place)
{
    Place here;
    here.path = pathOf(place.path, member.key);
    here.key = member.keyRange;
    here.source = member.value->source;
    here.merge = member.mergeRange;
    const Value key = keyValue(member);
    const std::string where = place.path.empty() ? "A " + record.name : "\"" + place.path + "\"";
    if (member.keyKind != Kind::String) {
        report(Code::KeyNotText, Severity::Error, key, here,
               where + " has no key " + member.key + ", which is read as " + std::string(syntax::describe(member.keyKind)) + ".");
        return;
    }
    // A key that stands beside it was not meant, and would stand there twice; one of another part of the file, or of the cluster file, may
    // be.
    const auto standsBeside = [&](std::string_view name) {
        const Member* there = mapping.member(name);
        return there && m_sections.standsBeside(*there, member);
    };
    std::vector<std::string_view> names;
    for (const Field& field : record.fields) {
        const bool isThere = standsBeside(field.key);
        if (field.deprecated.empty())
            names.emplace_back(field.key);
        for (const schema::OtherName& other : field.otherNames) {
            if (other.name != member.key)
                continue;
            Diagnostic& problem = report(Code::UnknownKey, Severity::Error, key, here,
                                         where + " has no key " + base::inQuotes(member.key) + "; here it is called \"" + field.key + "\"" +
                                             (other.why.empty() ? "." : " (" + other.why + ")."));
            if (!member.keyRange.isEmpty() && !isThere)
                problem.fixes.push_back({"Change to \"" + field.key + "\"", {{member.keyRange, field.key}}});
            return;
        }
    }
    std::string_view near = base::nearestName(member.key, names);
    if (standsBeside(near)) // the name that is meant is there already, and no other one is
        near = {};
    std::string message = where + " has no key " + base::inQuotes(member.key);
    if (!near.empty())
        message += "; did you mean \"" + std::string(near) + "\"?";
    else if (const std::string owner = ownerOf(member.key); !owner.empty())
        message += "; it belongs to " + owner + ".";
    else
        message += ".";
    Diagnostic& problem = report(Code::UnknownKey, Severity::Error, key, here, std::move(message));
    if (!near.empty() && !member.keyRange.isEmpty())
        problem.fixes.push_back({"Change to \"" + std::string(near) + "\"", {{member.keyRange, std::string(near)}}});
}

std::string Reader::ownerOf(std::string_view key) const
{
    std::string owner;
    for (const auto& [name, record] : m_pack->records()) {
        if (!record.find(key))
            continue;
        if (!owner.empty())
            return {}; // several blocks have it: no help
        owner = &record == &m_pack->root() ? "the top level" : keyOf(name);
    }
    return owner;
}

/// A record by the key that holds it: "\"benchmark\"", "\"backend\" with \"type: sglang\"".
std::string Reader::keyOf(std::string_view recordName) const
{
    for (const auto& [name, record] : m_pack->records()) {
        for (const Field& field : record.fields) {
            for (const auto& [word, chosen] : field.type.records) {
                if (chosen == recordName && !word.empty() && !field.type.selector.empty())
                    return "\"" + field.key + "\" with \"" + field.type.selector + ": " + word + "\"";
            }
        }
    }
    return "\"" + std::string(recordName) + "\"";
}

void Reader::reportMissing(const Field& field, const Record& record, const Value& mapping, const Place& place)
{
    // A key that is misspelt is not missing beside: it has been told, with the name that was meant.
    const std::string_view wanted[] = {field.key};
    const bool isMisspelt = std::any_of(mapping.members.begin(), mapping.members.end(), [&](const Member& member) {
        return !record.find(member.key) && !base::nearestName(member.key, wanted).empty();
    });
    if (isMisspelt)
        return;
    // At the sibling that would stand before it; else at the key of the block, else at the first key.
    const Member* before = nullptr;
    for (const Field& other : record.fields) {
        if (&other == &field)
            break;
        if (const Member* member = mapping.member(other.key); member && !member->keyRange.isEmpty() && !member->merged)
            before = member;
    }
    Value at;
    at.source = mapping.source;
    at.kind = Kind::String;
    if (before)
        at.range = before->keyRange;
    else if (!place.key.isEmpty())
        at.range = place.key;
    else if (!mapping.members.empty())
        at.range = mapping.members.front().keyRange;
    Place here;
    here.path = pathOf(place.path, field.key);
    here.source = mapping.source;
    const std::string where = place.path.empty() ? "The " + record.name : "\"" + place.path + "\"";
    report(Code::MissingKey, Severity::Error, at, here, where + " has no \"" + field.key + "\", which is required.");
}

Diagnostic& Reader::reportWrongType(const Value& value, const Type& type, std::string_view wanted, const Place& place)
{
    const bool isTime = value.kind == Kind::Integer && value.style == Style::Plain && value.text.find(':') != std::string::npos;
    const bool wantsText = takesText(type);
    std::string message = "\"" + place.path + "\" ";
    if (isTime && wantsText)
        message += "must be text, and " + value.text + " without quotes is read as the number " + std::to_string(value.integer) + ".";
    else if (value.kind == Kind::Bool || value.kind == Kind::Timestamp)
        message += "must be " + std::string(wanted) + "; " + value.text + " is read as " + std::string(syntax::describe(value.kind)) + ".";
    else
        message += "must be " + std::string(wanted) + ", not " +
                   (value.isScalar() && !value.isNull() ? syntax::shown(value) : std::string(syntax::describe(value.kind))) + ".";
    Diagnostic& problem =
        report(isTime && wantsText ? Code::BaseSixty : Code::WrongType, Severity::Error, value, place, std::move(message));
    // Where numbers are taken too, text is for a few words: true in quotes is none of them, and infinity is one without its dot.
    const bool isWords = type.kind == TypeKind::Union && std::any_of(type.inner.begin(), type.inner.end(), [](const Type& t) {
                             return t.kind == TypeKind::Integer || t.kind == TypeKind::Number;
                         });
    const bool isEndless = value.kind == Kind::Float && std::isinf(value.number) && value.number > 0;
    if (isWords && isEndless && isSimpleQuotable(value))
        problem.fixes.push_back({"Change to inf", {{value.range, "inf"}}});
    else if (!(isWords && (value.kind == Kind::Bool || value.kind == Kind::Float)) && wantsText && value.isScalar() && !value.isNull() &&
             isSimpleQuotable(value))
        problem.fixes.push_back({"Put it in quotes", {{value.range, doubleQuoted(value.text)}}});
    return problem;
}

Diagnostic& Reader::report(Code code, Severity severity, const Value& value, const Place& place, std::string message)
{
    Diagnostic problem;
    problem.code = code;
    problem.severity = severity;
    problem.source = value.range.isEmpty() ? place.source : value.source;
    problem.range = value.range.isEmpty() ? place.key : value.range;
    problem.path = place.path;
    problem.message = std::move(message);
    if (!value.definition.isEmpty())
        problem.notes.push_back({"The value is set here.", value.definition, value.source});
    if (!place.merge.isEmpty()) {
        problem.notes.push_back({"The value is set here.", problem.range, problem.source});
        problem.range = place.merge;
    }
    m_diagnostics.push_back(std::move(problem));
    return m_diagnostics.back();
}

} // namespace wb::recipe
