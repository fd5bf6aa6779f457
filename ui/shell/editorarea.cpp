#include "ui/shell/editorarea.h"

#include "ui/editor/manifestquestions.h"
#include "ui/editor/preparedtext.h"
#include "ui/editor/recipeeditor.h"
#include "ui/models/text.h"
#include "ui/panes/messagebar.h"
#include "ui/shell/textdiffdialog.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace wb::ui {

namespace {

constexpr std::size_t mostVisits = 100;
constexpr std::size_t longText = std::size_t{128} << 10; ///< Making one ready for questions takes longer than a key press may.

struct PreparedDocument final : Documents::Prepared {
    explicit PreparedDocument(PreparedText made)
        : text(std::move(made))
    {
    }
    PreparedText text;
};

void zoomBy(RecipeEditor& editor, int steps)
{
    for (int i = 0; i < std::abs(steps); ++i) {
        if (steps > 0)
            editor.zoomIn();
        else
            editor.zoomOut();
    }
}

/// A file name that would take the whole bar, without its middle: names of recipes differ at their ends.
QString shortTitle(const QString& title)
{
    constexpr qsizetype most = 40;
    constexpr qsizetype ends = (most - 1) / 2;
    return title.size() <= most ? title : title.left(ends) + QChar(0x2026) + title.right(ends);
}

} // namespace

EditorArea::EditorArea(Session& session, QWidget* welcome, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_stack(new QStackedWidget(this))
    , m_tabs(new QTabWidget(this))
    , m_messages(new MessageBar(this))
    , m_prepare(session.workers(), [this](Prepared prepared) {
        if (m_editors.contains(prepared.id))
            m_assist[prepared.id] = std::move(prepared.assist);
    })
{
    m_tabs->setObjectName(QStringLiteral("editorTabs"));
    m_tabs->setDocumentMode(true);
    m_tabs->setTabsClosable(true);
    m_tabs->setMovable(true);
    m_tabs->tabBar()->setAccessibleName(tr("Open recipes"));
    // Of many recipes the titles stay whole, and the bar scrolls: they are told apart by their names.
    m_tabs->tabBar()->setElideMode(Qt::ElideNone);
    m_tabs->tabBar()->setExpanding(false);
    m_tabs->setUsesScrollButtons(true);
    m_stack->addWidget(welcome);
    m_stack->addWidget(m_tabs);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_messages);
    column->addWidget(m_stack, 1);

    Documents& documents = session.documents();
    documents.setPreparation([](const std::string& content) -> std::shared_ptr<Documents::Prepared> {
        return content.size() < longText ? nullptr : std::make_shared<PreparedDocument>(preparedText(text(content)));
    });
    connect(&documents, &Documents::opened, this, &EditorArea::add);
    connect(&documents, &Documents::closed, this, &EditorArea::remove);
    connect(&documents, &Documents::currentChanged, this, &EditorArea::showCurrent);
    connect(&documents, &Documents::checked, this, &EditorArea::showProblems);
    connect(&documents, &Documents::stateChanged, this, &EditorArea::showTitle);
    connect(&documents, &Documents::failed, this, [this](const Error& error) {
        m_messages->showError(error);
        m_messageOf = m_session.documents().current() ? std::optional(m_session.documents().current()->id) : std::nullopt;
    });
    connect(&documents, &Documents::saved, m_messages, &QWidget::hide); // what was wrong before is so no longer
    connect(&documents, &Documents::replaced, this, [this](DocumentId id, const std::string& content) {
        if (RecipeEditor* at = editor(id))
            at->replaceText(text(content));
    });
    connect(&documents, &Documents::changeRequested, this, [this](DocumentId id, const QString& step, const std::string& content) {
        RecipeEditor* at = editor(id);
        if (!at)
            return;
        if (at->isReadOnly())
            m_session.log().warning(tr("The text is shown read-only; it was not changed: %1").arg(step));
        else
            at->replaceText(text(content), step);
    });
    connect(&documents, &Documents::placeRequested, this, [this](DocumentId id, std::size_t offset) {
        if (RecipeEditor* at = editor(id)) {
            // A text that was opened for this very place has no other one to come back to.
            if (!std::exchange(m_isArriving, false) && at->cursorOffset() != 0)
                remember(id, at->cursorOffset());
            at->goTo(offset);
            if (at == current()) // one behind it must not take the keys away
                at->setFocus();
        }
    });
    connect(&documents, &Documents::fixRequested, this, [this](DocumentId id, const syntax::Fix& fix) {
        RecipeEditor* at = editor(id);
        if (at && !at->applyFix(fix))
            m_session.log().info(tr("The text changed meanwhile; the fix was not made: %1").arg(text(fix.title)));
    });
    connect(m_tabs, &QTabWidget::currentChanged, this, [this](int tab) {
        if (const auto id = idAt(tab))
            m_session.documents().setCurrent(*id);
    });
    connect(m_tabs, &QTabWidget::tabCloseRequested, this, [this](int tab) {
        if (const auto id = idAt(tab))
            Q_EMIT closeRequested(*id);
    });
    for (const DocumentId id : documents.ids())
        add(id);
    showCurrent();
}

RecipeEditor* EditorArea::editor(DocumentId id) const
{
    const auto found = m_editors.find(id);
    return found == m_editors.end() ? nullptr : found->second;
}

RecipeEditor* EditorArea::current() const
{
    const Document* document = m_session.documents().current();
    return document ? editor(document->id) : nullptr;
}

std::optional<DocumentId> EditorArea::idAt(int tab) const
{
    for (const auto& [id, each] : m_editors) {
        if (m_tabs->widget(tab) == each)
            return id;
    }
    return std::nullopt;
}

void EditorArea::add(DocumentId id)
{
    const Document* document = m_session.documents().find(id);
    if (!document || m_editors.contains(id))
        return;
    auto* made = new RecipeEditor(m_tabs);
    made->setObjectName(QStringLiteral("recipeEditor"));
    made->leaveKeysToWindow(); // every command of the editor is a row of the window's actions
    zoomBy(*made, m_zoom);
    if (const auto prepared = std::dynamic_pointer_cast<PreparedDocument>(m_session.documents().takePrepared(id)))
        made->setPreparedText(std::move(prepared->text));
    else
        made->setText(text(document->source->text()));
    if (made->utf8Text() != document->source->text()) {
        // Line and paragraph separators, for one, are line feeds to a text editor: saving would change lines that nobody touched.
        made->setReadOnly(true);
        m_messages->showText(tr("%1 holds characters that the editor cannot keep; it is shown read-only.").arg(document->title));
    }
    m_editors[id] = made;
    connect(made, &RecipeEditor::textEdited, this, [this, id] { takeText(id); });
    connect(made, &RecipeEditor::cursorMoved, this, &EditorArea::cursorMoved);
    connect(made, &RecipeEditor::cursorMoved, this, [this, id, made] { m_session.documents().setCursor(id, made->cursorOffset()); });
    connect(made, &RecipeEditor::leaping, this, [this, id](std::size_t from) { remember(id, from); });
    connect(made, &RecipeEditor::clusterPlaceWanted, this, &EditorArea::goToCluster);
    connect(made, &RecipeEditor::helpWanted, &m_session, &Session::showHelp);
    made->setAssistant([this, id] { return assistant(id); }, [this, id] { return isAssistantReady(id); });
    made->setManifests([this, id] { return manifestQuestions(id); });
    made->setWhitespaceShown(m_whitespace);
    {
        const QSignalBlocker quiet(m_tabs);
        // Behind the one that was asked for before it, whichever file was read first.
        const auto before = std::find_if(m_editors.rbegin(), m_editors.rend(), [id](const auto& each) { return each.first < id; });
        m_tabs->insertTab(before == m_editors.rend() ? 0 : m_tabs->indexOf(before->second) + 1, made, QString());
    }
    if (const auto folds = m_foldsWanted.find(document->path); folds != m_foldsWanted.end()) {
        made->setFoldedLines(folds->second);
        m_foldsWanted.erase(folds);
    }
    showTitle(id);
    showProblems(id);
}

std::vector<int> EditorArea::foldedLines(DocumentId id) const
{
    const RecipeEditor* at = editor(id);
    return at ? at->foldedLines() : std::vector<int>();
}

std::vector<DocumentId> EditorArea::tabOrder() const
{
    std::vector<DocumentId> out;
    for (int tab = 0; tab < m_tabs->count(); ++tab) {
        if (const auto id = idAt(tab))
            out.push_back(*id);
    }
    return out;
}

void EditorArea::takeText(DocumentId id)
{
    if (const RecipeEditor* at = editor(id))
        m_session.documents().setText(id, at->utf8Text());
    prepareAssistant(id);
    Q_EMIT textEdited();
}

std::shared_ptr<const assist::Document> EditorArea::assistant(DocumentId id)
{
    const Document* document = m_session.documents().find(id);
    const RecipeEditor* at = editor(id);
    if (!document || !at || document->isManifest)
        return nullptr;
    Assist& kept = m_assist[id];
    const FactsPtr& facts = m_session.documents().facts();
    if (!isFresh(kept, *document, at->utf8Text())) {
        // The session has the newest text already, but for the moment in which a key is being handled.
        auto source = document->source;
        if (source->text() != at->utf8Text())
            source = std::make_shared<const syntax::SourceText>(at->utf8Text(), source->path());
        kept = {std::make_shared<const assist::Document>(std::move(source), facts, document->checked), document->checked, facts};
    }
    return kept.document;
}

std::shared_ptr<const ManifestQuestions> EditorArea::manifestQuestions(DocumentId id)
{
    const Document* document = m_session.documents().find(id);
    const RecipeEditor* at = editor(id);
    if (!document || !at || !document->isManifest)
        return nullptr;
    auto source = document->source;
    if (source->text() != at->utf8Text()) // the session has the newest text an event later
        source = std::make_shared<const syntax::SourceText>(at->utf8Text(), source->path());
    return std::make_shared<const ManifestQuestions>(std::move(source), m_session.documents().crds());
}

bool EditorArea::isAssistantReady(DocumentId id) const
{
    const Document* document = m_session.documents().find(id);
    const RecipeEditor* at = editor(id);
    if (!document || !at || document->isManifest || at->utf8Text().size() < longText)
        return true; // a short one is made at once
    const auto kept = m_assist.find(id);
    return kept != m_assist.end() && isFresh(kept->second, *document, at->utf8Text());
}

bool EditorArea::isFresh(const Assist& kept, const Document& document, const std::string& text) const
{
    return kept.document && kept.checked == document.checked && kept.facts == m_session.documents().facts() &&
           kept.document->text().size() == text.size() && kept.document->text() == text;
}

/// A long text is made ready on a worker while the user types on: the list of completions comes a moment after the key and finds it done.
void EditorArea::prepareAssistant(DocumentId id)
{
    const Document* document = m_session.documents().find(id);
    if (!document || document->isManifest || document->source->text().size() < longText)
        return;
    m_prepare.start([id, source = document->source, facts = m_session.documents().facts(), checked = document->checked](std::stop_token) {
        return Prepared{id, {std::make_shared<const assist::Document>(source, facts, checked), checked, facts}};
    });
}

// --- back and forward -----------------------------------------------------------------------------------------------------------------

void EditorArea::remember(DocumentId id, std::size_t from)
{
    if (m_travelling)
        return;
    m_visits.resize(std::min(m_visits.size(), m_now));
    const Visit place{id, from};
    if (m_visits.empty() || m_visits.back() != place)
        m_visits.push_back(place);
    if (m_visits.size() > mostVisits)
        m_visits.erase(m_visits.begin());
    m_now = m_visits.size();
    Q_EMIT historyChanged();
}

void EditorArea::goBack()
{
    if (!canGoBack())
        return;
    if (m_now == m_visits.size()) { // to come forward to here again
        const Document* document = m_session.documents().current();
        if (const RecipeEditor* at = current(); at && document)
            m_visits.push_back({document->id, at->cursorOffset()});
    }
    --m_now;
    visit(m_visits[m_now]);
}

void EditorArea::goForward()
{
    if (canGoForward())
        visit(m_visits[++m_now]);
}

void EditorArea::visit(const Visit& place)
{
    if (RecipeEditor* at = editor(place.id)) {
        m_travelling = true;
        m_session.documents().setCurrent(place.id);
        at->goTo(place.offset);
        at->setFocus();
        m_travelling = false;
    }
    Q_EMIT historyChanged();
}

void EditorArea::goToCluster(syntax::Range range)
{
    const FactsPtr& facts = m_session.documents().facts();
    if (!facts || !facts->clusterSource)
        return;
    m_isArriving = true;
    m_session.documents().open(text(facts->clusterSource->path()), {.variant = {}, .offset = range.begin});
}

void EditorArea::setWhitespaceShown(bool shown)
{
    m_whitespace = shown;
    for (const auto& [id, each] : m_editors)
        each->setWhitespaceShown(shown);
}

void EditorArea::remove(DocumentId id)
{
    RecipeEditor* at = editor(id);
    if (!at)
        return;
    m_editors.erase(id);
    m_assist.erase(id);
    const auto isGone = [id](const Visit& place) { return place.id == id; };
    m_now -= static_cast<std::size_t>(
        std::count_if(m_visits.begin(), m_visits.begin() + static_cast<std::ptrdiff_t>(std::min(m_now, m_visits.size())), isGone));
    std::erase_if(m_visits, isGone);
    Q_EMIT historyChanged();
    {
        const QSignalBlocker quiet(m_tabs);
        m_tabs->removeTab(m_tabs->indexOf(at));
    }
    at->deleteLater();
    showCurrent();
}

void EditorArea::showCurrent()
{
    RecipeEditor* at = current();
    m_stack->setCurrentIndex(at ? 1 : 0);
    if (at) {
        const QSignalBlocker quiet(m_tabs);
        m_tabs->setCurrentWidget(at);
        setFocusProxy(at);
        if (std::exchange(m_wantsFocus, false))
            at->setFocus();
    } else {
        setFocusProxy(m_stack->widget(0));
    }
    showMessage();
    Q_EMIT currentChanged();
}

/// A message is about one document: it is not left standing over another.
void EditorArea::showMessage()
{
    const Document* document = m_session.documents().current();
    const std::optional<DocumentId> id = document ? std::optional(document->id) : std::nullopt;
    if (document && document->changedOnDisk) {
        m_messageOf = id;
        m_messages->showChoices(tr("%1 was changed by another program, and you have changes here that are not saved.").arg(document->title),
                                {{tr("Show difference"), [this, at = document->id] { showDifference(at); }},
                                 {tr("Take theirs"), [this, at = document->id] { m_session.documents().takeFromDisk(at); }},
                                 {tr("Keep mine"), [this, at = document->id] { m_session.documents().keepMine(at); }}});
        return;
    }
    if (m_messageOf != id)
        m_messages->hide();
}

void EditorArea::showDifference(DocumentId id)
{
    const Document* document = m_session.documents().find(id);
    if (!document || !document->changedOnDisk)
        return;
    auto* dialog = new TextDiffDialog(tr("Changes of %1").arg(document->title), document->changedOnDisk->text, document->source->text(),
                                      tr("on the disk"), tr("here"), this);
    connect(dialog, &QDialog::finished, this, &EditorArea::showMessage);
    dialog->open();
}

void EditorArea::showTitle(DocumentId id)
{
    const Document* document = m_session.documents().find(id);
    RecipeEditor* at = editor(id);
    if (!document || !at)
        return;
    const int tab = m_tabs->indexOf(at);
    QString title = shortTitle(document->title);
    title.replace(QLatin1Char('&'), QStringLiteral("&&"));
    if (document->isGone)
        title += tr(" (gone)");
    else if (!document->isWritable)
        title += tr(" (read-only)");
    m_tabs->setTabText(tab, document->isModified ? QStringLiteral("\u25cf ") + title : title);
    m_tabs->setTabToolTip(tab, document->path.isEmpty() ? tr("Not saved yet") : document->path);
    if (document->changedOnDisk && document == m_session.documents().current())
        showMessage();
    at->setAccessibleName(document->isModified ? tr("Editor of %1, changed").arg(document->title)
                                               : tr("Editor of %1").arg(document->title));
    if (document == m_session.documents().current())
        Q_EMIT currentChanged();
}

void EditorArea::showProblems(DocumentId id)
{
    const Document* document = m_session.documents().find(id);
    RecipeEditor* at = editor(id);
    if (document && at && document->checked)
        at->setProblems(document->checked->source, document->checked->diagnostics);
    prepareAssistant(id);
}

void EditorArea::focusEditor()
{
    if (RecipeEditor* at = current())
        at->setFocus();
    else
        m_stack->widget(0)->setFocus();
}

void EditorArea::openAndFocus(const QString& path)
{
    m_wantsFocus = true;
    m_session.documents().open(path);
    const Document* document = m_session.documents().current();
    if (document && document->path == QDir::cleanPath(QFileInfo(path).absoluteFilePath())) {
        m_wantsFocus = false;
        focusEditor();
    }
}

void EditorArea::showNext(int step)
{
    const int count = m_tabs->count();
    if (count > 1)
        m_tabs->setCurrentIndex((m_tabs->currentIndex() + step + count) % count);
    focusEditor();
}

void EditorArea::zoom(int steps)
{
    m_zoom = steps == 0 ? 0 : m_zoom + steps;
    for (const auto& [id, each] : m_editors) {
        if (steps == 0)
            each->resetZoom();
        else
            zoomBy(*each, steps);
    }
}

} // namespace wb::ui
