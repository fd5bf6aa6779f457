// Job ids in every form that Slurm and its front ends write: "123", "123;cluster", "Submitted batch job 123 on cluster x", "123_4",
// "123_[2-5%2]", "123+0", {"slurm_job_id": 123}.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace wb::remote {

/// The id of a whole submission: of an array or a heterogeneous job its first number, which scancel and squeue take for all of it.
struct SlurmId {
    std::string number;  ///< Digits.
    std::string cluster; ///< Empty: the default one.

    friend bool operator==(const SlurmId&, const SlurmId&) = default;
};

/// From a word such as "123;gpu", "123_4", "123_[0-3]", "123+1", "123.batch"; nothing for anything else.
[[nodiscard]] std::optional<SlurmId> readSlurmId(std::string_view word);

/// What a submission answered: the first line that tells of a job. Lines that tell of none (module chatter, warnings) are passed over.
[[nodiscard]] std::optional<SlurmId> submittedId(std::string_view output);

/// Where the results will be, by a line {"output_dir": ...} of what a submission answered; empty when it does not say, or not absolutely.
[[nodiscard]] std::string outputDirIn(std::string_view output);

} // namespace wb::remote
