// The sample results of the sample workspace: two runs of recipes/dsr1-disagg-chunked-prefill.yaml that were never measured. They are
// computed from the model in samplerun.cpp and marked as simulated in every file.
//
// SRTWB_UPDATE_GOLDEN=1 makes the test of the samples write them again.
#pragma once

#include <map>
#include <string>

namespace wb::test {

/// Path below resources/samples/results -> bytes.
[[nodiscard]] std::map<std::string, std::string> sampleResults();

} // namespace wb::test
