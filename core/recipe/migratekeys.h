// The step of a migration for the blocks that stay: frontend, benchmark, dynamo, observability and telemetry.
#pragma once

#include "core/recipe/migratecontext.h"

namespace wb::recipe::migration {

void migrateKeys(MigrationContext& context, const Section& section, const std::vector<Entry>& entries);

} // namespace wb::recipe::migration
