#include "ui/editor/positions.h"

#include <QTextBlock>
#include <QTextDocument>

#include <algorithm>
#include <cassert>

namespace wb::ui {
namespace {

bool continues(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

void appendUtf8(std::string& out, QStringView text)
{
    for (qsizetype i = 0; i < text.size(); ++i) {
        char32_t code = text[i].unicode();
        if (text[i].isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate()) {
            code = QChar::surrogateToUcs4(text[i], text[i + 1]);
            ++i;
        } else if (text[i].isSurrogate()) {
            code = QChar::ReplacementCharacter;
        }
        if (code < 0x80) {
            out.push_back(static_cast<char>(code));
        } else if (code < 0x800) {
            out.push_back(static_cast<char>(0xC0U | (code >> 6U)));
            out.push_back(static_cast<char>(0x80U | (code & 0x3FU)));
        } else if (code < 0x10000) {
            out.push_back(static_cast<char>(0xE0U | (code >> 12U)));
            out.push_back(static_cast<char>(0x80U | ((code >> 6U) & 0x3FU)));
            out.push_back(static_cast<char>(0x80U | (code & 0x3FU)));
        } else {
            out.push_back(static_cast<char>(0xF0U | (code >> 18U)));
            out.push_back(static_cast<char>(0x80U | ((code >> 12U) & 0x3FU)));
            out.push_back(static_cast<char>(0x80U | ((code >> 6U) & 0x3FU)));
            out.push_back(static_cast<char>(0x80U | (code & 0x3FU)));
        }
    }
}

/// UTF-16 units that the first `bytes` bytes make; a character that is not whole does not count.
std::size_t unitsIn(std::string_view text, std::size_t bytes)
{
    std::size_t units = 0;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t next = i + 1;
        while (next < text.size() && continues(text[next]))
            ++next;
        if (next > bytes)
            break;
        units += next - i == 4 ? 2 : 1;
        i = next;
    }
    return units;
}

/// Bytes of the first `units` UTF-16 units; half a pair does not count.
std::size_t bytesIn(std::string_view text, std::size_t units)
{
    std::size_t i = 0;
    while (i < text.size()) {
        std::size_t next = i + 1;
        while (next < text.size() && continues(text[next]))
            ++next;
        const std::size_t size = next - i == 4 ? 2 : 1;
        if (size > units)
            break;
        units -= size;
        i = next;
    }
    return i;
}

} // namespace

TextChange changeBetween(std::string_view before, std::string_view after)
{
    const auto shorter = std::min(before.size(), after.size());
    auto begin = static_cast<std::size_t>(
        std::mismatch(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(shorter), after.begin()).first - before.begin());
    // Back to the beginning of a character: both texts are the same up to here, so either may be asked.
    while (begin > 0 && ((begin < before.size() && continues(before[begin])) || (begin < after.size() && continues(after[begin]))))
        --begin;
    std::size_t same = 0;
    while (same < shorter - begin && before[before.size() - 1 - same] == after[after.size() - 1 - same])
        ++same;
    while (same > 0 && continues(before[before.size() - same]))
        --same;
    return {begin, before.size() - same, after.size() - same};
}

std::optional<syntax::Range> movedAlong(syntax::Range range, const TextChange& change)
{
    if (range.end <= change.begin)
        return range;
    const auto moved = [&change](std::size_t offset) { return offset - change.oldEnd + change.newEnd; };
    if (range.begin >= change.oldEnd)
        return syntax::Range{moved(range.begin), moved(range.end)};
    if (range.begin <= change.begin && range.end >= change.oldEnd && !(range.begin == change.begin && range.end == change.oldEnd))
        return syntax::Range{range.begin, moved(range.end)};
    return std::nullopt;
}

bool touches(const TextChange& change, syntax::Range range)
{
    return !change.isEmpty() && range.end > change.begin && range.begin < change.oldEnd;
}

std::string utf8Of(QStringView text)
{
    std::string out;
    out.reserve(static_cast<std::size_t>(text.size()));
    appendUtf8(out, text);
    return out;
}

Positions::Positions()
    : m_lines(1)
    , m_starts(1)
{
}

void Positions::reset(const QTextDocument& document)
{
    replaceAll(document);
}

TextChange Positions::replaceAll(const QTextDocument& document)
{
    std::string before = std::move(m_text);
    m_text.clear();
    m_text.reserve(before.size());
    m_lines.clear();
    m_lines.reserve(static_cast<std::size_t>(document.blockCount()));
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        const std::size_t begin = m_text.size();
        appendUtf8(m_text, block.text());
        const bool last = !block.next().isValid();
        if (!last)
            m_text.push_back('\n');
        m_lines.push_back({.bytes = static_cast<std::uint32_t>(m_text.size() - begin),
                           .units = static_cast<std::uint32_t>(block.length() - (last ? 1 : 0))});
    }
    m_starts.assign(m_lines.size(), {});
    m_known = 0;
    return changeBetween(before, m_text);
}

TextChange Positions::follow(const QTextDocument& document, int position, int removed, int added)
{
    ensureStarts(m_lines.size() - 1);
    const std::size_t oldUnits = m_starts.back().unit + m_lines.back().units;
    const auto from = static_cast<std::size_t>(std::max(0, position));
    // The document sometimes counts its own last separator in.
    const std::size_t oldEnd = std::min(oldUnits, from + static_cast<std::size_t>(std::max(0, removed)));
    const int newEnd = std::min(document.characterCount() - 1, position + std::max(0, added));

    const QTextBlock firstBlock = document.findBlock(position);
    QTextBlock lastBlock = document.findBlock(newEnd);
    if (!lastBlock.isValid())
        lastBlock = document.lastBlock();
    const std::size_t first = lineOfUnit(std::min(from, oldUnits));
    const std::size_t oldLast = lineOfUnit(oldEnd);
    if (!firstBlock.isValid() || static_cast<std::size_t>(firstBlock.blockNumber()) != first)
        return replaceAll(document);
    const auto newLast = static_cast<std::size_t>(lastBlock.blockNumber());
    if (newLast < first || m_lines.size() - (oldLast - first) + (newLast - first) != static_cast<std::size_t>(document.blockCount()))
        return replaceAll(document);

    std::string lines;
    std::vector<Line> table;
    for (QTextBlock block = firstBlock; block.isValid(); block = block.next()) {
        const std::size_t begin = lines.size();
        appendUtf8(lines, block.text());
        const bool end = !block.next().isValid();
        if (!end)
            lines.push_back('\n');
        table.push_back({.bytes = static_cast<std::uint32_t>(lines.size() - begin),
                         .units = static_cast<std::uint32_t>(block.length() - (end ? 1 : 0))});
        if (block == lastBlock)
            break;
    }

    const std::size_t begin = m_starts[first].byte;
    const std::size_t length = m_starts[oldLast].byte + m_lines[oldLast].bytes - begin;
    TextChange change = changeBetween(std::string_view(m_text).substr(begin, length), lines);
    m_text.replace(begin + change.begin, change.oldEnd - change.begin, lines, change.begin, change.newEnd - change.begin);
    change = {begin + change.begin, begin + change.oldEnd, begin + change.newEnd};

    const auto at = [this](std::size_t line) { return m_lines.begin() + static_cast<std::ptrdiff_t>(line); };
    if (table.size() == oldLast - first + 1)
        std::copy(table.begin(), table.end(), at(first));
    else
        m_lines.insert(m_lines.erase(at(first), at(oldLast + 1)), table.begin(), table.end());
    m_starts.resize(m_lines.size());
    m_known = std::min(m_known, first);
    return change;
}

void Positions::ensureStarts(std::size_t line) const
{
    for (; m_known < line; ++m_known) {
        m_starts[m_known + 1].byte = m_starts[m_known].byte + m_lines[m_known].bytes;
        m_starts[m_known + 1].unit = m_starts[m_known].unit + m_lines[m_known].units;
    }
}

std::size_t Positions::lineOfUnit(std::size_t unit) const
{
    ensureStarts(m_lines.size() - 1);
    const auto after =
        std::upper_bound(m_starts.begin(), m_starts.end(), unit, [](std::size_t value, const Start& start) { return value < start.unit; });
    return static_cast<std::size_t>(after - m_starts.begin()) - 1;
}

std::size_t Positions::lineOf(std::size_t offset) const
{
    ensureStarts(m_lines.size() - 1);
    const auto after = std::upper_bound(m_starts.begin(), m_starts.end(), offset,
                                        [](std::size_t value, const Start& start) { return value < start.byte; });
    return static_cast<std::size_t>(after - m_starts.begin()) - 1;
}

std::size_t Positions::offsetOf(int position) const
{
    const auto unit = static_cast<std::size_t>(std::max(0, position));
    const std::size_t line = lineOfUnit(unit);
    const Start& start = m_starts[line];
    const std::string_view text = std::string_view(m_text).substr(start.byte, m_lines[line].bytes);
    return start.byte + bytesIn(text, unit - start.unit);
}

int Positions::positionOf(std::size_t offset) const
{
    const std::size_t line = lineOf(offset);
    const Start& start = m_starts[line];
    const std::string_view text = std::string_view(m_text).substr(start.byte, m_lines[line].bytes);
    return static_cast<int>(start.unit + unitsIn(text, offset - start.byte));
}

} // namespace wb::ui
