// How a chart is drawn, by the names that view files have for it ("concurrency", "log", "curves"): the window and `--render-chart` read the
// same ones.
#pragma once

#include "ui/charts/chartview.h"

#include <string_view>

namespace wb::ui::charts {

/// Ids are never renamed. To add one: a row in viewparts.cpp.
[[nodiscard]] const char* idOf(PointLabels labels);         ///< "none", "concurrency", "parallelism"
[[nodiscard]] const char* idOf(Scale scale);                ///< "auto", "linear", "log"
[[nodiscard]] PointLabels labelsNamed(std::string_view id); ///< None for a name that is not known.
[[nodiscard]] Scale scaleNamed(std::string_view id);        ///< Auto for a name that is not known.

[[nodiscard]] ChartParts partsOf(const analysis::ChartViewFile& view);
/// Puts them into the view's labels and shows; what else it shows stays.
void setParts(analysis::ChartViewFile& view, const ChartParts& parts);

} // namespace wb::ui::charts
