#pragma once

#include "ui/models/problemsmodel.h"
#include "ui/shell/session.h"

#include <QWidget>

class QLabel;
class QLineEdit;

namespace wb::ui {

class TableView;

/// The problems of the current recipe: a click shows the place, the menu makes a fix.
class ProblemsPane final : public QWidget
{
    Q_OBJECT

public:
    ProblemsPane(Session& session, QWidget* parent = nullptr);

private:
    void refresh();
    void goTo(const QModelIndex& source);
    void addFixes(QMenu& menu, const QModelIndex& source);

    Session& m_session;
    ProblemsModel m_model;
    TableView* m_view;
    QLabel* m_summary;
};

} // namespace wb::ui
