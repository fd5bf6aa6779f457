#include "ui/panes/outlinepane.h"

#include "ui/panes/tableview.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QVBoxLayout>

namespace wb::ui {

namespace {

constexpr std::size_t mostOpened = 2'000; ///< A longer outline opens only where the cursor is.

} // namespace

OutlinePane::OutlinePane(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_view(new TableView(&m_model, OutlineModel::SortRole, tr("Outline"), this))
    , m_filter(new QLineEdit(this))
    , m_job(session.workers(), [this](Symbols symbols) { show(std::move(symbols)); })
{
    m_view->setObjectName(QStringLiteral("outlineView"));
    m_view->setRootIsDecorated(true);
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    m_view->setHeaderHidden(true);
    m_view->setIndentation(14);
    m_view->setColumnWidths({22}, OutlineModel::ValueColumn);
    m_view->setSortingEnabled(false); // the order of the text
    m_view->filter().sort(-1);
    m_filter->setObjectName(QStringLiteral("outlineFilter"));
    m_filter->setPlaceholderText(tr("Filter by key or value"));
    m_filter->setAccessibleName(tr("Filter of the outline"));
    m_filter->setClearButtonEnabled(true);
    m_filter->installEventFilter(this);
    auto* bar = new QVBoxLayout;
    bar->setContentsMargins(6, 4, 6, 4);
    bar->addWidget(m_filter);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(m_view);
    setFocusProxy(m_filter);

    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& words) {
        m_view->filter().setWords(words);
        openRows();
        followCursor();
    });
    connect(m_view, &TableView::currentSourceChanged, this, &OutlinePane::goTo);
    connect(m_view, &QAbstractItemView::clicked, this, [this] { goTo(m_view->currentSource()); });
    connect(m_view, &TableView::sourceActivated, this, [this](const QModelIndex& source) {
        goTo(source);
        m_filter->clear();
    });
    const auto keep = [this](const QModelIndex& index, bool closed) {
        const QString path = index.data(OutlineModel::PathRole).toString();
        if (m_isOpening)
            return;
        if (closed)
            m_closed.insert(path);
        else
            m_closed.remove(path);
    };
    connect(m_view, &QTreeView::collapsed, this, [keep](const QModelIndex& index) { keep(index, true); });
    connect(m_view, &QTreeView::expanded, this, [keep](const QModelIndex& index) { keep(index, false); });
    connect(&session.documents(), &Documents::currentChanged, this, [this] {
        m_closed.clear();
        refresh();
    });
    connect(&session.documents(), &Documents::checked, this, [this](DocumentId id) {
        if (const Document* document = m_session.documents().current(); document && document->id == id)
            refresh();
    });
    connect(&session.documents(), &Documents::cursorMoved, this, [this](DocumentId id) {
        if (const Document* document = m_session.documents().current(); document && document->id == id)
            followCursor();
    });
    refresh();
}

void OutlinePane::refresh()
{
    const Document* document = m_session.documents().current();
    if (!document) {
        m_job.cancel();
        show(nullptr);
        m_view->setEmptyText(tr("No recipe is open."));
        return;
    }
    m_view->setEmptyText(tr("The keys of the recipe are listed here."));
    m_job.start(
        [source = document->source, facts = m_session.documents().facts(), checked = document->checked](std::stop_token) -> Symbols {
            return std::make_shared<const std::vector<assist::Symbol>>(assist::outlineOf(assist::Document(source, facts, checked)));
        });
}

void OutlinePane::show(Symbols symbols)
{
    bool keptRows = false;
    m_view->changeQuietly([&] { keptRows = m_model.setSymbols(std::move(symbols)); });
    if (!keptRows)
        openRows();
    followCursor();
}

void OutlinePane::openRows()
{
    m_isOpening = true;
    if (m_model.count() <= mostOpened) {
        m_view->expandAll();
        for (const QString& path : std::as_const(m_closed)) {
            const QAbstractItemModel& rows = *m_view->model();
            const QModelIndexList found =
                rows.match(rows.index(0, 0), OutlineModel::PathRole, path, 1, Qt::MatchExactly | Qt::MatchRecursive);
            if (!found.isEmpty() && m_filter->text().isEmpty())
                m_view->collapse(found.front());
        }
    }
    m_isOpening = false;
}

void OutlinePane::followCursor()
{
    const Document* document = m_session.documents().current();
    if (!document)
        return;
    QModelIndex at = m_model.indexAt(m_session.documents().cursor(document->id));
    // A key below a closed one is shown by that one.
    m_isOpening = true;
    while (at.isValid() && at.parent().isValid() && m_closed.contains(at.parent().data(OutlineModel::PathRole).toString()))
        at = at.parent();
    m_view->showCurrent(at);
    m_isOpening = false;
}

void OutlinePane::goTo(const QModelIndex& source)
{
    const Document* document = m_session.documents().current();
    if (document && source.isValid())
        m_session.documents().goTo(document->id, static_cast<std::size_t>(source.data(OutlineModel::OffsetRole).toULongLong()));
}

bool OutlinePane::eventFilter(QObject* watched, QEvent* event)
{
    // From the filter straight into the list, and Enter goes to the first that is left.
    if (watched == m_filter && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Down) {
            m_view->setFocus();
            return true;
        }
        if ((key == Qt::Key_Return || key == Qt::Key_Enter) && !m_filter->text().isEmpty()) {
            const QString sought = m_filter->text().trimmed();
            const QAbstractItemModel& rows = *m_view->model();
            const QModelIndexList found = rows.match(rows.index(0, 0), Qt::DisplayRole, sought, 1, Qt::MatchContains | Qt::MatchRecursive);
            if (!found.isEmpty()) {
                goTo(m_view->filter().mapToSource(found.front()));
                m_filter->clear();
            }
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace wb::ui
