// A stall detector: how long the UI thread is held by one event while the window is used as people use it. Run by hand for figures:
//   QT_QPA_PLATFORM=offscreen window_bench [folder of recipes]
// The budgets: typing and scrolling 16 ms at the 99th percentile, anything else 100 ms. With --check, for ctest, it only fails when an
// event takes a second of the processor, which no busy machine makes of a short one, or the window does not come to rest.
#include "tests/support/longrecipe.h"
#include "ui/editor/recipeeditor.h"
#include "ui/shell/editorarea.h"
#include "ui/shell/mainwindow.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

using namespace wb;

namespace {

double cpuMs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// Takes the time of every event that is delivered from the event loop, those within others counted to the outer one.
class Detector final : public QApplication
{
public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override
    {
        if (m_depth > 0)
            return QApplication::notify(receiver, event);
        ++m_depth;
        QElapsedTimer clock;
        clock.start();
        const double before = cpuMs();
        const bool taken = QApplication::notify(receiver, event);
        const double wall = static_cast<double>(clock.nsecsElapsed()) / 1e6;
        --m_depth;
        const double cpu = cpuMs() - before;
        m_worst = {std::max(m_worst.wall, wall), std::max(m_worst.cpu, cpu)};
        m_worstCpu = std::max(m_worstCpu, cpu);
        return taken;
    }

    struct Longest {
        double wall = 0.0;
        double cpu = 0.0; ///< Of the processor: what a busy machine does not change.
    };
    /// The longest events since the last call, in milliseconds.
    Longest takeWorst() { return std::exchange(m_worst, {}); }
    [[nodiscard]] double worstCpu() const { return m_worstCpu; } ///< Of the whole run.

private:
    int m_depth = 0;
    Longest m_worst;
    double m_worstCpu = 0.0;
};

std::string sweepOf(int jobs)
{
    std::string list;
    for (int i = 0; i < jobs; ++i)
        list += (i == 0 ? "" : ", ") + std::to_string(1000 + i);
    return "name: big\nmodel: {path: hf:o/m, container: c, precision: fp8}\n"
           "resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n"
           "backend:\n  type: sglang\n  sglang_config:\n    aggregated: {tensor-parallel-size: 8}\n"
           "benchmark: {type: sa-bench, isl: \"{isl}\", osl: 1024, concurrencies: \"4x8\"}\nsweep:\n  isl: [" +
           list + "]\n";
}

/// The recipe of the folder with the most lines among those with overrides.
std::string largestOverride(const std::string& folder)
{
    namespace fs = std::filesystem;
    std::string best;
    std::uintmax_t size = 0;
    std::error_code ignored;
    for (const auto& entry : fs::recursive_directory_iterator(folder, ignored)) {
        if (entry.path().extension() != ".yaml" || entry.file_size(ignored) <= size)
            continue;
        std::ifstream file(entry.path());
        const std::string text(std::istreambuf_iterator<char>(file), {});
        if (text.find("override_") == std::string::npos)
            continue;
        best = entry.path();
        size = entry.file_size(ignored);
    }
    return best;
}

class Bench
{
public:
    Bench(Detector& detector, ui::Session& session, ui::MainWindow& window)
        : m_detector(detector)
        , m_session(session)
        , m_window(window)
    {
    }

    bool rest()
    {
        return QTest::qWaitFor([this] { return m_session.workers().isIdle(); }, 120'000);
    }

    void measure(const char* what, int count, const std::function<void(int)>& act, int pauseMs = 30)
    {
        std::vector<double> worst;
        std::vector<double> cpu;
        const auto take = [&] {
            const Detector::Longest longest = m_detector.takeWorst();
            worst.push_back(longest.wall);
            cpu.push_back(longest.cpu);
        };
        m_detector.takeWorst();
        for (int i = 0; i < count; ++i) {
            act(i);
            QTest::qWait(pauseMs);
            take();
        }
        if (!rest())
            m_isStuck = true;
        take();
        std::sort(worst.begin(), worst.end());
        std::sort(cpu.begin(), cpu.end());
        std::printf("%-46s median %7.2f   p99 %7.2f   worst %7.2f ms; of the processor %7.2f %7.2f %7.2f\n", what, worst[worst.size() / 2],
                    worst[worst.size() * 99 / 100], worst.back(), cpu[cpu.size() / 2], cpu[cpu.size() * 99 / 100], cpu.back());
        std::fflush(stdout);
    }

    void open(const QString& path)
    {
        m_session.documents().open(path);
        if (!rest())
            m_isStuck = true;
        QTest::qWait(50);
    }

    [[nodiscard]] QPlainTextEdit* area() const
    {
        return m_window.editors().current()->findChild<QPlainTextEdit*>(QStringLiteral("editorText"));
    }
    [[nodiscard]] bool isStuck() const { return m_isStuck; }

private:
    Detector& m_detector;
    ui::Session& m_session;
    ui::MainWindow& m_window;
    bool m_isStuck = false;
};

void typeInto(QPlainTextEdit& area, int i)
{
    static const std::string word = "attention";
    if (i % 12 < 9)
        QTest::keyClick(&area, word[static_cast<std::size_t>(i % 12)]);
    else
        QTest::keyClick(&area, i % 12 == 9 ? Qt::Key_Escape : Qt::Key_Backspace);
}

QString write(const QTemporaryDir& folder, const char* name, const std::string& text)
{
    const QString path = folder.filePath(QString::fromLatin1(name));
    std::ofstream(path.toStdString()) << text;
    return path;
}

} // namespace

int main(int argc, char** argv)
{
    const bool isCheck = argc > 1 && std::strcmp(argv[1], "--check") == 0;
    const std::string recipes = argc > 1 && !isCheck ? argv[1] : SRTWB_SHARED_DIR "/corpus/v1/recipes";
    Detector detector(argc, argv);
    const QTemporaryDir folder;
    QSettings settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    ui::Session session({.dataFolder = folder.filePath(QStringLiteral("data")), .mode = ui::async::Mode::Pool, .environment = {}});
    ui::MainWindow window(session, settings);
    window.resize(1440, 900);
    window.show();
    if (!QTest::qWaitForWindowExposed(&window))
        return 1;
    Bench bench(detector, session, window);
    const int keys = isCheck ? 24 : 200;
    const bool hasCorpus = std::filesystem::is_directory(recipes);
    if (hasCorpus) {
        bench.measure(
            "folder: list, check, show", 1, [&](int) { session.library().setFolder(QString::fromStdString(recipes)); }, 1500);
        std::printf("  %zu files\n", session.library().listing().files.size());
        bench.open(QString::fromStdString(largestOverride(recipes)));
        bench.area()->setFocus();
        window.editors().current()->goTo(window.editors().current()->utf8Text().size() / 2);
        bench.measure("typing: largest override recipe", keys, [&](int i) { typeInto(*bench.area(), i); });
        bench.measure(
            "scrolling: the same", keys / 4, [&](int i) { bench.area()->verticalScrollBar()->setValue(i * 3 % 300); }, 16);
        bench.measure("walking through its jobs", 20, [&](int i) {
            const auto checked = session.selection().checked();
            if (checked && !checked->variants.empty())
                session.selection().setVariant(static_cast<std::size_t>(i) % checked->variants.size());
        });
        for (const char* pane : {"form", "compare", "tasks", "help", "outline", "artifacts", "topology", "frontier"})
            bench.measure(
                pane, 1, [&](int) { window.showPane(pane); }, 100);
        window.showPane("form");
        bench.measure("typing with the form open", keys / 4, [&](int i) { typeInto(*bench.area(), i); });
    }
    const QString sweep = write(folder, "sweep.yaml", sweepOf(isCheck ? 2'000 : 10'000));
    bench.measure(
        "a sweep of 10,000 jobs: open, check, show", 1, [&](int) { session.documents().open(sweep); }, 3000);
    bench.measure(
        "  a key in it", isCheck ? 2 : 10, [&](int i) { QTest::keyClick(bench.area(), i % 2 == 0 ? '1' : '2'); }, 1500);
    const QString longFile = write(folder, "long.yaml", test::longRecipe());
    bench.measure(
        "50,000 lines: open, check, show", 1, [&](int) { session.documents().open(longFile); }, 6000);
    const std::size_t middle = window.editors().current()->utf8Text().find("override_3500:");
    window.editors().current()->goTo(middle);
    bench.area()->setFocus();
    bench.measure(
        "typing: 50,000 lines", keys, [&](int i) { typeInto(*bench.area(), i); }, 60);
    bench.measure(
        "scrolling: 50,000 lines", keys / 4, [&](int) { QTest::keyClick(bench.area(), Qt::Key_PageDown); }, 16);
    bench.measure("fold all, unfold all", 2, [&](int i) {
        if (i == 0)
            window.editors().current()->foldAll();
        else
            window.editors().current()->unfoldAll();
    });
    std::printf("worst event of the whole run: %.1f ms of the processor\n", detector.worstCpu());
    if (bench.isStuck())
        std::fprintf(stderr, "The window did not come to rest.\n");
    const bool isGood = !bench.isStuck() && detector.worstCpu() < 1000.0;
    for (const ui::DocumentId id : session.documents().ids())
        session.documents().close(id);
    return isGood ? 0 : 1;
}
