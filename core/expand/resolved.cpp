#include "core/expand/resolved.h"

#include "core/syntax/rewrite.h"

#include <algorithm>
#include <string_view>

namespace wb::expand {

namespace {

/// The begin of the first line that is neither blank nor a comment.
std::size_t behindComments(std::string_view text)
{
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t first = text.find_first_not_of(" \r\n", at);
        if (first == std::string_view::npos || text[first] != '#')
            return first == std::string_view::npos ? text.size() : text.rfind('\n', first) + 1;
        at = std::min(text.find('\n', first), text.size());
    }
    return at;
}

} // namespace

std::string resolvedText(const syntax::Parsed& parsed, const Variant& variant)
{
    const syntax::ValuePtr& document = variant.document;
    if (!document || !parsed.root)
        return {};
    if (document == parsed.root)
        return parsed.source->text();
    if (!document->isMapping() || !parsed.root->isMapping())
        return syntax::emit(*document);
    const syntax::ValuePtr base = parsed.root->find("base");
    const bool isPart = base && base->isMapping();
    std::string text = syntax::rewritten(parsed, isPart ? base : parsed.root, document).text;
    // The language may be named beside base and counts for every job.
    const syntax::Member* schema = isPart ? parsed.root->member("schema") : nullptr;
    if (schema && !document->member("schema"))
        text.insert(behindComments(text), "schema: " + syntax::flowText(*schema->value) + "\n");
    return text;
}

} // namespace wb::expand
