// Frames of the chart beside a plain QChart with the same points, in milliseconds of this thread's processor (another process on the
// machine must not change the figures) and of the clock. Run by hand:
//   QT_QPA_PLATFORM=offscreen chart_bench [points, 100000] [--with-qchart]
// The budgets: pan and zoom 16 ms a frame, a hover look-up 1 ms. A plain QChart of 100,000 points takes most of a minute to be shown, so it
// is asked for; its points are a QScatterSeries on linear axes, one series for each of ours.
#include "ui/charts/chartview.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QGraphicsView>
#include <QMouseEvent>
#include <QWheelEvent>
#include <QtCharts/QChart>
#include <QtCharts/QChartView>
#include <QtCharts/QScatterSeries>
#include <QtCharts/QValueAxis>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <random>
#include <string>
#include <vector>

using namespace wb;

namespace {

constexpr std::size_t seriesCount = 8;
constexpr int width = 1200;
constexpr int height = 800;

double cpuMs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

struct Cost {
    std::vector<double> cpu, wall;

    void take(const std::function<void()>& work)
    {
        QElapsedTimer clock;
        clock.start();
        const double before = cpuMs();
        work();
        cpu.push_back(cpuMs() - before);
        wall.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
    }
    [[nodiscard]] static double at(std::vector<double> all, double share)
    {
        std::sort(all.begin(), all.end());
        return all.empty() ? 0.0 : all[std::min(all.size() - 1, static_cast<std::size_t>(share * static_cast<double>(all.size())))];
    }
    void print(const char* what) const
    {
        std::printf("%-34s %8.3f ms median, %8.3f ms p99 of the processor; %8.3f ms median of the clock\n", what, at(cpu, 0.5),
                    at(cpu, 0.99), at(wall, 0.5));
        std::fflush(stdout);
    }
};

/// Sweeps that fall from the upper left to the lower right with noise, as results do.
analysis::Chart chartOf(std::size_t points)
{
    std::mt19937 random(20260821);
    std::lognormal_distribution<double> noise(0.0, 0.5);
    std::uniform_real_distribution<double> place(0.0, 1.0);
    analysis::Chart chart;
    chart.x = {.id = "tps-per-user", .title = "Tokens/s per user", .unit = "tok/s/user", .definition = "1000 / median TPOT in ms"};
    chart.y = {
        .id = "output-tps-per-gpu", .title = "Output tokens/s per working GPU", .unit = "tok/s/GPU", .definition = "tokens/s / GPUs"};
    for (std::size_t s = 0; s < seriesCount; ++s) {
        analysis::ChartSeries series;
        series.key = "run" + std::to_string(s);
        series.rank = s;
        std::vector<analysis::XY> places;
        for (std::size_t i = 0; i < points / seriesCount; ++i) {
            const double t = place(random);
            const analysis::XY at{5.0 + 200.0 * t * noise(random), 20.0 + 2000.0 * (1.0 - t) * noise(random)};
            places.push_back(at);
            series.points.push_back({.id = PointId{series.key + '-' + std::to_string(i)}, .x = at.x, .y = at.y});
        }
        series.frontier = analysis::paretoFrontier(places, chart.x.direction, chart.y.direction);
        chart.series.push_back(std::move(series));
    }
    return chart;
}

/// A whole frame: what has to be laid out, and the widget painted into an image.
void paint(QWidget& widget, QImage& image)
{
    widget.render(&image);
}

void benchOurs(const analysis::Chart& chart)
{
    ui::charts::ChartView view;
    view.resize(width, height);
    QImage image(width, height, QImage::Format_ARGB32_Premultiplied);
    Cost first;
    first.take([&] {
        view.setChart(chart);
        view.show();
        QApplication::processEvents();
        paint(view, image);
    });
    first.print("ours: first show");
    auto* canvas = view.findChild<QGraphicsView*>(QStringLiteral("chartCanvas"));
    QWidget* port = canvas->viewport();
    const auto mouse = [&](QEvent::Type type, const QPointF& at, Qt::MouseButton button, Qt::MouseButtons buttons) {
        QMouseEvent event(type, at, port->mapToGlobal(at), button, buttons, Qt::NoModifier);
        QApplication::sendEvent(port, &event);
    };
    Cost pan;
    mouse(QEvent::MouseButtonPress, {600, 400}, Qt::LeftButton, Qt::LeftButton);
    for (int i = 1; i <= 120; ++i)
        pan.take([&] {
            mouse(QEvent::MouseMove, {600.0 + 2 * i, 400.0 + i}, Qt::NoButton, Qt::LeftButton);
            paint(view, image);
        });
    mouse(QEvent::MouseButtonRelease, {840, 520}, Qt::LeftButton, Qt::NoButton);
    pan.print("ours: frame while panning");
    view.resetZoom();
    Cost zoom;
    for (int i = 0; i < 60; ++i)
        zoom.take([&] {
            const QPointF at(600, 400);
            QWheelEvent event(at, port->mapToGlobal(at), QPoint(), QPoint(0, i < 30 ? 40 : -40), Qt::NoButton, Qt::NoModifier,
                              Qt::NoScrollPhase, false);
            QApplication::sendEvent(port, &event);
            paint(view, image);
        });
    zoom.print("ours: frame while zooming");
    view.resetZoom();
    Cost firstHover;
    firstHover.take([&] { (void)view.pointAt({600, 400}); });
    firstHover.print("ours: first hover look-up in a view");
    Cost hover;
    for (int i = 0; i < 1000; ++i)
        hover.take([&] { (void)view.pointAt({100.0 + i, 150.0 + i / 2.0}); });
    hover.print("ours: next hover look-ups");
}

void benchPlain(const analysis::Chart& chart)
{
    Cost first;
    auto* plain = new QChart;
    QChartView view(plain);
    view.setRenderHint(QPainter::Antialiasing);
    view.resize(width, height);
    QImage image(width, height, QImage::Format_ARGB32_Premultiplied);
    first.take([&] {
        for (const analysis::ChartSeries& each : chart.series) {
            auto* series = new QScatterSeries;
            series->setMarkerSize(5);
            QList<QPointF> points;
            for (const analysis::ChartPoint& point : each.points)
                points.append({point.x, point.y});
            series->replace(points);
            plain->addSeries(series);
        }
        plain->createDefaultAxes();
        view.show();
        QApplication::processEvents();
        paint(view, image);
    });
    first.print("plain QChart: first show");
    Cost pan;
    for (int i = 0; i < 10; ++i)
        pan.take([&] {
            plain->scroll(2, 1);
            QApplication::processEvents();
            paint(view, image);
        });
    pan.print("plain QChart: frame while panning");
    Cost zoom;
    for (int i = 0; i < 10; ++i)
        zoom.take([&] {
            plain->zoom(i < 5 ? 1.05 : 1 / 1.05);
            QApplication::processEvents();
            paint(view, image);
        });
    zoom.print("plain QChart: frame while zooming");
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    std::size_t points = 100'000;
    bool isPlainWanted = false;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--with-qchart") == 0)
            isPlainWanted = true;
        else
            points = static_cast<std::size_t>(std::strtoul(argv[i], nullptr, 10));
    }
    const analysis::Chart chart = chartOf(points);
    std::printf("%zu points in %zu series, %d x %d\n", points, seriesCount, width, height);
    benchOurs(chart);
    if (isPlainWanted)
        benchPlain(chart);
    return 0;
}
