// How severities look: a colour and, because colour alone is not enough, a shape. Follows the palette, so it is asked at each painting.
#pragma once

#include "core/syntax/diagnostic.h"

#include <QColor>
#include <QIcon>
#include <QString>

class QPainter;
class QPalette;
class QRectF;

namespace wb::ui {

/// At least 4.5:1 against the palette's base.
[[nodiscard]] QColor severityColor(syntax::Severity severity, const QPalette& palette);
/// Error: disc with a cross; warning: triangle; information: square with an i; hint: ring.
void paintSeverity(QPainter& painter, const QRectF& box, syntax::Severity severity, const QPalette& palette);
[[nodiscard]] QIcon severityIcon(syntax::Severity severity, const QPalette& palette);
[[nodiscard]] QString severityText(syntax::Severity severity); ///< "Error", translated.

} // namespace wb::ui
