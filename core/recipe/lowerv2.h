// From a resolved configuration in schema 2 to the typed Job that both languages share.
#pragma once

#include "core/recipe/job.h"
#include "core/syntax/diagnostic.h"

#include <vector>

namespace wb::recipe {

/// `config` is a configuration in schema 2 that the Reader gave without an error.
[[nodiscard]] Job lowerSecond(const syntax::ValuePtr& config);

/// The part of a configuration in schema 2 that schema 1 can say, under the keys of schema 1. Values keep their places.
[[nodiscard]] syntax::ValuePtr inFirst(const syntax::ValuePtr& config);

/// What the artifacts of the job lack because this version cannot say yet what srtctl 2.x makes of it: each thing at its key.
[[nodiscard]] std::vector<syntax::Diagnostic> notRendered(const Job& job);

} // namespace wb::recipe
