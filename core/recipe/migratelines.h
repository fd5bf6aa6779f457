// The text of a recipe as lines that can be taken out, put in and moved; for the migration.
#pragma once

#include "core/syntax/source.h"
#include "core/syntax/value.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace wb::recipe {

/// One `key: value` of a block mapping with the comments in front of it. Lines count from 0, ends are exclusive.
struct Entry {
    const syntax::Member* member = nullptr;
    std::size_t lead = 0;    ///< First line behind the entry before: comments and blank lines in front of the key.
    std::size_t keyLine = 0; ///< The line of the key.
    std::size_t end = 0;     ///< Behind its last line, comments that are indented deeper than the key included.
    std::size_t column = 0;  ///< Of the key, in bytes.
};

class MigrationLines
{
public:
    explicit MigrationLines(const syntax::SourceText& source);

    /// The entries of a block mapping in the order of the text; those that come in by `<<` are not among them. `first` is the first line
    /// that may belong to them, `end` where the block around them ends: comments up to there go with the last entry.
    [[nodiscard]] std::vector<Entry> entriesOf(const syntax::Value& mapping, std::size_t first, std::size_t end = 0) const;
    [[nodiscard]] std::size_t lineOf(std::size_t offset) const;
    [[nodiscard]] std::size_t columnOf(std::size_t offset) const; ///< In bytes.
    [[nodiscard]] const std::string& line(std::size_t index) const { return m_lines[index]; }

    [[nodiscard]] bool isBlankLine(std::size_t index) const; ///< Also behind the end.

    /// The comment lines in front of the key, moved to the column.
    [[nodiscard]] std::vector<std::string> leadOf(const Entry& entry, std::size_t column) const;
    /// The whole entry under another key at another column, its comments in front.
    [[nodiscard]] std::vector<std::string> moved(const Entry& entry, std::string_view key, std::size_t column) const;
    /// What stands behind the value on its last line ("  # two nodes"), or behind the colon of a key whose value begins below it.
    [[nodiscard]] std::string remarkBehind(const Entry& entry) const;
    /// The value as it is written on one line; empty when it stands on several.
    [[nodiscard]] std::string valueText(const Entry& entry) const;

    void erase(std::size_t from, std::size_t to);
    void erase(const Entry& entry) { erase(entry.lead, entry.end); }
    void commentOut(const Entry& entry);
    void insertBefore(std::size_t line, const std::vector<std::string>& lines);
    void setLine(std::size_t line, std::string text);
    /// Changes bytes inside one line.
    void replace(syntax::Range range, std::string_view text);

    [[nodiscard]] std::string text() const;

private:
    struct Token {
        std::size_t begin = 0;
        std::size_t end = 0;
        std::string text;
    };
    [[nodiscard]] std::size_t contentEnd(const syntax::Member& member, std::size_t column) const;

    const syntax::SourceText& m_source;
    std::vector<std::string> m_lines;
    std::vector<std::string> m_ends; ///< Of each line, as written.
    std::string m_lineEnd = "\n";
    bool m_endsWithLineEnd = true;
    std::vector<bool> m_erased;
    std::map<std::size_t, std::vector<std::string>> m_inserted;
    std::map<std::size_t, std::vector<Token>> m_tokens;
};

} // namespace wb::recipe
