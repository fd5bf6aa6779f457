#include "core/check/check.h"

#include "core/base/parallel.h"
#include "core/base/text.h"
#include "core/expand/fields.h"
#include "core/expand/resolved.h"
#include "core/recipe/defaults.h"
#include "core/recipe/defaultsv2.h"
#include "core/recipe/flagrules.h"
#include "core/recipe/gate.h"
#include "core/recipe/language.h"
#include "core/recipe/lower.h"
#include "core/recipe/lowerv2.h"
#include "core/recipe/reader.h"
#include "core/recipe/rules.h"
#include "core/syntax/dottedpath.h"
#include "core/syntax/pythontext.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <system_error>
#include <thread>
#include <tuple>
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

/// A file that has keys of a cluster file and none of a recipe. Of a broken one, which may hold more, it must be a key that no recipe has.
bool looksLikeClusterFile(const syntax::Parsed& parsed)
{
    if (!parsed.root || !parsed.root->isMapping())
        return false;
    const auto isRecipeKey = [](const syntax::Member& member) {
        return std::find(recipeKeys.begin(), recipeKeys.end(), member.key) != recipeKeys.end();
    };
    const auto isClusterKey = [&](const syntax::Member& member) {
        const auto isKeyOf = [&](std::string_view pack) { return schema::builtInPack(pack)->root().find(member.key) != nullptr; };
        return (isKeyOf("cluster") || isKeyOf("cluster-v2")) && (parsed.complete || (!isKeyOf("v1") && !isKeyOf("v2")));
    };
    const std::vector<syntax::Member>& members = parsed.root->members;
    return std::none_of(members.begin(), members.end(), isRecipeKey) && std::any_of(members.begin(), members.end(), isClusterKey);
}

/// Hashes of values by their data; parts that jobs share are hashed once. Used to find jobs that are the same. The values must outlive it.
class Hasher
{
public:
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
    std::size_t of(const ValuePtr& shared)
    {
        const Value& value = *shared;
        if (value.isScalar())
            return scalar(value);
        constexpr long holdersOfOneJob = 4; // its recipe, the same with defaults, its configuration, its typed facts
        const bool isShared = shared.use_count() > holdersOfOneJob;
        if (const auto kept = isShared ? m_kept.find(&value) : m_kept.end(); kept != m_kept.end())
            return kept->second;
        std::size_t hash = static_cast<std::size_t>(value.kind) + 17;
        for (const ValuePtr& item : value.items)
            hash = mixed(hash * 1'000'003 + of(item));
        // The order of keys does not count, hence the sum; each part is mixed well, or {a: 1, b: 2} and {a: 2, b: 1} would meet.
        for (const syntax::Member& member : value.members)
            hash += ofMember(member);
        hash = mixed(hash);
        if (isShared)
            m_kept.emplace(&value, hash);
        return hash;
    }

    std::size_t ofMember(const syntax::Member& member) { return mixed(std::hash<std::string>{}(member.key) * 31 + of(member.value)); }

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

/// Of two configurations that one reader made: the keys at the top stand in the same order.
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
        m_sections = syntax::Sections(m_out.parsed);
        m_out.diagnostics = m_out.parsed.diagnostics;
    }

    Checked run()
    {
        if (!m_options.isNamed && !m_facts.pack && !looksLikeRecipe(m_out.parsed))
            return std::move(m_out);
        const bool isClusterFile = m_facts.pack ? m_facts.pack->isOfCluster() : looksLikeClusterFile(m_out.parsed);
        if (isClusterFile) {
            checkClusterFile();
            return std::move(m_out);
        }
        const auto pack = m_facts.pack ? m_facts.pack : schema::builtInPack(recipe::packMeant(m_out.parsed.root));
        m_out.pack = pack->id();
        m_out.schema = pack->isSecond() ? 2 : 1;
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

    /// The file itself is the cluster file; the one that recipes are checked against plays no part.
    void checkClusterFile()
    {
        m_out.clusterSource = m_out.source;
        ClusterFile file = readCluster(m_out.source, m_facts.pack);
        m_out.diagnostics = std::move(file.diagnostics);
        m_out.pack = m_facts.pack ? m_facts.pack->id() : "cluster";
        // A file for srtctl 2.x is good, though srtctl 1.x drops it.
        if (syntax::hasErrors(m_out.diagnostics) && !syntax::hasErrors(file.diagnosticsOfSecond)) {
            m_out.pack = "cluster-v2";
            for (Diagnostic& problem : m_out.diagnostics) {
                if (problem.severity != Severity::Error)
                    continue;
                problem.severity = Severity::Warning;
                problem.notes.back().message = "srtctl 2.x takes the file; srtctl 1.x drops the whole of it because of this.";
                problem.fixes.clear();
            }
        }
        m_out.valid = !syntax::hasErrors(m_out.diagnostics);
    }

    void checkVariants(const std::shared_ptr<const schema::Pack>& pack)
    {
        expand::Options expansion = m_options.expansion;
        expansion.pack = pack;
        expand::Expanded expanded = expand::expand(m_out.parsed, expansion);
        m_out.form = expanded.form;
        std::move(expanded.diagnostics.begin(), expanded.diagnostics.end(), std::back_inserter(m_out.diagnostics));
        checkInParts(pack, std::move(expanded.variants));
        findDoubles();
    }

    /// Neighbouring variants that one core checks, with the reader that reads what they share once.
    struct Part {
        recipe::Reader reader;
        Hasher hasher = {};
        std::vector<CheckedVariant> variants;
        std::vector<std::size_t> hashes; ///< Of the variants' configurations but for their names.
        std::vector<Diagnostic> diagnostics;
        std::size_t made = 0;      ///< Values that defaults made anew for these variants.
        std::size_t unusual = 0;   ///< Findings beyond those that a variant usually has.
        std::size_t unchecked = 0; ///< Variants that were left out.

        /// A broken or huge block that thousands of variants share would be told, or held, thousands of times.
        [[nodiscard]] bool isSpent() const { return unusual > 20'000 || made > 3'000'000; }
    };

    /// Many variants are spread over the cores in parts that keep their order.
    void checkInParts(const std::shared_ptr<const schema::Pack>& pack, std::vector<expand::Variant> variants)
    {
        m_isOneOfMany = variants.size() > 1;
        constexpr std::size_t leastOfAPart = 128; // below, a thread costs more than it saves
        std::size_t count = 1;
        if (variants.size() >= 2 * leastOfAPart) // asking for the cores reads a file, which a folder of small recipes would feel
            count = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, variants.size() / leastOfAPart);
        std::vector<Part> parts;
        for (std::size_t p = 0; p < count; ++p)
            parts.push_back({.reader = recipe::Reader(pack, m_sections)});
        const auto checkPart = [&](std::size_t p) {
            const std::size_t end = variants.size() * (p + 1) / count;
            parts[p].variants.reserve(end - variants.size() * p / count);
            for (std::size_t i = variants.size() * p / count; i < end && !m_stop.stop_requested(); ++i)
                checkInto(parts[p], std::move(variants[i]));
        };
        if (count == 1)
            checkPart(0);
        else
            base::parallelFor(count, checkPart, m_stop);
        m_out.variants.reserve(variants.size());
        m_hashes.reserve(variants.size());
        std::size_t unchecked = 0;
        for (Part& part : parts) {
            unchecked += part.unchecked;
            m_hashes.insert(m_hashes.end(), part.hashes.begin(), part.hashes.end());
            std::move(part.variants.begin(), part.variants.end(), std::back_inserter(m_out.variants));
            append(m_out.diagnostics, std::move(part.diagnostics));
        }
        if (unchecked > 0)
            report(Code::TooManyJobs, {0, 0},
                   std::to_string(unchecked) +
                       " jobs were not checked, because the others have too many problems, or hold too many values, already; mend these "
                       "problems or split the file.");
    }

    void checkInto(Part& part, expand::Variant variant) const
    {
        if (part.isSpent()) {
            part.variants.emplace_back().variant = std::move(variant);
            part.hashes.push_back(0);
            ++part.unchecked;
            return;
        }
        const std::size_t before = part.diagnostics.size();
        part.variants.push_back(m_out.schema == 2 ? checkVariantOfSecond(part, std::move(variant))
                                                  : checkVariant(part, std::move(variant)));
        const CheckedVariant& checked = part.variants.back();
        part.hashes.push_back(checked.job && m_isOneOfMany ? part.hasher.ofAllButName(*checked.config) : 0);
        constexpr std::size_t usual = 50;
        const std::size_t found = part.diagnostics.size() - before;
        part.unusual += found > usual ? found - usual : 0;
    }

    /// Values of `after` that are not shared with `before`.
    static std::size_t valuesMade(const ValuePtr& before, const ValuePtr& after)
    {
        if (before == after || !after || !after->isMapping())
            return 0;
        std::size_t count = after->members.size();
        for (const syntax::Member& member : after->members) {
            if (member.value->isMapping())
                count += valuesMade(before ? before->find(member.key) : nullptr, member.value);
        }
        return count;
    }

    CheckedVariant checkVariant(Part& part, expand::Variant variant) const
    {
        CheckedVariant out;
        ValuePtr document = variant.document;
        if (m_facts.cluster)
            document = recipe::withClusterDefaults(document, *m_facts.cluster);
        document = recipe::withObservability(document);
        part.made += valuesMade(variant.document, document);
        recipe::Reader::Outcome read = part.reader.read(document);
        if (m_facts.cluster)
            append(read.diagnostics, recipe::checkAgainstCluster(variant.document, *m_facts.cluster));
        const ValuePtr name = document && document->isMapping() ? document->find("name") : nullptr;
        if (name && name->isString())
            out.name = name->text;
        dropCutOff(read.diagnostics);
        out.valid = !syntax::hasErrors(read.diagnostics);
        out.config = recipe::withDerived(read.config);
        if (isWholeOrMended())
            checkJob(out, recipe::lower(out.config), variant.document, read.diagnostics);
        out.valid = out.valid && m_out.parsed.complete;
        finishVariant(out, std::move(variant), std::move(read.diagnostics), part.diagnostics);
        return out;
    }

    CheckedVariant checkVariantOfSecond(Part& part, expand::Variant variant) const
    {
        CheckedVariant out;
        ValuePtr document = variant.document;
        const syntax::Member* schema = m_out.parsed.root->isMapping() ? m_out.parsed.root->member("schema") : nullptr;
        if (schema && document && document->isMapping() && !document->member("schema")) // it may stand beside base
            document = syntax::with(document, "schema", schema->value, schema->keyRange);
        recipe::Gated gated = recipe::passGate(document, *m_out.source);
        document = m_facts.clusterOfSecond ? recipe::withClusterDefaultsOfSecond(gated.document, *m_facts.clusterOfSecond) : gated.document;
        document = recipe::withExpansions(document);
        part.made += valuesMade(variant.document, document);
        recipe::Reader::Outcome read = part.reader.read(document);
        append(gated.diagnostics, std::move(read.diagnostics));
        if (m_facts.clusterOfSecond)
            append(gated.diagnostics, recipe::checkNames(gated.document, *m_facts.clusterOfSecond));
        const ValuePtr name = document && document->isMapping() ? document->find("name") : nullptr;
        if (name && name->isString())
            out.name = name->text;
        dropCutOff(gated.diagnostics);
        out.valid = !syntax::hasErrors(gated.diagnostics);
        out.config = read.config;
        if (isWholeOrMended())
            checkJob(out, recipe::lowerSecond(out.config), gated.document, gated.diagnostics);
        out.valid = out.valid && m_out.parsed.complete;
        finishVariant(out, std::move(variant), std::move(gated.diagnostics), part.diagnostics);
        return out;
    }

    /// Rules and plan; the variant has the job when nothing has an error. With errors in its keys, what does not depend on them.
    void checkJob(CheckedVariant& out, recipe::Job lowered, const ValuePtr& written, std::vector<Diagnostic>& diagnostics) const
    {
        auto job = std::make_shared<recipe::Job>(std::move(lowered));
        if (const ValuePtr container = syntax::at(written, "model.container"); container && container->isString())
            job->containerAsWritten = container->text;
        append(diagnostics, out.valid ? recipe::checkRules(*job, {&m_facts.environment, m_sections})
                                      : recipe::checkRulesBeside(diagnostics, *job, {&m_facts.environment, m_sections}));
        if (job->schema == 2)
            dropUnreadButRefused(diagnostics);
        const bool isPlannable = out.valid || recipe::isLayoutSound(diagnostics);
        if (isPlannable && std::none_of(diagnostics.begin(), diagnostics.end(), isAboutResources)) {
            plan::Plan planned = plan::plan(*job, cluster());
            out.counts = planned.counts;
            if (job->schema == 2)
                append(diagnostics, recipe::notRendered(*job));
            if (job->schema == 2 && m_out.form == expand::Form::Sweep && job->backend.type == "vllm")
                sayWhatSweepLeavesOut(planned.diagnostics);
            append(diagnostics, std::move(planned.diagnostics));
        }
        out.valid = !syntax::hasErrors(diagnostics);
        if (out.valid && m_out.parsed.complete) // what was mended is a guess: nobody shall run it
            out.job = std::move(job);
    }

    /// srtctl 2.x drops combinations of a sweep whose parallel sizes do not fit a vLLM worker; here each is listed, with what is wrong.
    static void sayWhatSweepLeavesOut(std::vector<Diagnostic>& found)
    {
        for (Diagnostic& problem : found) {
            if (problem.code == Code::DoesNotFit && problem.path.find("parallel") != std::string::npos)
                problem.notes.push_back(
                    {"srtctl 2.x leaves such a combination out of the sweep, with no more than a warning; here it is listed.",
                     problem.range, problem.source});
        }
    }

    [[nodiscard]] bool isWholeOrMended() const { return m_out.parsed.complete || m_out.parsed.mended; }

    /// That nothing reads a key is no news where the same key is refused.
    static void dropUnreadButRefused(std::vector<Diagnostic>& diagnostics)
    {
        std::set<std::string> refused;
        for (const Diagnostic& problem : diagnostics) {
            if (problem.severity == Severity::Error)
                refused.insert(problem.path);
        }
        std::erase_if(diagnostics,
                      [&](const Diagnostic& problem) { return problem.code == Code::NotRead && refused.contains(problem.path); });
    }

    static void finishVariant(CheckedVariant& out, expand::Variant variant, std::vector<Diagnostic> found, std::vector<Diagnostic>& all)
    {
        syntax::sortAndUnite(found); // what is told once is counted once
        for (Diagnostic& problem : found) {
            out.errors += problem.severity == Severity::Error ? 1 : 0;
            out.warnings += problem.severity == Severity::Warning ? 1 : 0;
            if (variant.suffix)
                problem.variant = *variant.suffix;
            if (problem.source == syntax::Source::Cluster) // a fix is an edit of the recipe
                problem.fixes.clear();
            all.push_back(std::move(problem));
        }
        out.variant = std::move(variant);
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
            return std::any_of(cuts.begin(), cuts.end(),
                               [&](std::size_t cut) { return parsed.mended ? line <= cut && cut <= line + 1 : line + 1 >= cut; });
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

    const recipe::Cluster& cluster() const { return clusterOf(m_facts, m_out); }

    void findDoubles()
    {
        std::unordered_map<std::size_t, std::vector<std::size_t>> byHash;
        std::map<std::string, std::size_t> byName;
        for (std::size_t i = 0; i < m_out.variants.size(); ++i) {
            CheckedVariant& variant = m_out.variants[i];
            if (!variant.job)
                continue;
            std::vector<std::size_t>& same = byHash[m_hashes[i]];
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

    void reportDouble(CheckedVariant& variant, const CheckedVariant& earlier, Code code)
    {
        const bool isSameJob = code == Code::DuplicateJob;
        if (m_out.form == expand::Form::Sweep && isSameJob) {
            reportSameValue(variant, earlier);
            return;
        }
        ++variant.warnings;
        constexpr std::size_t mostOfASweep = 100;
        if (m_out.form == expand::Form::Sweep && ++m_sameNames > mostOfASweep)
            return;
        Diagnostic& problem = report(code, isSameJob ? variant.variant.sectionRange : nameRange(variant),
                                     isSameJob ? "The job " + base::inQuotes(variant.name) + " is the same as " +
                                                     base::inQuotes(earlier.name) + " but for its name."
                                               : "Two jobs of this file are called " + base::inQuotes(variant.name) + ".",
                                     Severity::Warning);
        problem.variant = variant.variant.suffix.value_or("");
        problem.notes.push_back({"The other job.", isSameJob ? earlier.variant.sectionRange : nameRange(earlier), syntax::Source::Recipe});
    }

    /// Two jobs of a sweep are the same: by values that are written in two ways, or that the job takes for one. A value that stands there
    /// twice in the same way, and a parameter that is not used, have been told.
    void reportSameValue(CheckedVariant& variant, const CheckedVariant& earlier)
    {
        const auto& mine = variant.variant.params;
        const auto& others = earlier.variant.params;
        const auto isWrittenAlike = [](const Value& a, const Value& b) {
            return a.isScalar() && b.isScalar() && a.kind == b.kind && a.text == b.text;
        };
        std::optional<std::size_t> found;
        for (std::size_t i = 0; i < mine.size() && i < others.size(); ++i) {
            if (mine[i].second->range == others[i].second->range || isWrittenAlike(*mine[i].second, *others[i].second))
                continue;
            const std::string path = "sweep." + mine[i].first;
            const bool isTold = std::any_of(m_out.diagnostics.begin(), m_out.diagnostics.end(),
                                            [&](const Diagnostic& d) { return d.code == Code::UnusedSweepKey && d.path == path; });
            if (isTold || found)
                return;
            found = i;
        }
        if (!found)
            return;
        ++variant.warnings;
        if (!m_sameValues.insert(mine[*found].second->range.begin).second)
            return;
        const Value& value = *mine[*found].second;
        const Value& other = *others[*found].second;
        const auto shown = [&](const Value& one) { return one.isScalar() ? syntax::shown(one) : syntax::pythonText(one); };
        Diagnostic& problem = report(Code::RepeatedSweepValue, value.range,
                                     "The values " + shown(other) + " and " + shown(value) + " of the parameter " +
                                         base::inQuotes(mine[*found].first) + " make the same job.",
                                     Severity::Warning);
        problem.path = "sweep." + mine[*found].first;
        problem.notes.push_back({"The other value.", other.range, other.source});
    }

    /// Where the name of the job is written, else the section that it was made from.
    static syntax::Range nameRange(const CheckedVariant& variant)
    {
        const ValuePtr name = variant.variant.document->find("name");
        return name && !name->range.isEmpty() ? name->range : variant.variant.sectionRange;
    }

    void reportClusterFile()
    {
        const std::vector<Diagnostic>& problems = m_out.schema == 2 ? m_facts.clusterProblemsOfSecond : m_facts.clusterProblems;
        if (!syntax::hasErrors(problems))
            return;
        Diagnostic problem;
        problem.code = Code::ClusterFile;
        problem.source = syntax::Source::Cluster;
        problem.message = "The cluster file has errors, so none of its defaults and aliases are in force.";
        for (const Diagnostic& found : problems) {
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
        dropQuotesAtSwitches();
        dropQuotesAtNumbers();
        dropWhatIsToldBetter();
        takeTagsAlong();
        nameSettings();
        tellOfBase();
        syntax::sortAndUnite(m_out.diagnostics);
        m_out.valid = !syntax::hasErrors(m_out.diagnostics);
    }

    /// A problem that every variant has, or the only one in what it takes from base, is none of a variant: it is told of the file.
    void tellOfBase()
    {
        const syntax::Member* base =
            m_out.form == expand::Form::Override && m_out.parsed.root ? m_out.parsed.root->member("base") : nullptr;
        if (!base || m_out.variants.empty())
            return;
        using Finding = std::tuple<syntax::Source, syntax::Range, Severity, Code, std::string_view>;
        const auto findingOf = [](const Diagnostic& d) { return Finding(d.source, d.range, d.severity, d.code, d.message); };
        std::map<Finding, std::size_t> counts;
        for (const Diagnostic& problem : m_out.diagnostics) {
            if (!problem.variant.empty())
                ++counts[findingOf(problem)];
        }
        const auto isInBase = [&](const Diagnostic& d) {
            return d.source == syntax::Source::Recipe && base->keyRange.begin <= d.range.begin && d.range.end <= base->value->range.end;
        };
        for (Diagnostic& problem : m_out.diagnostics) {
            const auto found = problem.variant.empty() ? counts.end() : counts.find(findingOf(problem));
            if (found != counts.end() && found->second == m_out.variants.size() && (found->second > 1 || isInBase(problem)))
                problem.variant.clear();
        }
    }

    /// A number in an old notation, where the key takes numbers only: in quotes it would be refused, or be another number.
    void dropQuotesAtNumbers()
    {
        const auto isOffered = [](const Diagnostic& d) {
            return (d.code == Code::BaseSixty || d.code == Code::OldNumber) && d.source == syntax::Source::Recipe && d.fixes.size() > 1 &&
                   d.severity != Severity::Error;
        };
        std::set<std::size_t> places;
        for (const Diagnostic& problem : m_out.diagnostics) {
            if (isOffered(problem))
                places.insert(problem.range.begin);
        }
        constexpr std::size_t mostVariants = 64; // a value that stands in none of the first is as good as unknown
        std::set<std::size_t> numbers;
        for (std::size_t i = 0; !places.empty() && i < std::min(mostVariants, m_out.variants.size()); ++i) {
            const ValuePtr& document = m_out.variants[i].variant.document;
            if (document)
                findNumbers(document, document, {}, places, numbers);
        }
        for (Diagnostic& problem : m_out.diagnostics) {
            if (isOffered(problem) && numbers.contains(problem.range.begin))
                std::erase_if(problem.fixes, [](const syntax::Fix& fix) { return fix.edits.front().text.starts_with('"'); });
        }
    }

    /// Of the values that begin at the places: those whose key, or whose list's items, are numbers.
    void findNumbers(const ValuePtr& document, const ValuePtr& value, const std::string& path, const std::set<std::size_t>& places,
                     std::set<std::size_t>& out) const
    {
        for (const syntax::Member& member : value->members)
            findNumbers(document, member.value, syntax::joinedPath(path, member.key), places, out);
        const auto pack = m_facts.pack ? m_facts.pack : schema::builtInPack(m_out.schema == 2 ? "v2" : "v1");
        const auto isPlace = [&](const ValuePtr& one) { return one->kind == syntax::Kind::Integer && places.contains(one->range.begin); };
        if (isPlace(value)) {
            const schema::Type* type = expand::typeAt(*pack, document, path);
            if (type && isNumber(*type))
                out.insert(value->range.begin);
        }
        for (const ValuePtr& item : value->items) {
            const schema::Type* type = isPlace(item) ? expand::typeAt(*pack, document, path) : nullptr;
            const auto holdsNumbers = [](const schema::Type& list) { return !list.inner.empty() && isNumber(list.inner.front()); };
            const bool isOfNumbers =
                type && (type->kind == schema::TypeKind::Union ? std::any_of(type->inner.begin(), type->inner.end(), holdsNumbers)
                                                               : holdsNumbers(*type));
            if (isOfNumbers)
                out.insert(item->range.begin);
        }
    }

    static bool isNumber(const schema::Type& type)
    {
        return type.kind == schema::TypeKind::Integer || type.kind == schema::TypeKind::Number;
    }

    /// Where the flow mapping behind a key stands ("{ mem }"); empty when something else does.
    [[nodiscard]] syntax::Range valueBehind(syntax::Range key) const
    {
        const std::string& text = m_out.source->text();
        const std::size_t colon = text.find_first_not_of(" \t", key.end);
        const std::size_t begin = colon == std::string::npos || text[colon] != ':' ? colon : text.find_first_not_of(" \t", colon + 1);
        const std::size_t end = begin == std::string::npos || text[begin] != '{' ? std::string::npos : text.find('}', begin);
        return end == std::string::npos ? syntax::Range{} : syntax::Range{begin, end + 1};
    }

    /// A value that YAML itself refuses is told once, and what is no mapping but a placeholder has one fix.
    void dropWhatIsToldBetter()
    {
        std::set<syntax::Range> refused;
        std::set<syntax::Range> placeholders;
        for (const Diagnostic& problem : m_out.diagnostics) {
            if (problem.source == syntax::Source::Recipe && problem.code == Code::YamlSyntax)
                refused.insert(problem.range);
            if (problem.source == syntax::Source::Recipe && problem.code == Code::UnquotedPlaceholder)
                placeholders.insert(problem.range);
        }
        std::erase_if(m_out.diagnostics, [&](const Diagnostic& d) {
            return d.code == Code::WrongType && d.source == syntax::Source::Recipe && refused.contains(d.range);
        });
        std::erase_if(m_out.diagnostics, [&](const Diagnostic& d) {
            return d.rule == "flag-values" && d.source == syntax::Source::Recipe && placeholders.contains(valueBehind(d.range));
        });
        for (Diagnostic& problem : m_out.diagnostics) {
            if (problem.code != Code::UnquotedPlaceholder && problem.source == syntax::Source::Recipe &&
                placeholders.contains(problem.range))
                problem.fixes.clear();
        }
    }

    /// Quotes around a value make it a text: the tag in front of it, which says that it is a number, must go.
    void takeTagsAlong()
    {
        const std::string& text = m_out.source->text();
        const auto isBlank = [](char c) { return c == ' ' || c == '\t'; };
        for (Diagnostic& problem : m_out.diagnostics) {
            if (problem.source != syntax::Source::Recipe)
                continue;
            for (syntax::Fix& fix : problem.fixes) {
                for (syntax::TextEdit& edit : fix.edits) {
                    std::size_t end = std::min(edit.range.begin, text.size());
                    if (!edit.text.starts_with('"') || edit.range.isEmpty() || end == 0 || !isBlank(text[end - 1]))
                        continue;
                    while (end > 0 && isBlank(text[end - 1]))
                        --end;
                    std::size_t begin = end;
                    while (begin > 0 && !isBlank(text[begin - 1]) && text[begin - 1] != '\n')
                        --begin;
                    if (begin < end && text[begin] == '!')
                        edit.range.begin = begin;
                }
            }
        }
    }

    /// What a --set brought in stands in no text: which one it was.
    void nameSettings()
    {
        if (m_options.expansion.settings.empty())
            return;
        for (Diagnostic& problem : m_out.diagnostics) {
            if (problem.source != syntax::Source::CommandLine || problem.path.empty())
                continue;
            for (const expand::Setting& setting : m_options.expansion.settings) {
                const bool isIt = !setting.remove && (problem.path.starts_with(setting.key) || setting.key.starts_with(problem.path));
                if (isIt)
                    problem.notes.push_back({"It comes from --set " + base::printable(setting.key + "=" + setting.text) + ".",
                                             {},
                                             syntax::Source::CommandLine});
            }
        }
    }

    /// "yes" without quotes switches a flag of an engine on; in quotes it would be put behind the flag.
    void dropQuotesAtSwitches()
    {
        const auto isWord = [](const Diagnostic& d) { return d.code == Code::WordBoolean; };
        if (std::none_of(m_out.diagnostics.begin(), m_out.diagnostics.end(), isWord))
            return;
        std::set<std::size_t> switches;
        for (const CheckedVariant& variant : m_out.variants) {
            if (!variant.job)
                continue;
            for (const recipe::FlagBlock& block : recipe::flagUsesOf(*variant.job).blocks) {
                for (const recipe::FlagUse& use : block.uses) {
                    const bool isSwitch = use.match && (use.match.flag->kind == schema::FlagKind::Switch ||
                                                        use.match.flag->kind == schema::FlagKind::OptionalSwitch);
                    if (isSwitch && block.style != recipe::FlagStyle::File && use.member->value->source == syntax::Source::Recipe)
                        switches.insert(use.member->value->range.begin);
                }
            }
        }
        for (Diagnostic& problem : m_out.diagnostics) {
            if (isWord(problem) && problem.source == syntax::Source::Recipe && switches.contains(problem.range.begin))
                problem.fixes.resize(1); // to the other word
        }
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
    syntax::Sections m_sections;
    bool m_isOneOfMany = false;         ///< There are several variants, which may be the same.
    std::size_t m_sameNames = 0;        ///< Told of a sweep.
    std::set<std::size_t> m_sameValues; ///< Where values of a sweep begin that have been told.
    std::vector<std::size_t> m_hashes;  ///< Of each variant in `m_out`.
};

} // namespace

Checked check(std::shared_ptr<const syntax::SourceText> source, const Facts& facts, const Options& options, std::stop_token stop)
{
    return Checker(std::move(source), facts, options, std::move(stop)).run();
}

namespace {

/// An error in a cluster file costs all of it.
void sayWhatIsLost(std::vector<Diagnostic>& diagnostics)
{
    for (Diagnostic& problem : diagnostics) {
        if (problem.severity == Severity::Error)
            problem.notes.push_back({"srtctl drops the whole file because of this: none of its defaults, aliases and mounts reaches a job.",
                                     problem.range, syntax::Source::Cluster});
    }
}

} // namespace

bool isClusterFile(const Checked& checked)
{
    const auto pack = checked.pack ? schema::builtInPack(*checked.pack) : nullptr;
    return pack && pack->isOfCluster();
}

ClusterFile readCluster(std::shared_ptr<const syntax::SourceText> source, std::shared_ptr<const schema::Pack> pack)
{
    ClusterFile out;
    out.source = source;
    const syntax::Parsed parsed = syntax::parse(source, syntax::Source::Cluster);
    out.diagnostics = parsed.diagnostics;
    out.diagnosticsOfSecond = parsed.diagnostics;
    const bool isEmpty = parsed.complete && (!parsed.root || parsed.root->isNull());
    const auto readAs = [&](const std::shared_ptr<const schema::Pack>& language, std::vector<Diagnostic>& diagnostics) {
        std::shared_ptr<const recipe::Cluster> cluster;
        if (isEmpty) {
            Diagnostic problem;
            problem.code = Code::EmptyDocument;
            problem.source = syntax::Source::Cluster;
            problem.message = "The cluster file is empty or all comments.";
            diagnostics.push_back(std::move(problem));
        } else if (parsed.root) {
            recipe::Reader reader(language);
            recipe::Reader::Outcome read = reader.read(parsed.root);
            for (Diagnostic& problem : read.diagnostics) {
                problem.source = syntax::Source::Cluster;
                diagnostics.push_back(std::move(problem));
            }
            if (!syntax::hasErrors(diagnostics))
                cluster = std::make_shared<recipe::Cluster>(recipe::lowerCluster(read.config, source->path()));
        }
        sayWhatIsLost(diagnostics);
        syntax::sortAndUnite(diagnostics);
        return cluster;
    };
    out.cluster = readAs(pack ? pack : schema::builtInPack("cluster"), out.diagnostics);
    out.clusterOfSecond = readAs(pack ? pack : schema::builtInPack("cluster-v2"), out.diagnosticsOfSecond);
    return out;
}

FoundCluster findClusterFile(const std::string& named, const std::string& folder)
{
    namespace fs = std::filesystem;
    FoundCluster out;
    std::error_code error;
    if (!named.empty()) {
        if (fs::status(named, error).type() != fs::file_type::not_found) // what cannot be read is told when it is read
            return {named, {}};
        return {{}, "SRTSLURM_CONFIG names " + base::pathInQuotes(named) + ", which does not exist: no cluster file is used."};
    }
    for (const char* candidate : {"srtslurm.yaml", "../srtslurm.yaml", "../../srtslurm.yaml"}) {
        const fs::path path = folder.empty() ? fs::path(candidate) : fs::path(folder) / candidate;
        const std::string found = folder.empty() ? path.string() : path.lexically_normal().string();
        // Whatever stands there is the file, also a folder or a link to itself: that it cannot be read is told when it is read.
        const fs::file_status meant = fs::status(path, error);
        const bool isHidden = error == std::errc::permission_denied; // of the folder above: what it holds is not known
        if (meant.type() != fs::file_type::not_found && !isHidden)
            return {found, std::move(out.warning)};
        if (meant.type() == fs::file_type::not_found && fs::is_symlink(fs::symlink_status(path, error)) && out.warning.empty())
            out.warning = base::pathInQuotes(found) + " is a link to a file that does not exist, so it is left out.";
    }
    return out;
}

Facts factsFor(const ClusterFile& file)
{
    Facts facts;
    facts.cluster = file.cluster;
    facts.clusterSource = file.source;
    facts.clusterProblems = file.diagnostics;
    facts.clusterOfSecond = file.clusterOfSecond;
    facts.clusterProblemsOfSecond = file.diagnosticsOfSecond;
    return facts;
}

namespace {

bool contains(syntax::Range range, std::size_t offset)
{
    return !range.isEmpty() && range.begin <= offset && offset <= range.end;
}

/// Walks what was written beside what it became; the places are those of the first.
std::optional<Definition> definitionWithin(const ValuePtr& written, const ValuePtr& resolved, std::size_t offset)
{
    if (!written || written->source != syntax::Source::Recipe)
        return std::nullopt;
    if (!written->definition.isEmpty() && contains(written->range, offset))
        return Definition{syntax::Source::Recipe, written->definition, written->isScalar() ? written->text : std::string()};
    if (written->isScalar()) {
        const bool isNamed = contains(written->range, offset) && resolved && resolved->source == syntax::Source::Cluster &&
                             resolved->isScalar() && !resolved->range.isEmpty();
        return isNamed ? std::optional(Definition{syntax::Source::Cluster, resolved->range, resolved->text}) : std::nullopt;
    }
    for (const syntax::Member& member : written->members) {
        if (auto found = definitionWithin(member.value, resolved ? resolved->find(member.key) : nullptr, offset))
            return found;
    }
    for (std::size_t i = 0; i < written->items.size(); ++i) {
        const bool isSameList = resolved && resolved->items.size() == written->items.size();
        if (auto found = definitionWithin(written->items[i], isSameList ? resolved->items[i] : nullptr, offset))
            return found;
    }
    return std::nullopt;
}

} // namespace

std::optional<Definition> definitionOf(const Checked& checked, std::size_t offset)
{
    for (const CheckedVariant& variant : checked.variants) {
        if (auto found = definitionWithin(variant.variant.document, variant.config, offset))
            return found;
    }
    return definitionWithin(checked.parsed.root, nullptr, offset);
}

const recipe::Cluster& clusterOf(const Facts& facts, const Checked& checked)
{
    static const recipe::Cluster none;
    const auto& cluster = checked.schema == 2 ? facts.clusterOfSecond : facts.cluster;
    return cluster ? *cluster : none;
}

std::string resolvedYaml(const Checked& checked, std::size_t variant)
{
    return expand::resolvedText(checked.parsed, checked.variants.at(variant).variant);
}

} // namespace wb::check
