// The documents of a YAML text with several, each as a tree. A JSON text is one document.
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/syntax/source.h"
#include "core/syntax/yaml.h"

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace wb::snapshot {

/// One document. Its ranges count from `offset`, a line's start of the whole text.
struct Document {
    std::size_t offset = 0;
    syntax::Parsed parsed;
};

/// In the order of the text; documents without content (comments alone, two markers in a row) are left out.
[[nodiscard]] std::vector<Document> documentsOf(const syntax::SourceText& source);

/// The text says that it is an object of Kubernetes: a line begins with the key "apiVersion", or it is JSON with "apiVersion" and "kind". A
/// recipe has neither. Looks at lines alone, so that a text that is being typed stays what it is.
[[nodiscard]] bool looksLikeManifest(std::string_view text);

/// The objects of a text as data: JSON (one or several documents), or the documents of a YAML text; Lists are opened.
[[nodiscard]] Result<std::vector<base::json::Value>> objectsOf(std::string_view text);

} // namespace wb::snapshot
