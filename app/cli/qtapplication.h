// The application object that parts of Qt ask for: SQL drivers, processes.
#pragma once

namespace wb::cli {

/// Made at the first call, so that commands which need nothing of Qt start without it.
void ensureQtApplication();

/// In main(): ends the application before statics are destroyed, of which Qt's own are some.
struct QtApplicationScope {
    QtApplicationScope() = default;
    QtApplicationScope(const QtApplicationScope&) = delete;
    QtApplicationScope& operator=(const QtApplicationScope&) = delete;
    ~QtApplicationScope();
};

} // namespace wb::cli
