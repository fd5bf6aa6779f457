// Short texts about fields, flags and values, for lists and cards.
#pragma once

#include "core/assist/document.h"

#include <string>

namespace wb::assist {

[[nodiscard]] std::string defaultOf(const schema::Field& field); ///< "30", "none (null)"; empty: no default.
[[nodiscard]] std::string defaultOf(const schema::Flag& flag);
[[nodiscard]] std::string limitsOf(const schema::Limits& limits); ///< "at least 1", "1 to 16"; empty: none.
/// A value on one line, cut at `most` code points: lists and mappings in flow style.
[[nodiscard]] std::string shortText(const syntax::Value& value, std::size_t most = 60);
/// The text of the node's value on one line, cut.
[[nodiscard]] std::string shortText(const Skeleton& skeleton, Skeleton::Id id, std::size_t most = 60);
[[nodiscard]] std::string cutTo(std::string text, std::size_t most);
/// Where the job would not read the field as things are ("read only with benchmark.type sa-bench"); empty: it does.
[[nodiscard]] std::string whyNotRead(const Document& document, const Meaning& meaning);
/// The aliases of the cluster file that the value of a path may name: pairs of name and target; empty for other paths.
[[nodiscard]] const recipe::TextPairs& aliasesFor(const Document& document, const Meaning& meaning);
/// The key of the cluster file that holds them ("containers"); empty for other paths.
[[nodiscard]] std::string_view aliasListOf(const Document& document, const Meaning& meaning);
/// The text as a plain or, where it must, a quoted scalar of YAML.
[[nodiscard]] std::string asScalar(const std::string& text, char quote = '\0');

} // namespace wb::assist
