// How the origin of a resolved value looks: a colour beside its name. Follows the palette, so it is asked at each painting.
#pragma once

#include <QColor>
#include <QIcon>
#include <QString>

class QPalette;

namespace wb::ui {

/// `from` as in provenance: "base", "override_x", "zip_override_x[2]", "sweep", "cluster", "default", "--set", "computed". At least 3:1
/// against the palette's base.
[[nodiscard]] QColor originColor(const QString& from, const QPalette& palette);
[[nodiscard]] QIcon originIcon(const QString& from, const QPalette& palette);

} // namespace wb::ui
