// What is known about a place in the text: its problems with their notes as links and their fixes as links.
#pragma once

#include <QFrame>
#include <QRect>
#include <QString>

class QLabel;
class QTimer;

namespace wb::ui {

class HoverCard final : public QFrame
{
    Q_OBJECT

public:
    explicit HoverCard(QWidget* parent);

    /// Shows rich text below (or above) a place; both in global coordinates. It stays while the mouse is over the place or over the card.
    void showFor(const QString& html, const QRect& place);
    /// Shows rich text to the right of a place, or to its left; it stays until it is hidden.
    void showBeside(const QString& html, const QRect& place);
    /// The mouse is there now (global); away from place and card it goes after a moment.
    void follow(const QPoint& mouse);
    [[nodiscard]] QString html() const;

Q_SIGNALS:
    void linkActivated(const QString& link);

protected:
    void leaveEvent(QEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void setHtml(const QString& html, int most);

    QLabel* m_label;
    QTimer* m_leaving;
    QRect m_place;
};

} // namespace wb::ui
