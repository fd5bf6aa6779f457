#pragma once

#include "ui/models/sidesmodel.h"
#include "ui/shell/session.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QTabWidget;
class QToolButton;

namespace wb::ui {

class MessageBar;
class RecipeEditor;
class TableView;

/// Recipes and variants side by side: their resolved values, those that are the same folded away, and two of them as text.
class ComparePane final : public QWidget
{
    Q_OBJECT

public:
    ComparePane(Session& session, QWidget* parent = nullptr);

private:
    void refresh();
    void refreshText();
    void applyFilter();
    void swapSides();
    void openSide(int column);

    Session& m_session;
    SidesModel m_model;
    TableView* m_view;
    QLabel* m_summary;
    QCheckBox* m_identical;
    QTabWidget* m_tabs;
    QComboBox* m_left;
    QComboBox* m_right;
    QComboBox* m_kind;
    RecipeEditor* m_text;
    MessageBar* m_messages;
    QString m_words;
};

} // namespace wb::ui
