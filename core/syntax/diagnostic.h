// What is wrong with a recipe, where, and what would mend it: data only, printed and applied by others.
#pragma once

#include "core/syntax/codes.h"
#include "core/syntax/source.h"

#include <string>
#include <string_view>
#include <vector>

namespace wb::syntax {

enum class Severity { Error, Warning, Info, Hint };

/// Which text a range counts in.
enum class Source { Recipe, Cluster, CommandLine };

/// A second place that belongs to the problem.
struct Note {
    std::string message;
    Range range;
    Source source = Source::Recipe;

    friend bool operator==(const Note&, const Note&) = default;
};

/// Replaces the bytes of the range.
struct TextEdit {
    Range range;
    std::string text;

    friend bool operator==(const TextEdit&, const TextEdit&) = default;
};

/// One way to mend a problem; several fixes of one diagnostic are alternatives. The title is an imperative: `Change to "nodes"`.
struct Fix {
    std::string title;
    std::vector<TextEdit> edits;

    friend bool operator==(const Fix&, const Fix&) = default;
};

struct Diagnostic {
    Code code = Code::YamlSyntax;
    Severity severity = Severity::Error;
    Range range;
    Source source = Source::Recipe;
    std::string rule;    ///< Code::Rule: id of the rule ("job-name").
    std::string path;    ///< Dotted key path of what is wrong, as far as known: "resources.gpu_type".
    std::string variant; ///< Suffix of the variant in which it was found; empty when it holds for the text as such.
    std::string message; ///< One sentence.
    std::vector<Note> notes;
    std::vector<Fix> fixes;

    friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

/// What users see and write down: the rule's id, else the code's.
[[nodiscard]] std::string_view id(const Diagnostic& diagnostic);
[[nodiscard]] std::string_view name(Severity severity); ///< "error", "warning", "info", "hint"
[[nodiscard]] std::string_view name(Source source);     ///< "recipe", "cluster", "cli"

/// By place, then severity, then code; doubles (same code, place and message) are dropped, the first one's variant stays.
void sortAndUnite(std::vector<Diagnostic>& diagnostics);

[[nodiscard]] bool hasErrors(const std::vector<Diagnostic>& diagnostics);

/// The text with the edits made; the edits must not overlap.
[[nodiscard]] std::string applyEdits(const std::string& text, std::vector<TextEdit> edits);

} // namespace wb::syntax
