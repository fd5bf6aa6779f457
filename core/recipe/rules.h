// Rules that no single field can know: what a whole job must satisfy. Each is a row.
//
// To add one: a function in the file of its subject (textrules, frontendrules, ...) and a row in rules.cpp. Ids are written into users'
// files: never renamed. A rule reports at the key that makes the demand or must change, and notes the other key. Severity: error where the
// job cannot run, warning where it runs differently from what was written.
#pragma once

#include "core/recipe/job.h"
#include "core/syntax/diagnostic.h"
#include "core/syntax/sections.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wb::recipe {

struct FlagUses;

/// What a rule may know beside the job.
struct RuleFacts {
    const TextPairs* environment = nullptr; ///< Variables of the shell that submits; null or empty: not known.
    syntax::Sections sections = {};         ///< Of the text that the job was made from.
};

/// Takes what a rule finds; knows where things stand. Paths are dotted and those of schema 1.
class RuleFindings
{
public:
    RuleFindings(const Job& job, const RuleFacts& facts, std::vector<syntax::Diagnostic>& out)
        : m_job(job)
        , m_facts(facts)
        , m_out(out)
    {
    }

    [[nodiscard]] const Job& job() const { return m_job; }
    [[nodiscard]] const RuleFacts& facts() const { return m_facts; }
    /// In the words of the rule's language: rules of schema 2 alone see the recipe as written, all others the keys of schema 1.
    [[nodiscard]] syntax::ValuePtr at(std::string_view path) const { return syntax::at(root(), path); }
    [[nodiscard]] const syntax::ValuePtr& root() const { return isOfSecond ? m_job.written : m_job.config; }

    /// At the value of the first path that stands in a text; else at its key, else at the key of the block around it. The reference is good
    /// until the next report.
    syntax::Diagnostic& report(std::string_view path, syntax::Severity severity, std::string message);
    /// At a key of a free mapping, whose name may hold dots, or at its value; `path` is that of the mapping.
    syntax::Diagnostic& reportKey(std::string_view path, const syntax::Member& member, syntax::Severity severity, std::string message);
    syntax::Diagnostic& reportValue(std::string_view path, const syntax::Member& member, syntax::Severity severity, std::string message);
    /// At an item of a list.
    syntax::Diagnostic& reportItem(std::string_view path, std::size_t index, syntax::Severity severity, std::string message);
    /// A note at the other key that takes part, found as `report` finds its place; none when nothing of it stands in a text.
    void note(syntax::Diagnostic& problem, std::string_view path, std::string message) const;

    /// The engine flags of the job with what the tables say of them; worked out once.
    [[nodiscard]] const FlagUses& flagUses();

    std::string_view rule;   ///< Id of the rule that runs.
    bool isOfSecond = false; ///< It belongs to schema 2 alone.

private:
    struct Place {
        syntax::Range range;
        syntax::Source source = syntax::Source::Recipe;
    };
    [[nodiscard]] Place placeOf(std::string_view path) const;
    syntax::Diagnostic& add(std::string path, Place place, syntax::Severity severity, std::string message);

    const Job& m_job;
    const RuleFacts& m_facts;
    std::vector<syntax::Diagnostic>& m_out;
    std::shared_ptr<const FlagUses> m_flagUses;
};

/// The languages a rule belongs to.
enum class Packs { Both, First, Second };

/// What a rule looks at, for a recipe in which something is wrong already.
enum class Reach {
    Job,   ///< Several blocks.
    Own,   ///< The key alone at which it reports.
    Flags, ///< Engine flags, and which engine it is.
};

struct Rule {
    std::string_view id;
    Packs packs;
    std::string_view doc; ///< What must hold, and why.
    void (*check)(RuleFindings&);
    Reach reach = Reach::Job;
};

[[nodiscard]] std::span<const Rule> rules();
[[nodiscard]] std::vector<syntax::Diagnostic> checkRules(const Job& job, const RuleFacts& facts = {});
/// For a job whose keys have errors already, with defaults in their places: only what looks at nothing that is wrong, so that one problem
/// hides no other one and makes none up.
[[nodiscard]] std::vector<syntax::Diagnostic> checkRulesBeside(const std::vector<syntax::Diagnostic>& errors, const Job& job,
                                                               const RuleFacts& facts = {});
/// The errors leave alone what nodes, workers and engines are worked out from.
[[nodiscard]] bool isLayoutSound(const std::vector<syntax::Diagnostic>& errors);

} // namespace wb::recipe
