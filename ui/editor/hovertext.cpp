#include "ui/editor/hovertext.h"

#include "ui/theme/colours.h"
#include "ui/theme/severity.h"

#include <QCoreApplication>
#include <QFontDatabase>
#include <QKeySequence>
#include <QPalette>

namespace wb::ui {
namespace {

QString tr(const char* words)
{
    return QCoreApplication::translate("wb::ui::HoverText", words);
}

QString escaped(const std::string& text)
{
    return QString::fromStdString(text).toHtmlEscaped();
}

QString coloured(const QString& html, const QColor& colour)
{
    return QStringLiteral("<span style=\"color:%1\">%2</span>").arg(colour.name(), html);
}

QString row(const QString& label, const QString& value, const QColor& quiet)
{
    return QStringLiteral("<tr><td style=\"padding-right:12px;white-space:nowrap\">%1</td><td>%2</td></tr>")
        .arg(coloured(label, quiet), value);
}

/// Names of jobs, short enough for a card: of a long list the first ones.
QString namesOf(const assist::ResolvedValue& each)
{
    constexpr qsizetype most = 90;
    QString names;
    std::size_t shown = 0;
    for (const std::string& name : each.variants) {
        const QString next = (names.isEmpty() ? QString() : QStringLiteral(", ")) + QString::fromStdString(name);
        if (shown > 0 && names.size() + next.size() > most)
            break;
        names += next;
        ++shown;
    }
    const std::size_t more = each.count - shown;
    return more > 0 ? tr("%1 and %2 more").arg(names.toHtmlEscaped()).arg(more) : names.toHtmlEscaped();
}

QString values(const assist::Hover& hover, const QColor& quiet)
{
    const bool isOne = hover.values.size() == 1;
    QString html;
    for (const assist::ResolvedValue& each : hover.values) {
        const bool isSet = !each.from.empty();
        const QString value =
            !isSet ? coloured(tr("not set"), quiet)
                   : QStringLiteral("<b>%1</b> ").arg(escaped(each.value)) + coloured(tr("from %1").arg(escaped(each.from)), quiet);
        // Where the jobs differ the value comes first: their names are long, and it is the value that was asked for.
        if (!isOne)
            html +=
                QStringLiteral("<tr><td style=\"padding-right:12px\">%1</td><td>%2</td></tr>").arg(value, coloured(namesOf(each), quiet));
        else if (hover.jobs > 1)
            html += row(tr("In all %1 jobs").arg(hover.jobs), value, quiet);
        else
            html += row(isSet ? tr("Comes to") : tr("Value"), value, quiet);
    }
    return html;
}

} // namespace

QString htmlOf(const assist::Hover& hover, const QPalette& palette, bool definition)
{
    const QColor back = palette.color(QPalette::Window);
    const QColor quiet = quietText(palette);
    const QColor warning = readable(severityColor(syntax::Severity::Warning, palette), back);
    QString html = QStringLiteral("<div><b>%1</b></div>").arg(escaped(hover.title));
    if (!hover.doc.empty())
        html += QStringLiteral("<div style=\"margin-top:4px\">%1</div>").arg(escaped(hover.doc));
    QString rows;
    QString warnings;
    for (const assist::Fact& fact : hover.facts) {
        const QString value = fact.isWarning ? coloured(escaped(fact.value), warning) : escaped(fact.value);
        if (fact.label.empty())
            warnings += QStringLiteral("<div style=\"margin-top:4px\">%1</div>").arg(value);
        else
            rows += row(escaped(fact.label), value, quiet);
    }
    html += warnings;
    if (!rows.isEmpty())
        html += QStringLiteral("<table cellspacing=\"0\" cellpadding=\"1\" style=\"margin-top:5px\">%1</table>").arg(rows);
    if (!hover.values.empty()) {
        html += QStringLiteral("<table cellspacing=\"0\" cellpadding=\"1\" style=\"margin-top:5px\">%1</table>").arg(values(hover, quiet));
        if (hover.isOfOlderText)
            html += QStringLiteral("<div><small>%1</small></div>").arg(coloured(tr("as of the last check"), quiet));
    }
    if (definition) {
        const QColor link = readable(palette.color(QPalette::Link), back);
        html +=
            QStringLiteral("<div style=\"margin-top:5px\"><a style=\"color:%1\" href=\"definition:0:0\">%2</a>&nbsp;&nbsp;%3</div>")
                .arg(link.name(), tr("Go to definition"), coloured(QKeySequence(Qt::Key_F12).toString(QKeySequence::NativeText), quiet));
    }
    return html;
}

QString htmlOf(const assist::Preview& preview, const QPalette& palette)
{
    const QColor back = palette.color(QPalette::Window);
    const QColor quiet = quietText(palette);
    const QString font = QFontDatabase::systemFont(QFontDatabase::FixedFont).family();
    QString html;
    for (const assist::PreviewLine& line : preview.lines) {
        const bool isPut = line.kind == assist::PreviewLine::Kind::Put;
        const QColor hue(isPut ? 0x009e73 : 0xd55e00);
        const QColor ground = blended(hue, back, 0.16);
        const QColor front = readable(palette.color(QPalette::WindowText), ground);
        html +=
            QStringLiteral("<tr><td style=\"padding-right:8px;color:%1\" align=\"right\">%2</td>"
                           "<td style=\"background-color:%3;color:%4;white-space:pre;padding-left:4px;padding-right:8px\">%5 %6</td></tr>")
                .arg(quiet.name())
                .arg(line.line)
                .arg(ground.name(), front.name(), isPut ? QStringLiteral("+") : QStringLiteral("\u2212"), escaped(line.text));
    }
    html = QStringLiteral("<table cellspacing=\"0\" cellpadding=\"1\" style=\"font-family:'%1'\">%2</table>").arg(font, html);
    if (preview.more > 0)
        html += coloured(tr("and %1 more lines").arg(preview.more), quiet);
    return html;
}

} // namespace wb::ui
