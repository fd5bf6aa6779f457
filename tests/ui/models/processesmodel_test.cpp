#include "ui/models/processesmodel.h"
#include "ui/models/text.h"

#include <QAbstractItemModelTester>
#include <gmock/gmock.h>

namespace wb::ui {
namespace {

TEST(ProcessesModel, ShowsPortsAndADashWhereAProcessHasNone)
{
    auto topology = std::make_shared<plan::Topology>();
    plan::Process leader;
    leader.node = "node001";
    leader.mode = plan::Mode::Decode;
    leader.gpus = {0, 1, 2, 3};
    leader.httpPort = 30000;
    plan::Process follower = leader;
    follower.rank = 1;
    follower.httpPort = 0;
    topology->processes = {leader, follower};
    ProcessesModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setTopology(topology);
    ASSERT_EQ(model.rowCount(), 2);
    EXPECT_EQ(model.index(0, ProcessesModel::ModeColumn).data().toString(), QStringLiteral("decode"));
    EXPECT_EQ(model.index(0, ProcessesModel::GpusColumn).data().toString(), QStringLiteral("0 1 2 3"));
    EXPECT_EQ(model.index(0, ProcessesModel::HttpColumn).data().toString(), QStringLiteral("30000"));
    EXPECT_EQ(model.index(0, ProcessesModel::NixlColumn).data().toString(), dash());
    EXPECT_EQ(model.index(1, ProcessesModel::HttpColumn).data().toString(), QStringLiteral("0"))
        << "a follower's port is 0 by the contract";
    model.setTopology(nullptr);
    EXPECT_EQ(model.rowCount(), 0);
}

} // namespace
} // namespace wb::ui
