#include "core/recipe/filling.h"

namespace wb::recipe {

using syntax::ValuePtr;

bool isFillable(const ValuePtr& document, std::string_view block)
{
    const ValuePtr value = document->find(block);
    return !value || value->isMapping();
}

ValuePtr filled(const ValuePtr& document, std::string_view block, std::string_view key, const ValuePtr& value, syntax::Range keyRange)
{
    if (!value || value->isNull() || !isFillable(document, block))
        return document;
    const ValuePtr inner = document->find(block);
    if (inner && inner->member(key))
        return document;
    return syntax::with(document, block, syntax::with(inner, key, value, keyRange));
}

} // namespace wb::recipe
