#include "ui/panes/joblogview.h"

#include "core/remote/following.h"
#include "ui/models/text.h"

#include <QAction>
#include <QCheckBox>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTextBlock>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace wb::ui {

JobLogView::JobLogView(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_files(new QToolButton(this))
    , m_error(new QToolButton(this))
    , m_collapse(new QCheckBox(tr("Collapse repeats"), this))
    , m_follow(new QCheckBox(tr("Stay at the end"), this))
    , m_search(new QLineEdit(this))
    , m_state(new QLabel(this))
    , m_sign(new QLabel(this))
    , m_text(new QPlainTextEdit(this))
{
    m_files->setObjectName(QStringLiteral("jobLogFiles"));
    m_files->setPopupMode(QToolButton::InstantPopup);
    m_files->setAutoRaise(true);
    m_files->setToolTip(tr("Which files are followed; several are shown with their names"));
    auto* menu = new QMenu(m_files);
    m_files->setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillFiles(*menu); });
    m_error->setObjectName(QStringLiteral("jobLogError"));
    m_error->setText(tr("First error"));
    m_error->setAutoRaise(true);
    connect(m_error, &QToolButton::clicked, this, &JobLogView::goToError);
    m_collapse->setObjectName(QStringLiteral("jobLogCollapse"));
    m_collapse->setToolTip(tr("Lines that follow each other and differ in numbers only become one, with their count"));
    connect(m_collapse, &QCheckBox::toggled, this, [this](bool isOn) { m_session.jobLogs().setCollapsed(isOn); });
    m_follow->setChecked(true);
    m_search->setObjectName(QStringLiteral("jobLogSearch"));
    m_search->setPlaceholderText(tr("Find"));
    m_search->setAccessibleName(tr("Find in the log"));
    m_search->setClearButtonEnabled(true);
    m_search->setToolTip(tr("Enter finds the next place, Shift+Enter the one before"));
    connect(m_search, &QLineEdit::returnPressed, this, [this] { find(QGuiApplication::keyboardModifiers().testFlag(Qt::ShiftModifier)); });
    m_state->setObjectName(QStringLiteral("jobLogState"));
    m_state->setTextFormat(Qt::PlainText);
    m_state->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_sign->setObjectName(QStringLiteral("jobLogSign"));
    m_sign->setAccessibleName(tr("What the first error means"));
    m_sign->setTextFormat(Qt::PlainText);
    m_sign->setWordWrap(true);
    m_sign->setContentsMargins(6, 2, 6, 2);
    m_sign->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setObjectName(QStringLiteral("jobLogText"));
    m_text->setAccessibleName(tr("Log of the job"));
    m_text->setReadOnly(true);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setUndoRedoEnabled(false);

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(6, 4, 6, 4);
    bar->addWidget(m_files);
    bar->addWidget(m_state, 1);
    bar->addWidget(m_error);
    bar->addWidget(m_collapse);
    bar->addWidget(m_follow);
    bar->addWidget(m_search);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(m_sign);
    column->addWidget(m_text, 1);
    setFocusProxy(m_text);

    JobLogs& logs = session.jobLogs();
    connect(&logs, &JobLogs::filesChanged, this, &JobLogView::refreshFiles);
    connect(&logs, &JobLogs::textChanged, this, &JobLogView::refreshText);
    connect(&logs, &JobLogs::stateChanged, this, &JobLogView::refreshState);
    connect(&session.selection(), &Selection::jobChanged, this, [this] {
        if (isVisible())
            m_session.jobLogs().follow(m_session.selection().job());
    });
    refreshFiles();
    refreshText();
}

void JobLogView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_session.jobLogs().setWatching(true);
    m_session.jobLogs().follow(m_session.selection().job());
}

void JobLogView::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_session.jobLogs().setWatching(false);
}

void JobLogView::refreshFiles()
{
    QStringList followed;
    for (const JobLogs::File& file : m_session.jobLogs().files())
        if (file.isFollowed)
            followed += file.name;
    m_files->setText(followed.isEmpty()     ? tr("No file")
                     : followed.size() == 1 ? followed.front()
                                            : tr("%n file(s)", nullptr, static_cast<int>(followed.size())));
    m_files->setEnabled(!m_session.jobLogs().files().empty());
    refreshState();
}

void JobLogView::fillFiles(QMenu& menu)
{
    menu.clear();
    for (const JobLogs::File& file : m_session.jobLogs().files()) {
        const QString size = file.exists ? byteCount(static_cast<std::size_t>(file.size)) : tr("not there yet");
        QAction* action = menu.addAction(QStringLiteral("%1  (%2)").arg(file.name, size));
        action->setCheckable(true);
        action->setChecked(file.isFollowed);
        connect(action, &QAction::toggled, this, [this, name = file.name](bool isOn) {
            QStringList names;
            for (const JobLogs::File& each : m_session.jobLogs().files())
                if (each.isFollowed ? each.name != name || isOn : each.name == name && isOn)
                    names += each.name;
            m_session.jobLogs().setFollowed(names);
        });
    }
}

void JobLogView::refreshText()
{
    const LogText& log = *m_session.jobLogs().text();
    const QString before = m_text->toPlainText();
    QString now = log.text;
    if (now.endsWith(QLatin1Char('\n')))
        now.chop(1);
    if (now != before) {
        QScrollBar& bar = *m_text->verticalScrollBar();
        const int at = bar.value();
        // What is being read stays where it is; usually there is only more at the end.
        if (!before.isEmpty() && now.startsWith(before)) {
            QTextCursor end(m_text->document());
            end.movePosition(QTextCursor::End);
            end.insertText(now.mid(before.size()));
        } else {
            m_text->setPlainText(now);
        }
        bar.setValue(m_follow->isChecked() ? bar.maximum() : std::min(at, bar.maximum()));
    }
    m_error->setEnabled(log.errorLine.has_value());
    m_error->setToolTip(log.errorLine ? log.error : tr("No line tells of a failure, as far as known."));
    m_sign->setVisible(!log.meaning.isEmpty());
    m_sign->setText(log.meaning.isEmpty() ? QString() : tr("%1 \u2192 %2").arg(log.error.trimmed().left(200), log.meaning));
    refreshState();
}

void JobLogView::refreshState()
{
    const JobLogs& logs = m_session.jobLogs();
    QStringList parts;
    if (logs.job().empty())
        parts += tr("Select a job in the Jobs pane.");
    else if (!logs.trouble().isEmpty())
        parts += logs.trouble();
    else if (logs.files().empty())
        parts += logs.isReading() ? tr("looking for logs\u2026") : tr("The job has written no log yet.");
    std::optional<std::int64_t> idle;
    for (const JobLogs::File& file : logs.files()) {
        if (!file.isFollowed)
            continue;
        if (file.exists)
            idle = idle ? std::min(*idle, file.idleSeconds) : file.idleSeconds;
        else if (!logs.isReading())
            parts += tr("%1 is not there yet").arg(file.name);
        if (file.isCut)
            parts += tr("the last part of %1").arg(byteCount(static_cast<std::size_t>(file.size)));
    }
    if (idle)
        parts += *idle < 120 ? tr("last byte %1 s ago").arg(*idle) : tr("last byte %1 min ago").arg(*idle / 60);
    m_state->setText(parts.join(QStringLiteral(" \u00b7 ")));
    m_state->setToolTip(m_state->text());
}

void JobLogView::find(bool isBackward)
{
    const QString words = m_search->text();
    if (words.isEmpty())
        return;
    m_follow->setChecked(false);
    const auto how = isBackward ? QTextDocument::FindBackward : QTextDocument::FindFlags();
    if (m_text->find(words, how))
        return;
    // On from the other end.
    QTextCursor cursor = m_text->textCursor();
    cursor.movePosition(isBackward ? QTextCursor::End : QTextCursor::Start);
    m_text->setTextCursor(cursor);
    if (!m_text->find(words, how))
        m_state->setText(tr("\"%1\" does not occur.").arg(words));
}

void JobLogView::goToError()
{
    if (const auto line = m_session.jobLogs().text()->errorLine)
        goToLine(*line);
}

void JobLogView::goToLine(std::size_t line)
{
    m_follow->setChecked(false);
    const QTextBlock block = m_text->document()->findBlockByNumber(static_cast<int>(line));
    QTextCursor cursor(block);
    cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
    m_text->setTextCursor(cursor);
    m_text->centerCursor();
}

} // namespace wb::ui
