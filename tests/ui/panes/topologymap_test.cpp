#include "ui/panes/topologymap.h"

#include <QTest>
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

} // namespace
} // namespace wb::ui
