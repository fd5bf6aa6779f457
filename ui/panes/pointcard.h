#pragma once

#include "ui/models/pointfacts.h"
#include "ui/shell/session.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;
class QMenu;

namespace wb::ui {

class TableView;

/// What is known of the selected point and where each value comes from. GPU counts, lengths and names can be corrected; the correction is
/// kept in the catalogue beside what the file says. Note and tags are of the point's run.
class PointCard final : public QWidget
{
    Q_OBJECT

public:
    PointCard(Session& session, QWidget* parent = nullptr);

private:
    void refresh();
    void addToMenu(QMenu& menu, const QModelIndex& source);
    void keepNote();
    void keepTags();
    /// Nothing: all points of the file.
    [[nodiscard]] std::optional<std::size_t> document(const results::Point& point) const;

    Session& m_session;
    PointFacts m_facts;
    TableView* m_view;
    QLabel* m_title;
    QCheckBox* m_onlyThis;
    QLineEdit* m_tags;
    QLineEdit* m_note;
    RunId m_run; ///< Whose note and tags are shown.
};

} // namespace wb::ui
