// The data of a YAML document: scalars resolved as PyYAML (YAML 1.1) resolves them, aliases and merge keys followed, every value with
// its place in the text. Values are immutable and shared: expanding a recipe rebuilds only the maps along a changed path.
#pragma once

#include "core/syntax/diagnostic.h"
#include "core/syntax/source.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace wb::syntax {

struct Value;
using ValuePtr = std::shared_ptr<const Value>;

enum class Kind : std::uint8_t { Null, Bool, Integer, Float, String, Timestamp, Sequence, Mapping };

enum class Style : std::uint8_t { Plain, SingleQuoted, DoubleQuoted, Literal, Folded, Flow, Block };

/// Which layer of the recipe a value came from; an override's or zip's name is that of the variant's section. Computed: by upstream from
/// other values (what `observability.enabled` writes, a release that an install source clears).
enum class Layer : std::uint8_t { Base, Override, Sweep, Cluster, Default, Setting, Computed };

/// One entry of a mapping.
struct Member {
    std::string key;             ///< The key's text as written (decoded).
    ValuePtr value;              ///< Never null.
    Range keyRange;              ///< Empty when the key stands in no text (defaults).
    Kind keyKind = Kind::String; ///< What the key would be as a value: `off:` is a Bool.
    bool merged = false;         ///< Came in by `<<`.
    Range mergeRange;            ///< Of the `<<` that brought it in; empty when not merged.
};

struct Value {
    Kind kind = Kind::Null;
    Style style = Style::Plain;
    Layer layer = Layer::Base;
    Source source = Source::Recipe;
    bool boolean = false;
    bool huge = false; ///< An Integer beyond 64 bits: `text` holds it, `integer` is the nearest limit.
    std::int64_t integer = 0;
    double number = 0.0; ///< Also set for Integer.
    std::string text;    ///< Strings: the value. Other scalars: as written.
    std::vector<ValuePtr> items;
    std::vector<Member> members; ///< In document order; keys are unique.
    Range range;                 ///< Where it stands; for an alias the alias itself.
    Range definition;            ///< For an alias: the anchored value. Else empty.

    [[nodiscard]] bool isMapping() const { return kind == Kind::Mapping; }
    [[nodiscard]] bool isSequence() const { return kind == Kind::Sequence; }
    [[nodiscard]] bool isString() const { return kind == Kind::String; }
    [[nodiscard]] bool isNull() const { return kind == Kind::Null; }
    [[nodiscard]] bool isScalar() const { return kind != Kind::Sequence && kind != Kind::Mapping; }

    /// It stands in no file and on no command line: a default, or computed from other values.
    [[nodiscard]] bool isUnwritten() const { return layer == Layer::Default || layer == Layer::Computed; }

    [[nodiscard]] const Member* member(std::string_view key) const; ///< Null when absent or this is no mapping.
    [[nodiscard]] ValuePtr find(std::string_view key) const;        ///< As `member`, its value.
};

/// The value at a dotted path of mapping keys ("resources.gpu_type", see dottedpath.h), or null.
[[nodiscard]] ValuePtr at(const ValuePtr& root, std::string_view dottedPath);

/// "text", "an integer", "a mapping", ...: for messages.
[[nodiscard]] std::string_view describe(Kind kind);
/// The value in a message: quoted text, a number as written, "a list", "a mapping".
[[nodiscard]] std::string shown(const Value& value);

/// Equal as data: kinds and contents; places, styles and layers do not count, nor does the order of keys. 1 and 1.0 differ.
[[nodiscard]] bool sameData(const Value& a, const Value& b);

/// The mapping with that key set (at its place, or behind the others); a null or absent mapping counts as empty.
[[nodiscard]] ValuePtr with(const ValuePtr& mapping, std::string_view key, ValuePtr value, Range keyRange = {});
[[nodiscard]] ValuePtr without(const ValuePtr& mapping, std::string_view key);
/// As `with`, at a dotted path; maps on the way are made where there are none.
[[nodiscard]] ValuePtr withPath(const ValuePtr& root, std::string_view dottedPath, ValuePtr value);
[[nodiscard]] ValuePtr withoutPath(const ValuePtr& root, std::string_view dottedPath);
/// The value and all below it as of that layer.
[[nodiscard]] ValuePtr relabelled(const ValuePtr& value, Layer layer);

// Makers of values that stand in no text.
[[nodiscard]] ValuePtr makeNull(Layer layer);
[[nodiscard]] ValuePtr makeBool(bool value, Layer layer);
[[nodiscard]] ValuePtr makeInteger(std::int64_t value, Layer layer);
[[nodiscard]] ValuePtr makeFloat(double value, Layer layer);
[[nodiscard]] ValuePtr makeString(std::string value, Layer layer);

} // namespace wb::syntax
