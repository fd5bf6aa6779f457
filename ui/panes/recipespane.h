#pragma once

#include "ui/models/recipesmodel.h"
#include "ui/shell/session.h"

#include <QWidget>

class QLabel;

namespace wb::ui {

class TableView;

/// The recipes of the open folder with what a check says of each; Enter or a double click opens one.
class RecipesPane final : public QWidget
{
    Q_OBJECT

public:
    RecipesPane(Session& session, QWidget* parent = nullptr);

private:
    void refreshListing();
    void refreshSummaries();
    void followDocument();
    void open(const QModelIndex& source);

    Session& m_session;
    RecipesModel m_model;
    TableView* m_view;
    QLabel* m_summary;
};

} // namespace wb::ui
