// What Slurm's commands say when they refuse, and the setting that cures it. Slurm's own words are always shown beside it, as they are.
//
// To add one: a row in slurmerrors.cpp, with words of a real message, and a line in slurmerrors_test.cpp.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace wb::remote {

struct SlurmError {
    std::string_view id;          ///< "invalid-partition"; stored in records, never renamed.
    std::string_view words;       ///< Part of the message, as Slurm 22.05 to 24.11 write it; case does not count.
    bool isRefusal = true;        ///< The job was surely not accepted. False: it may be there all the same.
    std::string_view explanation; ///< One sentence, with the setting to change.
};

/// The first that fits wins.
[[nodiscard]] std::span<const SlurmError> slurmErrors();

/// For the standard error of sbatch, srun, squeue or of a launcher that called them; null when no row fits.
[[nodiscard]] const SlurmError* explained(std::string_view err);

} // namespace wb::remote
