#include "ui/panes/frontierpane.h"

#include "core/analysis/report.h"
#include "core/base/files.h"
#include "core/store/atomicfile.h"
#include "ui/charts/chartview.h"
#include "ui/models/text.h"
#include "ui/panes/messagebar.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QDate>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
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

constexpr std::array groups{
    Choice{"run", QT_TRANSLATE_NOOP("wb::ui::FrontierPane", "Run")},
    Choice{"variant", QT_TRANSLATE_NOOP("wb::ui::FrontierPane", "Variant")},
    Choice{"recipe", QT_TRANSLATE_NOOP("wb::ui::FrontierPane", "Recipe")},
    Choice{"model", QT_TRANSLATE_NOOP("wb::ui::FrontierPane", "Model")},
    Choice{"engine", QT_TRANSLATE_NOOP("wb::ui::FrontierPane", "Engine")},
    Choice{"precision", QT_TRANSLATE_NOOP("wb::ui::FrontierPane", "Precision")},
    Choice{"hardware", QT_TRANSLATE_NOOP("wb::ui::FrontierPane", "Hardware")},
    Choice{"format", QT_TRANSLATE_NOOP("wb::ui::FrontierPane", "Format")},
    Choice{"none", QT_TRANSLATE_NOOP("wb::ui::FrontierPane", "All together")},
};

constexpr std::array lines{
    std::pair{analysis::Line::Stairs, QT_TRANSLATE_NOOP("wb::ui::FrontierPane", "Stairs")},
    std::pair{analysis::Line::Straight, QT_TRANSLATE_NOOP("wb::ui::FrontierPane", "Straight")},
    std::pair{analysis::Line::None, QT_TRANSLATE_NOOP("wb::ui::FrontierPane", "No line")},
};

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

} // namespace

FrontierPane::FrontierPane(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_chart(new charts::ChartView(this))
    , m_message(new MessageBar(this))
    , m_x(new QComboBox(this))
    , m_y(new QComboBox(this))
    , m_group(new QComboBox(this))
    , m_line(new QComboBox(this))
    , m_where(new QLineEdit(this))
    , m_slo(new QLineEdit(this))
    , m_notes(new QLabel(this))
    , m_debounce(std::chrono::milliseconds(150), [this] { recompute(); })
    , m_job(session.workers(), [this](const Charted& chart) { show(*chart); })
{
    m_chart->setObjectName(QStringLiteral("frontierChart"));
    m_chart->setAccessibleName(tr("Pareto chart"));
    m_chart->setAccessibleDescription(tr("The Results pane lists the same points as a table."));
    m_notes->setObjectName(QStringLiteral("frontierNotes"));
    m_notes->setWordWrap(true);
    m_notes->setContentsMargins(6, 2, 6, 4);
    m_notes->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeControls());
    column->addWidget(m_message);
    column->addWidget(m_chart, 1);
    column->addWidget(m_notes);
    setFocusProxy(m_chart);

    for (QComboBox* box : {m_x, m_y, m_group})
        connect(box, &QComboBox::currentIndexChanged, this, &FrontierPane::recompute);
    connect(m_line, &QComboBox::currentIndexChanged, this,
            [this](int index) { m_chart->setLine(lines[static_cast<std::size_t>(index)].first); });
    for (QLineEdit* edit : {m_where, m_slo}) {
        connect(edit, &QLineEdit::textChanged, &m_debounce, &async::Debounce::trigger);
        connect(edit, &QLineEdit::returnPressed, &m_debounce, &async::Debounce::flush);
    }
    connect(m_chart, &charts::ChartView::pointActivated, this, [this](const PointId& id) { m_session.showPoint(id); });
    connect(&session.results(), &Results::pointsChanged, this, &FrontierPane::recompute);
    connect(&session.selection(), &Selection::pointChanged, this, [this] { m_chart->setSelected(m_session.selection().point()); });
    recompute();
}

QWidget* FrontierPane::makeControls()
{
    fillAxes(*m_x, analysis::defaultX);
    fillAxes(*m_y, analysis::defaultY);
    for (const Choice& group : groups)
        m_group->addItem(tr(group.title), QString::fromLatin1(group.id));
    for (const auto& [line, title] : lines)
        m_line->addItem(tr(title));
    m_x->setAccessibleName(tr("X axis"));
    m_y->setAccessibleName(tr("Y axis"));
    m_group->setAccessibleName(tr("Frontier for each"));
    m_line->setAccessibleName(tr("Line of the frontier"));
    m_where->setObjectName(QStringLiteral("frontierWhere"));
    m_slo->setObjectName(QStringLiteral("frontierSlo"));
    m_where->setAccessibleName(tr("Which points"));
    m_where->setPlaceholderText(tr("Which points: concurrency>=8 hardware=gb200"));
    m_where->setClearButtonEnabled(true);
    m_slo->setAccessibleName(tr("Limits of the frontier"));
    m_slo->setPlaceholderText(tr("Limits: ttft-p99<=2000"));
    m_slo->setToolTip(tr("Points outside these limits are shown and kept off the frontier"));
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
    auto* lower = new QHBoxLayout;
    labelled(lower, tr("&By"), m_group, 1);
    lower->addWidget(m_line);
    lower->addWidget(m_where, 2);
    lower->addWidget(m_slo, 2);
    auto* reset = new QToolButton(controls);
    reset->setText(tr("Whole chart"));
    reset->setToolTip(tr("Show all of the chart again (double click)"));
    reset->setAutoRaise(true);
    connect(reset, &QToolButton::clicked, m_chart, &charts::ChartView::resetZoom);
    auto* save = new QToolButton(controls);
    save->setText(tr("Export\u2026"));
    save->setToolTip(tr("Write the chart as PNG, SVG or PDF"));
    save->setAutoRaise(true);
    connect(save, &QToolButton::clicked, this, &FrontierPane::exportPicture);
    upper->addWidget(reset);
    upper->addWidget(save);
    rows->addLayout(upper);
    rows->addLayout(lower);
    return controls;
}

analysis::ChartRequest FrontierPane::request() const
{
    analysis::ChartRequest request;
    request.x = m_x->currentData().toString().toStdString();
    request.y = m_y->currentData().toString().toStdString();
    request.group = m_group->currentData().toString().toStdString();
    request.where = m_where->text().trimmed().toStdString();
    request.slo = m_slo->text().trimmed().toStdString();
    request.line = lines[static_cast<std::size_t>(m_line->currentIndex())].first;
    return request;
}

void FrontierPane::recompute()
{
    m_job.start([points = m_session.results().points(), request = request()](std::stop_token) {
        return std::make_shared<const Result<analysis::Chart>>(analysis::makeChart(*points, request));
    });
}

void FrontierPane::show(const Result<analysis::Chart>& chart)
{
    if (!chart) {
        m_message->showError(chart.error());
        return;
    }
    m_message->hide();
    m_chart->setChart(*chart);
    m_chart->setSelected(m_session.selection().point());
    std::size_t drawn = 0;
    for (const analysis::ChartSeries& series : chart->series)
        drawn += series.points.size();
    QStringList notes{tr("%n point(s) drawn", nullptr, static_cast<int>(drawn))};
    if (!chart->excluded.empty())
        notes += tr("%n not drawn or kept off the frontier", nullptr, static_cast<int>(chart->excluded.size()));
    if (chart->simulated)
        notes += tr("holds simulated points");
    QString tip;
    for (std::size_t i = 0; i < chart->excluded.size() && i < 20; ++i)
        tip += text(chart->excluded[i].id.text) + QStringLiteral(": ") + text(chart->excluded[i].reason) + QLatin1Char('\n');
    m_notes->setToolTip(tip.trimmed());
    m_notes->setText(notes.join(QStringLiteral(" \u00b7 "))); // Warnings stand in the chart itself, and so in its exports.
}

void FrontierPane::exportPicture()
{
    auto* dialog = new QFileDialog(this, tr("Export chart"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("PNG picture (*.png)"), tr("SVG picture (*.svg)"), tr("PDF document (*.pdf)")});
    dialog->setDefaultSuffix(QStringLiteral("png"));
    dialog->selectFile(QStringLiteral("%1-over-%2.png").arg(m_y->currentData().toString(), m_x->currentData().toString()));
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        dialog->setDefaultSuffix(filter.section(QStringLiteral("*."), 1).section(QLatin1Char(')'), 0, 0));
    });
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
        const charts::PictureNotes notes{.filters = (m_where->text() + QLatin1Char(' ') + m_slo->text()).trimmed(),
                                         .date = QDate::currentDate().toString(Qt::ISODate)};
        if (const auto written = m_chart->exportTo(file, notes); !written)
            m_message->showError(written.error());
        else
            m_session.log().info(tr("Exported %1").arg(file));
    });
    dialog->open();
}

// --- report ---------------------------------------------------------------------------------------------------------------------------

void FrontierPane::exportReport()
{
    auto* dialog = new QFileDialog(this, tr("Report of this view"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("HTML report (*.html)")});
    dialog->setDefaultSuffix(QStringLiteral("html"));
    dialog->selectFile(QStringLiteral("report.html"));
    connect(dialog, &QFileDialog::fileSelected, this, &FrontierPane::writeReport);
    dialog->open();
}

void FrontierPane::writeReport(const QString& file)
{
    analysis::Report report;
    report.request = request();
    report.date = QDate::currentDate().toString(Qt::ISODate).toStdString();
    report.program = QStringLiteral("SRT Workbench %1").arg(QCoreApplication::applicationVersion()).toStdString();
    report.catalogue = "the catalogue " + m_session.results().catalogueFile().toStdString();
    if (const auto& compared = m_session.runs().result(); compared && compared->paths.size() > 1)
        report.comparison = compared->comparison;
    auto chart = analysis::makeChart(*m_session.results().points(), report.request);
    if (!chart)
        return m_message->showError(chart.error());
    report.chart = *std::move(chart);
    const QTemporaryDir aside;
    const QString picture = aside.filePath(QStringLiteral("chart.svg"));
    const auto drawn = m_chart->exportTo(picture, {.filters = {}, .date = QString::fromStdString(report.date)});
    const auto svg = drawn ? base::readFile(picture.toStdString()) : Result<std::string>(tl::unexpected(drawn.error()));
    if (svg)
        report.svg = *svg;
    else
        report.whyNoPicture = svg.error().message;
    if (const auto written = store::writeAtomically(file.toStdString(), analysis::asHtml(report)); !written)
        m_message->showError(written.error());
    else
        m_session.log().info(tr("Report written to %1").arg(file));
}

} // namespace wb::ui
