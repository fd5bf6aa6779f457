#include "core/expand/resolved.h"

#include "core/syntax/rewrite.h"

namespace wb::expand {

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
    return syntax::rewritten(parsed, isPart ? base : parsed.root, document).text;
}

} // namespace wb::expand
