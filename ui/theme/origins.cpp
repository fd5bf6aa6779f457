#include "ui/theme/origins.h"

#include "ui/theme/colours.h"

#include <QPainter>
#include <QPalette>
#include <QPixmap>

#include <algorithm>
#include <array>

namespace wb::ui {

namespace {

/// The hues of Okabe and Ito, which most people can tell apart. To add one: a row; the first whose word the origin begins with counts.
struct Hue {
    const char* begins;
    unsigned int rgb;
};
constexpr std::array hues{
    Hue{"base", 0x0072b2},    Hue{"override", 0xd55e00}, Hue{"zip_override", 0xd55e00}, Hue{"sweep", 0xe69f00},
    Hue{"cluster", 0x009e73}, Hue{"--set", 0xcc79a7},    Hue{"computed", 0x56b4e9},     Hue{"default", 0x8c8c8c},
};

} // namespace

QColor originColor(const QString& from, const QPalette& palette)
{
    const auto found = std::find_if(hues.begin(), hues.end(), [&](const Hue& hue) { return from.startsWith(QLatin1String(hue.begins)); });
    const QColor hue = found == hues.end() ? palette.color(QPalette::PlaceholderText) : QColor(QRgb{found->rgb});
    return readable(hue, palette.color(QPalette::Base), 3.0);
}

QIcon originIcon(const QString& from, const QPalette& palette)
{
    QIcon icon;
    for (const int ratio : {1, 2}) {
        QPixmap pixmap(12 * ratio, 12 * ratio);
        pixmap.setDevicePixelRatio(ratio);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(originColor(from, palette));
        painter.drawRoundedRect(QRectF(2, 2, 8, 8), 2, 2);
        painter.end();
        icon.addPixmap(pixmap);
    }
    return icon;
}

} // namespace wb::ui
