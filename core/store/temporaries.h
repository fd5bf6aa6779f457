// Files and folders that stand for a moment beside what they will replace. Their names say which process of which machine made them, so
// that what a killed one left behind is known for what it is, and goes when somebody writes there again.
#pragma once

#include <filesystem>

namespace wb::store {

/// A path beside the target that nobody else uses now: ".<name>.<machine>-<process>-<number>.tmp". A long name is cut.
[[nodiscard]] std::filesystem::path temporaryBeside(const std::filesystem::path& target);

/// Removes what processes of this machine that are dead left in the folder. Never fails: what cannot be removed stays.
void removeLeftovers(const std::filesystem::path& folder);

} // namespace wb::store
