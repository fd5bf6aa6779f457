// Small changes of a YAML text, one at a time, by which comments, order and layout stay. What was made is read again after each change;
// where the text's layout (flow style, several keys on a line) makes a change by lines impossible, syntax::rewritten is asked.
#pragma once

#include "core/syntax/value.h"
#include "core/syntax/yaml.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace wb::snapshot {

/// A key of a mapping, or an index of a list.
using Step = std::variant<std::string, std::size_t>;
using Steps = std::vector<Step>;

class YamlEdit
{
public:
    /// The text of one document; check `isGood` before the first change.
    explicit YamlEdit(std::string text);

    [[nodiscard]] bool isGood() const { return m_parsed.complete && m_parsed.root && m_parsed.root->isMapping(); }
    [[nodiscard]] const std::string& text() const { return m_parsed.source->text(); }
    [[nodiscard]] const syntax::ValuePtr& root() const { return m_parsed.root; }
    [[nodiscard]] syntax::ValuePtr at(const Steps& steps) const; ///< Null when it is not there.
    /// False once a change could not be made by lines, and the data was written anew without its comments.
    [[nodiscard]] bool areCommentsKept() const { return m_areCommentsKept; }

    /// Sets a key of a mapping. Mappings on the way are made. A new key goes in front of `before` where that is a key beside it, else last.
    void set(const Steps& steps, const syntax::ValuePtr& value, std::string_view before = {});
    void remove(const Steps& steps); ///< A key with its value; nothing when it is not there.
    void rename(const Steps& steps, std::string_view key);
    void append(const Steps& list, const syntax::ValuePtr& item); ///< The list is made when it is not there.

private:
    struct Change {
        syntax::ValuePtr wanted;
        std::vector<syntax::TextEdit> edits; ///< Empty: no way by lines was seen.
    };
    void make(const Change& change);

    [[nodiscard]] std::size_t lineBegin(std::size_t at) const;
    [[nodiscard]] std::size_t nextLine(std::size_t at) const;
    [[nodiscard]] std::size_t endOf(const syntax::Member& member) const; ///< Behind the last line of its value.
    [[nodiscard]] bool isFirstOfLine(std::size_t at) const;              ///< But for dashes of lists.
    [[nodiscard]] bool isBehindDash(std::size_t at) const;
    [[nodiscard]] syntax::Range memberLines(const syntax::Value& mapping, const syntax::Member& member) const;

    syntax::Parsed m_parsed;
    bool m_areCommentsKept = true;
};

/// Data that stands in no text yet.
[[nodiscard]] syntax::ValuePtr newText(std::string text);
[[nodiscard]] syntax::ValuePtr newInteger(long long number);
[[nodiscard]] syntax::ValuePtr newList(std::vector<syntax::ValuePtr> items);
[[nodiscard]] syntax::ValuePtr newMapping(const std::vector<std::pair<std::string, syntax::ValuePtr>>& members);

} // namespace wb::snapshot
