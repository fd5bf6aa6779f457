// A walk through the panes of results as pictures, to be looked at by people: results_walk DIR RESULTS [light|dark]. QT_SCALE_FACTOR=2
// gives them at twice the size.
#include "tests/ui/pictures/windowpictures.h"
#include "ui/charts/chartview.h"
#include "ui/panes/frontierpane.h"
#include "ui/panes/tableview.h"
#include "ui/shell/englishplurals.h"
#include "ui/shell/layouts.h"
#include "ui/shell/mainwindow.h"

#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QLineEdit>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <cstdio>

using namespace wb;

namespace {

class Walk : public test::WindowPictures
{
public:
    using WindowPictures::WindowPictures;

    void take()
    {
        auto& chart = child<ui::charts::ChartView>("frontierChart");
        auto* pane = m_window.findChild<ui::FrontierPane*>();
        picture("imported");
        chart.setParts({.labels = ui::charts::PointLabels::Concurrency, .overall = true, .curves = true});
        child<QLineEdit>("frontierSlo").setText(QStringLiteral("tpot-p50<=40 output-tps-per-gpu>=20"));
        QTest::keyClick(&child<QLineEdit>("frontierSlo"), Qt::Key_Return);
        picture("limits-labels-curves");
        child<QLineEdit>("frontierSlo").clear();
        chart.setParts({});
        QTest::qWait(300);
        std::vector<PointId> best;
        for (const analysis::ChartSeries& series : chart.chart()->series)
            if (!series.frontier.empty())
                best.push_back(series.points[series.frontier.back()].id);
        chart.pin(best.at(2));
        picture("pinned");
        chart.compareWith(best.at(5));
        picture("compared");
        chart.pin({});
        Q_EMIT chart.pointsMarked(best);
        picture("chosen");
        child<QToolButton>("frontierCompare").click();
        child<QLineEdit>("matchedX").setText(QStringLiteral("60"));
        picture("matched");
        m_session.selection().setPoints({});
        child<QToolButton>("frontierCompare").click();
        child<QToolButton>("resultsDetails").click();
        m_session.selection().setPoint(best.at(3));
        auto& group = child<QComboBox>("resultsGroup");
        group.setCurrentIndex(group.findData(QStringLiteral("engine")));
        picture("groups-and-facts");
        m_window.showPane("import");
        picture("import-report");
        m_session.results().setFilter(QStringLiteral("engine=vllm vllm tp>=x"));
        m_window.showPane("results");
        picture("wrong-filter");
        m_session.results().setFilter({});
        QTest::qWait(300);
        ui::charts::ChartParts strong;
        strong.contrast = true;
        chart.setParts(strong);
        picture("high-contrast");
        chart.setParts({});
        m_session.results().setRates({{{"gb200", 3.5}, {"", 2.5}}, {{"gb200", 1400}}});
        rest();
        child<QToolButton>("frontierRates").click();
        picture("prices-and-power");
        m_window.findChild<QDialog*>(QStringLiteral("ratesDialog"))->reject();
        auto& y = child<QComboBox>("frontierY");
        const int before = y.currentIndex();
        y.setCurrentIndex(y.findData(QStringLiteral("cost-per-m-output-tokens")));
        rest();
        picture("cost");
        y.setCurrentIndex(y.findData(QStringLiteral("output-tps-per-mw")));
        rest();
        picture("tokens-of-a-megawatt");
        y.setCurrentIndex(before);
        rest();
        chart.setParts({.labels = ui::charts::PointLabels::Parallelism, .overall = true, .curves = true});
        for (const char* suffix : {"png", "svg", "pdf", "csv"})
            pane->exportTo(m_folder + QStringLiteral("/export.") + QString::fromLatin1(suffix));
        pane->saveView(m_folder + QStringLiteral("/view.srtview"));
        rest(); // written on a worker
    }
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
