#pragma once

#include "ui/models/importmodel.h"
#include "ui/shell/session.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;

namespace wb::ui {

class TableView;

/// The import report: for every file what it was taken for or why not, and below it the way to tell the program more of the selected
/// files: which format they are, how many GPUs there were, how long the requests.
class ImportPane final : public QWidget
{
    Q_OBJECT

public:
    ImportPane(Session& session, QWidget* parent = nullptr);

private:
    QWidget* makeTeller();
    void refresh();
    void tell();
    void showTellable();
    void addToMenu(QMenu& menu, const QModelIndex& source);
    [[nodiscard]] QStringList selectedFiles() const; ///< Absolute paths of those that can be read again.

    Session& m_session;
    ImportModel m_model;
    TableView* m_view;
    QLabel* m_summary;
    QComboBox* m_state;
    QComboBox* m_format;
    QLineEdit* m_gpus;
    QLineEdit* m_isl;
    QLineEdit* m_osl;
    QPushButton* m_tell;
};

} // namespace wb::ui
