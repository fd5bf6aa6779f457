#include "core/render/artifactviews.h"

#include "core/base/text.h"

#include <algorithm>
#include <unordered_map>

namespace wb::render {

namespace {

constexpr std::size_t longestLine = 200;

char lowered(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool isSameLetter(char a, char b)
{
    return lowered(a) == lowered(b);
}

std::string shortLine(std::string_view line)
{
    line = base::trimmed(line);
    if (line.size() <= longestLine)
        return std::string(line);
    std::size_t end = longestLine;
    while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0U) == 0x80U) // not inside a character
        --end;
    return std::string(line.substr(0, end)) + "\u2026";
}

void findInText(const std::string& text, std::size_t index, std::string_view words, std::size_t most, std::vector<ArtifactHit>& out)
{
    std::size_t line = 1;
    auto counted = text.begin();
    auto from = text.begin();
    while (out.size() < most) {
        const auto found = std::search(from, text.end(), words.begin(), words.end(), isSameLetter);
        if (found == text.end())
            return;
        line += static_cast<std::size_t>(std::count(counted, found, '\n'));
        counted = found;
        const auto begin = static_cast<std::size_t>(found - text.begin());
        const std::size_t lineBegin = begin == 0 ? 0 : text.rfind('\n', begin - 1) + 1; // npos + 1 is 0
        const std::size_t lineEnd = std::min(text.find('\n', begin), text.size());
        out.push_back({.artifact = index,
                       .line = line,
                       .begin = begin,
                       .end = begin + words.size(),
                       .text = shortLine(std::string_view(text).substr(lineBegin, lineEnd - lineBegin))});
        from = text.begin() + static_cast<std::ptrdiff_t>(lineEnd);
    }
}

} // namespace

std::vector<std::string> shownTexts(std::span<const Artifact> artifacts, std::span<const Secret> secrets)
{
    std::vector<std::string> out;
    out.reserve(artifacts.size());
    for (const Artifact& artifact : artifacts)
        out.push_back(masked(artifact.bytes, secrets));
    return out;
}

std::vector<ArtifactHit> findInTexts(std::span<const std::string> texts, std::string_view words, std::size_t most,
                                     const std::stop_token& stop)
{
    std::vector<ArtifactHit> out;
    for (std::size_t i = 0; !words.empty() && i < texts.size() && out.size() < most && !stop.stop_requested(); ++i)
        findInText(texts[i], i, words, most, out);
    return out;
}

std::vector<ArtifactPair> pairedArtifacts(std::span<const Artifact> here, std::span<const Artifact> there)
{
    std::unordered_map<std::string_view, std::size_t> others;
    for (std::size_t i = 0; i < there.size(); ++i)
        others.emplace(there[i].name, i);
    std::vector<ArtifactPair> out;
    for (std::size_t i = 0; i < here.size(); ++i) {
        const auto other = others.find(here[i].name);
        if (other == others.end()) {
            out.push_back({here[i].name, ArtifactChange::OnlyHere, i, 0});
            continue;
        }
        const bool isSame = here[i].sha256 == there[other->second].sha256;
        out.push_back({here[i].name, isSame ? ArtifactChange::Same : ArtifactChange::Changed, i, other->second});
        others.erase(other);
    }
    for (std::size_t i = 0; i < there.size(); ++i) {
        if (const auto left = others.find(there[i].name); left != others.end() && left->second == i)
            out.push_back({there[i].name, ArtifactChange::OnlyThere, 0, i});
    }
    return out;
}

std::string pasteableCommand(std::string_view text)
{
    std::size_t at = 0;
    while (at < text.size() && text[at] == '#')
        at = std::min(text.find('\n', at), text.size() - 1) + 1;
    text = base::trimmed(text.substr(at));
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 >= text.size() || text[i + 1] != '\n') {
            out += text[i];
            continue;
        }
        // The renderer parts the words of a command by a backslash, a line end and four blanks; a word has no such thing outside of quotes.
        ++i;
        while (i + 1 < text.size() && text[i + 1] == ' ')
            ++i;
        if (!out.empty() && out.back() != ' ')
            out += ' ';
    }
    return out;
}

} // namespace wb::render
