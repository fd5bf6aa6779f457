#include "ui/panes/topologymap.h"

#include <QApplication>
#include <QHelpEvent>
#include <QTest>
#include <QToolTip>
#include <gmock/gmock.h>

namespace wb::ui {
namespace {

plan::Process process(plan::Mode mode, std::int64_t index, std::string node, std::vector<std::int64_t> gpus)
{
    plan::Process out;
    out.mode = mode;
    out.index = index;
    out.node = std::move(node);
    out.gpus = std::move(gpus);
    return out;
}

std::shared_ptr<const DryRun> twoNodes()
{
    auto topology = std::make_shared<plan::Topology>();
    topology->nodes = {"node000", "node001"};
    topology->head = topology->infra = topology->bench = "node000";
    topology->processes = {process(plan::Mode::Prefill, 0, "node000", {0, 1}), process(plan::Mode::Prefill, 1, "node000", {2, 3}),
                           process(plan::Mode::Decode, 0, "node001", {0, 1, 2, 3})};
    auto out = std::make_shared<DryRun>();
    out->topology = topology;
    out->gpusPerNode = 4;
    return out;
}

class TopologyMapTest : public testing::Test
{
protected:
    TopologyMapTest()
    {
        map.resize(360, 400);
        map.setDryRun(twoNodes());
        map.show();
        QObject::connect(&map, &TopologyMap::processSelected, &map, [this](std::size_t process) { chosen.push_back(process); });
    }

    TopologyMap map;
    std::vector<std::size_t> chosen;
};

TEST_F(TopologyMapTest, IsWalkedByTheArrowKeys)
{
    QTest::keyClick(&map, Qt::Key_Right);
    QTest::keyClick(&map, Qt::Key_Right);
    QTest::keyClick(&map, Qt::Key_Down);
    QTest::keyClick(&map, Qt::Key_Up);
    EXPECT_THAT(chosen, testing::ElementsAre(0, 1, 2, testing::AnyOf(0, 1)));
    EXPECT_FALSE(map.accessibleDescription().isEmpty());
}

TEST_F(TopologyMapTest, ChoosesTheProcessThatIsClicked)
{
    // Somewhere on the card of the first node there is the first process: the map is asked by clicking along it.
    for (int y = 0; y < 120 && chosen.empty(); y += 6)
        QTest::mouseClick(&map, Qt::LeftButton, {}, QPoint(30, y));
    EXPECT_THAT(chosen, testing::ElementsAre(0));
    EXPECT_EQ(map.selected(), 0U);
}

TEST_F(TopologyMapTest, TellsPortsAndIdleGpusOnHover)
{
    auto dryRun = std::make_shared<DryRun>(*twoNodes());
    auto topology = std::make_shared<plan::Topology>(*dryRun->topology);
    topology->processes.erase(topology->processes.begin() + 1); // GPUs 2 and 3 of the first node
    topology->processes[0].httpPort = 6100;
    topology->processes[0].bootstrapPort = 7200;
    topology->processes[0].kvEventsPort = 5200;
    dryRun->topology = topology;
    map.setDryRun(dryRun);
    QStringList tips;
    for (int y = 0; y < map.height(); y += 8) {
        for (int x = 0; x < map.width(); x += 8) {
            QHelpEvent asked(QEvent::ToolTip, QPoint(x, y), map.mapToGlobal(QPoint(x, y)));
            QApplication::sendEvent(&map, &asked);
            if (QToolTip::isVisible() && !tips.contains(QToolTip::text()))
                tips += QToolTip::text();
        }
    }
    const std::string all = tips.join(QLatin1Char('\n')).toStdString();
    for (const char* words : {"HTTP port", "6100", "Bootstrap port", "7200", "KV events port", "5200", "GPU 2 of node000: idle"})
        EXPECT_THAT(all, testing::HasSubstr(words));
}

TEST_F(TopologyMapTest, ForgetsASelectionThatIsNoLongerThere)
{
    map.setSelected(2);
    auto smaller = std::make_shared<DryRun>(*twoNodes());
    auto topology = std::make_shared<plan::Topology>(*smaller->topology);
    topology->processes.resize(1);
    smaller->topology = topology;
    map.setDryRun(smaller);
    EXPECT_FALSE(map.selected());
    map.setDryRun(nullptr);
    map.grab();
    EXPECT_GT(map.heightForWidth(200), 0);
}

TEST_F(TopologyMapTest, ZoomsByKeysAndFitsWhatIsLarge)
{
    QTest::keyClick(&map, Qt::Key_Plus);
    EXPECT_GT(map.zoom(), 1.0);
    QTest::keyClick(&map, Qt::Key_0);
    EXPECT_EQ(map.zoom(), 1.0);
    for (int i = 0; i < 50; ++i)
        QTest::keyClick(&map, Qt::Key_Minus);
    EXPECT_EQ(map.zoom(), TopologyMap::leastZoom);
    map.fit({2000, 1000});
    EXPECT_EQ(map.zoom(), 1.0) << "what fits is not made larger than the texts of the window";
}

TEST_F(TopologyMapTest, IsClickedAtTheSamePlaceOfTheMapAtEveryZoom)
{
    map.setZoom(2.0);
    for (int y = 0; y < 240 && chosen.empty(); y += 6)
        QTest::mouseClick(&map, Qt::LeftButton, {}, QPoint(60, y));
    EXPECT_THAT(chosen, testing::ElementsAre(0));
}

TEST_F(TopologyMapTest, LinksEveryPrefillWorkerWithEveryDecodeWorker)
{
    using Link = std::pair<std::size_t, std::size_t>;
    EXPECT_THAT(map.shownLinks(), testing::ElementsAre(Link(0, 2), Link(1, 2)));
    map.setSelected(1);
    EXPECT_THAT(map.shownLinks(), testing::ElementsAre(Link(1, 2))) << "those of the selected worker";
    map.setLinksShown(false);
    EXPECT_THAT(map.shownLinks(), testing::IsEmpty());
}

TEST_F(TopologyMapTest, HoldsSeventyTwoNodesOfEightGpus)
{
    auto topology = std::make_shared<plan::Topology>();
    for (int node = 0; node < 72; ++node) {
        topology->nodes.push_back("node" + std::to_string(node));
        topology->processes.push_back(process(node < 24 ? plan::Mode::Prefill : plan::Mode::Decode, node < 24 ? node : node - 24,
                                              topology->nodes.back(), {0, 1, 2, 3, 4, 5, 6}));
    }
    auto large = std::make_shared<DryRun>();
    large->topology = topology;
    large->gpusPerNode = 8;
    map.setDryRun(large);
    EXPECT_THAT(map.shownLinks(), testing::IsEmpty()) << "1,152 lines tell nothing";
    map.setSelected(3);
    EXPECT_EQ(map.shownLinks().size(), 48U);
    map.fit({1200, 700});
    EXPECT_LE(map.heightForWidth(1200), 700);
    EXPECT_GE(map.zoom(), TopologyMap::leastZoom);
    map.resize(1200, 700);
    EXPECT_FALSE(map.grab().isNull());
}

TEST_F(TopologyMapTest, IsWrittenAsAPicture)
{
    const QByteArray svg = map.svg();
    EXPECT_TRUE(svg.contains("<svg"));
    EXPECT_TRUE(svg.contains("node001"));
    EXPECT_EQ(svg, map.svg()) << "the same map, the same bytes";
    map.setZoom(0.5);
    EXPECT_TRUE(map.svg().contains("node001"));
    map.setDryRun(nullptr);
    EXPECT_TRUE(map.svg().isEmpty());
}

} // namespace
} // namespace wb::ui
