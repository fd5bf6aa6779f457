#pragma once

#include "ui/models/recipefilter.h"
#include "ui/models/recipesmodel.h"
#include "ui/shell/session.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QMenu;
class QProgressBar;
class QToolButton;

namespace wb::ui {

class TableView;

/// The recipes of the open folder with what a check says of each; Enter or a double click opens them. The filter takes words and terms
/// over any key of the resolved recipes; several recipes are compared or written as one.
class RecipesPane final : public QWidget
{
    Q_OBJECT

public:
    RecipesPane(Session& session, QWidget* parent = nullptr);

private:
    void refreshListing();
    void refreshSummaries();
    void followDocument();
    void refreshTask();
    void refreshWords();
    void readFilter();
    void open(const QModelIndex& source);
    void addActions(QMenu& menu, const QModelIndex& source);
    [[nodiscard]] QStringList selectedPaths() const;
    [[nodiscard]] QStringList pathsAlike(std::size_t group) const;

    Session& m_session;
    RecipesModel m_model;
    TableView* m_view;
    QLabel* m_summary;
    QLineEdit* m_edit;
    QLabel* m_note; ///< What is wrong with the filter.
    QProgressBar* m_progress;
    QToolButton* m_cancel;
    RecipeFilter m_filter;
};

} // namespace wb::ui
