#include "tests/support/corpus.h"
#include "ui/shell/sampleworkspace.h"

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <gmock/gmock.h>

namespace wb::ui {
namespace {

QString source()
{
    return QString::fromStdString(test::own("").string());
}

TEST(SampleWorkspace, IsCopiedOnceAndThenTheUsers)
{
    const QTemporaryDir data;
    const auto first = sampleWorkspace(source(), data.path());
    ASSERT_TRUE(first) << first.error().message;
    EXPECT_TRUE(QFileInfo(first->folder).isDir());
    ASSERT_TRUE(QFileInfo(first->first).isFile()) << first->first.toStdString();
    QFile recipe(first->first);
    ASSERT_TRUE(recipe.open(QIODevice::WriteOnly));
    recipe.write("mine\n");
    recipe.close();
    const auto second = sampleWorkspace(source(), data.path());
    ASSERT_TRUE(second);
    ASSERT_TRUE(recipe.open(QIODevice::ReadOnly));
    EXPECT_EQ(recipe.readAll(), QByteArray("mine\n"));
}

TEST(SampleWorkspace, SaysWhenItIsNotInstalled)
{
    const QTemporaryDir data;
    const auto sample = sampleWorkspace({}, data.path());
    ASSERT_FALSE(sample);
    EXPECT_THAT(sample.error().message, testing::HasSubstr("not installed"));
}

} // namespace
} // namespace wb::ui
