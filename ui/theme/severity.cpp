#include "ui/theme/severity.h"

#include "ui/theme/colours.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>
#include <QPalette>
#include <QPixmap>

#include <algorithm>
#include <array>

namespace wb::ui {
namespace {

struct Look {
    QColor onLight;
    QColor onDark;
    const char* text;
};

const Look& lookOf(syntax::Severity severity)
{
    static const std::array<Look, 4> looks = {{
        {QColor(0xc6, 0x28, 0x28), QColor(0xff, 0x7b, 0x72), QT_TRANSLATE_NOOP("Severity", "Error")},
        {QColor(0x95, 0x5a, 0x00), QColor(0xf2, 0xb2, 0x4a), QT_TRANSLATE_NOOP("Severity", "Warning")},
        {QColor(0x0b, 0x63, 0xb5), QColor(0x6c, 0xb6, 0xff), QT_TRANSLATE_NOOP("Severity", "Information")},
        {QColor(0x5f, 0x63, 0x68), QColor(0x9a, 0xa4, 0xae), QT_TRANSLATE_NOOP("Severity", "Hint")},
    }};
    return looks[static_cast<std::size_t>(severity)];
}

} // namespace

QColor severityColor(syntax::Severity severity, const QPalette& palette)
{
    const Look& look = lookOf(severity);
    return readable(isDark(palette) ? look.onDark : look.onLight, palette.color(QPalette::Base));
}

void paintSeverity(QPainter& painter, const QRectF& box, syntax::Severity severity, const QPalette& palette)
{
    const QColor color = severityColor(severity, palette);
    const QColor inner = palette.color(QPalette::Base);
    const double side = std::min(box.width(), box.height());
    const QRectF square(box.center().x() - side / 2, box.center().y() - side / 2, side, side);
    const auto at = [&square, side](double x, double y) { return QPointF(square.left() + x * side, square.top() + y * side); };

    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    QPen mark(inner, side * 0.13, Qt::SolidLine, Qt::RoundCap);
    switch (severity) {
    case syntax::Severity::Error:
        painter.drawEllipse(square);
        painter.setPen(mark);
        painter.drawLine(at(0.32, 0.32), at(0.68, 0.68));
        painter.drawLine(at(0.68, 0.32), at(0.32, 0.68));
        break;
    case syntax::Severity::Warning: {
        QPainterPath triangle(at(0.5, 0.02));
        triangle.lineTo(at(1.0, 0.96));
        triangle.lineTo(at(0.0, 0.96));
        triangle.closeSubpath();
        painter.drawPath(triangle);
        painter.setPen(mark);
        painter.drawLine(at(0.5, 0.38), at(0.5, 0.62));
        painter.drawPoint(at(0.5, 0.81));
        break;
    }
    case syntax::Severity::Info:
        painter.drawRoundedRect(square.adjusted(side * 0.06, side * 0.06, -side * 0.06, -side * 0.06), side * 0.15, side * 0.15);
        painter.setPen(mark);
        painter.drawLine(at(0.5, 0.46), at(0.5, 0.76));
        painter.drawPoint(at(0.5, 0.25));
        break;
    case syntax::Severity::Hint:
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(color, side * 0.16));
        painter.drawEllipse(square.adjusted(side * 0.2, side * 0.2, -side * 0.2, -side * 0.2));
        break;
    }
    painter.restore();
}

QIcon severityIcon(syntax::Severity severity, const QPalette& palette)
{
    QIcon icon;
    for (const int size : {16, 32, 64}) {
        QPixmap pixmap(size, size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        const double margin = size / 16.0;
        paintSeverity(painter, QRectF(0, 0, size, size).adjusted(margin, margin, -margin, -margin), severity, palette);
        painter.end();
        icon.addPixmap(pixmap);
    }
    return icon;
}

QString severityText(syntax::Severity severity)
{
    return QCoreApplication::translate("Severity", lookOf(severity).text);
}

} // namespace wb::ui
