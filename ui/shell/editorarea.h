#pragma once

#include "ui/shell/session.h"

#include <QWidget>

#include <map>

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
    void zoom(int steps); ///< All editors; 0 goes back to the size of the system.

Q_SIGNALS:
    void currentChanged();
    void cursorMoved();
    void closeRequested(wb::ui::DocumentId id);

private:
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
    std::optional<DocumentId> m_messageOf; ///< The document that the message is about.
    bool m_wantsFocus = false;
    int m_zoom = 0;
};

} // namespace wb::ui
