// From one document to the recipes it stands for: base/override/zip with selectors, sweeps, settings from the command line.
#pragma once

#include "core/syntax/value.h"
#include "core/syntax/yaml.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wb::schema {
class Pack;
}

namespace wb::expand {

enum class Form { Plain, Override, Sweep };

/// One recipe, not yet checked.
struct Variant {
    std::optional<std::string> suffix; ///< Of an override or zip slice: "lowmem", "tp_2". Absent for plain files and sweeps.
    std::string section; ///< Top-level key it came from: "override_lowmem", "zip_override_tp[2]", "sweep", "base"; empty for plain files.
    syntax::Range sectionRange; ///< The key of that section.
    std::vector<std::pair<std::string, syntax::ValuePtr>>
        params;                ///< Sweep parameters, or dotted keys that the override changed (null value: deleted).
    syntax::ValuePtr document; ///< Cluster defaults not yet laid under it.
};

struct Setting {
    std::string key;  ///< Dotted path.
    std::string text; ///< YAML; absent value when `remove`.
    bool remove = false;
};

struct Options {
    /// As behind the colon of PATH:SELECTOR; empty: all. A job's name or number (from 0) where a sweep makes several of one section.
    std::string selector;
    std::vector<Setting> settings; ///< --set and --unset, in order.
    std::size_t limit = 10'000;    ///< More jobs than that are an error, not a wait.
    /// As many values may the jobs hold together that they do not share with each other (a list or mapping in which one value differs
    /// counts whole); more are an error. Ten thousand jobs of a usual recipe hold about a million.
    std::size_t mostOwnValues = 3'000'000;
    std::shared_ptr<const schema::Pack> pack; ///< Says which keys take text or lists; null: schema 1.
};

struct Expanded {
    Form form = Form::Plain;
    std::vector<Variant> variants;
    std::vector<syntax::Diagnostic> diagnostics;
};

[[nodiscard]] Expanded expand(const syntax::Parsed& parsed, const Options& options);

} // namespace wb::expand
