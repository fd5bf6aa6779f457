// From schema 1 of the language to schema 2, by changes of the text: whole lines are moved, renamed and re-indented, so that comments,
// quotes, anchors and the order of everything that is not moved stay as they are. Steps: recipe language of schema 2, section 16.
#pragma once

#include "core/syntax/yaml.h"

#include <string>
#include <vector>

namespace wb::recipe {

/// What a reader of the migrated recipe should know.
struct MigrationNote {
    std::string message;
    syntax::Range range;    ///< In the source.
    bool isRefused = false; ///< It could not be migrated and stands where it stood.
};

struct Migration {
    std::string text; ///< The whole recipe in schema 2; the source itself where nothing had to change or nothing could be done.
    bool changed = false;
    bool wasSecond = false; ///< The recipe declared schema 2 before.
    std::vector<MigrationNote> notes;

    [[nodiscard]] bool hasRefusals() const;
};

/// The parsed text must be complete (no syntax error, no duplicate key). A recipe in schema 2 comes back unchanged.
[[nodiscard]] Migration migrate(const syntax::Parsed& parsed);

} // namespace wb::recipe
