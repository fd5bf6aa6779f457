// The proof of a migration: both texts are read, lowered and planned, and their jobs compared.
#pragma once

#include "core/check/check.h"
#include "core/recipe/migratecompare.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wb::check {

/// A difference in one job of the file.
struct VerifiedDifference {
    std::string variant; ///< Suffix or name of the job; empty for a plain recipe.
    recipe::JobDifference difference;
};

/// Why the two could not be compared.
struct VerifyFault {
    std::string message;                ///< A sentence.
    std::optional<syntax::Range> range; ///< In the recipe in schema 1; nothing when it is not about a place there.
};

struct Verified {
    bool equal = false; ///< Every job is the same but for what the table of the languages explains.
    std::vector<VerifiedDifference> differences;
    std::vector<VerifyFault> faults;
};

/// One difference with the jobs that have it.
struct SharedDifference {
    recipe::JobDifference difference;
    std::vector<std::string> variants; ///< As `VerifiedDifference::variant`, in the order of the jobs.
};
/// What several jobs have alike stands once, in the order in which it was found.
[[nodiscard]] std::vector<SharedDifference> sharedDifferences(const Verified& verified);

/// "equal", "equal-but-for" (rows of the table of the languages apply), "different": the contract of `srtwb migrate --json`.
[[nodiscard]] std::string_view verdictName(const Verified& verified);
/// The same as a sentence, which names each key that is not the same in both languages.
[[nodiscard]] std::string verdictOn(const Verified& verified);

/// `first` is the recipe in schema 1 (a `schema: 1` in it is left out: srtctl 1.x knows no such key), `second` what the migration made of
/// it. With `facts` of no cluster file both are read by themselves.
[[nodiscard]] Verified verifyMigration(std::shared_ptr<const syntax::SourceText> first, std::shared_ptr<const syntax::SourceText> second,
                                       const Facts& facts);

} // namespace wb::check
