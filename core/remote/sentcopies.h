#pragma once

#include "core/remote/bundle.h"

#include <string>
#include <vector>

namespace wb::remote {

/// Keeps a copy of what is sent beside the job record, for the comparison with later dry runs (core/store/sentfiles.h). Where that fails
/// the record still knows the hashes: a submission is not held up by it.
void keepCopies(const std::string& stateFolder, const std::vector<Bundle>& sent);

} // namespace wb::remote
