// Rules that no single field can know: what a whole job must satisfy. Each is a row.
//
// To add one: a function and a row in rules.cpp. Ids are written into users' files: never renamed.
#pragma once

#include "core/recipe/job.h"
#include "core/syntax/diagnostic.h"

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace wb::recipe {

struct FlagUses;

/// Takes what a rule finds; knows where things stand.
class RuleFindings
{
public:
    explicit RuleFindings(const Job& job, std::vector<syntax::Diagnostic>& out)
        : m_job(job)
        , m_out(out)
    {
    }

    [[nodiscard]] const Job& job() const { return m_job; }
    [[nodiscard]] syntax::ValuePtr at(std::string_view path) const { return syntax::at(m_job.config, path); }
    /// At the value of the first path that stands in a text; else at its key, else at the key of the block around it.
    syntax::Diagnostic& report(std::string_view path, syntax::Severity severity, std::string message);
    /// A note at the other key that takes part, found as `report` finds its place; none when nothing of it stands in a text.
    void note(syntax::Diagnostic& problem, std::string_view path, std::string message) const;

    /// The engine flags of the job with what the tables say of them; worked out once.
    [[nodiscard]] const FlagUses& flagUses();

    std::string_view rule; ///< Id of the rule that runs.

private:
    struct Place {
        syntax::Range range;
        syntax::Source source = syntax::Source::Recipe;
    };
    [[nodiscard]] Place placeOf(std::string_view path) const;

    const Job& m_job;
    std::vector<syntax::Diagnostic>& m_out;
    std::shared_ptr<const FlagUses> m_flagUses;
};

/// The languages a rule belongs to.
enum class Packs { Both, First, Second };

struct Rule {
    std::string_view id;
    Packs packs;
    std::string_view doc; ///< What must hold, and why.
    void (*check)(RuleFindings&);
};

[[nodiscard]] std::span<const Rule> rules();
[[nodiscard]] std::vector<syntax::Diagnostic> checkRules(const Job& job);

} // namespace wb::recipe
