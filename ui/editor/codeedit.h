// The text area of the RecipeEditor: gutter, squiggles, and what keys do to lines. All that is painted costs what is in view, not what is
// in the text.
#pragma once

#include "core/assist/lineedits.h"
#include "ui/editor/highlighter.h"
#include "ui/editor/positions.h"
#include "ui/editor/preparedtext.h"
#include "ui/editor/problemlayer.h"

#include <QList>
#include <QPlainTextEdit>
#include <QRect>
#include <QTextBlock>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
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
    void setWholeText(PreparedText text);
    [[nodiscard]] const Positions& positions() const { return m_positions; }
    [[nodiscard]] const ProblemLayer& problems() const { return m_problems; }
    void setLanguage(const QString& definition); ///< See Highlighter.

    void setProblems(std::string_view source, const std::vector<syntax::Diagnostic>& problems);
    /// A match of the search, in UTF-16 positions.
    struct Match {
        int position = 0;
        int length = 0;
    };
    void setMatches(std::vector<Match> matches); ///< By place.
    /// The edits as one undo step; they must not overlap.
    void applyEdits(std::vector<syntax::TextEdit> edits);

    void applyCompletion(const syntax::TextEdit& edit, std::size_t cursor); ///< The cursor counts from the begin of the edit.

    void toggleComment();
    void moveLines(int by); ///< -1 up, 1 down.
    void duplicateLines();

    // Folding, by indentation: the line stays, what stands further in below it is hidden.
    void foldAtCursor();
    void unfoldAtCursor();
    void foldAll(); ///< Every block of the outermost level.
    void unfoldAll();
    [[nodiscard]] bool isFolded(const QTextBlock& block) const;
    [[nodiscard]] std::vector<int> foldedLines() const; ///< From 0.
    void setFoldedLines(const std::vector<int>& lines);

    void setWhitespaceShown(bool shown);
    [[nodiscard]] bool isWhitespaceShown() const;
    /// Underlines what a click with Ctrl would follow; an empty range nothing.
    void setLink(syntax::Range range);
    void indentLines(int by);
    void zoomBy(int steps); ///< 0 gives the system's size.
    void reveal(syntax::Range range);

    [[nodiscard]] std::size_t cursorOffset() const;
    [[nodiscard]] syntax::Range selection() const;
    [[nodiscard]] syntax::Range lineOfCursor() const; ///< Bytes, without the line end.
    /// Where the characters of a range are seen (viewport coordinates), on the line where it begins.
    [[nodiscard]] QRect rectOf(syntax::Range range) const;
    [[nodiscard]] int gutterWidth() const;

Q_SIGNALS:
    void edited();
    void undoStepAdded();                                ///< See QTextDocument::undoCommandAdded.
    void hoverWanted(syntax::Range place, QRect around); ///< The mouse rests there; `around` is global.
    void mouseMoved(QPoint global);
    void hoverEnded();
    void markClicked(syntax::Range line); ///< The gutter's mark of that line.
    void typed(const QString& text);      ///< By the keyboard, behind the cursor's change.
    void linkHovered(std::size_t offset); ///< The mouse is there with Ctrl held down.
    void linkLeft();
    void linkClicked(std::size_t offset);

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
    [[nodiscard]] std::optional<std::size_t> offsetAt(const QPoint& place) const;
    /// Whether the line belongs to the block that the header opens; neither is blank.
    [[nodiscard]] static bool isBelow(const QTextBlock& line, const QTextBlock& header);
    [[nodiscard]] bool canFold(const QTextBlock& block) const;
    /// The last line that folding this one hides; invalid: there is nothing to fold.
    [[nodiscard]] QTextBlock foldEnd(const QTextBlock& block) const;
    void setFolded(const QTextBlock& block, bool folded);
    void hideOrShow(QTextBlock header, const QTextBlock& last, bool folded); ///< Without painting anew.
    void showLines(const QTextBlock& first, const QTextBlock& last, bool shown);
    void unfoldAround(const QTextBlock& block);
    void repairFolds(int position, int added);
    void refreshLines(const QTextBlock& first, const QTextBlock& last);
    void applyLineEdit(const assist::LineEdit& edit);
    void paintGuides(QPainter& painter, const std::vector<Row>& rows);
    void paintFolds(QPainter& painter, const std::vector<Row>& rows);
    void attend(QTextDocument& document);
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
    std::unique_ptr<Highlighter> m_highlighter; ///< Of the document, and goes before it.
    QString m_language = QStringLiteral("YAML");
    Gutter* m_gutter;
    std::vector<Match> m_matches;
    syntax::Range m_link;
    int m_folds = 0;
    int m_zoom = 0;
    int m_firstShown = -1;
    int m_lastShown = -1;
    bool m_loading = false;
    bool m_changed = false;
};

} // namespace wb::ui
