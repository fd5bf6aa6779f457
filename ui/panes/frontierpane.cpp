#include "ui/panes/frontierpane.h"

#include "core/analysis/delta.h"
#include "core/analysis/report.h"
#include "core/analysis/simulation.h"
#include "core/base/files.h"
#include "ui/charts/chartview.h"
#include "ui/charts/viewparts.h"
#include "ui/models/text.h"
#include "ui/panes/matchedpanel.h"
#include "ui/panes/messagebar.h"
#include "ui/panes/ratesdialog.h"
#include "ui/panes/rerunmenu.h"
#include "ui/panes/saving.h"

#include <QActionGroup>
#include <QComboBox>
#include <QCoreApplication>
#include <QDate>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTemporaryDir>
#include <QToolButton>
#include <QVBoxLayout>

#include <array>

namespace wb::ui {

namespace {

struct Choice {
    const char* id;
    const char* title;
};

#define WB_TR(words) QT_TRANSLATE_NOOP("wb::ui::FrontierPane", words)

constexpr std::array groups{
    Choice{"run", WB_TR("Run")},
    Choice{"variant", WB_TR("Variant")},
    Choice{"recipe", WB_TR("Recipe")},
    Choice{"model", WB_TR("Model")},
    Choice{"engine", WB_TR("Engine")},
    Choice{"precision", WB_TR("Precision")},
    Choice{"hardware", WB_TR("Hardware")},
    Choice{"gpus.working", WB_TR("Working GPUs")},
    Choice{"tp", WB_TR("Tensor parallel size")},
    Choice{"isl", WB_TR("Input length")},
    Choice{"osl", WB_TR("Output length")},
    Choice{"concurrency", WB_TR("Concurrency")},
    Choice{"tags", WB_TR("Tags")},
    Choice{"format", WB_TR("Format")},
    Choice{"none", WB_TR("All together")},
};

constexpr std::array lines{
    std::pair{analysis::Line::Stairs, WB_TR("Stairs")},
    std::pair{analysis::Line::Straight, WB_TR("Straight")},
    std::pair{analysis::Line::None, WB_TR("No line")},
};

struct DragChoice {
    charts::DragMode mode;
    const char* title;
    const char* tip;
};

constexpr std::array drags{
    DragChoice{charts::DragMode::Pan, WB_TR("Move"), WB_TR("Drag moves the chart; Shift+drag zooms to a box, Ctrl+drag selects in one")},
    DragChoice{charts::DragMode::Zoom, WB_TR("Zoom"), WB_TR("Drag zooms to a box; Shift+drag moves the chart")},
    DragChoice{charts::DragMode::Select, WB_TR("Select in a box"), WB_TR("Drag selects the points in a box; with Shift they are added")},
    DragChoice{charts::DragMode::Lasso, WB_TR("Select with a lasso"),
               WB_TR("Drag around points to select them; with Shift they are added")},
};

struct LabelChoice {
    charts::PointLabels labels;
    const char* title;
};

constexpr std::array labelChoices{
    LabelChoice{charts::PointLabels::None, WB_TR("No labels")},
    LabelChoice{charts::PointLabels::Concurrency, WB_TR("Concurrency")},
    LabelChoice{charts::PointLabels::Parallelism, WB_TR("Parallelism")},
};

struct ScaleChoice {
    charts::Scale scale;
    const char* title;
};

constexpr std::array scaleChoices{
    ScaleChoice{charts::Scale::Auto, WB_TR("Automatic")},
    ScaleChoice{charts::Scale::Linear, WB_TR("Linear")},
    ScaleChoice{charts::Scale::Log, WB_TR("Logarithmic")},
};

struct PartChoice {
    bool charts::ChartParts::*part;
    const char* title;
    const char* tip;
};

constexpr std::array parts{
    PartChoice{&charts::ChartParts::overall, WB_TR("Frontier of all groups"),
               WB_TR("The frontier over all groups that are shown, as a grey band")},
    PartChoice{&charts::ChartParts::curves, WB_TR("Curves by concurrency"),
               WB_TR("A thin line through each sweep in the order of its concurrency: it shows where more load gives less")},
    PartChoice{&charts::ChartParts::spreads, WB_TR("Spread of replicas"),
               WB_TR("From the least to the most of what was measured more than once")},
    PartChoice{&charts::ChartParts::contrast, WB_TR("High contrast"), WB_TR("Black and white behind stronger lines")},
};
constexpr const char* simulationId = "simulation"; ///< In view files: never renamed.

#undef WB_TR

template <typename Choices, typename Row, typename Value>
const Row& rowOf(const Choices& choices, const Value& value, Value Row::*member)
{
    const auto found = std::ranges::find(choices, value, member);
    return found == choices.end() ? choices.front() : *found;
}

void fillAxes(QComboBox& box, std::string_view chosen)
{
    for (const analysis::Axis& axis : analysis::axes()) {
        const QString arrow = axis.direction == analysis::Direction::MoreIsBetter ? QStringLiteral("\u2191") : QStringLiteral("\u2193");
        box.addItem(text(axis.title) + QLatin1Char(' ') + arrow, text(axis.id));
        box.setItemData(box.count() - 1, text(axis.definition), Qt::ToolTipRole);
    }
    box.setCurrentIndex(box.findData(text(chosen)));
    box.setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box.setMinimumContentsLength(18);
}

/// The points of the open recipe by the built-in figures of the model.
std::vector<results::Point> simulated(const check::Checked& checked, std::vector<std::string>& failures)
{
    std::vector<results::Point> points;
    for (const check::CheckedVariant& variant : checked.variants) {
        if (!variant.job)
            continue;
        auto made = analysis::simulate(*variant.job, analysis::builtInParameters(), checked.source->path());
        if (made)
            points.insert(points.end(), std::make_move_iterator(made->begin()), std::make_move_iterator(made->end()));
        else if (std::ranges::find(failures, made.error().message) == failures.end())
            failures.push_back(made.error().message);
    }
    return points;
}

void makeMenuButton(QToolButton& button, QMenu* menu, const QString& title)
{
    button.setText(title);
    button.setMenu(menu);
    button.setPopupMode(QToolButton::InstantPopup);
    button.setAutoRaise(true);
    button.setFocusPolicy(Qt::TabFocus);
}

} // namespace

FrontierPane::FrontierPane(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_chart(new charts::ChartView(this))
    , m_matched(new MatchedPanel(this))
    , m_message(new MessageBar(this))
    , m_x(new QComboBox(this))
    , m_y(new QComboBox(this))
    , m_group(new QComboBox(this))
    , m_where(new QLineEdit(this))
    , m_slo(new QLineEdit(this))
    , m_drag(new QToolButton(this))
    , m_show(new QToolButton(this))
    , m_compare(new QToolButton(this))
    , m_notes(new QLabel(this))
    , m_debounce(std::chrono::milliseconds(150),
                 [this] {
                     m_session.results().setFilter(m_where->text());
                     recompute();
                 })
    , m_job(session.workers(), [this](const Charted& charted) { show(charted); })
{
    m_chart->setObjectName(QStringLiteral("frontierChart"));
    m_notes->setObjectName(QStringLiteral("frontierNotes"));
    m_notes->setWordWrap(true);
    m_notes->setContentsMargins(6, 2, 6, 4);
    m_notes->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* upper = new QWidget(this);
    auto* upperColumn = new QVBoxLayout(upper);
    upperColumn->setContentsMargins(0, 0, 0, 0);
    upperColumn->setSpacing(0);
    upperColumn->addWidget(m_chart, 1);
    upperColumn->addWidget(m_notes);
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(upper);
    splitter->addWidget(m_matched);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 1);
    m_matched->hide();
    connect(m_compare, &QToolButton::toggled, this, [this, splitter](bool isShown) {
        m_matched->setVisible(isShown);
        if (isShown && splitter->sizes().value(1) < splitter->height() / 3)
            splitter->setSizes({splitter->height() * 13 / 20, splitter->height() * 7 / 20});
    });
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeControls());
    column->addWidget(m_message);
    column->addWidget(splitter, 1);
    setFocusProxy(m_chart);

    for (QComboBox* box : {m_x, m_y, m_group})
        connect(box, &QComboBox::currentIndexChanged, this, &FrontierPane::recompute);
    for (QLineEdit* edit : {m_where, m_slo}) {
        connect(edit, &QLineEdit::textChanged, &m_debounce, &async::Debounce::trigger);
        connect(edit, &QLineEdit::returnPressed, &m_debounce, &async::Debounce::flush);
    }
    connect(m_chart, &charts::ChartView::pointActivated, this, [this](const PointId& id) { m_session.showPoint(id); });
    connect(m_chart, &charts::ChartView::menuWanted, this,
            [this](QMenu& menu, const PointId& id) { addRerunActions(menu, m_session, id); });
    connect(m_chart, &charts::ChartView::pointPicked, this, [this](const PointId& id) { m_session.selection().setPoint(id); });
    connect(m_chart, &charts::ChartView::pointsMarked, this,
            [this](const std::vector<PointId>& ids) { m_session.selection().setPoints(ids); });
    connect(m_chart, &charts::ChartView::visibilityChanged, this, [this] { m_matched->setHidden(m_chart->hiddenSeries()); });
    connect(m_matched, &MatchedPanel::pointWanted, this, [this](const PointId& id) { m_session.selection().setPoint(id); });
    m_chart->setDeltaSource([this](const PointId& first, const PointId& second) {
        const results::Point* a = m_session.results().find(first);
        const results::Point* b = m_session.results().find(second);
        const analysis::Axis* x = analysis::findAxis(m_chart->chart()->x.id);
        const analysis::Axis* y = analysis::findAxis(m_chart->chart()->y.id);
        return a && b && x && y ? analysis::deltaOf(*a, *b, *x, *y) : std::vector<analysis::DeltaRow>();
    });
    connect(&session.results(), &Results::pointsChanged, this, &FrontierPane::recompute);
    connect(&session, &Session::chartViewWanted, this, &FrontierPane::openView);
    connect(&session.results(), &Results::filterChanged, this, &FrontierPane::followFilter);
    connect(&session.selection(), &Selection::pointChanged, this, [this] { m_chart->setSelected(m_session.selection().point()); });
    connect(&session.selection(), &Selection::pointsChanged, this, [this] { m_chart->setMarked(m_session.selection().points()); });
    connect(&session.selection(), &Selection::variantChanged, this, [this] {
        if (m_simulatesOpen)
            m_debounce.trigger();
    });
    followFilter();
    recompute();
}

QWidget* FrontierPane::makeControls()
{
    fillAxes(*m_x, analysis::defaultX);
    fillAxes(*m_y, analysis::defaultY);
    for (const Choice& group : groups)
        m_group->addItem(tr(group.title), QString::fromLatin1(group.id));
    m_x->setObjectName(QStringLiteral("frontierX"));
    m_y->setObjectName(QStringLiteral("frontierY"));
    m_group->setObjectName(QStringLiteral("frontierGroup"));
    m_x->setAccessibleName(tr("X axis"));
    m_y->setAccessibleName(tr("Y axis"));
    m_group->setAccessibleName(tr("Frontier for each"));
    m_where->setObjectName(QStringLiteral("frontierWhere"));
    m_slo->setObjectName(QStringLiteral("frontierSlo"));
    m_where->setAccessibleName(tr("Which points"));
    m_where->setPlaceholderText(tr("Which points: engine=vllm tp>=4 ttft-p99<2000"));
    m_where->setToolTip(
        tr("Words, and terms of a key, an operator (= != < <= > >= ~) and a value; the Results pane shows the same points"));
    m_where->setClearButtonEnabled(true);
    m_slo->setAccessibleName(tr("Limits of the frontier"));
    m_slo->setPlaceholderText(tr("Limits: ttft-p99<=2000"));
    m_slo->setToolTip(tr("Points outside these limits are shown and kept off the frontier; limits on a shown axis are hatched"));
    m_slo->setClearButtonEnabled(true);

    auto* controls = new QWidget(this);
    auto* rows = new QVBoxLayout(controls);
    rows->setContentsMargins(6, 4, 6, 4);
    rows->setSpacing(4);
    const auto labelled = [&](QHBoxLayout* row, const QString& label, QWidget* buddy, int stretch) {
        auto* made = new QLabel(label, controls);
        made->setBuddy(buddy);
        row->addWidget(made);
        row->addWidget(buddy, stretch);
    };
    auto* upper = new QHBoxLayout;
    labelled(upper, tr("&X"), m_x, 2);
    labelled(upper, tr("&Y"), m_y, 2);
    labelled(upper, tr("&By"), m_group, 1);
    auto* middle = new QHBoxLayout;
    middle->addWidget(m_where, 3);
    middle->addWidget(m_slo, 2);
    auto* lower = new QHBoxLayout;

    auto* dragMenu = new QMenu(m_drag);
    fillDragMenu(*dragMenu);
    makeMenuButton(*m_drag, dragMenu, tr("Drag: Move"));
    m_drag->setObjectName(QStringLiteral("frontierDrag"));
    m_drag->setAccessibleName(tr("What dragging does"));
    auto* showMenu = new QMenu(m_show);
    fillShowMenu(*showMenu);
    connect(showMenu, &QMenu::aboutToShow, this, &FrontierPane::showMenuState);
    makeMenuButton(*m_show, showMenu, tr("Show"));
    m_show->setObjectName(QStringLiteral("frontierShow"));
    m_show->setAccessibleName(tr("What the chart shows"));
    m_compare->setObjectName(QStringLiteral("frontierCompare"));
    m_compare->setText(tr("Compare groups"));
    m_compare->setToolTip(tr("A table of the groups at one x, or at their best within the limits"));
    m_compare->setCheckable(true);
    m_compare->setAutoRaise(true);
    m_compare->setFocusPolicy(Qt::TabFocus);
    auto* reset = new QToolButton(controls);
    reset->setText(tr("Whole chart"));
    reset->setToolTip(tr("Show all of the chart again (double click, or 0)"));
    reset->setAutoRaise(true);
    reset->setFocusPolicy(Qt::TabFocus);
    connect(reset, &QToolButton::clicked, m_chart, &charts::ChartView::resetZoom);
    auto* rates = new QToolButton(controls);
    rates->setObjectName(QStringLiteral("frontierRates"));
    rates->setText(tr("Prices and power\u2026"));
    rates->setToolTip(tr("What GPUs cost and draw, for the axes of cost and energy"));
    rates->setAutoRaise(true);
    rates->setFocusPolicy(Qt::TabFocus);
    connect(rates, &QToolButton::clicked, this, [this] { (new RatesDialog(m_session, this))->open(); });
    auto* file = new QToolButton(controls);
    auto* fileMenu = new QMenu(file);
    fillFileMenu(*fileMenu);
    makeMenuButton(*file, fileMenu, tr("Save and export"));
    file->setObjectName(QStringLiteral("frontierFile"));
    for (QToolButton* button : {m_drag, m_show, m_compare, reset, rates, file})
        lower->addWidget(button);
    lower->addStretch(1);
    rows->addLayout(upper);
    rows->addLayout(middle);
    rows->addLayout(lower);
    return controls;
}

void FrontierPane::fillDragMenu(QMenu& menu)
{
    auto* group = new QActionGroup(&menu);
    for (const DragChoice& choice : drags) {
        QAction* action = menu.addAction(tr(choice.title), this, [this, mode = choice.mode] { setDragMode(mode); });
        action->setToolTip(tr(choice.tip));
        action->setCheckable(true);
        action->setActionGroup(group);
        m_checks.emplace_back(action, [this, mode = choice.mode] { return m_chart->dragMode() == mode; });
    }
    menu.setToolTipsVisible(true);
    connect(&menu, &QMenu::aboutToShow, this, &FrontierPane::showMenuState);
}

void FrontierPane::setDragMode(charts::DragMode mode)
{
    m_chart->setDragMode(mode);
    const DragChoice& choice = rowOf(drags, mode, &DragChoice::mode);
    m_drag->setText(tr("Drag: %1").arg(tr(choice.title)));
    m_drag->setToolTip(tr(choice.tip));
}

void FrontierPane::fillShowMenu(QMenu& menu)
{
    const auto choice = [this](QMenu* submenu, QActionGroup* group, const char* title, const std::function<void()>& take,
                               const std::function<bool()>& isOn) {
        QAction* action = submenu->addAction(tr(title), this, take);
        action->setCheckable(true);
        action->setActionGroup(group);
        m_checks.emplace_back(action, isOn);
    };
    const auto submenuOf = [&menu](const QString& title) {
        QMenu* submenu = menu.addMenu(title);
        return std::pair(submenu, new QActionGroup(submenu));
    };
    menu.setToolTipsVisible(true);
    for (const PartChoice& part : parts)
        addPart(menu, tr(part.title), tr(part.tip), part.part);
    menu.addSeparator();
    const auto [labelMenu, labelGroup] = submenuOf(tr("Labels of the points"));
    for (const LabelChoice& each : labelChoices)
        choice(
            labelMenu, labelGroup, each.title,
            [this, labels = each.labels] {
                charts::ChartParts now = m_chart->parts();
                now.labels = labels;
                m_chart->setParts(now);
            },
            [this, labels = each.labels] { return m_chart->parts().labels == labels; });
    const auto [lineMenu, lineGroup] = submenuOf(tr("Line of the frontier"));
    for (const auto& [line, title] : lines)
        choice(
            lineMenu, lineGroup, title, [this, line = line] { setLine(line); }, [this, line = line] { return m_line == line; });
    for (const auto& [axis, title] : {std::pair{Qt::Horizontal, tr("Scale of X")}, std::pair{Qt::Vertical, tr("Scale of Y")}}) {
        const auto [scaleMenu, scaleGroup] = submenuOf(title);
        for (const ScaleChoice& each : scaleChoices)
            choice(
                scaleMenu, scaleGroup, each.title, [this, axis = axis, scale = each.scale] { m_chart->setScale(axis, scale); },
                [this, axis = axis, scale = each.scale] { return m_chart->scale(axis) == scale; });
    }
    menu.addSeparator();
    const auto toggle = [&](const QString& title, const QString& tip, bool FrontierPane::*flag) {
        QAction* action = menu.addAction(title);
        action->setToolTip(tip);
        action->setCheckable(true);
        connect(action, &QAction::triggered, this, [this, flag](bool isOn) {
            this->*flag = isOn;
            recompute();
        });
        m_checks.emplace_back(action, [this, flag] { return this->*flag; });
        return action;
    };
    toggle(tr("Simulated points"), tr("Points that were computed, not measured; they are hollow and never on a measured frontier"),
           &FrontierPane::m_withSimulated)
        ->setObjectName(QStringLiteral("frontierWithSimulated"));
    toggle(tr("Simulate the open recipe"),
           tr("Adds what a rough model of serving foretells for each job of the open recipe; always hollow and marked"),
           &FrontierPane::m_simulatesOpen)
        ->setObjectName(QStringLiteral("frontierSimulate"));
    showMenuState();
}

void FrontierPane::addPart(QMenu& menu, const QString& title, const QString& tip, bool charts::ChartParts::*part)
{
    QAction* action = menu.addAction(title);
    action->setToolTip(tip);
    action->setCheckable(true);
    connect(action, &QAction::triggered, this, [this, part](bool isOn) { setPart(part, isOn); });
    m_checks.emplace_back(action, [this, part] { return m_chart->parts().*part; });
}

void FrontierPane::setPart(bool charts::ChartParts::*part, bool isOn)
{
    charts::ChartParts now = m_chart->parts();
    now.*part = isOn;
    m_chart->setParts(now);
}

void FrontierPane::setLine(analysis::Line line)
{
    m_line = line;
    m_chart->setLine(line);
}

void FrontierPane::showMenuState()
{
    for (const auto& [action, isOn] : m_checks)
        action->setChecked(isOn());
}

void FrontierPane::fillFileMenu(QMenu& menu)
{
    const QStringList views{tr("Views of the chart (*.srtview)")};
    menu.addAction(tr("Open view\u2026"), this,
                   [this, views] { askWhatToOpen(*this, tr("Open view"), views, [this](const QString& file) { openView(file); }); });
    menu.addAction(tr("Save view as\u2026"), this, [this, views] {
        askWhereToSave(*this, tr("Save view"), views, QStringLiteral("chart.srtview"), [this](const QString& file) { saveView(file); });
    });
    menu.addSeparator();
    menu.addAction(tr("Export\u2026"), this, [this] {
        askWhereToSave(
            *this, tr("Export chart"),
            {tr("PNG picture (*.png)"), tr("SVG picture (*.svg)"), tr("PDF document (*.pdf)"), tr("Table of the points (*.csv)")},
            QStringLiteral("%1-over-%2.png").arg(m_y->currentData().toString(), m_x->currentData().toString()),
            [this](const QString& file) { exportTo(file); });
    });
    menu.addAction(tr("Export the comparison of groups\u2026"), this, [this] {
        askWhereToSave(*this, tr("Export the comparison"), {tr("Comma-separated values (*.csv)")}, QStringLiteral("comparison.csv"),
                       [this](const QString& file) { exportComparison(file); });
    });
    menu.addAction(tr("Report of this view\u2026"), this, &FrontierPane::exportReport);
    menu.addAction(tr("Copy picture and values"), m_chart, &charts::ChartView::copyToClipboard);
}

analysis::ChartRequest FrontierPane::request() const
{
    analysis::ChartRequest request;
    request.x = m_x->currentData().toString().toStdString();
    request.y = m_y->currentData().toString().toStdString();
    request.group = m_group->currentData().toString().toStdString();
    request.where = m_where->text().trimmed().toStdString();
    request.slo = m_slo->text().trimmed().toStdString();
    request.line = m_line;
    request.title = m_title;
    request.takesWords = true;
    request.withSimulated = m_withSimulated;
    request.ranks = m_ranks;
    return request;
}

void FrontierPane::recompute()
{
    const CheckedPtr open = m_simulatesOpen ? m_session.selection().checked() : nullptr;
    m_job.start([points = m_session.results().points(), request = request(), open](std::stop_token) {
        Charted charted;
        Points all = points;
        if (open) {
            auto more = std::make_shared<std::vector<results::Point>>(*points);
            std::vector<results::Point> added = simulated(*open, charted.notSimulated);
            more->insert(more->end(), std::make_move_iterator(added.begin()), std::make_move_iterator(added.end()));
            all = std::move(more);
        }
        auto chart = analysis::makeChart(*all, request);
        if (chart)
            charted.chart = std::make_shared<const analysis::Chart>(std::move(*chart));
        else
            charted.error = std::move(chart.error());
        return charted;
    });
}

void FrontierPane::followFilter()
{
    if (m_where->text() == m_session.results().filter())
        return;
    m_where->setText(m_session.results().filter());
    m_debounce.flush();
}

QStringList FrontierPane::notesOf(const analysis::Chart& chart) const
{
    std::size_t drawn = 0;
    std::size_t kept = 0;
    for (const analysis::ChartSeries& series : chart.series) {
        drawn += series.points.size();
        kept += static_cast<std::size_t>(std::ranges::count(series.points, false, &analysis::ChartPoint::eligible));
    }
    QStringList notes{tr("%n point(s) drawn", nullptr, static_cast<int>(drawn))};
    if (chart.withoutX > 0)
        notes += tr("%1 without %2").arg(chart.withoutX).arg(text(chart.x.id));
    if (chart.withoutY > 0)
        notes += tr("%1 without %2").arg(chart.withoutY).arg(text(chart.y.id));
    if (kept > 0)
        notes += tr("%1 kept off the frontier").arg(kept);
    if (chart.filteredOut > 0)
        notes += tr("%1 left out by the filter").arg(chart.filteredOut);
    if (chart.simulated)
        notes += tr("holds simulated points");
    return notes;
}

void FrontierPane::show(const Charted& charted)
{
    if (charted.error) {
        m_message->showError(*charted.error);
        return;
    }
    if (charted.notSimulated.empty())
        m_message->hide();
    else
        m_message->showText(tr("Not simulated: %1").arg(text(charted.notSimulated.front())));
    const analysis::Chart& chart = *charted.chart;
    m_chart->setChart(charted.chart);
    if (const auto hidden = std::exchange(m_hiddenToCome, std::nullopt))
        m_chart->setHiddenKeys(*hidden);
    if (const auto zoom = std::exchange(m_zoomToCome, std::nullopt))
        m_chart->setZoom(zoom);
    m_chart->setSelected(m_session.selection().point());
    m_chart->setMarked(m_session.selection().points());
    m_matched->setChart(charted.chart, m_chart->hiddenSeries());
    QString tip;
    for (std::size_t i = 0; i < chart.excluded.size() && i < 20; ++i)
        tip += text(chart.excluded[i].id.text) + QStringLiteral(": ") + text(chart.excluded[i].reason) + QLatin1Char('\n');
    m_notes->setToolTip(tip.trimmed());
    m_notes->setText(notesOf(chart).join(QStringLiteral(" \u00b7 "))); // Warnings stand in the chart itself, and so in its exports.
}

// --- files ----------------------------------------------------------------------------------------------------------------------------

analysis::ChartViewFile FrontierPane::viewFile() const
{
    analysis::ChartViewFile view;
    view.request = request();
    if (const analysis::Chart* chart = m_chart->chart())
        for (const analysis::ChartSeries& series : chart->series)
            view.request.ranks[series.key] = series.rank;
    view.scaleX = charts::idOf(m_chart->scale(Qt::Horizontal));
    view.scaleY = charts::idOf(m_chart->scale(Qt::Vertical));
    view.zoom = m_chart->zoom();
    view.hidden = m_chart->hiddenKeys();
    charts::setParts(view, m_chart->parts());
    if (m_simulatesOpen)
        view.shows.insert(simulationId);
    view.matchX = m_matched->x();
    view.baseline = m_matched->baseline();
    return view;
}

void FrontierPane::applyView(const analysis::ChartViewFile& view)
{
    {
        const std::array quiet{QSignalBlocker(m_x), QSignalBlocker(m_y), QSignalBlocker(m_group), QSignalBlocker(m_slo)};
        for (const auto& [box, id] : {std::pair{m_x, view.request.x}, {m_y, view.request.y}, {m_group, view.request.group}}) {
            if (const int index = box->findData(text(id)); index >= 0) {
                box->setCurrentIndex(index);
            } else if (box == m_group) { // any key of a point may be one
                box->addItem(text(id), text(id));
                box->setCurrentIndex(box->count() - 1);
            } else {
                m_message->showText(tr("There is no axis \"%1\"; the one that was shown stays.").arg(text(id)));
            }
        }
        m_slo->setText(text(view.request.slo));
    }
    m_ranks = view.request.ranks;
    m_title = view.request.title;
    m_withSimulated = view.request.withSimulated;
    m_simulatesOpen = view.shows.contains(simulationId);
    m_chart->setScale(Qt::Horizontal, charts::scaleNamed(view.scaleX));
    m_chart->setScale(Qt::Vertical, charts::scaleNamed(view.scaleY));
    m_chart->setParts(charts::partsOf(view));
    setLine(view.request.line);
    m_matched->setRequest(view.matchX, view.baseline);
    m_compare->setChecked(m_compare->isChecked() || view.matchX.has_value());
    m_zoomToCome = view.zoom;
    m_hiddenToCome = view.hidden;
    m_session.results().setFilter(text(view.request.where));
    m_debounce.trigger();
    m_debounce.flush();
}

void FrontierPane::openView(const QString& file)
{
    const auto bytes = base::readFile(file.toStdString());
    auto view = bytes ? analysis::readViewFile(*bytes) : tl::unexpected<Error>(bytes.error());
    if (!view) {
        m_message->showError(std::move(view.error()).within("Opening the view " + file.toStdString()));
        return;
    }
    applyView(*view);
    m_session.log().info(tr("Opened the view %1").arg(file));
}

void FrontierPane::saveView(const QString& file)
{
    saveInBackground(m_session, *this, *m_message, file, base::json::write(analysis::toJson(viewFile())) + '\n',
                     tr("Saved the view %1").arg(file));
}

void FrontierPane::exportTo(const QString& file)
{
    const QString date = QDate::currentDate().toString(Qt::ISODate);
    if (file.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive)) {
        if (!m_chart->chart())
            return;
        const analysis::CsvNotes notes{m_where->text().trimmed().toStdString(), m_slo->text().trimmed().toStdString(), date.toStdString()};
        return saveInBackground(m_session, *this, *m_message, file, analysis::asCsv(*m_chart->chart(), notes), tr("Exported %1").arg(file));
    }
    // Drawn by the widget itself, so here.
    const auto written = m_chart->exportTo(file, {.filters = (m_where->text() + QLatin1Char(' ') + m_slo->text()).trimmed(), .date = date});
    if (!written)
        m_message->showError(written.error());
    else
        m_session.log().info(tr("Exported %1").arg(file));
}

void FrontierPane::exportComparison(const QString& file)
{
    if (!m_chart->chart())
        return;
    saveInBackground(m_session, *this, *m_message, file, analysis::asCsv(m_matched->comparison(), *m_chart->chart()),
                     tr("Exported %1").arg(file));
}

// --- report ---------------------------------------------------------------------------------------------------------------------------

void FrontierPane::exportReport()
{
    askWhereToSave(*this, tr("Report of this view"), {tr("HTML report (*.html)")}, QStringLiteral("report.html"),
                   [this](const QString& file) { writeReport(file); });
}

void FrontierPane::writeReport(const QString& file)
{
    if (!m_chart->chart())
        return;
    analysis::Report report;
    report.request = request();
    report.date = QDate::currentDate().toString(Qt::ISODate).toStdString();
    report.program = QStringLiteral("SRT Workbench %1").arg(QCoreApplication::applicationVersion()).toStdString();
    report.catalogue = "the catalogue " + m_session.results().catalogueFile().toStdString();
    if (const auto& compared = m_session.runs().result(); compared && compared->paths.size() > 1)
        report.comparison = compared->comparison;
    report.chart = *m_chart->chart();
    const QTemporaryDir aside;
    const QString picture = aside.filePath(QStringLiteral("chart.svg"));
    const auto drawn = m_chart->exportTo(picture, {.filters = {}, .date = QString::fromStdString(report.date)});
    const auto svg = drawn ? base::readFile(picture.toStdString()) : Result<std::string>(tl::unexpected(drawn.error()));
    if (svg)
        report.svg = *svg;
    else
        report.whyNoPicture = svg.error().message;
    saveInBackground(m_session, *this, *m_message, file, analysis::asHtml(report), tr("Report written to %1").arg(file));
}

} // namespace wb::ui
