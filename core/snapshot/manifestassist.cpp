#include "core/snapshot/manifestassist.h"

#include "core/base/text.h"

#include <algorithm>
#include <set>

namespace wb::snapshot {

namespace {

/// One line of a block-style text as its columns show it.
struct Line {
    std::size_t begin = 0;           ///< In the text.
    std::vector<std::size_t> dashes; ///< Columns of "- " in front of the key.
    std::size_t column = 0;          ///< Of the key, or of what stands there.
    std::string key;                 ///< Without quotes; empty when there is none.
    std::size_t keyBegin = 0;        ///< In the text, with quotes.
    std::size_t keyEnd = 0;
    bool hasColon = false;
    bool isBlank = true; ///< Nothing but blanks or a comment.

    [[nodiscard]] std::size_t leftmost() const { return dashes.empty() ? column : dashes.front(); }
};

bool isMarker(std::string_view text)
{
    return text.starts_with("---") || text.starts_with("...");
}

Line lineAt(const syntax::SourceText& source, std::size_t number)
{
    const syntax::Range range = source.lineRange(number);
    const std::string_view text = std::string_view(source.text()).substr(range.begin, range.end - range.begin);
    Line out;
    out.begin = range.begin;
    std::size_t at = 0;
    while (at < text.size()) {
        at = std::min(text.find_first_not_of(' ', at), text.size());
        const bool isDash = at < text.size() && text[at] == '-' && (at + 1 == text.size() || text[at + 1] == ' ');
        if (!isDash)
            break;
        out.dashes.push_back(at);
        out.isBlank = false;
        ++at;
    }
    out.column = at;
    if (at >= text.size() || text[at] == '#')
        return out;
    out.isBlank = false;
    out.keyBegin = range.begin + at;
    std::size_t end = at;
    if (text[at] == '"' || text[at] == '\'') {
        end = text.find(text[at], at + 1);
        out.key = std::string(text.substr(at + 1, end == std::string_view::npos ? end : end - at - 1));
        end = end == std::string_view::npos ? text.size() : end + 1;
    } else {
        // A colon is a key's when a blank or the line's end follows it.
        do {
            end = text.find(':', end == at ? at : end + 1);
        } while (end != std::string_view::npos && end + 1 < text.size() && text[end + 1] != ' ');
        end = std::min(end, text.size());
        out.key = std::string(base::trimmed(text.substr(at, end - at)));
    }
    out.keyEnd = range.begin + end;
    out.hasColon = end < text.size() && text[end] == ':';
    return out;
}

/// Lines of the document around a line: from the last marker to the next.
struct Bounds {
    std::size_t first = 1;
    std::size_t last = 1;
};

Bounds boundsOf(const syntax::SourceText& source, std::size_t number)
{
    const auto isMarkerLine = [&source](std::size_t line) {
        const syntax::Range range = source.lineRange(line);
        return isMarker(std::string_view(source.text()).substr(range.begin, range.end - range.begin));
    };
    Bounds out{number, number};
    while (out.first > 1 && !isMarkerLine(out.first - 1))
        --out.first;
    while (out.last < source.lineCount() && !isMarkerLine(out.last + 1))
        ++out.last;
    return out;
}

std::string valueOf(const syntax::SourceText& source, const Line& line)
{
    const std::size_t end = source.lineRange(source.lineCol(line.begin).line).end;
    std::string_view text = std::string_view(source.text()).substr(line.keyEnd, end - line.keyEnd);
    text = base::trimmed(text.starts_with(':') ? text.substr(1) : text);
    if (const std::size_t comment = text.find(" #"); comment != std::string_view::npos)
        text = base::trimmed(text.substr(0, comment));
    if (text.size() > 1 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front())
        text = text.substr(1, text.size() - 2);
    return std::string(text);
}

/// The path of the mapping whose keys stand at that column, from the lines above; "[]" where a dash is crossed.
std::vector<std::string> pathAbove(const syntax::SourceText& source, const Bounds& bounds, std::size_t number, std::size_t column,
                                   std::vector<std::size_t> dashes)
{
    std::vector<std::string> path; // innermost first
    std::size_t limit = column;
    bool isInList = false; // the next key may stand at the column of the dash
    while (!dashes.empty()) {
        path.emplace_back("[]");
        limit = dashes.back();
        dashes.pop_back();
        isInList = true;
    }
    for (std::size_t above = number; above > bounds.first && (limit > 0 || isInList); --above) {
        const Line line = lineAt(source, above - 1);
        if (line.isBlank)
            continue;
        if (isInList && !line.dashes.empty() && line.leftmost() == limit)
            continue; // an item beside
        const bool isParent = line.hasColon && (line.column < limit || (isInList && line.dashes.empty() && line.column == limit));
        if (isParent) {
            path.push_back(line.key);
            limit = line.column;
            isInList = false;
        } else if (line.column != limit || line.dashes.empty()) {
            continue;
        }
        // The dashes in front of a parent, or of the first key of the item that the cursor is in.
        for (auto dash = line.dashes.rbegin(); dash != line.dashes.rend(); ++dash) {
            if (*dash >= limit)
                continue;
            path.emplace_back("[]");
            limit = *dash;
            isInList = true;
        }
    }
    std::reverse(path.begin(), path.end());
    return path;
}

SchemaPtr schemaAt(const ManifestPlace& place, const CrdSet& crds)
{
    const ResourceKind* kind = crds.find(place.apiVersion, place.kind);
    SchemaPtr schema = kind ? kind->schema : nullptr;
    for (const std::string& step : place.path) {
        if (!schema)
            return nullptr;
        SchemaPtr next;
        if (step == "[]") {
            next = schema->items;
        } else {
            const auto found =
                std::find_if(schema->properties.begin(), schema->properties.end(), [&step](const Property& p) { return p.name == step; });
            next = found == schema->properties.end() ? schema->additional : found->schema;
        }
        schema = next;
    }
    return schema;
}

std::string typeOf(const Schema& schema)
{
    if (schema.isIntOrString)
        return "integer or string";
    if (schema.type == Schema::Type::Object && schema.additional && schema.properties.empty())
        return "map";
    if (schema.type == Schema::Type::Array)
        return schema.items ? "list of " + typeOf(*schema.items) : "list";
    return schema.type == Schema::Type::Any ? "any value" : std::string(name(schema.type));
}

bool isRequired(const Schema& schema, const std::string& key)
{
    return std::find(schema.required.begin(), schema.required.end(), key) != schema.required.end();
}

std::string detailOf(const Schema& parent, const Property& property)
{
    std::string out = typeOf(*property.schema);
    if (isRequired(parent, property.name))
        out += ", required";
    if (property.schema->standard)
        out += ", default " + base::json::write(*property.schema->standard, 0);
    return out;
}

/// Keys that stand in the mapping already, above and below the line.
std::set<std::string> siblings(const syntax::SourceText& source, const Bounds& bounds, std::size_t number, std::size_t column)
{
    std::set<std::string> out;
    const auto walk = [&](std::size_t line, bool isUp) {
        while (isUp ? line > bounds.first : line < bounds.last) {
            line = isUp ? line - 1 : line + 1;
            const Line other = lineAt(source, line);
            if (other.isBlank || other.leftmost() > column)
                continue;
            const bool isSame = other.column == column;
            if (isSame && (other.dashes.empty() || isUp) && other.hasColon)
                out.insert(other.key);
            if (!isSame || !other.dashes.empty())
                return; // the mapping ends here
        }
    };
    const bool isFirstOfItem = !lineAt(source, number).dashes.empty();
    if (!isFirstOfItem)
        walk(number, true);
    walk(number, false);
    return out;
}

void addValues(const ManifestPlace& place, const CrdSet& crds, std::vector<ManifestCompletion>& out)
{
    const bool isRoot = place.path.size() == 1;
    if (isRoot && (place.key == "kind" || place.key == "apiVersion")) {
        std::set<std::string> seen;
        for (const ResourceKind& kind : crds.kinds) {
            const bool isKind = place.key == "kind";
            if (isKind && !place.apiVersion.empty() && kind.apiVersion() != place.apiVersion)
                continue;
            const std::string text = isKind ? kind.kind : kind.apiVersion();
            if (seen.insert(text).second)
                out.push_back({text, isKind ? kind.apiVersion() : "", false});
        }
        return;
    }
    const SchemaPtr schema = schemaAt(place, crds);
    if (!schema)
        return;
    for (const std::string& choice : schema->choices)
        out.push_back({choice, "", false});
    if (schema->type == Schema::Type::Boolean) {
        out.push_back({"true", "", false});
        out.push_back({"false", "", false});
    }
    const bool isScalarDefault = schema->standard && !schema->standard->isArray() && !schema->standard->isObject();
    if (isScalarDefault && schema->choices.empty() && schema->type != Schema::Type::Boolean) {
        const std::string* text = schema->standard->string();
        out.push_back({text ? *text : base::json::write(*schema->standard, 0), "default", false});
    }
}

} // namespace

ManifestPlace manifestPlaceAt(const syntax::SourceText& source, std::size_t offset)
{
    offset = std::min(offset, source.text().size());
    const syntax::LineCol at = source.lineCol(offset);
    const Line line = lineAt(source, at.line);
    const Bounds bounds = boundsOf(source, at.line);
    ManifestPlace out;
    for (std::size_t number = bounds.first; number <= bounds.last; ++number) {
        const Line root = lineAt(source, number);
        if (root.leftmost() != 0 || !root.hasColon)
            continue;
        if (root.key == "kind")
            out.kind = valueOf(source, root);
        else if (root.key == "apiVersion")
            out.apiVersion = valueOf(source, root);
    }
    const std::size_t cursorColumn = offset - line.begin;
    // On an empty line the cursor's column says to which mapping it belongs.
    const std::size_t column =
        line.isBlank || line.key.empty() ? std::max(cursorColumn, line.dashes.empty() ? 0 : line.dashes.back() + 1) : line.column;
    out.path = pathAbove(source, bounds, at.line, column, line.dashes);
    out.key = line.key;
    out.isValue = line.hasColon && offset > line.keyEnd;
    if (out.isValue) {
        out.path.push_back(line.key);
        std::size_t end = source.lineRange(at.line).end;
        const std::size_t begin = std::min(source.text().find_first_not_of(' ', line.keyEnd + 1), end);
        // A comment behind the value is not part of it.
        const std::size_t comment = source.text().find(" #", line.keyEnd);
        if (comment < end)
            end = std::max(base::trimmed(std::string_view(source.text()).substr(0, comment)).size(), line.keyEnd + 1);
        out.word = {std::min(begin, offset), std::max(end, offset)};
    } else {
        out.word = line.key.empty() ? syntax::Range{offset, offset} : syntax::Range{line.keyBegin, line.keyEnd};
    }
    return out;
}

std::vector<ManifestCompletion> completionsAt(const syntax::SourceText& source, std::size_t offset, const CrdSet& crds)
{
    const ManifestPlace place = manifestPlaceAt(source, offset);
    std::vector<ManifestCompletion> out;
    if (place.isValue) {
        addValues(place, crds, out);
        return out;
    }
    const SchemaPtr schema = schemaAt(place, crds);
    if (!schema && place.path.empty()) {
        out = {{"apiVersion: ", "string, required", true}, {"kind: ", "string, required", true}, {"metadata:", "object, required", true}};
        return out;
    }
    if (!schema)
        return out;
    const std::size_t number = source.lineCol(std::min(offset, source.text().size())).line;
    const Line line = lineAt(source, number);
    const std::size_t column = line.key.empty() ? offset - line.begin : line.column;
    std::set<std::string> taken = siblings(source, boundsOf(source, number), number, column);
    for (const Property& property : schema->properties) {
        if (taken.contains(property.name))
            continue;
        const bool isCollection = property.schema->type == Schema::Type::Object || property.schema->type == Schema::Type::Array;
        out.push_back({property.name + (isCollection ? ":" : ": "), detailOf(*schema, property), isRequired(*schema, property.name)});
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const ManifestCompletion& a, const ManifestCompletion& b) { return a.isRequired && !b.isRequired; });
    return out;
}

std::optional<ManifestHover> hoverAt(const syntax::SourceText& source, std::size_t offset, const CrdSet& crds)
{
    ManifestPlace place = manifestPlaceAt(source, offset);
    if (place.key.empty() || place.isValue || offset < place.word.begin || offset > place.word.end)
        return std::nullopt;
    const SchemaPtr parent = schemaAt(place, crds);
    place.path.push_back(place.key);
    const SchemaPtr schema = schemaAt(place, crds);
    if (!parent || !schema)
        return std::nullopt;
    ManifestHover out;
    out.range = place.word;
    for (const std::string& step : place.path)
        out.title += step == "[]" ? step : "." + step;
    out.title += ": " + typeOf(*schema) + (schema->format.empty() ? "" : " (" + schema->format + ")");
    std::vector<std::string> lines;
    if (isRequired(*parent, place.key))
        lines.emplace_back("Required.");
    if (schema->standard)
        lines.push_back("Default: " + base::json::write(*schema->standard, 0));
    const auto limit = [&lines](const auto& value, std::string_view words) {
        if (value)
            lines.push_back(std::string(words) + base::textOf(static_cast<double>(*value)));
    };
    limit(schema->minimum, "At least ");
    limit(schema->maximum, "At most ");
    limit(schema->minLength, "Least length: ");
    limit(schema->maxLength, "Greatest length: ");
    limit(schema->minItems, "Least number of items: ");
    limit(schema->maxItems, "Greatest number of items: ");
    if (!schema->choices.empty())
        lines.push_back("One of: " + base::joined(schema->choices, ", "));
    if (!schema->pattern.empty())
        lines.push_back("Pattern: " + schema->pattern);
    for (const CelRule& rule : schema->rules)
        lines.push_back("Rule: " + (rule.message.empty() ? rule.rule : rule.message));
    if (!schema->description.empty())
        lines.push_back(schema->description);
    out.text = base::joined(lines, "\n");
    return out;
}

} // namespace wb::snapshot
