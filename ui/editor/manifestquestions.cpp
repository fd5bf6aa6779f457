#include "ui/editor/manifestquestions.h"

#include "core/base/text.h"
#include "core/snapshot/manifestassist.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace wb::ui {

namespace {

/// Facts are the lines with a label ("Default: 3600"), sentences the others.
void addLine(std::string_view line, assist::Hover& out)
{
    const std::size_t colon = line.find(": ");
    constexpr std::size_t longestLabel = 24;
    if (colon != std::string_view::npos && colon <= longestLabel) {
        out.facts.push_back({std::string(line.substr(0, colon)), std::string(line.substr(colon + 2)), false});
        return;
    }
    if (!out.doc.empty())
        out.doc += ' ';
    out.doc += line;
}

} // namespace

ManifestQuestions::ManifestQuestions(std::shared_ptr<const syntax::SourceText> source, std::shared_ptr<const snapshot::CrdSet> crds)
    : m_source(std::move(source))
    , m_crds(crds ? std::move(crds) : snapshot::builtinCrds(snapshot::builtinCrdNames().front()))
{
}

assist::Completions ManifestQuestions::completionsAt(std::size_t offset) const
{
    const std::string& text = m_source->text();
    offset = std::min(offset, text.size());
    const snapshot::ManifestPlace place = snapshot::manifestPlaceAt(*m_source, offset);
    assist::Completions out;
    out.word = {std::min(place.word.begin, offset), std::max(place.word.end, offset)};
    out.prefix = text.substr(out.word.begin, offset - out.word.begin);
    const bool hasColon = !place.isValue && text.compare(out.word.end, 1, ":") == 0;
    for (const snapshot::ManifestCompletion& one : snapshot::completionsAt(*m_source, offset, *m_crds)) {
        std::string label(base::trimmed(one.text));
        if (!place.isValue && label.ends_with(':'))
            label.pop_back();
        if (assist::fit(out.prefix, label) == 0)
            continue;
        out.isComplete = out.isComplete || (!out.prefix.empty() && label == out.prefix);
        std::string written = hasColon ? label : one.text;
        const std::size_t cursor = written.size();
        out.items.push_back({.kind = place.isValue ? assist::CompletionKind::Value : assist::CompletionKind::Key,
                             .label = std::move(label),
                             .detail = one.detail,
                             .doc = {},
                             .isRequired = one.isRequired,
                             .isDoubtful = false,
                             .edit = {out.word, std::move(written)},
                             .cursor = cursor,
                             .opensNext = !place.isValue && !hasColon && one.text.ends_with(' ')});
    }
    std::stable_sort(out.items.begin(), out.items.end(), [&](const assist::Completion& a, const assist::Completion& b) {
        return assist::fit(out.prefix, a.label) > assist::fit(out.prefix, b.label);
    });
    return out;
}

std::optional<assist::Hover> ManifestQuestions::hoverAt(std::size_t offset) const
{
    const auto found = snapshot::hoverAt(*m_source, offset, *m_crds);
    if (!found)
        return std::nullopt;
    assist::Hover out;
    out.range = found->range;
    out.title = found->title;
    for (const std::string_view line : base::splitAt(found->text, '\n')) {
        if (!line.empty())
            addLine(line, out);
    }
    return out;
}

} // namespace wb::ui
