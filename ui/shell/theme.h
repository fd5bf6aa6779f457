#pragma once

#include <QIcon>
#include <QString>

#include <string_view>

namespace wb::ui {

enum class Theme { System, Light, Dark };

[[nodiscard]] QString id(Theme theme); ///< "system", "light", "dark": stored in settings
[[nodiscard]] Theme themeOf(const QString& id);

/// Sets style and palette of the application; panes follow the palette, also while the program runs.
void applyTheme(Theme theme);

/// One of resources/icons, drawn in the palette's text colour.
[[nodiscard]] QIcon icon(std::string_view name);
/// The program's own icon.
[[nodiscard]] QIcon programIcon();

} // namespace wb::ui
