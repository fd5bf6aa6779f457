#include "ui/editor/problemlayer.h"

#include <algorithm>
#include <utility>

namespace wb::ui {
namespace {

/// Brings the edits along; false when the text at one of them has changed.
bool moveEdits(syntax::Fix& fix, const TextChange& change)
{
    for (syntax::TextEdit& edit : fix.edits) {
        const std::optional<syntax::Range> moved = movedAlong(edit.range, change);
        if (!moved || touches(change, edit.range))
            return false;
        edit.range = *moved;
    }
    return true;
}

} // namespace

void ProblemLayer::set(std::string_view source, std::string_view now, const std::vector<syntax::Diagnostic>& problems)
{
    clear();
    for (const syntax::Diagnostic& problem : problems) {
        if (problem.source != syntax::Source::Recipe)
            continue;
        syntax::Diagnostic shown = problem;
        shown.range.end = std::min(std::max(shown.range.begin, shown.range.end), source.size());
        shown.range.begin = std::min(shown.range.begin, shown.range.end);
        m_problems.push_back(std::move(shown));
    }
    std::stable_sort(m_problems.begin(), m_problems.end(), [](const auto& a, const auto& b) { return a.range < b.range; });
    for (std::size_t i = 0; i < m_problems.size(); ++i) {
        for (const syntax::Fix& fix : m_problems[i].fixes)
            m_fixes.push_back({.given = fix, .now = fix, .problem = i});
    }
    if (source != now)
        follow(changeBetween(source, now));
}

void ProblemLayer::clear()
{
    m_problems.clear();
    m_fixes.clear();
}

void ProblemLayer::follow(const TextChange& change)
{
    if (change.isEmpty() || m_problems.empty())
        return;
    std::vector<std::size_t> newIndex(m_problems.size(), m_problems.size());
    std::vector<bool> wasTouched(m_problems.size(), false);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < m_problems.size(); ++i) {
        syntax::Diagnostic& problem = m_problems[i];
        const std::optional<syntax::Range> moved = movedAlong(problem.range, change);
        if (!moved)
            continue;
        wasTouched[i] = touches(change, problem.range);
        problem.range = *moved;
        std::erase_if(problem.notes, [&change](syntax::Note& note) {
            if (note.source != syntax::Source::Recipe)
                return false;
            const std::optional<syntax::Range> place = movedAlong(note.range, change);
            if (place)
                note.range = *place;
            return !place;
        });
        newIndex[i] = kept;
        if (kept != i)
            m_problems[kept] = std::move(problem);
        ++kept;
    }
    for (Tracked& fix : m_fixes) {
        if (newIndex[fix.problem] == m_problems.size() || wasTouched[fix.problem] || (fix.now && !moveEdits(*fix.now, change)))
            fix.now.reset();
    }
    const std::size_t gone = m_problems.size();
    std::erase_if(m_fixes, [&](const Tracked& fix) { return newIndex[fix.problem] == gone || !fix.now; });
    for (Tracked& fix : m_fixes)
        fix.problem = newIndex[fix.problem];
    m_problems.resize(kept);
    refreshFixes();
}

void ProblemLayer::refreshFixes()
{
    for (syntax::Diagnostic& problem : m_problems)
        problem.fixes.clear();
    for (const Tracked& fix : m_fixes)
        m_problems[fix.problem].fixes.push_back(*fix.now);
}

std::vector<std::size_t> ProblemLayer::within(syntax::Range range) const
{
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < m_problems.size() && m_problems[i].range.begin <= range.end; ++i) {
        const syntax::Range& place = m_problems[i].range;
        const bool touchesIt = place.begin <= range.end && range.begin <= place.end;
        // Between two neighbours both are meant, but a range that only ends where a longer one begins is not.
        if (place.overlaps(range) || (touchesIt && (place.isEmpty() || range.isEmpty())))
            found.push_back(i);
    }
    std::stable_sort(found.begin(), found.end(),
                     [this](std::size_t a, std::size_t b) { return m_problems[a].severity < m_problems[b].severity; });
    return found;
}

std::optional<std::vector<syntax::TextEdit>> ProblemLayer::editsOf(const syntax::Fix& given) const
{
    const auto found = std::find_if(m_fixes.begin(), m_fixes.end(), [&given](const Tracked& fix) { return fix.given == given; });
    if (found == m_fixes.end())
        return std::nullopt;
    return found->now->edits;
}

std::optional<std::size_t> ProblemLayer::after(std::size_t offset) const
{
    if (m_problems.empty())
        return std::nullopt;
    const auto next = std::upper_bound(m_problems.begin(), m_problems.end(), offset,
                                       [](std::size_t value, const syntax::Diagnostic& problem) { return value < problem.range.begin; });
    return next == m_problems.end() ? 0 : static_cast<std::size_t>(next - m_problems.begin());
}

std::optional<std::size_t> ProblemLayer::before(std::size_t offset) const
{
    if (m_problems.empty())
        return std::nullopt;
    const auto next = std::lower_bound(m_problems.begin(), m_problems.end(), offset,
                                       [](const syntax::Diagnostic& problem, std::size_t value) { return problem.range.begin < value; });
    return (next == m_problems.begin() ? m_problems.size() : static_cast<std::size_t>(next - m_problems.begin())) - 1;
}

} // namespace wb::ui
