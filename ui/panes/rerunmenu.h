#pragma once

#include "core/base/ids.h"

class QMenu;

namespace wb::ui {

class Session;

/// The ways to measure a point again, for the menu of that point; what cannot be done is grey and says why.
void addRerunActions(QMenu& menu, Session& session, const PointId& id);

} // namespace wb::ui
