#include "core/base/json.h"

#include "core/base/text.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <unordered_set>

// Deep documents must not run over the stack: the reader is iterative and bounded.
#define RAPIDJSON_HAS_STDSTRING 1
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

namespace wb::base::json {

namespace {

constexpr std::size_t deepest = 512;
constexpr unsigned flags = rapidjson::kParseNanAndInfFlag | rapidjson::kParseStopWhenDoneFlag | rapidjson::kParseIterativeFlag |
                           rapidjson::kParseFullPrecisionFlag | rapidjson::kParseNumbersAsStringsFlag |
                           rapidjson::kParseValidateEncodingFlag;

/// Builds values from events. Numbers arrive as text, so that 1e999 is infinite instead of a fault and long integers keep their digits.
class Builder
{
public:
    bool Null() { return put(Value()); }
    bool Bool(bool value) { return put(Value(value)); }
    bool Int(int value) { return put(Value(static_cast<std::int64_t>(value))); }
    bool Uint(unsigned value) { return put(Value(static_cast<std::int64_t>(value))); }
    bool Int64(std::int64_t value) { return put(Value(value)); }
    bool Uint64(std::uint64_t value) { return put(Value(static_cast<double>(value))); }
    bool Double(double value) { return put(Value(value)); }
    bool RawNumber(const char* text, rapidjson::SizeType length, bool) { return put(numberFrom({text, length})); }
    bool String(const char* text, rapidjson::SizeType length, bool) { return put(Value(std::string(text, length))); }
    bool StartObject() { return open(Value(Object{})); }
    bool Key(const char* text, rapidjson::SizeType length, bool)
    {
        m_open.back().key.assign(text, length);
        return true;
    }
    bool EndObject(rapidjson::SizeType) { return close(); }
    bool StartArray() { return open(Value(Array{})); }
    bool EndArray(rapidjson::SizeType) { return close(); }

    Value taken() { return std::move(m_root); }
    [[nodiscard]] bool isTooDeep() const { return m_tooDeep; }

private:
    struct Open {
        Value value;
        std::string key;
        std::unordered_set<std::string> seen; ///< Only filled for large objects, where looking through all keys would take too long.

        void add(Value member)
        {
            constexpr std::size_t large = 32;
            const std::size_t size = value.object().size();
            if (size == large) {
                for (const Member& earlier : value.object())
                    seen.insert(earlier.key);
            }
            if (size < large || !seen.insert(key).second)
                value.set(std::move(key), std::move(member));
            else
                value.append(std::move(key), std::move(member));
        }
    };

    static Value numberFrom(std::string_view text)
    {
        if (const auto whole = integerOf(text))
            return Value(*whole);
        if (const auto number = numberOf(text))
            return Value(*number);
        const bool isNegative = text.starts_with('-');
        const std::string_view rest = isNegative ? text.substr(1) : text;
        if (rest == "NaN")
            return Value(std::numeric_limits<double>::quiet_NaN());
        const double infinity = std::numeric_limits<double>::infinity();
        if (rest == "Infinity" || rest == "Inf")
            return Value(isNegative ? -infinity : infinity);
        // Beyond the range of double. With a negative exponent it is nothing, else without end.
        const std::size_t exponent = rest.find_first_of("eE");
        const bool isTiny = exponent != std::string_view::npos && exponent + 1 < rest.size() && rest[exponent + 1] == '-';
        if (isTiny)
            return Value(0.0);
        return Value(isNegative ? -infinity : infinity);
    }

    bool put(Value value)
    {
        if (m_open.empty())
            m_root = std::move(value);
        else if (m_open.back().value.isObject())
            m_open.back().add(std::move(value));
        else
            m_open.back().value.push(std::move(value));
        return true;
    }

    bool open(Value value)
    {
        m_tooDeep = m_open.size() >= deepest;
        if (m_tooDeep)
            return false;
        m_open.push_back({std::move(value), {}, {}});
        return true;
    }

    bool close()
    {
        Value value = std::move(m_open.back().value);
        m_open.pop_back();
        return put(std::move(value));
    }

    std::vector<Open> m_open;
    Value m_root;
    bool m_tooDeep = false;
};

std::string placeOf(std::string_view text, std::size_t offset)
{
    offset = std::min(offset, text.size());
    std::size_t line = 1;
    std::size_t lineBegin = 0;
    for (std::size_t i = 0; i < offset; ++i) {
        if (text[i] == '\n') {
            ++line;
            lineBegin = i + 1;
        }
    }
    const std::size_t column = codePoints(text.substr(lineBegin, offset - lineBegin)) + 1;
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

/// What the reader says, in our words; it knows no other kinds than these.
std::string_view sayingOf(rapidjson::ParseErrorCode code, bool atEnd)
{
    if (atEnd)
        return "the text ends in the middle of a value";
    switch (code) {
    case rapidjson::kParseErrorObjectMissName:
        return "a key in double quotes is missing here";
    case rapidjson::kParseErrorObjectMissColon:
        return "a colon is missing behind the key";
    case rapidjson::kParseErrorObjectMissCommaOrCurlyBracket:
        return "a comma or \"}\" is missing here";
    case rapidjson::kParseErrorArrayMissCommaOrSquareBracket:
        return "a comma or \"]\" is missing here";
    case rapidjson::kParseErrorStringMissQuotationMark:
        return "a text is not closed";
    case rapidjson::kParseErrorStringInvalidEncoding:
        return "these bytes are not UTF-8";
    case rapidjson::kParseErrorStringUnicodeEscapeInvalidHex:
    case rapidjson::kParseErrorStringUnicodeSurrogateInvalid:
    case rapidjson::kParseErrorStringEscapeInvalid:
        return "this escape in a text means nothing";
    default:
        return "this is no JSON value";
    }
}

bool isSpace(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

void writeText(std::string& out, std::string_view text)
{
    constexpr std::string_view digits = "0123456789abcdef";
    out += '"';
    std::size_t written = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\')
            continue;
        out += text.substr(written, i - written); // runs of what stands for itself go in one piece
        written = i + 1;
        switch (c) {
        case '"':
            out += "\\\"";
            break;
        case '\\':
            out += "\\\\";
            break;
        case '\n':
            out += "\\n";
            break;
        case '\r':
            out += "\\r";
            break;
        case '\t':
            out += "\\t";
            break;
        default:
            out += "\\u00";
            out += digits[static_cast<unsigned char>(c) >> 4U];
            out += digits[static_cast<unsigned char>(c) & 0xFU];
        }
    }
    out += text.substr(written);
    out += '"';
}

/// Bytes that are not UTF-8 (a file name, say) become U+FFFD: the document must be readable.
std::string validUtf8(std::string_view text)
{
    std::string out;
    while (const auto bad = firstInvalidUtf8(text)) {
        out += text.substr(0, *bad);
        out += "\xEF\xBF\xBD";
        text.remove_prefix(*bad + 1);
    }
    out += text;
    return out;
}

class Writer
{
public:
    Writer(std::string& out, int indent)
        : m_out(out)
        , m_indent(indent)
    {
    }

    void write(const Value& value, int depth)
    {
        switch (value.kind()) {
        case Value::Kind::Null:
            m_out += "null";
            break;
        case Value::Kind::Bool:
            m_out += *value.boolean() ? "true" : "false";
            break;
        case Value::Kind::Integer:
            m_out += std::to_string(*value.integer());
            break;
        case Value::Kind::Number:
            writeNumber(*value.number());
            break;
        case Value::Kind::String:
            writeValid(*value.string());
            break;
        case Value::Kind::List:
            writeItems('[', ']', value.array(), depth, [&](const Value& item) { write(item, depth + 1); });
            break;
        case Value::Kind::Map:
            writeItems('{', '}', value.object(), depth, [&](const Member& member) {
                writeValid(member.key);
                m_out += m_indent > 0 ? ": " : ":";
                write(member.value, depth + 1);
            });
            break;
        }
    }

private:
    void writeValid(const std::string& text)
    {
        if (firstInvalidUtf8(text))
            writeText(m_out, validUtf8(text));
        else
            writeText(m_out, text);
    }

    void writeNumber(double number)
    {
        if (!std::isfinite(number)) {
            m_out += "null";
            return;
        }
        std::string text = textOf(number);
        // A number stays a number of the same kind for readers that tell 4 from 4.0.
        if (text.find_first_of(".e") == std::string::npos)
            text += ".0";
        m_out += text;
    }

    void newLine(int depth)
    {
        if (m_indent > 0) {
            m_out += '\n';
            m_out.append(static_cast<std::size_t>(depth) * static_cast<std::size_t>(m_indent), ' ');
        }
    }

    template <typename Items, typename Each>
    void writeItems(char begin, char end, const Items& items, int depth, Each each)
    {
        m_out += begin;
        bool isFirst = true;
        for (const auto& item : items) {
            if (!isFirst)
                m_out += ',';
            isFirst = false;
            newLine(depth + 1);
            each(item);
        }
        if (!isFirst)
            newLine(depth);
        m_out += end;
    }

    std::string& m_out;
    int m_indent;
};

} // namespace

Value::Value(Array value)
    : m_data(std::move(value))
{
}

Value::Value(Object value)
    : m_data(std::move(value))
{
}

std::optional<bool> Value::boolean() const
{
    const bool* value = std::get_if<bool>(&m_data);
    return value ? std::optional(*value) : std::nullopt;
}

std::optional<std::int64_t> Value::integer() const
{
    const std::int64_t* value = std::get_if<std::int64_t>(&m_data);
    return value ? std::optional(*value) : std::nullopt;
}

std::optional<double> Value::number() const
{
    if (const double* value = std::get_if<double>(&m_data))
        return *value;
    if (const std::int64_t* value = std::get_if<std::int64_t>(&m_data))
        return static_cast<double>(*value);
    return std::nullopt;
}

const std::string* Value::string() const
{
    return std::get_if<std::string>(&m_data);
}

const Array& Value::array() const
{
    static const Array none;
    const Array* value = std::get_if<Array>(&m_data);
    return value ? *value : none;
}

const Object& Value::object() const
{
    static const Object none;
    const Object* value = std::get_if<Object>(&m_data);
    return value ? *value : none;
}

const Value* Value::find(std::string_view key) const
{
    for (const Member& member : object()) {
        if (member.key == key)
            return &member.value;
    }
    return nullptr;
}

const Value* Value::at(std::initializer_list<std::string_view> path) const
{
    const Value* value = this;
    for (const std::string_view key : path) {
        value = value->find(key);
        if (!value)
            return nullptr;
    }
    return value;
}

void Value::set(std::string key, Value value)
{
    if (isNull())
        m_data = Object{};
    Object& members = std::get<Object>(m_data);
    for (Member& member : members) {
        if (member.key == key) {
            member.value = std::move(value);
            return;
        }
    }
    members.push_back({std::move(key), std::move(value)});
}

void Value::append(std::string key, Value value)
{
    if (isNull())
        m_data = Object{};
    std::get<Object>(m_data).push_back({std::move(key), std::move(value)});
}

void Value::push(Value value)
{
    if (isNull())
        m_data = Array{};
    std::get<Array>(m_data).push_back(std::move(value));
}

bool operator==(const Value& a, const Value& b)
{
    if (a.kind() != b.kind())
        return false;
    if (a.isArray())
        return a.array() == b.array();
    if (a.isObject()) {
        const Object& left = a.object();
        const Object& right = b.object();
        return left.size() == right.size() && std::equal(left.begin(), left.end(), right.begin(), [](const Member& x, const Member& y) {
                   return x.key == y.key && x.value == y.value;
               });
    }
    switch (a.kind()) {
    case Value::Kind::Bool:
        return a.boolean() == b.boolean();
    case Value::Kind::Integer:
        return a.integer() == b.integer();
    case Value::Kind::Number:
        return a.number() == b.number();
    case Value::Kind::String:
        return *a.string() == *b.string();
    default:
        return true;
    }
}

namespace {

/// RapidJSON refuses numbers beyond the range of double, also when it is asked for their text. Such a number is without end for us: it is
/// written over, at its own length, in a copy of the text. False when there is no such number at the offset.
bool writeInfinityAt(std::string& text, std::size_t offset)
{
    const auto isNumeric = [](char c) { return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'; };
    std::size_t begin = std::min(offset, text.size() - 1);
    while (begin > 0 && isNumeric(text[begin - 1]))
        --begin;
    std::size_t end = begin;
    while (end < text.size() && isNumeric(text[end]))
        ++end;
    const std::string_view infinity = text[begin] == '-' ? "-Inf" : "Inf";
    if (end - begin < infinity.size())
        return false;
    text.replace(begin, end - begin, std::string(infinity) + std::string(end - begin - infinity.size(), ' '));
    return true;
}

} // namespace

Documents readAll(std::string_view original)
{
    constexpr std::size_t mostOverflows = 1000; // each is found by reading its document again
    Documents out;
    std::string_view text = original;
    std::string copy;
    std::size_t overflows = 0;
    std::size_t at = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
    rapidjson::Reader reader;
    for (;;) {
        while (at < text.size() && isSpace(text[at]))
            ++at;
        if (at >= text.size())
            return out;
        Builder builder;
        rapidjson::MemoryStream stream(text.data() + at, text.size() - at);
        const rapidjson::ParseResult result = reader.Parse<flags>(stream, builder);
        if (result.IsError()) {
            const std::size_t offset = at + result.Offset();
            if (result.Code() == rapidjson::kParseErrorNumberTooBig && ++overflows <= mostOverflows) {
                if (copy.empty())
                    copy = original;
                if (writeInfinityAt(copy, offset)) {
                    text = copy;
                    continue;
                }
            }
            const std::string_view saying =
                builder.isTooDeep() ? "values are nested more than 512 deep" : sayingOf(result.Code(), offset >= text.size());
            out.fault = Error{ErrorCode::Malformed, placeOf(text, offset) + ": " + std::string(saying) + ".", std::to_string(offset)};
            return out;
        }
        const std::size_t end = at + stream.Tell();
        out.documents.push_back({builder.taken(), at, end});
        at = end;
    }
}

Result<Value> read(std::string_view text)
{
    Documents all = readAll(text);
    if (all.fault)
        return tl::unexpected<Error>(*std::move(all.fault));
    if (all.documents.empty())
        return failure(ErrorCode::Malformed, "The text holds no JSON value.");
    if (all.documents.size() > 1)
        return failure(ErrorCode::Malformed, placeOf(text, all.documents[1].begin) + ": a second JSON value begins here.");
    return std::move(all.documents.front().value);
}

std::string write(const Value& value, int indent)
{
    std::string out;
    Writer(out, indent).write(value, 0);
    if (indent > 0)
        out += '\n';
    return out;
}

} // namespace wb::base::json
