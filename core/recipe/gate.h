// The gate of schema 2: what a document must declare and must no longer have before it is read.
#pragma once

#include "core/syntax/diagnostic.h"
#include "core/syntax/value.h"

#include <vector>

namespace wb::recipe {

struct Gated {
    /// The document as the reader wants it: keys that the gate refused are gone (each has been told), a bare engine word has become a
    /// mapping.
    syntax::ValuePtr document;
    std::vector<syntax::Diagnostic> diagnostics;
};

/// `source` is the text in which the document stands, for fixes that add a line.
[[nodiscard]] Gated passGate(const syntax::ValuePtr& document, const syntax::SourceText& source);

} // namespace wb::recipe
