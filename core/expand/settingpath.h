// The paths of --set and --unset: a.b[2]."c.d" (recipe language of schema 2, section 13). A key that holds a dot or a bracket stands in
// double quotes, in which a backslash stands before a quote or a backslash of the key; a number in brackets is an item of a list, from 0.
#pragma once

#include "core/syntax/value.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wb::expand {

struct SettingPath {
    struct Step {
        std::string key;
        std::optional<std::size_t> index; ///< Then the key does not count.
    };
    std::vector<Step> steps;
    std::string fault; ///< Why it is no path, the end of a sentence without its full stop ("a key is empty"); else empty.
};

[[nodiscard]] SettingPath settingPath(std::string_view written);

/// Null when nothing is there.
[[nodiscard]] syntax::ValuePtr at(const syntax::ValuePtr& document, const SettingPath& path);
/// The document with the value there; mappings that are missing are made. Null when the path names an item of a list that is not there.
[[nodiscard]] syntax::ValuePtr withSetting(const syntax::ValuePtr& document, const SettingPath& path, const syntax::ValuePtr& value);
/// The document itself when nothing is there.
[[nodiscard]] syntax::ValuePtr withoutSetting(const syntax::ValuePtr& document, const SettingPath& path);

} // namespace wb::expand
