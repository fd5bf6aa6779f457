// Where every value of a resolved recipe comes from.
#pragma once

#include "core/expand/variant.h"

#include <string>
#include <vector>

namespace wb::expand {

/// One value of the resolved recipe: a scalar, a list or an empty mapping.
struct Origin {
    std::string path; ///< As `--set` takes it: "resources.agg_nodes"; a key with a dot in quotes: environment."a.b". An item of a list
                      ///< ("a.b[1]") only where it is from elsewhere than its list.
    syntax::ValuePtr value;
    /// "base" (of a file with overrides, and all that a plain file itself says), "override_<name>", "zip_override_<name>[<index>]",
    /// "sweep", "cluster" (default or alias), "--set", "default" (of the language), "computed" (by upstream from other values).
    std::string from;
    syntax::Source source = syntax::Source::Recipe; ///< Of which text the range is.
    syntax::Range range;                            ///< The value where it is written, else its key; empty when it stands nowhere.
};

/// `config` is the resolved configuration of the variant; in its order.
[[nodiscard]] std::vector<Origin> provenance(const Variant& variant, const syntax::ValuePtr& config);

/// What `from` says of one value.
[[nodiscard]] std::string originName(const Variant& variant, const syntax::Value& value);

} // namespace wb::expand
