// Reading YAML (libyaml) and writing it (yaml-cpp). The only user of both.
#pragma once

#include "core/base/json.h"
#include "core/syntax/diagnostic.h"
#include "core/syntax/source.h"
#include "core/syntax/value.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace wb::syntax {

/// An anchor or alias by name, for going from one to the other.
struct AnchorUse {
    std::string name;
    Range range; ///< With the & or *.
    bool isAlias = false;
};

/// A text read. A line that breaks the rules of YAML is read as it was probably meant, or left out, so that the rest of the text is there;
/// the error is told all the same. Where that does not help either, the root holds what came before the error, as far as it could be
/// closed; null when nothing could be read.
struct Parsed {
    std::shared_ptr<const SourceText> source;
    ValuePtr root;
    bool complete = false; ///< No syntax error: the root is the whole document.
    bool mended =
        false; ///< The root is a whole document in spite of syntax errors: a guess, good for showing and checking, not for running.
    bool lossy = false; ///< Something that is written was left out of the root, so what seems to be missing may be there.
    std::vector<AnchorUse> anchors;
    std::vector<Diagnostic> diagnostics;
};

/// What messages call the text, and who reads it in the end.
struct Wording {
    std::string_view document = "recipe";
    std::string_view reader = "srtctl";
};

[[nodiscard]] Parsed parse(std::shared_ptr<const SourceText> source, Source kind = Source::Recipe, Wording wording = {});

/// A plain scalar resolved by the rules of YAML 1.1 as PyYAML has them. Fills kind, boolean, integer, number, huge, text.
void resolvePlain(std::string_view text, Value& out);

/// True when the text, written plain, would come back as the same string from a YAML 1.1 and a YAML 1.2 reader.
[[nodiscard]] bool isSafePlain(std::string_view text);

/// The value as a YAML document in block style, keys in the given order, strings quoted where a 1.1 or a 1.2 reader would take them for
/// something else.
[[nodiscard]] std::string emit(const Value& value);

/// Mapping keys become strings; a huge integer becomes a number with its digits cut to double; a timestamp its text.
[[nodiscard]] base::json::Value toJson(const Value& value);

} // namespace wb::syntax
