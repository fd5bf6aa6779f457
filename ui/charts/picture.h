// Writes a laid-out chart to a file.
#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QPalette>
#include <QSizeF>
#include <QString>

class QImage;

namespace wb::ui::charts {

class ChartScene;

inline constexpr QSizeF pictureSize(1000, 680);

/// Dark on white, whatever the desktop looks like: pictures go into papers.
[[nodiscard]] QPalette pictureColours();
/// An SVG document of QSvgGenerator with letters without serifs where the viewer has not the desktop's font.
[[nodiscard]] QByteArray withFallbackFont(QByteArray svg);
/// At twice its size.
[[nodiscard]] QImage imageOf(ChartScene& scene);
/// The suffix says how: .png, .svg or .pdf. The file is there whole or not at all.
[[nodiscard]] Result<void> writePicture(ChartScene& scene, const QString& file);

} // namespace wb::ui::charts
