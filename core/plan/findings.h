// Diagnostics of the plan, each at the value of the recipe that makes the demand.
#pragma once

#include "core/recipe/job.h"
#include "core/syntax/diagnostic.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace wb::plan {

/// Where a value of the resolved recipe stands.
struct Place {
    std::string path;
    syntax::Range range;
    syntax::Source source = syntax::Source::Recipe;
    bool isWritten = false; ///< The value itself stands in a text; else the range is that of the nearest thing that does.
};

/// The first of the dotted paths whose value is written in a text; else the key of the first one's nearest written ancestor.
[[nodiscard]] Place placeOf(const syntax::ValuePtr& config, std::initializer_list<std::string_view> paths);

class Findings {
public:
    Findings(const recipe::Job& job, std::vector<syntax::Diagnostic>& out) : m_job(job), m_out(out) {}

    /// Adds a diagnostic at the first written one of the paths. The reference is good until the next call.
    syntax::Diagnostic& add(syntax::Code code, syntax::Severity severity, std::initializer_list<std::string_view> paths, std::string message);
    /// Adds a note to the last diagnostic when the value is written in a text.
    Findings& note(std::initializer_list<std::string_view> paths, std::string message);

    [[nodiscard]] bool hasErrors() const { return syntax::hasErrors(m_out); }
    [[nodiscard]] const recipe::Job& job() const { return m_job; }

private:
    const recipe::Job& m_job;
    std::vector<syntax::Diagnostic>& m_out;
};

} // namespace wb::plan
