// Colours that can be read: every widget that paints for itself takes them from the palette through here.
#pragma once

#include <QColor>

class QPalette;

namespace wb::ui {

[[nodiscard]] bool isDark(const QPalette& palette);
/// Contrast ratio as WCAG defines it: 1 for equal colours, 21 for black on white.
[[nodiscard]] double contrast(const QColor& a, const QColor& b);
/// The colour, made darker on a light and lighter on a dark background until it has that contrast: 4.5 for text, 3 for marks.
[[nodiscard]] QColor readable(QColor color, const QColor& background, double ratio = 4.5);
/// For words that stand back: a label, a key beside a command.
[[nodiscard]] QColor quietText(const QPalette& palette);
/// `share` of the front's colour, the rest of the back's.
[[nodiscard]] QColor blended(const QColor& front, const QColor& back, double share);

} // namespace wb::ui
