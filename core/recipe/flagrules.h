// Rules about engine flags: what stands in the flag mappings of a job against the tables of core/schema/flags.h. Severity follows the
// certainty of the table: an error only where the engine itself is known to refuse.
//
// To add one: a function here, its row in rules.cpp.
#pragma once

#include "core/recipe/job.h"
#include "core/schema/flags.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wb::recipe {

class RuleFindings;

/// How a mapping of flags reaches its program.
enum class FlagStyle {
    Dashed, ///< On a command line; `_` becomes `-`, a list several words, false and null nothing.
    Kept,   ///< On a command line as written: `_` stays, a list is one word, false is nothing.
    File,   ///< As YAML, read by the engine's own strict reader.
};

/// One flag that a recipe gives.
struct FlagUse {
    const syntax::Member* member = nullptr; ///< Key and value; never null, lives as long as the job.
    schema::FlagTable::Match match;         ///< Empty: the table has no such flag.
};

/// A mapping of flags with what its table says of each.
struct FlagBlock {
    const schema::FlagTable* table = nullptr; ///< Never null.
    FlagStyle style = FlagStyle::Dashed;
    std::string path;         ///< Of the mapping: "backend.sglang_config.prefill".
    std::optional<Mode> mode; ///< Nothing: not of a worker.
    syntax::ValuePtr flags;
    std::vector<FlagUse> uses; ///< In the order of the file; keys that are no text are left out.

    [[nodiscard]] const FlagUse* find(std::string_view flag) const; ///< By the name of the table.
};

/// All flags of a job that a table is known for.
struct FlagUses {
    std::vector<FlagBlock> blocks;
    std::optional<schema::ImageVersion> image; ///< From the container, or the alias that it was written as.

    /// The version of the program of a block, as far as the image tells it.
    [[nodiscard]] std::optional<schema::Version> versionFor(const FlagBlock& block) const;
};
[[nodiscard]] FlagUses flagUsesOf(const Job& job);

// The rules, by their rows.
void checkFlagNames(RuleFindings& findings);     ///< engine-flags
void checkFlagValues(RuleFindings& findings);    ///< flag-values
void checkFlagStanding(RuleFindings& findings);  ///< flag-standing
void checkFlagOwners(RuleFindings& findings);    ///< flag-owners
void checkFlagSpellings(RuleFindings& findings); ///< flag-spelling
void checkFlagSizes(RuleFindings& findings);     ///< flag-sizes

} // namespace wb::recipe
