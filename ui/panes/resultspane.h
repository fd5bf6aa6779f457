#pragma once

#include "ui/models/pointsmodel.h"
#include "ui/shell/session.h"

#include <QWidget>

class QComboBox;
class QLabel;

namespace wb::ui {

class MessageBar;
class TableView;

/// Every imported point with every figure of it; a row selects the point, Enter opens its recipe.
class ResultsPane final : public QWidget
{
    Q_OBJECT

public:
    ResultsPane(Session& session, QWidget* parent = nullptr);

private:
    void refresh();
    void followSelection();
    void applyValidity();
    void addToMenu(QMenu& menu, const QModelIndex& source);

    Session& m_session;
    PointsModel m_model;
    TableView* m_view;
    QLabel* m_summary;
    QComboBox* m_validity;
    MessageBar* m_message;
};

} // namespace wb::ui
