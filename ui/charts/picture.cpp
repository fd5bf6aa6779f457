#include "ui/charts/picture.h"

#include "ui/charts/chartscene.h"

#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

#include <array>

namespace wb::ui::charts {
namespace {

constexpr double pixelsPerInch = 96.0;
constexpr int paperFactor = 6; ///< Device dots for each pixel in a PDF, so that places are not rounded to pixels.

QString titleOf(const ChartScene& scene)
{
    return scene.chart() ? QString::fromStdString(scene.chart()->title) : QString();
}

bool writePng(ChartScene& scene, QIODevice& out)
{
    return imageOf(scene).save(&out, "PNG");
}

bool writeSvg(ChartScene& scene, QIODevice& out)
{
    const QRectF box = scene.sceneRect();
    QSvgGenerator generator;
    generator.setOutputDevice(&out);
    generator.setSize(box.size().toSize());
    generator.setViewBox(box);
    generator.setTitle(titleOf(scene));
    generator.setDescription(scene.summary());
    QPainter painter;
    if (!painter.begin(&generator))
        return false;
    scene.render(&painter, box, box);
    return painter.end();
}

bool writePdf(ChartScene& scene, QIODevice& out)
{
    const QRectF box = scene.sceneRect();
    QPdfWriter writer(&out);
    writer.setTitle(titleOf(scene));
    writer.setCreator(QStringLiteral("SRT Workbench"));
    writer.setResolution(static_cast<int>(pixelsPerInch) * paperFactor);
    writer.setPageSize(QPageSize(box.size() * (72.0 / pixelsPerInch), QPageSize::Point));
    writer.setPageMargins(QMarginsF());
    QPainter painter;
    if (!painter.begin(&writer))
        return false;
    scene.render(&painter, QRectF(QPointF(0, 0), box.size() * paperFactor), box);
    return painter.end();
}

/// To add one: a row.
struct PictureFormat {
    const char* suffix;
    bool (*write)(ChartScene&, QIODevice&);
    Medium medium;
};

constexpr std::array formats = {
    PictureFormat{"png", writePng, Medium::Screen},
    PictureFormat{"svg", writeSvg, Medium::Shapes},
    PictureFormat{"pdf", writePdf, Medium::Shapes},
};

} // namespace

QPalette pictureColours()
{
    const QColor ink(0x1f, 0x23, 0x28);
    QPalette colours(ink, Qt::white);
    colours.setColor(QPalette::Base, Qt::white);
    colours.setColor(QPalette::Text, ink);
    return colours;
}

QImage imageOf(ChartScene& scene)
{
    constexpr double ratio = 2.0;
    QImage image((scene.sceneRect().size() * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    image.fill(Qt::white);
    QPainter painter(&image);
    scene.render(&painter, scene.sceneRect(), scene.sceneRect());
    return image;
}

Result<void> writePicture(ChartScene& scene, const QString& file)
{
    const QString suffix = QFileInfo(file).suffix().toLower();
    for (const PictureFormat& format : formats) {
        if (suffix != QLatin1String(format.suffix))
            continue;
        scene.setMedium(format.medium);
        QSaveFile out(file);
        if (!out.open(QIODevice::WriteOnly) || !format.write(scene, out) || !out.commit())
            return failure(ErrorCode::Denied,
                           "The picture \"" + file.toStdString() + "\" could not be written: " + out.errorString().toStdString() + ".");
        return {};
    }
    return failure(ErrorCode::Unsupported, "The picture \"" + file.toStdString() + "\" must end in .png, .svg or .pdf.");
}

} // namespace wb::ui::charts
