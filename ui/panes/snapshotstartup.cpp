#include "ui/panes/snapshotstartup.h"

#include "core/base/text.h"
#include "core/snapshot/startupviews.h"
#include "core/store/atomicfile.h"
#include "ui/async/background.h"
#include "ui/charts/startupchart.h"
#include "ui/models/text.h"
#include "ui/panes/cellsdelegate.h"
#include "ui/panes/tableview.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDate>
#include <QDoubleSpinBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QScrollArea>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <set>

namespace wb::ui {

namespace {

using charts::StartupView;

QString clockWords(snapshot::Clock clock)
{
    return text(snapshot::name(clock));
}

QString secondsText(const snapshot::Measured& time)
{
    if (!time.seconds)
        return dash();
    return (time.isApproximate ? QStringLiteral("~") : QString()) + number(time.seconds, 5) +
           (time.uncertainty() > 0.0 ? QStringLiteral(" \u00b11") : QString());
}

Cell secondsCell(const snapshot::Measured& time)
{
    if (!time.seconds)
        return {
            .text = dash(), .tip = time.note.empty() ? SnapshotStartup::tr("not measured") : text(time.note), .look = CellLook::Unknown};
    QString tip = SnapshotStartup::tr("%1 s, by the clock \"%2\"").arg(number(time.seconds, 9), clockWords(time.clock));
    if (!time.note.empty())
        tip += QLatin1Char('\n') + text(time.note);
    return {.text = secondsText(time), .sort = *time.seconds, .tip = tip};
}

Cell breakEvenCell(const snapshot::BreakEven& breakEven)
{
    using State = snapshot::BreakEven::State;
    Cell out{.text = breakEven.state == State::NotKnown ? dash() : text(snapshot::shown(breakEven))};
    if (breakEven.state == State::After)
        out.sort = static_cast<qlonglong>(breakEven.starts);
    out.tip = breakEven.state == State::NotKnown ? SnapshotStartup::tr("not known: a time is missing")
              : breakEven.state == State::Never  ? SnapshotStartup::tr("A restore takes at least as long as a cold start.")
                                                 : QString();
    out.look = breakEven.state == State::NotKnown ? CellLook::Unknown : breakEven.state == State::Never ? CellLook::Bad : CellLook::Plain;
    return out;
}

Cell speedupCell(const snapshot::Payoff& payoff)
{
    if (!payoff.speedup)
        return {.text = dash(), .tip = SnapshotStartup::tr("not known: a time is missing"), .look = CellLook::Unknown};
    QString words = number(payoff.speedup, 3) + QStringLiteral("\u00d7");
    QStringList doubts;
    if (payoff.isMixed)
        doubts += SnapshotStartup::tr("mixed clocks");
    if (payoff.isEstimated)
        doubts += SnapshotStartup::tr("estimated");
    if (!doubts.isEmpty())
        words += QStringLiteral(" (%1)").arg(doubts.join(QStringLiteral(", ")));
    QString tip = words;
    if (payoff.speedupLeast && payoff.speedupMost)
        tip += SnapshotStartup::tr("\nWhole seconds leave open: %1\u00d7 to %2\u00d7")
                   .arg(number(payoff.speedupLeast, 3), number(payoff.speedupMost, 3));
    return {.text = words, .sort = *payoff.speedup, .tip = tip, .look = doubts.isEmpty() ? CellLook::Plain : CellLook::Warning};
}

Cell claimCell(const snapshot::Payoff& payoff)
{
    if (!payoff.isCheckpointPlusRestoreFaster)
        return {.text = dash(), .look = CellLook::Unknown};
    return *payoff.isCheckpointPlusRestoreFaster ? Cell{.text = SnapshotStartup::tr("yes"), .look = CellLook::Good}
                                                 : Cell{.text = SnapshotStartup::tr("no"), .look = CellLook::Bad};
}

Cell floorCell(const snapshot::StartupRun& run, double bandwidth)
{
    const auto floor = snapshot::storageFloorOf(run, bandwidth);
    if (!floor) {
        return {.text = dash(),
                .tip = bandwidth > 0.0 ? SnapshotStartup::tr("The artifact's size is not known.")
                                       : SnapshotStartup::tr("Give the bandwidth of the storage."),
                .look = CellLook::Unknown};
    }
    QString tip = SnapshotStartup::tr("The artifact cannot be read faster than this.");
    if (floor->gbPerSecond)
        tip += SnapshotStartup::tr("\nThe restore read %1 GB/s.").arg(number(floor->gbPerSecond, 3));
    if (floor->isBelow)
        tip += SnapshotStartup::tr("\nThe restore was faster: it came from a cache, or a number is wrong.");
    return {.text = number(floor->seconds, 4) + (floor->isBelow ? SnapshotStartup::tr(" (restore is below)") : QString()),
            .sort = floor->seconds,
            .tip = tip,
            .look = floor->isBelow ? CellLook::Warning : CellLook::Plain};
}

Cell readCell(const snapshot::StartupRun& run)
{
    const snapshot::ReadRate rate = snapshot::readRateOf(run);
    if (!rate.restore)
        return {.text = dash(),
                .tip = SnapshotStartup::tr("The artifact's size or the restore's time is not known."),
                .look = CellLook::Unknown};
    QString tip = SnapshotStartup::tr("Artifact's bytes / time of the whole restore");
    if (rate.criu)
        tip += SnapshotStartup::tr("\n%1 GB/s over the CRIU phase alone").arg(number(rate.criu, 3));
    return {.text = number(rate.restore, 3), .sort = *rate.restore, .tip = tip};
}

Cell savedCell(const snapshot::StartupRun& run, double starts)
{
    const auto needed = snapshot::savedGpuHours(run, starts, true);
    const auto extra = snapshot::savedGpuHours(run, starts, false);
    if (!needed || !extra)
        return {
            .text = dash(), .tip = SnapshotStartup::tr("not known: a time or the number of GPUs is missing"), .look = CellLook::Unknown};
    return {.text = number(needed, 3),
            .sort = *needed,
            .tip = SnapshotStartup::tr("%1 GPU-hours when the source was needed anyway, %2 when the capture is extra")
                       .arg(number(needed, 4), number(extra, 4))};
}

Cell wordsCell(const std::string& words)
{
    return {.text = words.empty() ? dash() : text(words), .look = words.empty() ? CellLook::Unknown : CellLook::Plain};
}

QStringList runTitles()
{
    return {SnapshotStartup::tr("Model"),
            SnapshotStartup::tr("Engine"),
            SnapshotStartup::tr("GPU"),
            SnapshotStartup::tr("Cold, s"),
            SnapshotStartup::tr("Ckpt, s"),
            SnapshotStartup::tr("Restore, s"),
            SnapshotStartup::tr("Speed-up"),
            SnapshotStartup::tr("Pays after, source needed"),
            SnapshotStartup::tr("Pays after, capture extra"),
            SnapshotStartup::tr("Checkpoint + restore < cold"),
            SnapshotStartup::tr("Saved GPU-h"),
            SnapshotStartup::tr("Storage floor, s"),
            SnapshotStartup::tr("Read, GB/s"),
            SnapshotStartup::tr("Clocks"),
            SnapshotStartup::tr("Differs"),
            SnapshotStartup::tr("Driver"),
            SnapshotStartup::tr("Storage"),
            SnapshotStartup::tr("Date"),
            SnapshotStartup::tr("Outcome"),
            SnapshotStartup::tr("Format"),
            SnapshotStartup::tr("File")};
}

CellsRow rowOf(const snapshot::StartupRun& run, double bandwidth, double starts)
{
    const snapshot::Payoff payoff = snapshot::payoffOf(run);
    std::set<QString> clocks;
    for (const snapshot::DurationField& field : snapshot::durationFields) {
        if ((run.*field.member).seconds)
            clocks.insert(clockWords((run.*field.member).clock));
    }
    QStringList doubts;
    for (const std::string& doubt : snapshot::confoundsOf(run))
        doubts += text(doubt);
    for (const std::string& warning : run.warnings)
        doubts += text(warning);
    const std::string engine = run.engine + (run.engineVersion.empty() ? "" : " " + run.engineVersion);
    const std::string gpu = run.gpu + (run.gpus && *run.gpus != 1 ? " ×" + std::to_string(*run.gpus) : "");
    Cell model = wordsCell(run.model);
    if (run.isSynthetic) {
        model.text += SnapshotStartup::tr(" [synthetic]");
        model.tip = SnapshotStartup::tr("The file says that these numbers are made up.");
        model.look = CellLook::Warning;
    }
    const bool isFailed = !run.outcome.empty() && run.outcome != "passed" && run.outcome != "ready";
    return {.id = run.format + '\x1f' + run.source + '\x1f' + run.id,
            .cells = {std::move(model),
                      wordsCell(engine),
                      wordsCell(gpu),
                      secondsCell(run.cold),
                      secondsCell(run.checkpoint),
                      secondsCell(run.restore),
                      speedupCell(payoff),
                      breakEvenCell(payoff.sourceNeeded),
                      breakEvenCell(payoff.captureExtra),
                      claimCell(payoff),
                      savedCell(run, starts),
                      floorCell(run, bandwidth),
                      readCell(run),
                      {.text = clocks.empty() ? dash() : QStringList(clocks.begin(), clocks.end()).join(QStringLiteral(", "))},
                      {.text = doubts.isEmpty() ? dash() : doubts.join(QLatin1Char(' ')),
                       .tip = doubts.join(QLatin1Char('\n')),
                       .look = doubts.isEmpty() ? CellLook::Quiet : CellLook::Warning},
                      wordsCell(run.driver),
                      wordsCell(run.storage),
                      wordsCell(run.date),
                      {.text = run.outcome.empty() ? dash() : text(run.outcome), .look = isFailed ? CellLook::Bad : CellLook::Plain},
                      wordsCell(run.format),
                      wordsCell(run.source)},
            .isQuiet = run.isSynthetic};
}

} // namespace

SnapshotStartup::SnapshotStartup(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_chart(new charts::StartupChart(this))
    , m_view(new QComboBox(this))
    , m_group(new QComboBox(this))
    , m_log(new QCheckBox(tr("Logarithmic"), this))
    , m_shares(new QCheckBox(tr("As shares"), this))
    , m_synthetic(new QCheckBox(tr("Made-up runs"), this))
    , m_bandwidth(new QDoubleSpinBox(this))
    , m_starts(new QDoubleSpinBox(this))
    , m_summary(new QLabel(this))
    , m_runView(new TableView(&m_runs, CellsModel::SortRole, tr("Startup results"), this))
    , m_fileView(new TableView(&m_files, CellsModel::SortRole, tr("Files of the last import"), this))
{
    setAcceptDrops(true);
    for (TableView* view : {m_runView, m_fileView})
        view->setItemDelegate(new CellsDelegate(view));
    m_runView->setObjectName(QStringLiteral("startupRuns"));
    m_runView->setColumnWidths({18, 14, 18, 9, 9, 9, 18, 12, 12, 12, 10, 12, 10, 12, 30, 11, 16, 20, 10, 12, 40});
    m_runView->setTextElideMode(Qt::ElideMiddle);
    m_runView->setEmptyText(tr("Import RunResults, agent logs, nightly results or published tables, or drop them here."));
    connect(m_runView, &TableView::menuRequested, this, [this](QMenu& menu, const QModelIndex&) {
        QStringList sources;
        for (const QModelIndex& index : m_runView->selectedSources())
            sources += index.siblingAtColumn(static_cast<int>(runTitles().size()) - 1).data().toString();
        sources.removeDuplicates();
        if (!sources.isEmpty())
            menu.addAction(tr("Forget the runs of %n file(s)", nullptr, static_cast<int>(sources.size())), this,
                           [this, sources] { m_session.snapshots().forgetStartup(sources); });
    });
    m_fileView->setObjectName(QStringLiteral("startupFiles"));
    m_fileView->setColumnWidths({50, 14, 8, 50}, 3);
    m_fileView->setTextElideMode(Qt::ElideMiddle);
    m_fileView->setEmptyText(tr("What each file of an import was taken for, or why not, is listed here."));

    auto* scroll = new QScrollArea(this);
    scroll->setWidget(m_chart);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setAccessibleName(tr("Chart of startup times"));
    auto* chartPage = new QWidget(this);
    auto* chartColumn = new QVBoxLayout(chartPage);
    chartColumn->setContentsMargins(0, 0, 0, 0);
    chartColumn->setSpacing(0);
    chartColumn->addWidget(makeChartBar());
    chartColumn->addWidget(scroll, 1);
    auto* tables = new QTabWidget(this);
    tables->setDocumentMode(true);
    tables->addTab(m_runView, tr("Runs"));
    tables->addTab(m_fileView, tr("Files"));
    tables->tabBar()->setAccessibleName(tr("Tables of startup results"));
    auto* split = new QSplitter(Qt::Vertical, this);
    split->addWidget(chartPage);
    split->addWidget(tables);
    split->setChildrenCollapsible(false);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeBar());
    column->addWidget(split, 1);

    connect(&session.snapshots(), &Snapshots::startupChanged, this, &SnapshotStartup::refresh);
    refresh();
}

QWidget* SnapshotStartup::makeBar()
{
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(6, 4, 6, 4);
    auto* import = new QToolButton(bar);
    import->setObjectName(QStringLiteral("importStartup"));
    import->setText(tr("Import"));
    import->setToolTip(tr("RunResults (schemas 1 and 2), agent logs, nightly results, published tables, run_lifecycle.json, own exports"));
    auto* menu = new QMenu(import);
    menu->addAction(tr("Files\u2026"), this, &SnapshotStartup::chooseFiles);
    menu->addAction(tr("Below a folder\u2026"), this, &SnapshotStartup::chooseFolder);
    import->setMenu(menu);
    import->setPopupMode(QToolButton::InstantPopup);
    auto* out = new QToolButton(bar);
    out->setObjectName(QStringLiteral("exportStartup"));
    out->setText(tr("Export\u2026"));
    out->setToolTip(tr("The runs as CSV or JSON that can be imported again, the chart as PNG or SVG"));
    connect(out, &QToolButton::clicked, this, &SnapshotStartup::chooseExport);
    m_summary->setObjectName(QStringLiteral("startupSummary"));
    m_synthetic->setObjectName(QStringLiteral("takeSynthetic"));
    m_synthetic->setToolTip(tr("Take runs that are marked as made up into the chart"));
    const auto number = [&](QDoubleSpinBox* box, const char* name, const QString& label, double most, const QString& unit,
                            const QString& tip) {
        box->setObjectName(QString::fromLatin1(name));
        box->setAccessibleName(label);
        box->setRange(0.0, most);
        box->setDecimals(1);
        box->setSuffix(unit);
        box->setToolTip(tip);
        box->setKeyboardTracking(false);
        auto* words = new QLabel(label, bar);
        words->setBuddy(box);
        row->addWidget(words);
        row->addWidget(box);
        connect(box, &QDoubleSpinBox::valueChanged, this, &SnapshotStartup::refreshRuns);
    };
    row->addWidget(import);
    row->addWidget(out);
    row->addWidget(m_summary, 1);
    number(m_bandwidth, "bandwidth", tr("Storage"), 100'000.0, tr(" GB/s"),
           tr("Bandwidth of the storage (decimal): how fast a restore can be at all"));
    m_bandwidth->setSpecialValueText(tr("not given"));
    number(m_starts, "starts", tr("Starts"), 1e6, QString(), tr("What so many starts save"));
    m_starts->setDecimals(0);
    m_starts->setMinimum(1.0);
    m_starts->setValue(10.0);
    return bar;
}

QWidget* SnapshotStartup::makeChartBar()
{
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(6, 0, 6, 4);
    m_view->setObjectName(QStringLiteral("startupView"));
    m_view->setAccessibleName(tr("What the chart shows"));
    m_view->addItems({tr("Cold start and restore"), tr("Phases"), tr("Break-even"), tr("Nights")});
    m_group->setObjectName(QStringLiteral("startupGroup"));
    m_group->setAccessibleName(tr("Group of the break-even"));
    m_group->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_group->setMinimumContentsLength(24);
    m_log->setChecked(true);
    m_log->setObjectName(QStringLiteral("startupLog"));
    m_shares->setObjectName(QStringLiteral("startupShares"));
    row->addWidget(m_view);
    row->addWidget(m_group, 1);
    row->addWidget(m_log);
    row->addWidget(m_shares);
    row->addWidget(m_synthetic);
    row->addStretch();
    connect(m_view, &QComboBox::currentIndexChanged, this, [this](int view) {
        m_chart->setView(static_cast<StartupView>(view));
        refreshControls();
    });
    connect(m_group, &QComboBox::currentIndexChanged, this, &SnapshotStartup::refreshChart);
    connect(m_log, &QCheckBox::toggled, m_chart, &charts::StartupChart::setLogarithmic);
    connect(m_shares, &QCheckBox::toggled, m_chart, &charts::StartupChart::setShares);
    connect(m_synthetic, &QCheckBox::toggled, this, &SnapshotStartup::refreshChart);
    refreshControls();
    return bar;
}

void SnapshotStartup::refreshControls()
{
    const auto view = static_cast<StartupView>(m_view->currentIndex());
    m_log->setVisible(view == StartupView::Bars);
    m_shares->setVisible(view == StartupView::Phases);
    m_group->setVisible(view == StartupView::BreakEven);
}

void SnapshotStartup::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_session.snapshots().loadStartup();
}

void SnapshotStartup::refresh()
{
    const auto& startup = m_session.snapshots().startup();
    std::vector<CellsRow> files;
    for (const snapshot::StartupFile& file : startup->files) {
        using State = snapshot::StartupFileState;
        const bool isTaken = file.state == State::Imported;
        files.push_back({.id = file.path,
                         .cells = {{.text = text(file.path)},
                                   {.text = isTaken ? text(file.format) : text(snapshot::name(file.state)),
                                    .look = file.state == State::Refused ? CellLook::Bad
                                            : isTaken                    ? CellLook::Plain
                                                                         : CellLook::Quiet},
                                   {.text = QString::number(file.runs), .sort = static_cast<qulonglong>(file.runs)},
                                   {.text = file.reason.empty() ? dash() : text(file.reason)}}});
    }
    m_fileView->changeQuietly([&] { m_files.setTable({tr("File"), tr("Taken for"), tr("Runs"), tr("Why not")}, std::move(files)); });
    refreshRuns();
    refreshChart();
}

void SnapshotStartup::refreshRuns()
{
    const auto& startup = m_session.snapshots().startup();
    std::vector<CellsRow> rows;
    for (const snapshot::StartupRun& run : startup->runs)
        rows.push_back(rowOf(run, m_bandwidth->value(), m_starts->value()));
    m_runView->changeQuietly([&] { m_runs.setTable(runTitles(), std::move(rows)); });
    const auto synthetic =
        std::count_if(startup->runs.begin(), startup->runs.end(), [](const snapshot::StartupRun& run) { return run.isSynthetic; });
    const auto refused = std::count_if(startup->files.begin(), startup->files.end(),
                                       [](const snapshot::StartupFile& file) { return file.state == snapshot::StartupFileState::Refused; });
    QString words = tr("%n run(s)", nullptr, static_cast<int>(startup->runs.size()));
    if (synthetic > 0)
        words += QStringLiteral(" \u00b7 ") + tr("%n synthetic", nullptr, static_cast<int>(synthetic));
    if (refused > 0)
        words += QStringLiteral(" \u00b7 ") + tr("%n file(s) refused: see Files", nullptr, static_cast<int>(refused));
    m_summary->setText(words);
}

void SnapshotStartup::refreshChart()
{
    charts::StartupPicture picture;
    picture.runs = m_session.snapshots().startup();
    picture.groups = snapshot::groupsOf(picture.runs->runs, m_synthetic->isChecked());
    const std::string today = QDate::currentDate().toString(Qt::ISODate).toStdString();
    picture.trends = snapshot::trendsOf(picture.runs->runs, &snapshot::StartupRun::restore, today);
    QStringList titles;
    for (const snapshot::StartupGroup& group : picture.groups)
        titles += text(snapshot::titleOf(group));
    {
        const QSignalBlocker quiet(m_group);
        const QString before = m_group->currentText();
        m_group->clear();
        m_group->addItems(titles);
        qsizetype chosen = titles.indexOf(before);
        if (chosen < 0) { // one that has something to show
            const auto found = std::find_if(picture.groups.begin(), picture.groups.end(),
                                            [](const snapshot::StartupGroup& group) { return snapshot::payoffCurves(group).has_value(); });
            chosen = found == picture.groups.end() ? 0 : found - picture.groups.begin();
        }
        m_group->setCurrentIndex(static_cast<int>(chosen));
    }
    picture.group = static_cast<std::size_t>(std::max(m_group->currentIndex(), 0));
    m_chart->setPicture(std::move(picture));
}

void SnapshotStartup::chooseFiles()
{
    auto* dialog = new QFileDialog(this, tr("Import startup results"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    dialog->setNameFilters({tr("Results (*.json *.ndjson *.log *.txt *.csv *.md)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::filesSelected, this, [this](const QStringList& files) { m_session.snapshots().importStartup(files); });
    dialog->open();
}

void SnapshotStartup::chooseFolder()
{
    auto* dialog = new QFileDialog(this, tr("Import startup results below a folder"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& folder) { m_session.snapshots().importStartup({folder}); });
    dialog->open();
}

void SnapshotStartup::chooseExport()
{
    auto* dialog = new QFileDialog(this, tr("Export startup results"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("Table (*.csv)"), tr("Runs (*.json)"), tr("Chart (*.png)"), tr("Chart (*.svg)")});
    dialog->setDefaultSuffix(QStringLiteral("csv"));
    connect(dialog, &QFileDialog::filterSelected, dialog,
            [dialog](const QString& filter) { dialog->setDefaultSuffix(filter.section(QStringLiteral("*."), 1).chopped(1)); });
    connect(dialog, &QFileDialog::fileSelected, this, &SnapshotStartup::exportRuns);
    dialog->open();
}

void SnapshotStartup::exportRuns(const QString& file)
{
    const QString suffix = QFileInfo(file).suffix().toLower();
    Snapshots& snapshots = m_session.snapshots();
    if (suffix == QLatin1String("png") || suffix == QLatin1String("svg")) {
        if (const auto written = m_chart->write(file); !written)
            snapshots.tell(Error(written.error()).within("Exporting the chart"));
        return;
    }
    async::runInBackground(
        m_session.workers(), this,
        [path = file.toStdString(), runs = snapshots.startup(), isJson = suffix == QLatin1String("json")] {
            return store::writeAtomically(path, isJson ? base::json::write(snapshot::exportJson(runs->runs)) + "\n"
                                                       : snapshot::exportCsv(runs->runs));
        },
        [this, file](const Result<void>& written) {
            if (written)
                m_session.log().info(tr("Startup results written to %1").arg(file));
            else
                m_session.snapshots().tell(Error(written.error()).within("Exporting startup results"));
        });
}

void SnapshotStartup::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void SnapshotStartup::dropEvent(QDropEvent* event)
{
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls()) {
        if (url.isLocalFile())
            paths += url.toLocalFile();
    }
    event->acceptProposedAction();
    m_session.snapshots().importStartup(paths);
}

} // namespace wb::ui
