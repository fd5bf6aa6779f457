#include "tests/support/corpus.h"
#include "tests/ui/charts/charts.h"
#include "ui/charts/chartscene.h"
#include "ui/charts/chartview.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QGraphicsView>
#include <QImage>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTextDocument>
#include <QToolButton>
#include <QUrl>
#include <QWheelEvent>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <set>

namespace wb::ui::charts {
namespace {

analysis::Chart twoSeries()
{
    return test::chartOf(
        {test::seriesOf("a", {{10, 400}, {20, 300}, {40, 100}, {15, 150}}), test::seriesOf("b", {{12, 500}, {30, 350}, {50, 50}})});
}

class ChartViewTest : public testing::Test
{
protected:
    ChartViewTest()
    {
        view.resize(800, 500);
        view.show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(&view));
        canvas = view.findChild<QGraphicsView*>(QStringLiteral("chartCanvas"));
        scene = qobject_cast<ChartScene*>(canvas->scene());
    }

    [[nodiscard]] QPoint placeOf(const std::string& id) const
    {
        const auto at = view.positionOf(PointId{id});
        EXPECT_TRUE(at) << id << " is not drawn";
        return canvas->viewport()->mapFrom(&view, at.value_or(QPointF()).toPoint());
    }
    void wheel(const QPoint& at, int turned)
    {
        QWheelEvent event(QPointF(at), canvas->viewport()->mapToGlobal(QPointF(at)), QPoint(), QPoint(0, turned), Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(canvas->viewport(), &event);
    }
    void drag(const QPoint& from, const QPoint& to, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QTest::mousePress(canvas->viewport(), Qt::LeftButton, modifiers, from);
        for (int step = 1; step <= 4; ++step) {
            const QPoint at = from + (to - from) * step / 4;
            QMouseEvent move(QEvent::MouseMove, QPointF(at), canvas->viewport()->mapToGlobal(QPointF(at)), Qt::NoButton, Qt::LeftButton,
                             modifiers);
            QApplication::sendEvent(canvas->viewport(), &move);
        }
        QTest::mouseRelease(canvas->viewport(), Qt::LeftButton, modifiers, to);
    }
    void moveTo(const QPoint& at)
    {
        QMouseEvent move(QEvent::MouseMove, QPointF(at), canvas->viewport()->mapToGlobal(QPointF(at)), Qt::NoButton, Qt::NoButton,
                         Qt::NoModifier);
        QApplication::sendEvent(canvas->viewport(), &move);
    }
    [[nodiscard]] QPoint legendOf(const QString& key) const
    {
        for (const LegendEntry& entry : scene->legend()) {
            if (entry.full == key)
                return entry.box.center().toPoint();
        }
        ADD_FAILURE() << key.toStdString() << " is not in the legend";
        return {};
    }
    void lasso(const std::vector<QPoint>& corners)
    {
        QTest::mousePress(canvas->viewport(), Qt::LeftButton, Qt::NoModifier, corners.front());
        for (const QPoint& at : corners) {
            QMouseEvent move(QEvent::MouseMove, QPointF(at), canvas->viewport()->mapToGlobal(QPointF(at)), Qt::NoButton, Qt::LeftButton,
                             Qt::NoModifier);
            QApplication::sendEvent(canvas->viewport(), &move);
        }
        QTest::mouseRelease(canvas->viewport(), Qt::LeftButton, Qt::NoModifier, corners.back());
    }
    [[nodiscard]] QWidget* pin() const { return view.findChild<QWidget*>(QStringLiteral("chartPin")); }
    /// With plain blanks, and without what keeps words on one line.
    [[nodiscard]] QString pinText() const
    {
        const QString text = view.findChild<QLabel*>(QStringLiteral("chartPinText"))->text();
        return QString(text).replace(QChar(QChar::Nbsp), u' ').remove(QChar(0x2060));
    }
    [[nodiscard]] QLabel* card() const { return view.findChild<QLabel*>(QStringLiteral("chartCard")); }

    ChartView view;
    QGraphicsView* canvas = nullptr;
    ChartScene* scene = nullptr;
};

TEST_F(ChartViewTest, TellsWhichPointWasClicked)
{
    view.setChart(twoSeries());
    QSignalSpy picked(&view, &ChartView::pointPicked);
    QSignalSpy activated(&view, &ChartView::pointActivated);
    QTest::mouseClick(canvas->viewport(), Qt::LeftButton, Qt::NoModifier, placeOf("b1") + QPoint(3, -2));
    ASSERT_EQ(picked.count(), 1);
    EXPECT_EQ(picked[0][0].value<PointId>().text, "b1");
    EXPECT_EQ(activated.count(), 0) << "one click opens nothing";
    QTest::mouseClick(canvas->viewport(), Qt::LeftButton, Qt::NoModifier, scene->plotArea().topRight().toPoint() + QPoint(-60, 60));
    EXPECT_EQ(picked.count(), 1) << "there is no point";
    QTest::mouseDClick(canvas->viewport(), Qt::LeftButton, Qt::NoModifier, placeOf("a1"));
    ASSERT_EQ(activated.count(), 1);
    EXPECT_EQ(activated[0][0].value<PointId>().text, "a1");
}

TEST_F(ChartViewTest, ShowsTheWholeStoryOfThePointUnderTheMouse)
{
    view.setChart(twoSeries());
    QSignalSpy hovered(&view, &ChartView::pointHovered);
    moveTo(placeOf("a1"));
    ASSERT_EQ(hovered.count(), 1);
    EXPECT_EQ(hovered[0][0].value<PointId>().text, "a1");
    ASSERT_TRUE(card()->isVisible());
    const QString said = card()->text();
    for (const char* part : {"a", "Tokens/s per user", "20 tok/s/user", "300 tok/s/GPU", "2 requests", "results/a/result_1.json"})
        EXPECT_TRUE(said.contains(QString::fromLatin1(part))) << part << " is missing in " << said.toStdString();
    EXPECT_FALSE(card()->geometry().contains(placeOf("a1"))) << "the card must not lie over its point";
    moveTo(scene->plotArea().topRight().toPoint() + QPoint(-20, 30));
    EXPECT_FALSE(card()->isVisible());
    EXPECT_TRUE(hovered.last()[0].value<PointId>().isEmpty());
}

TEST_F(ChartViewTest, AClickPinsThePointsCardUntilItIsClosed)
{
    view.setChart(twoSeries());
    EXPECT_FALSE(pin()->isVisible());
    QTest::mouseClick(canvas->viewport(), Qt::LeftButton, Qt::NoModifier, placeOf("a1"));
    ASSERT_TRUE(pin()->isVisible());
    EXPECT_EQ(view.pinned().text, "a1");
    EXPECT_TRUE(pinText().contains(QStringLiteral("results/a/result_1.json"))) << pinText().toStdString();
    moveTo(scene->plotArea().topRight().toPoint() + QPoint(-20, 30));
    EXPECT_TRUE(pin()->isVisible()) << "the mouse has left the point, the card stays";
    view.setChart(twoSeries());
    EXPECT_TRUE(pin()->isVisible()) << "the point is there on the refreshed chart, too";
    view.setSeriesVisible(QStringLiteral("a"), false);
    EXPECT_FALSE(pin()->isVisible()) << "its series is hidden";
    view.showAllSeries();
    EXPECT_TRUE(pin()->isVisible());
    QTest::mouseClick(view.findChild<QToolButton*>(QStringLiteral("chartPinClose")), Qt::LeftButton);
    EXPECT_FALSE(pin()->isVisible());
    EXPECT_TRUE(view.pinned().isEmpty());
}

TEST_F(ChartViewTest, AShiftClickComparesASecondPointWithThePinnedOne)
{
    view.setChart(twoSeries());
    QTest::mouseClick(canvas->viewport(), Qt::LeftButton, Qt::NoModifier, placeOf("a1"));
    QTest::mouseClick(canvas->viewport(), Qt::LeftButton, Qt::ShiftModifier, placeOf("b1"));
    EXPECT_EQ(view.comparedWith().text, "b1");
    EXPECT_TRUE(pinText().contains(QStringLiteral("+50.0 % better"))) << "x goes from 20 to 30: " << pinText().toStdString();
    EXPECT_TRUE(pinText().contains(QStringLiteral("+16.7 % better"))) << "y goes from 300 to 350: " << pinText().toStdString();
    QTest::mouseClick(view.findChild<QToolButton*>(QStringLiteral("chartPinSwap")), Qt::LeftButton);
    EXPECT_EQ(view.pinned().text, "b1");
    EXPECT_EQ(view.comparedWith().text, "a1");
    EXPECT_TRUE(pinText().contains(QStringLiteral("-33.3 % worse"))) << pinText().toStdString();
    QTest::keyClick(&view, Qt::Key_S);
    EXPECT_EQ(view.pinned().text, "a1");
    QTest::keyClick(&view, Qt::Key_Escape);
    EXPECT_TRUE(view.pinned().isEmpty());
}

TEST_F(ChartViewTest, TheCardOfTwoPointsSaysWhatTheSourceTells)
{
    view.setChart(twoSeries());
    view.setDeltaSource([](const PointId& first, const PointId& second) {
        return std::vector<analysis::DeltaRow>{{.title = first.text + "/" + second.text,
                                                .first = "8 <GPUs>",
                                                .second = "16 GPUs",
                                                .change = {},
                                                .isBetter = {},
                                                .isSetup = true}};
    });
    view.pin(PointId{"a0"});
    view.compareWith(PointId{"a0"});
    EXPECT_TRUE(view.comparedWith().isEmpty()) << "a point is not compared with itself";
    view.compareWith(PointId{"b2"});
    EXPECT_TRUE(pinText().contains(QStringLiteral("a0/b2"))) << pinText().toStdString();
    EXPECT_TRUE(pinText().contains(QStringLiteral("8 &lt;GPUs&gt;"))) << pinText().toStdString();
    EXPECT_TRUE(pinText().contains(QStringLiteral("Set up differently")));
}

TEST_F(ChartViewTest, ChoosesThePointsInABoxAndInALasso)
{
    view.setChart(twoSeries());
    std::vector<std::string> chosen;
    QObject::connect(&view, &ChartView::pointsMarked, &view, [&](const std::vector<PointId>& ids) {
        chosen.clear();
        for (const PointId& id : ids)
            chosen.push_back(id.text);
    });
    const View before = scene->view();
    view.setDragMode(DragMode::Select);
    const QPoint out(12, 12);
    drag(placeOf("a0") - out, placeOf("a3") + out);
    EXPECT_THAT(chosen, testing::UnorderedElementsAre("a0", "a3"));
    EXPECT_EQ(scene->view(), before) << "selecting moves nothing";
    drag(placeOf("b2") - out, placeOf("b2") + out, Qt::ShiftModifier);
    EXPECT_THAT(chosen, testing::UnorderedElementsAre("a0", "a3", "b2")) << "Shift adds";
    drag(placeOf("b2") - out, placeOf("b2") + out);
    EXPECT_THAT(chosen, testing::ElementsAre("b2"));
    view.setDragMode(DragMode::Lasso);
    const QPoint a1 = placeOf("a1");
    lasso({a1 + QPoint(-15, -15), a1 + QPoint(15, -15), a1 + QPoint(15, 15), a1 + QPoint(-15, 15)});
    EXPECT_THAT(chosen, testing::ElementsAre("a1"));
    view.setDragMode(DragMode::Pan);
    drag(placeOf("b0") - out, placeOf("b0") + out, Qt::ControlModifier);
    EXPECT_THAT(chosen, testing::ElementsAre("b0")) << "Ctrl selects whatever dragging does";
    QTest::mouseClick(canvas->viewport(), Qt::LeftButton, Qt::ControlModifier, placeOf("a2"));
    EXPECT_THAT(chosen, testing::ElementsAre("b0", "a2"));
    EXPECT_TRUE(scene->cloud().isFaded({0, 0}));
    EXPECT_FALSE(scene->cloud().isFaded({0, 2}));
    QTest::mouseClick(canvas->viewport(), Qt::LeftButton, Qt::NoModifier, scene->plotArea().topRight().toPoint() + QPoint(-20, 30));
    EXPECT_THAT(chosen, testing::IsEmpty()) << "a click beside all points takes the choice back";
}

TEST_F(ChartViewTest, ShowsWhatOthersChose)
{
    view.setChart(twoSeries());
    view.setMarked({PointId{"a1"}});
    EXPECT_FALSE(scene->cloud().isFaded({1, 0})) << "one selected row fades nothing";
    view.setMarked({PointId{"a1"}, PointId{"b1"}, PointId{"elsewhere"}});
    EXPECT_TRUE(scene->cloud().isFaded({1, 0}));
    EXPECT_FALSE(scene->cloud().isFaded({1, 1}));
    view.setChart(twoSeries());
    EXPECT_FALSE(scene->cloud().isFaded({1, 1})) << "and they stay chosen on the next chart";
    EXPECT_TRUE(scene->cloud().isFaded({1, 0}));
}

TEST_F(ChartViewTest, PinsComparesAndChoosesWithTheKeyboardAlone)
{
    view.setChart(twoSeries());
    QTest::keyClick(&view, Qt::Key_PageDown, Qt::ShiftModifier);
    QTest::keyClick(&view, Qt::Key_PageDown, Qt::ShiftModifier);
    QTest::keyClick(&view, Qt::Key_PageDown, Qt::ShiftModifier);
    QTest::keyClick(&view, Qt::Key_Space);
    EXPECT_EQ(view.pinned().text, "a3") << "the third by x, which is on no frontier";
    QTest::keyClick(&view, Qt::Key_PageDown, Qt::ShiftModifier);
    QTest::keyClick(&view, Qt::Key_Space, Qt::ShiftModifier);
    EXPECT_EQ(view.comparedWith().text, "a1");
    QTest::keyClick(&view, Qt::Key_Space, Qt::ControlModifier);
    EXPECT_THAT(view.marked(), testing::ElementsAre(PointId{"a1"}));
    QTest::keyClick(&view, Qt::Key_A, Qt::ControlModifier);
    EXPECT_EQ(view.marked().size(), 7U) << "all that are seen";
    QTest::keyClick(&view, Qt::Key_2);
    EXPECT_FALSE(view.isSeriesVisible(QStringLiteral("b")));
    QTest::keyClick(&view, Qt::Key_2);
    QTest::keyClick(&view, Qt::Key_2, Qt::AltModifier);
    EXPECT_FALSE(view.isSeriesVisible(QStringLiteral("a")));
    EXPECT_TRUE(view.isSeriesVisible(QStringLiteral("b")));
    QTest::keyClick(&view, Qt::Key_X);
    EXPECT_EQ(view.scale(Qt::Horizontal), Scale::Linear);
    QTest::keyClick(&view, Qt::Key_Y);
    QTest::keyClick(&view, Qt::Key_Y);
    EXPECT_EQ(view.scale(Qt::Vertical), Scale::Log);
}

TEST_F(ChartViewTest, DrawsTheFrontierOfAllThatIsShown)
{
    view.setChart(twoSeries());
    EXPECT_TRUE(scene->overall().points.empty());
    view.setParts({.labels = PointLabels::Concurrency, .overall = true, .curves = true});
    const auto ids = [this] {
        std::vector<std::string> all;
        for (const analysis::PlaceInChart& place : scene->overall().points)
            all.push_back(scene->point({place.series, place.point}).id.text);
        return all;
    };
    EXPECT_THAT(ids(), testing::ElementsAre("b0", "b1", "a2", "b2"));
    view.setSeriesVisible(QStringLiteral("b"), false);
    EXPECT_THAT(ids(), testing::ElementsAre("a0", "a1", "a2")) << "of what is shown";
    EXPECT_TRUE(scene->noteLines().join(u'\n').contains(QStringLiteral("all 1 groups"))) << scene->noteLines().join(u'\n').toStdString();
}

TEST_F(ChartViewTest, SimulatedPointsAreHollowAndOnNoFrontierOfMeasuredOnes)
{
    analysis::Chart chart = twoSeries();
    chart.simulated = chart.series[1].simulated = true;
    for (analysis::ChartPoint& each : chart.series[1].points)
        each.simulated = true;
    view.setChart(chart);
    view.setParts({.overall = true});
    for (const analysis::PlaceInChart& place : scene->overall().points)
        EXPECT_EQ(place.series, 0U);
    const QImage image = view.grab().toImage();
    const QPoint at = view.positionOf(PointId{"b2"})->toPoint();
    EXPECT_EQ(image.pixelColor(at), view.palette().color(QPalette::Base)) << "the middle of a hollow marker";
    EXPECT_NE(image.pixelColor(view.positionOf(PointId{"a2"})->toPoint()), view.palette().color(QPalette::Base));
}

TEST_F(ChartViewTest, HatchesWhatLiesBeyondALimit)
{
    analysis::Chart chart = twoSeries();
    const QPoint corner(30, -30);
    view.setChart(chart);
    const QImage before = view.grab().toImage();
    chart.limits = {{.isX = true, .isMost = false, .value = 25.0, .written = "tps-per-user>=25"}};
    view.setChart(chart);
    const QImage after = view.grab().toImage();
    const auto ink = [&](const QImage& image, QPoint from) {
        std::set<QRgb> colours;
        for (int x = 0; x < 12; ++x)
            for (int y = 0; y < 12; ++y)
                colours.insert(image.pixel(from + QPoint(x, -y)));
        return colours.size();
    };
    const QPoint left = canvas->mapTo(&view, scene->plotArea().bottomLeft().toPoint()) + corner;
    const QPoint right = canvas->mapTo(&view, scene->plotArea().bottomRight().toPoint()) + QPoint(-60, -25);
    EXPECT_GT(ink(after, left), ink(before, left)) << "below 25 is infeasible";
    EXPECT_EQ(ink(after, right), ink(before, right)) << "above it is not";
}

TEST_F(ChartViewTest, GivesItsZoomInValuesAndTakesItBack)
{
    view.setChart(twoSeries());
    view.setScale(Qt::Horizontal, Scale::Log);
    EXPECT_FALSE(view.zoom());
    view.setZoom(analysis::ChartViewFile::Zoom{10, 40, 100, 300});
    ASSERT_TRUE(view.zoom());
    EXPECT_NEAR(view.zoom()->fromX, 10, 1e-9);
    EXPECT_NEAR(view.zoom()->toX, 40, 1e-9);
    EXPECT_NEAR(view.zoom()->toY, 300, 1e-9);
    view.setZoom({});
    EXPECT_FALSE(view.isZoomed());
}

TEST_F(ChartViewTest, SaysWhyAPointIsKeptOffTheFrontier)
{
    analysis::Chart chart = twoSeries();
    chart.series[0].points[3].eligible = false;
    chart.series[0].points[3].reason = "12 % of the requests failed.";
    chart.excluded = {{PointId{"a3"}, "12 % of the requests failed."},
                      {PointId{"lost1"}, "The file has no TPOT."},
                      {PointId{"lost2"}, "The file has no TPOT."}};
    view.setChart(chart);
    moveTo(placeOf("a3"));
    EXPECT_TRUE(card()->text().contains(QStringLiteral("12 % of the requests failed.")));
    const QString notes = scene->noteLines().join(u'\n');
    EXPECT_TRUE(notes.contains(QStringLiteral("1 point hollow, kept off the frontier: 12 % of the requests failed")))
        << notes.toStdString();
    EXPECT_TRUE(notes.contains(QStringLiteral("2 points not drawn: The file has no TPOT"))) << notes.toStdString();
}

TEST_F(ChartViewTest, MagnifiesAtTheMouseAndComesBack)
{
    view.setChart(twoSeries());
    const View whole = scene->view();
    const QPoint at = placeOf("a1");
    wheel(at, 240);
    EXPECT_TRUE(view.isZoomed());
    EXPECT_LT(scene->view().x.length(), whole.x.length());
    EXPECT_NEAR(placeOf("a1").x(), at.x(), 1) << "what is under the mouse stays there";
    EXPECT_NEAR(placeOf("a1").y(), at.y(), 1);
    QTest::mouseDClick(canvas->viewport(), Qt::LeftButton, Qt::NoModifier, scene->plotArea().topRight().toPoint() + QPoint(-5, 5));
    EXPECT_FALSE(view.isZoomed());
    EXPECT_EQ(scene->view(), whole);
}

TEST_F(ChartViewTest, MagnifiesOnlyTheAxisUnderTheMouse)
{
    view.setChart(twoSeries());
    const View whole = scene->view();
    wheel(QPoint(static_cast<int>(scene->plotArea().center().x()), static_cast<int>(scene->plotArea().bottom()) + 8), 120);
    EXPECT_LT(scene->view().x.length(), whole.x.length());
    EXPECT_EQ(scene->view().y, whole.y);
}

TEST_F(ChartViewTest, PansByDraggingAndZoomsToABoxWithShift)
{
    view.setChart(twoSeries());
    QSignalSpy activated(&view, &ChartView::pointActivated);
    const QPoint before = placeOf("a1");
    drag(before, before + QPoint(60, -40));
    EXPECT_NEAR(placeOf("a1").x(), before.x() + 60, 1);
    EXPECT_NEAR(placeOf("a1").y(), before.y() - 40, 1);
    EXPECT_EQ(activated.count(), 0) << "dragging is not clicking";
    view.resetZoom();
    const QPoint corner = placeOf("a1") - QPoint(50, 50);
    drag(corner, corner + QPoint(100, 100), Qt::ShiftModifier);
    EXPECT_NEAR(placeOf("a1").x(), scene->plotArea().center().x(), 2) << "the box fills the plot";
    EXPECT_NEAR(placeOf("a1").y(), scene->plotArea().center().y(), 2);
    view.resetZoom();
    view.setDragMode(DragMode::Zoom);
    drag(corner, corner + QPoint(100, 100));
    EXPECT_NEAR(placeOf("a1").x(), scene->plotArea().center().x(), 2);
}

TEST_F(ChartViewTest, CanBeUsedWithTheKeyboardAlone)
{
    view.setChart(twoSeries());
    QSignalSpy activated(&view, &ChartView::pointActivated);
    const View whole = scene->view();
    QTest::keyClick(&view, Qt::Key_Plus);
    EXPECT_LT(scene->view().x.length(), whole.x.length());
    const double from = scene->view().x.from;
    QTest::keyClick(&view, Qt::Key_Right);
    EXPECT_GT(scene->view().x.from, from);
    QTest::keyClick(&view, Qt::Key_0);
    EXPECT_EQ(scene->view(), whole);
    QTest::keyClick(&view, Qt::Key_PageDown);
    QTest::keyClick(&view, Qt::Key_Return);
    ASSERT_EQ(activated.count(), 1);
    EXPECT_EQ(activated[0][0].value<PointId>().text, "a0") << "the first of the frontiers by x";
    QTest::keyClick(&view, Qt::Key_PageDown);
    QTest::keyClick(&view, Qt::Key_Return);
    EXPECT_EQ(activated[1][0].value<PointId>().text, "b0");
}

TEST_F(ChartViewTest, KeepsZoomAndHiddenSeriesWhileTheAxesStay)
{
    view.setChart(twoSeries());
    wheel(placeOf("a1"), 360);
    view.setSeriesVisible(QStringLiteral("b"), false);
    const View zoomed = scene->view();
    analysis::Chart next = twoSeries();
    next.series[0].points[1].y = 310;
    view.setChart(next);
    EXPECT_EQ(scene->view(), zoomed);
    EXPECT_FALSE(view.isSeriesVisible(QStringLiteral("b")));
    next.x.id = "ttft-p99";
    view.setChart(next);
    EXPECT_FALSE(view.isZoomed()) << "other axes, other numbers";
    EXPECT_TRUE(view.isSeriesVisible(QStringLiteral("b")));
}

TEST_F(ChartViewTest, TogglesASeriesInTheLegendAndIsolatesItOnDoubleClick)
{
    view.setChart(twoSeries());
    QTest::mouseClick(canvas->viewport(), Qt::LeftButton, Qt::NoModifier, legendOf(QStringLiteral("a")));
    EXPECT_FALSE(view.isSeriesVisible(QStringLiteral("a")));
    EXPECT_FALSE(view.positionOf(PointId{"a1"}));
    QTest::mouseClick(canvas->viewport(), Qt::LeftButton, Qt::NoModifier, legendOf(QStringLiteral("a")));
    EXPECT_TRUE(view.isSeriesVisible(QStringLiteral("a")));
    const auto doubleClick = [this](const QString& key) {
        QTest::mouseClick(canvas->viewport(), Qt::LeftButton, Qt::NoModifier, legendOf(key));
        QTest::mouseDClick(canvas->viewport(), Qt::LeftButton, Qt::NoModifier, legendOf(key));
    };
    doubleClick(QStringLiteral("b"));
    EXPECT_TRUE(view.isSeriesVisible(QStringLiteral("b")));
    EXPECT_FALSE(view.isSeriesVisible(QStringLiteral("a")));
    doubleClick(QStringLiteral("b"));
    EXPECT_TRUE(view.isSeriesVisible(QStringLiteral("a"))) << "once more shows all again";
}

TEST_F(ChartViewTest, GivesEightSeriesALookOfTheirOwnAndOneToTheRest)
{
    std::vector<analysis::ChartSeries> many;
    for (int i = 0; i < 12; ++i)
        many.push_back(test::seriesOf("run" + std::to_string(i), {{10.0 + i, 100.0}, {20.0 + i, 50.0}}));
    view.setChart(test::chartOf(std::move(many)));
    ASSERT_EQ(scene->legend().size(), 9U);
    EXPECT_EQ(scene->legend().back().text, QStringLiteral("4 others"));
    EXPECT_EQ(scene->legend().back().full, QStringLiteral("Grey: run8, run9, run10, run11")) << "they have names";
    for (const bool dark : {false, true}) {
        QPalette palette;
        palette.setColor(QPalette::Base, dark ? Qt::black : Qt::white);
        palette.setColor(QPalette::Text, dark ? Qt::white : Qt::black);
        std::set<std::pair<int, QRgb>> looks;
        for (std::size_t i = 0; i < colouredSeries; ++i)
            looks.insert({static_cast<int>(seriesStyle(i, palette).shape), seriesStyle(i, palette).colour.rgb()});
        EXPECT_EQ(looks.size(), colouredSeries);
        EXPECT_EQ(seriesStyle(8, palette), seriesStyle(11, palette));
    }
    QTest::mouseClick(canvas->viewport(), Qt::LeftButton, Qt::NoModifier, scene->legend().back().box.center().toPoint());
    EXPECT_FALSE(view.isSeriesVisible(QStringLiteral("run9")));
    EXPECT_FALSE(view.isSeriesVisible(QStringLiteral("run11")));
}

TEST_F(ChartViewTest, ASeriesKeepsItsLookWhenAFilterTakesOthersAway)
{
    analysis::Chart chart = twoSeries();
    view.setChart(chart);
    const SeriesStyle before = scene->styleOf(1);
    chart.series.erase(chart.series.begin());
    view.setChart(chart);
    EXPECT_EQ(scene->styleOf(0), before);
    // A series behind the first ones has a look when one is free, and never takes another's.
    chart.series.push_back(test::seriesOf("z", {{1, 2}}));
    chart.series.back().rank = 9;
    view.setChart(chart);
    EXPECT_EQ(scene->styleOf(0), before);
    EXPECT_FALSE(scene->styleOf(1) == before);
    EXPECT_FALSE(scene->styleOf(1) == seriesStyle(colouredSeries, view.palette()));
}

TEST_F(ChartViewTest, SaysWhichSeriesAreSimulated)
{
    analysis::Chart chart = twoSeries();
    chart.simulated = true;
    chart.series[1].simulated = true;
    view.setChart(chart);
    EXPECT_EQ(scene->simulatedTag(), QStringLiteral("SIMULATED: b"));
    EXPECT_EQ(scene->legend().at(0).text, QStringLiteral("a"));
    EXPECT_EQ(scene->legend().at(1).text, QStringLiteral("b (simulated)"));
    view.setSeriesVisible(QStringLiteral("b"), false);
    EXPECT_EQ(scene->simulatedTag(), QString()) << "none of them is seen";
    view.showOnly(QStringLiteral("b"));
    EXPECT_EQ(scene->simulatedTag(), QStringLiteral("SIMULATED"));
}

TEST_F(ChartViewTest, CutsNoValueInTheCard)
{
    analysis::Chart chart = twoSeries();
    const std::string file = "results/agg_dsr1_tp8_users128_offloadoff_fp4_vllm_tp8-ep8-dpafalse_disagg-false_spec-none_conc128_b200.json";
    const std::string value = "9.835 tok/s/user (from the file's ITL, which is a mean over each request)";
    chart.series[0].points[1].labels = {{"Tokens/s per user", value}};
    chart.series[0].points[1].source = file;
    view.setChart(chart);
    moveTo(placeOf("a1"));
    ASSERT_TRUE(card()->isVisible());
    const QString said = card()->text().remove(QChar(0x200b));
    EXPECT_TRUE(said.contains(QString::fromStdString(value).toHtmlEscaped())) << said.toStdString();
    EXPECT_TRUE(said.contains(QString::fromStdString(file))) << said.toStdString();
    EXPECT_FALSE(said.contains(u'…'));
    // What is laid out must have room, too.
    EXPECT_LE(card()->width(), view.width());
    EXPECT_GE(card()->height(), card()->heightForWidth(card()->width()));
    QTextDocument laidOut;
    laidOut.setDefaultFont(card()->font());
    laidOut.setHtml(card()->text());
    laidOut.setTextWidth(card()->width() - 2 * card()->margin());
    EXPECT_LE(laidOut.idealWidth(), card()->width()) << "no word is wider than the card";
    EXPECT_FALSE(card()->geometry().contains(placeOf("a1")));
}

TEST_F(ChartViewTest, TheCardHasTheMarkerOfItsSeries)
{
    view.setChart(twoSeries());
    moveTo(placeOf("a1"));
    const QString disc = card()->text();
    EXPECT_TRUE(disc.contains(QStringLiteral("<img src=\"data:image/png;base64,"))) << disc.toStdString();
    EXPECT_FALSE(disc.contains(u'●'));
    QTextDocument document;
    document.setHtml(disc);
    const auto image = document.resource(QTextDocument::ImageResource, QUrl(disc.section(QStringLiteral("src=\""), 1).section(u'"', 0, 0)));
    EXPECT_TRUE(image.isValid()) << "rich text can show it";
    moveTo(placeOf("b1"));
    EXPECT_NE(card()->text().section(QStringLiteral("base64,"), 1).section(u'"', 0, 0),
              disc.section(QStringLiteral("base64,"), 1).section(u'"', 0, 0));
}

TEST_F(ChartViewTest, ALowPaneCutsNoCard)
{
    QWidget window;
    window.resize(900, 600);
    auto* low = new ChartView(&window);
    low->setGeometry(0, 400, 500, 200);
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
    analysis::Chart chart = twoSeries();
    for (int i = 0; i < 14; ++i)
        chart.series[0].points[1].labels.emplace_back("Fact " + std::to_string(i), "value");
    low->setChart(chart);
    auto* viewport = low->findChild<QGraphicsView*>(QStringLiteral("chartCanvas"))->viewport();
    const QPointF at = *low->positionOf(PointId{"a1"}) - QPointF(viewport->mapTo(low, QPoint(0, 0)));
    QMouseEvent move(QEvent::MouseMove, at, viewport->mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(viewport, &move);
    const auto* shown = window.findChild<QLabel*>(QStringLiteral("chartCard"));
    ASSERT_NE(shown, nullptr);
    ASSERT_TRUE(shown->isVisible());
    EXPECT_GT(shown->height(), low->height());
    EXPECT_TRUE(window.rect().contains(QRect(shown->mapTo(&window, QPoint(0, 0)), shown->size())));
    low->hide();
    EXPECT_FALSE(shown->isVisible());
}

TEST_F(ChartViewTest, APictureHoldsNothingOfTheSelection)
{
    const QTemporaryDir folder;
    view.setChart(twoSeries());
    const auto picture = [&](const char* name) {
        const QString file = folder.filePath(QString::fromLatin1(name));
        EXPECT_TRUE(view.exportTo(file));
        return QImage(file);
    };
    const QImage without = picture("a.png");
    view.setSelected(PointId{"a1"});
    EXPECT_EQ(picture("b.png"), without);
}

TEST_F(ChartViewTest, APictureHasLongNamesWholeAndKeepsItsPlot)
{
    const QTemporaryDir folder;
    std::vector<analysis::ChartSeries> many;
    for (int i = 0; i < 12; ++i)
        many.push_back(test::seriesOf(std::string(300, static_cast<char>('a' + i)) + "_end" + std::to_string(i), {{10.0 + i, 100.0}}));
    analysis::Chart chart = test::chartOf(std::move(many));
    ChartScene picture;
    picture.setChart(std::make_shared<const analysis::Chart>(chart));
    picture.setNotes(PictureNotes());
    picture.setSize({1000, 680});
    for (const LegendEntry& entry : picture.legend()) {
        EXPECT_FALSE(entry.text.contains(u'…'));
        EXPECT_LE(entry.box.right(), 1000);
    }
    EXPECT_TRUE(picture.legend().back().text.contains(QStringLiteral("_end11"))) << "nobody can point at the grey ones of a picture";
    const QString file = folder.filePath(QStringLiteral("c.png"));
    ASSERT_TRUE(renderChart(chart, file));
    EXPECT_GT(QImage(file).height(), 1360) << "it grows rather than crush the plot";
}

TEST_F(ChartViewTest, KeepsASeriesWithAValueThatHasNoLogarithm)
{
    view.setChart(test::chartOf({test::seriesOf("a", {{0, 400}, {20, 300}, {4000, 100}})}));
    view.setScale(Qt::Horizontal, Scale::Log);
    EXPECT_TRUE(scene->isLogarithmic(Qt::Horizontal));
    EXPECT_TRUE(view.positionOf(PointId{"a1"}));
    EXPECT_TRUE(view.positionOf(PointId{"a2"}));
    EXPECT_FALSE(view.positionOf(PointId{"a0"}));
    EXPECT_TRUE(scene->noteLines().join(u'\n').contains(QStringLiteral("1 point at or below 0"))) << "what is left out is told";
    view.setChart(test::chartOf({test::seriesOf("a", {{0, 400}, {-20, 300}})}));
    EXPECT_FALSE(scene->isLogarithmic(Qt::Horizontal));
    EXPECT_TRUE(view.positionOf(PointId{"a0"}));
    EXPECT_TRUE(scene->noteLines().join(u'\n').contains(QStringLiteral("linear")));
}

TEST_F(ChartViewTest, LabelsALogarithmicAxisWithinOneDecade)
{
    view.setChart(test::chartOf({test::seriesOf("a", {{120, 1}, {480, 2}})}));
    view.setScale(Qt::Horizontal, Scale::Log);
    EXPECT_GE(scene->ticksOf(Qt::Horizontal).size(), 3U);
}

TEST_F(ChartViewTest, ShowsAnEmptyChartAndNone)
{
    view.setChart(test::chartOf({}));
    EXPECT_TRUE(view.pointAt({100, 100}).isEmpty());
    EXPECT_TRUE(scene->ticksOf(Qt::Horizontal).empty()) << "numbers on the axes of nothing would be invented";
    view.clear();
    moveTo({100, 100});
    wheel({100, 100}, 120);
    QTest::mouseClick(canvas->viewport(), Qt::LeftButton, Qt::NoModifier, {100, 100});
    EXPECT_TRUE(view.pointAt({100, 100}).isEmpty());
    EXPECT_FALSE(view.grab().isNull());
}

TEST_F(ChartViewTest, TellsThoseWhoCannotSeeItWhatItShows)
{
    analysis::Chart chart = twoSeries();
    chart.simulated = true;
    chart.warnings = {"ISL differs: 1024, 8192"};
    view.setChart(chart);
    const QString said = view.accessibleDescription();
    for (const char* part : {"Output tokens/s per working GPU", "7 points", "2 series", "Simulated", "ISL differs"})
        EXPECT_TRUE(said.contains(QString::fromLatin1(part))) << part << " is missing in " << said.toStdString();
    EXPECT_FALSE(view.accessibleName().isEmpty());
}

TEST_F(ChartViewTest, FollowsThePaletteLive)
{
    view.setChart(twoSeries());
    const QColor light = view.grab().toImage().pixelColor(4, 4);
    QPalette dark = view.palette();
    dark.setColor(QPalette::Base, QColor(0x1b, 0x1e, 0x20));
    dark.setColor(QPalette::Text, Qt::white);
    view.setPalette(dark);
    EXPECT_NE(view.grab().toImage().pixelColor(4, 4), light);
    EXPECT_EQ(view.grab().toImage().pixelColor(4, 4), QColor(0x1b, 0x1e, 0x20));
}

TEST_F(ChartViewTest, CopiesThePictureAndTheValues)
{
    view.setChart(twoSeries());
    QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
    EXPECT_TRUE(QApplication::clipboard()->mimeData()->hasImage());
    EXPECT_TRUE(QApplication::clipboard()->text().contains(QStringLiteral("a1")));
}

TEST_F(ChartViewTest, OffersSeriesAndScalesInItsMenu)
{
    view.setChart(twoSeries());
    QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(100, 100), view.mapToGlobal(QPoint(100, 100)));
    QApplication::sendEvent(&view, &event);
    auto* menu = view.findChild<QMenu*>(QStringLiteral("chartMenu"));
    ASSERT_NE(menu, nullptr);
    QStringList texts;
    const auto submenus = menu->findChildren<QMenu*>();
    for (const QMenu* submenu : submenus) {
        const auto actions = submenu->actions();
        for (const QAction* action : actions)
            texts.append(action->text());
    }
    EXPECT_TRUE(texts.contains(QStringLiteral("Logarithmic")));
    EXPECT_TRUE(texts.contains(QStringLiteral("b")));
    menu->close();
}

TEST_F(ChartViewTest, WritesPicturesThatAreWhatTheirNamesSay)
{
    const QTemporaryDir folder;
    analysis::Chart chart = twoSeries();
    chart.title = "Two series";
    view.setChart(chart);
    const PictureNotes notes{.filters = QStringLiteral("concurrency>=8"), .date = QStringLiteral("2025-05-20")};
    for (const char* name : {"chart.png", "chart.svg", "chart.pdf"}) {
        const QString file = folder.filePath(QString::fromLatin1(name));
        const Result<void> written = view.exportTo(file, notes);
        ASSERT_TRUE(written) << written.error().message;
        EXPECT_GT(test::bytesOf(file.toStdString()).size(), 4000U) << name;
    }
    const QImage png(folder.filePath(QStringLiteral("chart.png")));
    EXPECT_EQ(png.size(), QSize(2000, 1360));
    std::set<QRgb> colours;
    for (int y = 0; y < png.height(); y += 3) {
        for (int x = 0; x < png.width(); x += 3)
            colours.insert(png.pixel(x, y));
    }
    EXPECT_GT(colours.size(), 20U);
    const std::string svg = test::bytesOf(folder.filePath(QStringLiteral("chart.svg")).toStdString());
    for (const char* part : {"<svg", "Two series", "concurrency&gt;=8", "2025-05-20", "1000 / median TPOT in ms."})
        EXPECT_NE(svg.find(part), std::string::npos) << part;
    EXPECT_EQ(test::bytesOf(folder.filePath(QStringLiteral("chart.pdf")).toStdString()).substr(0, 5), "%PDF-");
}

TEST(RenderChart, WritesTheWholeChartAndSaysWhatItCannotDo)
{
    const QTemporaryDir folder;
    const analysis::Chart chart = twoSeries();
    EXPECT_TRUE(renderChart(chart, folder.filePath(QStringLiteral("c.PNG"))));
    const Result<void> unknown = renderChart(chart, folder.filePath(QStringLiteral("c.gif")));
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, ErrorCode::Unsupported);
    EXPECT_NE(unknown.error().message.find(".svg"), std::string::npos);
    const Result<void> nowhere = renderChart(chart, folder.filePath(QStringLiteral("no/such/folder/c.png")));
    ASSERT_FALSE(nowhere);
    EXPECT_NE(nowhere.error().message.find("no/such/folder"), std::string::npos);
}

TEST(RenderChart, ADiskThatIsFullKeepsTheOldPictureAndIsToldOnce)
{
    const QTemporaryDir folder;
    const analysis::Chart chart = twoSeries();
    for (const char* name : {"c.png", "c.svg", "c.pdf"}) {
        const QString file = folder.filePath(QString::fromLatin1(name));
        ASSERT_TRUE(renderChart(chart, file));
        const std::string before = test::bytesOf(file.toStdString());
        std::signal(SIGXFSZ, SIG_IGN);
        rlimit was{};
        ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &was), 0);
        const rlimit few{2048, was.rlim_max}; // a write beyond fails as it does on a full disk
        ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &few), 0);
        const Result<void> written = renderChart(chart, file);
        ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &was), 0);
        ASSERT_FALSE(written) << name;
        EXPECT_EQ(written.error().message, "Saving \"" + file.toStdString() + "\" failed: file too large.");
        EXPECT_EQ(test::bytesOf(file.toStdString()), before) << name;
        EXPECT_EQ(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), name == std::string("c.png")   ? 1
                                                                                    : name == std::string("c.svg") ? 2
                                                                                                                   : 3);
    }
}

} // namespace
} // namespace wb::ui::charts
