#pragma once

#include "core/base/result.h"

#include <QString>

namespace wb::ui {

/// The folder with the program's own recipes and samples: beside the installed program, or the source tree of a developer's build.
/// Empty when neither is there.
[[nodiscard]] QString shareFolder();

struct SampleWorkspace {
    QString folder;  ///< Of recipes, the user's own copy.
    QString first;   ///< Recipe to open first.
    QString results; ///< Folder of results; empty: there are none.
    QString cluster; ///< Cluster file; empty: there is none.
};

/// Copies the samples below the data folder when they are not there yet; what the user changed in his copy stays. Touches the disk.
[[nodiscard]] Result<SampleWorkspace> sampleWorkspace(const QString& share, const QString& dataFolder);

} // namespace wb::ui
