#include "ui/editor/findbar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

namespace wb::ui {
namespace {

QToolButton* button(QWidget* parent, const QString& text, const QString& name)
{
    auto* made = new QToolButton(parent);
    made->setText(text);
    made->setAccessibleName(name);
    made->setToolTip(name);
    made->setAutoRaise(true);
    made->setFocusPolicy(Qt::TabFocus);
    return made;
}

} // namespace

FindBar::FindBar(QWidget* parent)
    : QWidget(parent)
    , m_text(new QLineEdit(this))
    , m_case(button(this, tr("Aa"), tr("Match upper and lower case")))
    , m_result(new QLabel(this))
{
    setObjectName(QStringLiteral("findBar"));
    m_text->setObjectName(QStringLiteral("findText"));
    m_text->setAccessibleName(tr("Find"));
    m_text->setPlaceholderText(tr("Find"));
    m_text->setClearButtonEnabled(true);
    m_text->setMaximumWidth(420);
    m_case->setCheckable(true);
    m_result->setObjectName(QStringLiteral("findResult"));
    auto* previous = button(this, QStringLiteral("↑"), tr("Previous match (Shift+F3)"));
    auto* next = button(this, QStringLiteral("↓"), tr("Next match (F3)"));
    auto* close = button(this, QStringLiteral("✕"), tr("Close (Esc)"));

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->setSpacing(4);
    layout->addWidget(m_text, 2);
    layout->addWidget(m_case);
    layout->addWidget(previous);
    layout->addWidget(next);
    layout->addWidget(m_result);
    layout->addStretch(1);
    layout->addWidget(close);

    connect(m_text, &QLineEdit::textChanged, this, &FindBar::changed);
    connect(m_case, &QToolButton::toggled, this, &FindBar::changed);
    connect(previous, &QToolButton::clicked, this, &FindBar::previousWanted);
    connect(next, &QToolButton::clicked, this, &FindBar::nextWanted);
    connect(close, &QToolButton::clicked, this, &FindBar::closed);
}

void FindBar::activate(const QString& text)
{
    if (!text.isEmpty())
        m_text->setText(text);
    show();
    m_text->setFocus();
    m_text->selectAll();
}

QString FindBar::text() const
{
    return m_text->text();
}

bool FindBar::isCaseSensitive() const
{
    return m_case->isChecked();
}

void FindBar::setResult(const QString& result, bool found)
{
    m_result->setText(result);
    m_result->setForegroundRole(found ? QPalette::WindowText : QPalette::PlaceholderText);
}

void FindBar::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Escape:
        Q_EMIT closed();
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (event->modifiers().testFlag(Qt::ShiftModifier))
            Q_EMIT previousWanted();
        else
            Q_EMIT nextWanted();
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace wb::ui
