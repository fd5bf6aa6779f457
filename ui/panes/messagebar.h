#pragma once

#include "core/base/result.h"

#include <QFrame>

#include <functional>
#include <vector>

class QHBoxLayout;
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
    struct Choice {
        QString text;
        std::function<void()> run;
    };
    /// A question that waits: one button each, the first is what most will want. Choosing hides the bar.
    void showChoices(const QString& text, const std::vector<Choice>& choices);

private:
    void show(const QString& text, const QString& detail);
    void toggleDetail();
    void copy();

    void clearChoices();

    QLabel* m_text;
    QHBoxLayout* m_row;
    std::vector<QToolButton*> m_choices;
    QLabel* m_detail;
    QToolButton* m_details = nullptr;
};

} // namespace wb::ui
