// How defaults of a cluster get into a document: only where it is silent, and never into a block of the wrong shape, which the reader
// reports.
#pragma once

#include "core/syntax/value.h"

#include <string_view>

namespace wb::recipe {

/// A block that may be filled: a mapping, or absent.
[[nodiscard]] bool isFillable(const syntax::ValuePtr& document, std::string_view block);

/// The document with `key` in `block`; the same document when the key is there already, or the value is null.
/// `keyRange`: of the key in the cluster file, where what is wrong with the key itself is told.
[[nodiscard]] syntax::ValuePtr filled(const syntax::ValuePtr& document, std::string_view block, std::string_view key,
                                      const syntax::ValuePtr& value, syntax::Range keyRange = {});

} // namespace wb::recipe
