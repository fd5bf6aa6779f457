#pragma once

#include "core/base/result.h"

#include <QFrame>

class QLabel;
class QToolButton;

namespace wb::ui {

/// An error in the pane that asked: one sentence, the detail on demand, copied with one click. Hidden until there is something to say.
class MessageBar final : public QFrame
{
    Q_OBJECT

public:
    explicit MessageBar(QWidget* parent = nullptr);

    void showError(const Error& error); ///< A cancelled operation is not told.
    void showText(const QString& text);

private:
    void show(const QString& text, const QString& detail);
    void toggleDetail();
    void copy();

    QLabel* m_text;
    QLabel* m_detail;
    QToolButton* m_details = nullptr;
};

} // namespace wb::ui
