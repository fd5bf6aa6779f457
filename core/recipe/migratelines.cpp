#include "core/recipe/migratelines.h"

#include "core/syntax/byteordermark.h"

#include <algorithm>

namespace wb::recipe {

namespace {

std::size_t indentOf(std::string_view line)
{
    const std::size_t at = line.find_first_not_of(' ');
    return at == std::string_view::npos ? line.size() : at;
}

bool isBlank(std::string_view line)
{
    return line.find_first_not_of(" \t") == std::string_view::npos;
}

bool isComment(std::string_view line)
{
    const std::size_t at = indentOf(line);
    return at < line.size() && line[at] == '#';
}

std::string shifted(const std::string& line, std::size_t from, std::size_t to)
{
    if (isBlank(line))
        return {};
    if (to >= from)
        return std::string(to - from, ' ') + line;
    return line.substr(std::min(from - to, indentOf(line)));
}

} // namespace

MigrationLines::MigrationLines(const syntax::SourceText& source)
    : m_source(source)
{
    const std::string& text = source.text();
    if (text.find("\r\n") != std::string::npos)
        m_lineEnd = "\r\n";
    m_endsWithLineEnd = text.empty() || text.back() == '\n' || text.back() == '\r';
    const std::size_t count = source.lineCount() - (m_endsWithLineEnd && !text.empty() ? 1 : 0);
    for (std::size_t i = 1; i <= count; ++i) {
        const syntax::Range range = source.lineRange(i);
        const std::size_t next = i < source.lineCount() ? source.lineStart(i + 1) : text.size();
        m_lines.push_back(text.substr(range.begin, range.end - range.begin));
        m_ends.push_back(next > range.end ? text.substr(range.end, next - range.end) : m_lineEnd);
    }
    m_erased.resize(m_lines.size());
}

std::size_t MigrationLines::lineOf(std::size_t offset) const
{
    return m_source.lineCol(offset).line - 1;
}

std::size_t MigrationLines::columnOf(std::size_t offset) const
{
    return offset - m_source.lineStart(lineOf(offset) + 1);
}

std::size_t MigrationLines::contentEnd(const syntax::Member& member, std::size_t column) const
{
    // A block scalar ends at the next token, past blank lines.
    const std::string& text = m_source.text();
    std::size_t end = std::max(member.keyRange.end, member.value->range.end);
    const auto isSpace = [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; };
    while (end > member.keyRange.end && isSpace(text[end - 1]))
        --end;
    std::size_t last = lineOf(end) + 1;
    for (std::size_t i = last; i < m_lines.size() && (isBlank(m_lines[i]) || isComment(m_lines[i])); ++i) {
        if (isBlank(m_lines[i]))
            continue;
        if (indentOf(m_lines[i]) <= column)
            break;
        last = i + 1;
    }
    return last;
}

std::vector<Entry> MigrationLines::entriesOf(const syntax::Value& mapping, std::size_t first, std::size_t end) const
{
    std::vector<Entry> out;
    for (const syntax::Member& member : mapping.members) {
        if (member.merged || member.keyRange.isEmpty())
            continue;
        Entry entry;
        entry.member = &member;
        entry.keyLine = lineOf(member.keyRange.begin);
        entry.column = columnOf(member.keyRange.begin);
        entry.end = contentEnd(member, entry.column);
        out.push_back(entry);
    }
    std::sort(out.begin(), out.end(), [](const Entry& a, const Entry& b) { return a.keyLine < b.keyLine; });
    if (!out.empty())
        out.back().end = std::max(out.back().end, end);
    for (Entry& entry : out) {
        entry.lead = first;
        first = entry.end;
    }
    return out;
}

bool MigrationLines::isBlankLine(std::size_t index) const
{
    return index >= m_lines.size() || isBlank(m_lines[index]);
}

std::vector<std::string> MigrationLines::leadOf(const Entry& entry, std::size_t column) const
{
    std::vector<std::string> out;
    for (std::size_t i = entry.lead; i < entry.keyLine; ++i) {
        if (isComment(m_lines[i]))
            out.push_back(std::string(column, ' ') + m_lines[i].substr(indentOf(m_lines[i])));
    }
    return out;
}

std::vector<std::string> MigrationLines::moved(const Entry& entry, std::string_view key, std::size_t column) const
{
    std::vector<std::string> out = leadOf(entry, column);
    const std::size_t keySize = entry.member->keyRange.end - entry.member->keyRange.begin;
    out.push_back(std::string(column, ' ') + std::string(key) + m_lines[entry.keyLine].substr(entry.column + keySize));
    for (std::size_t i = entry.keyLine + 1; i < entry.end; ++i)
        out.push_back(shifted(m_lines[i], entry.column, column));
    return out;
}

std::string MigrationLines::remarkBehind(const Entry& entry) const
{
    const syntax::Value& value = *entry.member->value;
    const bool isBelow = !value.isScalar() && lineOf(value.range.begin) != entry.keyLine;
    const bool isEmpty = value.range.isEmpty();
    const std::string& line = m_lines[entry.keyLine];
    std::size_t at = entry.column + (entry.member->keyRange.end - entry.member->keyRange.begin);
    if (!isBelow && !isEmpty) {
        const std::size_t lastLine = lineOf(value.range.end);
        if (lastLine != entry.keyLine)
            return {};
        at = columnOf(value.range.end);
    }
    const std::size_t mark = line.find(" #", at);
    if (mark == std::string::npos)
        return {};
    return line.substr(std::min(line.find_last_not_of(' ', mark) + 1, mark));
}

std::string MigrationLines::valueText(const Entry& entry) const
{
    const syntax::Range range = entry.member->value->range;
    const std::string text = m_source.text().substr(range.begin, range.end - range.begin);
    return text.find('\n') == std::string::npos ? text : std::string();
}

void MigrationLines::erase(std::size_t from, std::size_t to)
{
    for (std::size_t i = from; i < to; ++i)
        m_erased[i] = true;
}

void MigrationLines::commentOut(const Entry& entry)
{
    for (std::size_t i = entry.keyLine; i < entry.end; ++i) {
        const std::size_t at = std::min(entry.column, indentOf(m_lines[i]));
        if (!isBlank(m_lines[i]))
            setLine(i, m_lines[i].substr(0, at) + "# " + m_lines[i].substr(at));
    }
}

void MigrationLines::insertBefore(std::size_t line, const std::vector<std::string>& lines)
{
    std::vector<std::string>& there = m_inserted[line];
    there.insert(there.end(), lines.begin(), lines.end());
}

void MigrationLines::setLine(std::size_t line, std::string text)
{
    m_tokens[line] = {{0, m_lines[line].size(), std::move(text)}};
}

void MigrationLines::replace(syntax::Range range, std::string_view text)
{
    m_tokens[lineOf(range.begin)].push_back({columnOf(range.begin), columnOf(range.begin) + (range.end - range.begin), std::string(text)});
}

std::string MigrationLines::text() const
{
    std::string out(m_source.text().starts_with(syntax::byteOrderMark) ? syntax::byteOrderMark : std::string_view());
    std::string lastEnd = m_lineEnd;
    const auto add = [&](const std::string& line) { out += line + (lastEnd = m_lineEnd); };
    for (std::size_t i = 0; i <= m_lines.size(); ++i) {
        if (const auto inserted = m_inserted.find(i); inserted != m_inserted.end())
            std::for_each(inserted->second.begin(), inserted->second.end(), add);
        if (i == m_lines.size() || m_erased[i])
            continue;
        std::string line = m_lines[i];
        if (const auto found = m_tokens.find(i); found != m_tokens.end()) {
            std::vector<Token> tokens = found->second;
            std::sort(tokens.begin(), tokens.end(), [](const Token& a, const Token& b) { return a.begin > b.begin; });
            for (const Token& token : tokens)
                line.replace(token.begin, token.end - token.begin, token.text);
        }
        out += line + (lastEnd = m_ends[i]);
    }
    if (!m_endsWithLineEnd && out.ends_with(lastEnd))
        out.resize(out.size() - lastEnd.size());
    return out;
}

} // namespace wb::recipe
