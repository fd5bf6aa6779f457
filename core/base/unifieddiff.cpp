#include "core/base/unifieddiff.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace wb::base {

namespace {

using Lines = std::vector<std::string_view>;

Lines linesOf(std::string_view text)
{
    Lines out;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::size_t size = end == std::string_view::npos ? text.size() : end + 1;
        out.push_back(text.substr(0, size));
        text.remove_prefix(size);
    }
    return out;
}

struct Line {
    char mark = ' ';
    std::string_view text;
};

/// The middle of both texts line by line, by the longest common subsequence; when that would be too large, one after the other.
void addMiddle(const Lines& a, const Lines& b, std::vector<Line>& out)
{
    constexpr std::size_t largest = 20'000'000;
    std::size_t i = 0;
    std::size_t j = 0;
    if (!a.empty() && !b.empty() && a.size() <= largest / b.size()) {
        const std::size_t width = b.size() + 1;
        std::vector<std::uint32_t> common((a.size() + 1) * width);
        for (std::size_t x = a.size(); x-- > 0;) {
            for (std::size_t y = b.size(); y-- > 0;)
                common[x * width + y] =
                    a[x] == b[y] ? common[(x + 1) * width + y + 1] + 1 : std::max(common[(x + 1) * width + y], common[x * width + y + 1]);
        }
        while (i < a.size() && j < b.size()) {
            if (a[i] == b[j]) {
                out.push_back({' ', a[i++]});
                ++j;
            } else if (common[(i + 1) * width + j] >= common[i * width + j + 1]) {
                out.push_back({'-', a[i++]});
            } else {
                out.push_back({'+', b[j++]});
            }
        }
    }
    while (i < a.size())
        out.push_back({'-', a[i++]});
    while (j < b.size())
        out.push_back({'+', b[j++]});
}

std::string rangeOf(std::size_t begin, std::size_t count)
{
    return std::to_string(count == 0 ? begin : begin + 1) + (count == 1 ? "" : "," + std::to_string(count));
}

} // namespace

std::string unifiedDiff(std::string_view before, std::string_view after, std::string_view beforeName, std::string_view afterName)
{
    if (before == after)
        return {};
    Lines a = linesOf(before);
    Lines b = linesOf(after);
    std::vector<Line> lines;
    std::size_t head = 0;
    while (head < a.size() && head < b.size() && a[head] == b[head])
        lines.push_back({' ', a[head++]});
    std::size_t tail = 0;
    while (tail < a.size() - head && tail < b.size() - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail])
        ++tail;
    const auto middle = [&](const Lines& all) {
        return Lines(all.begin() + static_cast<std::ptrdiff_t>(head), all.end() - static_cast<std::ptrdiff_t>(tail));
    };
    addMiddle(middle(a), middle(b), lines);
    for (std::size_t i = a.size() - tail; i < a.size(); ++i)
        lines.push_back({' ', a[i]});

    constexpr std::size_t context = 3;
    std::string out = "--- " + std::string(beforeName) + "\n+++ " + std::string(afterName) + "\n";
    std::size_t lineOfA = 0;
    std::size_t lineOfB = 0;
    for (std::size_t i = 0; i < lines.size();) {
        std::size_t first = i;
        while (first < lines.size() && lines[first].mark == ' ')
            ++first;
        if (first == lines.size())
            break;
        const std::size_t begin = std::max(i, first > context ? first - context : 0);
        lineOfA += begin - i;
        lineOfB += begin - i;
        std::size_t end = first;
        for (std::size_t at = first; at < lines.size() && at <= end + 2 * context; ++at) {
            if (lines[at].mark != ' ')
                end = at;
        }
        end = std::min(lines.size(), end + 1 + context);
        std::size_t countOfA = 0;
        std::size_t countOfB = 0;
        std::string body;
        for (std::size_t at = begin; at < end; ++at) {
            countOfA += lines[at].mark != '+' ? 1 : 0;
            countOfB += lines[at].mark != '-' ? 1 : 0;
            body += lines[at].mark + std::string(lines[at].text);
            if (!body.ends_with('\n'))
                body += "\n\\ No newline at end of file\n";
        }
        out += "@@ -" + rangeOf(lineOfA, countOfA) + " +" + rangeOf(lineOfB, countOfB) + " @@\n" + body;
        lineOfA += countOfA;
        lineOfB += countOfB;
        i = end;
    }
    return out;
}

} // namespace wb::base
