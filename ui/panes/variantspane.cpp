#include "ui/panes/variantspane.h"

#include "core/assist/valueedit.h"
#include "core/base/text.h"
#include "core/plan/cost.h"
#include "ui/models/text.h"
#include "ui/panes/severitydelegate.h"
#include "ui/panes/sidesdelegate.h"
#include "ui/panes/tableview.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace wb::ui {

QString variantsSummary(const check::Checked& checked)
{
    if (check::isClusterFile(checked))
        return VariantsPane::tr("Cluster file: no jobs");
    std::int64_t gpus = 0;
    double gpuHours = 0.0;
    std::size_t points = 0;
    bool arePointsKnown = true;
    std::int64_t healthSeconds = 0;
    int noJob = 0;
    int noTime = 0;
    int duplicates = 0;
    for (const check::CheckedVariant& variant : checked.variants) {
        duplicates += variant.duplicateOf ? 1 : 0;
        if (!variant.job) {
            ++noJob;
            continue;
        }
        gpus += variant.counts.gpusAllocated;
        const auto hours = variant.counts.gpuHours();
        noTime += hours ? 0 : 1;
        gpuHours += hours.value_or(0.0);
        const plan::Cost cost = plan::cost(*variant.job, variant.counts);
        points += cost.concurrencies.size();
        arePointsKnown = arePointsKnown && !cost.concurrencies.empty();
        healthSeconds = std::max(healthSeconds, cost.healthBudgetSeconds);
    }
    const int count = static_cast<int>(checked.variants.size());
    QStringList parts{VariantsPane::tr("%n job(s)", nullptr, count)};
    if (noJob < count) {
        parts += VariantsPane::tr("%1 GPUs").arg(gpus);
        parts += noTime + noJob < count ? VariantsPane::tr("%1 GPU-h").arg(number(gpuHours, 4)) : VariantsPane::tr("GPU-h not known");
        parts += arePointsKnown ? VariantsPane::tr("%n benchmark point(s)", nullptr, static_cast<int>(points))
                                : VariantsPane::tr("benchmark points not known");
        parts += VariantsPane::tr("health wait up to %1").arg(duration(static_cast<double>(healthSeconds) / 3600.0));
    }
    if (noJob > 0)
        parts += VariantsPane::tr("%n with errors, not counted", nullptr, noJob);
    if (noTime > 0 && noTime + noJob < count)
        parts += VariantsPane::tr("%n without a time limit", nullptr, noTime);
    if (duplicates > 0)
        parts += VariantsPane::tr("%n duplicate(s)", nullptr, duplicates);
    return parts.join(QStringLiteral(" \u00b7 "));
}

namespace {

using MeasuredJobs = std::vector<std::optional<analysis::Measured>>;

MeasuredJobs measuredOf(const check::Checked& checked, const std::vector<results::Point>& points,
                        const std::vector<analysis::FetchedJob>& fetched)
{
    std::vector<analysis::WantedJob> wanted;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < checked.variants.size(); ++i) {
        const check::CheckedVariant& variant = checked.variants[i];
        if (!variant.job)
            continue;
        wanted.push_back({checked.source->path(), variant.name, variant.variant.suffix.value_or(std::string()),
                          plan::cost(*variant.job, variant.counts).concurrencies});
        places.push_back(i);
    }
    MeasuredJobs out(checked.variants.size());
    std::vector<analysis::Measured> measured = analysis::measuredJobs(wanted, points, fetched);
    for (std::size_t i = 0; i < places.size(); ++i)
        out[places[i]] = std::move(measured[i]);
    return out;
}

bool hasNoResults(const analysis::Measured& measured)
{
    return !measured.hasResults();
}

bool isIncomplete(const analysis::Measured& measured)
{
    return !measured.isComplete();
}

} // namespace

Result<std::vector<expand::Setting>> trialSettings(const QString& written)
{
    std::vector<expand::Setting> settings;
    const std::string all = written.toStdString();
    for (const std::string_view part : base::splitAt(all, ';')) {
        const std::string_view term = base::trimmed(part);
        if (term.empty())
            continue;
        if (term.front() == '-') {
            settings.push_back({.key = std::string(base::trimmed(term.substr(1))), .text = {}, .remove = true});
            continue;
        }
        const std::size_t sign = term.find('=');
        const std::string key(base::trimmed(term.substr(0, std::min(sign, term.size()))));
        if (sign == std::string_view::npos || key.empty())
            return failure(ErrorCode::Malformed,
                           "The trial value " + base::inQuotes(term) + " has no \"=\"; write key=value, or -key to take a key away.");
        settings.push_back({.key = key, .text = std::string(base::trimmed(term.substr(sign + 1))), .remove = false});
    }
    return settings;
}

namespace {

/// What `trialSettings` reads.
QString trialWords(const std::vector<expand::Setting>& settings)
{
    QStringList words;
    for (const expand::Setting& setting : settings)
        words += setting.remove ? QLatin1Char('-') + text(setting.key) : QStringLiteral("%1=%2").arg(text(setting.key), text(setting.text));
    return words.join(QStringLiteral("; "));
}

} // namespace

VariantsPane::VariantsPane(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_view(new TableView(&m_model, VariantsModel::SortRole, tr("Variants"), this))
    , m_resolved(new TableView(&m_resolvedModel, SidesModel::SortRole, tr("Resolved values of the selected job"), this))
    , m_matrix(new TableView(&m_matrixModel, MatrixModel::SortRole, tr("Values in which the jobs differ"), this))
    , m_tabs(new QTabWidget(this))
    , m_summary(new QLabel(this))
    , m_note(new QLabel(this))
    , m_matrixNote(new QLabel(this))
    , m_trial(new QLineEdit(this))
    , m_withoutResults(new QToolButton(this))
    , m_measuredJob(session.workers(),
                    [this](const std::pair<CheckedPtr, MeasuredJobs>& made) {
                        if (made.first != m_session.selection().checked())
                            return; // another text is in front
                        m_view->changeQuietly([&] { m_model.setMeasured(made.second); });
                        showMeasured();
                    })
    , m_resolvedJob(session.workers(),
                    [this](Sides sides) {
                        m_resolvedOf = sides.checked;
                        m_resolvedModel.setSides(std::move(sides.rows), sides.titles, mayEdit(m_resolvedOf));
                    })
    , m_matrixJob(session.workers(), [this](Sides sides) {
        m_matrixOf = sides.checked;
        m_matrixModel.setSides(std::move(sides.rows), sides.titles, mayEdit(m_matrixOf));
        const std::size_t all = m_matrixOf ? m_matrixOf->variants.size() : 0;
        m_matrixNote->setVisible(all > mostInMatrix);
        m_matrixNote->setText(tr("The first %1 of %2 jobs.").arg(mostInMatrix).arg(all));
    })
{
    makeTables();
    m_summary->setObjectName(QStringLiteral("variantsSummary"));
    m_summary->setWordWrap(true);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_note->setObjectName(QStringLiteral("variantsNote"));
    m_note->setWordWrap(true);
    m_note->hide();
    auto* filter = new QLineEdit(this);
    filter->setPlaceholderText(tr("Filter"));
    filter->setAccessibleName(tr("Filter of the variants"));
    filter->setClearButtonEnabled(true);
    connect(filter, &QLineEdit::textChanged, m_view, [this](const QString& words) { m_view->filter().setWords(words); });
    m_trial->setObjectName(QStringLiteral("trialValues"));
    m_trial->setPlaceholderText(tr("Try values: benchmark.isl=4096; -slurm.time_limit"));
    m_trial->setToolTip(tr("Values that all jobs get without a change of the file, as --set and --unset: key=value, -key, parted by \";\"; "
                           "Enter tries them, an empty line takes them away."));
    m_trial->setAccessibleName(tr("Trial values"));
    m_trial->setAccessibleDescription(m_trial->toolTip());
    m_trial->setClearButtonEnabled(true);
    connect(m_trial, &QLineEdit::returnPressed, this, &VariantsPane::setTrial);
    connect(m_trial, &QLineEdit::textChanged, this, [this](const QString& words) {
        const Document* document = m_session.documents().current();
        if (words.isEmpty() && document && !document->trial.empty())
            setTrial();
    });
    auto* actions = new QToolButton(this);
    actions->setObjectName(QStringLiteral("variantsActions"));
    actions->setText(tr("Actions"));
    actions->setToolTip(tr("Write the jobs in another way: sweep, zip, single files, schema 2"));
    actions->setPopupMode(QToolButton::InstantPopup);
    actions->setAutoRaise(true);
    auto* menu = new QMenu(actions);
    menu->setToolTipsVisible(true);
    actions->setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
        menu->clear();
        fillMenu(*menu);
    });

    m_withoutResults->setObjectName(QStringLiteral("withoutResults"));
    m_withoutResults->setToolTip(tr("Mark the jobs of which the catalogue has no valid point, for dry run and submit"));
    m_withoutResults->setAutoRaise(true);
    m_withoutResults->setFocusPolicy(Qt::TabFocus);
    m_withoutResults->hide();
    connect(m_withoutResults, &QToolButton::clicked, this, [this] { markJobs(hasNoResults); });
    auto* head = new QHBoxLayout;
    head->addWidget(m_summary, 1);
    head->addWidget(m_withoutResults, 0, Qt::AlignTop);
    head->addWidget(actions, 0, Qt::AlignTop);
    auto* edits = new QHBoxLayout;
    edits->addWidget(filter, 2);
    edits->addWidget(m_trial, 3);
    auto* bar = new QVBoxLayout;
    bar->setContentsMargins(6, 4, 6, 4);
    bar->addLayout(head);
    bar->addLayout(edits);
    bar->addWidget(m_note);
    auto* split = new QSplitter(Qt::Vertical, this);
    split->setObjectName(QStringLiteral("variantsSplit"));
    split->addWidget(m_view);
    split->addWidget(m_tabs);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    split->setChildrenCollapsible(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(split, 1);
    setFocusProxy(m_view);

    connect(&session.selection(), &Selection::variantChanged, this, &VariantsPane::refresh);
    connect(&session.documents(), &Documents::currentChanged, this, &VariantsPane::refreshTrial);
    connect(&session.results(), &Results::pointsChanged, this, &VariantsPane::refreshMeasured);
    connect(&session.jobs(), &Jobs::changed, this, &VariantsPane::refreshMeasured);
    connect(&session.documents(), &Documents::stateChanged, this, [this](DocumentId id) {
        const Document* document = m_session.documents().current();
        const bool isFromElsewhere =
            document && document->id == id && !m_trial->hasFocus() && trialWords(document->trial) != m_trial->text();
        if (isFromElsewhere && !document->trial.empty())
            refreshTrial();
    });
    refresh();
    refreshTrial();
}

void VariantsPane::makeTables()
{
    m_view->setObjectName(QStringLiteral("variantsView"));
    m_view->setItemDelegateForColumn(VariantsModel::NameColumn, new SeverityDelegate(VariantsModel::SeverityRole, m_view, Qt::ElideLeft));
    m_view->setColumnWidths({16, 12, 11, 5, 5, 8, 5, 10, 14, 8, 6, 9}, VariantsModel::ParamsColumn);
    m_view->setEditTriggers(QAbstractItemView::EditKeyPressed);
    // Its name tells it already.
    m_view->header()->moveSection(m_view->header()->visualIndex(VariantsModel::SuffixColumn), VariantsModel::ProblemsColumn);
    // Behind what the job costs.
    for (const int column : {VariantsModel::ResultsColumn, VariantsModel::PointsColumn, VariantsModel::HealthColumn})
        m_view->header()->moveSection(m_view->header()->visualIndex(column),
                                      m_view->header()->visualIndex(VariantsModel::GpuHoursColumn) + 1);
    connect(m_view, &TableView::currentSourceChanged, this,
            [this](const QModelIndex& source) { m_session.selection().setVariant(m_model.row(source.row()).index); });
    connect(m_view, &TableView::sourceActivated, this, &VariantsPane::goToSource);
    connect(m_view, &TableView::menuRequested, this, &VariantsPane::addActions);
    connect(&m_model, &VariantsModel::edited, this,
            [this](int row, int column, const QString& typed) { changeVariant(m_model.row(row), column, typed); });
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this] { m_session.selection().setChosen(selectedJobs()); });

    m_resolved->setObjectName(QStringLiteral("resolvedView"));
    m_resolved->setItemDelegate(new SidesDelegate(SidesModel::FromRole, SidesModel::AbsentRole, -1, m_resolved));
    m_resolved->setColumnWidths({28, 20, 14}, 1);
    m_resolved->setTextElideMode(Qt::ElideMiddle);
    m_resolved->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::SelectedClicked);
    m_resolved->setEmptyText(tr("Select a job to see what its values come to."));
    m_matrix->setObjectName(QStringLiteral("matrixView"));
    m_matrix->setItemDelegate(new SidesDelegate(MatrixModel::FromRole, MatrixModel::AbsentRole, -1, m_matrix));
    m_matrix->setSelectionBehavior(QAbstractItemView::SelectItems);
    m_matrix->setAllColumnsShowFocus(false);
    m_matrix->setTextElideMode(Qt::ElideLeft); // names of jobs and long values differ at their ends
    m_matrix->setColumnWidths({24});
    m_matrix->header()->setDefaultSectionSize(m_matrix->fontMetrics().horizontalAdvance(QLatin1Char('0')) * 18);
    m_matrix->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::SelectedClicked);
    m_matrix->setEmptyText(tr("The jobs differ in nothing, or there is only one."));
    for (TableView* each : {m_resolved, m_matrix}) {
        connect(each, &TableView::menuRequested, this, [this, each](QMenu& menu, const QModelIndex&) {
            const QModelIndex index = each->filter().mapToSource(each->currentIndex());
            const check::SideCell* cell = each == m_resolved ? m_resolvedModel.cell(index) : m_matrixModel.cell(index);
            if (each == m_resolved && !cell && index.isValid())
                cell = m_resolvedModel.cell(m_resolvedModel.index(index.row(), 1));
            if (!cell || cell->range.isEmpty())
                return;
            menu.addAction(tr("Show where it is written"), this, [this, at = *cell] { goToCell(at); });
            if (each->currentIndex().flags().testFlag(Qt::ItemIsEditable))
                menu.addAction(tr("Change the value"), QKeySequence(Qt::Key_F2), each, [each] { each->edit(each->currentIndex()); });
        });
        connect(each, &TableView::sourceActivated, this, [each] {
            if (each->currentIndex().flags().testFlag(Qt::ItemIsEditable))
                each->edit(each->currentIndex());
        });
    }
    connect(m_resolved, &TableView::sourceActivated, this, [this](const QModelIndex& source) {
        const bool isEditing = m_resolved->currentIndex().flags().testFlag(Qt::ItemIsEditable);
        if (const check::SideCell* cell = m_resolvedModel.cell(m_resolvedModel.index(source.row(), 1)); cell && !isEditing)
            goToCell(*cell);
    });
    connect(&m_resolvedModel, &SidesModel::edited, this, [this](const check::SideCell& cell, const QString& path, const QString& typed) {
        changeValue(m_resolvedOf, cell, path, typed);
    });
    connect(&m_matrixModel, &MatrixModel::edited, this,
            [this](const check::SideCell& cell, const QString& path, const QString& typed) { changeValue(m_matrixOf, cell, path, typed); });

    auto* resolvedPage = new QWidget(m_tabs);
    auto* resolvedFilter = new QLineEdit(resolvedPage);
    resolvedFilter->setPlaceholderText(tr("Filter by key, value or origin"));
    resolvedFilter->setAccessibleName(tr("Filter of the resolved values"));
    resolvedFilter->setClearButtonEnabled(true);
    connect(resolvedFilter, &QLineEdit::textChanged, m_resolved, [this](const QString& words) { m_resolved->filter().setWords(words); });
    auto* defaults = new QCheckBox(tr("Defaults"), resolvedPage);
    defaults->setObjectName(QStringLiteral("showDefaults"));
    defaults->setToolTip(tr("Show values that are written nowhere, too"));
    const auto showDefaults = [this](bool shown) {
        m_resolved->filter().setCondition(shown ? std::function<bool(const QModelIndex&)>() : [](const QModelIndex& index) {
            return index.siblingAtColumn(1).data(SidesModel::FromRole).toString() != QLatin1String("default");
        });
    };
    connect(defaults, &QCheckBox::toggled, this, showDefaults);
    showDefaults(false);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(6, 4, 6, 4);
    row->addWidget(resolvedFilter, 1);
    row->addWidget(defaults);
    auto* resolvedColumn = new QVBoxLayout(resolvedPage);
    resolvedColumn->setContentsMargins(0, 0, 0, 0);
    resolvedColumn->setSpacing(0);
    resolvedColumn->addLayout(row);
    resolvedColumn->addWidget(m_resolved);
    auto* matrixPage = new QWidget(m_tabs);
    auto* matrixColumn = new QVBoxLayout(matrixPage);
    matrixColumn->setContentsMargins(0, 0, 0, 0);
    matrixColumn->setSpacing(0);
    matrixColumn->addWidget(m_matrixNote);
    matrixColumn->addWidget(m_matrix);
    m_matrixNote->setContentsMargins(6, 4, 6, 4);
    m_matrixNote->hide();
    m_tabs->setObjectName(QStringLiteral("variantsTabs"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(resolvedPage, tr("Resolved"));
    m_tabs->addTab(matrixPage, tr("Matrix"));
    m_tabs->setTabToolTip(0, tr("All values of the selected job and where each comes from"));
    m_tabs->setTabToolTip(1, tr("The values in which the jobs differ, a row for each job"));
    m_tabs->tabBar()->setAccessibleName(tr("Views of the jobs"));
    connect(m_tabs, &QTabWidget::currentChanged, this, [this] {
        refreshResolved();
        refreshMatrix();
    });
}

void VariantsPane::refresh()
{
    const CheckedPtr checked = m_session.selection().checked();
    m_view->changeQuietly([&] { m_model.setVariants(checked); });
    m_view->setColumnShown(VariantsModel::SuffixColumn, checked && checked->form == expand::Form::Override);
    m_view->setColumnShown(VariantsModel::ParamsColumn, checked && checked->form != expand::Form::Plain);
    // Columns that have nothing to say leave their room to the others.
    const std::vector<VariantRow>& rows = m_model.rows();
    m_view->setColumnShown(VariantsModel::ProblemsColumn, std::any_of(rows.begin(), rows.end(), [](const VariantRow& row) {
                               return row.errors + row.warnings > 0 || !row.variant().valid;
                           }));
    m_view->setColumnShown(VariantsModel::MarkColumn, std::any_of(rows.begin(), rows.end(), [](const VariantRow& row) {
                               return row.sameName > 1 || row.variant().duplicateOf;
                           }));
    // What is the same for all jobs the summary tells.
    const auto costOf = [](const VariantRow& row) {
        const auto& job = row.variant().job;
        return job ? plan::cost(*job, row.variant().counts) : plan::Cost();
    };
    const auto isOwn = [&](auto value) {
        return std::any_of(rows.begin(), rows.end(),
                           [&](const VariantRow& row) { return value(costOf(row)) != value(costOf(rows.front())); });
    };
    m_view->setColumnShown(VariantsModel::HealthColumn, isOwn([](const plan::Cost& cost) { return cost.healthBudgetSeconds; }));
    m_view->setColumnShown(VariantsModel::PointsColumn, isOwn([](const plan::Cost& cost) { return cost.concurrencies.size(); }));
    refreshMeasured();
    const auto variant = m_session.selection().variant();
    m_view->showCurrent(variant ? m_model.index(static_cast<int>(*variant), 0) : QModelIndex());
    m_summary->setText(checked ? variantsSummary(*checked) : tr("No recipe is open."));
    const Document* document = m_session.documents().current();
    if (!checked)
        m_view->setEmptyText(tr("The jobs that a recipe stands for are listed here."));
    else if (document && document->isManifest)
        m_view->setEmptyText(tr("This is a manifest of Kubernetes and stands for no job on Slurm; the Snapshot pane tells about it."));
    else if (check::isClusterFile(*checked))
        m_view->setEmptyText(
            tr("This is a cluster file. It gives recipes their defaults and the names of models and images, and stands for no "
               "job of its own: open a recipe to see its jobs."));
    else
        m_view->setEmptyText(checked->pack ? tr("The recipe stands for no job: see Problems.") : tr("The text is no recipe."));
    refreshResolved();
    refreshMatrix();
}

/// Sets the jobs against the imported points, on a worker: there may be many of both.
void VariantsPane::refreshMeasured()
{
    const CheckedPtr checked = m_session.selection().checked();
    showMeasured();
    if (!checked || checked->variants.empty() || check::isClusterFile(*checked))
        return m_measuredJob.cancel();
    std::vector<analysis::FetchedJob> fetched;
    for (const store::JobEntry& job : m_session.jobs().all())
        if (!job.fetched.empty())
            fetched.push_back({job.fetched, job.recipe, job.name, job.variant});
    m_measuredJob.start([checked, points = m_session.results().points(), fetched = std::move(fetched)](std::stop_token) {
        return std::pair(checked, measuredOf(*checked, *points, fetched));
    });
}

void VariantsPane::showMeasured()
{
    const int count = countJobs(hasNoResults);
    m_withoutResults->setText(tr("Without results (%1)").arg(count));
    m_withoutResults->setVisible(count > 0);
    m_view->setColumnShown(VariantsModel::ResultsColumn,
                           countJobs([](const analysis::Measured& measured) { return measured.points > 0; }) > 0);
}

int VariantsPane::countJobs(const std::function<bool(const analysis::Measured&)>& isCounted) const
{
    const std::vector<VariantRow>& rows = m_model.rows();
    return static_cast<int>(
        std::count_if(rows.begin(), rows.end(), [&](const VariantRow& row) { return row.measured && isCounted(*row.measured); }));
}

void VariantsPane::markJobs(const std::function<bool(const analysis::Measured&)>& isMarked)
{
    QItemSelection wanted;
    QModelIndex first;
    for (int row = 0; row < m_model.rowCount(); ++row) {
        const auto& measured = m_model.row(row).measured;
        const QModelIndex index = m_view->filter().mapFromSource(m_model.index(row, 0));
        if (!measured || !isMarked(*measured) || !index.isValid())
            continue;
        wanted.select(index, index.siblingAtColumn(m_view->model()->columnCount() - 1));
        first = first.isValid() ? first : index;
    }
    if (!first.isValid())
        return say(tr("The filter hides the jobs that lack results."));
    m_view->selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
    m_view->selectionModel()->select(wanted, QItemSelectionModel::ClearAndSelect);
    m_view->setFocus();
    const auto marked = static_cast<int>(selectedJobs().size());
    say(tr("%n job(s) marked: Submit sends these.", nullptr, marked));
}

void VariantsPane::refreshResolved()
{
    if (m_tabs->currentIndex() != 0)
        return;
    const CheckedPtr checked = m_session.selection().checked();
    const auto variant = m_session.selection().variant();
    if (!checked || !variant) {
        m_resolvedJob.cancel();
        m_resolvedOf.reset();
        m_resolvedModel.setSides({}, {});
        return;
    }
    m_resolvedJob.start([checked, index = *variant](std::stop_token stop) {
        const check::Side side{checked.get(), index};
        return Sides{checked, check::sideBySide({&side, 1}, false, stop), {text(checked->variants[index].name)}};
    });
}

void VariantsPane::refreshMatrix()
{
    if (m_tabs->currentIndex() != 1)
        return;
    const CheckedPtr checked = m_session.selection().checked();
    if (!checked) {
        m_matrixJob.cancel();
        m_matrixOf.reset();
        m_matrixModel.setSides({}, {});
        return;
    }
    m_matrixJob.start([checked](std::stop_token stop) {
        Sides out{checked, {}, {}};
        std::vector<check::Side> sides;
        for (std::size_t i = 0; i < std::min(checked->variants.size(), mostInMatrix); ++i) {
            sides.push_back({checked.get(), i});
            out.titles += text(checked->variants[i].name);
        }
        if (sides.size() < 2)
            return out;
        out.rows = check::sideBySide(sides, true, stop);
        std::erase_if(out.rows, [](const check::SideRow& row) { return row.path == "name"; }); // the first column
        return out;
    });
}

void VariantsPane::refreshTrial()
{
    const Document* document = m_session.documents().current();
    m_trial->setEnabled(document != nullptr);
    const QString words = document ? trialWords(document->trial) : QString();
    const QSignalBlocker quiet(m_trial);
    m_trial->setText(words);
    say(words.isEmpty() ? QString() : tr("Trial values are in force: the file does not have them."));
}

void VariantsPane::setTrial()
{
    const Document* document = m_session.documents().current();
    if (!document)
        return;
    auto settings = trialSettings(m_trial->text());
    if (!settings)
        return say(text(settings.error().message));
    const bool isEmpty = settings->empty();
    m_session.documents().setTrial(document->id, std::move(*settings));
    say(isEmpty ? QString() : tr("Trial values are in force: the file does not have them."));
}

void VariantsPane::say(const QString& words)
{
    m_note->setText(words);
    m_note->setVisible(!words.isEmpty());
}

std::vector<std::size_t> VariantsPane::selectedJobs() const
{
    std::vector<std::size_t> jobs;
    for (const QModelIndex& source : m_view->selectedSources())
        jobs.push_back(m_model.row(source.row()).index);
    std::sort(jobs.begin(), jobs.end());
    return jobs;
}

bool VariantsPane::mayEdit(const CheckedPtr& checked) const
{
    const Document* document = m_session.documents().current();
    return document && checked && document->checked == checked && document->isCheckCurrent();
}

void VariantsPane::changeValue(const CheckedPtr& checked, const check::SideCell& cell, const QString& path, const QString& typed)
{
    const Document* document = m_session.documents().current();
    if (!document || !mayEdit(checked))
        return say(tr("The text changed meanwhile; nothing was changed here."));
    const assist::ValueChange change = assist::scalarSet(checked->source, cell.range, typed.toStdString());
    if (!change.whyNot.empty())
        return say(text(change.whyNot));
    say({});
    m_session.documents().change(document->id, document->version, tr("set %1").arg(path), change.text);
}

void VariantsPane::changeVariant(const VariantRow& row, int column, const QString& typed)
{
    const Document* document = m_session.documents().current();
    if (!document || !mayEdit(row.checked))
        return say(tr("The text changed meanwhile; nothing was changed here."));
    if (column == VariantsModel::SuffixColumn)
        changeSuffix(*document, row, typed);
    else
        changeParams(*document, row, typed);
}

void VariantsPane::changeParams(const Document& document, const VariantRow& row, const QString& typed)
{
    struct Change {
        std::string key;
        syntax::Range range;
        std::string value;
    };
    const auto params = changeableParams(row.variant());
    std::vector<Change> changes;
    const std::string all = typed.toStdString();
    for (const std::string_view part : base::splitAt(all, ';')) {
        const std::string_view term = base::trimmed(part);
        const std::size_t sign = term.find('=');
        const std::string_view key = base::trimmed(term.substr(0, std::min(sign, term.size())));
        const auto at = std::find_if(params.begin(), params.end(), [&](const auto& param) { return param.first == key; });
        if (term.empty())
            continue;
        if (sign == std::string_view::npos || at == params.end())
            return say(tr("\"%1\" names no value of this job that can be changed here; write key = value.").arg(text(std::string(term))));
        const std::string value(base::trimmed(term.substr(sign + 1)));
        if (value != at->second->text)
            changes.push_back({at->first, at->second->range, value});
    }
    // From the last one to the first, so that the places of the others stay.
    std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return b.range < a.range; });
    auto source = row.checked->source;
    for (const Change& change : changes) {
        const assist::ValueChange made = assist::scalarSet(source, change.range, change.value);
        if (!made.whyNot.empty())
            return say(tr("%1: %2").arg(text(change.key), text(made.whyNot)));
        source = std::make_shared<const syntax::SourceText>(made.text, source->path());
    }
    if (changes.empty())
        return say({});
    const auto takesPart = [&](const check::CheckedVariant& other) {
        return std::any_of(other.variant.params.begin(), other.variant.params.end(),
                           [&](const auto& param) { return param.second && param.second->range == changes.front().range; });
    };
    const auto jobs = std::count_if(row.checked->variants.begin(), row.checked->variants.end(), takesPart);
    const QString key = text(changes.front().key);
    say(jobs > 1 ? tr("\"%1\" was changed where it is written, and so in %2 jobs.").arg(key).arg(jobs) : QString());
    m_session.documents().change(document.id, document.version, tr("set %1").arg(key), source->text());
}

void VariantsPane::changeSuffix(const Document& document, const VariantRow& row, const QString& typed)
{
    const expand::Variant& variant = row.variant().variant;
    const std::string suffix = typed.trimmed().toStdString();
    const auto isOfKey = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    };
    if (suffix.empty() || !std::all_of(suffix.begin(), suffix.end(), isOfKey))
        return say(tr("A suffix is made of letters, digits, \"_\" and \"-\"; \"%1\" is not.").arg(typed));
    const std::string key = "override_" + suffix;
    if (row.checked->parsed.root && row.checked->parsed.root->member(key))
        return say(tr("There is a section \"%1\" already; nothing was changed.").arg(text(key)));
    const syntax::Range range = variant.sectionRange;
    if (row.checked->source->text().substr(range.begin, range.end - range.begin) != variant.section)
        return say(tr("The key \"%1\" is not written plainly; change it in the text.").arg(text(variant.section)));
    say({});
    m_session.documents().change(document.id, document.version, tr("rename %1").arg(text(variant.section)),
                                 syntax::applyEdits(row.checked->source->text(), {{range, key}}));
}

void VariantsPane::goToSource(const QModelIndex& source)
{
    const Document* document = m_session.documents().current();
    if (document && source.isValid())
        m_session.documents().goTo(document->id, m_model.row(source.row()).variant().variant.sectionRange.begin);
}

void VariantsPane::goToCell(const check::SideCell& cell)
{
    const Document* document = m_session.documents().current();
    if (!document || cell.range.isEmpty())
        return;
    if (cell.source == syntax::Source::Recipe)
        m_session.documents().goTo(document->id, cell.range.begin);
    else if (cell.source == syntax::Source::Cluster && document->checked && document->checked->clusterSource)
        m_session.documents().open(text(document->checked->clusterSource->path()), {.variant = {}, .offset = cell.range.begin});
}

void VariantsPane::addActions(QMenu& menu, const QModelIndex& source)
{
    if (source.isValid()) {
        menu.addAction(tr("Show in the recipe"), this, [this, at = QPersistentModelIndex(source)] { goToSource(at); });
        for (const auto& [column, words] : {std::pair(VariantsModel::ParamsColumn, tr("Change the values")),
                                            std::pair(VariantsModel::SuffixColumn, tr("Change the suffix"))}) {
            const QModelIndex cell = m_view->filter().mapFromSource(source).siblingAtColumn(column);
            if (m_view->isColumnHidden(column) || !cell.flags().testFlag(Qt::ItemIsEditable))
                continue;
            menu.addAction(words, QKeySequence(Qt::Key_F2), m_view, [this, at = QPersistentModelIndex(cell)] {
                m_view->setCurrentIndex(at);
                m_view->edit(at);
            });
        }
    }
    const Document* document = m_session.documents().current();
    const CheckedPtr checked = m_session.selection().checked();
    const std::vector<std::size_t> jobs = selectedJobs();
    if (document && checked && jobs.size() > 1) {
        menu.addAction(tr("Compare %1 jobs").arg(jobs.size()), this, [this, jobs, checked, path = document->path, title = document->title] {
            std::vector<Comparison::Part> parts;
            for (const std::size_t job : jobs)
                parts.push_back({.path = path, .variant = {}, .checked = checked, .job = job, .title = title});
            m_session.compare(std::move(parts));
        });
    }
    if (document && !jobs.empty()) {
        menu.addAction(tr("Write %n job(s) as files of their own\u2026", nullptr, static_cast<int>(jobs.size())), this,
                       [this, jobs, id = document->id] { m_session.conversions().explode(id, jobs); });
    }
}

void VariantsPane::fillMenu(QMenu& menu)
{
    const Document* document = m_session.documents().current();
    const CheckedPtr checked = m_session.selection().checked();
    const bool isRecipe = document && checked && checked->pack && !check::isClusterFile(*checked);
    const auto add = [&](const QString& words, const QString& tip, const QString& whyNot, void (Conversions::*run)(DocumentId)) {
        QAction* action =
            menu.addAction(words, this, [this, run, id = document ? document->id : DocumentId{}] { (m_session.conversions().*run)(id); });
        action->setEnabled(whyNot.isEmpty());
        action->setToolTip(whyNot.isEmpty() ? tip : whyNot);
    };
    const QString none = isRecipe ? QString() : tr("No recipe is open.");
    const auto unless = [&](bool can, const QString& why) { return !isRecipe ? none : can ? QString() : why; };
    add(tr("Sweep as a zip\u2026"), tr("The jobs of the sweep as a base and lists side by side, with proof"),
        unless(isRecipe && checked->form == expand::Form::Sweep, tr("The recipe is no sweep.")), &Conversions::asZip);
    add(tr("Overrides as a sweep\u2026"), tr("Jobs that make a full grid as a sweep, with proof"),
        unless(isRecipe && checked->form == expand::Form::Override, tr("The recipe has no overrides.")), &Conversions::asSweep);
    add(tr("Migrate to schema 2\u2026"), tr("The recipe in schema 2, as a difference, with proof"),
        unless(isRecipe && checked->schema == 1, tr("The recipe is in schema 2 already.")), &Conversions::migrate);
    QAction* explode = menu.addAction(tr("Each job as a file of its own\u2026"), this,
                                      [this, id = document ? document->id : DocumentId{}] { m_session.conversions().explode(id); });
    explode->setEnabled(isRecipe && !checked->variants.empty());
    menu.addSeparator();
    const int without = countJobs(hasNoResults);
    const int incomplete = countJobs(isIncomplete);
    menu.addAction(tr("Mark jobs without results (%1)").arg(without), this, [this] { markJobs(hasNoResults); })->setEnabled(without > 0);
    menu.addAction(tr("Mark jobs with missing points (%1)").arg(incomplete), this, [this] { markJobs(isIncomplete); })
        ->setEnabled(incomplete > 0);
    menu.addSeparator();
    menu.addAction(tr("Copy the table of jobs"), this, [this] { m_view->copyTable(); });
    menu.addAction(tr("Copy the matrix"), this, [this] { m_matrix->copyTable(); })->setEnabled(m_matrixModel.rowCount() > 0);
}

} // namespace wb::ui
