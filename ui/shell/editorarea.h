#pragma once

#include "core/assist/document.h"
#include "ui/shell/session.h"

#include <QWidget>

#include <map>
#include <memory>
#include <vector>

class QStackedWidget;
class QTabWidget;

namespace wb::ui {

class MessageBar;
class RecipeEditor;

/// The middle of the window: a tab with an editor for each open document, or a page of first steps when there is none.
class EditorArea final : public QWidget
{
    Q_OBJECT

public:
    EditorArea(Session& session, QWidget* welcome, QWidget* parent = nullptr);

    [[nodiscard]] RecipeEditor* current() const; ///< Null when nothing is open.
    [[nodiscard]] MessageBar& messages() { return *m_messages; }
    void focusEditor();
    void openAndFocus(const QString& path); ///< Gives it the keyboard as soon as it is read.
    void showNext(int step);
    /// Lines to fold as soon as the file is opened.
    void foldWhenOpened(const QString& path, std::vector<int> lines) { m_foldsWanted[path] = std::move(lines); }
    [[nodiscard]] std::vector<int> foldedLines(DocumentId id) const;
    [[nodiscard]] std::vector<DocumentId> tabOrder() const;
    void zoom(int steps);                ///< All editors; 0 goes back to the size of the system.
    void setWhitespaceShown(bool shown); ///< In all editors.
    [[nodiscard]] bool isWhitespaceShown() const { return m_whitespace; }

    // Places that the user leapt from and may want to come back to, over all documents.
    void goBack();
    void goForward();
    [[nodiscard]] bool canGoBack() const { return m_now > 0; }
    [[nodiscard]] bool canGoForward() const { return m_now + 1 < m_visits.size(); }

Q_SIGNALS:
    void currentChanged();
    void cursorMoved();
    void textEdited(); ///< In any editor, undo and redo included.
    void historyChanged();
    void closeRequested(wb::ui::DocumentId id);

private:
    struct Visit {
        DocumentId id{};
        std::size_t offset = 0;

        friend bool operator==(const Visit&, const Visit&) = default;
    };
    /// The text of an editor made ready for questions, kept until the text or its check is another.
    struct Assist {
        std::shared_ptr<const assist::Document> document;
        CheckedPtr checked;
        FactsPtr facts;
    };

    struct Prepared {
        DocumentId id{};
        Assist assist;
    };

    [[nodiscard]] std::shared_ptr<const assist::Document> assistant(DocumentId id);
    [[nodiscard]] std::shared_ptr<const class ManifestQuestions> manifestQuestions(DocumentId id);
    [[nodiscard]] bool isAssistantReady(DocumentId id) const;
    [[nodiscard]] bool isFresh(const Assist& kept, const Document& document, const std::string& text) const;
    void prepareAssistant(DocumentId id);
    void remember(DocumentId id, std::size_t from);
    void visit(const Visit& place);
    void goToCluster(syntax::Range range);
    void add(DocumentId id);
    void remove(DocumentId id);
    void showCurrent();
    void showTitle(DocumentId id);
    void showProblems(DocumentId id);
    void takeText(DocumentId id);
    void showMessage();
    void showDifference(DocumentId id);
    [[nodiscard]] RecipeEditor* editor(DocumentId id) const;
    [[nodiscard]] std::optional<DocumentId> idAt(int tab) const;

    Session& m_session;
    QStackedWidget* m_stack;
    QTabWidget* m_tabs;
    MessageBar* m_messages;
    std::map<DocumentId, RecipeEditor*> m_editors;
    std::map<DocumentId, Assist> m_assist;
    std::map<QString, std::vector<int>> m_foldsWanted;
    async::LatestJob<Prepared> m_prepare;
    std::vector<Visit> m_visits;
    std::size_t m_now = 0; ///< The visit that is shown; one behind the last when the present place is not among them.
    bool m_travelling = false;
    bool m_isArriving = false; ///< A text is being opened for a place that was leapt to.
    bool m_whitespace = false;
    std::optional<DocumentId> m_messageOf; ///< The document that the message is about.
    bool m_wantsFocus = false;
    int m_zoom = 0;
};

} // namespace wb::ui
