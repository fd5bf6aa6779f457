#include "core/syntax/diagnostic.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <tuple>

namespace wb::syntax {

std::string_view id(const Diagnostic& diagnostic)
{
    return diagnostic.rule.empty() ? id(diagnostic.code) : std::string_view(diagnostic.rule);
}

std::string_view name(Severity severity)
{
    constexpr std::array<std::string_view, 4> names = {"error", "warning", "info", "hint"};
    return names.at(static_cast<std::size_t>(severity));
}

std::string_view name(Source source)
{
    constexpr std::array<std::string_view, 3> names = {"recipe", "cluster", "cli"};
    return names.at(static_cast<std::size_t>(source));
}

void sortAndUnite(std::vector<Diagnostic>& diagnostics)
{
    const auto place = [](const Diagnostic& d) { return std::tie(d.source, d.range, d.severity, d.code, d.message); };
    // Stable: among equals the first variant that showed the problem stays first, and it is the one that is kept.
    std::stable_sort(diagnostics.begin(), diagnostics.end(), [&](const Diagnostic& a, const Diagnostic& b) { return place(a) < place(b); });
    const auto doubled =
        std::unique(diagnostics.begin(), diagnostics.end(), [&](const Diagnostic& a, const Diagnostic& b) { return place(a) == place(b); });
    diagnostics.erase(doubled, diagnostics.end());
}

bool hasErrors(const std::vector<Diagnostic>& diagnostics)
{
    return std::any_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& d) { return d.severity == Severity::Error; });
}

std::string applyEdits(const std::string& text, std::vector<TextEdit> edits)
{
    std::stable_sort(edits.begin(), edits.end(), [](const TextEdit& a, const TextEdit& b) { return a.range < b.range; });
    std::string out;
    std::size_t done = 0;
    for (const TextEdit& edit : edits) {
        assert(edit.range.begin >= done && edit.range.begin <= edit.range.end && edit.range.end <= text.size());
        out.append(text, done, edit.range.begin - done);
        out += edit.text;
        done = edit.range.end;
    }
    out.append(text, done);
    return out;
}

} // namespace wb::syntax
