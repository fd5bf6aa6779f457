#include "ui/shell/textformat.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace wb::ui {

namespace {

constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";

std::string_view bytesOf(LineEnd end)
{
    switch (end) {
    case LineEnd::Lf:
        return "\n";
    case LineEnd::CrLf:
        return "\r\n";
    case LineEnd::Cr:
        return "\r";
    case LineEnd::None:
        return "";
    }
    return "";
}

/// Splits at line feeds; the last line has none.
std::vector<std::string_view> linesOf(std::string_view text)
{
    return base::splitAt(text, '\n');
}

LineEnd commonEnd(const std::vector<LineEnd>& ends)
{
    std::array<std::size_t, 3> counts{};
    for (const LineEnd end : ends) {
        if (end != LineEnd::None)
            ++counts[static_cast<std::size_t>(end)];
    }
    return static_cast<LineEnd>(std::max_element(counts.begin(), counts.end()) - counts.begin());
}

} // namespace

Result<FileText> decoded(const std::string& bytes, const std::string& path)
{
    if (bytes.find('\0') != std::string::npos)
        return failure(ErrorCode::Unsupported, base::pathInQuotes(path) + " is not a text file: it holds NUL bytes.");
    if (const auto at = base::firstInvalidUtf8(bytes)) {
        const auto line = 1 + std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(*at), '\n');
        return failure(ErrorCode::Unsupported,
                       base::pathInQuotes(path) + " is not UTF-8 in line " + std::to_string(line) + "; convert it first.",
                       "byte offset " + std::to_string(*at));
    }
    FileText out;
    std::string_view rest = bytes;
    if (rest.starts_with(byteOrderMark)) {
        out.format.byteOrderMark = true;
        rest.remove_prefix(byteOrderMark.size());
    }
    out.text.reserve(rest.size());
    for (std::size_t i = 0; i < rest.size(); ++i) {
        if (rest[i] != '\r' && rest[i] != '\n') {
            out.text.push_back(rest[i]);
            continue;
        }
        const bool both = rest[i] == '\r' && i + 1 < rest.size() && rest[i + 1] == '\n';
        out.format.lineEnds.push_back(both ? LineEnd::CrLf : rest[i] == '\r' ? LineEnd::Cr : LineEnd::Lf);
        out.text.push_back('\n');
        if (both)
            ++i;
    }
    out.format.lineEnds.push_back(LineEnd::None);
    return out;
}

TextFormat formatAfter(const std::string& text, const FileText& file)
{
    const std::vector<std::string_view> before = linesOf(file.text);
    const std::vector<std::string_view> after = linesOf(text);
    const std::vector<LineEnd>& ends = file.format.lineEnds;
    TextFormat out{file.format.byteOrderMark, std::vector<LineEnd>(after.size(), commonEnd(ends))};
    const std::size_t most = std::min({before.size(), after.size(), ends.size()});
    std::size_t head = 0;
    while (head < most && before[head] == after[head]) {
        out.lineEnds[head] = ends[head];
        ++head;
    }
    for (std::size_t tail = 1; tail <= most - head && before[before.size() - tail] == after[after.size() - tail]; ++tail)
        out.lineEnds[after.size() - tail] = ends[ends.size() - tail];
    for (std::size_t i = 0; i + 1 < after.size(); ++i) {
        if (out.lineEnds[i] == LineEnd::None)
            out.lineEnds[i] = commonEnd(ends);
    }
    out.lineEnds.back() = LineEnd::None;
    return out;
}

std::string encoded(const std::string& text, const FileText& file)
{
    const TextFormat format = formatAfter(text, file);
    const std::vector<std::string_view> lines = linesOf(text);
    std::string out(format.byteOrderMark ? byteOrderMark : std::string_view());
    out.reserve(text.size() + lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
        out += lines[i];
        out += bytesOf(format.lineEnds[i]);
    }
    return out;
}

} // namespace wb::ui
