// Versions of engines, as image tags and flag tables write them: 0.5.5.post2, v0.5.8-cu130, 1.3.0rc24, 1.1.0-dev.3.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wb::schema {

struct Version {
    std::vector<std::int64_t> numbers; ///< At least two.
    /// Order within the same numbers: development builds and candidates come before the release, post releases behind it.
    enum class Stage : std::uint8_t { Development, Candidate, Release, Post };
    Stage stage = Stage::Release;
    std::int64_t step = 0; ///< Of the stage: 24 of rc24.

    friend std::strong_ordering operator<=>(const Version& a, const Version& b);
    friend bool operator==(const Version& a, const Version& b) { return (a <=> b) == std::strong_ordering::equal; }
};

/// The version that the text begins with, or nothing. A "v" in front and anything behind ("-cu130") are passed over.
[[nodiscard]] std::optional<Version> versionOf(std::string_view text);
[[nodiscard]] std::string textOf(const Version& version);

/// What an image or an alias of one tells of what is in it.
struct ImageVersion {
    std::string program; ///< "sglang", "vllm", "trtllm", "dynamo", or empty: a bare version, which is the engine's.
    Version version;
};

/// Read from an image ("lmsysorg/sglang:v0.5.8-cu130", "nvcr.io#nvidia/ai-dynamo/vllm-runtime:0.8.0"), a file
/// ("/shared/containers/sglang-v0.5.8.sqsh") or an alias ("0.5.7"). Runtime images of Dynamo carry Dynamo's version, not the engine's.
[[nodiscard]] std::optional<ImageVersion> imageVersion(std::string_view image);

} // namespace wb::schema
