#include "ui/editor/recipeeditor.h"

#include "ui/editor/codeedit.h"
#include "ui/editor/findbar.h"
#include "ui/editor/hovercard.h"
#include "ui/theme/colours.h"
#include "ui/theme/severity.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeySequence>
#include <QLabel>
#include <QMenu>
#include <QTextBlock>
#include <QTimer>
#include <QVBoxLayout>
#include <QWidgetAction>

#include <algorithm>
#include <array>
#include <utility>

namespace wb::ui {
namespace {

constexpr std::size_t mostInCard = 6; ///< Problems of one place that a card lists.
constexpr int mostMatches = 20'000;   ///< More are not counted.
constexpr int searchDelayMs = 120;
constexpr int widestMenuText = 520; ///< Pixels of a problem's message above its fixes.

/// The editor's commands. To add one: a row.
struct Command {
    const char* id;
    const char* text;
    const char* shortcut;
    void (RecipeEditor::*run)();
    bool edits; ///< Not there in a read-only editor.
};

constexpr std::array commands = {
    Command{"editor.nextProblem", QT_TRANSLATE_NOOP("wb::ui::RecipeEditor", "Next problem"), "F8", &RecipeEditor::goToNextProblem, false},
    Command{"editor.previousProblem", QT_TRANSLATE_NOOP("wb::ui::RecipeEditor", "Previous problem"), "Shift+F8",
            &RecipeEditor::goToPreviousProblem, false},
    Command{"editor.fix", QT_TRANSLATE_NOOP("wb::ui::RecipeEditor", "Quick fix"), "Ctrl+.", &RecipeEditor::showFixes, true},
    Command{"editor.find", QT_TRANSLATE_NOOP("wb::ui::RecipeEditor", "Find in text"), "Ctrl+F", &RecipeEditor::showFindBar, false},
    Command{"editor.findNext", QT_TRANSLATE_NOOP("wb::ui::RecipeEditor", "Find next"), "F3", &RecipeEditor::findNext, false},
    Command{"editor.findPrevious", QT_TRANSLATE_NOOP("wb::ui::RecipeEditor", "Find previous"), "Shift+F3", &RecipeEditor::findPrevious,
            false},
    Command{"editor.toggleComment", QT_TRANSLATE_NOOP("wb::ui::RecipeEditor", "Comment or uncomment lines"), "Ctrl+/",
            &RecipeEditor::toggleComment, true},
    Command{"editor.moveLinesUp", QT_TRANSLATE_NOOP("wb::ui::RecipeEditor", "Move lines up"), "Alt+Up", &RecipeEditor::moveLinesUp, true},
    Command{"editor.moveLinesDown", QT_TRANSLATE_NOOP("wb::ui::RecipeEditor", "Move lines down"), "Alt+Down", &RecipeEditor::moveLinesDown,
            true},
    Command{"editor.zoomIn", QT_TRANSLATE_NOOP("wb::ui::RecipeEditor", "Larger text"), "Ctrl++;Ctrl+=", &RecipeEditor::zoomIn, false},
    Command{"editor.zoomOut", QT_TRANSLATE_NOOP("wb::ui::RecipeEditor", "Smaller text"), "Ctrl+-", &RecipeEditor::zoomOut, false},
    Command{"editor.resetZoom", QT_TRANSLATE_NOOP("wb::ui::RecipeEditor", "Text size of the system"), "", &RecipeEditor::resetZoom, false},
};

QString withLineFeeds(QString text)
{
    if (text.contains(u'\r')) {
        text.replace(QStringLiteral("\r\n"), QStringLiteral("\n"));
        text.replace(u'\r', u'\n');
    }
    return text;
}

/// What is to be mended, above its fixes: read, not chosen.
QAction* headingOf(const syntax::Diagnostic& problem, QMenu& menu)
{
    auto* heading = new QWidget(&menu);
    auto* icon = new QLabel(heading);
    icon->setPixmap(severityIcon(problem.severity, menu.palette()).pixmap(16));
    auto* message = new QLabel(QString::fromStdString(problem.message), heading);
    message->setTextFormat(Qt::PlainText);
    message->setWordWrap(menu.fontMetrics().horizontalAdvance(message->text()) > widestMenuText);
    if (message->wordWrap())
        message->setFixedWidth(widestMenuText);
    // Disabled for the keyboard, not for the eye.
    QPalette colours = menu.palette();
    colours.setColor(QPalette::Disabled, QPalette::WindowText, colours.color(QPalette::Active, QPalette::WindowText));
    message->setPalette(colours);
    auto* row = new QHBoxLayout(heading);
    row->setContentsMargins(8, 6, 12, 4);
    row->addWidget(icon, 0, Qt::AlignTop);
    row->addWidget(message, 1);
    auto* action = new QWidgetAction(&menu);
    action->setDefaultWidget(heading);
    action->setText(message->text());
    action->setEnabled(false);
    icon->setEnabled(true);
    return action;
}

QString inColour(const QString& text, const QColor& colour)
{
    return QStringLiteral("<span style=\"color:%1\">%2</span>").arg(colour.name(), text);
}

} // namespace

class RecipeEditor::Private
{
public:
    explicit Private(RecipeEditor& owner)
        : q(owner)
        , edit(new CodeEdit(&owner))
        , findBar(new FindBar(&owner))
        , card(new HoverCard(edit))
        , searchTimer(new QTimer(&owner))
    {
    }

    void showCard(const std::vector<std::size_t>& problems, const QRect& around);
    [[nodiscard]] QString cardHtml() const;
    [[nodiscard]] QString cardEntry(std::size_t index) const;
    void followLink(const QString& link);
    void search();
    void showMatch(int step);
    void goToProblem(std::optional<std::size_t> index);
    void makeActions();

    RecipeEditor& q;
    CodeEdit* edit;
    FindBar* findBar;
    HoverCard* card;
    QTimer* searchTimer;
    std::vector<syntax::Diagnostic> cardProblems; ///< In the offsets of now; the card goes with the first change.
    std::size_t cardMore = 0;
    std::vector<int> matches;
};

RecipeEditor::RecipeEditor(QWidget* parent)
    : QWidget(parent)
    , d(std::make_unique<Private>(*this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(d->edit, 1);
    layout->addWidget(d->findBar);
    d->findBar->hide();
    setFocusProxy(d->edit);
    d->edit->setAccessibleName(tr("Recipe text"));
    d->edit->setAccessibleDescription(tr("F8 goes to the next problem, Ctrl+. offers its fixes, F6 leaves the text."));
    d->searchTimer->setSingleShot(true);
    d->searchTimer->setInterval(searchDelayMs);
    d->makeActions();

    connect(d->edit, &CodeEdit::edited, this, [this] {
        d->card->hide();
        if (d->findBar->isVisible())
            d->searchTimer->start();
        Q_EMIT textEdited();
    });
    connect(d->edit, &QPlainTextEdit::cursorPositionChanged, this, &RecipeEditor::cursorMoved);
    connect(d->edit, &CodeEdit::hoverWanted, this,
            [this](syntax::Range place, const QRect& around) { d->showCard(d->edit->problems().within(place), around); });
    connect(d->edit, &CodeEdit::mouseMoved, this, [this](const QPoint& place) {
        if (d->card->isVisible())
            d->card->follow(place);
    });
    connect(d->edit, &CodeEdit::hoverEnded, d->card, &QWidget::hide);
    connect(d->edit, &CodeEdit::markClicked, this, [this](syntax::Range line) {
        const auto problems = d->edit->problems().within(line);
        if (problems.empty())
            return;
        d->edit->reveal(
            {d->edit->problems().problems()[problems.front()].range.begin, d->edit->problems().problems()[problems.front()].range.begin});
        d->edit->setFocus();
        if (!isReadOnly())
            showFixes();
    });
    connect(d->card, &HoverCard::linkActivated, this, [this](const QString& link) { d->followLink(link); });
    connect(d->findBar, &FindBar::changed, this, [this] {
        d->search();
        d->showMatch(0);
    });
    connect(d->findBar, &FindBar::nextWanted, this, &RecipeEditor::findNext);
    connect(d->findBar, &FindBar::previousWanted, this, &RecipeEditor::findPrevious);
    connect(d->findBar, &FindBar::closed, this, [this] {
        d->findBar->hide();
        d->edit->setMatches({}, 0);
        d->edit->setFocus();
    });
    connect(d->searchTimer, &QTimer::timeout, this, [this] { d->search(); });
}

RecipeEditor::~RecipeEditor() = default;

void RecipeEditor::Private::makeActions()
{
    for (const Command& command : commands) {
        auto* action = new QAction(RecipeEditor::tr(command.text), &q);
        action->setObjectName(QString::fromLatin1(command.id));
        action->setShortcuts(QKeySequence::listFromString(QString::fromLatin1(command.shortcut)));
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        action->setProperty("edits", command.edits);
        QObject::connect(action, &QAction::triggered, &q, command.run);
        q.addAction(action);
    }
}

// --- text -----------------------------------------------------------------------------------------------------------------------------

void RecipeEditor::setText(const QString& text)
{
    d->card->hide();
    d->edit->setWholeText(withLineFeeds(text));
}

void RecipeEditor::replaceText(const QString& text)
{
    const std::string next = utf8Of(withLineFeeds(text));
    const TextChange change = changeBetween(utf8Text(), next);
    if (change.isEmpty())
        return;
    d->edit->applyEdits({{.range = {change.begin, change.oldEnd}, .text = next.substr(change.begin, change.newEnd - change.begin)}});
}

QString RecipeEditor::text() const
{
    return QString::fromStdString(utf8Text());
}

const std::string& RecipeEditor::utf8Text() const
{
    return d->edit->positions().text();
}

QTextDocument* RecipeEditor::document() const
{
    return d->edit->document();
}

void RecipeEditor::setLanguage(const QString& definition)
{
    d->edit->highlighter().setLanguage(definition);
}

void RecipeEditor::undo()
{
    d->edit->undo();
}

void RecipeEditor::redo()
{
    d->edit->redo();
}

void RecipeEditor::setReadOnly(bool readOnly)
{
    d->edit->setReadOnly(readOnly);
    d->edit->setTabChangesFocus(readOnly);
    if (readOnly)
        d->edit->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    const auto own = actions();
    for (QAction* action : own)
        action->setEnabled(!readOnly || !action->property("edits").toBool());
}

bool RecipeEditor::isReadOnly() const
{
    return d->edit->isReadOnly();
}

void RecipeEditor::zoomIn()
{
    d->edit->zoomBy(1);
}

void RecipeEditor::zoomOut()
{
    d->edit->zoomBy(-1);
}

void RecipeEditor::resetZoom()
{
    d->edit->zoomBy(0);
}

void RecipeEditor::toggleComment()
{
    d->edit->toggleComment();
}

void RecipeEditor::moveLinesUp()
{
    d->edit->moveLines(-1);
}

void RecipeEditor::moveLinesDown()
{
    d->edit->moveLines(1);
}

void RecipeEditor::goTo(std::size_t utf8Offset)
{
    d->edit->reveal({utf8Offset, utf8Offset});
}

void RecipeEditor::goTo(syntax::Range range)
{
    d->edit->reveal(range);
}

std::size_t RecipeEditor::cursorOffset() const
{
    return d->edit->cursorOffset();
}

// --- problems -------------------------------------------------------------------------------------------------------------------------

void RecipeEditor::setProblems(std::shared_ptr<const syntax::SourceText> source, std::vector<syntax::Diagnostic> problems)
{
    d->card->hide();
    d->edit->setProblems(source ? source->text() : utf8Text(), problems);
}

void RecipeEditor::Private::goToProblem(std::optional<std::size_t> index)
{
    if (!index)
        return;
    const syntax::Diagnostic& problem = edit->problems().problems()[*index];
    edit->reveal({problem.range.begin, problem.range.begin});
    edit->setFocus();
    const QRect box = edit->rectOf(problem.range);
    showCard(edit->problems().within({problem.range.begin, problem.range.begin + 1}),
             QRect(edit->viewport()->mapToGlobal(box.topLeft()), box.size()));
}

void RecipeEditor::goToNextProblem()
{
    d->goToProblem(d->edit->problems().after(cursorOffset()));
}

void RecipeEditor::goToPreviousProblem()
{
    d->goToProblem(d->edit->problems().before(cursorOffset()));
}

void RecipeEditor::showFixes()
{
    const auto& all = d->edit->problems().problems();
    const auto withFixes = [&](syntax::Range place) {
        std::vector<std::size_t> found = d->edit->problems().within(place);
        std::erase_if(found, [&all](std::size_t index) { return all[index].fixes.empty(); });
        return found;
    };
    std::vector<std::size_t> shown = withFixes({cursorOffset(), cursorOffset()});
    if (shown.empty())
        shown = withFixes(d->edit->lineOfCursor());

    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("fixMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction* firstFix = nullptr;
    for (const std::size_t index : shown) {
        const syntax::Diagnostic& problem = all[index];
        menu->addSeparator();
        menu->addAction(headingOf(problem, *menu));
        for (const syntax::Fix& fix : problem.fixes) {
            QAction* action = menu->addAction(QString::fromStdString(fix.title));
            const int revision = document()->revision();
            connect(action, &QAction::triggered, this, [this, edits = fix.edits, revision] {
                if (document()->revision() == revision)
                    d->edit->applyEdits(edits);
            });
            firstFix = firstFix ? firstFix : action;
        }
    }
    if (shown.empty())
        menu->addAction(tr("No fix is known here"))->setEnabled(false);
    else
        menu->setActiveAction(firstFix);
    d->card->hide();
    menu->popup(d->edit->viewport()->mapToGlobal(d->edit->cursorRect().bottomLeft() + QPoint(0, 4)));
}

bool RecipeEditor::applyFix(const syntax::Fix& fix)
{
    if (isReadOnly())
        return false;
    std::optional<std::vector<syntax::TextEdit>> edits = d->edit->problems().editsOf(fix);
    if (!edits)
        return false;
    d->edit->applyEdits(std::move(*edits));
    return true;
}

// --- hover card -----------------------------------------------------------------------------------------------------------------------

void RecipeEditor::Private::showCard(const std::vector<std::size_t>& problems, const QRect& around)
{
    if (problems.empty()) {
        card->hide();
        return;
    }
    cardProblems.clear();
    for (std::size_t i = 0; i < std::min(problems.size(), mostInCard); ++i)
        cardProblems.push_back(edit->problems().problems()[problems[i]]);
    cardMore = problems.size() - cardProblems.size();
    card->showFor(cardHtml(), around);
}

QString RecipeEditor::Private::cardHtml() const
{
    QStringList entries;
    for (std::size_t i = 0; i < cardProblems.size(); ++i)
        entries.append(cardEntry(i));
    if (cardMore > 0)
        entries.append(RecipeEditor::tr("… and %1 more").arg(cardMore));
    return entries.join(QStringLiteral("<hr/>"));
}

QString RecipeEditor::Private::cardEntry(std::size_t index) const
{
    const syntax::Diagnostic& problem = cardProblems[index];
    const QPalette colours = card->palette();
    const QColor back = colours.color(QPalette::Window);
    const QColor quiet = readable(colours.color(QPalette::PlaceholderText), back);
    const QString linkStyle = QStringLiteral("style=\"color:%1\"").arg(readable(colours.color(QPalette::Link), back).name());
    QString html = QStringLiteral("<div><b>%1</b>&nbsp; %2</div>")
                       .arg(inColour(severityText(problem.severity), readable(severityColor(problem.severity, colours), back)),
                            QString::fromStdString(problem.message).toHtmlEscaped());
    for (std::size_t i = 0; i < problem.notes.size(); ++i) {
        const syntax::Note& note = problem.notes[i];
        const QString message = QString::fromStdString(note.message).toHtmlEscaped();
        if (note.source == syntax::Source::Recipe) {
            const auto line = edit->positions().lineOf(note.range.begin) + 1;
            html += QStringLiteral("<div style=\"margin-top:4px\">%1 <a %2 href=\"note:%3:%4\">%5</a></div>")
                        .arg(message, linkStyle)
                        .arg(index)
                        .arg(i)
                        .arg(RecipeEditor::tr("line %1").arg(line));
        } else {
            html += QStringLiteral("<div style=\"margin-top:4px\">%1</div>").arg(message);
        }
    }
    if (!edit->isReadOnly()) {
        for (std::size_t i = 0; i < problem.fixes.size(); ++i) {
            html += QStringLiteral("<div style=\"margin-top:4px\"><a %1 href=\"fix:%2:%3\">%4</a>%5</div>")
                        .arg(linkStyle)
                        .arg(index)
                        .arg(i)
                        .arg(QString::fromStdString(problem.fixes[i].title).toHtmlEscaped(),
                             i == 0 ? QStringLiteral("&nbsp;&nbsp;") +
                                          inColour(QKeySequence(QStringLiteral("Ctrl+.")).toString(QKeySequence::NativeText), quiet)
                                    : QString());
        }
    }
    QString origin = QString::fromUtf8(syntax::id(problem.code).data(), static_cast<qsizetype>(syntax::id(problem.code).size()));
    if (!problem.variant.empty())
        origin += QStringLiteral(" · ") + RecipeEditor::tr("in variant %1").arg(QString::fromStdString(problem.variant).toHtmlEscaped());
    html += QStringLiteral("<div style=\"margin-top:4px\"><small>%1</small></div>").arg(inColour(origin, quiet));
    return html;
}

void RecipeEditor::Private::followLink(const QString& link)
{
    const QStringList parts = link.split(u':');
    if (parts.size() != 3)
        return;
    const auto problem = static_cast<std::size_t>(parts[1].toUInt());
    const auto item = static_cast<std::size_t>(parts[2].toUInt());
    if (problem >= cardProblems.size())
        return;
    if (parts[0] == QStringLiteral("note") && item < cardProblems[problem].notes.size())
        edit->reveal(cardProblems[problem].notes[item].range);
    else if (parts[0] == QStringLiteral("fix") && item < cardProblems[problem].fixes.size() && !edit->isReadOnly())
        edit->applyEdits(cardProblems[problem].fixes[item].edits);
    edit->setFocus();
}

// --- search ---------------------------------------------------------------------------------------------------------------------------

void RecipeEditor::showFindBar()
{
    const QString selected = d->edit->textCursor().selectedText();
    d->findBar->activate(selected.contains(QChar::ParagraphSeparator) ? QString() : selected);
    d->search();
}

void RecipeEditor::Private::search()
{
    matches.clear();
    const QString sought = findBar->text();
    if (!sought.isEmpty()) {
        const QString text = q.text();
        const auto sensitivity = findBar->isCaseSensitive() ? Qt::CaseSensitive : Qt::CaseInsensitive;
        for (qsizetype at = text.indexOf(sought, 0, sensitivity); at >= 0 && matches.size() < mostMatches;
             at = text.indexOf(sought, at + sought.size(), sensitivity))
            matches.push_back(static_cast<int>(at));
    }
    edit->setMatches(matches, static_cast<int>(sought.size()));
    if (sought.isEmpty())
        findBar->setResult({}, true);
    else if (matches.empty())
        findBar->setResult(RecipeEditor::tr("Not found"), false);
    else
        findBar->setResult(matches.size() == 1 ? RecipeEditor::tr("1 match") : RecipeEditor::tr("%1 matches").arg(matches.size()), true);
}

/// Step 0 goes to the match at the cursor or behind it, 1 and -1 to its neighbours; round at the ends.
void RecipeEditor::Private::showMatch(int step)
{
    if (matches.empty())
        return;
    const int start = edit->textCursor().selectionStart();
    const auto begin = matches.begin();
    auto found = step > 0 ? std::upper_bound(begin, matches.end(), start) : std::lower_bound(begin, matches.end(), start);
    if (step < 0)
        found = found == begin ? matches.end() - 1 : found - 1;
    else if (found == matches.end())
        found = begin;
    const auto length = static_cast<int>(findBar->text().size());
    edit->reveal({edit->positions().offsetOf(*found), edit->positions().offsetOf(*found + length)});
    findBar->setResult(RecipeEditor::tr("%1 of %2").arg(found - begin + 1).arg(matches.size()), true);
}

void RecipeEditor::findNext()
{
    if (d->findBar->text().isEmpty()) {
        showFindBar();
        return;
    }
    d->search();
    d->showMatch(1);
}

void RecipeEditor::findPrevious()
{
    if (d->findBar->text().isEmpty()) {
        showFindBar();
        return;
    }
    d->search();
    d->showMatch(-1);
}

void RecipeEditor::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        d->card->hide();
}

} // namespace wb::ui
