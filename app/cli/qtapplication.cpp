#include "app/cli/qtapplication.h"

#include <QCoreApplication>

#include <array>

namespace wb::cli {

void ensureQtApplication()
{
    static int argc = 1;
    static char name[] = "srtwb";
    static std::array<char*, 2> argv = {name, nullptr};
    static const QCoreApplication application(argc, argv.data());
}

} // namespace wb::cli
