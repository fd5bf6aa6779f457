// The text area of the RecipeEditor: gutter, squiggles, and what keys do to lines. All that is painted costs what is in view, not what is
// in the text.
#pragma once

#include "ui/editor/highlighter.h"
#include "ui/editor/positions.h"
#include "ui/editor/problemlayer.h"

#include <QList>
#include <QPlainTextEdit>
#include <QRect>
#include <QTextBlock>

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

namespace wb::ui {

class CodeEdit final : public QPlainTextEdit
{
    Q_OBJECT

public:
    explicit CodeEdit(QWidget* parent);
    ~CodeEdit() override;

    void setWholeText(const QString& text); ///< A new document's text; not an edit.
    [[nodiscard]] const Positions& positions() const { return m_positions; }
    [[nodiscard]] const ProblemLayer& problems() const { return m_problems; }
    [[nodiscard]] Highlighter& highlighter() { return m_highlighter; }

    void setProblems(std::string_view source, const std::vector<syntax::Diagnostic>& problems);
    /// Matches of the search: UTF-16 positions and one length.
    void setMatches(std::vector<int> positions, int length);
    /// The edits as one undo step; they must not overlap.
    void applyEdits(std::vector<syntax::TextEdit> edits);

    void toggleComment();
    void moveLines(int by); ///< -1 up, 1 down.
    void indentLines(int by);
    void zoomBy(int steps); ///< 0 gives the system's size.
    void reveal(syntax::Range range);

    [[nodiscard]] std::size_t cursorOffset() const;
    [[nodiscard]] syntax::Range lineOfCursor() const; ///< Bytes, without the line end.
    /// Where the characters of a range are seen (viewport coordinates), on the line where it begins.
    [[nodiscard]] QRect rectOf(syntax::Range range) const;
    [[nodiscard]] int gutterWidth() const;

Q_SIGNALS:
    void edited();
    void hoverWanted(syntax::Range place, QRect around); ///< The mouse rests there; `around` is global.
    void mouseMoved(QPoint global);
    void hoverEnded();
    void markClicked(syntax::Range line); ///< The gutter's mark of that line.

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    bool canInsertFromMimeData(const QMimeData* source) const override;

private:
    class Gutter;
    friend class Gutter;

    /// A line in view.
    struct Row {
        QTextBlock block;
        QRectF box; ///< In the viewport.
        syntax::Range bytes;
    };

    [[nodiscard]] std::vector<Row> rowsInView() const;
    void followChange(int position, int removed, int added);
    void applyFont();
    void layOut();
    void lookAtView();
    void paintBelow(QPainter& painter, const std::vector<Row>& rows);
    void paintSquiggles(QPainter& painter, const std::vector<Row>& rows);
    void paintGutter(QPainter& painter, const QRect& area);
    void hover(const QPoint& place);
    void breakLine();
    [[nodiscard]] bool unindentByBackspace();
    void smartHome(bool select);
    void forSelectedLines(const std::function<void(QTextCursor&, const QTextBlock&)>& change);

    Positions m_positions;
    ProblemLayer m_problems;
    Highlighter m_highlighter;
    Gutter* m_gutter;
    std::vector<int> m_matches;
    int m_matchLength = 0;
    int m_zoom = 0;
    int m_firstShown = -1;
    int m_lastShown = -1;
    bool m_loading = false;
    bool m_changed = false;
};

} // namespace wb::ui
