// The capture manifests of upstream.
#pragma once

#include "tests/support/corpus.h"

#include <filesystem>
#include <vector>

namespace wb::test {

inline std::vector<std::filesystem::path> upstreamCaptures()
{
    std::vector<std::filesystem::path> out;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(*shared("snapshot/manifests/upstream"))) {
        if (entry.path().parent_path().filename() == "capture" && entry.path().extension() == ".yaml")
            out.push_back(entry.path());
    }
    return out;
}

} // namespace wb::test
