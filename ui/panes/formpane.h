#pragma once

#include "ui/form/formmodel.h"
#include "ui/shell/session.h"

#include <QSet>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;

namespace wb::ui {

class TableView;

/// The current recipe as a form. What is typed changes the bytes of that value in the text, as a step that undo names.
class FormPane final : public QWidget
{
    Q_OBJECT

public:
    FormPane(Session& session, QWidget* parent = nullptr);

private:
    void refresh();
    void refreshSections(const check::Checked& checked);
    void refreshDoc();
    void keepExpanded();
    void edit(const QModelIndex& source, const QString& typed);
    void goToText(const QModelIndex& source);
    void say(const QString& words);
    [[nodiscard]] std::string section() const; ///< Top-level key; empty: the file is one recipe.
    [[nodiscard]] bool isInSection(const syntax::Diagnostic& problem) const;

    Session& m_session;
    FormModel m_model;
    TableView* m_view;
    QComboBox* m_sections;
    QCheckBox* m_expert;
    QCheckBox* m_set;
    QLabel* m_note;
    QLabel* m_doc;
    QSet<QString> m_open; ///< Paths that the user opened.
    bool m_isResetting = false;
};

} // namespace wb::ui
