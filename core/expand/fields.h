// What the language says about the value at a dotted path of a document that was not read yet.
#pragma once

#include "core/schema/pack.h"
#include "core/syntax/value.h"

#include <string_view>

namespace wb::expand {

/// The type that the pack gives the value there; inside a free mapping the type of its values. Where a block's own key chooses its record,
/// the document's choice counts. Null: no such field.
[[nodiscard]] const schema::Type* typeAt(const schema::Pack& pack, const syntax::ValuePtr& document, std::string_view dottedPath);

/// The type takes a list, and no single value of that kind.
[[nodiscard]] bool needsList(const schema::Type& type, const syntax::Value& value);
/// The type takes text, and not a value of that kind.
[[nodiscard]] bool needsText(const schema::Type& type, const syntax::Value& value);

} // namespace wb::expand
