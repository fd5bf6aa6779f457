#include "ui/panes/resultspane.h"

#include "core/results/pointtable.h"
#include "ui/models/text.h"
#include "ui/panes/keptcolumns.h"
#include "ui/panes/messagebar.h"
#include "ui/panes/pointcard.h"
#include "ui/panes/rerunmenu.h"
#include "ui/panes/saving.h"
#include "ui/panes/tableview.h"

#include <QComboBox>
#include <QDesktopServices>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <map>
#include <unordered_set>

namespace wb::ui {

namespace {

enum Validity { AllPoints, ValidPoints, InvalidPoints };

/// Columns that are seen first; the others follow in the model's order and are hidden until they are wanted.
constexpr std::array firstColumns{"run",        "valid",      "concurrency", "tps-per-user", "output-tps-per-gpu", "tpotMs.p50",
                                  "ttftMs.p50", "ttftMs.p99", "itlMs.p50",   "outputTps",    "totalTps",           "gpus.total",
                                  "isl",        "osl",        "model",       "engine",       "precision",          "hardware",
                                  "variant",    "tags",       "reasons",     "source"};

struct GroupChoice {
    const char* key; ///< Of a point; empty: none.
    const char* title;
};

#define WB_TR(words) QT_TRANSLATE_NOOP("wb::ui::ResultsPane", words)

constexpr std::array groupChoices{GroupChoice{"", WB_TR("No groups")},           GroupChoice{"run", WB_TR("By run")},
                                  GroupChoice{"model", WB_TR("By model")},       GroupChoice{"engine", WB_TR("By engine")},
                                  GroupChoice{"hardware", WB_TR("By hardware")}, GroupChoice{"precision", WB_TR("By precision")},
                                  GroupChoice{"recipe", WB_TR("By recipe")},     GroupChoice{"variant", WB_TR("By variant")},
                                  GroupChoice{"tags", WB_TR("By tags")},         GroupChoice{"format", WB_TR("By format")}};

/// Columns of one quantity stand in a menu of their own.
constexpr std::array<std::pair<std::string_view, const char*>, 5> columnMenus{{{"ttftMs.", WB_TR("TTFT")},
                                                                               {"tpotMs.", WB_TR("TPOT")},
                                                                               {"itlMs.", WB_TR("ITL")},
                                                                               {"e2eMs.", WB_TR("E2E latency")},
                                                                               {"gpus.", WB_TR("GPUs")}}};

#undef WB_TR

} // namespace

ResultsPane::ResultsPane(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_groups(m_model)
    , m_view(new TableView(&m_model, PointsModel::SortRole, tr("Results"), this))
    , m_card(new PointCard(session, this))
    , m_summary(new QLabel(this))
    , m_filter(new QLineEdit(this))
    , m_validity(new QComboBox(this))
    , m_group(new QComboBox(this))
    , m_message(new MessageBar(this))
    , m_debounce(std::chrono::milliseconds(150), [this] { m_session.results().setFilter(m_filter->text()); })
{
    m_view->setObjectName(QStringLiteral("resultsView"));
    m_view->setCopyRole(PointsModel::CopyRole);
    m_summary->setObjectName(QStringLiteral("resultsSummary"));
    const int character = m_view->fontMetrics().horizontalAdvance(QLatin1Char('0'));
    for (int column = 0; column < m_model.columnCount(); ++column) {
        const auto title = m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        m_view->setColumnWidth(column, (std::max(static_cast<int>(title.size()), 8) + 4) * character);
    }
    m_view->setTextElideMode(Qt::ElideMiddle);
    m_view->setColumnWidth(PointsModel::columnOf("run"), 26 * character);
    m_view->setColumnWidth(PointsModel::columnOf("model"), 22 * character);
    m_view->setColumnWidth(PointsModel::columnOf("source"), 48 * character);
    for (std::size_t i = 0; i < firstColumns.size(); ++i)
        m_view->header()->moveSection(m_view->header()->visualIndex(PointsModel::columnOf(firstColumns[i])), static_cast<int>(i));
    showFirstColumns();
    QStringList keys;
    for (int column = 0; column < m_model.columnCount(); ++column)
        keys += QString::fromLatin1(PointsModel::fieldOf(column));
    keepColumns(*m_view, keys);

    auto* splitter = new QSplitter(this);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_view);
    splitter->addWidget(m_card);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    m_card->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeBar());
    column->addWidget(m_message);
    column->addWidget(splitter, 1);
    setFocusProxy(m_view);

    connect(m_view, &TableView::currentSourceChanged, this, [this](const QModelIndex& source) {
        if (const results::Point* point = pointAt(source))
            m_session.selection().setPoint(point->id);
    });
    connect(m_view, &TableView::sourceActivated, this, [this](const QModelIndex& source) {
        if (const results::Point* point = pointAt(source))
            m_session.showPoint(point->id);
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &ResultsPane::tellSelectedPoints);
    connect(m_view, &TableView::menuRequested, this, &ResultsPane::addToMenu);
    connect(&session.results(), &Results::pointsChanged, this, &ResultsPane::refresh);
    connect(&session.results(), &Results::filterChanged, this, &ResultsPane::followFilter);
    connect(&session.results(), &Results::failed, m_message, &MessageBar::showError);
    connect(&session.selection(), &Selection::pointChanged, this, &ResultsPane::followSelection);
    connect(&session.selection(), &Selection::pointsChanged, this, &ResultsPane::followSelectedPoints);
    followFilter();
    refresh();
}

QWidget* ResultsPane::makeBar()
{
    m_filter->setObjectName(QStringLiteral("resultsFilter"));
    m_filter->setPlaceholderText(tr("Filter: engine=vllm tp>=4 ttft-p99<2000"));
    m_filter->setToolTip(tr("Words, and terms of a key, an operator (= != < <= > >= ~) and a value; the chart shows the same points"));
    m_filter->setAccessibleName(tr("Filter of the results"));
    m_filter->setClearButtonEnabled(true);
    connect(m_filter, &QLineEdit::textChanged, &m_debounce, &async::Debounce::trigger);
    connect(m_filter, &QLineEdit::returnPressed, &m_debounce, &async::Debounce::flush);
    m_validity->setObjectName(QStringLiteral("resultsValidity"));
    m_validity->addItems({tr("All points"), tr("Valid only"), tr("Not valid only")});
    m_validity->setAccessibleName(tr("Which points are listed"));
    connect(m_validity, &QComboBox::currentIndexChanged, this, &ResultsPane::applyConditions);
    m_group->setObjectName(QStringLiteral("resultsGroup"));
    for (const GroupChoice& choice : groupChoices)
        m_group->addItem(tr(choice.title), QString::fromLatin1(choice.key));
    m_group->setAccessibleName(tr("Groups of the table"));
    connect(m_group, &QComboBox::currentIndexChanged, this, [this] {
        group();
        followSelection();
        followSelectedPoints();
    });

    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(6, 4, 6, 4);
    const auto button = [&](const QString& title, const char* name) {
        auto* made = new QToolButton(bar);
        made->setText(title);
        made->setObjectName(QString::fromLatin1(name));
        made->setAutoRaise(true);
        made->setFocusPolicy(Qt::TabFocus);
        row->addWidget(made);
        return made;
    };
    row->addWidget(m_summary, 1);
    row->addWidget(m_filter, 2);
    row->addWidget(m_validity);
    row->addWidget(m_group);
    auto* columns = button(tr("Columns"), "resultsColumns");
    auto* menu = new QMenu(columns);
    fillColumnMenu(*menu);
    columns->setMenu(menu);
    columns->setPopupMode(QToolButton::InstantPopup);
    auto* details = button(tr("Facts"), "resultsDetails");
    details->setCheckable(true);
    details->setToolTip(tr("What is known of the selected point, where it comes from, and what you say of it; its run's note and tags"));
    connect(details, &QToolButton::toggled, m_card, &QWidget::setVisible);
    auto* save = button(tr("Export\u2026"), "resultsExport");
    save->setToolTip(tr("Write the points that are listed as CSV with all their values"));
    connect(save, &QToolButton::clicked, this, &ResultsPane::askExport);
    return bar;
}

void ResultsPane::fillColumnMenu(QMenu& menu)
{
    std::map<const char*, QMenu*> submenus;
    std::vector<std::pair<QAction*, int>> actions;
    menu.addAction(tr("Show the first ones"), this, &ResultsPane::showFirstColumns);
    menu.addAction(tr("Show all"), this, [this] {
        for (int column = 0; column < m_model.columnCount(); ++column)
            m_view->setColumnShown(column, true);
    });
    menu.addSeparator();
    for (int column = 0; column < m_model.columnCount(); ++column) {
        const std::string_view field = PointsModel::fieldOf(column);
        const auto* own = std::ranges::find_if(columnMenus, [field](const auto& each) { return field.starts_with(each.first); });
        QMenu* parent = &menu;
        if (own != columnMenus.end()) {
            QMenu*& submenu = submenus[own->second];
            if (!submenu)
                submenu = menu.addMenu(tr(own->second));
            parent = submenu;
        }
        QAction* action = parent->addAction(PointsModel::titleOf(column));
        action->setCheckable(true);
        action->setEnabled(column != 0);
        connect(action, &QAction::triggered, this, [this, column](bool isShown) { m_view->setColumnShown(column, isShown); });
        actions.emplace_back(action, column);
    }
    connect(&menu, &QMenu::aboutToShow, this, [this, actions] {
        for (const auto& [action, column] : actions)
            action->setChecked(!m_view->isColumnHidden(column));
    });
}

void ResultsPane::showFirstColumns()
{
    for (int column = 0; column < m_model.columnCount(); ++column) {
        const std::string_view field = PointsModel::fieldOf(column);
        m_view->setColumnShown(column, std::ranges::any_of(firstColumns, [field](const char* first) { return field == first; }));
    }
}

const results::Point* ResultsPane::pointAt(const QModelIndex& source) const
{
    if (!source.isValid())
        return nullptr;
    const int row = source.model() == &m_groups ? m_groups.sourceRow(source) : source.row();
    return row < 0 ? nullptr : &m_model.row(row).point();
}

QModelIndex ResultsPane::sourceOf(int row) const
{
    if (row < 0)
        return {};
    return m_view->filter().sourceModel() == &m_groups ? m_groups.indexOf(row) : m_model.index(row, 0);
}

void ResultsPane::refresh()
{
    const Points& points = m_session.results().points();
    const bool isGrouped = m_view->filter().sourceModel() == &m_groups;
    {
        const QScopedValueRollback following(m_isFollowing, true);
        m_view->changeQuietly([&] {
            if (isGrouped)
                m_groups.release();
            m_model.setPoints(points);
        });
        if (isGrouped)
            group();
    }
    const auto invalid = std::count_if(points->begin(), points->end(), [](const results::Point& point) { return !point.valid; });
    const auto simulated = std::count_if(points->begin(), points->end(), [](const results::Point& point) { return point.simulated; });
    QString summary = tr("%n point(s)", nullptr, static_cast<int>(points->size()));
    if (invalid > 0)
        summary += QStringLiteral(" \u00b7 ") + tr("%n not valid", nullptr, static_cast<int>(invalid));
    if (simulated > 0)
        summary += QStringLiteral(" \u00b7 ") + tr("%n simulated", nullptr, static_cast<int>(simulated));
    const QString& readOnly = m_session.results().whyReadOnly();
    if (!readOnly.isEmpty())
        summary += QStringLiteral(" \u00b7 ") + tr("read-only");
    m_summary->setToolTip(readOnly.isEmpty() ? QString()
                                             : tr("The catalogue %1 may only be read (%2): nothing can be imported into it.")
                                                   .arg(m_session.results().catalogueFile(), readOnly));
    m_summary->setText(summary);
    m_view->setEmptyText(tr("Import results with File \u2192 Import results, or drop files and folders here."));
    followSelection();
    followSelectedPoints();
}

void ResultsPane::group()
{
    const std::string key = m_group->currentData().toString().toStdString();
    const QScopedValueRollback following(m_isFollowing, true);
    m_view->changeQuietly([&] {
        if (!key.empty())
            m_groups.regroup(key);
        else
            m_groups.release();
        QAbstractItemModel* wanted = key.empty() ? static_cast<QAbstractItemModel*>(&m_model) : &m_groups;
        if (m_view->filter().sourceModel() != wanted)
            m_view->filter().setSourceModel(wanted);
        m_view->setRootIsDecorated(!key.empty());
    });
    applyConditions();
}

/// A group's title takes the whole row, and its points are seen.
void ResultsPane::decorateGroups()
{
    if (m_view->filter().sourceModel() != &m_groups)
        return;
    for (int row = 0; row < m_view->model()->rowCount(); ++row)
        m_view->setFirstColumnSpanned(row, {}, true);
    m_view->expandAll();
}

void ResultsPane::followFilter()
{
    const QString& filter = m_session.results().filter();
    if (m_filter->text() != filter)
        m_filter->setText(filter);
    auto search = analysis::parseSearch(filter.toStdString());
    if (!search) {
        m_message->showError(search.error()); // What was looked for before stays: a term that is being typed empties no table.
        return;
    }
    m_message->hide();
    m_search = std::move(*search);
    applyConditions();
}

void ResultsPane::applyConditions()
{
    const int wanted = m_validity->currentIndex();
    const bool isAll = wanted == AllPoints && m_search.terms.empty() && m_search.words.empty();
    {
        const QScopedValueRollback following(m_isFollowing, true);
        m_view->changeQuietly([&] {
            if (isAll)
                m_view->filter().setCondition({});
            else
                m_view->filter().setCondition([this, wanted](const QModelIndex& index) {
                    const results::Point* point = pointAt(index); // A group is there when one of its points is.
                    return point && (wanted == AllPoints || point->valid == (wanted == ValidPoints)) && analysis::holds(m_search, *point);
                });
        });
    }
    decorateGroups();
}

void ResultsPane::followSelection()
{
    const QScopedValueRollback following(m_isFollowing, true);
    m_view->showCurrent(sourceOf(m_model.rowOf(m_session.selection().point())));
}

void ResultsPane::followSelectedPoints()
{
    const std::vector<PointId>& ids = m_session.selection().points();
    if (m_isFollowing || ids.size() < 2)
        return;
    const std::unordered_set<PointId> wanted(ids.begin(), ids.end());
    QItemSelection rows;
    for (int row = 0; row < m_model.rowCount(); ++row) {
        if (!wanted.contains(m_model.row(row).point().id))
            continue;
        if (const QModelIndex index = m_view->filter().mapFromSource(sourceOf(row)); index.isValid())
            rows.select(index, index);
    }
    const QScopedValueRollback following(m_isFollowing, true);
    m_view->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    if (!rows.isEmpty())
        m_view->scrollTo(rows.indexes().front());
}

void ResultsPane::tellSelectedPoints()
{
    if (m_isFollowing)
        return;
    std::vector<PointId> ids;
    for (const QModelIndex& source : m_view->selectedSources())
        if (const results::Point* point = pointAt(source))
            ids.push_back(point->id);
    const QScopedValueRollback following(m_isFollowing, true);
    m_session.selection().setPoints(std::move(ids));
}

void ResultsPane::addToMenu(QMenu& menu, const QModelIndex& source)
{
    const results::Point* point = pointAt(source);
    if (!point)
        return;
    menu.addAction(tr("Open its recipe and job"), this, [this, id = point->id] { m_session.showPoint(id); });
    addRerunActions(menu, m_session, point->id);
    menu.addAction(tr("Open the folder of its file"), this,
                   [file = text(point->source)] { QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(file).absolutePath())); });
    if (!point->folder.empty())
        menu.addAction(tr("Open the folder of its run"), this,
                       [folder = text(point->folder)] { QDesktopServices::openUrl(QUrl::fromLocalFile(folder)); });
    QAction* job = menu.addAction(tr("Show its job"), this, [this] { Q_EMIT m_session.paneWanted(QStringLiteral("jobs")); });
    job->setEnabled(!m_session.selection().job().empty());
    std::vector<PointId> selected;
    for (const QModelIndex& index : m_view->selectedSources())
        if (const results::Point* each = pointAt(index))
            selected.push_back(each->id);
    if (selected.size() > 1)
        menu.addAction(tr("Compare the runs"), this, [this, selected] { m_session.compareRunsOf(selected); });
    QStringList sources;
    for (const QModelIndex& index : m_view->selectedSources())
        if (const results::Point* each = pointAt(index))
            sources += text(each->source);
    sources.removeDuplicates();
    menu.addAction(tr("Remove the points of %n file(s) from the catalogue", nullptr, static_cast<int>(sources.size())), this,
                   [this, sources] { m_session.results().forget(sources); });
}

void ResultsPane::exportCsv(const QString& file)
{
    std::vector<results::Point> listed;
    const FilterProxy& shown = m_view->filter();
    const std::function<void(const QModelIndex&)> add = [&](const QModelIndex& parent) {
        for (int row = 0; row < shown.rowCount(parent); ++row) {
            const QModelIndex index = shown.index(row, 0, parent);
            if (const results::Point* point = pointAt(shown.mapToSource(index)))
                listed.push_back(*point);
            add(index);
        }
    };
    add({});
    saveInBackground(m_session, *this, *m_message, file, results::asCsv(listed),
                     tr("Exported %n point(s) to %1", nullptr, static_cast<int>(listed.size())).arg(file));
}

void ResultsPane::askExport()
{
    askWhereToSave(*this, tr("Export the points"), {tr("Comma-separated values (*.csv)")}, QStringLiteral("points.csv"),
                   [this](const QString& file) { exportCsv(file); });
}

} // namespace wb::ui
