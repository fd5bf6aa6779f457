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
#include <QPlainTextDocumentLayout>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QTextBlock>
#include <QTextLayout>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <cmath>

namespace wb::ui {
namespace {

constexpr int indentWidth = 2;
constexpr int markWidth = 20; ///< Of the gutter, for the problem's mark.
constexpr int foldWidth = 14; ///< Of the gutter, for the folding mark.
constexpr int gutterMargin = 4;
constexpr int foldedState = 1; ///< QTextBlock::userState of a line whose block is folded.
constexpr double smallestPoints = 6.0;
constexpr double largestPoints = 48.0;

int indentOf(const QString& line)
{
    const auto first = std::find_if(line.begin(), line.end(), [](QChar character) { return character != u' '; });
    return static_cast<int>(first - line.begin());
}

bool isBlank(const QTextBlock& block)
{
    const QString text = block.text();
    return std::all_of(text.begin(), text.end(), [](QChar character) { return character.isSpace(); });
}

bool isListItem(const QString& line, int indent)
{
    return line.size() > indent && line[indent] == u'-' && (line.size() == indent + 1 || line[indent + 1] == u' ');
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
        if (event->pos().x() >= width() - foldWidth && m_edit.canFold(row->block)) {
            m_edit.setFolded(row->block, !m_edit.isFolded(row->block));
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
        if (event->type() == QEvent::Enter || event->type() == QEvent::Leave)
            update();
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
    , m_gutter(new Gutter(*this))
{
    attend(*document()); // before anything that makes the text be painted
    setObjectName(QStringLiteral("editorText"));
    setAccessibleName(tr("Text"));
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setFrameShape(QFrame::NoFrame);
    setCursorWidth(2);
    viewport()->setMouseTracking(true);
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& area, int scrolled) {
        if (scrolled != 0)
            m_gutter->scroll(0, scrolled);
        else
            m_gutter->update(0, area.y(), m_gutter->width(), area.height());
        lookAtView();
    });
    connect(this, &QPlainTextEdit::cursorPositionChanged, this, [this] {
        if (m_folds > 0 && !textCursor().block().isVisible())
            unfoldAround(textCursor().block());
        viewport()->update();
        m_gutter->update();
    });
    zoomBy(0);
}

CodeEdit::~CodeEdit() = default;

void CodeEdit::attend(QTextDocument& document)
{
    m_highlighter = std::make_unique<Highlighter>(document, this);
    m_highlighter->setPalette(palette());
    m_highlighter->setLanguage(m_language);
    connect(&document, &QTextDocument::contentsChange, this, &CodeEdit::followChange);
    connect(&document, &QTextDocument::contentsChanged, this, [this] {
        if (!std::exchange(m_changed, false) || m_loading)
            return;
        layOut();
        Q_EMIT edited();
    });
    connect(&document, &QTextDocument::undoCommandAdded, this, &CodeEdit::undoStepAdded);
}

void CodeEdit::setLanguage(const QString& definition)
{
    m_language = definition;
    m_highlighter->setLanguage(definition);
}

void CodeEdit::setWholeText(const QString& text)
{
    m_loading = true;
    m_problems.clear();
    m_folds = 0;
    m_link = {};
    setPlainText(text);
    m_positions.reset(*document());
    m_loading = false;
    m_changed = false;
    document()->setModified(false);
    layOut();
}

void CodeEdit::setWholeText(PreparedText text)
{
    m_loading = true;
    m_problems.clear();
    m_folds = 0;
    m_link = {};
    QTextDocument* next = text.document.release();
    next->setParent(this);
    next->setDefaultFont(font());
    next->setDefaultTextOption(document()->defaultTextOption());
    next->setDocumentLayout(new QPlainTextDocumentLayout(next));
    m_positions = std::move(text.positions);
    QTextDocument* old = document();
    const bool ownsOld = old->parent() == this; // else it goes by itself
    attend(*next);
    const int width = cursorWidth(); // kept by the layout
    setDocument(next);
    setCursorWidth(width);
    if (ownsOld)
        old->deleteLater();
    m_loading = false;
    m_changed = false;
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
    m_link = {};
    m_problems.follow(change);
    if (m_folds > 0)
        repairFolds(position, added);
}

void CodeEdit::setProblems(std::string_view source, const std::vector<syntax::Diagnostic>& problems)
{
    m_problems.set(source, m_positions.text(), problems);
    viewport()->update();
    m_gutter->update();
}

void CodeEdit::setMatches(std::vector<Match> matches)
{
    m_matches = std::move(matches);
    viewport()->update();
}

void CodeEdit::applyCompletion(const syntax::TextEdit& edit, std::size_t cursor)
{
    applyEdits({edit});
    QTextCursor at = textCursor();
    at.setPosition(m_positions.positionOf(edit.range.begin + cursor));
    setTextCursor(at);
    ensureCursorVisible();
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
        do
            block = block.next();
        while (block.isValid() && !block.isVisible());
        if (block.isValid())
            box = QRectF(QPointF(box.left(), box.bottom()), blockBoundingRect(block).size());
    }
    return rows;
}

void CodeEdit::lookAtView()
{
    const QTextBlock first = firstVisibleBlock();
    const double lineHeight = std::max(1.0, blockBoundingRect(first).height());
    const int lines = static_cast<int>(std::ceil(viewport()->height() / lineHeight)) + 1;
    int last = first.blockNumber() + lines;
    if (m_folds > 0) {
        QTextBlock block = first;
        for (int left = lines; left > 0 && block.isValid(); block = block.next())
            left -= block.isVisible() ? 1 : 0;
        last = block.isValid() ? block.blockNumber() : blockCount() - 1;
    }
    m_highlighter->showLines(first.blockNumber(), last);
}

int CodeEdit::gutterWidth() const
{
    const int digits = std::max(3, static_cast<int>(QString::number(std::max(1, blockCount())).size()));
    return markWidth + fontMetrics().horizontalAdvance(u'9') * digits + gutterMargin + foldWidth;
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
        m_highlighter->setPalette(palette());
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
        paintGuides(painter, rows);
    }
    QPlainTextEdit::paintEvent(event);
    QPainter painter(viewport());
    painter.setClipRect(event->rect());
    paintSquiggles(painter, rows);
    if (m_folds > 0)
        paintFolds(painter, rows);
    if (!m_link.isEmpty()) {
        const QRect box = rectOf(m_link);
        painter.setPen(readable(palette().color(QPalette::Link), palette().color(QPalette::Base), 3));
        painter.drawLine(box.left(), box.bottom() - 1, box.right(), box.bottom() - 1);
    }
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
    auto next = std::lower_bound(m_matches.begin(), m_matches.end(), rows.front().block.position(),
                                 [](const Match& each, int position) { return each.position < position; });
    for (; next != m_matches.end() && next->position < end; ++next) {
        const syntax::Range range{m_positions.offsetOf(next->position), m_positions.offsetOf(next->position + next->length)};
        if (document()->findBlock(next->position).isVisible())
            painter.fillRect(rectOf(range), match);
    }
}

/// A thin line at each step of indentation that a line stands further in.
void CodeEdit::paintGuides(QPainter& painter, const std::vector<Row>& rows)
{
    const QColor base = palette().color(QPalette::Base);
    painter.setPen(QPen(blended(palette().color(QPalette::Text), base, 0.13), 1));
    const double step = fontMetrics().horizontalAdvance(u' ') * indentWidth;
    int before = 0;
    for (const Row& row : rows) {
        const int indent = isBlank(row.block) ? before : indentOf(row.block.text());
        before = indent;
        const double left = row.box.left() + document()->documentMargin();
        for (int column = indentWidth; column < indent; column += indentWidth) {
            const double x = std::floor(left + step * column / indentWidth) + 0.5;
            painter.drawLine(QPointF(x, row.box.top()), QPointF(x, row.box.bottom()));
        }
    }
}

/// How many lines a fold hides, behind the line that stays.
void CodeEdit::paintFolds(QPainter& painter, const std::vector<Row>& rows)
{
    const QColor base = palette().color(QPalette::Base);
    const QColor ground = blended(palette().color(QPalette::Text), base, 0.10);
    for (const Row& row : rows) {
        const QTextLayout* layout = row.block.layout();
        if (!isFolded(row.block) || layout->lineCount() == 0)
            continue;
        int lines = 0;
        for (QTextBlock block = row.block.next(); block.isValid() && !block.isVisible(); block = block.next())
            ++lines;
        const QString words = tr("\u2026 %n line(s)", nullptr, lines);
        const double left = row.box.left() + layout->lineAt(0).naturalTextWidth() + fontMetrics().horizontalAdvance(u' ') + 4;
        const QRectF box(left, row.box.top() + 1, fontMetrics().horizontalAdvance(words) + 10, row.box.height() - 2);
        painter.setPen(Qt::NoPen);
        painter.setBrush(ground);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.drawRoundedRect(box, 3, 3);
        painter.setPen(readable(blended(palette().color(QPalette::Text), base, 0.7), ground));
        painter.drawText(box, Qt::AlignCenter, words);
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
    const bool isMouseOver = m_gutter->underMouse();
    const auto& problems = m_problems.problems();
    for (const Row& row : rowsInView()) {
        const QRectF box(0, row.box.top(), m_gutter->width(), row.box.height());
        painter.setPen(row.block.blockNumber() == current ? text : number);
        const QString label = QString::number(row.block.blockNumber() + 1);
        const QTextLayout* layout = row.block.layout();
        const double ascent = layout->lineCount() > 0 ? layout->lineAt(0).ascent() : fontMetrics().ascent();
        painter.drawText(QPointF(box.right() - foldWidth - gutterMargin - fontMetrics().horizontalAdvance(label), box.top() + ascent),
                         label);
        const bool folded = isFolded(row.block);
        if ((folded || isMouseOver) && canFold(row.block)) {
            const QPointF middle(box.right() - foldWidth / 2.0 - 1, box.center().y());
            QPolygonF mark;
            if (folded)
                mark << middle + QPointF(-2, -4) << middle + QPointF(3, 0) << middle + QPointF(-2, 4);
            else
                mark << middle + QPointF(-4, -2) << middle + QPointF(4, -2) << middle + QPointF(0, 3);
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(Qt::NoPen);
            painter.setBrush(readable(blended(text, base, 0.6), base, 3));
            painter.drawPolygon(mark);
            painter.setBrush(Qt::NoBrush);
        }
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
    case QEvent::MouseMove: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        Q_EMIT mouseMoved(mouse->globalPosition().toPoint());
        const auto offset = mouse->modifiers() == Qt::ControlModifier ? offsetAt(mouse->pos()) : std::nullopt;
        if (offset)
            Q_EMIT linkHovered(*offset);
        else if (!m_link.isEmpty())
            Q_EMIT linkLeft();
        break;
    }
    case QEvent::MouseButtonPress: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        Q_EMIT hoverEnded();
        const auto offset =
            mouse->button() == Qt::LeftButton && mouse->modifiers() == Qt::ControlModifier ? offsetAt(mouse->pos()) : std::nullopt;
        if (offset) {
            Q_EMIT linkClicked(*offset);
            return true;
        }
        break;
    }
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

std::optional<std::size_t> CodeEdit::offsetAt(const QPoint& place) const
{
    for (const Row& row : rowsInView()) {
        if (place.y() < row.box.top() || place.y() >= row.box.bottom())
            continue;
        const QTextLayout* layout = row.block.layout();
        if (layout->lineCount() == 0)
            return std::nullopt;
        const QTextLine line = layout->lineAt(0);
        const double x = place.x() - row.box.left();
        if (x < 0 || x > line.naturalTextWidth() + fontMetrics().horizontalAdvance(u'n') + 2)
            return std::nullopt;
        return m_positions.offsetOf(row.block.position() + line.xToCursor(x, QTextLine::CursorOnCharacter));
    }
    return std::nullopt;
}

void CodeEdit::hover(const QPoint& place)
{
    const std::optional<std::size_t> offset = offsetAt(place);
    if (!offset)
        return;
    const int at = m_positions.positionOf(*offset);
    const QTextBlock block = document()->findBlock(at);
    const syntax::Range under{*offset, m_positions.offsetOf(std::min(at + 1, block.position() + block.length() - 1))};
    const QRect box = rectOf(under);
    Q_EMIT hoverWanted(under, QRect(viewport()->mapToGlobal(box.topLeft()), box.size()));
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
    const int revision = document()->revision();
    QPlainTextEdit::keyPressEvent(event);
    if (document()->revision() != revision)
        Q_EMIT typed(event->text());
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

void CodeEdit::applyLineEdit(const assist::LineEdit& edit)
{
    if (edit.edits.empty())
        return;
    const bool isBackward = textCursor().position() < textCursor().anchor();
    applyEdits(edit.edits);
    QTextCursor cursor = textCursor();
    const int begin = m_positions.positionOf(edit.selection.begin);
    const int end = m_positions.positionOf(edit.selection.end);
    cursor.setPosition(isBackward ? end : begin);
    cursor.setPosition(isBackward ? begin : end, QTextCursor::KeepAnchor);
    setTextCursor(cursor);
}

void CodeEdit::toggleComment()
{
    if (!isReadOnly())
        applyLineEdit(assist::toggledComment(m_positions.text(), selection(), m_highlighter->commentMark().toStdString()));
}

void CodeEdit::moveLines(int by)
{
    if (!isReadOnly())
        applyLineEdit(assist::movedLines(m_positions.text(), selection(), by));
}

void CodeEdit::duplicateLines()
{
    if (!isReadOnly())
        applyLineEdit(assist::duplicatedLines(m_positions.text(), selection()));
}

syntax::Range CodeEdit::selection() const
{
    return {m_positions.offsetOf(textCursor().selectionStart()), m_positions.offsetOf(textCursor().selectionEnd())};
}

void CodeEdit::setWhitespaceShown(bool shown)
{
    QTextOption option = document()->defaultTextOption();
    option.setFlags(shown ? QTextOption::ShowTabsAndSpaces : QTextOption::Flags());
    document()->setDefaultTextOption(option);
}

bool CodeEdit::isWhitespaceShown() const
{
    return document()->defaultTextOption().flags().testFlag(QTextOption::ShowTabsAndSpaces);
}

void CodeEdit::setLink(syntax::Range range)
{
    if (m_link == range)
        return;
    m_link = range;
    viewport()->setCursor(range.isEmpty() ? Qt::IBeamCursor : Qt::PointingHandCursor);
    viewport()->update();
}

// --- folding --------------------------------------------------------------------------------------------------------------------------

bool CodeEdit::isBelow(const QTextBlock& line, const QTextBlock& header)
{
    const QString opening = header.text();
    const QString text = line.text();
    const int indent = indentOf(opening);
    const int column = indentOf(text);
    // The items of a list may stand at the column of its key.
    const bool isOwnItem = column == indent && isListItem(text, column) && !isListItem(opening, indent) && opening.trimmed().endsWith(u':');
    return column > indent || isOwnItem;
}

bool CodeEdit::canFold(const QTextBlock& block) const
{
    if (isBlank(block))
        return false;
    QTextBlock next = block.next();
    while (next.isValid() && isBlank(next))
        next = next.next();
    return next.isValid() && isBelow(next, block);
}

QTextBlock CodeEdit::foldEnd(const QTextBlock& block) const
{
    QTextBlock last;
    for (QTextBlock next = block.next(); next.isValid(); next = next.next()) {
        if (isBlank(next))
            continue;
        if (!isBelow(next, block))
            break;
        last = next;
    }
    return last;
}

bool CodeEdit::isFolded(const QTextBlock& block) const
{
    return m_folds > 0 && block.userState() == foldedState;
}

void CodeEdit::refreshLines(const QTextBlock& first, const QTextBlock& last)
{
    document()->markContentsDirty(first.position(), last.position() + last.length() - first.position());
    auto* layout = static_cast<QPlainTextDocumentLayout*>(document()->documentLayout());
    layout->requestUpdate();
    Q_EMIT layout->documentSizeChanged(layout->documentSize());
    lookAtView();
    viewport()->update();
    m_gutter->update();
}

void CodeEdit::showLines(const QTextBlock& first, const QTextBlock& last, bool shown)
{
    QTextBlock inner; // a line below that is folded itself: what it hides stays hidden
    for (QTextBlock block = first; block.isValid(); block = block.next()) {
        if (inner.isValid() && !isBlank(block) && !isBelow(block, inner))
            inner = QTextBlock();
        block.setVisible(shown && !inner.isValid());
        block.setLineCount(block.isVisible() ? 1 : 0);
        if (!inner.isValid() && block.userState() == foldedState)
            inner = block;
        if (block == last)
            break;
    }
}

void CodeEdit::setFolded(const QTextBlock& header, bool folded)
{
    if (isFolded(header) == folded)
        return;
    QTextBlock block = header;
    const QTextBlock last = foldEnd(block);
    if (!last.isValid())
        return;
    hideOrShow(block, last, folded);
    if (folded && !textCursor().block().isVisible()) {
        QTextCursor cursor = textCursor();
        cursor.setPosition(block.position() + block.length() - 1);
        setTextCursor(cursor);
    }
    refreshLines(block, last);
}

void CodeEdit::hideOrShow(QTextBlock header, const QTextBlock& last, bool folded)
{
    m_folds += folded ? 1 : -1;
    header.setUserState(folded ? foldedState : -1);
    showLines(header.next(), last, !folded);
}

void CodeEdit::unfoldAround(const QTextBlock& block)
{
    // Outer folds hide inner ones: from the outside in, until the line is seen.
    for (int round = 0; round < 100 && !block.isVisible(); ++round) {
        QTextBlock header = block.previous();
        while (header.isValid() && !header.isVisible())
            header = header.previous();
        if (!header.isValid() || !isFolded(header)) {
            showLines(block, block, true);
            refreshLines(block, block);
            return;
        }
        setFolded(header, false);
    }
}

/// A change may take the line that a fold hangs on: nothing may stay hidden without one.
void CodeEdit::repairFolds(int position, int added)
{
    QTextBlock block = document()->findBlock(position);
    const QTextBlock end = document()->findBlock(position + added);
    for (bool isLast = false; block.isValid() && !isLast; block = block.next()) {
        isLast = block == end;
        const bool hidesNext = block.next().isValid() && !block.next().isVisible();
        if (!block.isVisible() || !hidesNext)
            continue;
        if (isFolded(block)) {
            block.setUserState(-1);
            --m_folds;
        }
        QTextBlock last = block.next();
        while (last.next().isValid() && !last.next().isVisible())
            last = last.next();
        showLines(block.next(), last, true);
    }
}

void CodeEdit::foldAtCursor()
{
    // The line itself when it opens something that is shown, else the nearest line around it that does.
    QTextBlock block = textCursor().block();
    int indent = isBlank(block) ? 1'000'000 : indentOf(block.text());
    while (block.isValid() && (isFolded(block) || !canFold(block))) {
        block = block.previous();
        while (block.isValid() && (isBlank(block) || indentOf(block.text()) >= indent))
            block = block.previous();
        if (block.isValid())
            indent = indentOf(block.text());
    }
    if (block.isValid())
        setFolded(block, true);
}

void CodeEdit::unfoldAtCursor()
{
    setFolded(textCursor().block(), false);
}

void CodeEdit::foldAll()
{
    // Laying out and painting once, not for each of thousands of blocks.
    QTextBlock headerOfCursor;
    const int cursorBlock = textCursor().blockNumber();
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        if (!block.isVisible() || isBlank(block) || isFolded(block) || indentOf(block.text()) != 0)
            continue;
        const QTextBlock last = foldEnd(block);
        if (!last.isValid())
            continue;
        hideOrShow(block, last, true);
        if (block.blockNumber() < cursorBlock && cursorBlock <= last.blockNumber())
            headerOfCursor = block;
        block = last;
    }
    if (headerOfCursor.isValid()) {
        QTextCursor cursor = textCursor();
        cursor.setPosition(headerOfCursor.position() + headerOfCursor.length() - 1);
        setTextCursor(cursor);
    }
    refreshLines(document()->begin(), document()->lastBlock());
    ensureCursorVisible();
}

void CodeEdit::unfoldAll()
{
    if (m_folds == 0)
        return;
    m_folds = 0;
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        if (block.userState() == foldedState)
            block.setUserState(-1);
        block.setVisible(true);
        block.setLineCount(1);
    }
    refreshLines(document()->begin(), document()->lastBlock());
    ensureCursorVisible();
}

std::vector<int> CodeEdit::foldedLines() const
{
    std::vector<int> out;
    for (QTextBlock block = document()->begin(); m_folds > 0 && block.isValid(); block = block.next()) {
        if (isFolded(block))
            out.push_back(block.blockNumber());
    }
    return out;
}

void CodeEdit::setFoldedLines(const std::vector<int>& lines)
{
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) // inner ones first
        setFolded(document()->findBlockByNumber(*line), true);
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
