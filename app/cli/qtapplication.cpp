#include "app/cli/qtapplication.h"

#include "core/base/utf8locale.h"

#include <QCoreApplication>

#include <array>
#include <memory>

namespace wb::cli {

namespace {

std::unique_ptr<QCoreApplication>& application()
{
    static std::unique_ptr<QCoreApplication> one;
    return one;
}

} // namespace

void ensureQtApplication()
{
    static int argc = 1;
    static char name[] = "srtwb";
    static std::array<char*, 2> argv = {name, nullptr};
    if (application())
        return;
    const base::Utf8Locale locale;
    application() = std::make_unique<QCoreApplication>(argc, argv.data());
}

QtApplicationScope::~QtApplicationScope()
{
    application().reset();
}

} // namespace wb::cli
