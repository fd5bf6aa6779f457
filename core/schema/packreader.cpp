// Reads packs strictly: what a row says must be understood in full, or every consumer would quietly do something else than it asks for.
#include "core/base/text.h"
#include "core/schema/pack.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <set>

namespace wb::schema {

namespace {

namespace json = base::json;
using base::inQuotes;

constexpr std::pair<std::string_view, TypeKind> plainTypes[] = {
    {"string", TypeKind::String},   {"integer", TypeKind::Integer}, {"number", TypeKind::Number},
    {"boolean", TypeKind::Boolean}, {"any", TypeKind::Any},         {"path", TypeKind::Path},
};
constexpr std::pair<std::string_view, Form> formNames[] = {{"plain", Form::Plain}, {"override", Form::Override}, {"sweep", Form::Sweep}};
constexpr std::pair<std::string_view, Content> contentNames[] = {
    {"recipe", Content::Recipe},         {"changes", Content::Changes},   {"zippedChanges", Content::ZippedChanges},
    {"parameters", Content::Parameters}, {"anything", Content::Anything},
};

constexpr std::array fieldAttributes =
    std::to_array<std::string_view>({"key", "type", "required", "nullable", "default", "choices", "openChoices", "otherChoice", "limits",
                                     "unit", "group", "expert", "doc", "inert", "deprecated", "readBySelector", "readBy", "otherNames"});

template <typename T, std::size_t Count>
std::optional<T> named(const std::pair<std::string_view, T> (&rows)[Count], std::string_view name)
{
    for (const auto& [key, value] : rows) {
        if (key == name)
            return value;
    }
    return std::nullopt;
}

/// Type that a union or container ends in, depth first, for asking whether it has any numbers.
bool hasNumbers(const Type& type)
{
    return type.kind == TypeKind::Integer || type.kind == TypeKind::Number || std::any_of(type.inner.begin(), type.inner.end(), hasNumbers);
}

class PackReader
{
public:
    explicit PackReader(std::string_view file)
        : m_file(file)
    {
    }

    void readHead(const json::Value& document);
    void readShared(const json::Value& shared);
    void readRecords(const json::Value& records);
    void checkAll();

    [[nodiscard]] std::optional<Error> error() const;

    std::string id;
    std::string title;
    std::string state;
    std::string root;
    std::vector<FormKey> forms;
    std::map<std::string, Record, std::less<>> records;

private:
    void fault(std::string_view where, const std::string& what);
    void checkAttributes(const json::Value& object, std::span<const std::string_view> known, std::string_view where);
    std::string text(const json::Value& object, std::string_view key, std::string_view where, bool isNeeded = false);
    bool flag(const json::Value& object, std::string_view key, std::string_view where);
    std::optional<double> number(const json::Value& object, std::string_view key, std::string_view where);
    /// The objects of the list under `key`, each with the place to name in a fault.
    template <typename Read>
    void eachObject(const json::Value& object, std::string_view key, std::string_view where, Read read);

    void readForm(const json::Value& row, std::string_view where);
    void readRecord(const std::string& name, const json::Value& value);
    Field readField(const json::Value& row, std::string_view where);
    Type readType(const json::Value& value, std::string_view where);
    Type readVariant(const json::Value& value, std::string_view where);
    Limits readLimits(const json::Value& row, std::string_view where);

    void checkField(const Record& record, const Field& field);
    void checkFilling();
    void checkType(const Type& type, const std::string& where);
    void checkDefault(const Field& field, const std::string& where);
    void checkReadBy(const Field& field, const std::string& where);
    [[nodiscard]] bool fits(const json::Value& value, const Type& type, const Limits& limits) const;
    [[nodiscard]] const Field* fieldAt(std::string_view path) const;

    std::string m_file;
    std::vector<std::string> m_faults;
    std::map<std::string, json::Value, std::less<>> m_shared;
    std::set<std::string, std::less<>> m_usedShared;
};

void PackReader::fault(std::string_view where, const std::string& what)
{
    m_faults.push_back((where.empty() ? std::string() : std::string(where) + ": ") + what);
}

std::optional<Error> PackReader::error() const
{
    if (m_faults.empty())
        return std::nullopt;
    return Error{ErrorCode::Malformed, "The pack " + base::pathInQuotes(m_file) + " cannot be used: " + m_faults.front(),
                 base::joined(m_faults, "\n")};
}

void PackReader::checkAttributes(const json::Value& object, std::span<const std::string_view> known, std::string_view where)
{
    for (const json::Member& member : object.object()) {
        if (std::find(known.begin(), known.end(), member.key) == known.end())
            fault(where, "the attribute " + inQuotes(member.key) + " is not known.");
    }
}

std::string PackReader::text(const json::Value& object, std::string_view key, std::string_view where, bool isNeeded)
{
    const json::Value* value = object.find(key);
    const std::string* found = value ? value->string() : nullptr;
    if (value && (!found || found->empty()))
        fault(where, inQuotes(key) + " must be a text that is not empty.");
    else if (!value && isNeeded)
        fault(where, inQuotes(key) + " is missing.");
    return found ? *found : std::string();
}

bool PackReader::flag(const json::Value& object, std::string_view key, std::string_view where)
{
    const json::Value* value = object.find(key);
    if (value && !value->boolean())
        fault(where, inQuotes(key) + " must be true or false.");
    return value && value->boolean().value_or(false);
}

std::optional<double> PackReader::number(const json::Value& object, std::string_view key, std::string_view where)
{
    const json::Value* value = object.find(key);
    if (!value)
        return std::nullopt;
    const auto found = value->number();
    if (!found || !std::isfinite(*found))
        fault(where, inQuotes(key) + " must be a number.");
    return found;
}

template <typename Read>
void PackReader::eachObject(const json::Value& object, std::string_view key, std::string_view where, Read read)
{
    const json::Value* list = object.find(key);
    if (!list)
        return;
    if (!list->isArray() || list->array().empty())
        fault(where, inQuotes(key) + " must be a list that is not empty.");
    for (const json::Value& item : list->array()) {
        if (item.isObject())
            read(item);
        else
            fault(where, inQuotes(key) + " must hold objects only.");
    }
}

void PackReader::readHead(const json::Value& document)
{
    constexpr auto known = std::to_array<std::string_view>({"_layout", "id", "title", "state", "root", "forms", "shared", "records"});
    checkAttributes(document, known, {});
    id = text(document, "id", {}, true);
    title = text(document, "title", {}, true);
    state = text(document, "state", {}, true);
    root = text(document, "root", {}, true);
    eachObject(document, "forms", {}, [&](const json::Value& row) { readForm(row, "forms"); });
}

void PackReader::readForm(const json::Value& row, std::string_view where)
{
    constexpr auto known = std::to_array<std::string_view>({"key", "form", "holds", "doc"});
    checkAttributes(row, known, where);
    FormKey form{.key = text(row, "key", where, true), .form = {}, .holds = {}, .doc = text(row, "doc", where, true)};
    const std::string here = std::string(where) + "." + form.key;
    const std::string formName = text(row, "form", here, true);
    const std::string contentName = text(row, "holds", here, true);
    const auto formOf = named(formNames, formName);
    const auto contentOf = named(contentNames, contentName);
    if (!formOf)
        fault(here, "the form " + inQuotes(formName) + " is not known.");
    if (!contentOf)
        fault(here, "the content " + inQuotes(contentName) + " is not known.");
    form.form = formOf.value_or(Form::Plain);
    form.holds = contentOf.value_or(Content::Anything);
    forms.push_back(std::move(form));
}

void PackReader::readShared(const json::Value& shared)
{
    if (!shared.isObject())
        fault("shared", "it must be an object.");
    for (const json::Member& member : shared.object()) {
        if (!member.value.isObject())
            fault("shared." + member.key, "it must be an object.");
        m_shared.emplace(member.key, member.value);
    }
}

void PackReader::readRecords(const json::Value& all)
{
    if (!all.isObject() || all.object().empty())
        fault("records", "it must be an object that is not empty.");
    for (const json::Member& member : all.object())
        readRecord(member.key, member.value);
    for (const auto& [name, row] : m_shared) {
        if (!m_usedShared.contains(name))
            fault("shared." + name, "no record uses this row.");
    }
}

void PackReader::readRecord(const std::string& name, const json::Value& value)
{
    constexpr auto known = std::to_array<std::string_view>({"doc", "fields"});
    checkAttributes(value, known, name);
    Record record;
    record.name = name;
    record.doc = text(value, "doc", name, true);
    const json::Value* rows = value.find("fields");
    if (!rows || !rows->isArray() || rows->array().empty())
        fault(name, "\"fields\" must be a list that is not empty.");
    for (const json::Value& item : rows ? rows->array() : json::Array()) {
        const json::Value* row = &item;
        if (const std::string* sharedName = item.string()) {
            const auto found = m_shared.find(*sharedName);
            if (found == m_shared.end()) {
                fault(name, "there is no shared row " + inQuotes(*sharedName) + ".");
                continue;
            }
            m_usedShared.insert(*sharedName);
            row = &found->second;
        } else if (!item.isObject()) {
            fault(name, "\"fields\" must hold objects and names of shared rows.");
            continue;
        }
        record.fields.push_back(readField(*row, name));
    }
    for (std::size_t i = 0; i < record.fields.size(); ++i)
        record.sorted.push_back(static_cast<std::uint16_t>(i));
    std::sort(record.sorted.begin(), record.sorted.end(),
              [&](std::uint16_t a, std::uint16_t b) { return record.fields[a].key < record.fields[b].key; });
    records.insert_or_assign(name, std::move(record));
}

Field PackReader::readField(const json::Value& row, std::string_view recordName)
{
    Field field;
    field.key = text(row, "key", recordName, true);
    const std::string where = std::string(recordName) + "." + field.key;
    checkAttributes(row, fieldAttributes, where);
    if (const json::Value* type = row.find("type"))
        field.type = readType(*type, where);
    else
        fault(where, "\"type\" is missing.");
    field.required = flag(row, "required", where);
    field.nullable = flag(row, "nullable", where);
    if (const json::Value* value = row.find("default"))
        field.defaultValue = *value;
    eachObject(row, "choices", where, [&](const json::Value& choice) {
        constexpr auto known = std::to_array<std::string_view>({"value", "doc"});
        checkAttributes(choice, known, where);
        field.choices.push_back({.value = text(choice, "value", where, true), .doc = text(choice, "doc", where, true)});
    });
    field.openChoices = flag(row, "openChoices", where);
    field.otherChoice = text(row, "otherChoice", where);
    field.limits = readLimits(row, where);
    field.unit = text(row, "unit", where);
    field.doc = text(row, "doc", where, true);
    field.group = text(row, "group", where, true);
    field.expert = flag(row, "expert", where);
    field.inert = text(row, "inert", where);
    field.deprecated = text(row, "deprecated", where);
    field.readBySelector = text(row, "readBySelector", where);
    if (const json::Value* words = row.find("readBy")) {
        for (const json::Value& word : words->array()) {
            if (word.string())
                field.readBy.push_back(*word.string());
            else
                fault(where, "\"readBy\" must hold texts only.");
        }
    }
    eachObject(row, "otherNames", where, [&](const json::Value& other) {
        constexpr auto known = std::to_array<std::string_view>({"name", "why"});
        checkAttributes(other, known, where);
        field.otherNames.push_back({.name = text(other, "name", where, true), .why = text(other, "why", where, true)});
    });
    return field;
}

Limits PackReader::readLimits(const json::Value& row, std::string_view where)
{
    Limits limits;
    const json::Value* value = row.find("limits");
    if (!value)
        return limits;
    constexpr auto known = std::to_array<std::string_view>({"least", "most", "aboveLeast"});
    checkAttributes(*value, known, where);
    limits.least = number(*value, "least", where);
    limits.most = number(*value, "most", where);
    limits.aboveLeast = flag(*value, "aboveLeast", where);
    if (!limits.least && !limits.most)
        fault(where, "\"limits\" must have \"least\" or \"most\".");
    if (limits.aboveLeast && !limits.least)
        fault(where, "\"aboveLeast\" needs \"least\".");
    if (limits.least && limits.most && *limits.least > *limits.most)
        fault(where, "\"least\" is above \"most\".");
    return limits;
}

Type PackReader::readType(const json::Value& value, std::string_view where)
{
    Type type;
    if (const std::string* word = value.string()) {
        type.isStrict = *word == "strictBoolean";
        const auto kind = named(plainTypes, type.isStrict ? std::string_view("boolean") : std::string_view(*word));
        if (!kind)
            fault(where, "the type " + inQuotes(*word) + " is not known.");
        type.kind = kind.value_or(TypeKind::Any);
        return type;
    }
    if (value.find("variant"))
        return readVariant(value, where);
    constexpr auto known = std::to_array<std::string_view>({"list", "map", "nullValues", "record", "union"});
    checkAttributes(value, known, where);
    type.valuesNullable = flag(value, "nullValues", where);
    if (const json::Value* items = value.find("list")) {
        type.kind = TypeKind::List;
        type.inner.push_back(readType(*items, where));
    } else if (const json::Value* values = value.find("map")) {
        type.kind = TypeKind::Map;
        type.inner.push_back(readType(*values, where));
    } else if (value.find("record")) {
        type.kind = TypeKind::Record;
        type.record = text(value, "record", where);
    } else if (const json::Value* alternatives = value.find("union")) {
        type.kind = TypeKind::Union;
        for (const json::Value& alternative : alternatives->array())
            type.inner.push_back(readType(alternative, where));
        if (type.inner.size() < 2)
            fault(where, "a union needs two types or more.");
    } else {
        fault(where, "the type says neither \"list\" nor \"map\", \"record\", \"union\" or \"variant\".");
    }
    return type;
}

Type PackReader::readVariant(const json::Value& value, std::string_view where)
{
    constexpr auto outer = std::to_array<std::string_view>({"variant"});
    constexpr auto known = std::to_array<std::string_view>({"selector", "default", "records"});
    const json::Value& variant = *value.find("variant");
    checkAttributes(value, outer, where);
    checkAttributes(variant, known, where);
    Type type;
    type.kind = TypeKind::Variant;
    type.selector = text(variant, "selector", where, true);
    type.selectorDefault = text(variant, "default", where, true);
    if (const json::Value* all = variant.find("records")) {
        for (const json::Member& member : all->object())
            type.records.emplace_back(member.key, text(*all, member.key, where));
    }
    if (type.records.empty())
        fault(where, "a variant needs \"records\".");
    return type;
}

// --- what rows must be among themselves ----------------------------------------------------------------------------------------------

void PackReader::checkAll()
{
    if (!root.empty() && !records.contains(root))
        fault("root", "there is no record " + inQuotes(root) + ".");
    for (const auto& [name, record] : records) {
        for (const Field& field : record.fields)
            checkField(record, field);
    }
    checkFilling();
}

/// Blocks that are absent are filled in with their records' defaults: a record that holds itself so would have no end.
void PackReader::checkFilling()
{
    std::set<std::string_view> open;
    const auto filledBy = [&](const Field& field) -> const Record* {
        if (field.defaultValue || field.required)
            return nullptr;
        std::string_view name = field.type.kind == TypeKind::Record ? std::string_view(field.type.record) : std::string_view();
        for (const auto& [word, record] : field.type.records)
            name = field.type.kind == TypeKind::Variant && word == field.type.selectorDefault ? std::string_view(record) : name;
        const auto found = records.find(name);
        return found == records.end() ? nullptr : &found->second;
    };
    // Records that no field below them fills in again are taken away, until none is left or the rest goes round.
    for (const auto& [name, record] : records)
        open.insert(name);
    bool isChanged = true;
    while (isChanged) {
        isChanged = false;
        for (auto here = open.begin(); here != open.end();) {
            const Record& record = records.find(*here)->second;
            const bool goesOn = std::any_of(record.fields.begin(), record.fields.end(), [&](const Field& field) {
                const Record* filled = filledBy(field);
                return filled && open.contains(filled->name);
            });
            isChanged = isChanged || !goesOn;
            here = goesOn ? std::next(here) : open.erase(here);
        }
    }
    for (const std::string_view name : open) {
        for (const Field& field : records.find(name)->second.fields) {
            const Record* filled = filledBy(field);
            if (filled && open.contains(filled->name))
                fault(std::string(name) + "." + field.key,
                      "the record " + inQuotes(filled->name) +
                          " leads back here, so its defaults have no end; give the key a default or make "
                          "it required.");
        }
    }
}

void PackReader::checkField(const Record& record, const Field& field)
{
    const std::string where = record.name + "." + field.key;
    checkType(field.type, where);
    checkDefault(field, where);
    checkReadBy(field, where);

    const auto hasKey = [&](const std::string& key) {
        return std::count_if(record.fields.begin(), record.fields.end(), [&](const Field& other) { return other.key == key; });
    };
    if (hasKey(field.key) > 1)
        fault(where, "the key is there twice.");
    for (const OtherName& other : field.otherNames) {
        if (hasKey(other.name) > 0)
            fault(where, "its other name " + inQuotes(other.name) + " is a key of the record.");
        if (record.findByOtherName(other.name).second != &other)
            fault(where, "its other name " + inQuotes(other.name) + " is given twice in the record.");
    }
    if (!field.choices.empty() && field.type.kind != TypeKind::String)
        fault(where, "only a text may have \"choices\".");
    if (!field.otherChoice.empty() && !field.openChoices)
        fault(where, "\"otherChoice\" needs \"openChoices\".");
    if (field.openChoices && field.choices.empty())
        fault(where, "\"openChoices\" needs \"choices\".");
    for (const Choice& choice : field.choices) {
        if (field.choice(choice.value) != &choice)
            fault(where, "the choice " + inQuotes(choice.value) + " is there twice.");
    }
    if ((field.limits.least || field.limits.most) && !hasNumbers(field.type))
        fault(where, "it has \"limits\", but no numbers.");
}

void PackReader::checkType(const Type& type, const std::string& where)
{
    for (const Type& inner : type.inner)
        checkType(inner, where);
    if (type.kind == TypeKind::Record && !records.contains(type.record))
        fault(where, "there is no record " + inQuotes(type.record) + ".");
    if (type.kind != TypeKind::Variant)
        return;
    bool hasDefault = false;
    for (const auto& [word, name] : type.records) {
        hasDefault = hasDefault || word == type.selectorDefault;
        const auto found = records.find(name);
        if (found == records.end()) {
            fault(where, "there is no record " + inQuotes(name) + ".");
            continue;
        }
        const Field* selector = found->second.find(type.selector);
        if (!selector || !selector->choice(word))
            fault(where,
                  "the record " + inQuotes(name) + " has no key " + inQuotes(type.selector) + " with the choice " + inQuotes(word) + ".");
    }
    if (!hasDefault)
        fault(where, "the default " + inQuotes(type.selectorDefault) + " is none of the words of the variant.");
}

void PackReader::checkDefault(const Field& field, const std::string& where)
{
    const bool fillsItself = field.type.kind == TypeKind::Record || field.type.kind == TypeKind::Variant;
    if (!field.defaultValue) {
        if (!field.required && !fillsItself)
            fault(where, "\"default\" is missing.");
        return;
    }
    if (field.required)
        fault(where, "a required key has no use for \"default\".");
    if (field.defaultValue->isNull()) {
        if (!field.nullable)
            fault(where, "the default is null, but null is not allowed.");
        return;
    }
    if (!fits(*field.defaultValue, field.type, field.limits))
        fault(where, "the default is not " + inWords(field.type) + " within the limits.");
    else if (const std::string* word = field.defaultValue->string();
             word && !field.choices.empty() && !field.openChoices && !field.choice(*word))
        fault(where, "the default " + inQuotes(*word) + " is none of the choices.");
}

void PackReader::checkReadBy(const Field& field, const std::string& where)
{
    if (field.readBySelector.empty() != field.readBy.empty()) {
        fault(where, "\"readBySelector\" and \"readBy\" go together.");
        return;
    }
    if (field.readBy.empty())
        return;
    const Field* selector = fieldAt(field.readBySelector);
    if (!selector || selector->choices.empty()) {
        fault(where, "\"readBySelector\" " + inQuotes(field.readBySelector) + " is no key with choices.");
        return;
    }
    for (const std::string& word : field.readBy) {
        if (!selector->choice(word))
            fault(where, inQuotes(word) + " is no choice of " + inQuotes(field.readBySelector) + ".");
    }
}

const Field* PackReader::fieldAt(std::string_view path) const
{
    auto here = records.find(root);
    while (here != records.end()) {
        const std::size_t dot = path.find('.');
        const Field* field = here->second.find(path.substr(0, dot));
        if (!field || dot == std::string_view::npos)
            return field;
        path.remove_prefix(dot + 1);
        here = records.find(field->type.record);
    }
    return nullptr;
}

bool PackReader::fits(const json::Value& value, const Type& type, const Limits& limits) const
{
    const auto holdsOnlyFitting = [&](const json::Value& inner) {
        return (inner.isNull() && type.valuesNullable) || fits(inner, type.inner.front(), limits);
    };
    switch (type.kind) {
    case TypeKind::String:
    case TypeKind::Path:
        return value.isString();
    case TypeKind::Integer:
        return value.integer() && limits.allow(static_cast<double>(*value.integer()));
    case TypeKind::Number:
        return value.number() && std::isfinite(*value.number()) && limits.allow(*value.number());
    case TypeKind::Boolean:
        return value.boolean().has_value();
    case TypeKind::Any:
        return true;
    case TypeKind::List:
        return value.isArray() && std::all_of(value.array().begin(), value.array().end(), holdsOnlyFitting);
    case TypeKind::Map:
        return value.isObject() && std::all_of(value.object().begin(), value.object().end(),
                                               [&](const json::Member& member) { return holdsOnlyFitting(member.value); });
    case TypeKind::Union:
        return std::any_of(type.inner.begin(), type.inner.end(), [&](const Type& one) { return fits(value, one, limits); });
    case TypeKind::Record:
    case TypeKind::Variant:
        return false; // Records fill themselves in; only null may stand as their default.
    }
    return false;
}

} // namespace

Result<std::shared_ptr<const Pack>> readPack(std::string_view text, std::string_view name)
{
    auto document = json::read(text);
    if (!document)
        return passedOn(std::move(document.error()), "Reading the pack " + base::pathInQuotes(name));
    if (!document->isObject())
        return failure(ErrorCode::Malformed, "The pack " + base::pathInQuotes(name) + " cannot be used: it is no JSON object.");

    PackReader reader(name);
    reader.readHead(*document);
    if (const json::Value* shared = document->find("shared"))
        reader.readShared(*shared);
    const json::Value* records = document->find("records");
    reader.readRecords(records ? *records : json::Value());
    reader.checkAll();
    if (auto error = reader.error())
        return tl::unexpected(std::move(*error));

    auto pack = std::make_shared<Pack>();
    pack->m_id = std::move(reader.id);
    pack->m_title = std::move(reader.title);
    pack->m_state = std::move(reader.state);
    pack->m_root = std::move(reader.root);
    pack->m_forms = std::move(reader.forms);
    pack->m_records = std::move(reader.records);
    return pack;
}

} // namespace wb::schema
