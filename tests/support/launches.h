// The steps of the golden launches in terms in which ours can be compared with them.
#pragma once

#include "core/base/json.h"

#include <map>
#include <string>
#include <vector>

namespace wb::test {

/// Our names for what is not known yet, in the reference's terms: node k has the address 10.0.0.(k + 1), the job is 4242.
[[nodiscard]] std::string inTheirTerms(std::string text);

/// The texts of a list; "?" for what is none. Null has none.
[[nodiscard]] std::vector<std::string> texts(const base::json::Value* list);
/// Keys and texts of an object; null has none.
[[nodiscard]] std::map<std::string, std::string> textMap(const base::json::Value* object);

} // namespace wb::test
