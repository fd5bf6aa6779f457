#include "core/results/importers/sabench.h"

#include "core/results/importers/clientsummary.h"
#include "core/results/importers/rows.h"

#include <algorithm>

namespace wb::results {

bool sniffSaBench(const Input& input)
{
    const std::vector<Row> rows = rowsOf(input);
    return std::ranges::any_of(rows, [&](const Row& row) { return isSaBench(*row.object, input.path); });
}

Result<PointSet> readSaBench(const Input& input, std::stop_token stop)
{
    return readClientSummaries(input, "sa-bench", stop);
}

} // namespace wb::results
