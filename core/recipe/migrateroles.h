// The step of a migration for what moves: resources and backend become roles and an engine, infra and a Mooncake store become services.
#pragma once

#include "core/recipe/migratecontext.h"

namespace wb::recipe::migration {

void migrateRoles(MigrationContext& context, const Section& section, const std::vector<Entry>& entries);

} // namespace wb::recipe::migration
