// JSON as people's tools write it. The reader takes what strict readers refuse and real result files hold: NaN, Infinity, -Infinity,
// a byte order mark, several documents in one file, one document a line, numbers beyond the range of double, duplicate keys (the last
// one wins, as everywhere). It never throws. The writer gives one document; what is not finite becomes null.
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace wb::base::json {

class Value;
struct Member;
using Array = std::vector<Value>;
using Object = std::vector<Member>; ///< In the order of the file.

class Value
{
public:
    enum class Kind { Null, Bool, Integer, Number, String, List, Map };

    Value() = default;
    Value(std::nullptr_t);
    Value(bool value);
    Value(int value);
    Value(std::int64_t value);
    Value(std::size_t value);
    Value(double value);
    Value(const char* value);
    Value(std::string value);
    Value(std::string_view value);
    Value(Array value);
    Value(Object value);
    /// Null when there is none.
    template <typename T>
    Value(const std::optional<T>& value)
    {
        if (value)
            *this = Value(*value);
    }

    [[nodiscard]] Kind kind() const { return static_cast<Kind>(m_data.index()); }
    [[nodiscard]] bool isNull() const { return kind() == Kind::Null; }
    [[nodiscard]] bool isObject() const { return kind() == Kind::Map; }
    [[nodiscard]] bool isArray() const { return kind() == Kind::List; }
    [[nodiscard]] bool isString() const { return kind() == Kind::String; }

    [[nodiscard]] std::optional<bool> boolean() const;
    [[nodiscard]] std::optional<std::int64_t> integer() const; ///< Whole numbers only.
    [[nodiscard]] std::optional<double> number() const;        ///< Any number, also not finite ones; not numbers in quotes.
    [[nodiscard]] const std::string* string() const;
    [[nodiscard]] const Array& array() const;   ///< Empty for other kinds.
    [[nodiscard]] const Object& object() const; ///< Empty for other kinds.
    /// The member of that key, or null when this is no object or has none.
    [[nodiscard]] const Value* find(std::string_view key) const;
    /// As `find`, through nested objects: {"a", "b"} is .a.b.
    [[nodiscard]] const Value* at(std::initializer_list<std::string_view> path) const;

    /// Adds a member to an object (which this must be or be null).
    void set(std::string key, Value value);
    void push(Value value); ///< Adds an item to an array (which this must be or be null).
    /// As `set` for a key that this object is known to lack: quick for large objects.
    void append(std::string key, Value value);

    friend bool operator==(const Value&, const Value&);

private:
    std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object> m_data;
};

struct Member {
    std::string key;
    Value value;
};

// Here, where Member is complete: a variant of vectors of it cannot be made before.
inline Value::Value(std::nullptr_t) {}
inline Value::Value(bool value)
    : m_data(value)
{
}
inline Value::Value(int value)
    : m_data(static_cast<std::int64_t>(value))
{
}
inline Value::Value(std::int64_t value)
    : m_data(value)
{
}
inline Value::Value(std::size_t value)
    : m_data(static_cast<std::int64_t>(value))
{
}
inline Value::Value(double value)
    : m_data(value)
{
}
inline Value::Value(const char* value)
    : m_data(std::string(value))
{
}
inline Value::Value(std::string value)
    : m_data(std::move(value))
{
}
inline Value::Value(std::string_view value)
    : m_data(std::string(value))
{
}

/// One document and where it stands in the text, in bytes.
struct Document {
    Value value;
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// What could be read: the documents before the first fault, and the fault.
struct Documents {
    std::vector<Document> documents;
    std::optional<Error> fault; ///< Says what, line and column (from 1); the detail holds the byte offset.
};

[[nodiscard]] Documents readAll(std::string_view text);
/// The single document of a text; an error when there is none, more than one, or a fault.
[[nodiscard]] Result<Value> read(std::string_view text);

/// `indent` 0 gives one line. Keys in the order of the object.
[[nodiscard]] std::string write(const Value& value, int indent = 2);

} // namespace wb::base::json
