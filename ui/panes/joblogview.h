#pragma once

#include "ui/shell/session.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;
class QMenu;
class QPlainTextEdit;
class QToolButton;

namespace wb::ui {

/// The logs of the selected job as they grow: several files, a search, the first error, repeated lines in one.
class JobLogView final : public QWidget
{
    Q_OBJECT

public:
    JobLogView(Session& session, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void refreshFiles();
    void refreshText();
    void refreshState();
    void fillFiles(QMenu& menu);
    void find(bool isBackward);
    void goToError();
    void goToLine(std::size_t line);

    Session& m_session;
    QToolButton* m_files;
    QToolButton* m_error;
    QCheckBox* m_collapse;
    QCheckBox* m_follow;
    QLineEdit* m_search;
    QLabel* m_state;
    QLabel* m_sign;
    QPlainTextEdit* m_text;
};

} // namespace wb::ui
