// The card that stays on the chart: of one point, or of two against each other. It can be moved by its head.
#pragma once

#include <QFrame>
#include <QString>

class QLabel;
class QScrollArea;
class QToolButton;

namespace wb::ui::charts {

class PinCard final : public QFrame
{
    Q_OBJECT

public:
    explicit PinCard(QWidget* parent);

    /// `isDelta`: of two points, which can be swapped.
    void setContent(const QString& html, const QString& spoken, bool isDelta);
    /// Beside that place of the parent, wholly inside it; where the user has moved it to, it stays.
    void placeBeside(const QPointF& at);
    void forgetPlace() { m_isMoved = false; }

Q_SIGNALS:
    void swapWanted();
    void openWanted();
    void closed();

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QLabel* m_text;
    QScrollArea* m_scroll;
    QToolButton* m_swap;
    QToolButton* m_open;
    QToolButton* m_close;
    QPoint m_grip;
    bool m_isMoved = false;
};

} // namespace wb::ui::charts
