#include "ui/editor/hovercard.h"

#include "ui/theme/colours.h"

#include <QEnterEvent>
#include <QLabel>
#include <QPainter>
#include <QScreen>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace wb::ui {
namespace {

constexpr int widest = 560;
constexpr int widestBeside = 760; ///< Lines of text are not wrapped there.
constexpr int leaveMs = 250;      ///< Time to cross from the word to the card.

} // namespace

HoverCard::HoverCard(QWidget* parent)
    : QFrame(parent, Qt::ToolTip)
    , m_label(new QLabel(this))
    , m_leaving(new QTimer(this))
{
    setObjectName(QStringLiteral("hoverCard"));
    setAttribute(Qt::WA_ShowWithoutActivating);
    setAccessibleName(tr("About this place"));
    m_label->setObjectName(QStringLiteral("hoverText"));
    m_label->setTextFormat(Qt::RichText);
    m_label->setWordWrap(true);
    m_label->setTextInteractionFlags(Qt::TextBrowserInteraction);
    m_label->setFocusPolicy(Qt::NoFocus);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 9, 12, 9);
    layout->setSizeConstraint(QLayout::SetNoConstraint); // setHtml gives the size; the layout would hold the one before
    layout->addWidget(m_label);
    m_leaving->setSingleShot(true);
    m_leaving->setInterval(leaveMs);
    connect(m_leaving, &QTimer::timeout, this, &QWidget::hide);
    connect(m_label, &QLabel::linkActivated, this, [this](const QString& link) {
        hide();
        Q_EMIT linkActivated(link);
    });
}

void HoverCard::setHtml(const QString& html, int most)
{
    m_leaving->stop();
    m_label->setMinimumSize(0, 0); // a label never asks for less than that, whatever its words
    m_label->setText(html);
    m_label->setWordWrap(false);
    const int natural = m_label->sizeHint().width();
    m_label->setWordWrap(true);
    const int width = std::min(natural + 2, most);
    const int height = m_label->heightForWidth(width);
    m_label->setFixedSize(width, height);
    // The layout learns of the new text by an event later on: its own hint would be that of the text before.
    const QMargins around = layout()->contentsMargins();
    resize(width + around.left() + around.right(), height + around.top() + around.bottom());
}

void HoverCard::showBeside(const QString& html, const QRect& place)
{
    m_place = place;
    setHtml(html, widestBeside);
    const QRect available = parentWidget()->screen()->availableGeometry();
    QPoint corner(place.right() + 3, place.top());
    if (corner.x() + width() > available.right())
        corner.setX(std::max(available.left(), place.left() - 3 - width()));
    corner.setY(std::clamp(corner.y(), available.top(), std::max(available.top(), available.bottom() - height())));
    move(corner);
    show();
    raise();
}

void HoverCard::showFor(const QString& html, const QRect& place)
{
    m_place = place;
    setHtml(html, widest);

    const QScreen* screen = parentWidget()->screen();
    const QRect available = screen->availableGeometry();
    QPoint corner(place.left(), place.bottom() + 4);
    if (corner.y() + height() > available.bottom())
        corner.setY(place.top() - 4 - height());
    corner.setX(std::clamp(corner.x(), available.left(), std::max(available.left(), available.right() - width())));
    move(corner);
    show();
    raise();
}

void HoverCard::follow(const QPoint& mouse)
{
    if (m_place.adjusted(-4, -4, 4, 6).contains(mouse) || geometry().contains(mouse))
        m_leaving->stop();
    else if (!m_leaving->isActive())
        m_leaving->start();
}

QString HoverCard::html() const
{
    return m_label->text();
}

void HoverCard::enterEvent(QEnterEvent* event)
{
    m_leaving->stop();
    QFrame::enterEvent(event);
}

void HoverCard::leaveEvent(QEvent* event)
{
    m_leaving->start();
    QFrame::leaveEvent(event);
}

void HoverCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Window));
    painter.setPen(blended(palette().color(QPalette::WindowText), palette().color(QPalette::Window), 0.3));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

} // namespace wb::ui
