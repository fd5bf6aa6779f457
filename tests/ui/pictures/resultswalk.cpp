// A walk through the panes of results as pictures, to be looked at by people: results_walk DIR RESULTS [light|dark]. QT_SCALE_FACTOR=2
// gives them at twice the size.
#include "ui/charts/chartview.h"
#include "ui/panes/frontierpane.h"
#include "ui/panes/tableview.h"
#include "ui/shell/englishplurals.h"
#include "ui/shell/layouts.h"
#include "ui/shell/mainwindow.h"

#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <cstdio>

using namespace wb;

namespace {

class Walk
{
public:
    Walk(ui::Session& session, ui::MainWindow& window, QString folder)
        : m_session(session)
        , m_window(window)
        , m_folder(std::move(folder))
    {
    }

    template <typename Widget>
    Widget& child(const char* name)
    {
        auto* found = m_window.findChild<Widget*>(QString::fromLatin1(name));
        if (!found)
            qFatal("no %s", name);
        return *found;
    }

    void picture(const char* name)
    {
        static_cast<void>(QTest::qWaitFor([this] { return m_session.workers().isIdle(); }, 60'000));
        QTest::qWait(400);
        m_window.grab().save(m_folder + QLatin1Char('/') + QString::fromLatin1(name) + QStringLiteral(".png"));
    }

    void take()
    {
        auto& chart = child<ui::charts::ChartView>("frontierChart");
        auto* pane = m_window.findChild<ui::FrontierPane*>();
        picture("1-imported");
        chart.setParts({.labels = ui::charts::PointLabels::Concurrency, .overall = true, .curves = true});
        child<QLineEdit>("frontierSlo").setText(QStringLiteral("tpot-p50<=40 output-tps-per-gpu>=20"));
        QTest::keyClick(&child<QLineEdit>("frontierSlo"), Qt::Key_Return);
        picture("2-limits-labels-curves");
        child<QLineEdit>("frontierSlo").clear();
        chart.setParts({});
        QTest::qWait(300);
        std::vector<PointId> best;
        for (const analysis::ChartSeries& series : chart.chart()->series)
            if (!series.frontier.empty())
                best.push_back(series.points[series.frontier.back()].id);
        chart.pin(best.at(2));
        picture("3-pinned");
        chart.compareWith(best.at(5));
        picture("4-compared");
        chart.pin({});
        Q_EMIT chart.pointsMarked(best);
        picture("5-chosen");
        child<QToolButton>("frontierCompare").click();
        child<QLineEdit>("matchedX").setText(QStringLiteral("60"));
        picture("6-matched");
        m_session.selection().setPoints({});
        child<QToolButton>("frontierCompare").click();
        child<QToolButton>("resultsDetails").click();
        m_session.selection().setPoint(best.at(3));
        auto& group = child<QComboBox>("resultsGroup");
        group.setCurrentIndex(group.findData(QStringLiteral("engine")));
        picture("7-groups-and-facts");
        m_window.showPane("import");
        picture("8-import-report");
        m_session.results().setFilter(QStringLiteral("engine=vllm vllm tp>=x"));
        m_window.showPane("results");
        picture("9-wrong-filter");
        m_session.results().setFilter({});
        QTest::qWait(300);
        ui::charts::ChartParts strong;
        strong.contrast = true;
        chart.setParts(strong);
        picture("10-high-contrast");
        chart.setParts({.labels = ui::charts::PointLabels::Parallelism, .overall = true, .curves = true});
        for (const char* suffix : {"png", "svg", "pdf", "csv"})
            pane->exportTo(m_folder + QStringLiteral("/export.") + QString::fromLatin1(suffix));
        pane->saveView(m_folder + QStringLiteral("/view.srtview"));
    }

private:
    ui::Session& m_session;
    ui::MainWindow& m_window;
    QString m_folder;
};

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    if (argc < 3) {
        std::fprintf(stderr, "results_walk DIR RESULTS [light|dark]\n");
        return 2;
    }
    ui::EnglishPlurals plurals;
    QApplication::installTranslator(&plurals);
    ui::applyTheme(ui::themeOf(argc > 3 ? QString::fromLatin1(argv[3]) : QStringLiteral("light")));
    const QString folder = QString::fromLocal8Bit(argv[1]);
    QDir().mkpath(folder);
    QTemporaryDir data;
    QSettings settings(data.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    ui::Session session({.dataFolder = data.path(), .mode = ui::async::Mode::Pool, .environment = {}});
    ui::MainWindow window(session, settings);
    window.resize(1600, 1000);
    window.show();
    window.layoutKeeper().switchTo(QStringLiteral("analyse"));
    session.results().import({QString::fromLocal8Bit(argv[2])});
    Walk(session, window, folder).take();
    return 0;
}
