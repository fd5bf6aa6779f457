#include "core/assist/lineedits.h"

#include "core/base/text.h"

#include <algorithm>
#include <string>

namespace wb::assist {

using syntax::Range;

namespace {

std::size_t beginOfLine(std::string_view text, std::size_t at)
{
    const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    return before == std::string_view::npos ? 0 : before + 1;
}

/// Without the line feed.
std::size_t endOfLine(std::string_view text, std::size_t at)
{
    const std::size_t end = text.find('\n', at);
    return end == std::string_view::npos ? text.size() : end;
}

Range wholeLines(std::string_view text, Range selection)
{
    selection.end = std::min(selection.end, text.size());
    selection.begin = std::min(selection.begin, selection.end);
    std::size_t last = selection.end;
    if (!selection.isEmpty() && text[last - 1] == '\n')
        --last;
    return {beginOfLine(text, selection.begin), endOfLine(text, last)};
}

/// Where an offset of the old text lies in the new one; text put in right there stands before it.
std::size_t movedBy(const std::vector<syntax::TextEdit>& edits, std::size_t offset)
{
    std::size_t out = offset;
    for (const syntax::TextEdit& edit : edits) {
        if (edit.range.begin > offset)
            break;
        const std::size_t taken = std::min(offset, edit.range.end) - edit.range.begin;
        out = out - taken + edit.text.size();
    }
    return out;
}

} // namespace

LineEdit toggledComment(std::string_view text, Range selection, std::string_view mark)
{
    LineEdit out;
    const Range lines = wholeLines(text, selection);
    std::size_t indent = std::string_view::npos;
    bool isCommented = true;
    const auto eachLine = [&](const auto& use) {
        for (std::size_t at = lines.begin; at <= lines.end;) {
            const std::size_t end = endOfLine(text, at);
            const std::string_view line = text.substr(at, end - at);
            const std::size_t first = line.find_first_not_of(" \t\r");
            if (first != std::string_view::npos)
                use(at, first, line);
            at = end + 1;
        }
    };
    eachLine([&](std::size_t, std::size_t first, std::string_view line) {
        indent = std::min(indent, first);
        isCommented = isCommented && line.substr(first).starts_with(mark);
    });
    if (indent == std::string_view::npos || mark.empty())
        return out;
    eachLine([&](std::size_t at, std::size_t first, std::string_view line) {
        if (!isCommented) {
            out.edits.push_back({{at + indent, at + indent}, std::string(mark) + " "});
            return;
        }
        const bool hasBlank = line.substr(first + mark.size()).starts_with(' ');
        out.edits.push_back({{at + first, at + first + mark.size() + (hasBlank ? 1 : 0)}, {}});
    });
    out.selection = {movedBy(out.edits, selection.begin), movedBy(out.edits, selection.end)};
    return out;
}

LineEdit movedLines(std::string_view text, Range selection, int by)
{
    LineEdit out;
    const Range lines = wholeLines(text, selection);
    if (by < 0) {
        if (lines.begin == 0)
            return out;
        const std::size_t above = beginOfLine(text, lines.begin - 1);
        const std::string line(text.substr(above, lines.begin - 1 - above));
        const std::string moved(text.substr(lines.begin, lines.end - lines.begin));
        out.edits.push_back({{above, lines.end}, moved + "\n" + line});
        const std::size_t shift = lines.begin - above;
        out.selection = {selection.begin - shift, selection.end - shift};
        return out;
    }
    const bool isLast = lines.end >= text.size() || (lines.end + 1 == text.size()); // nothing but the end of the text below
    if (isLast)
        return out;
    const std::size_t end = endOfLine(text, lines.end + 1);
    const std::string line(text.substr(lines.end + 1, end - lines.end - 1));
    const std::string moved(text.substr(lines.begin, lines.end - lines.begin));
    out.edits.push_back({{lines.begin, end}, line + "\n" + moved});
    out.selection = {selection.begin + line.size() + 1, selection.end + line.size() + 1};
    out.selection.end = std::min(out.selection.end, text.size());
    return out;
}

LineEdit duplicatedLines(std::string_view text, Range selection)
{
    LineEdit out;
    const Range lines = wholeLines(text, selection);
    const std::string copy(text.substr(lines.begin, lines.end - lines.begin));
    out.edits.push_back({{lines.end, lines.end}, "\n" + copy});
    const std::size_t shift = copy.size() + 1;
    out.selection = {selection.begin + shift, std::min(selection.end, lines.end) + shift};
    return out;
}

} // namespace wb::assist
