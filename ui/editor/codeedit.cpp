#include "ui/editor/codeedit.h"

#include "ui/theme/colours.h"
#include "ui/theme/severity.h"

#include <QEvent>
#include <QFontDatabase>
#include <QHelpEvent>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QTextBlock>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <cmath>

namespace wb::ui {
namespace {

constexpr int indentWidth = 2;
constexpr int markWidth = 20; ///< Of the gutter, for the problem's mark.
constexpr int gutterMargin = 8;
constexpr double smallestPoints = 6.0;
constexpr double largestPoints = 48.0;

int indentOf(const QString& line)
{
    const auto first = std::find_if(line.begin(), line.end(), [](QChar character) { return character != u' '; });
    return static_cast<int>(first - line.begin());
}

/// Each severity has its own line, so that it can be told without colour.
void paintUnderline(QPainter& painter, double from, double to, double y, syntax::Severity severity, const QPalette& palette)
{
    QPen pen(severityColor(severity, palette), 1.2);
    if (severity == syntax::Severity::Info)
        pen.setStyle(Qt::DashLine);
    if (severity == syntax::Severity::Hint) {
        pen.setStyle(Qt::DotLine);
        pen.setWidthF(1.6);
    }
    painter.setPen(pen);
    if (severity == syntax::Severity::Info || severity == syntax::Severity::Hint) {
        painter.drawLine(QPointF(from, y + 1), QPointF(to, y + 1));
        return;
    }
    constexpr double step = 2.2;
    const double height = severity == syntax::Severity::Error ? 1.4 : 0.9;
    QPainterPath wave(QPointF(from, y));
    const int halves = static_cast<int>(std::ceil((to - from) / step));
    for (int i = 0; i < halves; ++i) {
        const double x = from + i * step;
        wave.quadTo(x + step / 2, y + (i % 2 == 0 ? 2 : -2) * height, std::min(x + step, to), y);
    }
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(wave);
}

} // namespace

class CodeEdit::Gutter final : public QWidget
{
public:
    explicit Gutter(CodeEdit& edit)
        : QWidget(&edit)
        , m_edit(edit)
    {
        setObjectName(QStringLiteral("editorGutter"));
        setAccessibleName(CodeEdit::tr("Line numbers and problem marks"));
        setMouseTracking(true);
    }

    [[nodiscard]] QSize sizeHint() const override { return {m_edit.gutterWidth(), 0}; }

protected:
    void paintEvent(QPaintEvent* event) override
    {
        QPainter painter(this);
        m_edit.paintGutter(painter, event->rect());
    }

    void mousePressEvent(QMouseEvent* event) override
    {
        const std::optional<Row> row = rowAt(event->pos());
        if (!row)
            return;
        if (event->pos().x() < markWidth && !m_edit.m_problems.within(row->bytes).empty()) {
            Q_EMIT m_edit.markClicked(row->bytes);
            return;
        }
        QTextCursor cursor(row->block);
        cursor.movePosition(QTextCursor::NextBlock, QTextCursor::KeepAnchor);
        m_edit.setTextCursor(cursor);
        m_edit.setFocus();
    }

    void wheelEvent(QWheelEvent* event) override { m_edit.wheelEvent(event); }

    bool event(QEvent* event) override
    {
        if (event->type() == QEvent::ToolTip) {
            const auto* help = static_cast<QHelpEvent*>(event);
            if (const std::optional<Row> row = rowAt(help->pos())) {
                const QRect box(mapToGlobal(QPoint(0, static_cast<int>(row->box.top()))),
                                QSize(width(), static_cast<int>(row->box.height())));
                Q_EMIT m_edit.hoverWanted(row->bytes, box);
            }
            return true;
        }
        if (event->type() == QEvent::MouseMove)
            Q_EMIT m_edit.mouseMoved(static_cast<QMouseEvent*>(event)->globalPosition().toPoint());
        return QWidget::event(event);
    }

private:
    [[nodiscard]] std::optional<Row> rowAt(const QPoint& place) const
    {
        for (const Row& row : m_edit.rowsInView()) {
            if (place.y() >= row.box.top() && place.y() < row.box.bottom())
                return row;
        }
        return std::nullopt;
    }

    CodeEdit& m_edit;
};

CodeEdit::CodeEdit(QWidget* parent)
    : QPlainTextEdit(parent)
    , m_highlighter(*document(), this)
    , m_gutter(new Gutter(*this))
{
    setObjectName(QStringLiteral("editorText"));
    setAccessibleName(tr("Text"));
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setFrameShape(QFrame::NoFrame);
    setCursorWidth(2);
    viewport()->setMouseTracking(true);
    connect(document(), &QTextDocument::contentsChange, this, &CodeEdit::followChange);
    connect(document(), &QTextDocument::contentsChanged, this, [this] {
        if (!std::exchange(m_changed, false) || m_loading)
            return;
        layOut();
        Q_EMIT edited();
    });
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& area, int scrolled) {
        if (scrolled != 0)
            m_gutter->scroll(0, scrolled);
        else
            m_gutter->update(0, area.y(), m_gutter->width(), area.height());
        lookAtView();
    });
    connect(this, &QPlainTextEdit::cursorPositionChanged, this, [this] {
        viewport()->update();
        m_gutter->update();
    });
    zoomBy(0);
    m_highlighter.setPalette(palette());
    m_highlighter.setLanguage(QStringLiteral("YAML"));
}

CodeEdit::~CodeEdit() = default;

void CodeEdit::setWholeText(const QString& text)
{
    m_loading = true;
    m_problems.clear();
    setPlainText(text);
    m_positions.reset(*document());
    m_loading = false;
    m_changed = false;
    document()->setModified(false);
    layOut();
}

void CodeEdit::followChange(int position, int removed, int added)
{
    if (m_loading)
        return;
    const TextChange change = m_positions.follow(*document(), position, removed, added);
    if (change.isEmpty())
        return;
    m_changed = true;
    m_problems.follow(change);
}

void CodeEdit::setProblems(std::string_view source, const std::vector<syntax::Diagnostic>& problems)
{
    m_problems.set(source, m_positions.text(), problems);
    viewport()->update();
    m_gutter->update();
}

void CodeEdit::setMatches(std::vector<int> positions, int length)
{
    m_matches = std::move(positions);
    m_matchLength = length;
    viewport()->update();
}

void CodeEdit::applyEdits(std::vector<syntax::TextEdit> edits)
{
    std::stable_sort(edits.begin(), edits.end(), [](const auto& a, const auto& b) { return a.range < b.range; });
    struct Placed {
        int begin;
        int end;
        QString text;
    };
    std::vector<Placed> placed;
    placed.reserve(edits.size());
    for (const syntax::TextEdit& edit : edits)
        placed.push_back(
            {m_positions.positionOf(edit.range.begin), m_positions.positionOf(edit.range.end), QString::fromStdString(edit.text)});
    QTextCursor cursor(document());
    cursor.beginEditBlock();
    for (auto edit = placed.rbegin(); edit != placed.rend(); ++edit) {
        cursor.setPosition(edit->begin);
        cursor.setPosition(edit->end, QTextCursor::KeepAnchor);
        cursor.insertText(edit->text);
    }
    cursor.endEditBlock();
}

// --- what is in view ------------------------------------------------------------------------------------------------------------------

std::vector<CodeEdit::Row> CodeEdit::rowsInView() const
{
    std::vector<Row> rows;
    const double bottom = viewport()->height();
    QTextBlock block = firstVisibleBlock();
    QRectF box = blockBoundingGeometry(block).translated(contentOffset());
    while (block.isValid() && box.top() <= bottom) {
        if (block.isVisible()) {
            const std::size_t begin = m_positions.offsetOf(block.position());
            const std::size_t end = m_positions.offsetOf(block.position() + block.length() - 1);
            rows.push_back({block, box, {begin, end}});
        }
        block = block.next();
        box = QRectF(QPointF(box.left(), box.bottom()), blockBoundingRect(block).size());
    }
    return rows;
}

void CodeEdit::lookAtView()
{
    const QTextBlock first = firstVisibleBlock();
    const double lineHeight = std::max(1.0, blockBoundingRect(first).height());
    const int lines = static_cast<int>(std::ceil(viewport()->height() / lineHeight)) + 1;
    m_highlighter.showLines(first.blockNumber(), first.blockNumber() + lines);
}

int CodeEdit::gutterWidth() const
{
    const int digits = std::max(3, static_cast<int>(QString::number(std::max(1, blockCount())).size()));
    return markWidth + fontMetrics().horizontalAdvance(u'9') * digits + gutterMargin + 4;
}

void CodeEdit::layOut()
{
    const int width = gutterWidth();
    setViewportMargins(width, 0, 0, 0);
    const QRect inside = contentsRect();
    m_gutter->setGeometry(inside.left(), inside.top(), width, inside.height());
    lookAtView();
}

void CodeEdit::resizeEvent(QResizeEvent* event)
{
    QPlainTextEdit::resizeEvent(event);
    layOut();
}

void CodeEdit::changeEvent(QEvent* event)
{
    QPlainTextEdit::changeEvent(event);
    switch (event->type()) {
    case QEvent::PaletteChange:
    case QEvent::StyleChange:
        m_highlighter.setPalette(palette());
        m_gutter->update();
        break;
    case QEvent::ApplicationFontChange:
        applyFont();
        break;
    default:
        break;
    }
}

void CodeEdit::zoomBy(int steps)
{
    m_zoom = steps == 0 ? 0 : m_zoom + steps;
    applyFont();
}

void CodeEdit::applyFont()
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    const double base = font.pointSizeF() > 0 ? font.pointSizeF() : 10.0;
    const double points = std::clamp(base + m_zoom, smallestPoints, largestPoints);
    m_zoom = static_cast<int>(std::lround(points - base));
    font.setPointSizeF(points);
    setFont(font);
    setTabStopDistance(fontMetrics().horizontalAdvance(u' ') * 8);
    layOut();
}

QRect CodeEdit::rectOf(syntax::Range range) const
{
    const int begin = m_positions.positionOf(range.begin);
    const QTextBlock block = document()->findBlock(begin);
    const QRectF box = blockBoundingGeometry(block).translated(contentOffset());
    const QTextLayout* layout = block.layout();
    if (layout->lineCount() == 0)
        return box.toRect();
    const QTextLine line = layout->lineAt(0);
    const int last = block.length() - 1;
    const int from = begin - block.position();
    const int to = std::min(m_positions.positionOf(range.end) - block.position(), last);
    const double left = line.cursorToX(from);
    const double least = fontMetrics().horizontalAdvance(u'n');
    const double width = std::max(to > from ? line.cursorToX(to) - left : 0.0, least);
    return QRectF(box.left() + left, box.top(), width, box.height()).toAlignedRect();
}

// --- painting -------------------------------------------------------------------------------------------------------------------------

void CodeEdit::paintEvent(QPaintEvent* event)
{
    const std::vector<Row> rows = rowsInView();
    {
        QPainter painter(viewport());
        painter.setClipRect(event->rect());
        paintBelow(painter, rows);
    }
    QPlainTextEdit::paintEvent(event);
    QPainter painter(viewport());
    painter.setClipRect(event->rect());
    paintSquiggles(painter, rows);
}

void CodeEdit::paintBelow(QPainter& painter, const std::vector<Row>& rows)
{
    const QColor base = palette().color(QPalette::Base);
    const QColor text = palette().color(QPalette::Text);
    const QTextBlock current = textCursor().block();
    for (const Row& row : rows) {
        if (row.block == current && !isReadOnly())
            painter.fillRect(QRectF(0, row.box.top(), viewport()->width(), row.box.height()), blended(text, base, 0.06));
    }
    if (m_matches.empty() || rows.empty())
        return;
    const QColor match = blended(QColor(0xff, 0xb3, 0x00), base, 0.38);
    const int end = rows.back().block.position() + rows.back().block.length();
    auto next = std::lower_bound(m_matches.begin(), m_matches.end(), rows.front().block.position());
    for (; next != m_matches.end() && *next < end; ++next) {
        const syntax::Range range{m_positions.offsetOf(*next), m_positions.offsetOf(*next + m_matchLength)};
        painter.fillRect(rectOf(range), match);
    }
}

void CodeEdit::paintSquiggles(QPainter& painter, const std::vector<Row>& rows)
{
    if (rows.empty() || m_problems.problems().empty())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    const QPalette colours = palette();
    const double least = fontMetrics().horizontalAdvance(u'n');
    // The most severe is painted last, over the others.
    std::array<std::vector<const syntax::Diagnostic*>, 4> bySeverity;
    for (const syntax::Diagnostic& problem : m_problems.problems()) {
        if (problem.range.begin > rows.back().bytes.end)
            break;
        if (problem.range.end >= rows.front().bytes.begin)
            bySeverity[static_cast<std::size_t>(problem.severity)].push_back(&problem);
    }
    for (auto severity = bySeverity.rbegin(); severity != bySeverity.rend(); ++severity) {
        for (const syntax::Diagnostic* problem : *severity) {
            for (const Row& row : rows) {
                const bool begins = row.bytes.begin <= problem->range.begin && problem->range.begin <= row.bytes.end;
                if (!begins && !(problem->range.begin < row.bytes.begin && problem->range.end > row.bytes.begin))
                    continue;
                const QTextLayout* layout = row.block.layout();
                if (layout->lineCount() == 0)
                    continue;
                const QTextLine line = layout->lineAt(0);
                const int from = begins ? m_positions.positionOf(problem->range.begin) - row.block.position() : indentOf(row.block.text());
                const int to = problem->range.end > row.bytes.end ? row.block.length() - 1
                                                                  : m_positions.positionOf(problem->range.end) - row.block.position();
                const double left = row.box.left() + line.cursorToX(from);
                const double right = std::max(row.box.left() + line.cursorToX(std::max(from, to)), left + least);
                const double y = std::min(row.box.top() + line.ascent() + 2.5, row.box.bottom() - 1.5);
                paintUnderline(painter, left, right, y, problem->severity, colours);
            }
        }
    }
}

void CodeEdit::paintGutter(QPainter& painter, const QRect& area)
{
    const QColor base = palette().color(QPalette::Base);
    const QColor text = palette().color(QPalette::Text);
    painter.fillRect(area, blended(text, base, 0.035));
    const QColor number = readable(blended(text, base, 0.5), base);
    painter.setFont(font());
    const int current = textCursor().blockNumber();
    const auto& problems = m_problems.problems();
    for (const Row& row : rowsInView()) {
        const QRectF box(0, row.box.top(), m_gutter->width(), row.box.height());
        painter.setPen(row.block.blockNumber() == current ? text : number);
        const QString label = QString::number(row.block.blockNumber() + 1);
        const QTextLayout* layout = row.block.layout();
        const double ascent = layout->lineCount() > 0 ? layout->lineAt(0).ascent() : fontMetrics().ascent();
        painter.drawText(QPointF(box.right() - gutterMargin - fontMetrics().horizontalAdvance(label), box.top() + ascent), label);
        auto problem = std::lower_bound(problems.begin(), problems.end(), row.bytes.begin,
                                        [](const syntax::Diagnostic& each, std::size_t offset) { return each.range.begin < offset; });
        std::optional<syntax::Severity> worst;
        for (; problem != problems.end() && problem->range.begin <= row.bytes.end; ++problem)
            worst = std::min(worst.value_or(syntax::Severity::Hint), problem->severity);
        if (worst) {
            const double side = std::min(13.0, box.height() - 3);
            paintSeverity(painter, QRectF((markWidth - side) / 2 + 1, box.center().y() - side / 2, side, side), *worst, palette());
        }
    }
}

// --- mouse ----------------------------------------------------------------------------------------------------------------------------

bool CodeEdit::viewportEvent(QEvent* event)
{
    switch (event->type()) {
    case QEvent::ToolTip:
        hover(static_cast<QHelpEvent*>(event)->pos());
        return true;
    case QEvent::MouseMove:
        Q_EMIT mouseMoved(static_cast<QMouseEvent*>(event)->globalPosition().toPoint());
        break;
    case QEvent::MouseButtonPress:
    case QEvent::Wheel:
        Q_EMIT hoverEnded();
        break;
    case QEvent::Leave:
        Q_EMIT mouseMoved(QCursor::pos());
        break;
    default:
        break;
    }
    return QPlainTextEdit::viewportEvent(event);
}

void CodeEdit::hover(const QPoint& place)
{
    for (const Row& row : rowsInView()) {
        if (place.y() < row.box.top() || place.y() >= row.box.bottom())
            continue;
        const QTextLayout* layout = row.block.layout();
        if (layout->lineCount() == 0)
            return;
        const QTextLine line = layout->lineAt(0);
        const double x = place.x() - row.box.left();
        if (x < 0 || x > line.naturalTextWidth() + fontMetrics().horizontalAdvance(u'n') + 2)
            return;
        const int at = row.block.position() + line.xToCursor(x, QTextLine::CursorOnCharacter);
        const syntax::Range under{m_positions.offsetOf(at),
                                  m_positions.offsetOf(std::min(at + 1, row.block.position() + row.block.length() - 1))};
        const QRect box = rectOf(under);
        Q_EMIT hoverWanted(under, QRect(viewport()->mapToGlobal(box.topLeft()), box.size()));
        return;
    }
}

void CodeEdit::wheelEvent(QWheelEvent* event)
{
    if (event->modifiers().testFlag(Qt::ControlModifier) && event->angleDelta().y() != 0) {
        zoomBy(event->angleDelta().y() > 0 ? 1 : -1);
        event->accept();
        return;
    }
    QPlainTextEdit::wheelEvent(event);
}

bool CodeEdit::canInsertFromMimeData(const QMimeData* source) const
{
    // Dropped files are opened by the window, not written into the text.
    return !source->hasUrls() && QPlainTextEdit::canInsertFromMimeData(source);
}

// --- keys -----------------------------------------------------------------------------------------------------------------------------

void CodeEdit::keyPressEvent(QKeyEvent* event)
{
    Q_EMIT hoverEnded();
    if (isReadOnly()) {
        QPlainTextEdit::keyPressEvent(event);
        return;
    }
    const Qt::KeyboardModifiers modifiers = event->modifiers() & ~Qt::KeypadModifier;
    switch (event->key()) {
    case Qt::Key_Tab:
        if (modifiers != Qt::NoModifier)
            break;
        if (textCursor().selectedText().contains(QChar::ParagraphSeparator))
            indentLines(1);
        else
            textCursor().insertText(QString(indentWidth, u' '));
        return;
    case Qt::Key_Backtab:
        indentLines(-1);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (modifiers != Qt::NoModifier)
            break;
        breakLine();
        return;
    case Qt::Key_Backspace:
        if (modifiers == Qt::NoModifier && unindentByBackspace())
            return;
        break;
    case Qt::Key_Home:
        if (modifiers == Qt::NoModifier || modifiers == Qt::ShiftModifier) {
            smartHome(modifiers == Qt::ShiftModifier);
            return;
        }
        break;
    default:
        break;
    }
    QPlainTextEdit::keyPressEvent(event);
}

/// Enter keeps the indentation, goes one step in behind a key or block scalar that is left open, and lines up with the keys of a list's
/// item.
void CodeEdit::breakLine()
{
    QTextCursor cursor = textCursor();
    cursor.beginEditBlock();
    cursor.removeSelectedText();
    const QString before = cursor.block().text().left(cursor.positionInBlock());
    int indent = std::min(indentOf(before), static_cast<int>(before.size()));
    const QString written = before.trimmed();
    if (!written.startsWith(u'#')) {
        static const QString opening = QStringLiteral(":|>{[(");
        const QString body = written.section(QStringLiteral(" #"), 0, 0).trimmed();
        int within = indent;
        for (QString rest = before.mid(indent); rest.startsWith(QStringLiteral("- ")) && rest.contains(QStringLiteral(": "));
             rest = rest.mid(indentWidth))
            within += indentWidth;
        if (!body.isEmpty() && opening.contains(body.back()))
            indent = (body.startsWith(QStringLiteral("- ")) ? indent + indentWidth : indent) + indentWidth;
        else
            indent = within;
    }
    cursor.insertText(QStringLiteral("\n") + QString(indent, u' '));
    cursor.endEditBlock();
    setTextCursor(cursor);
    ensureCursorVisible();
}

bool CodeEdit::unindentByBackspace()
{
    QTextCursor cursor = textCursor();
    const int column = cursor.positionInBlock();
    if (cursor.hasSelection() || column < 2 || indentOf(cursor.block().text()) < column)
        return false;
    const int back = column % indentWidth == 0 ? indentWidth : column % indentWidth;
    cursor.movePosition(QTextCursor::Left, QTextCursor::KeepAnchor, back);
    cursor.removeSelectedText();
    return true;
}

void CodeEdit::smartHome(bool select)
{
    QTextCursor cursor = textCursor();
    const int indent = indentOf(cursor.block().text());
    const int target = cursor.positionInBlock() == indent ? 0 : indent;
    cursor.setPosition(cursor.block().position() + target, select ? QTextCursor::KeepAnchor : QTextCursor::MoveAnchor);
    setTextCursor(cursor);
}

void CodeEdit::forSelectedLines(const std::function<void(QTextCursor&, const QTextBlock&)>& change)
{
    QTextCursor cursor = textCursor();
    QTextBlock block = document()->findBlock(cursor.selectionStart());
    const QTextBlock last = document()->findBlock(cursor.hasSelection() ? cursor.selectionEnd() - 1 : cursor.selectionEnd());
    cursor.beginEditBlock();
    for (; block.isValid(); block = block.next()) {
        QTextCursor at(block);
        change(at, block);
        if (block == last)
            break;
    }
    cursor.endEditBlock();
}

void CodeEdit::indentLines(int by)
{
    forSelectedLines([by](QTextCursor& at, const QTextBlock& block) {
        if (by > 0) {
            if (!block.text().isEmpty())
                at.insertText(QString(indentWidth, u' '));
            return;
        }
        at.movePosition(QTextCursor::Right, QTextCursor::KeepAnchor, std::min(indentWidth, indentOf(block.text())));
        at.removeSelectedText();
    });
}

void CodeEdit::toggleComment()
{
    const QString mark = m_highlighter.commentMark();
    if (isReadOnly() || mark.isEmpty())
        return;
    int indent = -1;
    bool commented = true;
    forSelectedLines([&](QTextCursor&, const QTextBlock& block) {
        const QString text = block.text();
        if (text.trimmed().isEmpty())
            return;
        indent = indent < 0 ? indentOf(text) : std::min(indent, indentOf(text));
        commented = commented && text.trimmed().startsWith(mark);
    });
    if (indent < 0)
        return;
    forSelectedLines([&](QTextCursor& at, const QTextBlock& block) {
        const QString text = block.text();
        if (text.trimmed().isEmpty())
            return;
        at.setPosition(block.position() + (commented ? indentOf(text) : indent));
        if (!commented) {
            at.insertText(mark + u' ');
            return;
        }
        const QString rest = text.mid(indentOf(text));
        const qsizetype length = mark.size() + (rest.mid(mark.size()).startsWith(u' ') ? 1 : 0);
        at.movePosition(QTextCursor::Right, QTextCursor::KeepAnchor, static_cast<int>(length));
        at.removeSelectedText();
    });
}

void CodeEdit::moveLines(int by)
{
    if (isReadOnly())
        return;
    QTextCursor cursor = textCursor();
    const QTextBlock first = document()->findBlock(cursor.selectionStart());
    const QTextBlock last = document()->findBlock(cursor.hasSelection() ? cursor.selectionEnd() - 1 : cursor.selectionEnd());
    const QTextBlock neighbour = by < 0 ? first.previous() : last.next();
    if (!neighbour.isValid())
        return;
    const QTextBlock top = by < 0 ? neighbour : first;
    const QTextBlock bottom = by < 0 ? last : neighbour;
    QStringList lines;
    for (QTextBlock block = top; block.isValid(); block = block.next()) {
        lines.append(block.text());
        if (block == bottom)
            break;
    }
    const auto jumped = static_cast<int>(neighbour.length());
    if (by < 0)
        lines.append(lines.takeFirst());
    else
        lines.prepend(lines.takeLast());
    const int anchor = cursor.anchor() + (by < 0 ? -jumped : jumped);
    const int position = cursor.position() + (by < 0 ? -jumped : jumped);
    cursor.beginEditBlock();
    cursor.setPosition(top.position());
    cursor.setPosition(bottom.position() + bottom.length() - 1, QTextCursor::KeepAnchor);
    cursor.insertText(lines.join(u'\n'));
    cursor.endEditBlock();
    const int end = document()->characterCount() - 1;
    cursor.setPosition(std::clamp(anchor, 0, end));
    cursor.setPosition(std::clamp(position, 0, end), QTextCursor::KeepAnchor);
    setTextCursor(cursor);
}

void CodeEdit::reveal(syntax::Range range)
{
    QTextCursor cursor(document());
    cursor.setPosition(m_positions.positionOf(range.begin));
    cursor.setPosition(m_positions.positionOf(range.end), QTextCursor::KeepAnchor);
    setTextCursor(cursor);
    // Only a jump out of view is brought to the middle: a small step must not make the text leap.
    const QRect place = cursorRect();
    const QRect view = viewport()->rect();
    if (place.top() < view.top() + place.height() || place.bottom() > view.bottom() - 2 * place.height())
        centerCursor();
    else
        ensureCursorVisible();
}

std::size_t CodeEdit::cursorOffset() const
{
    return m_positions.offsetOf(textCursor().position());
}

syntax::Range CodeEdit::lineOfCursor() const
{
    const QTextBlock block = textCursor().block();
    return {m_positions.offsetOf(block.position()), m_positions.offsetOf(block.position() + block.length() - 1)};
}

} // namespace wb::ui
