#pragma once

#include "core/analysis/filter.h"
#include "ui/async/debounce.h"
#include "ui/models/pointgroups.h"
#include "ui/shell/session.h"

#include <QWidget>

class QComboBox;
class QItemSelection;
class QLabel;
class QLineEdit;
class QMenu;
class QToolButton;

namespace wb::ui {

class MessageBar;
class PointCard;
class TableView;

/// The imported operating points, one a row: filtered as the chart is, grouped by any of their keys, with the columns that are wanted. A
/// row that is selected selects the point, several are those that the chart lets stand out; Enter opens its recipe.
class ResultsPane final : public QWidget
{
    Q_OBJECT

public:
    ResultsPane(Session& session, QWidget* parent = nullptr);

    /// The points that are listed, in the order of the table, as comma-separated values; empty is unknown.
    void exportCsv(const QString& file);

private:
    QWidget* makeBar();
    void fillColumnMenu(QMenu& menu);
    void showFirstColumns();
    void refresh();
    void group();
    void followFilter();
    void followSelection();
    void followSelectedPoints();
    void tellSelectedPoints();
    void applyConditions();
    void addToMenu(QMenu& menu, const QModelIndex& source);
    void askExport();
    void decorateGroups();
    [[nodiscard]] const results::Point* pointAt(const QModelIndex& source) const; ///< Null for a group.
    [[nodiscard]] QModelIndex sourceOf(int row) const;                            ///< Of a row of the points' model.

    Session& m_session;
    PointsModel m_model;
    PointGroups m_groups;
    TableView* m_view;
    PointCard* m_card;
    QLabel* m_summary;
    QLineEdit* m_filter;
    QComboBox* m_validity;
    QComboBox* m_group;
    MessageBar* m_message;
    analysis::Filter m_search;
    bool m_isFollowing = false; ///< The selection comes from elsewhere: it is not told back.
    async::Debounce m_debounce;
};

} // namespace wb::ui
