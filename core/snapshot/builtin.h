// The schemas that are built in, as bytes; made from resources/snapshot/*.json by srtwb_embed.
#pragma once

#include <string_view>

namespace wb::resources {

/// The file of that name ("latest.json"); empty when there is none.
std::string_view snapshotCrds(std::string_view name);

} // namespace wb::resources
