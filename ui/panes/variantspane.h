#pragma once

#include "ui/models/variantsmodel.h"
#include "ui/shell/session.h"

#include <QWidget>

class QLabel;

namespace wb::ui {

class TableView;

/// The sweep preview: every job that the recipe stands for. Choosing a row selects the job for all panes.
class VariantsPane final : public QWidget
{
    Q_OBJECT

public:
    VariantsPane(Session& session, QWidget* parent = nullptr);

private:
    void refresh();
    void goToSource(const QModelIndex& source);

    Session& m_session;
    VariantsModel m_model;
    TableView* m_view;
    QLabel* m_summary;
};

/// "28 jobs · 448 GPUs · 1792 GPU-h"; says how many jobs are not counted because they are not known.
[[nodiscard]] QString variantsSummary(const check::Checked& checked);

} // namespace wb::ui
