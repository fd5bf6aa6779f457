// The one entry for live validation, `srtwb check`, the form and the tests: text -> tree -> variants -> jobs, with every problem found.
#pragma once

#include "core/expand/variant.h"
#include "core/plan/topology.h"
#include "core/recipe/job.h"
#include "core/schema/pack.h"
#include "core/syntax/yaml.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace wb::check {

/// What a check is made against; core reads no environment, so the caller passes it in.
struct Facts {
    std::shared_ptr<const schema::Pack> pack;                ///< Null: chosen by content.
    std::shared_ptr<const recipe::Cluster> cluster;          ///< Null: no cluster file.
    std::shared_ptr<const syntax::SourceText> clusterSource; ///< Text of the cluster file: places of source Cluster count in it.
    std::vector<syntax::Diagnostic> clusterProblems;         ///< Of the cluster file itself; an error there makes its defaults inactive.
    /// The same file as srtctl 2.x reads it, for recipes in schema 2: it has further keys, and an unknown one drops the file in either.
    std::shared_ptr<const recipe::Cluster> clusterOfSecond;
    std::vector<syntax::Diagnostic> clusterProblemsOfSecond;
    recipe::TextPairs environment; ///< Variables that may be expanded ($VAR).
};

/// One job that the text stands for.
struct CheckedVariant {
    expand::Variant variant;
    std::string name;                       ///< Job name; empty when there is none.
    syntax::ValuePtr config;                ///< Resolved, in its own language, defaults written out; null when the shape is wrong.
    std::shared_ptr<const recipe::Job> job; ///< Null when the variant has an error.
    plan::Counts counts;                    ///< Zeros when there is no job.
    bool valid = false;
    std::size_t errors = 0;                 ///< Found while this job was checked; those that other jobs have too count here as well.
    std::size_t warnings = 0;               ///< Likewise.
    std::optional<std::size_t> duplicateOf; ///< Index of an earlier variant with the same resolved recipe but for its name.
};

struct Checked {
    std::shared_ptr<const syntax::SourceText> source;
    std::shared_ptr<const syntax::SourceText> clusterSource; ///< Null without a cluster file.
    std::size_t version = 0;                                 ///< Of the text, as the caller counts.
    syntax::Parsed parsed;
    std::optional<std::string> pack; ///< Id of the pack in use; nothing for a file that is no recipe (a cluster file, something else).
    int schema = 1;                  ///< Version of the language that the pack describes: 1 or 2.
    expand::Form form = expand::Form::Plain;
    std::vector<CheckedVariant> variants;
    std::vector<syntax::Diagnostic> diagnostics; ///< Sorted, united.
    bool valid = false;                          ///< No error.
};

struct Options {
    expand::Options expansion;
    std::size_t version = 0;
    bool isNamed = true; ///< The user named this very file: it is taken for a recipe also when it looks like none.
};

/// Never fails: what is wrong stands in the diagnostics. When stopped, what was done so far is given back.
[[nodiscard]] Checked check(std::shared_ptr<const syntax::SourceText> source, const Facts& facts, const Options& options = {},
                            std::stop_token stop = {});

/// The text is a cluster file (srtslurm.yaml): it gives recipes their defaults and names, and stands for no job.
[[nodiscard]] bool isClusterFile(const Checked& checked);

/// Where a value is defined that a recipe only names.
struct Definition {
    syntax::Source source = syntax::Source::Recipe; ///< Cluster: the range counts in `Checked::clusterSource`.
    syntax::Range range;
    std::string text; ///< What stands there, for a tooltip.
};
/// Of the name at the offset of the recipe's text: an image's or a model's in the cluster file, an alias's (`*name`) at its anchor. Nothing
/// where the text names nothing.
[[nodiscard]] std::optional<Definition> definitionOf(const Checked& checked, std::size_t offset);

/// A cluster file read and checked as each of the two languages reads it; `cluster` is null when it has errors.
struct ClusterFile {
    std::shared_ptr<const recipe::Cluster> cluster;
    std::shared_ptr<const syntax::SourceText> source;
    std::vector<syntax::Diagnostic> diagnostics;
    std::shared_ptr<const recipe::Cluster> clusterOfSecond;
    std::vector<syntax::Diagnostic> diagnosticsOfSecond;
};
/// `pack`: the language of cluster files; null: the built-in one.
[[nodiscard]] ClusterFile readCluster(std::shared_ptr<const syntax::SourceText> source, std::shared_ptr<const schema::Pack> pack = nullptr);

/// The cluster file of a folder.
struct FoundCluster {
    std::string path;    ///< Empty: there is none.
    std::string warning; ///< What was named, or is a link to nothing, and so was left out; else empty.
};
/// In the order of the language: what $SRTSLURM_CONFIG names, which ends the search even when it is not there, then srtslurm.yaml in the
/// folder and in the two above it, readable or not. `named` is that variable's value; an empty folder is the one that the program runs in.
[[nodiscard]] FoundCluster findClusterFile(const std::string& named, const std::string& folder = {});

/// Facts for a cluster file, problems included.
[[nodiscard]] Facts factsFor(const ClusterFile& file);

/// The cluster that was in force; the settings of a missing file when there was none.
[[nodiscard]] const recipe::Cluster& clusterOf(const Facts& facts, const Checked& checked);

/// The variant's recipe as YAML: comments and order of the source are kept where the text allows, else written anew.
[[nodiscard]] std::string resolvedYaml(const Checked& checked, std::size_t variant);

} // namespace wb::check
