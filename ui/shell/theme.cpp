#include "ui/shell/theme.h"

#include "ui/theme/colours.h"

#include <QApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QProxyStyle>
#include <QStyleOption>
#include <QSvgRenderer>

namespace wb::resources {
std::string_view icons(std::string_view name);
}

namespace wb::ui {

namespace {

/// Fusion with a little more room in lists, a plain cross on tabs, and line edits and boxes to tick that are seen on dark ground.
class WorkbenchStyle final : public QProxyStyle
{
public:
    WorkbenchStyle()
        : QProxyStyle(QStringLiteral("Fusion"))
    {
    }

    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size, const QWidget* widget) const override
    {
        QSize out = QProxyStyle::sizeFromContents(type, option, size, widget);
        if (type == CT_ItemViewItem)
            out.rheight() += 6;
        return out;
    }

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const override
    {
        if (element == PE_IndicatorTabClose)
            return drawClose(*option, *painter);
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        const bool isFaint = element == PE_IndicatorCheckBox || (element == PE_FrameLineEdit && !option->state.testFlag(State_HasFocus));
        if (isFaint && isDark(option->palette))
            drawOutline(*option, *painter);
    }

private:
    static void drawClose(const QStyleOption& option, QPainter& painter)
    {
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        const QRectF box = QRectF(option.rect).adjusted(1, 1, -1, -1);
        if (option.state.testFlag(State_MouseOver) || option.state.testFlag(State_Sunken)) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(blended(option.palette.color(QPalette::WindowText), option.palette.color(QPalette::Window), 0.2));
            painter.drawRoundedRect(box, 3, 3);
        }
        painter.setPen(QPen(option.palette.color(QPalette::WindowText), 1.4, Qt::SolidLine, Qt::RoundCap));
        const qreal inset = box.width() * 0.28;
        const QRectF cross = box.adjusted(inset, inset, -inset, -inset);
        painter.drawLine(cross.topLeft(), cross.bottomRight());
        painter.drawLine(cross.bottomLeft(), cross.topRight());
        painter.restore();
    }

    static void drawOutline(const QStyleOption& option, QPainter& painter)
    {
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(blended(option.palette.color(QPalette::Text), option.palette.color(QPalette::Base), 0.3));
        painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
        painter.restore();
    }
};

QPalette lightPalette()
{
    QPalette out(QColor(0xF3, 0xF4, 0xF6));
    out.setColor(QPalette::Window, QColor(0xF1, 0xF2, 0xF4));
    out.setColor(QPalette::WindowText, QColor(0x1B, 0x1F, 0x24));
    out.setColor(QPalette::Base, QColor(0xFF, 0xFF, 0xFF));
    out.setColor(QPalette::AlternateBase, QColor(0xF6, 0xF7, 0xF9));
    out.setColor(QPalette::Text, QColor(0x1B, 0x1F, 0x24));
    out.setColor(QPalette::PlaceholderText, QColor(0x5F, 0x69, 0x73));
    out.setColor(QPalette::Button, QColor(0xE9, 0xEB, 0xEE));
    out.setColor(QPalette::ButtonText, QColor(0x1B, 0x1F, 0x24));
    out.setColor(QPalette::BrightText, QColor(0xFF, 0xFF, 0xFF));
    out.setColor(QPalette::ToolTipBase, QColor(0xFF, 0xF8, 0xE1));
    out.setColor(QPalette::ToolTipText, QColor(0x1B, 0x1F, 0x24));
    out.setColor(QPalette::Highlight, QColor(0x1F, 0x6F, 0xC4));
    out.setColor(QPalette::HighlightedText, QColor(0xFF, 0xFF, 0xFF));
    out.setColor(QPalette::Link, QColor(0x0B, 0x5C, 0xAD));
    out.setColor(QPalette::LinkVisited, QColor(0x6A, 0x3F, 0xA0));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        out.setColor(QPalette::Disabled, role, QColor(0x8A, 0x92, 0x9B));
    return out;
}

QPalette darkPalette()
{
    QPalette out(QColor(0x2A, 0x2E, 0x34));
    out.setColor(QPalette::Window, QColor(0x23, 0x27, 0x2C));
    out.setColor(QPalette::WindowText, QColor(0xE4, 0xE7, 0xEB));
    out.setColor(QPalette::Base, QColor(0x1A, 0x1D, 0x21));
    out.setColor(QPalette::AlternateBase, QColor(0x20, 0x24, 0x29));
    out.setColor(QPalette::Text, QColor(0xE4, 0xE7, 0xEB));
    out.setColor(QPalette::PlaceholderText, QColor(0x9A, 0xA4, 0xAF));
    out.setColor(QPalette::Button, QColor(0x30, 0x35, 0x3B));
    out.setColor(QPalette::ButtonText, QColor(0xE4, 0xE7, 0xEB));
    out.setColor(QPalette::BrightText, QColor(0xFF, 0xFF, 0xFF));
    out.setColor(QPalette::ToolTipBase, QColor(0x3A, 0x35, 0x26));
    out.setColor(QPalette::ToolTipText, QColor(0xF2, 0xEA, 0xD3));
    out.setColor(QPalette::Highlight, QColor(0x2D, 0x6C, 0xB5));
    out.setColor(QPalette::HighlightedText, QColor(0xFF, 0xFF, 0xFF));
    out.setColor(QPalette::Link, QColor(0x6F, 0xB3, 0xF2));
    out.setColor(QPalette::LinkVisited, QColor(0xBD, 0x9C, 0xEB));
    out.setColor(QPalette::Light, QColor(0x3C, 0x42, 0x49));
    out.setColor(QPalette::Midlight, QColor(0x35, 0x3A, 0x41));
    out.setColor(QPalette::Mid, QColor(0x1C, 0x1F, 0x24));
    out.setColor(QPalette::Dark, QColor(0x15, 0x18, 0x1B));
    out.setColor(QPalette::Shadow, QColor(0x0B, 0x0D, 0x0F));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        out.setColor(QPalette::Disabled, role, QColor(0x75, 0x7E, 0x88));
    return out;
}

/// Draws an SVG whose strokes are "currentColor" in the colour that the palette has when it is painted: a change of theme needs no new
/// icons, and every scale is sharp.
class SvgIconEngine final : public QIconEngine
{
public:
    explicit SvgIconEngine(QByteArray svg)
        : m_svg(std::move(svg))
    {
    }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override
    {
        const QPalette palette = QApplication::palette();
        QColor color = palette.color(mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active, QPalette::ButtonText);
        if (mode == QIcon::Selected)
            color = palette.color(QPalette::HighlightedText);
        QByteArray svg = m_svg;
        svg.replace("currentColor", color.name().toLatin1());
        QSvgRenderer renderer(svg);
        renderer.render(painter, rect);
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap out(size);
        out.fill(Qt::transparent);
        QPainter painter(&out);
        paint(&painter, QRect({}, size), mode, state);
        return out;
    }

    QIconEngine* clone() const override { return new SvgIconEngine(m_svg); }

private:
    QByteArray m_svg;
};

} // namespace

QString id(Theme theme)
{
    switch (theme) {
    case Theme::System:
        return QStringLiteral("system");
    case Theme::Light:
        return QStringLiteral("light");
    case Theme::Dark:
        return QStringLiteral("dark");
    }
    return {};
}

Theme themeOf(const QString& id)
{
    if (id == QLatin1String("light"))
        return Theme::Light;
    return id == QLatin1String("dark") ? Theme::Dark : Theme::System;
}

void applyTheme(Theme theme)
{
    // What the desktop says, before anything of ours is laid over it.
    static const QPalette desktop = QApplication::palette();
    static const bool hasStyle = [] {
        QApplication::setStyle(new WorkbenchStyle);
        return true;
    }();
    Q_UNUSED(hasStyle)
    const bool dark = theme == Theme::Dark || (theme == Theme::System && isDark(desktop));
    QApplication::setPalette(dark ? darkPalette() : lightPalette());
}

QIcon icon(std::string_view name)
{
    const std::string_view svg = resources::icons(std::string(name) + ".svg");
    Q_ASSERT(!svg.empty());
    return QIcon(new SvgIconEngine(QByteArray(svg.data(), static_cast<qsizetype>(svg.size()))));
}

QIcon programIcon()
{
    return icon("srt-workbench");
}

} // namespace wb::ui
