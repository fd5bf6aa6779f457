#pragma once

#include "ui/models/cellsmodel.h"
#include "ui/shell/session.h"

#include <QWidget>

class QCheckBox;
class QLabel;

namespace wb::ui {

class MessageBar;
class TableView;

/// What two to eight runs differ in: the verdict, and the facts by section in three states. Noise and what is the same are hidden, and
/// counted where they are shown again.
class CompareRunsPage final : public QWidget
{
    Q_OBJECT

public:
    CompareRunsPage(Session& session, QWidget* parent = nullptr);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void refresh();
    void applyFilter();

    Session& m_session;
    CellsModel m_facts;
    QLabel* m_verdict;
    QCheckBox* m_same;
    QCheckBox* m_noise;
    TableView* m_view;
    MessageBar* m_message;
    QString m_words;
};

} // namespace wb::ui
