// Pictures of the editor and the chart, light and dark, to be looked at by people. QT_SCALE_FACTOR=2 gives them at twice the size.
#include "core/results/importer.h"
#include "tests/support/corpus.h"
#include "tests/support/marked.h"
#include "tests/ui/charts/charts.h"
#include "ui/charts/chartview.h"
#include "ui/editor/recipeeditor.h"

#include <QAbstractButton>
#include <QApplication>
#include <QElapsedTimer>
#include <QGraphicsView>
#include <QHelpEvent>
#include <QPainter>
#include <QPlainTextEdit>
#include <QStyle>
#include <QStyleFactory>
#include <QSvgRenderer>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <random>

using namespace wb;

namespace {

QPalette darkPalette()
{
    QPalette dark;
    const QColor window(0x2a, 0x2e, 0x32);
    const QColor text(0xf0, 0xf0, 0xf0);
    dark.setColor(QPalette::Window, window);
    dark.setColor(QPalette::WindowText, text);
    dark.setColor(QPalette::Base, QColor(0x1b, 0x1e, 0x20));
    dark.setColor(QPalette::AlternateBase, QColor(0x23, 0x26, 0x29));
    dark.setColor(QPalette::Text, text);
    dark.setColor(QPalette::Button, QColor(0x31, 0x36, 0x3b));
    dark.setColor(QPalette::ButtonText, text);
    dark.setColor(QPalette::ToolTipBase, window);
    dark.setColor(QPalette::ToolTipText, text);
    dark.setColor(QPalette::PlaceholderText, QColor(0xa1, 0xa9, 0xb1));
    dark.setColor(QPalette::Highlight, QColor(0x3d, 0xae, 0xe9));
    dark.setColor(QPalette::HighlightedText, Qt::black);
    dark.setColor(QPalette::Link, QColor(0x1d, 0x99, 0xf3));
    dark.setColor(QPalette::Mid, QColor(0x50, 0x56, 0x5c));
    return dark;
}

void save(const QImage& image, const QString& folder, const QString& name)
{
    image.save(folder + QStringLiteral("/") + name + QStringLiteral(".png"));
}

/// The widget with its pop-ups painted over it.
QImage withPopups(QWidget& widget)
{
    QImage image = widget.grab().toImage();
    QPainter painter(&image);
    const auto windows = QApplication::topLevelWidgets();
    for (QWidget* other : windows) {
        if (other != &widget && other->isVisible() && (other->windowType() == Qt::ToolTip || other->windowType() == Qt::Popup))
            painter.drawPixmap(widget.mapFromGlobal(other->pos()), other->grab());
    }
    return image;
}

void editorPictures(const QString& folder, const QString& theme)
{
    const test::Marked text(R"yaml(# DeepSeek-R1 on two nodes, prefill and decode apart
schema: 1
base:
  name: "dsr1-disagg"
  model:
    path: dsr1
    container: "lmsysorg/sglang:v0.5.3"
    precision: "fp8"
  resources:
    [[gpu_typ]]: "gb200"
    prefill_nodes: [[two]]
    decode_nodes: 4
    gpus_per_node: 4
  backend:
    type: sglang
    prefill_environment:
      TORCH_DISTRIBUTED_DEFAULT_TIMEOUT: "1800"
      [[MC_TE_METRIC]]: "true"
    sglang_config:
      prefill:
        tensor-parallel-size: 8
        chunked-prefill-size: 32768 # tokens
        mem-fraction-static: [[0.97]]
  benchmark:
    type: "sa-bench"
    isl: 1024
    osl: 1024
    concurrencies: "4x8x16x32x64"
    req_rate: inf
  setup: |
    set -euo pipefail
    echo "ready: $(hostname)"
)yaml");
    const auto problem = [&](std::size_t index, syntax::Severity severity, syntax::Code code, const std::string& message) {
        syntax::Diagnostic made;
        made.code = code;
        made.severity = severity;
        made.range = text.range(index);
        made.message = message;
        return made;
    };
    std::vector<syntax::Diagnostic> problems = {
        problem(0, syntax::Severity::Error, syntax::Code::UnknownKey,
                "\"resources\" has no key \"gpu_typ\"; \"gpu_type\" is required and missing."),
        problem(1, syntax::Severity::Error, syntax::Code::WrongType, "\"prefill_nodes\" must be a whole number, not the text \"two\"."),
        problem(2, syntax::Severity::Hint, syntax::Code::UnusualValue, "\"MC_TE_METRIC\" is read only by the Mooncake transfer engine."),
        problem(3, syntax::Severity::Warning, syntax::Code::UnusualValue,
                "\"mem-fraction-static\" above 0.95 leaves little for activations."),
    };
    problems[0].fixes = {{"Change to \"gpu_type\"", {{text.range(0), "gpu_type"}}}, {"Remove the line", {{text.range(0), ""}}}};
    problems[0].variant = "override_lowlatency";
    problems[0].notes.push_back({"The model is chosen here:", {90, 95}, syntax::Source::Recipe});

    ui::RecipeEditor editor;
    editor.resize(820, 620);
    editor.setText(QString::fromStdString(text.text()));
    editor.setProblems(text.source(), problems);
    editor.show();
    editor.activateWindow();
    editor.goTo(text.range(0).begin + 3);
    QTest::qWait(300);
    save(editor.grab().toImage(), folder, QStringLiteral("editor-") + theme);
    auto* area = editor.findChild<QPlainTextEdit*>(QStringLiteral("editorText"));
    const QPoint at = area->cursorRect().center();
    QHelpEvent help(QEvent::ToolTip, at, area->viewport()->mapToGlobal(at));
    QApplication::sendEvent(area->viewport(), &help);
    QTest::qWait(100);
    save(withPopups(editor), folder, QStringLiteral("editor-hover-") + theme);
    editor.showFixes();
    QTest::qWait(100);
    save(withPopups(editor), folder, QStringLiteral("editor-fixes-") + theme);
    if (QWidget* popup = QApplication::activePopupWidget())
        popup->close();
    editor.showFindBar();
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("pre"));
    QTest::qWait(300);
    save(withPopups(editor), folder, QStringLiteral("editor-find-") + theme);
}

/// The editor with all that it knows of a real recipe: what can be written, what a key comes to, folds, replace, a fix before it is made.
void assistPictures(const QString& folder, const QString& theme)
{
    const auto path = test::shared("corpus/v1/recipes/gb300-fp8/glm5.yaml");
    const auto clusterPath = test::shared("corpus/clusters/gb200.yaml");
    if (!path || !clusterPath)
        return;
    const auto facts = std::make_shared<const check::Facts>(
        check::factsFor(check::readCluster(std::make_shared<syntax::SourceText>(test::bytesOf(*clusterPath), clusterPath->string()))));
    ui::RecipeEditor editor;
    editor.setAssistant([&] {
        const auto source = std::make_shared<const syntax::SourceText>(editor.utf8Text(), "recipe.yaml");
        return std::make_shared<const assist::Document>(source, facts,
                                                        std::make_shared<const check::Checked>(check::check(source, *facts)));
    });
    editor.resize(900, 620);
    editor.setText(QString::fromStdString(test::bytesOf(*path)));
    editor.show();
    editor.activateWindow();
    const auto show = [&] {
        const auto source = std::make_shared<const syntax::SourceText>(editor.utf8Text(), "recipe.yaml");
        editor.setProblems(source, check::check(source, *facts).diagnostics);
        QTest::qWait(250);
    };
    const auto closePopups = [&] {
        if (QWidget* popup = QApplication::activePopupWidget())
            popup->close();
        for (const char* name : {"completionPopup", "hoverCard", "fixPreview", "inlineInput"}) {
            if (auto* each = editor.findChild<QWidget*>(QString::fromLatin1(name)))
                each->hide();
        }
    };
    const auto goTo = [&](const char* word, std::size_t behind) { editor.goTo(editor.utf8Text().find(word) + behind); };
    auto* area = editor.findChild<QPlainTextEdit*>(QStringLiteral("editorText"));
    show();
    const auto take = [&](const char* what) {
        QTest::qWait(150);
        save(withPopups(editor), folder, QStringLiteral("assist-") + QLatin1String(what) + QStringLiteral("-") + theme);
        closePopups();
    };
    area->setFocus();
    goTo("mem-fraction-static", 4);
    editor.describe();
    take("hover");
    goTo("override_", 0);
    editor.goTo(editor.utf8Text().find("resources:", editor.cursorOffset()) + 3);
    editor.describe();
    take("hover-override");
    goTo("mem-fraction-static", 0);
    QTest::keyClicks(area, QStringLiteral("attention-b: x"));
    QTest::keyClick(area, Qt::Key_Return);
    editor.goTo(editor.utf8Text().find("attention-b: x") + 11);
    editor.complete();
    take("complete-flag");
    area->undo();
    goTo("precision", 0);
    QTest::keyClick(area, Qt::Key_Return);
    QTest::keyClick(area, Qt::Key_Up);
    editor.complete();
    take("complete-key");
    area->undo();
    goTo("benchmark:", 10);
    QTest::keyClick(area, Qt::Key_Return);
    QTest::keyClicks(area, QStringLiteral("type: "));
    editor.complete();
    QTest::keyClick(area, Qt::Key_Down);
    take("complete-choice");
    editor.setText(QString::fromStdString(test::bytesOf(*path)));
    editor.foldAll();
    goTo("base:", 0);
    editor.unfoldBlock();
    goTo("resources:", 2);
    editor.foldBlock();
    take("folded");
    editor.unfoldAll();
    editor.showReplaceBar();
    QTest::keyClicks(editor.findChild<QWidget*>(QStringLiteral("findText")), QStringLiteral("(prefill|decode)_nodes"));
    if (auto* option = editor.findChild<QAbstractButton*>(QStringLiteral("findExpression")))
        option->click();
    editor.showReplaceBar();
    QTest::keyClicks(editor.findChild<QWidget*>(QStringLiteral("replaceText")), QStringLiteral("\\1_workers"));
    take("replace");
    QTest::keyClick(editor.findChild<QWidget*>(QStringLiteral("findText")), Qt::Key_Escape);
    std::string faulty = test::bytesOf(*path);
    const std::size_t key = faulty.find("gpu_type");
    faulty.replace(key, 8, "gpu_typ");
    editor.setText(QString::fromStdString(faulty));
    show();
    editor.goTo(key + 2);
    editor.showFixes();
    take("fix");
    editor.goToLine();
    take("line");
    editor.setText(QStringLiteral("base: &b\n  name: x\nother: *b\nthird:\n  <<: *b\n"));
    editor.goTo(7);
    editor.rename();
    take("rename");
}

analysis::Chart realChart(const std::string& x, const std::string& group)
{
    const auto folder = test::shared("results/real");
    if (!folder)
        return test::chartOf({test::seriesOf("a", {{10, 400}, {20, 300}, {40, 100}})});
    const results::Imported imported = results::importPaths(
        {(*folder / "inferencex-agg").string(), (*folder / "vllm-bench-serve").string(), (*folder / "srt-slurm").string()});
    analysis::ChartRequest request;
    request.x = x;
    request.group = group;
    request.title = "Real results, by " + group;
    Result<analysis::Chart> chart = analysis::makeChart(imported.points(), request);
    return chart ? *chart : analysis::Chart();
}

analysis::Chart manySeries(int series, int points)
{
    std::mt19937 random(3);
    std::vector<analysis::ChartSeries> all;
    for (int s = 0; s < series; ++s) {
        std::vector<analysis::XY> places;
        for (int i = 0; i < points; ++i) {
            const double load = std::uniform_real_distribution(0.0, 1.0)(random);
            const double quality = 0.6 + 0.08 * s + std::normal_distribution(0.0, 0.04)(random);
            places.push_back({10 + 180 * quality * (1 - load), 30 + 2400 * quality * std::pow(load, 0.6)});
        }
        all.push_back(test::seriesOf("gb200/dsr1-fp8/chunked-prefill-" + std::to_string(4096 << s), places));
    }
    return test::chartOf(std::move(all));
}

void chartPicture(const analysis::Chart& chart, const QString& folder, const QString& name,
                  const std::function<void(ui::charts::ChartView&)>& prepare = {})
{
    ui::charts::ChartView view;
    view.resize(860, 540);
    view.show();
    view.activateWindow();
    view.setChart(chart);
    if (prepare)
        prepare(view);
    QTest::qWait(50);
    save(view.grab().toImage(), folder, name);
}

void chartPictures(const QString& folder, const QString& theme)
{
    chartPicture(realChart("tps-per-user", "hardware"), folder, QStringLiteral("chart-real-") + theme);
    chartPicture(realChart("ttft-p50", "format"), folder, QStringLiteral("chart-ttft-") + theme);
    analysis::Chart simulated = manySeries(2, 9);
    simulated.simulated = true;
    simulated.title = "Two chunked-prefill sizes";
    simulated.series[1].points[4].eligible = false;
    simulated.series[1].points[4].reason = "12 % of the requests failed.";
    chartPicture(simulated, folder, QStringLiteral("chart-hover-") + theme, [&](ui::charts::ChartView& view) {
        const PointId id = simulated.series[0].points[simulated.series[0].frontier[2]].id;
        view.setSelected(simulated.series[1].points[simulated.series[1].frontier[1]].id);
        QWidget* target = view.findChild<QGraphicsView*>()->viewport();
        const QPointF at = view.positionOf(id).value_or(QPointF()) - QPointF(target->mapTo(&view, QPoint(0, 0)));
        QMouseEvent move(QEvent::MouseMove, at, target->mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(target, &move);
    });
    chartPicture(manySeries(12, 40), folder, QStringLiteral("chart-many-") + theme,
                 [](ui::charts::ChartView& view) { view.setSeriesVisible(QStringLiteral("gb200/dsr1-fp8/chunked-prefill-8192"), false); });
    chartPicture(manySeries(4, 25'000), folder, QStringLiteral("chart-100k-") + theme, [](ui::charts::ChartView& view) {
        view.setScale(Qt::Horizontal, ui::charts::Scale::Log);
        view.setScale(Qt::Vertical, ui::charts::Scale::Log);
    });
    chartPicture(test::chartOf({}), folder, QStringLiteral("chart-empty-") + theme);
}

void exportedPictures(const QString& folder)
{
    analysis::Chart chart = realChart("tps-per-user", "hardware");
    const ui::charts::PictureNotes notes{.filters = QStringLiteral("concurrency>=8 ttft-p99<=2000"), .date = QStringLiteral("2025-05-20")};
    for (const char* suffix : {"png", "svg", "pdf"}) {
        const Result<void> written =
            ui::charts::renderChart(chart, folder + QStringLiteral("/export.") + QString::fromLatin1(suffix), notes);
        if (!written)
            std::printf("%s\n", written.error().message.c_str());
    }
    // The SVG as others see it.
    QSvgRenderer svg(folder + QStringLiteral("/export.svg"));
    QImage image(svg.defaultSize(), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    QPainter painter(&image);
    svg.render(&painter);
    save(image, folder, QStringLiteral("export-svg"));
}

/// Of this process: what others do on the machine at the same time does not count.
double cpuMs()
{
    return 1000.0 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// Milliseconds of whole frames: moving the axes and painting all.
void measureFrames()
{
    const analysis::Chart chart = manySeries(4, 25'000);
    ui::charts::ChartView view;
    view.resize(1200, 800);
    view.show();
    QElapsedTimer clock;
    clock.start();
    view.setChart(chart);
    view.grab();
    std::printf("100,000 points: shown first after %lld ms\n", static_cast<long long>(clock.elapsed()));
    QImage screen(view.size() * view.devicePixelRatioF(), QImage::Format_RGB32);
    screen.setDevicePixelRatio(view.devicePixelRatioF());
    const auto frames = [&](const char* what, const std::function<void(int)>& change) {
        std::vector<double> times;
        for (int i = 0; i < 60; ++i) {
            const double before = cpuMs();
            change(i);
            view.render(&screen);
            times.push_back(cpuMs() - before);
        }
        std::sort(times.begin(), times.end());
        std::printf("%s: median %.1f ms, p95 %.1f ms of processor a frame\n", what, times[30], times[57]);
    };
    frames("pan", [&](int i) { QTest::keyClick(&view, i % 4 < 2 ? Qt::Key_Right : Qt::Key_Left); });
    view.resetZoom();
    frames("zoom", [&](int i) { i % 4 < 2 ? view.zoomIn() : view.zoomOut(); });
    std::mt19937 random(1);
    view.resetZoom();
    clock.restart();
    for (int i = 0; i < 1000; ++i)
        static_cast<void>(
            view.pointAt({std::uniform_real_distribution(80.0, 1100.0)(random), std::uniform_real_distribution(50.0, 700.0)(random)}));
    std::printf("hover: %.2f us\n", static_cast<double>(clock.nsecsElapsed()) / 1e6);
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    const QString folder = argc > 1 ? QString::fromLocal8Bit(argv[1]) : QStringLiteral(".");
    const QString scale = qEnvironmentVariable("QT_SCALE_FACTOR", QStringLiteral("1"));
    for (const bool dark : {false, true}) {
        QApplication::setPalette(dark ? darkPalette() : QApplication::style()->standardPalette());
        const QString theme = (dark ? QStringLiteral("dark") : QStringLiteral("light")) + QStringLiteral("-") + scale;
        editorPictures(folder, theme);
        assistPictures(folder, theme);
        chartPictures(folder, theme);
    }
    exportedPictures(folder);
    measureFrames();
    return 0;
}
