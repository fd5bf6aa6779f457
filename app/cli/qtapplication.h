// The application object that parts of Qt ask for: SQL drivers, processes.
#pragma once

namespace wb::cli {

/// Made at the first call, so that commands which need nothing of Qt start without it.
void ensureQtApplication();

} // namespace wb::cli
