#include "ui/panes/recipespane.h"

#include "ui/models/text.h"
#include "ui/panes/severitydelegate.h"
#include "ui/panes/tableview.h"

#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

namespace wb::ui {

RecipesPane::RecipesPane(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_view(new TableView(&m_model, RecipesModel::SortRole, tr("Recipes"), this))
    , m_summary(new QLabel(this))
{
    m_view->setObjectName(QStringLiteral("recipesView"));
    m_view->setRootIsDecorated(true);
    m_view->setExpandsOnDoubleClick(false);
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    m_view->setItemDelegateForColumn(RecipesModel::NameColumn, new SeverityDelegate(RecipesModel::SeverityRole, m_view));
    m_view->setColumnWidths({22, 5, 11, 8, 8, 8, 24});
    m_view->setTextElideMode(Qt::ElideMiddle);
    m_view->setIndentation(m_view->fontMetrics().averageCharWidth() * 3 / 2); // folders nest five deep, and names are long
    m_view->sortByColumn(RecipesModel::NameColumn, Qt::AscendingOrder);
    m_summary->setMinimumWidth(1);
    auto* filter = new QLineEdit(this);
    filter->setPlaceholderText(tr("Filter by name, engine, GPU, state\u2026"));
    filter->setAccessibleName(tr("Filter of the recipes"));
    filter->setClearButtonEnabled(true);
    connect(filter, &QLineEdit::textChanged, this, [this](const QString& words) {
        m_view->filter().setWords(words);
        if (!words.trimmed().isEmpty())
            m_view->expandAll();
    });

    auto* bar = new QVBoxLayout;
    bar->setContentsMargins(6, 4, 6, 4);
    bar->addWidget(m_summary);
    bar->addWidget(filter);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(m_view);
    setFocusProxy(m_view);

    connect(m_view, &TableView::sourceActivated, this, &RecipesPane::open);
    connect(&session.library(), &Library::listingChanged, this, &RecipesPane::refreshListing);
    connect(&session.library(), &Library::summariesChanged, this, &RecipesPane::refreshSummaries);
    connect(&session.documents(), &Documents::currentChanged, this, &RecipesPane::followDocument);
    refreshListing();
    refreshSummaries();
}

void RecipesPane::refreshListing()
{
    const Library& library = m_session.library();
    m_view->changeQuietly([&] { m_model.setListing(library.listing()); });
    if (library.folder().isEmpty()) {
        m_summary->setText(tr("No folder is open."));
        m_summary->setToolTip({});
        m_view->setEmptyText(tr("Open a folder of recipes with File \u2192 Open folder, or drop one here."));
        return;
    }
    m_summary->setText(QDir(library.folder()).dirName() + QStringLiteral(" \u00b7 ") +
                       tr("%n file(s)", nullptr, static_cast<int>(library.listing().files.size())));
    m_summary->setToolTip(library.folder());
    m_view->setEmptyText(tr("There is no *.yaml file below %1.").arg(library.folder()));
    if (m_model.rowCount() <= 12)
        m_view->expandToDepth(0);
    followDocument();
}

void RecipesPane::refreshSummaries()
{
    m_model.setSummaries(m_session.library().summaries());
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

} // namespace wb::ui
