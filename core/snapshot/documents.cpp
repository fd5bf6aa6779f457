#include "core/snapshot/documents.h"

#include "core/base/text.h"

#include <string>
#include <string_view>

namespace wb::snapshot {

namespace {

/// `---` or `...` at the left edge, alone or with a blank behind. YAML takes these nowhere else: not in quotes, not in a block scalar.
bool isMarker(std::string_view line, std::string_view marker)
{
    return line.starts_with(marker) && (line.size() == marker.size() || line[marker.size()] == ' ' || line[marker.size()] == '\t');
}

bool hasContent(const syntax::SourceText& source, std::size_t begin, std::size_t end)
{
    const std::string_view part = std::string_view(source.text()).substr(begin, end - begin);
    for (std::string_view line : base::splitAt(part, '\n')) {
        line = base::trimmed(line);
        if (line.starts_with("\xEF\xBB\xBF"))
            line = base::trimmed(line.substr(3));
        if (isMarker(line, "---"))
            line = base::trimmed(line.substr(3));
        if (!line.empty() && !line.starts_with('#') && !line.starts_with('%') && !isMarker(line, "..."))
            return true;
    }
    return false;
}

} // namespace

std::vector<Document> documentsOf(const syntax::SourceText& source)
{
    std::vector<std::size_t> begins{0};
    for (std::size_t line = 1; line <= source.lineCount(); ++line) {
        const syntax::Range range = source.lineRange(line);
        const std::string_view text = std::string_view(source.text()).substr(range.begin, range.end - range.begin);
        if (isMarker(text, "---"))
            begins.push_back(range.begin);
        else if (isMarker(text, "...") && line < source.lineCount())
            begins.push_back(source.lineStart(line + 1));
    }
    begins.push_back(source.text().size());
    std::vector<Document> out;
    for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
        if (begins[i] == begins[i + 1] || !hasContent(source, begins[i], begins[i + 1]))
            continue;
        auto part = std::make_shared<const syntax::SourceText>(source.text().substr(begins[i], begins[i + 1] - begins[i]), source.path());
        out.push_back({begins[i], syntax::parse(std::move(part), syntax::Source::Recipe, {"manifest", "kubectl"})});
    }
    return out;
}

bool looksLikeManifest(std::string_view text)
{
    constexpr std::string_view key = "apiVersion";
    if (base::trimmed(text).starts_with('{'))
        return text.find("\"apiVersion\"") != std::string_view::npos && text.find("\"kind\"") != std::string_view::npos;
    for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
        const bool isQuoted = at > 0 && (text[at - 1] == '"' || text[at - 1] == '\'');
        const std::size_t begin = isQuoted ? at - 1 : at;
        const std::size_t end = at + key.size() + (isQuoted ? 1 : 0);
        const bool isLineStart = begin == 0 || text[begin - 1] == '\n' || text.substr(0, begin) == "\xEF\xBB\xBF";
        if (isLineStart && end < text.size() && text[end] == ':')
            return true;
    }
    return false;
}

Result<std::vector<base::json::Value>> objectsOf(std::string_view text)
{
    std::vector<base::json::Value> found;
    if (base::trimmed(text).starts_with('{')) {
        const base::json::Documents read = base::json::readAll(text);
        if (read.fault)
            return tl::unexpected(*read.fault);
        for (const base::json::Document& document : read.documents)
            found.push_back(document.value);
    } else {
        const syntax::SourceText source{std::string(text)};
        for (const Document& document : documentsOf(source)) {
            if (!document.parsed.complete || !document.parsed.root)
                return failure(ErrorCode::Malformed, "It is not YAML.");
            found.push_back(syntax::toJson(*document.parsed.root));
        }
    }
    std::vector<base::json::Value> out;
    for (base::json::Value& value : found) {
        const base::json::Value* items = value.find("items");
        if (items && items->isArray())
            out.insert(out.end(), items->array().begin(), items->array().end());
        else
            out.push_back(std::move(value));
    }
    return out;
}

} // namespace wb::snapshot
