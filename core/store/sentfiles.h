// Copies of what was sent to clusters, so that a later dry run can be set against it byte for byte. They lie beside the job record, in a
// folder that its owner alone can enter, each named by its SHA-256. A convenience: where one is missing, its hash is still known.
#pragma once

#include "core/base/result.h"

#include <span>
#include <string>
#include <string_view>

namespace wb::store {

struct SentBytes {
    std::string_view sha256; ///< Of the bytes.
    std::string_view bytes;
};

inline constexpr std::size_t mostSentFiles = 5000; ///< Beyond that the oldest ones go.

/// `folder`: the job record's. Those that are there already are left alone.
[[nodiscard]] Result<void> keepSent(const std::string& folder, std::span<const SentBytes> files, std::size_t most = mostSentFiles);
/// Fails when there is no copy (ErrorCode::NotFound), or when it is not what was sent.
[[nodiscard]] Result<std::string> sentBytes(const std::string& folder, std::string_view sha256);

} // namespace wb::store
