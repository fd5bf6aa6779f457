#pragma once

#include "ui/models/outlinemodel.h"
#include "ui/shell/session.h"

#include <QSet>
#include <QWidget>

class QLineEdit;

namespace wb::ui {

class TableView;

/// The keys of the current recipe as a tree. It follows the cursor; a click or Enter goes to the key; what is typed filters by path.
class OutlinePane final : public QWidget
{
    Q_OBJECT

public:
    OutlinePane(Session& session, QWidget* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    void show(Symbols symbols);
    void openRows();
    void followCursor();
    void goTo(const QModelIndex& source);

    Session& m_session;
    OutlineModel m_model;
    TableView* m_view;
    QLineEdit* m_filter;
    QSet<QString> m_closed; ///< Paths that the user closed; the others are open.
    bool m_isOpening = false;
    async::LatestJob<Symbols> m_job;
};

} // namespace wb::ui
