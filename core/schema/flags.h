// The engines' command-line flags as data (resources/engines/*.json). The tables follow one state of each engine's source; the image that a
// recipe names may hold another, so an unknown flag is never certain to be wrong.
//
// To add an engine: resources/engines/<id>.json, its file in CMakeLists.txt, its id in flags.cpp.
#pragma once

#include "core/base/json.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace wb::schema {

struct Flag {
    std::string name; ///< With dashes, none in front: "mem-fraction-static".
    std::vector<std::string> aliases;
    std::string type; ///< As the engine's source says it; empty when not known.
    base::json::Value defaultValue;
    std::vector<std::string> choices;
    bool openChoices = false; ///< The list of choices is a lower bound.
    bool isDeprecated = false;
    std::string renamedTo;
};

class FlagTable
{
public:
    explicit FlagTable(std::string_view json);

    /// By name or alias, `_` and `-` alike; null when the table has none.
    [[nodiscard]] const Flag* find(std::string_view name) const;
    /// The flag that was most likely meant, in the spelling of the table; empty when none is near.
    [[nodiscard]] std::string_view nearest(std::string_view name) const;
    [[nodiscard]] const std::vector<Flag>& flags() const { return m_flags; }

private:
    std::vector<Flag> m_flags;
    std::map<std::string, std::size_t, std::less<>> m_byName;
};

/// The table of an engine ("sglang"), or null. Read once, on first use.
[[nodiscard]] const FlagTable* flagTable(std::string_view engine);

} // namespace wb::schema
