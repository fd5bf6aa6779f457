#include "ui/theme/colours.h"

#include <QPalette>

#include <algorithm>
#include <cmath>

namespace wb::ui {
namespace {

double channel(double value)
{
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color)
{
    return 0.2126 * channel(color.redF()) + 0.7152 * channel(color.greenF()) + 0.0722 * channel(color.blueF());
}

} // namespace

double contrast(const QColor& a, const QColor& b)
{
    const double x = luminance(a);
    const double y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

bool isDark(const QPalette& palette)
{
    return luminance(palette.color(QPalette::Base)) < luminance(palette.color(QPalette::Text));
}

QColor readable(QColor color, const QColor& background, double ratio)
{
    const QColor target = luminance(background) < 0.18 ? Qt::white : Qt::black;
    for (int step = 0; step < 40 && contrast(color, background) < ratio; ++step)
        color = blended(target, color, 0.06);
    return color;
}

QColor blended(const QColor& front, const QColor& back, double share)
{
    const auto mixed = [share](float a, float b) { return static_cast<float>(a * share + b * (1.0 - share)); };
    return QColor::fromRgbF(mixed(front.redF(), back.redF()), mixed(front.greenF(), back.greenF()), mixed(front.blueF(), back.blueF()));
}

QColor quietText(const QPalette& palette)
{
    // PlaceholderText is often the text's colour made transparent, which rich text does not know.
    const QColor back = palette.color(QPalette::Window);
    return readable(blended(palette.color(QPalette::WindowText), back, 0.6), back);
}

} // namespace wb::ui
