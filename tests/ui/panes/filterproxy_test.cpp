#include "ui/panes/filterproxy.h"

#include <QAbstractItemModelTester>
#include <QStandardItemModel>
#include <gmock/gmock.h>

namespace wb::ui {
namespace {

using testing::ElementsAre;

class FilterProxyTest : public testing::Test
{
protected:
    FilterProxyTest()
        : tester(&proxy, QAbstractItemModelTester::FailureReportingMode::Fatal)
    {
        proxy.setSourceModel(&model);
        proxy.setSortRole(Qt::UserRole);
    }

    void add(const QString& text, const QVariant& value)
    {
        auto* item = new QStandardItem(text);
        item->setData(value, Qt::UserRole);
        model.appendRow({item, new QStandardItem(QStringLiteral("of ") + text)});
    }

    std::vector<std::string> shown()
    {
        std::vector<std::string> out;
        for (int row = 0; row < proxy.rowCount(); ++row)
            out.push_back(proxy.index(row, 0).data().toString().toStdString());
        return out;
    }

    QStandardItemModel model;
    FilterProxy proxy;
    QAbstractItemModelTester tester;
};

TEST_F(FilterProxyTest, PutsWhatIsNotKnownLastInEitherOrder)
{
    add(QStringLiteral("ten"), 10.0);
    add(QStringLiteral("unknown"), QVariant());
    add(QStringLiteral("nine"), 9.0);
    proxy.sort(0, Qt::AscendingOrder);
    EXPECT_THAT(shown(), ElementsAre("nine", "ten", "unknown"));
    proxy.sort(0, Qt::DescendingOrder);
    EXPECT_THAT(shown(), ElementsAre("ten", "nine", "unknown"));
}

TEST_F(FilterProxyTest, KeepsRowsThatHoldEveryWordInSomeColumn)
{
    add(QStringLiteral("alpha one"), 1);
    add(QStringLiteral("beta one"), 2);
    proxy.setWords(QStringLiteral("ONE al"));
    EXPECT_THAT(shown(), ElementsAre("alpha one"));
    proxy.setWords({});
    EXPECT_THAT(shown(), ElementsAre("alpha one", "beta one"));
    proxy.setCondition([](const QModelIndex& index) { return index.data(Qt::UserRole).toInt() == 2; });
    EXPECT_THAT(shown(), ElementsAre("beta one"));
}

} // namespace
} // namespace wb::ui
