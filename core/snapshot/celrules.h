// The CEL rules of the schemas, evaluated by us. A rule is known by its exact text; one that is not known is told as "checked by the server
// only", never as passed. Rules on the old object (`oldSelf`) hold for changes alone and are left out for new objects.
//
// To add one: a row with the rule's text and a function in celrules.cpp.
#pragma once

#include "core/snapshot/crd.h"
#include "core/snapshot/findings.h"

#include <string_view>

namespace wb::snapshot {

/// True when the text is one of the rules that are evaluated here, or one on changes.
[[nodiscard]] bool isKnownRule(std::string_view rule);

/// The rules of this node, with defaults filled in as the server does before. A rule that reads a part that is not there is left to the
/// schema's own findings.
void checkRules(const Node& node, const Schema& schema, Findings& findings);

} // namespace wb::snapshot
