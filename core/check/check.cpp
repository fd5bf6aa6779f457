#include "core/check/check.h"

#include "core/base/text.h"
#include "core/recipe/defaults.h"
#include "core/recipe/lower.h"
#include "core/recipe/reader.h"
#include "core/recipe/rules.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <unordered_map>

namespace wb::check {

using syntax::Code;
using syntax::Diagnostic;
using syntax::Severity;
using syntax::Value;
using syntax::ValuePtr;

namespace {

constexpr std::array<std::string_view, 5> recipeKeys = {"base", "name", "model", "resources", "schema"};

bool looksLikeRecipe(const syntax::Parsed& parsed)
{
    if (!parsed.root || !parsed.root->isMapping() || !parsed.complete)
        return true; // broken or empty: its errors must be seen
    return std::any_of(recipeKeys.begin(), recipeKeys.end(), [&](std::string_view key) { return parsed.root->member(key); });
}

bool isSecondLanguage(const ValuePtr& root)
{
    if (!root || !root->isMapping())
        return false;
    const auto hasKey = [](const Value& mapping) {
        return mapping.member("schema") || mapping.member("roles") || mapping.member("engine");
    };
    const ValuePtr base = root->find("base");
    return hasKey(*root) || (base && hasKey(*base));
}

/// Hashes of values by their data; shared parts are hashed once. Used to find jobs that are the same.
class Hasher
{
public:
    std::size_t of(const Value& value)
    {
        if (value.isScalar())
            return scalar(value);
        if (const auto kept = m_kept.find(&value); kept != m_kept.end())
            return kept->second;
        std::size_t hash = static_cast<std::size_t>(value.kind) + 17;
        for (const ValuePtr& item : value.items)
            hash = mixed(hash * 1'000'003 + of(*item));
        // The order of keys does not count, hence the sum; each part is mixed well, or {a: 1, b: 2} and {a: 2, b: 1} would meet.
        for (const syntax::Member& member : value.members)
            hash += ofMember(member);
        hash = mixed(hash);
        m_kept.emplace(&value, hash);
        return hash;
    }

    std::size_t ofAllButName(const Value& config)
    {
        std::size_t hash = 0;
        for (const syntax::Member& member : config.members) {
            if (member.key != "name")
                hash += ofMember(member);
        }
        return hash;
    }

private:
    std::size_t ofMember(const syntax::Member& member) { return mixed(std::hash<std::string>{}(member.key) * 31 + of(*member.value)); }

    static std::size_t scalar(const Value& value)
    {
        const auto kind = static_cast<std::size_t>(value.kind);
        switch (value.kind) {
        case syntax::Kind::Bool:
            return kind * 131 + (value.boolean ? 1 : 0);
        case syntax::Kind::Integer:
            return kind * 131 + std::hash<std::int64_t>{}(value.integer);
        case syntax::Kind::Float:
            return kind * 131 + std::hash<double>{}(value.number);
        case syntax::Kind::String:
        case syntax::Kind::Timestamp:
            return kind * 131 + std::hash<std::string>{}(value.text);
        default:
            return kind;
        }
    }

    /// The finaliser of SplitMix64.
    static std::size_t mixed(std::size_t bits)
    {
        std::uint64_t x = bits;
        x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
        x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
        return static_cast<std::size_t>(x ^ (x >> 31U));
    }

    std::unordered_map<const Value*, std::size_t> m_kept;
};

/// Of two configurations of one pack, which have the same keys at the top.
bool isSameButName(const Value& a, const Value& b)
{
    return std::equal(a.members.begin(), a.members.end(), b.members.begin(), b.members.end(),
                      [](const syntax::Member& x, const syntax::Member& y) {
                          return x.key == y.key && (x.key == "name" || syntax::sameData(*x.value, *y.value));
                      });
}

class Checker
{
public:
    Checker(std::shared_ptr<const syntax::SourceText> source, const Facts& facts, const Options& options, std::stop_token stop)
        : m_facts(facts)
        , m_options(options)
        , m_stop(std::move(stop))
    {
        m_out.source = source;
        m_out.clusterSource = facts.clusterSource;
        m_out.version = options.version;
        m_out.parsed = syntax::parse(std::move(source));
        m_out.diagnostics = m_out.parsed.diagnostics;
    }

    Checked run()
    {
        if (!m_options.isNamed && !m_facts.pack && !looksLikeRecipe(m_out.parsed))
            return std::move(m_out);
        const auto pack = m_facts.pack ? m_facts.pack : schema::builtInPack(isSecondLanguage(m_out.parsed.root) ? "v2" : "v1");
        if (!pack) {
            m_out.pack = "v2";
            reportOtherLanguage();
            finish();
            return std::move(m_out);
        }
        m_out.pack = pack->id();
        const bool isEmpty = !m_out.parsed.root || (m_out.parsed.root->isNull() && m_out.parsed.complete);
        if (isEmpty) {
            if (m_out.diagnostics.empty())
                report(Code::EmptyDocument, {0, 0}, "The file holds no recipe: it is empty or all comments.");
        } else {
            checkVariants(pack);
        }
        finish();
        return std::move(m_out);
    }

private:
    Diagnostic& report(Code code, syntax::Range range, std::string message, Severity severity = Severity::Error)
    {
        Diagnostic problem;
        problem.code = code;
        problem.severity = severity;
        problem.range = range;
        problem.message = std::move(message);
        m_out.diagnostics.push_back(std::move(problem));
        return m_out.diagnostics.back();
    }

    void reportOtherLanguage()
    {
        syntax::Range at;
        const auto look = [&](const ValuePtr& mapping) {
            for (const std::string_view key : {"schema", "roles", "engine"}) {
                if (const syntax::Member* member = mapping ? mapping->member(key) : nullptr; member && at.isEmpty())
                    at = member->keyRange;
            }
        };
        look(m_out.parsed.root);
        look(m_out.parsed.root->find("base"));
        report(Code::OtherLanguage, at,
               "This recipe is written in schema 2 of the language, which this version cannot check; choose --pack v1 to read it as schema "
               "1.");
    }

    void checkVariants(const std::shared_ptr<const schema::Pack>& pack)
    {
        expand::Options expansion = m_options.expansion;
        expansion.pack = pack;
        expand::Expanded expanded = expand::expand(m_out.parsed, expansion);
        m_out.form = expanded.form;
        std::move(expanded.diagnostics.begin(), expanded.diagnostics.end(), std::back_inserter(m_out.diagnostics));
        recipe::Reader reader(pack);
        m_out.variants.reserve(expanded.variants.size());
        for (expand::Variant& variant : expanded.variants) {
            if (m_stop.stop_requested())
                return;
            m_out.variants.push_back(checkVariant(reader, std::move(variant)));
        }
        findDoubles();
    }

    CheckedVariant checkVariant(recipe::Reader& reader, expand::Variant variant)
    {
        CheckedVariant out;
        ValuePtr document = variant.document;
        if (m_facts.cluster)
            document = recipe::withClusterDefaults(document, *m_facts.cluster);
        document = recipe::withObservability(document);
        recipe::Reader::Outcome read = reader.read(document);
        const ValuePtr name = document && document->isMapping() ? document->find("name") : nullptr;
        if (name && name->isString())
            out.name = name->text;
        dropCutOff(read.diagnostics);
        out.valid = !syntax::hasErrors(read.diagnostics);
        out.config = recipe::withDerived(read.config);
        read.config = out.config;
        if (out.valid && (m_out.parsed.complete || m_out.parsed.mended)) {
            auto job = std::make_shared<recipe::Job>(recipe::lower(read.config));
            append(read.diagnostics, recipe::checkRules(*job, {&m_facts.environment}));
            if (std::none_of(read.diagnostics.begin(), read.diagnostics.end(), isAboutResources)) {
                plan::Plan planned = plan::plan(*job, cluster());
                out.counts = planned.counts;
                append(read.diagnostics, std::move(planned.diagnostics));
            }
            out.valid = !syntax::hasErrors(read.diagnostics);
            if (out.valid && m_out.parsed.complete) // what was mended is a guess: nobody shall run it
                out.job = std::move(job);
        }
        out.valid = out.valid && m_out.parsed.complete;
        for (Diagnostic& problem : read.diagnostics) {
            if (variant.suffix)
                problem.variant = *variant.suffix;
            m_out.diagnostics.push_back(std::move(problem));
        }
        out.variant = std::move(variant);
        return out;
    }

    /// Of a text that could be read up to some place only, what comes behind it is not missing, and the value of the last key is not null.
    /// Of one that was mended, what was left out may be what seems to be missing.
    void dropCutOff(std::vector<Diagnostic>& found) const
    {
        const syntax::Parsed& parsed = m_out.parsed;
        if (parsed.complete)
            return;
        const auto isCut = [](const Diagnostic& d) {
            return d.severity == Severity::Error &&
                   (d.code == Code::YamlSyntax || d.code == Code::Tab || d.code == Code::ConflictMarker || d.code == Code::TooDeep);
        };
        const auto lineOf = [&](const Diagnostic& d) { return m_out.source->lineCol(d.range.begin).line; };
        std::vector<std::size_t> cuts;
        for (const Diagnostic& problem : parsed.diagnostics) {
            if (isCut(problem))
                cuts.push_back(lineOf(problem));
        }
        if (cuts.empty())
            return;
        const auto isAtCut = [&](std::size_t line) {
            return std::any_of(cuts.begin(), cuts.end(), [&](std::size_t cut) {
                return parsed.mended ? line <= cut && cut <= line + 1 : line + 1 >= cut;
            });
        };
        const bool mayMiss = parsed.lossy || !parsed.mended;
        std::erase_if(found, [&](const Diagnostic& d) {
            if (d.source != syntax::Source::Recipe)
                return false;
            const bool isOfTheLine = parsed.mended && std::find(cuts.begin(), cuts.end(), lineOf(d)) != cuts.end();
            const bool isLast = d.code == Code::NotNull && isAtCut(lineOf(d));
            return isOfTheLine || (mayMiss && (d.code == Code::MissingKey || isLast));
        });
    }

    /// An error about nodes and workers: the plan would say the same again.
    static bool isAboutResources(const Diagnostic& problem)
    {
        return problem.severity == Severity::Error && problem.path.starts_with("resources");
    }

    static void append(std::vector<Diagnostic>& all, std::vector<Diagnostic> more)
    {
        std::move(more.begin(), more.end(), std::back_inserter(all));
    }

    const recipe::Cluster& cluster() const
    {
        static const recipe::Cluster none;
        return m_facts.cluster ? *m_facts.cluster : none;
    }

    void findDoubles()
    {
        Hasher hasher;
        std::unordered_map<std::size_t, std::vector<std::size_t>> byHash;
        std::map<std::string, std::size_t> byName;
        for (std::size_t i = 0; i < m_out.variants.size(); ++i) {
            CheckedVariant& variant = m_out.variants[i];
            if (!variant.job)
                continue;
            std::vector<std::size_t>& same = byHash[hasher.ofAllButName(*variant.config)];
            for (const std::size_t earlier : same) {
                if (!variant.duplicateOf && isSameButName(*m_out.variants[earlier].config, *variant.config))
                    variant.duplicateOf = earlier;
            }
            if (!variant.duplicateOf) // one of each kind is enough to compare with
                same.push_back(i);
            if (variant.duplicateOf)
                reportDouble(variant, m_out.variants[*variant.duplicateOf], Code::DuplicateJob);
            const auto [named, isNew] = byName.emplace(variant.name, i);
            if (!isNew && !variant.duplicateOf)
                reportDouble(variant, m_out.variants[named->second], Code::SameName);
        }
    }

    void reportDouble(const CheckedVariant& variant, const CheckedVariant& earlier, Code code)
    {
        if (m_out.form == expand::Form::Sweep) // an unused parameter has been told, and is the cause
            return;
        const bool isSameJob = code == Code::DuplicateJob;
        Diagnostic& problem = report(code, isSameJob ? variant.variant.sectionRange : nameRange(variant),
                                     isSameJob ? "The job " + base::inQuotes(variant.name) + " is the same as " +
                                                     base::inQuotes(earlier.name) + " but for its name."
                                               : "Two jobs of this file are called " + base::inQuotes(variant.name) + ".",
                                     Severity::Warning);
        problem.variant = variant.variant.suffix.value_or("");
        problem.notes.push_back({"The other job.", isSameJob ? earlier.variant.sectionRange : nameRange(earlier), syntax::Source::Recipe});
    }

    /// Where the name of the job is written, else the section that it was made from.
    static syntax::Range nameRange(const CheckedVariant& variant)
    {
        const ValuePtr name = variant.variant.document->find("name");
        return name && !name->range.isEmpty() ? name->range : variant.variant.sectionRange;
    }

    void reportClusterFile()
    {
        if (!syntax::hasErrors(m_facts.clusterProblems))
            return;
        Diagnostic problem;
        problem.code = Code::ClusterFile;
        problem.source = syntax::Source::Cluster;
        problem.message = "The cluster file has errors, so none of its defaults and aliases are in force.";
        for (const Diagnostic& found : m_facts.clusterProblems) {
            if (found.severity != Severity::Error)
                continue;
            if (problem.notes.empty())
                problem.range = found.range;
            problem.notes.push_back({found.message, found.range, syntax::Source::Cluster});
        }
        m_out.diagnostics.push_back(std::move(problem));
    }

    void finish()
    {
        reportClusterFile();
        dropHintsAtErrors();
        syntax::sortAndUnite(m_out.diagnostics);
        m_out.valid = !syntax::hasErrors(m_out.diagnostics);
    }

    /// A value in an old notation that is refused where it stands is told once, by the error.
    void dropHintsAtErrors()
    {
        const auto isNotation = [](const Diagnostic& d) {
            return d.severity != Severity::Error && (d.code == Code::BaseSixty || d.code == Code::OldNumber || d.code == Code::WordBoolean);
        };
        if (std::none_of(m_out.diagnostics.begin(), m_out.diagnostics.end(), isNotation))
            return;
        std::set<std::size_t> refused;
        for (const Diagnostic& problem : m_out.diagnostics) {
            if (problem.severity == Severity::Error && problem.source == syntax::Source::Recipe)
                refused.insert(problem.range.begin);
        }
        std::erase_if(m_out.diagnostics, [&](const Diagnostic& d) {
            return isNotation(d) && d.source == syntax::Source::Recipe && refused.contains(d.range.begin);
        });
    }

    const Facts& m_facts;
    const Options& m_options;
    std::stop_token m_stop;
    Checked m_out;
};

} // namespace

Checked check(std::shared_ptr<const syntax::SourceText> source, const Facts& facts, const Options& options, std::stop_token stop)
{
    return Checker(std::move(source), facts, options, std::move(stop)).run();
}

ClusterFile readCluster(std::shared_ptr<const syntax::SourceText> source)
{
    ClusterFile out;
    out.source = source;
    const syntax::Parsed parsed = syntax::parse(source, syntax::Source::Cluster);
    out.diagnostics = parsed.diagnostics;
    if (parsed.root) {
        recipe::Reader reader(schema::builtInPack("cluster"));
        recipe::Reader::Outcome read = reader.read(parsed.root);
        std::move(read.diagnostics.begin(), read.diagnostics.end(), std::back_inserter(out.diagnostics));
        if (!syntax::hasErrors(out.diagnostics))
            out.cluster = std::make_shared<recipe::Cluster>(recipe::lowerCluster(read.config, source->path()));
    }
    syntax::sortAndUnite(out.diagnostics);
    return out;
}

Facts factsFor(const ClusterFile& file)
{
    Facts facts;
    facts.cluster = file.cluster;
    facts.clusterSource = file.source;
    facts.clusterProblems = file.diagnostics;
    return facts;
}

std::string resolvedYaml(const Checked& checked, std::size_t variant)
{
    const expand::Variant& chosen = checked.variants.at(variant).variant;
    const bool isUntouched = checked.form == expand::Form::Plain && chosen.document == checked.parsed.root;
    if (isUntouched)
        return checked.source->text();
    return chosen.document ? syntax::emit(*chosen.document) : std::string();
}

} // namespace wb::check
