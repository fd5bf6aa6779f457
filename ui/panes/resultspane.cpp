#include "ui/panes/resultspane.h"

#include "ui/models/text.h"
#include "ui/panes/messagebar.h"
#include "ui/panes/tableview.h"

#include <QComboBox>
#include <QDesktopServices>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace wb::ui {

namespace {

enum Validity { AllPoints, ValidPoints, InvalidPoints };

/// Columns that are seen first; the others follow in the model's order.
constexpr std::array firstColumns{"run",        "valid",      "concurrency", "tps-per-user", "output-tps-per-gpu",
                                  "tpotMs.p50", "ttftMs.p50", "ttftMs.p99",  "itlMs.p50",    "outputTps",
                                  "totalTps",   "gpus.total", "isl",         "osl",          "reasons"};

} // namespace

ResultsPane::ResultsPane(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_view(new TableView(&m_model, PointsModel::SortRole, tr("Results"), this))
    , m_summary(new QLabel(this))
    , m_validity(new QComboBox(this))
    , m_message(new MessageBar(this))
{
    m_view->setObjectName(QStringLiteral("resultsView"));
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
    auto* filter = new QLineEdit(this);
    filter->setPlaceholderText(tr("Filter"));
    filter->setAccessibleName(tr("Filter of the results"));
    filter->setClearButtonEnabled(true);
    connect(filter, &QLineEdit::textChanged, m_view, [this](const QString& words) { m_view->filter().setWords(words); });
    m_validity->addItems({tr("All points"), tr("Valid only"), tr("Not valid only")});
    m_validity->setAccessibleName(tr("Which points are listed"));
    connect(m_validity, &QComboBox::currentIndexChanged, this, &ResultsPane::applyValidity);

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(6, 4, 6, 4);
    bar->addWidget(m_summary, 1);
    bar->addWidget(filter, 1);
    bar->addWidget(m_validity);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(m_message);
    column->addWidget(m_view);
    setFocusProxy(m_view);

    connect(m_view, &TableView::currentSourceChanged, this,
            [this](const QModelIndex& source) { m_session.selection().setPoint(m_model.row(source.row()).point().id); });
    connect(m_view, &TableView::sourceActivated, this,
            [this](const QModelIndex& source) { m_session.showPoint(m_model.row(source.row()).point().id); });
    connect(m_view, &TableView::menuRequested, this, &ResultsPane::addToMenu);
    connect(&session.results(), &Results::pointsChanged, this, &ResultsPane::refresh);
    connect(&session.results(), &Results::failed, m_message, &MessageBar::showError);
    connect(&session.selection(), &Selection::pointChanged, this, &ResultsPane::followSelection);
    refresh();
}

void ResultsPane::refresh()
{
    const Points& points = m_session.results().points();
    m_view->changeQuietly([&] { m_model.setPoints(points); });
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
}

void ResultsPane::followSelection()
{
    const int row = m_model.rowOf(m_session.selection().point());
    m_view->showCurrent(row < 0 ? QModelIndex() : m_model.index(row, 0));
}

void ResultsPane::applyValidity()
{
    const int wanted = m_validity->currentIndex();
    if (wanted == AllPoints)
        return m_view->filter().setCondition({});
    m_view->filter().setCondition(
        [valid = wanted == ValidPoints](const QModelIndex& index) { return index.data(PointsModel::ValidRole).toBool() == valid; });
}

void ResultsPane::addToMenu(QMenu& menu, const QModelIndex& source)
{
    if (!source.isValid())
        return;
    const results::Point& point = m_model.row(source.row()).point();
    menu.addAction(tr("Open its recipe"), this, [this, id = point.id] { m_session.showPoint(id); });
    menu.addAction(tr("Open the folder of its file"), this,
                   [file = text(point.source)] { QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(file).absolutePath())); });
    std::vector<PointId> selected;
    for (const QModelIndex& index : m_view->selectedSources())
        selected.push_back(m_model.row(index.row()).point().id);
    if (selected.size() > 1)
        menu.addAction(tr("Compare the runs"), this, [this, selected] { m_session.compareRunsOf(selected); });
    QStringList sources;
    for (const QModelIndex& index : m_view->selectedSources())
        sources += text(m_model.row(index.row()).point().source);
    sources.removeDuplicates();
    menu.addAction(tr("Remove the points of %n file(s) from the catalogue", nullptr, static_cast<int>(sources.size())), this,
                   [this, sources] { m_session.results().forget(sources); });
}

} // namespace wb::ui
