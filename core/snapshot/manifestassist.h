// Completion and hover in a manifest, from the schemas in force. Works on texts that are being typed: where the cursor is follows from the
// lines and their indentation, as a reader sees it, and needs no whole YAML.
#pragma once

#include "core/snapshot/crd.h"
#include "core/syntax/source.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace wb::snapshot {

/// Where the cursor stands: keys and "[]" for lists from the object's root.
struct ManifestPlace {
    std::string apiVersion;
    std::string kind;
    std::vector<std::string> path; ///< Of the mapping, or of the key whose value is being written.
    std::string key;               ///< The key on the cursor's line, or the beginning of one.
    bool isValue = false;          ///< Behind the colon.
    syntax::Range word;            ///< What a completion replaces.
};
[[nodiscard]] ManifestPlace manifestPlaceAt(const syntax::SourceText& source, std::size_t offset);

struct ManifestCompletion {
    std::string text;   ///< What is inserted: "name: ", "Recreate".
    std::string detail; ///< "string, required"
    bool isRequired = false;

    friend bool operator==(const ManifestCompletion&, const ManifestCompletion&) = default;
};
/// What fits at the cursor: keys that the mapping does not have yet, required ones first; or values of a choice, boolean, apiVersion or
/// kind. Not filtered by what is typed.
[[nodiscard]] std::vector<ManifestCompletion> completionsAt(const syntax::SourceText& source, std::size_t offset, const CrdSet& crds);

struct ManifestHover {
    syntax::Range range; ///< Of the key.
    std::string title;   ///< ".spec.activeDeadlineSeconds: integer (int64)"
    std::string text;    ///< Lines: required, default, limits, rules, description.
};
/// What is known of the key under the cursor; nothing where there is none or the schema does not know it.
[[nodiscard]] std::optional<ManifestHover> hoverAt(const syntax::SourceText& source, std::size_t offset, const CrdSet& crds);

} // namespace wb::snapshot
