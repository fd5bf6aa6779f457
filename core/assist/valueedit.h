// Changing one value of a recipe without touching anything else: what the form and the cells of tables do. The result is a whole text in
// which only the bytes of that value differ; where that cannot be had (the text is broken, the value came in by an alias or a merge), it is
// refused in words.
#pragma once

#include "core/schema/pack.h"
#include "core/syntax/source.h"
#include "core/syntax/value.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace wb::assist {

/// Keys from the root of the file: {"base", "benchmark", "isl"}.
using KeyPath = std::vector<std::string>;

struct ValueChange {
    std::string text;   ///< The whole new text.
    std::string whyNot; ///< Why there is none; empty: there is.
};

/// What was typed into a field, as a value: YAML, but a text where the type takes only texts, and where what was typed would be something
/// that the type does not take. `type` null: anything.
[[nodiscard]] syntax::ValuePtr valueTyped(std::string_view typed, const schema::Type* type);
/// A value as it is shown in a field for editing: a text without quotes, a list in brackets. `valueTyped` takes it back.
[[nodiscard]] std::string typedOf(const syntax::Value& value, const schema::Type* type);

/// The value at the path becomes that one; the keys on the way are made where they are not there.
[[nodiscard]] ValueChange valueSet(const std::shared_ptr<const syntax::SourceText>& source, const KeyPath& path,
                                   const syntax::ValuePtr& value);
[[nodiscard]] ValueChange valueRemoved(const std::shared_ptr<const syntax::SourceText>& source, const KeyPath& path);
/// The scalar that stands at that very range, wherever it is: an item of a sweep's list too.
[[nodiscard]] ValueChange scalarSet(const std::shared_ptr<const syntax::SourceText>& source, syntax::Range range, std::string_view typed);

} // namespace wb::assist
