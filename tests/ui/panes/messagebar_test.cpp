#include "ui/panes/messagebar.h"

#include <gtest/gtest.h>

namespace wb::ui {
namespace {

TEST(MessageBar, SaysAnErrorAndKeepsQuietAboutACancelledOperation)
{
    QWidget parent;
    MessageBar bar(&parent);
    bar.showError({ErrorCode::Cancelled, "The import was stopped.", {}});
    EXPECT_TRUE(bar.isHidden());
    bar.showError({ErrorCode::Denied, "\"a\" cannot be read.", "EACCES"});
    EXPECT_FALSE(bar.isHidden());
    EXPECT_EQ(bar.accessibleName(), QStringLiteral("\"a\" cannot be read."));
}

} // namespace
} // namespace wb::ui
