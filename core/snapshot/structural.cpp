#include "core/snapshot/structural.h"

#include "core/base/text.h"
#include "core/snapshot/celrules.h"
#include "core/syntax/rewrite.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace wb::snapshot {

using syntax::Kind;
using syntax::Value;

namespace {

/// std::regex needs stack for every byte; nothing that the schemas hold patterns for is longer.
constexpr std::size_t longestMatched = 4096;

/// Kubectl's reader takes the words y and n for booleans too, and neither dates nor base-60 numbers for what PyYAML does.
Kind kindFor(const Value& value)
{
    const bool isPlain = value.style == syntax::Style::Plain;
    if (value.kind == Kind::Timestamp)
        return Kind::String;
    if ((value.kind == Kind::Integer || value.kind == Kind::Float) && value.text.find(':') != std::string::npos)
        return Kind::String;
    if (value.kind == Kind::String && isPlain && (value.text == "y" || value.text == "n" || value.text == "Y" || value.text == "N"))
        return Kind::Bool;
    return value.kind;
}

bool isOfType(const Value& value, Schema::Type type)
{
    const Kind kind = kindFor(value);
    switch (type) {
    case Schema::Type::Object:
        return kind == Kind::Mapping;
    case Schema::Type::Array:
        return kind == Kind::Sequence;
    case Schema::Type::String:
        return kind == Kind::String;
    case Schema::Type::Integer:
        return kind == Kind::Integer || (kind == Kind::Float && std::isfinite(value.number) && std::trunc(value.number) == value.number);
    case Schema::Type::Number:
        return kind == Kind::Integer || kind == Kind::Float;
    case Schema::Type::Boolean:
        return kind == Kind::Bool;
    case Schema::Type::Any:
        break;
    }
    return true;
}

/// "2026-10-08T10:00:00Z", the form that the server asks of a date-time.
bool isDateTime(std::string_view text)
{
    constexpr std::string_view form = "0000-00-00T00:00:00";
    if (text.size() < form.size() + 1)
        return false;
    for (std::size_t i = 0; i < form.size(); ++i) {
        const bool isDigit = text[i] >= '0' && text[i] <= '9';
        if (form[i] == '0' ? !isDigit : text[i] != form[i] && !(form[i] == 'T' && text[i] == 't'))
            return false;
    }
    const std::string_view zone = text.substr(form.size());
    return zone.back() == 'Z' || zone.back() == 'z' || zone.find_first_of("+-") != std::string_view::npos;
}

class Checker
{
public:
    Checker(Findings& findings, std::vector<FilledDefault>* defaults)
        : m_findings(findings)
        , m_defaults(defaults)
    {
    }

    /// `key` is how messages call it; empty for the object itself.
    void check(const Node& node, const Schema& schema, std::string key = {})
    {
        std::string outer = std::exchange(m_key, std::move(key));
        checkNode(node, schema);
        m_key = std::move(outer);
    }

private:
    void checkNode(const Node& node, const Schema& schema)
    {
        const Value& value = *node.value;
        if (schema.isIntOrString) {
            const Kind kind = kindFor(value);
            if (kind != Kind::String && kind != Kind::Integer) {
                m_findings.error("type", node, subject() + " must be an integer or text, not " + given(value) + ".");
                return;
            }
            if (kind == Kind::String)
                checkText(node, schema);
            return;
        }
        if (!isOfType(value, schema.type)) {
            reportType(node, schema.type);
            return;
        }
        switch (schema.type) {
        case Schema::Type::Object:
            checkObject(node, schema);
            break;
        case Schema::Type::Array:
            checkArray(node, schema);
            break;
        case Schema::Type::String:
            checkText(node, schema);
            break;
        case Schema::Type::Integer:
        case Schema::Type::Number:
            checkNumber(node, schema);
            break;
        case Schema::Type::Boolean:
        case Schema::Type::Any:
            break;
        }
        checkRules(node, schema, m_findings);
    }

    [[nodiscard]] std::string subject() const { return m_key.empty() ? "The object" : base::inQuotes(m_key); }
    static std::string given(const Value& value) { return syntax::shown(value); }

    void reportType(const Node& node, Schema::Type type, std::string_view key = {})
    {
        const Value& value = *node.value;
        syntax::Diagnostic& finding = m_findings.error("type", node,
                                                       (key.empty() ? subject() : base::inQuotes(key)) + " is " + given(value) +
                                                           ": expected " + std::string(name(type)) + ".");
        if (!value.definition.isEmpty() || value.range.isEmpty())
            return;
        if (type == Schema::Type::String && value.isScalar() && !value.isNull())
            finding.fixes = {{"Put it in quotes", {{m_findings.whole(value.range), "\"" + value.text + "\""}}}};
        const bool isNumberType = type == Schema::Type::Integer || type == Schema::Type::Number;
        if (isNumberType && value.isString() && base::integerOf(value.text))
            finding.fixes = {{"Write it without quotes", {{m_findings.whole(value.range), value.text}}}};
    }

    void checkObject(const Node& node, const Schema& schema)
    {
        const Value& value = *node.value;
        for (const std::string& key : schema.required) {
            if (!isFilled(node, schema, key))
                m_findings.error("required", node, subject() + " lacks the required key " + base::inQuotes(key) + ".");
        }
        if (schema.maxProperties && value.members.size() > *schema.maxProperties) {
            m_findings.error("maxProperties", node,
                             subject() + " has " + std::to_string(value.members.size()) + " keys; at most " +
                                 std::to_string(*schema.maxProperties) + " are taken.");
        }
        for (const syntax::Member& member : value.members)
            checkMember(node, member, schema);
        if (!m_defaults)
            return;
        for (const Property& property : schema.properties) {
            const syntax::Member* member = value.member(property.name);
            if (property.schema->standard && (!member || member->value->isNull())) {
                m_defaults->push_back(
                    {node.path + "." + property.name, m_findings.whole(node.place), base::json::write(*property.schema->standard, 0)});
            }
        }
    }

    static bool isFilled(const Node& node, const Schema& schema, const std::string& key)
    {
        if (node.child(key))
            return true;
        const Schema* property = schema.property(key);
        const syntax::Member* member = node.value->member(key);
        return property && (property->standard || (member && property->isNullable));
    }

    void checkMember(const Node& node, const syntax::Member& member, const Schema& schema)
    {
        const Schema* property = schema.property(member.key);
        if (!property && !schema.additional) {
            if (!schema.isOpen)
                reportUnknown(node, member, schema);
            return;
        }
        const Schema& own = property ? *property : *schema.additional;
        const Node child = node.child(member.key);
        if (child) {
            check(child, own, member.key);
            return;
        }
        if (!property && !own.isNullable && own.type != Schema::Type::Any) // the server keeps a null in a map, and then minds its type
            reportType({member.value, child.path, child.place}, own.type, member.key);
    }

    void reportUnknown(const Node& node, const syntax::Member& member, const Schema& schema)
    {
        Node at = node.child(member.key);
        std::string message = "The schema has no field " + base::inQuotes(member.key) +
                              " here: the server would drop it, and kubectl "
                              "--validate=strict refuses it";
        std::vector<std::string_view> names;
        for (const Property& property : schema.properties)
            names.push_back(property.name);
        const std::string near(base::nearestName(member.key, names));
        message += near.empty() ? "." : "; did you mean " + base::inQuotes(near) + "?";
        syntax::Diagnostic& finding = m_findings.error("unknown", at, std::move(message));
        if (!near.empty() && !member.keyRange.isEmpty() && !node.value->member(near))
            finding.fixes = {{"Change to " + base::inQuotes(near), {{m_findings.whole(member.keyRange), near}}}};
    }

    void checkArray(const Node& node, const Schema& schema)
    {
        const std::size_t count = node.value->items.size();
        if (schema.minItems && count < *schema.minItems) {
            m_findings.error("minItems", node,
                             subject() + " has " + std::to_string(count) + " items; at least " + std::to_string(*schema.minItems) +
                                 " must be there.");
        }
        if (schema.maxItems && count > *schema.maxItems) {
            m_findings.error("maxItems", node,
                             subject() + " has " + std::to_string(count) + " items; at most " + std::to_string(*schema.maxItems) +
                                 " may be there.");
        }
        if (!schema.items)
            return;
        for (std::size_t i = 0; i < count; ++i)
            check(node.item(i), *schema.items, m_key + "[" + std::to_string(i) + "]");
        if (schema.listType != Schema::ListType::Atomic)
            checkDoubles(node, schema);
    }

    /// What an item of a list is known by; empty when a part of it is missing.
    static std::string identity(const Value& item, const Schema& schema)
    {
        if (schema.listType == Schema::ListType::Set)
            return syntax::flowText(item);
        std::string out;
        for (const std::string& key : schema.listMapKeys) {
            const syntax::Member* member = item.member(key);
            if (member && !member->value->isNull()) {
                out += member->value->text + '\0';
                continue;
            }
            const Schema* property = schema.items->property(key);
            const std::string* standard = property && property->standard ? property->standard->string() : nullptr;
            if (!standard)
                return {};
            out += *standard + '\0';
        }
        return out;
    }

    void checkDoubles(const Node& node, const Schema& schema)
    {
        std::set<std::string> seen;
        for (std::size_t i = 0; i < node.value->items.size(); ++i) {
            const std::string id = identity(*node.value->items[i], schema);
            if (id.empty() || seen.insert(id).second)
                continue;
            std::string shown = id;
            std::replace(shown.begin(), shown.end(), '\0', ' ');
            m_findings.error("duplicate", node.item(i),
                             "An item " + base::inQuotes(base::trimmed(shown)) + " stands in " + subject() + " already.");
        }
    }

    void checkText(const Node& node, const Schema& schema)
    {
        const std::string& text = node.value->text;
        const std::size_t length = base::codePoints(text);
        if (schema.minLength && length < *schema.minLength) {
            m_findings.error("minLength", node,
                             subject() + (length == 0 ? " is empty" : " is too short") + "; at least " + std::to_string(*schema.minLength) +
                                 " character" + (*schema.minLength == 1 ? "" : "s") + " must be there.");
        }
        if (schema.maxLength && length > *schema.maxLength) {
            m_findings.error("maxLength", node,
                             subject() + " has " + std::to_string(length) + " characters; at most " + std::to_string(*schema.maxLength) +
                                 " may be there.");
        }
        if (!schema.choices.empty() && std::find(schema.choices.begin(), schema.choices.end(), text) == schema.choices.end())
            reportChoice(node, schema);
        if (!schema.pattern.empty())
            checkPattern(node, schema);
        if (schema.format == "date-time" && !isDateTime(text))
            m_findings.error("format", node, subject() + " is " + base::inQuotes(text) + ", which is no time of RFC 3339.");
    }

    void reportChoice(const Node& node, const Schema& schema)
    {
        const std::vector<std::string_view> names(schema.choices.begin(), schema.choices.end());
        const std::string near(base::nearestName(node.value->text, names));
        syntax::Diagnostic& finding = m_findings.error("enum", node,
                                                       subject() + " is " + base::inQuotes(node.value->text) + "; it must be one of " +
                                                           base::joined(schema.choices, ", ") + ".");
        if (!near.empty())
            finding.fixes = {{"Change to " + base::inQuotes(near), {{m_findings.whole(node.value->range), near}}}};
    }

    void checkPattern(const Node& node, const Schema& schema)
    {
        const std::string& text = node.value->text;
        if (!schema.expression) {
            m_findings.info("cel.server-only", node, "The pattern " + base::inQuotes(schema.pattern) + " is checked by the server only.");
            return;
        }
        bool isMatch = false;
        // "$" of the server's patterns is the very end; other engines let a line break follow.
        const bool hasBreak = schema.pattern.ends_with('$') && text.ends_with('\n');
        if (text.size() <= longestMatched && !hasBreak) {
            try {
                isMatch = std::regex_search(text, *schema.expression);
            } catch (const std::regex_error&) { // too complex for this text: as it does not match
                isMatch = false;
            }
        }
        if (!isMatch) {
            m_findings.error("pattern", node, subject() + " is " + base::inQuotes(text) + ", which does not match " + schema.pattern + ".");
        }
    }

    void checkNumber(const Node& node, const Schema& schema)
    {
        const Value& value = *node.value;
        const std::string shown = base::inQuotes(value.text);
        if (schema.minimum && value.number < *schema.minimum)
            m_findings.error("minimum", node, subject() + " is " + shown + "; it must be at least " + base::textOf(*schema.minimum) + ".");
        if (schema.maximum && value.number > *schema.maximum)
            m_findings.error("maximum", node, subject() + " is " + shown + "; it must be at most " + base::textOf(*schema.maximum) + ".");
        const bool isTooWide = schema.format == "int32" && (value.number > std::numeric_limits<std::int32_t>::max() ||
                                                            value.number < std::numeric_limits<std::int32_t>::min());
        if (isTooWide || (schema.format == "int64" && value.huge))
            m_findings.error("format", node, subject() + " is " + shown + ", which does not fit in " + schema.format + ".");
    }

    Findings& m_findings;
    std::vector<FilledDefault>* m_defaults;
    std::string m_key; ///< Of the node that is being checked.
};

} // namespace

void checkStructure(const Node& node, const Schema& schema, Findings& findings, std::vector<FilledDefault>* defaults)
{
    Checker(findings, defaults).check(node, schema);
}

} // namespace wb::snapshot
