// The one entry for checking manifests: every document of a text against the schemas in force and Snapshot's Pod contract.
#pragma once

#include "core/snapshot/crd.h"
#include "core/snapshot/documents.h"
#include "core/snapshot/structural.h"
#include "core/syntax/diagnostic.h"
#include "core/syntax/source.h"

#include <memory>
#include <string>
#include <vector>

namespace wb::snapshot {

/// One object of a manifest. An object inside a List is one of its own.
struct CheckedObject {
    std::string apiVersion;
    std::string kind;
    std::string name;
    std::string space;      ///< Namespace; empty when the text does not say.
    std::string path;       ///< Of its root in the document: "", or ".items[2]" in a List.
    syntax::Range range;    ///< Of its root in the whole text.
    std::size_t offset = 0; ///< Where its document begins: its tree's ranges count from there.
    syntax::ValuePtr root;
    bool isChecked = false; ///< A schema was found for it.
};

struct CheckedManifest {
    std::shared_ptr<const syntax::SourceText> source;
    std::vector<CheckedObject> objects;
    std::vector<syntax::Diagnostic> findings; ///< By place.
    std::vector<FilledDefault> defaults;
    bool valid = true; ///< No error.

    /// At least one object was checked; a text without any has no verdict.
    [[nodiscard]] bool hasVerdict() const;
};

[[nodiscard]] CheckedManifest checkManifest(std::shared_ptr<const syntax::SourceText> source, const CrdSet& crds);

} // namespace wb::snapshot
