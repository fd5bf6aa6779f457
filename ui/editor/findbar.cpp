#include "ui/editor/findbar.h"

#include "ui/theme/colours.h"
#include "ui/theme/severity.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

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
    , m_replacement(new QLineEdit(this))
    , m_case(button(this, tr("Aa"), tr("Match upper and lower case")))
    , m_word(button(this, tr("\"w\""), tr("Match whole words")))
    , m_expression(button(this, QStringLiteral(".*"), tr("Regular expression")))
    , m_result(new QLabel(this))
    , m_second(new QWidget(this))
{
    setObjectName(QStringLiteral("findBar"));
    m_text->setObjectName(QStringLiteral("findText"));
    m_text->setAccessibleName(tr("Find"));
    m_text->setPlaceholderText(tr("Find"));
    m_text->setClearButtonEnabled(true);
    m_replacement->setObjectName(QStringLiteral("replaceText"));
    m_replacement->setAccessibleName(tr("Replace with"));
    m_replacement->setPlaceholderText(tr("Replace with"));
    m_replacement->setToolTip(tr("In a regular expression \\1 stands for the first group"));
    for (QLineEdit* line : {m_text, m_replacement})
        line->setFixedWidth(std::min(420, fontMetrics().averageCharWidth() * 44));
    m_case->setCheckable(true);
    m_word->setCheckable(true);
    m_expression->setCheckable(true);
    m_case->setObjectName(QStringLiteral("findCase"));
    m_word->setObjectName(QStringLiteral("findWord"));
    m_expression->setObjectName(QStringLiteral("findExpression"));
    m_result->setObjectName(QStringLiteral("findResult"));
    auto* previous = button(this, QStringLiteral("\u2191"), tr("Previous match (Shift+F3)"));
    auto* next = button(this, QStringLiteral("\u2193"), tr("Next match (F3)"));
    auto* close = button(this, QStringLiteral("\u2715"), tr("Close (Esc)"));
    auto* one = button(m_second, tr("Replace"), tr("Replace this match and go to the next (Enter)"));
    auto* all = button(m_second, tr("Replace all"), tr("Replace all matches as one step (Ctrl+Alt+Enter)"));
    one->setObjectName(QStringLiteral("replaceOne"));
    all->setObjectName(QStringLiteral("replaceAll"));

    auto* first = new QHBoxLayout;
    first->setSpacing(4);
    first->addWidget(m_text);
    first->addWidget(m_case);
    first->addWidget(m_word);
    first->addWidget(m_expression);
    first->addWidget(previous);
    first->addWidget(next);
    first->addWidget(m_result);
    first->addStretch(1);
    first->addWidget(close);
    auto* second = new QHBoxLayout(m_second);
    second->setContentsMargins(0, 0, 0, 0);
    second->setSpacing(4);
    second->addWidget(m_replacement);
    second->addWidget(one);
    second->addWidget(all);
    second->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 4, 6, 4);
    column->setSpacing(3);
    column->addLayout(first);
    column->addWidget(m_second);
    m_second->hide();
    setTabOrder(m_text, m_replacement);

    connect(m_text, &QLineEdit::textChanged, this, &FindBar::changed);
    for (QToolButton* option : {m_case, m_word, m_expression})
        connect(option, &QToolButton::toggled, this, &FindBar::changed);
    connect(previous, &QToolButton::clicked, this, &FindBar::previousWanted);
    connect(next, &QToolButton::clicked, this, &FindBar::nextWanted);
    connect(one, &QToolButton::clicked, this, &FindBar::replaceWanted);
    connect(all, &QToolButton::clicked, this, &FindBar::replaceAllWanted);
    connect(close, &QToolButton::clicked, this, &FindBar::closed);
}

void FindBar::activate(const QString& text, bool replace)
{
    if (!text.isEmpty())
        m_text->setText(text);
    m_second->setVisible(replace && m_mayReplace);
    show();
    QLineEdit* line = replace && m_mayReplace && !m_text->text().isEmpty() ? m_replacement : m_text;
    line->setFocus();
    line->selectAll();
}

void FindBar::setMayReplace(bool may)
{
    m_mayReplace = may;
    if (!may)
        m_second->hide();
}

QString FindBar::text() const
{
    return m_text->text();
}

bool FindBar::isCaseSensitive() const
{
    return m_case->isChecked();
}

QString FindBar::replacement() const
{
    return m_replacement->text();
}

bool FindBar::isWholeWord() const
{
    return m_word->isChecked();
}

bool FindBar::isExpression() const
{
    return m_expression->isChecked();
}

void FindBar::setResult(const QString& result, bool found, bool bad)
{
    QPalette colours = palette();
    if (bad) {
        const QColor back = colours.color(QPalette::Window);
        colours.setColor(QPalette::WindowText, readable(severityColor(syntax::Severity::Error, colours), back));
    }
    m_result->setPalette(colours);
    m_result->setForegroundRole(found || bad ? QPalette::WindowText : QPalette::PlaceholderText);
    m_result->setText(result);
    m_text->setAccessibleDescription(result);
}

void FindBar::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Escape:
        Q_EMIT closed();
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (event->modifiers().testFlag(Qt::ControlModifier) && event->modifiers().testFlag(Qt::AltModifier))
            Q_EMIT replaceAllWanted();
        else if (m_replacement->hasFocus())
            Q_EMIT replaceWanted();
        else if (event->modifiers().testFlag(Qt::ShiftModifier))
            Q_EMIT previousWanted();
        else
            Q_EMIT nextWanted();
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace wb::ui
