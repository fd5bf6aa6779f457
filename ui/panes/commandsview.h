#pragma once

#include "ui/models/wordsmodel.h"
#include "ui/shell/session.h"

#include <QWidget>

class QLabel;

namespace wb::ui {

class TableView;

/// The audit log: every command that went to a cluster, from this program and from srtwb, the newest first; exported as it is.
class CommandsView final : public QWidget
{
    Q_OBJECT

public:
    CommandsView(Session& session, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Read;

    void refresh();
    void exportTo(const QString& file);

    Session& m_session;
    WordsModel m_model;
    TableView* m_view;
    QLabel* m_summary;
    async::LatestJob<std::shared_ptr<const Read>> m_read;
};

} // namespace wb::ui
