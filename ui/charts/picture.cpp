#include "ui/charts/picture.h"

#include "core/store/atomicfile.h"
#include "ui/charts/chartscene.h"

#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QImageWriter>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSvgGenerator>

#include <algorithm>
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
    return QImageWriter(&out, "png").write(imageOf(scene));
}

bool writeSvg(ChartScene& scene, QIODevice& out)
{
    const QRectF box = scene.sceneRect();
    QBuffer drawn;
    QSvgGenerator generator;
    generator.setOutputDevice(&drawn);
    generator.setSize(box.size().toSize());
    generator.setViewBox(box);
    generator.setTitle(titleOf(scene));
    generator.setDescription(scene.summary());
    QPainter painter;
    if (!painter.begin(&generator))
        return false;
    scene.render(&painter, box, box);
    const QByteArray svg = painter.end() ? withFallbackFont(drawn.data()) : QByteArray();
    return !svg.isEmpty() && out.write(svg) == svg.size();
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

QByteArray withFallbackFont(QByteArray svg)
{
    static const QRegularExpression family(QStringLiteral("font-family=\"([^\"',]*)\""));
    return QString::fromUtf8(svg).replace(family, QStringLiteral("font-family=\"'\\1', sans-serif\"")).toUtf8();
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

bool isPictureName(const QString& file)
{
    const QString suffix = QFileInfo(file).suffix().toLower();
    return std::any_of(formats.begin(), formats.end(), [&](const PictureFormat& format) { return suffix == QLatin1String(format.suffix); });
}

// Pictures are made in memory: drawing knows nothing of disks, and writing says itself what was wrong with one.

Result<void> writePicture(ChartScene& scene, const QString& file)
{
    const QString suffix = QFileInfo(file).suffix().toLower();
    for (const PictureFormat& format : formats) {
        if (suffix != QLatin1String(format.suffix))
            continue;
        scene.setMedium(format.medium);
        QBuffer bytes;
        if (!bytes.open(QIODevice::WriteOnly) || !format.write(scene, bytes))
            return failure(ErrorCode::Refused, "The picture \"" + file.toStdString() + "\" could not be drawn; it may be too large.");
        return store::writeAtomically(file.toStdString(), bytes.data().toStdString());
    }
    return failure(ErrorCode::Unsupported, "The picture \"" + file.toStdString() + "\" must end in .png, .svg or .pdf.");
}

Result<void> saveImage(const QImage& image, const QString& file)
{
    QBuffer bytes;
    QImageWriter writer(&bytes, QFileInfo(file).suffix().toLatin1());
    if (!bytes.open(QIODevice::WriteOnly) || !writer.write(image))
        return failure(ErrorCode::Unsupported,
                       "The picture \"" + file.toStdString() + "\" cannot be made: " + writer.errorString().toStdString() + '.');
    return store::writeAtomically(file.toStdString(), bytes.data().toStdString());
}

} // namespace wb::ui::charts
