#pragma once

#include "core/assist/completion.h"
#include "core/assist/hover.h"
#include "core/snapshot/crd.h"
#include "core/syntax/source.h"

#include <cstddef>
#include <memory>
#include <optional>

namespace wb::ui {

/// What can be written and what stands in a manifest of Kubernetes, in the shapes in which the editor shows the same of recipes.
class ManifestQuestions final
{
public:
    /// `crds`: the schemas in force; null: the newest that are built in.
    ManifestQuestions(std::shared_ptr<const syntax::SourceText> source, std::shared_ptr<const snapshot::CrdSet> crds);

    /// Those that fit what stands before the offset (bytes).
    [[nodiscard]] assist::Completions completionsAt(std::size_t offset) const;
    [[nodiscard]] std::optional<assist::Hover> hoverAt(std::size_t offset) const;

private:
    std::shared_ptr<const syntax::SourceText> m_source;
    std::shared_ptr<const snapshot::CrdSet> m_crds;
};

} // namespace wb::ui
