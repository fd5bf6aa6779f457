// Diagnostics as JSON, as text, and for the annotations of a code host.
#pragma once

#include "app/cli/console.h"
#include "core/check/check.h"

#include <string>

namespace wb::cli {

/// The contract's D object.
[[nodiscard]] base::json::Value toJson(const syntax::Diagnostic& diagnostic, const check::Checked& checked);
[[nodiscard]] base::json::Value toJson(const std::vector<syntax::Diagnostic>& diagnostics, const check::Checked& checked);

/// `path:line:column: error: message`, the line with the place marked, notes and fixes.
[[nodiscard]] std::string asText(const syntax::Diagnostic& diagnostic, const check::Checked& checked, bool hasColour);
/// A workflow command of GitHub Actions.
[[nodiscard]] std::string asAnnotation(const syntax::Diagnostic& diagnostic, const check::Checked& checked);

/// A file or folder that could not be read, as a D object without a place, as text for code hosts.
[[nodiscard]] base::json::Value toJson(const Error& unread);
[[nodiscard]] std::string asAnnotation(const Error& unread);

/// Where a diagnostic stands; line 0 for what the command line asks of the file.
struct Spot {
    std::string path;
    syntax::LineCol begin{0, 0};
    syntax::LineCol end{0, 0};
};
[[nodiscard]] Spot spotOf(syntax::Source source, syntax::Range range, const check::Checked& checked);

} // namespace wb::cli
