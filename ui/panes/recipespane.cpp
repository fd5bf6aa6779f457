#include "ui/panes/recipespane.h"

#include "ui/models/text.h"
#include "ui/panes/severitydelegate.h"
#include "ui/panes/tableview.h"

#include <QClipboard>
#include <QDir>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProgressBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace wb::ui {

RecipesPane::RecipesPane(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_view(new TableView(&m_model, RecipesModel::SortRole, tr("Recipes"), this))
    , m_summary(new QLabel(this))
    , m_edit(new QLineEdit(this))
    , m_note(new QLabel(this))
    , m_progress(new QProgressBar(this))
    , m_cancel(new QToolButton(this))
{
    m_view->setObjectName(QStringLiteral("recipesView"));
    m_view->setRootIsDecorated(true);
    m_view->setExpandsOnDoubleClick(false);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setItemDelegateForColumn(RecipesModel::NameColumn, new SeverityDelegate(RecipesModel::SeverityRole, m_view));
    m_view->setColumnWidths({22, 5, 11, 8, 8, 8, 24, 8, 7});
    m_view->setTextElideMode(Qt::ElideMiddle);
    m_view->setIndentation(m_view->fontMetrics().averageCharWidth() * 3 / 2); // folders nest five deep, and names are long
    m_view->sortByColumn(RecipesModel::NameColumn, Qt::AscendingOrder);
    m_summary->setObjectName(QStringLiteral("recipesSummary"));
    m_summary->setMinimumWidth(1);
    m_edit->setObjectName(QStringLiteral("recipesFilter"));
    m_edit->setPlaceholderText(tr("Filter: words, gpu_type=gb200 isl>4000"));
    m_edit->setToolTip(
        tr("Words that occur in path, model, engine, GPU, topology or verdict, and terms that one job of the recipe satisfies: "
           "a key of the recipe or the end of one, = != < <= > >= ~ and a value.\nFurther keys: model engine gpu_type topology "
           "jobs errors warnings verdict (valid, warnings, errors, unreadable, none) schema alike."));
    m_edit->setAccessibleName(tr("Filter of the recipes"));
    m_edit->setAccessibleDescription(m_edit->toolTip());
    m_edit->setClearButtonEnabled(true);
    m_note->setObjectName(QStringLiteral("recipesFilterNote"));
    m_note->setWordWrap(true);
    m_note->hide();
    m_progress->setTextVisible(false);
    m_progress->setMaximumHeight(fontMetrics().height());
    m_progress->setAccessibleName(tr("Progress of the check of the folder"));
    m_cancel->setText(tr("Cancel"));
    m_cancel->setAutoRaise(true);
    m_cancel->setObjectName(QStringLiteral("cancelRecipesCheck"));
    m_cancel->setToolTip(tr("Stop checking the folder; what was known before stays"));
    connect(m_cancel, &QToolButton::clicked, &session.library(), &Library::cancelCheck);
    connect(m_edit, &QLineEdit::textChanged, this, &RecipesPane::readFilter);

    auto* head = new QHBoxLayout;
    head->addWidget(m_summary, 1);
    head->addWidget(m_progress);
    head->addWidget(m_cancel);
    auto* bar = new QVBoxLayout;
    bar->setContentsMargins(6, 4, 6, 4);
    bar->addLayout(head);
    bar->addWidget(m_edit);
    bar->addWidget(m_note);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(m_view);
    setFocusProxy(m_view);

    connect(m_view, &TableView::sourceActivated, this, &RecipesPane::open);
    connect(m_view, &TableView::menuRequested, this, &RecipesPane::addActions);
    connect(&session.library(), &Library::listingChanged, this, &RecipesPane::refreshListing);
    connect(&session.library(), &Library::summariesChanged, this, &RecipesPane::refreshSummaries);
    connect(&session.tasks(), &Tasks::changed, this, &RecipesPane::refreshTask);
    connect(&session.documents(), &Documents::currentChanged, this, &RecipesPane::followDocument);
    refreshListing();
    refreshSummaries();
    refreshTask();
}

void RecipesPane::refreshListing()
{
    const Library& library = m_session.library();
    m_view->changeQuietly([&] { m_model.setListing(library.listing()); });
    if (library.folder().isEmpty()) {
        m_summary->setToolTip({});
        m_view->setEmptyText(tr("Open a folder of recipes with File \u2192 Open folder, or drop one here."));
        return refreshWords();
    }
    m_summary->setToolTip(library.folder());
    const auto& unread = library.listing().unreadable;
    const bool isRootUnread = std::any_of(unread.begin(), unread.end(), [](const Unreadable& each) { return each.path.empty(); });
    m_view->setEmptyText(isRootUnread ? text(unread.front().why) : tr("There is no *.yaml file below %1.").arg(library.folder()));
    if (m_model.rowCount() <= 12)
        m_view->expandToDepth(0);
    refreshWords();
    followDocument();
}

void RecipesPane::refreshSummaries()
{
    m_model.setSummaries(m_session.library().summaries());
    readFilter();
}

void RecipesPane::refreshWords()
{
    const Library& library = m_session.library();
    if (library.folder().isEmpty())
        return m_summary->setText(tr("No folder is open."));
    const FolderListing& listing = library.listing();
    QStringList parts{QDir(library.folder()).dirName()};
    const int files = static_cast<int>(listing.files.size());
    if (m_filter.isEmpty()) {
        parts += tr("%n file(s)", nullptr, files);
    } else {
        const auto& summaries = library.summaries();
        int shown = 0;
        for (const std::string& file : listing.files) {
            const auto found = summaries ? summaries->find(file) : RecipeSummaries::const_iterator();
            shown += m_filter.passes(file, summaries && found != summaries->end() ? &found->second : nullptr) ? 1 : 0;
        }
        parts += tr("%1 of %2 files").arg(shown).arg(files);
    }
    if (!listing.unreadable.empty())
        parts += tr("%n unreadable", nullptr, static_cast<int>(listing.unreadable.size()));
    if (listing.truncated)
        parts += tr("more are not shown");
    m_summary->setText(parts.join(QStringLiteral(" \u00b7 ")));
}

void RecipesPane::refreshTask()
{
    const Library& library = m_session.library();
    const auto& tasks = m_session.tasks().all();
    const Task* task = library.isChecking() && !tasks.empty() ? m_session.tasks().running() : nullptr;
    m_progress->setVisible(task != nullptr);
    m_cancel->setVisible(task != nullptr);
    if (!task)
        return;
    m_progress->setRange(0, static_cast<int>(library.listing().files.size()));
    m_progress->setValue(static_cast<int>(task->done));
}

void RecipesPane::readFilter()
{
    auto read = RecipeFilter::read(m_edit->text());
    if (!read) { // half a term is being typed: what was shown stays
        m_note->setText(text(read.error().message));
        m_note->show();
        return;
    }
    m_filter = std::move(*read);
    const auto& summaries = m_session.library().summaries();
    const std::string unknown = summaries ? m_filter.unknownKey(*summaries) : std::string();
    m_note->setText(unknown.empty() ? QString() : tr("No recipe of the folder has the key \"%1\".").arg(text(unknown)));
    m_note->setVisible(!unknown.empty());
    if (m_filter.isEmpty()) {
        m_view->filter().setCondition({});
    } else {
        m_view->filter().setCondition([this](const QModelIndex& index) {
            const std::string path = index.data(RecipesModel::RelativeRole).toString().toStdString();
            return index.data(RecipesModel::IsFolderRole).toBool() ? m_filter.passesFolder(path)
                                                                   : m_filter.passes(path, m_model.summaryAt(index));
        });
        m_view->expandAll();
    }
    refreshWords();
}

void RecipesPane::followDocument()
{
    if (const Document* document = m_session.documents().current()) {
        const QModelIndex index = m_model.indexOf(document->path);
        if (index.isValid())
            m_view->showCurrent(index);
    }
}

void RecipesPane::open(const QModelIndex& source)
{
    const QString path = source.data(RecipesModel::PathRole).toString();
    if (!path.isEmpty()) {
        m_session.documents().open(path);
        return;
    }
    const QModelIndex index = m_view->currentIndex().siblingAtColumn(0);
    m_view->setExpanded(index, !m_view->isExpanded(index));
}

QStringList RecipesPane::selectedPaths() const
{
    QStringList paths;
    for (const QModelIndex& source : m_view->selectedSources()) {
        if (const QString path = source.data(RecipesModel::PathRole).toString(); !path.isEmpty())
            paths += path;
    }
    paths.sort();
    return paths;
}

QStringList RecipesPane::pathsAlike(std::size_t group) const
{
    QStringList paths;
    const auto& summaries = m_session.library().summaries();
    for (const auto& [path, summary] : summaries ? *summaries : RecipeSummaries()) {
        if (summary.group == group)
            paths += m_session.library().folder() + QLatin1Char('/') + text(path);
    }
    return paths;
}

void RecipesPane::addActions(QMenu& menu, const QModelIndex& source)
{
    const auto compare = [this](const QStringList& paths) {
        std::vector<Comparison::Part> parts;
        for (const QString& path : paths)
            parts.push_back({.path = path});
        m_session.compare(std::move(parts));
    };
    const QStringList paths = selectedPaths();
    if (!paths.isEmpty()) {
        menu.addAction(paths.size() == 1 ? tr("Open") : tr("Open %1 recipes").arg(paths.size()), this, [this, paths] {
            for (const QString& path : paths)
                m_session.documents().open(path);
        });
    }
    if (paths.size() > 1) {
        menu.addAction(tr("Compare %1 recipes").arg(paths.size()), this, [compare, paths] { compare(paths); });
        menu.addAction(tr("Write %1 recipes as one\u2026").arg(paths.size()), this,
                       [this, paths] { m_session.conversions().consolidate(paths); });
    }
    if (const RecipeSummary* summary = source.isValid() ? m_model.summaryAt(source) : nullptr; summary && summary->group > 0) {
        const std::size_t group = summary->group;
        menu.addSeparator();
        menu.addAction(tr("Show the %1 that are alike").arg(summary->groupSize), this,
                       [this, group] { m_edit->setText(QStringLiteral("alike=%1").arg(group)); });
        menu.addAction(tr("Compare the %1 that are alike").arg(summary->groupSize), this,
                       [this, compare, group] { compare(pathsAlike(group)); });
        menu.addAction(tr("Write the %1 that are alike as one\u2026").arg(summary->groupSize), this,
                       [this, group] { m_session.conversions().consolidate(pathsAlike(group)); });
    }
    if (!paths.isEmpty()) {
        menu.addSeparator();
        menu.addAction(tr("Copy path"), this, [paths] { QGuiApplication::clipboard()->setText(paths.join(QLatin1Char('\n'))); });
    }
    menu.addAction(tr("Check the folder again"), this, [this] { m_session.library().refresh(); });
}

} // namespace wb::ui
