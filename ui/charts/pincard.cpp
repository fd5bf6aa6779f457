#include "ui/charts/pincard.h"

#include "ui/theme/colours.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace wb::ui::charts {
namespace {

constexpr int widest = 640;
constexpr int around = 56; ///< Height that the card needs besides its text.
constexpr int away = 18;   ///< From the point, in pixels.

} // namespace

PinCard::PinCard(QWidget* parent)
    : QFrame(parent)
    , m_text(new QLabel)
    , m_scroll(new QScrollArea(this))
    , m_swap(new QToolButton(this))
    , m_open(new QToolButton(this))
    , m_close(new QToolButton(this))
{
    setObjectName(QStringLiteral("chartPin"));
    setAutoFillBackground(true);
    setCursor(Qt::SizeAllCursor);
    m_text->setObjectName(QStringLiteral("chartPinText"));
    m_text->setTextFormat(Qt::RichText);
    m_text->setAccessibleName(tr("Pinned point"));
    m_scroll->setWidget(m_text);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setAccessibleName(tr("Text of the card"));
    m_scroll->setObjectName(QStringLiteral("chartPinScroll"));
    m_scroll->viewport()->setAutoFillBackground(false);
    m_text->setAutoFillBackground(false);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setCursor(Qt::IBeamCursor);
    m_swap->setObjectName(QStringLiteral("chartPinSwap"));
    m_swap->setText(tr("Swap"));
    m_swap->setToolTip(tr("Take the other point as the first (S)"));
    m_open->setObjectName(QStringLiteral("chartPinOpen"));
    m_open->setText(tr("Open recipe"));
    m_open->setToolTip(tr("Open the recipe of the first point and select its job (Enter)"));
    m_close->setObjectName(QStringLiteral("chartPinClose"));
    m_close->setText(QStringLiteral("\u2715"));
    m_close->setToolTip(tr("Close the card (Esc)"));
    m_close->setAccessibleName(tr("Close the card"));
    auto* head = new QHBoxLayout;
    for (QToolButton* button : {m_swap, m_open, m_close}) {
        button->setAutoRaise(true);
        button->setCursor(Qt::ArrowCursor);
    }
    head->addWidget(m_swap);
    head->addWidget(m_open);
    head->addStretch(1);
    head->addWidget(m_close);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 8, 8);
    column->setSpacing(2);
    column->addLayout(head);
    column->addWidget(m_scroll);
    connect(m_swap, &QToolButton::clicked, this, &PinCard::swapWanted);
    connect(m_open, &QToolButton::clicked, this, &PinCard::openWanted);
    connect(m_close, &QToolButton::clicked, this, &PinCard::closed);
    hide();
}

void PinCard::setContent(const QString& html, const QString& spoken, bool isDelta)
{
    m_text->setText(html);
    m_text->setAccessibleName(isDelta ? tr("Two points compared") : tr("Pinned point"));
    m_text->setAccessibleDescription(spoken);
    m_swap->setVisible(isDelta);
    m_text->setWordWrap(false);
    const int room = std::max(120, std::min(widest, parentWidget()->width() - 40));
    QSize size = m_text->sizeHint();
    if (size.width() > room) {
        m_text->setWordWrap(true);
        size = QSize(room, m_text->heightForWidth(room));
    }
    m_text->resize(size);
    const int most = std::max(60, parentWidget()->height() - around);
    const int bar = size.height() > most ? m_scroll->verticalScrollBar()->sizeHint().width() : 0;
    m_scroll->setFixedSize(size.width() + bar, std::min(size.height(), most));
    layout()->activate();
    adjustSize();
}

void PinCard::placeBeside(const QPointF& at)
{
    const QRect room = parentWidget()->rect().adjusted(4, 4, -4, -4);
    QPoint corner = m_isMoved ? pos() : at.toPoint() + QPoint(away, away);
    if (!m_isMoved && corner.x() + width() > room.right())
        corner.setX(at.toPoint().x() - away - width());
    if (!m_isMoved && corner.y() + height() > room.bottom())
        corner.setY(at.toPoint().y() - away - height());
    corner.setX(std::clamp(corner.x(), room.left(), std::max(room.left(), room.right() - width())));
    corner.setY(std::clamp(corner.y(), room.top(), std::max(room.top(), room.bottom() - height())));
    move(corner);
    show();
    raise();
}

void PinCard::mousePressEvent(QMouseEvent* event)
{
    m_grip = event->position().toPoint();
    event->accept();
}

void PinCard::mouseMoveEvent(QMouseEvent* event)
{
    if (!event->buttons().testFlag(Qt::LeftButton))
        return;
    m_isMoved = true;
    placeBeside({});
    const QPoint wanted = pos() + event->position().toPoint() - m_grip;
    const QRect room = parentWidget()->rect();
    move(std::clamp(wanted.x(), 0, std::max(0, room.width() - width())), std::clamp(wanted.y(), 0, std::max(0, room.height() - height())));
    event->accept();
}

/// As the card under the mouse: styles draw frames of their own that a dark window swallows.
void PinCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Window));
    painter.setPen(blended(palette().color(QPalette::WindowText), palette().color(QPalette::Window), 0.3));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void PinCard::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape) {
        Q_EMIT closed();
        return;
    }
    if (event->key() == Qt::Key_S && m_swap->isVisible()) {
        Q_EMIT swapWanted();
        return;
    }
    QFrame::keyPressEvent(event);
}

} // namespace wb::ui::charts
