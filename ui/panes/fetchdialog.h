#pragma once

#include "ui/models/wordsmodel.h"
#include "ui/shell/session.h"

#include <QDialog>

class QCheckBox;
class QLabel;
class QPushButton;

namespace wb::ui {

class TableView;

/// What of a job's files would be fetched, with sizes, before anything is.
class FetchDialog final : public QDialog
{
    Q_OBJECT

public:
    FetchDialog(Session& session, const JobFiles& files, QWidget* parent = nullptr);

private:
    void refresh();

    JobFiles m_files;
    WordsModel m_model;
    TableView* m_view;
    QLabel* m_summary;
    QCheckBox* m_everything;
    QPushButton* m_fetch;
};

} // namespace wb::ui
