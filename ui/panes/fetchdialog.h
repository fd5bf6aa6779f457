#pragma once

#include "ui/models/wordsmodel.h"
#include "ui/shell/session.h"

#include <QDialog>

class QCheckBox;
class QLabel;
class QPushButton;

namespace wb::ui {

class TableView;

/// What of the jobs' files would be fetched, with sizes, before anything is.
class FetchDialog final : public QDialog
{
    Q_OBJECT

public:
    FetchDialog(Session& session, std::vector<JobFiles> files, QWidget* parent = nullptr);

private:
    void refresh();
    [[nodiscard]] const remote::FetchPlan& plan(const JobFiles& files) const; ///< As it is chosen.
    [[nodiscard]] QString whereText() const;

    Session& m_session;
    std::vector<JobFiles> m_files;
    WordsModel m_model;
    TableView* m_view;
    QLabel* m_summary;
    QCheckBox* m_everything;
    QPushButton* m_fetch;
};

} // namespace wb::ui
