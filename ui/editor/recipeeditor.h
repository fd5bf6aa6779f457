// The text editor of recipes and, read-only, of the artifacts: highlighting, a gutter with the problems' marks, squiggles, a hover card and
// the fixes. It shows problems and makes edits; what is a problem is decided by core.
//
// Texts here have "\n" line ends: QTextDocument keeps no others, so whoever loads and saves a file converts them. Offsets are UTF-8 bytes.
#pragma once

#include "core/assist/document.h"
#include "core/syntax/diagnostic.h"
#include "core/syntax/source.h"

#include <QString>
#include <QWidget>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QTextDocument;

namespace wb::ui {

class ManifestQuestions;
struct PreparedText;

/// Its commands are QActions of the widget (see QWidget::actions()) with their usual shortcuts, so that menus and the command palette can
/// list them: editor.nextProblem, editor.previousProblem, editor.fix, editor.find, ... by object name.
class RecipeEditor final : public QWidget
{
    Q_OBJECT

public:
    explicit RecipeEditor(QWidget* parent = nullptr);
    ~RecipeEditor() override;

    /// A new text: the undo history begins anew, the document is unmodified, the problems are gone.
    void setText(const QString& text);
    void setPreparedText(PreparedText text); ///< The same of a long text, which was made ready on a worker.
    /// Another text for the same document (reloaded, changed by the form) as one undo step; cursor and scroll stay where they can. Only the
    /// part that differs is touched.
    /// `step`: what undo and redo call it; empty: nothing special.
    void replaceText(const QString& text, const QString& step = {});
    [[nodiscard]] QString undoStep() const; ///< Name of what undo would take back; empty: typing, or nothing.
    [[nodiscard]] QString redoStep() const;
    [[nodiscard]] QString text() const;
    /// The same text in UTF-8; cheap, it is kept as one goes.
    [[nodiscard]] const std::string& utf8Text() const;
    /// For undo, redo and the modified mark.
    [[nodiscard]] QTextDocument* document() const;

    /// Name of a KSyntaxHighlighting definition: "YAML" (from the start), "JSON", "Bash". An unknown or empty one gives plain text.
    void setLanguage(const QString& definition);

    /// Shows these problems. Their ranges count in `source`, which may be a text that is a few keys old: what lies beside the part that was
    /// changed since is moved along. Problems that belong to another source (the cluster file) are not shown.
    void setProblems(std::shared_ptr<const syntax::SourceText> source, std::vector<syntax::Diagnostic> problems);

    /// Who answers what can be written at a place and what stands there: a Document of the text as it is now. Without one, or where it
    /// gives null, there is no completion, and a card tells of problems only.
    using Assistant = std::function<std::shared_ptr<const assist::Document>()>;
    /// `isReady`: whether the answer is at hand. What comes by itself while one types waits until it is, so that no key waits for a long
    /// text; empty: it always is.
    void setAssistant(Assistant assistant, std::function<bool()> isReady = {});

    /// Who answers for a manifest of Kubernetes; asked first. Where it gives null, the text is a recipe and the assistant answers.
    using Manifests = std::function<std::shared_ptr<const ManifestQuestions>()>;
    void setManifests(Manifests manifests);

    /// Takes the keys off its commands, for a window that has the same keys for them: two owners of a key would make it dead.
    void leaveKeysToWindow();

    /// Puts the cursor there and shows the place in the middle of the view.
    void goTo(std::size_t utf8Offset);
    void goTo(syntax::Range range); ///< Selects the range.
    [[nodiscard]] std::size_t cursorOffset() const;
    void goToNextProblem();
    void goToPreviousProblem();

    /// The menu of the fixes of the problems at the cursor, or else in its line.
    void showFixes();
    /// Makes the edits of a fix of the shown problems as one undo step. False, and nothing done, when the text at its place has changed
    /// since.
    bool applyFix(const syntax::Fix& fix);

    void undo();
    void redo();
    void setReadOnly(bool readOnly);
    [[nodiscard]] bool isReadOnly() const;
    void zoomIn();
    void zoomOut();
    void resetZoom();

    void complete(); ///< The list of what can be written at the cursor; the only one that fits is taken at once.
    void describe(); ///< The card about the place at the cursor.
    void goToDefinition();
    void showReferences();
    void rename(); ///< Of the placeholder or anchor at the cursor, in the whole text.
    void goToLine();
    void foldBlock();
    void unfoldBlock();
    void foldAll();
    void unfoldAll();
    [[nodiscard]] std::vector<int> foldedLines() const; ///< From 0; to be kept for the next time the text is shown.
    void setFoldedLines(const std::vector<int>& lines);
    void setWhitespaceShown(bool shown);

    void showFindBar();
    void showReplaceBar();
    void findNext();
    void findPrevious();
    void toggleComment();
    void moveLinesUp();
    void moveLinesDown();
    void duplicateLines();

Q_SIGNALS:
    void textEdited();  ///< The text changed, by whatever hand, undo and fixes included; not by setText.
    void cursorMoved(); ///< See cursorOffset().
    /// The cursor is about to leave this place for one far away, which the user may want to come back from.
    void leaping(std::size_t from);
    void helpWanted(const QString& topic);            ///< Id of a diagnostic's code or rule.
    void clusterPlaceWanted(wb::syntax::Range range); ///< A definition is there, in the cluster file.

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace wb::ui
