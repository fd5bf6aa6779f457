// The packs that are built in, as bytes; made from resources/schema/*.json by srtwb_embed.
#pragma once

#include <string_view>

namespace wb::resources {

/// The file of that name ("v1.json"); empty when there is none.
std::string_view schemaPacks(std::string_view name);
/// The flag table of that name ("sglang.json"), from resources/engines; empty when there is none.
std::string_view engineFlags(std::string_view name);

} // namespace wb::resources
