// A line of text asked for in the editor itself: a new name at the old one, the number of a line.
#pragma once

#include <QFrame>
#include <QRect>

#include <functional>

class QLabel;
class QLineEdit;

namespace wb::ui {

class InlineInput final : public QFrame
{
    Q_OBJECT

public:
    explicit InlineInput(QWidget* parent);

    /// `accept` gets the text and gives back why it cannot be taken; an empty answer closes the input.
    using Accept = std::function<QString(const QString&)>;
    /// `around` is in the parent's coordinates; an empty one means the top of the parent.
    void ask(const QString& title, const QString& text, const QString& hint, const QRect& around, Accept accept);

Q_SIGNALS:
    void closed();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void finish();

    QLabel* m_title;
    QLineEdit* m_text;
    QLabel* m_hint;
    Accept m_accept;
};

} // namespace wb::ui
