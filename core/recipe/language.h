// Which language a recipe is written in.
#pragma once

#include "core/schema/pack.h"
#include "core/syntax/value.h"

#include <string_view>

namespace wb::recipe {

/// schema::packMeant of a tree; "v1" for null and for what is no mapping.
[[nodiscard]] inline std::string_view packMeant(const syntax::ValuePtr& root)
{
    return schema::packMeant([&](std::string_view block, std::string_view key) {
        if (!root || !root->isMapping())
            return false;
        const syntax::ValuePtr holder = block.empty() ? root : root->find(block);
        return holder && holder->member(key) != nullptr;
    });
}

} // namespace wb::recipe
