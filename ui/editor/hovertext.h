// What core knows about a place, and what edits would do, as rich text of the cards.
#pragma once

#include "core/assist/hover.h"
#include "core/assist/preview.h"

#include <QString>

class QPalette;

namespace wb::ui {

/// `definition`: the card offers to go where the name is defined.
[[nodiscard]] QString htmlOf(const assist::Hover& hover, const QPalette& palette, bool definition);
[[nodiscard]] QString htmlOf(const assist::Preview& preview, const QPalette& palette);

} // namespace wb::ui
