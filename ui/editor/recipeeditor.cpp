#include "ui/editor/recipeeditor.h"

#include "core/assist/completion.h"
#include "core/assist/navigation.h"
#include "core/assist/preview.h"
#include "ui/editor/codeedit.h"
#include "ui/editor/completionpopup.h"
#include "ui/editor/findbar.h"
#include "ui/editor/hovercard.h"
#include "ui/editor/hovertext.h"
#include "ui/editor/inlineinput.h"
#include "ui/editor/manifestquestions.h"
#include "ui/theme/colours.h"
#include "ui/theme/severity.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QKeySequence>
#include <QLabel>
#include <QMenu>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBlock>
#include <QTimer>
#include <QVBoxLayout>
#include <QWidgetAction>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace wb::ui {
namespace {

constexpr std::size_t mostInCard = 6; ///< Problems of one place that a card lists.
constexpr int mostMatches = 20'000;   ///< More are not counted.
constexpr int searchDelayMs = 120;
constexpr int completeDelayMs = 40;       ///< After the last key, before the list of completions shows itself.
constexpr std::size_t mostPlaces = 40;    ///< References that a menu lists.
constexpr std::size_t mostPreviewed = 14; ///< Lines of a fix that are shown before it is made.
constexpr int widestMenuText = 520;       ///< Pixels of a problem's message above its fixes.

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
    Command{"editor.replace", QT_TRANSLATE_NOOP("wb::ui::RecipeEditor", "Replace in text"), "Ctrl+H", &RecipeEditor::showReplaceBar, true},
    Command{"editor.complete", QT_TRANSLATE_NOOP("wb::ui::RecipeEditor", "Complete"), "Ctrl+Space", &RecipeEditor::complete, true},
    Command{"editor.describe", QT_TRANSLATE_NOOP("wb::ui::RecipeEditor", "About this place"), "Ctrl+Shift+Space", &RecipeEditor::describe,
            false},
    Command{"editor.definition", QT_TRANSLATE_NOOP("wb::ui::RecipeEditor", "Go to definition"), "F12", &RecipeEditor::goToDefinition,
            false},
    Command{"editor.references", QT_TRANSLATE_NOOP("wb::ui::RecipeEditor", "Go to a use"), "Shift+F12", &RecipeEditor::showReferences,
            false},
    Command{"editor.rename", QT_TRANSLATE_NOOP("wb::ui::RecipeEditor", "Rename placeholder or anchor"), "F2", &RecipeEditor::rename, true},
    Command{"editor.line", QT_TRANSLATE_NOOP("wb::ui::RecipeEditor", "Go to line"), "Ctrl+G", &RecipeEditor::goToLine, false},
    Command{"editor.fold", QT_TRANSLATE_NOOP("wb::ui::RecipeEditor", "Fold block"), "Ctrl+Shift+[", &RecipeEditor::foldBlock, false},
    Command{"editor.unfold", QT_TRANSLATE_NOOP("wb::ui::RecipeEditor", "Unfold block"), "Ctrl+Shift+]", &RecipeEditor::unfoldBlock, false},
    Command{"editor.foldAll", QT_TRANSLATE_NOOP("wb::ui::RecipeEditor", "Fold all"), "", &RecipeEditor::foldAll, false},
    Command{"editor.unfoldAll", QT_TRANSLATE_NOOP("wb::ui::RecipeEditor", "Unfold all"), "", &RecipeEditor::unfoldAll, false},
    Command{"editor.duplicateLines", QT_TRANSLATE_NOOP("wb::ui::RecipeEditor", "Duplicate lines"), "Shift+Alt+Down",
            &RecipeEditor::duplicateLines, true},
    Command{"editor.toggleComment", QT_TRANSLATE_NOOP("wb::ui::RecipeEditor", "Comment or uncomment lines"), "Ctrl+/",
            &RecipeEditor::toggleComment, true},
    Command{"editor.moveLinesUp", QT_TRANSLATE_NOOP("wb::ui::RecipeEditor", "Move lines up"), "Alt+Up", &RecipeEditor::moveLinesUp, true},
    Command{"editor.moveLinesDown", QT_TRANSLATE_NOOP("wb::ui::RecipeEditor", "Move lines down"), "Alt+Down", &RecipeEditor::moveLinesDown,
            true},
    Command{"editor.zoomIn", QT_TRANSLATE_NOOP("wb::ui::RecipeEditor", "Larger text"), "Ctrl++;Ctrl+=", &RecipeEditor::zoomIn, false},
    Command{"editor.zoomOut", QT_TRANSLATE_NOOP("wb::ui::RecipeEditor", "Smaller text"), "Ctrl+-", &RecipeEditor::zoomOut, false},
    Command{"editor.resetZoom", QT_TRANSLATE_NOOP("wb::ui::RecipeEditor", "Text size of the system"), "", &RecipeEditor::resetZoom, false},
};

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
        , popup(new CompletionPopup(edit))
        , input(new InlineInput(edit))
        , preview(new HoverCard(edit))
        , searchTimer(new QTimer(&owner))
        , completeTimer(new QTimer(&owner))
    {
    }

    void showCard(const std::vector<std::size_t>& problems, std::optional<std::size_t> about, const QRect& around);
    void showMessage(const QString& words);
    [[nodiscard]] std::shared_ptr<const assist::Document> document() const { return assistant ? assistant() : nullptr; }
    [[nodiscard]] std::shared_ptr<const ManifestQuestions> manifest() const { return manifests ? manifests() : nullptr; }
    void offer(bool asked);
    void follow();
    void take(const assist::Completion& item);
    void goTo(const assist::Location& location);
    void leap(syntax::Range range);
    void followDefinition(std::size_t offset);
    void showPreview(const QAction* action, const QMenu& menu);
    void replace(bool all);
    [[nodiscard]] QString wordToFind() const;
    [[nodiscard]] QRect cursorBox() const;
    [[nodiscard]] QString cardHtml() const;
    [[nodiscard]] QString cardEntry(std::size_t index) const;
    void followLink(const QString& link);
    void search();
    void showMatch(int step);
    void goToProblem(std::optional<std::size_t> index);
    void makeActions();
    void forget(); ///< What belongs to the text that goes.

    RecipeEditor& q;
    CodeEdit* edit;
    FindBar* findBar;
    HoverCard* card;
    CompletionPopup* popup;
    InlineInput* input;
    HoverCard* preview; ///< Of the fix that is chosen in the menu.
    QTimer* searchTimer;
    QTimer* completeTimer;
    Assistant assistant;
    Manifests manifests;
    std::function<bool()> isReady;
    QString typedText;                            ///< Since the timer of the completions was started.
    std::vector<syntax::Diagnostic> cardProblems; ///< In the offsets of now; the card goes with the first change.
    std::size_t cardMore = 0;
    std::optional<std::size_t> cardOffset; ///< The place that the card is about.
    std::vector<CodeEdit::Match> matches;
    std::vector<QRegularExpressionMatch> groups; ///< Of the matches, for the replacement; only of an expression.

    /// A change that has a name, by the length of the undo history before and behind it.
    struct NamedStep {
        int before = 0;
        QString name;
    };
    std::map<int, NamedStep> steps; ///< By the length behind it.
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
    d->completeTimer->setSingleShot(true);
    d->completeTimer->setInterval(completeDelayMs);
    d->preview->setObjectName(QStringLiteral("fixPreview"));
    d->preview->setAccessibleName(tr("What the fix changes"));
    d->edit->installEventFilter(this);
    d->edit->viewport()->installEventFilter(this);
    connect(d->edit->verticalScrollBar(), &QScrollBar::valueChanged, d->popup, &QWidget::hide);
    d->makeActions();
    connect(d->edit, &CodeEdit::undoStepAdded, this, [this] {
        // A new step takes the place of all that could have been made again.
        d->steps.erase(d->steps.lower_bound(document()->availableUndoSteps()), d->steps.end());
    });

    connect(d->edit, &CodeEdit::typed, this, [this](const QString& text) {
        d->typedText += text;
        d->completeTimer->start();
    });
    connect(d->completeTimer, &QTimer::timeout, this, [this] {
        if (!d->isReady || d->isReady())
            d->follow();
        else
            d->completeTimer->start();
    });
    connect(d->popup, &CompletionPopup::accepted, this, [this](const assist::Completion& item) { d->take(item); });
    connect(d->input, &InlineInput::closed, d->edit, qOverload<>(&QWidget::setFocus));
    connect(d->edit, &CodeEdit::linkClicked, this, [this](std::size_t offset) { d->followDefinition(offset); });
    connect(d->edit, &CodeEdit::linkHovered, this, [this](std::size_t offset) {
        const auto document = d->document();
        const bool leads = document && !assist::definitionsAt(*document, offset).empty();
        const auto about = leads ? assist::hoverAt(*document, offset) : std::nullopt;
        d->edit->setLink(about ? about->range : leads ? syntax::Range{offset, offset + 1} : syntax::Range{});
    });
    connect(d->edit, &CodeEdit::linkLeft, this, [this] { d->edit->setLink({}); });
    connect(d->edit, &CodeEdit::edited, this, [this] {
        d->card->hide();
        if (d->popup->isVisible())
            d->completeTimer->start();
        if (d->findBar->isVisible())
            d->searchTimer->start();
        Q_EMIT textEdited();
    });
    connect(d->edit, &QPlainTextEdit::cursorPositionChanged, this, &RecipeEditor::cursorMoved);
    connect(d->edit, &CodeEdit::hoverWanted, this, [this](syntax::Range place, const QRect& around) {
        const bool isInText = around.left() >= d->edit->viewport()->mapToGlobal(QPoint(0, 0)).x(); // not on the gutter
        if (!d->popup->isVisible())
            d->showCard(d->edit->problems().within(place), isInText ? std::optional(place.begin) : std::nullopt, around);
    });
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
    connect(d->findBar, &FindBar::replaceWanted, this, [this] { d->replace(false); });
    connect(d->findBar, &FindBar::replaceAllWanted, this, [this] { d->replace(true); });
    connect(d->findBar, &FindBar::closed, this, [this] {
        d->findBar->hide();
        d->edit->setMatches({});
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

void RecipeEditor::Private::forget()
{
    card->hide();
    popup->hide();
    completeTimer->stop();
    steps.clear();
}

void RecipeEditor::setText(const QString& text)
{
    d->forget();
    d->edit->setWholeText(withLineFeeds(text));
}

void RecipeEditor::setPreparedText(PreparedText text)
{
    d->forget();
    d->edit->setWholeText(std::move(text));
}

void RecipeEditor::replaceText(const QString& text, const QString& step)
{
    const std::string next = utf8Of(withLineFeeds(text));
    const TextChange change = changeBetween(utf8Text(), next);
    if (change.isEmpty())
        return;
    const int before = document()->availableUndoSteps();
    d->edit->applyEdits({{.range = {change.begin, change.oldEnd}, .text = next.substr(change.begin, change.newEnd - change.begin)}});
    if (!step.isEmpty())
        d->steps[document()->availableUndoSteps()] = {before, step};
}

QString RecipeEditor::undoStep() const
{
    const auto found = d->steps.find(document()->availableUndoSteps());
    return found == d->steps.end() ? QString() : found->second.name;
}

QString RecipeEditor::redoStep() const
{
    if (!document()->isRedoAvailable())
        return {};
    const int now = document()->availableUndoSteps();
    const auto found = std::find_if(d->steps.begin(), d->steps.end(), [now](const auto& each) { return each.second.before == now; });
    return found == d->steps.end() ? QString() : found->second.name;
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
    d->edit->setLanguage(definition);
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
    d->findBar->setMayReplace(!readOnly);
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

void RecipeEditor::duplicateLines()
{
    d->edit->duplicateLines();
}

void RecipeEditor::foldBlock()
{
    d->edit->foldAtCursor();
}

void RecipeEditor::unfoldBlock()
{
    d->edit->unfoldAtCursor();
}

void RecipeEditor::foldAll()
{
    d->edit->foldAll();
}

void RecipeEditor::unfoldAll()
{
    d->edit->unfoldAll();
}

std::vector<int> RecipeEditor::foldedLines() const
{
    return d->edit->foldedLines();
}

void RecipeEditor::setFoldedLines(const std::vector<int>& lines)
{
    d->edit->setFoldedLines(lines);
}

void RecipeEditor::setWhitespaceShown(bool shown)
{
    d->edit->setWhitespaceShown(shown);
}

void RecipeEditor::leaveKeysToWindow()
{
    const auto own = actions();
    for (QAction* action : own)
        action->setShortcuts({});
}

void RecipeEditor::setAssistant(Assistant assistant, std::function<bool()> isReady)
{
    d->assistant = std::move(assistant);
    d->isReady = std::move(isReady);
}

void RecipeEditor::goTo(std::size_t utf8Offset)
{
    d->edit->reveal({utf8Offset, utf8Offset});
}

void RecipeEditor::goTo(syntax::Range range)
{
    d->edit->reveal(range);
}

void RecipeEditor::setManifests(Manifests manifests)
{
    d->manifests = std::move(manifests);
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
    Q_EMIT q.leaping(edit->cursorOffset());
    edit->reveal({problem.range.begin, problem.range.begin});
    edit->setFocus();
    const QRect box = edit->rectOf(problem.range);
    showCard(edit->problems().within({problem.range.begin, problem.range.begin + 1}), std::nullopt,
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
    if (shown.empty()) { // words alone: a menu would take the keyboard
        d->popup->hide();
        d->showMessage(tr("No fix is known here."));
        return;
    }

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
            const assist::Preview preview = assist::previewOf(utf8Text(), fix.edits, mostPreviewed);
            action->setData(htmlOf(preview, d->preview->palette()));
            const int revision = document()->revision();
            connect(action, &QAction::triggered, this, [this, edits = fix.edits, revision] {
                if (document()->revision() == revision)
                    d->edit->applyEdits(edits);
            });
            firstFix = firstFix ? firstFix : action;
        }
    }
    menu->setActiveAction(firstFix);
    d->card->hide();
    d->popup->hide();
    connect(menu, &QMenu::hovered, this, [this, menu](QAction* action) { d->showPreview(action, *menu); });
    connect(menu, &QMenu::aboutToHide, d->preview, &QWidget::hide);
    connect(menu, &QObject::destroyed, d->preview, &QWidget::hide);
    menu->popup(d->edit->viewport()->mapToGlobal(d->edit->cursorRect().bottomLeft() + QPoint(0, 4)));
    d->showPreview(firstFix, *menu);
}

void RecipeEditor::Private::showPreview(const QAction* action, const QMenu& menu)
{
    const QString html = action->data().toString();
    if (html.isEmpty() || !menu.isVisible()) {
        preview->hide();
        return;
    }
    const QRect line = menu.actionGeometry(const_cast<QAction*>(action));
    preview->showBeside(html, QRect(menu.mapToGlobal(QPoint(0, line.top())), QSize(menu.width(), line.height())));
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

void RecipeEditor::Private::showCard(const std::vector<std::size_t>& problems, std::optional<std::size_t> about, const QRect& around)
{
    cardProblems.clear();
    cardOffset = about;
    for (std::size_t i = 0; i < std::min(problems.size(), mostInCard); ++i)
        cardProblems.push_back(edit->problems().problems()[problems[i]]);
    cardMore = problems.size() - cardProblems.size();
    const QString html = cardHtml();
    if (html.isEmpty()) {
        card->hide();
        return;
    }
    card->showFor(html, around);
}

void RecipeEditor::Private::showMessage(const QString& words)
{
    cardProblems.clear();
    cardOffset.reset();
    card->showFor(words.toHtmlEscaped(), cursorBox());
}

QRect RecipeEditor::Private::cursorBox() const
{
    const QRect box = edit->cursorRect();
    return {edit->viewport()->mapToGlobal(box.topLeft()), box.size()};
}

QString RecipeEditor::Private::cardHtml() const
{
    QStringList entries;
    for (std::size_t i = 0; i < cardProblems.size(); ++i)
        entries.append(cardEntry(i));
    if (cardMore > 0)
        entries.append(RecipeEditor::tr("… and %1 more").arg(cardMore));
    if (const auto manifest = cardOffset ? this->manifest() : nullptr) {
        if (const auto about = manifest->hoverAt(*cardOffset))
            entries.append(htmlOf(*about, card->palette(), false));
        return entries.join(QStringLiteral("<hr/>"));
    }
    const auto document = cardOffset ? this->document() : nullptr;
    if (const auto about = document ? assist::hoverAt(*document, *cardOffset) : std::nullopt)
        entries.append(htmlOf(*about, card->palette(), !assist::definitionsAt(*document, *cardOffset).empty()));
    return entries.join(QStringLiteral("<hr/>"));
}

QString RecipeEditor::Private::cardEntry(std::size_t index) const
{
    const syntax::Diagnostic& problem = cardProblems[index];
    const QPalette colours = card->palette();
    const QColor back = colours.color(QPalette::Window);
    const QColor quiet = quietText(colours);
    const QString linkStyle = QStringLiteral("style=\"color:%1\"").arg(readable(colours.color(QPalette::Link), back).name());
    const std::string_view code = syntax::id(problem);
    QString html = QStringLiteral("<div><b>%1</b>&nbsp; %2 &nbsp;<a %3 href=\"help:%4:0\">%5</a></div>")
                       .arg(inColour(severityText(problem.severity), readable(severityColor(problem.severity, colours), back)),
                            QString::fromStdString(problem.message).toHtmlEscaped(), linkStyle, QString::number(index),
                            QString::fromUtf8(code.data(), static_cast<qsizetype>(code.size())));
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
    if (!problem.variant.empty()) {
        const QString origin = RecipeEditor::tr("in variant %1").arg(QString::fromStdString(problem.variant).toHtmlEscaped());
        html += QStringLiteral("<div style=\"margin-top:4px\"><small>%1</small></div>").arg(inColour(origin, quiet));
    }
    return html;
}

void RecipeEditor::Private::followLink(const QString& link)
{
    const QStringList parts = link.split(u':');
    if (parts.size() != 3)
        return;
    if (parts[0] == QStringLiteral("definition") && cardOffset) {
        followDefinition(*cardOffset);
        return;
    }
    const auto problem = static_cast<std::size_t>(parts[1].toUInt());
    const auto item = static_cast<std::size_t>(parts[2].toUInt());
    if (problem >= cardProblems.size())
        return;
    if (parts[0] == QStringLiteral("help")) {
        const std::string_view code = syntax::id(cardProblems[problem]);
        Q_EMIT q.helpWanted(QString::fromUtf8(code.data(), static_cast<qsizetype>(code.size())));
        return;
    }
    if (parts[0] == QStringLiteral("note") && item < cardProblems[problem].notes.size())
        leap(cardProblems[problem].notes[item].range);
    else if (parts[0] == QStringLiteral("fix") && item < cardProblems[problem].fixes.size() && !edit->isReadOnly())
        edit->applyEdits(cardProblems[problem].fixes[item].edits);
    edit->setFocus();
}

// --- search ---------------------------------------------------------------------------------------------------------------------------

/// What is selected, unless that is a match of what is sought already.
QString RecipeEditor::Private::wordToFind() const
{
    const QTextCursor cursor = edit->textCursor();
    const QString selected = cursor.selectedText();
    const bool isMatch = findBar->isVisible() && std::any_of(matches.begin(), matches.end(), [&](const CodeEdit::Match& each) {
                             return each.position == cursor.selectionStart() && each.position + each.length == cursor.selectionEnd();
                         });
    return isMatch || selected.contains(QChar::ParagraphSeparator) ? QString() : selected;
}

void RecipeEditor::showFindBar()
{
    d->popup->hide();
    d->findBar->activate(d->wordToFind(), false);
    d->search();
}

void RecipeEditor::showReplaceBar()
{
    d->popup->hide();
    d->findBar->activate(d->wordToFind(), true);
    d->search();
}

void RecipeEditor::Private::search()
{
    matches.clear();
    groups.clear();
    const QString sought = findBar->text();
    if (sought.isEmpty()) {
        edit->setMatches({});
        findBar->setResult({}, true);
        return;
    }
    const QString text = q.text();
    if (!findBar->isExpression() && !findBar->isWholeWord()) {
        const auto sensitivity = findBar->isCaseSensitive() ? Qt::CaseSensitive : Qt::CaseInsensitive;
        for (qsizetype at = text.indexOf(sought, 0, sensitivity); at >= 0 && matches.size() < mostMatches;
             at = text.indexOf(sought, at + sought.size(), sensitivity))
            matches.push_back({static_cast<int>(at), static_cast<int>(sought.size())});
    } else {
        QString pattern = findBar->isExpression() ? sought : QRegularExpression::escape(sought);
        if (findBar->isWholeWord())
            pattern = QStringLiteral("\\b(?:%1)\\b").arg(pattern);
        QRegularExpression::PatternOptions options = QRegularExpression::MultilineOption | QRegularExpression::UseUnicodePropertiesOption;
        if (!findBar->isCaseSensitive())
            options |= QRegularExpression::CaseInsensitiveOption;
        const QRegularExpression expression(pattern, options);
        if (!expression.isValid()) {
            edit->setMatches({});
            findBar->setResult(RecipeEditor::tr("The expression is not complete: %1").arg(expression.errorString()), false, true);
            return;
        }
        auto found = expression.globalMatch(text);
        while (found.hasNext() && matches.size() < mostMatches) {
            const QRegularExpressionMatch match = found.next();
            if (match.capturedLength() == 0)
                continue;
            matches.push_back({static_cast<int>(match.capturedStart()), static_cast<int>(match.capturedLength())});
            groups.push_back(match);
        }
    }
    edit->setMatches(matches);
    if (matches.empty())
        findBar->setResult(RecipeEditor::tr("Not found"), false);
    else if (matches.size() >= mostMatches)
        findBar->setResult(RecipeEditor::tr("More than %1 matches").arg(mostMatches), true);
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
    auto found = step > 0 ? std::upper_bound(begin, matches.end(), start,
                                             [](int position, const CodeEdit::Match& each) { return position < each.position; })
                          : std::lower_bound(begin, matches.end(), start,
                                             [](const CodeEdit::Match& each, int position) { return each.position < position; });
    if (step < 0)
        found = found == begin ? matches.end() - 1 : found - 1;
    else if (found == matches.end())
        found = begin;
    edit->reveal({edit->positions().offsetOf(found->position), edit->positions().offsetOf(found->position + found->length)});
    findBar->setResult(RecipeEditor::tr("%1 of %2").arg(found - begin + 1).arg(matches.size()), true);
}

namespace {

/// "\\1" and "\\\\" of a replacement, filled in.
QString filledIn(const QString& replacement, const QRegularExpressionMatch& match)
{
    QString out;
    for (qsizetype i = 0; i < replacement.size(); ++i) {
        if (replacement[i] != u'\\' || i + 1 == replacement.size()) {
            out += replacement[i];
            continue;
        }
        const QChar next = replacement[++i];
        if (next.isDigit())
            out += match.captured(next.digitValue());
        else if (next == u'n')
            out += u'\n';
        else if (next == u't')
            out += u'\t';
        else
            out += next;
    }
    return out;
}

} // namespace

void RecipeEditor::Private::replace(bool all)
{
    if (edit->isReadOnly())
        return;
    search();
    if (matches.empty())
        return;
    const auto editOf = [&](std::size_t index) -> syntax::TextEdit {
        const CodeEdit::Match& match = matches[index];
        const QString text =
            findBar->isExpression() && index < groups.size() ? filledIn(findBar->replacement(), groups[index]) : findBar->replacement();
        return {{edit->positions().offsetOf(match.position), edit->positions().offsetOf(match.position + match.length)}, utf8Of(text)};
    };
    if (all) {
        std::vector<syntax::TextEdit> edits;
        edits.reserve(matches.size());
        for (std::size_t i = 0; i < matches.size(); ++i)
            edits.push_back(editOf(i));
        const std::size_t count = edits.size();
        edit->applyEdits(std::move(edits));
        search();
        findBar->setResult(count == 1 ? RecipeEditor::tr("1 replaced") : RecipeEditor::tr("%1 replaced").arg(count), true);
        return;
    }
    // The match that is selected is replaced; without one the next is only shown.
    const QTextCursor cursor = edit->textCursor();
    const auto selected = std::find_if(matches.begin(), matches.end(), [&](const CodeEdit::Match& each) {
        return each.position == cursor.selectionStart() && each.position + each.length == cursor.selectionEnd();
    });
    if (selected != matches.end()) {
        const syntax::TextEdit done = editOf(static_cast<std::size_t>(selected - matches.begin()));
        edit->applyCompletion(done, done.text.size());
        search();
    }
    showMatch(0);
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

// --- what can be written here, what stands here ----------------------------------------------------------------------------------------

void RecipeEditor::complete()
{
    if (!isReadOnly())
        d->offer(true);
}

/// Shows the completions at the cursor; by itself only where the typed text asks for them.
void RecipeEditor::Private::offer(bool asked)
{
    const auto manifest = this->manifest();
    const auto document = manifest ? nullptr : this->document();
    if (!manifest && !document) {
        popup->hide();
        return;
    }
    assist::Completions found =
        manifest ? manifest->completionsAt(edit->cursorOffset()) : assist::completionsAt(*document, edit->cursorOffset());
    if (asked && found.items.empty()) {
        popup->hide();
        showMessage(RecipeEditor::tr("Nothing is known that could be written here."));
        return;
    }
    if (!asked && found.isComplete) {
        popup->hide();
        return;
    }
    if (asked && found.items.size() == 1 && !popup->isVisible()) {
        take(found.items.front());
        return;
    }
    card->hide();
    const std::size_t begin = std::min(found.word.begin, edit->cursorOffset());
    const QRect box = edit->rectOf({begin, begin});
    const QString typed = QString::fromStdString(found.prefix);
    // Enter must stay Enter for somebody who only types: a word is chosen when what was typed begins it.
    const bool isClear = !found.items.empty() && !found.prefix.empty() && assist::fit(found.prefix, found.items.front().label) == 4;
    popup->showFor(std::move(found.items), typed, QRect(edit->viewport()->mapToGlobal(box.topLeft()), box.size()), asked || isClear);
}

/// What was typed may call for the list, or narrow the one that is shown.
void RecipeEditor::Private::follow()
{
    const QString typed = std::exchange(typedText, QString());
    if (!edit->hasFocus() || edit->isReadOnly() || edit->textCursor().hasSelection())
        return;
    const QString line = edit->textCursor().block().text();
    const int column = edit->textCursor().positionInBlock();
    const QChar before = column > 0 ? line[column - 1] : QChar(u'\n');
    const bool isWord = before.isLetterOrNumber() || before == u'_' || before == u'-' || before == u'.';
    if (popup->isVisible()) {
        if (isWord || before == u'{' || before == u'*' || column == 0 || before == u' ')
            offer(popup->chosen() != nullptr && !isWord);
        else
            popup->hide();
        return;
    }
    // A value has its list as soon as its colon is written; a word on the left from its first letter.
    const bool opensValue = typed.endsWith(u' ') && column > 1 && line[column - 2] == u':';
    const bool opensName = typed.endsWith(u'{') || typed.endsWith(u'*');
    const bool isTypedWord =
        isWord && !typed.isEmpty() && (typed.back().isLetterOrNumber() || typed.back() == u'_' || typed.back() == u'-');
    if (opensValue || opensName || isTypedWord)
        offer(false);
}

void RecipeEditor::Private::take(const assist::Completion& item)
{
    popup->hide();
    edit->applyCompletion(item.edit, item.cursor);
    edit->setFocus();
    if (item.opensNext) {
        typedText = QStringLiteral(": ");
        completeTimer->start();
    }
}

void RecipeEditor::describe()
{
    const QRect box = d->cursorBox();
    d->popup->hide();
    d->showCard(d->edit->problems().within({cursorOffset(), cursorOffset()}), cursorOffset(), box);
    if (!d->card->isVisible())
        d->showMessage(tr("Nothing is known about this place."));
}

void RecipeEditor::goToDefinition()
{
    d->followDefinition(cursorOffset());
}

void RecipeEditor::Private::followDefinition(std::size_t offset)
{
    const auto document = this->document();
    const std::vector<assist::Location> found = document ? assist::definitionsAt(*document, offset) : std::vector<assist::Location>();
    edit->setLink({});
    if (found.empty())
        showMessage(RecipeEditor::tr("Nothing here is defined elsewhere."));
    else
        goTo(found.front());
}

void RecipeEditor::Private::goTo(const assist::Location& location)
{
    if (location.source == syntax::Source::Recipe) {
        leap(location.range);
        return;
    }
    Q_EMIT q.leaping(edit->cursorOffset());
    Q_EMIT q.clusterPlaceWanted(location.range);
}

void RecipeEditor::Private::leap(syntax::Range range)
{
    Q_EMIT q.leaping(edit->cursorOffset());
    card->hide();
    edit->reveal(range);
    edit->setFocus();
}

void RecipeEditor::showReferences()
{
    const auto document = d->document();
    const std::vector<assist::Location> found =
        document ? assist::referencesAt(*document, cursorOffset()) : std::vector<assist::Location>();
    if (found.empty()) {
        d->showMessage(tr("Nothing else in the text means the same as this."));
        return;
    }
    d->card->hide();
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("referencesMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QFont fixed = d->edit->font();
    QAction* here = nullptr;
    for (std::size_t i = 0; i < std::min(found.size(), mostPlaces); ++i) {
        const assist::Location& each = found[i];
        QString words = QString::fromStdString(each.what);
        words.replace(u'&', QStringLiteral("&&"));
        QAction* action = nullptr;
        if (each.source == syntax::Source::Recipe) {
            const std::size_t line = d->edit->positions().lineOf(each.range.begin) + 1;
            action = menu->addAction(tr("Line %1:  %2").arg(line).arg(words));
            if (each.range.begin <= cursorOffset() && cursorOffset() <= each.range.end)
                here = action;
        } else {
            action = menu->addAction(tr("Cluster file:  %1").arg(words));
        }
        action->setFont(fixed);
        connect(action, &QAction::triggered, this, [this, each, revision = document->source()->text().size()] {
            if (each.source != syntax::Source::Recipe || utf8Text().size() == revision)
                d->goTo(each);
        });
    }
    if (found.size() > mostPlaces)
        menu->addAction(tr("and %1 more").arg(found.size() - mostPlaces))->setEnabled(false);
    menu->setActiveAction(here ? here : menu->actions().first());
    menu->popup(d->edit->viewport()->mapToGlobal(d->edit->cursorRect().bottomLeft() + QPoint(0, 4)));
}

void RecipeEditor::rename()
{
    const auto document = isReadOnly() ? nullptr : d->document();
    const auto what = document ? assist::renameableAt(*document, cursorOffset()) : std::nullopt;
    if (!what) {
        d->showMessage(tr("There is no placeholder of the sweep and no anchor at the cursor."));
        return;
    }
    d->card->hide();
    d->popup->hide();
    const bool isAnchor = what->kind == assist::MarkKind::Anchor;
    const QRect box = d->edit->rectOf(what->range).translated(d->edit->viewport()->pos());
    d->input->ask(isAnchor ? tr("Rename the anchor") : tr("Rename the placeholder"), QString::fromStdString(what->name),
                  what->places == 1 ? tr("1 place changes") : tr("%1 places change").arg(what->places), box,
                  [this, offset = cursorOffset()](const QString& name) {
                      const auto now = d->document();
                      if (!now)
                          return QString();
                      const assist::Rename done = assist::renamed(*now, offset, utf8Of(name));
                      if (done.whyNot.empty())
                          d->edit->applyEdits(done.edits);
                      return QString::fromStdString(done.whyNot);
                  });
}

void RecipeEditor::goToLine()
{
    d->card->hide();
    d->popup->hide();
    const QTextCursor cursor = d->edit->textCursor();
    const int lines = d->edit->blockCount();
    d->input->ask(tr("Go to line"), QString::number(cursor.blockNumber() + 1), tr("1 to %1, or line:column").arg(lines), {},
                  [this, lines](const QString& text) {
                      const QStringList parts = text.trimmed().split(u':');
                      bool isLine = false;
                      const int line = parts.value(0).toInt(&isLine);
                      if (!isLine || line < 1 || parts.size() > 2)
                          return tr("Give a line from 1 to %1.").arg(lines);
                      const QTextBlock block = document()->findBlockByNumber(std::min(line, lines) - 1);
                      const int column = parts.size() == 2 ? std::max(1, parts[1].toInt()) : 1;
                      const std::size_t at = d->edit->positions().offsetOf(block.position() + std::min(column - 1, block.length() - 1));
                      d->leap({at, at});
                      return QString();
                  });
}

bool RecipeEditor::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == d->edit && event->type() == QEvent::Hide)
        d->card->hide(); // it is a window of its own, and stayed over the next text
    if (watched == d->edit->viewport()) {
        if (event->type() == QEvent::MouseButtonPress)
            d->popup->hide();
    } else if (watched == d->edit && d->popup->isVisible()) {
        if (event->type() == QEvent::KeyPress) {
            const auto* key = static_cast<QKeyEvent*>(event);
            if (d->popup->handleKey(key->key(), key->modifiers()))
                return true;
            const bool leaves = key->key() == Qt::Key_Left || key->key() == Qt::Key_Right || key->key() == Qt::Key_Home ||
                                key->key() == Qt::Key_End || key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
            if (leaves)
                d->popup->hide();
        } else if (event->type() == QEvent::ShortcutOverride) {
            const auto* key = static_cast<QKeyEvent*>(event);
            if (key->key() == Qt::Key_Escape) { // the window has other plans for it
                event->accept();
                return true;
            }
        } else if (event->type() == QEvent::FocusOut || event->type() == QEvent::Hide) {
            d->popup->hide();
        }
    } else if (watched == d->edit && event->type() == QEvent::FocusOut) {
        d->completeTimer->stop();
    }
    return QWidget::eventFilter(watched, event);
}

void RecipeEditor::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        d->card->hide();
}

} // namespace wb::ui
