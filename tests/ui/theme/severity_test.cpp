#include "ui/theme/colours.h"
#include "ui/theme/severity.h"

#include <QImage>
#include <QPainter>
#include <QPalette>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <vector>

namespace wb::ui {
namespace {

constexpr std::array all = {syntax::Severity::Error, syntax::Severity::Warning, syntax::Severity::Info, syntax::Severity::Hint};

QPalette paletteOf(const QColor& base, const QColor& text)
{
    QPalette palette;
    palette.setColor(QPalette::Base, base);
    palette.setColor(QPalette::Text, text);
    return palette;
}

TEST(Severity, CanBeReadOnLightAndDark)
{
    for (const QPalette& palette : {paletteOf(Qt::white, Qt::black), paletteOf(QColor(0x1b, 0x1e, 0x20), Qt::white)}) {
        for (const syntax::Severity severity : all)
            EXPECT_GE(contrast(severityColor(severity, palette), palette.color(QPalette::Base)), 4.5) << syntax::name(severity);
    }
}

TEST(Severity, HasAShapeOfItsOwn)
{
    // Without colour: which pixels are painted.
    std::vector<QImage> shapes;
    for (const syntax::Severity severity : all) {
        QImage image(16, 16, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        paintSeverity(painter, QRectF(0, 0, 16, 16), severity, paletteOf(Qt::transparent, Qt::black));
        painter.end();
        shapes.push_back(image.convertToFormat(QImage::Format_Alpha8));
    }
    for (std::size_t a = 0; a < shapes.size(); ++a) {
        for (std::size_t b = a + 1; b < shapes.size(); ++b) {
            int different = 0;
            for (int y = 0; y < 16; ++y) {
                for (int x = 0; x < 16; ++x)
                    different += std::abs(shapes[a].constScanLine(y)[x] - shapes[b].constScanLine(y)[x]) > 100 ? 1 : 0;
            }
            EXPECT_GT(different, 20) << syntax::name(all[a]) << " looks like " << syntax::name(all[b]);
        }
    }
}

TEST(Severity, HasAnIconAndAWord)
{
    for (const syntax::Severity severity : all) {
        EXPECT_FALSE(severityIcon(severity, paletteOf(Qt::white, Qt::black)).isNull());
        EXPECT_FALSE(severityText(severity).isEmpty());
    }
}

} // namespace
} // namespace wb::ui
