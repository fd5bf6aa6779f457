#include "ui/editor/inlineinput.h"

#include "ui/theme/colours.h"
#include "ui/theme/severity.h"

#include <QApplication>
#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace wb::ui {

InlineInput::InlineInput(QWidget* parent)
    : QFrame(parent)
    , m_title(new QLabel(this))
    , m_text(new QLineEdit(this))
    , m_hint(new QLabel(this))
{
    setObjectName(QStringLiteral("inlineInput"));
    setAutoFillBackground(true);
    setFont(QApplication::font()); // not that of the text
    m_text->setObjectName(QStringLiteral("inlineText"));
    m_text->setMinimumWidth(fontMetrics().averageCharWidth() * 34);
    m_text->setAccessibleName(tr("Answer"));
    m_text->installEventFilter(this);
    m_title->setBuddy(m_text);
    m_hint->setObjectName(QStringLiteral("inlineHint"));
    m_hint->setWordWrap(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 8, 10, 8);
    column->setSpacing(4);
    column->addWidget(m_title);
    column->addWidget(m_text);
    column->addWidget(m_hint);
    hide();
}

void InlineInput::ask(const QString& title, const QString& text, const QString& hint, const QRect& around, Accept accept)
{
    m_accept = std::move(accept);
    m_title->setText(title);
    m_text->setAccessibleName(title);
    m_text->setText(text);
    m_hint->setText(hint);
    m_hint->setVisible(!hint.isEmpty());
    m_hint->setPalette(parentWidget()->palette());
    adjustSize();
    const QRect room = parentWidget()->rect();
    QPoint corner(room.center().x() - width() / 2, room.top() + 2);
    if (!around.isEmpty()) {
        corner = around.bottomLeft() + QPoint(0, 4);
        if (corner.y() + height() > room.bottom())
            corner.setY(around.top() - 4 - height());
    }
    corner.setX(std::clamp(corner.x(), room.left(), std::max(room.left(), room.right() - width())));
    move(corner);
    show();
    raise();
    m_text->setFocus();
    m_text->selectAll();
}

void InlineInput::finish()
{
    const QString why = m_accept ? m_accept(m_text->text()) : QString();
    if (why.isEmpty()) {
        hide();
        Q_EMIT closed();
        return;
    }
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, readable(severityColor(syntax::Severity::Error, colours), colours.color(QPalette::Window)));
    m_hint->setPalette(colours);
    m_hint->setText(why);
    m_hint->show();
    m_text->setAccessibleDescription(why);
    adjustSize();
}

void InlineInput::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        finish();
        return;
    case Qt::Key_Escape:
        hide();
        Q_EMIT closed();
        return;
    default:
        QFrame::keyPressEvent(event);
    }
}

bool InlineInput::eventFilter(QObject* watched, QEvent* event)
{
    // Whoever looks elsewhere has given up.
    if (watched == m_text && event->type() == QEvent::FocusOut && isVisible() && window()->isActiveWindow())
        hide();
    if (watched == m_text && event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    return QFrame::eventFilter(watched, event);
}

void InlineInput::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(blended(palette().color(QPalette::WindowText), palette().color(QPalette::Window), 0.35));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

} // namespace wb::ui
