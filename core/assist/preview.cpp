#include "core/assist/preview.h"

#include "core/base/text.h"

#include <algorithm>

namespace wb::assist {

namespace {

std::size_t beginOfLine(std::string_view text, std::size_t at)
{
    const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    return before == std::string_view::npos ? 0 : before + 1;
}

std::size_t endOfLine(std::string_view text, std::size_t at)
{
    const std::size_t end = text.find('\n', at);
    return end == std::string_view::npos ? text.size() : end;
}

/// Length of the longest common subsequence of the lines from (a, b) on; empty for texts too long for such a table.
std::vector<std::vector<std::size_t>> commonLines(const std::vector<std::string_view>& old, const std::vector<std::string_view>& now)
{
    constexpr std::size_t mostLines = 300;
    if (old.size() > mostLines || now.size() > mostLines)
        return {};
    std::vector<std::vector<std::size_t>> out(old.size() + 1, std::vector<std::size_t>(now.size() + 1, 0));
    for (std::size_t a = old.size(); a-- > 0;) {
        for (std::size_t b = now.size(); b-- > 0;)
            out[a][b] = old[a] == now[b] ? out[a + 1][b + 1] + 1 : std::max(out[a + 1][b], out[a][b + 1]);
    }
    return out;
}

} // namespace

Preview previewOf(std::string_view text, std::vector<syntax::TextEdit> edits, std::size_t most)
{
    Preview out;
    std::stable_sort(edits.begin(), edits.end(), [](const auto& a, const auto& b) { return a.range < b.range; });
    const auto add = [&](PreviewLine::Kind kind, std::size_t line, std::string_view words) {
        if (out.lines.size() < most)
            out.lines.push_back({kind, line, std::string(words)});
        else
            ++out.more;
    };
    std::size_t line = 0; // line feeds before `seen`
    std::size_t seen = 0;
    std::ptrdiff_t shift = 0; // lines that the new text has more so far
    for (std::size_t i = 0; i < edits.size();) {
        const std::size_t begin = beginOfLine(text, std::min(edits[i].range.begin, text.size()));
        std::size_t end = endOfLine(text, std::min(edits[i].range.end, text.size()));
        std::size_t last = i + 1;
        while (last < edits.size() && edits[last].range.begin <= end) // in the same lines
            end = std::max(end, endOfLine(text, std::min(edits[last++].range.end, text.size())));
        std::vector<syntax::TextEdit> here(edits.begin() + static_cast<std::ptrdiff_t>(i),
                                           edits.begin() + static_cast<std::ptrdiff_t>(last));
        for (syntax::TextEdit& edit : here)
            edit.range = {edit.range.begin - begin, edit.range.end - begin};
        const std::string before(text.substr(begin, end - begin));
        const std::string after = syntax::applyEdits(before, here);
        std::vector<std::string_view> old = base::splitAt(before, '\n');
        std::vector<std::string_view> now = base::splitAt(after, '\n');
        const std::ptrdiff_t growth = static_cast<std::ptrdiff_t>(now.size()) - static_cast<std::ptrdiff_t>(old.size());
        line += static_cast<std::size_t>(
            std::count(text.begin() + static_cast<std::ptrdiff_t>(seen), text.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
        seen = begin;
        std::size_t same = 0;
        while (same < old.size() && same < now.size() && old[same] == now[same])
            ++same;
        std::size_t tail = 0;
        while (tail + same < old.size() && tail + same < now.size() && old[old.size() - 1 - tail] == now[now.size() - 1 - tail])
            ++tail;
        old = {old.begin() + static_cast<std::ptrdiff_t>(same), old.end() - static_cast<std::ptrdiff_t>(tail)};
        now = {now.begin() + static_cast<std::ptrdiff_t>(same), now.end() - static_cast<std::ptrdiff_t>(tail)};
        const std::vector<std::vector<std::size_t>> common = commonLines(old, now);
        const std::size_t oldLine = line + same + 1;
        const auto newLine = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(oldLine) + shift);
        for (std::size_t a = 0, b = 0; a < old.size() || b < now.size();) {
            if (a < old.size() && b < now.size() && old[a] == now[b] && !common.empty()) {
                ++a;
                ++b;
            } else if (a < old.size() && (b == now.size() || common.empty() || common[a + 1][b] >= common[a][b + 1])) {
                add(PreviewLine::Kind::Taken, oldLine + a, old[a]);
                ++a;
            } else {
                add(PreviewLine::Kind::Put, newLine + b, now[b]);
                ++b;
            }
        }
        shift += growth;
        i = last;
    }
    return out;
}

} // namespace wb::assist
