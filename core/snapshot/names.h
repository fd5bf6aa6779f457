// Names of Kubernetes: rules for them, and the keys of NVIDIA Snapshot's contract (api/podcontract upstream).
#pragma once

#include <string_view>

namespace wb::snapshot {

inline constexpr std::string_view restoreFromKey = "nvidia.com/restore-from";
inline constexpr std::string_view containerMapKey = "nvidia.com/restore-container-map";
inline constexpr std::string_view skipCompatKey = "nvidia.com/snapshot-skip-compat-check";
inline constexpr std::string_view sharedMemoryKey = "nvidia.com/cuda-shared-memory-support";
inline constexpr std::string_view gpuResource = "nvidia.com/gpu";
inline constexpr std::string_view controlVolume = "snapshot-control";
inline constexpr std::string_view controlPath = "/snapshot-control";
inline constexpr std::string_view controlVariable = "SNAPSHOT_CONTROL_DIR";
inline constexpr std::string_view standbyVariable = "SNAPSHOT_RESTORE_STANDBY";

/// DNS-1123 label: 1 to 63 lower-case letters, digits and dashes, no dash at an end.
[[nodiscard]] bool isDnsLabel(std::string_view text);
/// DNS-1123 subdomain: labels with dots between, at most 253 bytes.
[[nodiscard]] bool isDnsSubdomain(std::string_view text);
/// A key of a label or annotation: an optional subdomain and "/", then at most 63 letters, digits, dashes, dots and underscores.
[[nodiscard]] bool isQualifiedName(std::string_view text);
/// The first `<words>` in the text, which is what examples hold in place of a name; empty when there is none.
[[nodiscard]] std::string_view placeholderIn(std::string_view text);

} // namespace wb::snapshot
