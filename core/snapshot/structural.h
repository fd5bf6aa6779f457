// A value against a structural schema, as the API server does it: types, required keys, patterns, limits, doubles in lists that are sets or
// maps, fields that the schema does not know (the server drops them; `kubectl --validate=strict` refuses), and CEL rules (celrules.h).
//
// A null is taken for absent. Scalars are what kubectl makes of them: dates and base-60 numbers of YAML 1.1 are text there.
#pragma once

#include "core/snapshot/crd.h"
#include "core/snapshot/findings.h"

#include <vector>

namespace wb::snapshot {

/// A default that the server would fill in, for showing beside the text; it is not written.
struct FilledDefault {
    std::string path;
    syntax::Range parent; ///< Of the key below which it would stand, in the whole text.
    std::string text;     ///< As JSON on one line.

    friend bool operator==(const FilledDefault&, const FilledDefault&) = default;
};

/// Checks the node and all below it. Keys `apiVersion`, `kind` and `metadata` of the root are checked by the schema's words for them alone.
void checkStructure(const Node& node, const Schema& schema, Findings& findings, std::vector<FilledDefault>* defaults = nullptr);

} // namespace wb::snapshot
