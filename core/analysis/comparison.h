// What differs between runs or recipes: every fact that the recipe, the lockfile, the fingerprints and the resource snapshot tell, side by
// side, and whether it is an experiment with one variable.
//
// A fact has three states: same, different, or unknown (a side does not tell it). Unknown never counts as same, also where no side tells.
// Labels (`name`, `identity.*`, job ids) and noise (ports, host names, what a launcher sets for each rank) are shown and not counted;
// neither is a fact that follows from another one that differs too (the path of the image from the image, a framework's version from its
// wheel), nor one that the records of these runs have no word for, because they are older than it: the verdict names those beside.
#pragma once

#include "core/base/json.h"
#include "core/syntax/value.h"

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wb::analysis {

enum class FactState { Same, Different, Unknown };
enum class Verdict { Same, SingleVariable, Differences, Unknown };

[[nodiscard]] std::string_view name(FactState state); ///< "same", "different", "unknown"
[[nodiscard]] std::string_view name(Verdict verdict); ///< "same", "single-variable", "differences", "unknown"

/// One of the things that are compared. What is null or empty is not known of it.
struct Side {
    std::string label;                                    ///< What it is called: the path as given.
    syntax::ValuePtr recipe;                              ///< One job's recipe, without its `lock`.
    syntax::ValuePtr lock;                                ///< Of a lockfile; empty where an older one has no `lock` in it.
    std::map<std::string, syntax::ValuePtr> fingerprints; ///< By worker: "decode_w0".
    syntax::ValuePtr snapshot;                            ///< resource_snapshot.json
    bool isRun = false; ///< It ran: that it has no fingerprint or no lockfile is something unknown. A recipe that did not run misses none.
};

struct Fact {
    std::string key; ///< "model.container", "decode: pip.vllm"; the role only where roles differ.
    FactState state = FactState::Same;
    /// One for each side: as text, "(not set)" where the side is known not to have it; nothing where it is not known.
    std::vector<std::optional<std::string>> values;
    bool noise = false;
    bool label = false;
    bool unrecorded = false; ///< Unknown of all: no record of these runs has a word for it, as not every version of the record has.
    std::string follows;     ///< Key of the fact that this one follows from, where both differ; then it is not counted.
    std::string remark;      ///< "The decode workers differ among themselves."

    [[nodiscard]] bool isCounted() const { return !noise && !label && !unrecorded && follows.empty(); }
    /// Left out of a list until it is asked for, though it is not the same.
    [[nodiscard]] bool isQuiet() const { return noise || unrecorded; }
    friend bool operator==(const Fact&, const Fact&) = default;
};

struct Section {
    std::string_view id; ///< "workload", "model", "software", "engine", "resources", "hardware", "environment", "provenance"
    std::string_view title;
    std::vector<Fact> facts; ///< By key.
};

struct RunDifferences {
    std::vector<std::string> sides;
    Verdict verdict = Verdict::Unknown;
    std::string reason;          ///< One sentence: the variable, the count, or what is not known.
    std::size_t differences = 0; ///< Counted facts that differ.
    std::size_t unknown = 0;     ///< Counted facts that a side does not tell.
    std::size_t unrecorded = 0;  ///< Facts that no record of these runs has a word for, without what is of each run alone.
    std::vector<Section> sections;
};

/// Of two or more sides.
[[nodiscard]] RunDifferences compare(std::span<const Side> sides);

/// The contract of `srtwb compare --json`, without the points.
[[nodiscard]] base::json::Value toJson(const RunDifferences& comparison);

} // namespace wb::analysis
