// Findings on manifests: syntax::Diagnostic with Code::Rule, a rule id and a path from the object's root ("": the root itself,
// ".spec.containers[0].name"). Rule ids are stored in users' scripts: never renamed.
//   - the schema's keywords: required, unknown, type, enum, pattern, format, minimum, maximum, minLength, maxLength, minItems, maxItems,
//     maxProperties, duplicate
//   - cel: a CEL rule of the schema does not hold; cel.server-only (info): one that only the server can judge
//   - contract.*: what the agent asks of a Pod (podcontract upstream); warn.*: our own advice, always a warning
//   - kind, name, selector, empty: what no schema can say; immutable (info): it is on a cluster, where its spec cannot be changed
//   - server: in the words of a cluster's server
// What is wrong with the YAML has the codes of core/syntax.
#pragma once

#include "core/syntax/diagnostic.h"
#include "core/syntax/value.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wb::snapshot {

/// A value of a document and how to name and find it. The value is never null.
struct Node {
    syntax::ValuePtr value;
    std::string path;
    syntax::Range place; ///< Where to point for the value as a whole: its key, or the item of a list.

    /// The child at a key; `value` is null when there is none or it is null, which the server takes for absent.
    [[nodiscard]] Node child(std::string_view key) const;
    [[nodiscard]] Node item(std::size_t index) const;
    /// Through mapping keys.
    [[nodiscard]] Node at(std::initializer_list<std::string_view> keys) const;

    explicit operator bool() const { return value != nullptr; }
};

/// The text of a string child; empty when there is none or it is no string.
[[nodiscard]] std::string_view textOf(const Node& node, std::string_view key);

/// What is found in one document, with ranges of the whole text.
class Findings
{
public:
    explicit Findings(std::size_t offset)
        : m_offset(offset)
    {
    }

    syntax::Diagnostic& add(syntax::Severity severity, std::string rule, const Node& at, std::string message);
    syntax::Diagnostic& error(std::string rule, const Node& at, std::string message)
    {
        return add(syntax::Severity::Error, std::move(rule), at, std::move(message));
    }
    syntax::Diagnostic& warning(std::string rule, const Node& at, std::string message)
    {
        return add(syntax::Severity::Warning, std::move(rule), at, std::move(message));
    }
    syntax::Diagnostic& info(std::string rule, const Node& at, std::string message)
    {
        return add(syntax::Severity::Info, std::move(rule), at, std::move(message));
    }
    /// A range of the document as one of the whole text: for fixes.
    [[nodiscard]] syntax::Range whole(syntax::Range range) const { return {range.begin + m_offset, range.end + m_offset}; }

    [[nodiscard]] std::vector<syntax::Diagnostic>& all() { return m_all; }

private:
    std::size_t m_offset;
    std::vector<syntax::Diagnostic> m_all;
};

} // namespace wb::snapshot
