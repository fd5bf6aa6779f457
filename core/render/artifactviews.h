// What a viewer does with the artifacts of a job: shows them without secrets, searches all of them, and sets them against those of another
// job. Plain functions over the artifacts; what is sent is never touched.
#pragma once

#include "core/render/artifact.h"
#include "core/render/secrets.h"

#include <cstddef>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace wb::render {

/// A line of an artifact that holds what was looked for.
struct ArtifactHit {
    std::size_t artifact = 0; ///< Index into the texts that were searched.
    std::size_t line = 1;
    std::size_t begin = 0; ///< Of the first find in the line: byte range in that text.
    std::size_t end = 0;
    std::string text; ///< The line without blanks around it, cut to 200 bytes at a character.

    friend bool operator==(const ArtifactHit&, const ArtifactHit&) = default;
};

/// The artifacts as they are shown and searched: each with its secrets masked, in order.
[[nodiscard]] std::vector<std::string> shownTexts(std::span<const Artifact> artifacts, std::span<const Secret> secrets);

/// Every line of the texts that holds the words as they stand, at most `most`; letters A to Z match either case. Empty words: none.
[[nodiscard]] std::vector<ArtifactHit> findInTexts(std::span<const std::string> texts, std::string_view words, std::size_t most,
                                                   const std::stop_token& stop = {});

enum class ArtifactChange { Same, Changed, OnlyHere, OnlyThere };

/// One name that either side has.
struct ArtifactPair {
    std::string name;
    ArtifactChange change = ArtifactChange::Same; ///< By the SHA-256 of the bytes, secrets and all.
    std::size_t here = 0;                         ///< Index; counts unless OnlyThere.
    std::size_t there = 0;                        ///< Index; counts unless OnlyHere.

    friend bool operator==(const ArtifactPair&, const ArtifactPair&) = default;
};

/// By name, in the order of `here`, then what only `there` has.
[[nodiscard]] std::vector<ArtifactPair> pairedArtifacts(std::span<const Artifact> here, std::span<const Artifact> there);

/// The command of an artifact of kind Command on one line: without the remarks above it and the line ends inside it.
[[nodiscard]] std::string pasteableCommand(std::string_view text);

} // namespace wb::render
