#include "ui/panes/messagebar.h"

#include "ui/models/text.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace wb::ui {

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent)
    , m_text(new QLabel(this))
    , m_detail(new QLabel(this))
{
    setObjectName(QStringLiteral("messageBar"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::ToolTipBase);
    setForegroundRole(QPalette::ToolTipText);
    setFrameShape(QFrame::StyledPanel);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 4, 4);
    column->setSpacing(2);
    m_row = new QHBoxLayout;
    column->addLayout(m_row);
    m_text->setAccessibleName(tr("What went wrong"));
    m_detail->setAccessibleName(tr("Details of what went wrong"));
    for (QLabel* label : {m_text, m_detail}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setForegroundRole(QPalette::ToolTipText);
    }
    m_row->addWidget(m_text, 1);
    m_details = new QToolButton(this);
    m_details->setText(tr("Details"));
    m_details->setToolTip(tr("Show what else is known about the error"));
    m_details->setAutoRaise(true);
    connect(m_details, &QToolButton::clicked, this, &MessageBar::toggleDetail);
    auto* copyButton = new QToolButton(this);
    copyButton->setText(tr("Copy"));
    copyButton->setToolTip(tr("Copy the message and its details"));
    copyButton->setAutoRaise(true);
    connect(copyButton, &QToolButton::clicked, this, &MessageBar::copy);
    auto* closeButton = new QToolButton(this);
    closeButton->setText(tr("Close"));
    closeButton->setToolTip(tr("Hide this message; the Log keeps it"));
    closeButton->setAutoRaise(true);
    connect(closeButton, &QToolButton::clicked, this, &QWidget::hide);
    m_row->addWidget(m_details);
    m_row->addWidget(copyButton);
    m_row->addWidget(closeButton);
    column->addWidget(m_detail);
    hide();
}

void MessageBar::showError(const Error& error)
{
    if (error.code != ErrorCode::Cancelled)
        show(text(error.message), text(error.detail));
}

void MessageBar::showText(const QString& text)
{
    show(text, {});
}

void MessageBar::showChoices(const QString& text, const std::vector<Choice>& choices)
{
    show(text, {});
    for (const Choice& choice : choices) {
        auto* button = new QToolButton(this);
        button->setText(choice.text);
        button->setAutoRaise(true);
        connect(button, &QToolButton::clicked, this, [this, run = choice.run] {
            hide();
            run();
        });
        m_row->insertWidget(static_cast<int>(m_choices.size()) + 1, button);
        m_choices.push_back(button);
    }
}

void MessageBar::clearChoices()
{
    for (QToolButton* button : m_choices)
        button->deleteLater();
    m_choices.clear();
}

void MessageBar::show(const QString& text, const QString& detail)
{
    clearChoices();
    m_text->setText(text);
    m_detail->setText(detail);
    m_detail->hide();
    m_details->setVisible(!detail.isEmpty());
    setAccessibleName(text);
    QFrame::show();
}

void MessageBar::toggleDetail()
{
    m_detail->setVisible(!m_detail->isVisible());
}

void MessageBar::copy()
{
    QGuiApplication::clipboard()->setText(m_detail->text().isEmpty() ? m_text->text()
                                                                     : m_text->text() + QLatin1Char('\n') + m_detail->text());
}

} // namespace wb::ui
