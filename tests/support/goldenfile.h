// Expected texts kept in files below tests/data. With SRTWB_UPDATE_GOLDEN=1 in the environment they are written anew: read the diff.
#pragma once

#include <string>
#include <string_view>

namespace wb::test {

/// Compares with tests/data/<below>; a difference fails the test and shows both texts.
void expectGoldenFile(std::string_view below, const std::string& actual);

} // namespace wb::test
