// One way to write many jobs as the other: a sweep crosses its parameters, a zip section lists them side by side. What is made is a text;
// that it stands for the same jobs is proved by checking it.
#pragma once

#include "core/check/check.h"

#include <string>
#include <string_view>
#include <vector>

namespace wb::check {

struct Converted {
    std::string text; ///< Empty when it cannot be done.
    bool isEqual = false;
    std::vector<std::string> reasons; ///< Why it is not equal or cannot be done, a sentence each.
    std::vector<std::string> notes;   ///< What changes that is no setting of a job: names, comments.
};

/// The jobs of a sweep as one base and a zip section `zip_override_<group>`; equal with their names.
[[nodiscard]] Converted sweepAsZip(const Checked& checked, std::string_view group, const Facts& facts);

/// The jobs of a file with overrides or zip sections as a sweep: possible where the values in which they differ are scalars that every job
/// has and make a full grid. Equal but for the names, which a sweep gives itself.
[[nodiscard]] Converted zipAsSweep(const Checked& checked, const Facts& facts);

} // namespace wb::check
