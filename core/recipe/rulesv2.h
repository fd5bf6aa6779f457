// The rules that only schema 2 of the language has; one function each, a row each in rulesv2.cpp. They see the recipe as it is written.
#pragma once

#include "core/recipe/rolesv2.h"
#include "core/recipe/rules.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace wb::recipe {

[[nodiscard]] std::span<const Rule> rulesOfSecond();

/// What the rules ask of a recipe in schema 2.
namespace second {

[[nodiscard]] std::string textAt(const RuleFindings& findings, std::string_view path); ///< Empty when it is no text.
[[nodiscard]] bool isTrueAt(const RuleFindings& findings, std::string_view path);
[[nodiscard]] bool isGiven(const RuleFindings& findings, std::string_view path); ///< There, and not null.
[[nodiscard]] std::optional<std::int64_t> integerAt(const RuleFindings& findings, std::string_view path);
[[nodiscard]] std::string text(const syntax::ValuePtr& block, std::string_view key); ///< Empty when it is no text.

[[nodiscard]] bool isDeclared(const RuleFindings& findings, std::string_view role);
[[nodiscard]] std::int64_t workers(const RuleFindings& findings, std::string_view role);
[[nodiscard]] bool isDisaggregated(const RuleFindings& findings);
/// The word of the engine of a role: its own, else the shared one, else "sglang".
[[nodiscard]] std::string engineOf(const RuleFindings& findings, std::string_view role);
[[nodiscard]] bool hasRoleEngines(const RuleFindings& findings);
/// GPUs of one worker: as written, else its share of the nodes, else that of a prefill worker on whose nodes it is, else a node's.
[[nodiscard]] std::int64_t gpusOf(const RuleFindings& findings, std::string_view role);
[[nodiscard]] bool isColocated(const RuleFindings& findings);
/// A flag of a role, spelled with dashes or underscores; null when it is absent or null.
[[nodiscard]] const syntax::Member* flag(const RuleFindings& findings, std::string_view role, std::string_view dashed);
[[nodiscard]] std::optional<std::int64_t> flagNumber(const RuleFindings& findings, std::string_view role, std::string_view dashed);
[[nodiscard]] std::int64_t dataParallel(const RuleFindings& findings, std::string_view role); ///< 1 when it is not said.
[[nodiscard]] bool hasSidecar(const RuleFindings& findings);
/// The first enabled service of that kind; null when there is none.
[[nodiscard]] const Service* serviceOf(const RuleFindings& findings, std::string_view type);
/// A connector by which vLLM workers find each other without a router's configuration.
[[nodiscard]] bool hasDiscoveryConnector(const RuleFindings& findings);
/// A folder below the logs: not empty, not ".", not absolute or from the home folder, and nowhere climbing out.
[[nodiscard]] bool isSafeSubfolder(std::string_view path);

/// Offers another value for the key, where one is written that may be changed.
void offer(syntax::Diagnostic& problem, const RuleFindings& findings, std::string_view path, std::string_view text);
/// At the member of a block that stands in a list, where a dotted path does not lead; at its name when the member is not written.
syntax::Diagnostic& reportIn(RuleFindings& findings, const syntax::ValuePtr& block, const std::string& path, std::string_view key,
                             syntax::Severity severity, std::string message);
syntax::Diagnostic& reportFlag(RuleFindings& findings, std::string_view role, const syntax::Member& flag, syntax::Severity severity,
                               std::string message);

// --- in rulesv2frontend.cpp ---
void checkFrontendOfSecond(RuleFindings& findings);
void checkSingleServer(RuleFindings& findings);
void checkVllmRouter(RuleFindings& findings);
void checkTilertRouter(RuleFindings& findings);
void checkNoFrontend(RuleFindings& findings);
void checkDiscovery(RuleFindings& findings);
void checkWorkerSelection(RuleFindings& findings);

// --- in rulesv2observation.cpp ---
void checkProfilingOfSecond(RuleFindings& findings);
void checkAutomaticProfiles(RuleFindings& findings);
void checkTachometerOfSecond(RuleFindings& findings);
void checkTelemetryOfSecond(RuleFindings& findings);
void checkPerfMetrics(RuleFindings& findings);

// --- in rulesv2services.cpp ---
void checkServiceNames(RuleFindings& findings);
void checkServiceCommands(RuleFindings& findings);
void checkServicePlacement(RuleFindings& findings);
void checkServicePools(RuleFindings& findings);
void checkServiceReadiness(RuleFindings& findings);
void checkServiceSource(RuleFindings& findings);
void checkServiceOptions(RuleFindings& findings);
void checkServiceNeeds(RuleFindings& findings);
void checkServiceLife(RuleFindings& findings);
void checkMooncakeOfSecond(RuleFindings& findings);

} // namespace second

} // namespace wb::recipe
