#include "core/base/text.h"
#include "core/syntax/scalars.h"
#include "core/syntax/yaml.h"

#include <yaml-cpp/emitter.h>
#include <yaml-cpp/emittermanip.h>

namespace wb::syntax {

namespace {

/// A block scalar keeps such a text: it ends in exactly one line break, and no line begins or ends in a blank.
bool isSafeLiteral(const std::string& text)
{
    if (text.size() < 3 || text.back() != '\n' || text.find('\n') == text.size() - 1)
        return false;
    if (text[text.size() - 2] == '\n' || text.find_first_of("\t\r") != std::string::npos)
        return false;
    for (std::string_view line : base::splitAt(std::string_view(text).substr(0, text.size() - 1), '\n')) {
        if (line.empty() || line.front() == ' ' || line.back() == ' ')
            return false;
    }
    return base::firstInvalidUtf8(text) == std::nullopt;
}

void emitText(YAML::Emitter& out, const std::string& text)
{
    if (isSafePlain(text))
        out << text;
    else if (isSafeLiteral(text))
        out << YAML::Literal << text;
    else
        out << YAML::DoubleQuoted << text;
}

void emitValue(YAML::Emitter& out, const Value& value)
{
    switch (value.kind) {
    case Kind::Null:
        out << YAML::Null;
        break;
    case Kind::Bool:
        out << value.boolean;
        break;
    case Kind::Integer:
        out << (value.huge ? value.text : std::to_string(value.integer));
        break;
    case Kind::Float:
        out << floatText(value);
        break;
    case Kind::Timestamp:
        out << value.text;
        break;
    case Kind::String:
        emitText(out, value.text);
        break;
    case Kind::Sequence:
        if (value.items.empty())
            out << YAML::Flow;
        out << YAML::BeginSeq;
        for (const ValuePtr& item : value.items)
            emitValue(out, *item);
        out << YAML::EndSeq;
        break;
    case Kind::Mapping:
        if (value.members.empty())
            out << YAML::Flow;
        out << YAML::BeginMap;
        for (const Member& member : value.members) {
            out << YAML::Key;
            if (member.keyKind == Kind::String)
                emitText(out, member.key);
            else
                out << member.key;
            out << YAML::Value;
            emitValue(out, *member.value);
        }
        out << YAML::EndMap;
        break;
    }
}

} // namespace

std::string emit(const Value& value)
{
    YAML::Emitter out;
    out.SetNullFormat(YAML::LowerNull);
    out.SetIndent(2);
    emitValue(out, value);
    return std::string(out.c_str(), out.size()) + "\n";
}

} // namespace wb::syntax
