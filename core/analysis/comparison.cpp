#include "core/analysis/comparison.h"

#include "core/base/secrets.h"
#include "core/base/text.h"
#include "core/base/untold.h"
#include "core/recipe/language.h"
#include "core/recipe/reader.h"
#include "core/syntax/yaml.h"

#include <algorithm>
#include <array>
#include <set>

namespace wb::analysis {

using base::json::Array;
using base::json::Value;
using syntax::ValuePtr;

std::string_view name(FactState state)
{
    static constexpr std::array<std::string_view, 3> names = {"same", "different", "unknown"};
    return names.at(static_cast<std::size_t>(state));
}

std::string_view name(Verdict verdict)
{
    static constexpr std::array<std::string_view, 4> names = {"same", "single-variable", "differences", "unknown"};
    return names.at(static_cast<std::size_t>(verdict));
}

namespace {

constexpr std::string_view notSet = "(not set)";
constexpr std::string_view redacted = "***REDACTED***";
constexpr std::string_view unavailable = "unavailable"; ///< What srtctl writes where it could not find out.
constexpr std::string_view notRecorded = "The records of these runs have no word for it.";

struct SectionRow {
    std::string_view id;
    std::string_view title;
};
/// In the order in which they are worth reading.
constexpr SectionRow sectionRows[] = {
    {"workload", "Workload"},        {"model", "Model"},           {"software", "Software"},
    {"engine", "Engine and launch"}, {"resources", "Resources"},   {"hardware", "Hardware and driver"},
    {"environment", "Environment"},  {"provenance", "Provenance"},
};

/// Where the keys of a recipe belong: the first row whose prefix fits; the rest is of the engine.
struct KeyRow {
    std::string_view prefix;
    std::string_view section;
};
constexpr KeyRow recipeRows[] = {
    {"benchmark.", "workload"},      {"model.container", "software"}, {"model.", "model"},     {"dynamo.", "software"},
    {"setup_script", "software"},    {"resources.", "resources"},     {"slurm.", "resources"}, {"sbatch_directives.", "resources"},
    {"environment.", "environment"}, {"identity.", "provenance"},     {"name", "provenance"},
};

/// What a fingerprint of a worker tells beside its packages and environment: the key there, the key of the fact, its section.
struct FingerprintRow {
    std::string_view path;
    std::string_view key;
    std::string_view section;
    bool isInAll = true; ///< Fingerprints of every version have a word for it.
};
constexpr FingerprintRow fingerprintRows[] = {
    {"arch", "arch", "hardware"},
    {"cpu.model", "cpu.model", "hardware", false},
    {"gpu.driver", "gpu.driver", "hardware"},
    {"os", "os", "software"},
    {"python_version", "python", "software"},
    {"cuda_version", "cuda", "software"},
    {"nccl_version", "nccl", "software"},
    {"model.hf_repo", "model.repo", "model", false},
    {"model.model_id", "model.id", "model", false},
    {"model.hf_revision", "model.revision", "model", false},
};

/// What a lockfile and a resource snapshot tell.
struct LockRow {
    std::string_view path;
    std::string_view section;
    bool isNoise = false; ///< Another in each run.
};
constexpr LockRow lockRows[] = {
    {"resolved.model_path", "model"},       {"resolved.container_path", "software"},  {"slurm.num_nodes", "resources"},
    {"slurm.gpus_per_node", "resources"},   {"slurm.cpus_per_node", "resources"},     {"slurm.time_limit", "resources"},
    {"slurm.cluster", "provenance"},        {"slurm.partition", "provenance"},        {"slurm.srtctl_commit", "provenance"},
    {"slurm.account", "provenance", true},  {"slurm.job_id", "provenance", true},     {"slurm.job_name", "provenance", true},
    {"slurm.nodelist", "provenance", true}, {"slurm.user", "provenance", true},       {"slurm.cwd", "provenance", true},
    {"generated_at", "provenance", true},   {"resolved.log_dir", "provenance", true},
};
constexpr std::string_view snapshotKeys[] = {"gpus.type", "gpus.configured_per_node", "gpus.configured_total", "gpus.backend_total",
                                             "cpu_check.status"};

/// Variables that a launcher sets for each rank or run.
bool isNoisyVariable(std::string_view variable)
{
    constexpr std::string_view prefixes[] = {"OMPI_", "PMIX_", "SLURM_"};
    constexpr std::string_view names[] = {"CUDA_VISIBLE_DEVICES", "TMPDIR", "HOSTNAME"};
    const auto begins = [&](std::string_view prefix) { return variable.starts_with(prefix); };
    return variable.find("PORT") != std::string_view::npos || std::any_of(std::begin(prefixes), std::end(prefixes), begins) ||
           std::find(std::begin(names), std::end(names), variable) != std::end(names);
}

/// A fact that follows from another one when that differs too.
struct FollowRow {
    std::string_view prefix; ///< Of the key of the one that follows.
    std::string_view cause;
};
constexpr FollowRow followRows[] = {
    {"resolved.container_path", "model.container"}, {"resolved.model_path", "model.path"},   {"env.VLLM_IMAGE_TAG", "model.container"},
    {"env.VLLM_BUILD_", "model.container"},         {"container digest", "model.container"},
};

/// A framework is called otherwise than its package.
struct FrameworkRow {
    std::string_view framework;
    std::string_view package;
};
constexpr FrameworkRow frameworkRows[] = {
    {"vllm", "vllm"}, {"sglang", "sglang"}, {"tensorrt_llm", "tensorrt-llm"}, {"dynamo", "ai-dynamo"}};

/// A value of a fact: absent where it is not known.
using Told = std::optional<std::string>;

std::string textOf(const syntax::Value& value)
{
    if (value.isNull())
        return "null";
    return value.isScalar() ? value.text : base::json::write(syntax::toJson(value), 0);
}

/// What a program found out: its words for "not found" are no value.
Told told(const ValuePtr& value)
{
    if (!value || value->isNull() || (value->isString() && base::tellsNothing(value->text)))
        return std::nullopt;
    return textOf(*value);
}

/// Of an environment variable, which may be empty, or "none".
Told toldOfVariable(const ValuePtr& value)
{
    return value->isNull() || (value->isString() && value->text == unavailable) ? std::nullopt : Told(textOf(*value));
}

/// The record has a word for the value, be it null or "unavailable", there or in place of a block that would hold it.
bool hasWordFor(const ValuePtr& record, std::string_view path)
{
    ValuePtr at = record;
    for (const std::string_view part : base::splitAt(path, '.')) {
        if (!at || !at->isMapping())
            return at != nullptr;
        at = at->find(part);
    }
    return at != nullptr;
}

/// Every scalar and list below a mapping by its dotted path; an empty mapping is a value of its own.
void flatten(const ValuePtr& value, const std::string& path, std::map<std::string, std::string>& out)
{
    if (!value->isMapping() || (value->members.empty() && !path.empty())) {
        out.emplace(path, textOf(*value));
        return;
    }
    for (const syntax::Member& member : value->members) {
        if (path.empty() && member.key == "lock")
            continue;
        flatten(member.value, path.empty() ? member.key : path + "." + member.key, out);
    }
}

/// A recipe with its defaults written out, so that a default that one side spells out is no difference. Keys that the pack does not know
/// stay.
std::map<std::string, std::string> factsOfRecipe(const ValuePtr& recipe)
{
    recipe::Reader reader(schema::builtInPack(recipe::packMeant(recipe)));
    std::map<std::string, std::string> out;
    flatten(reader.read(syntax::without(recipe, "lock")).config, {}, out);
    std::map<std::string, std::string> written;
    flatten(recipe, {}, written);
    out.merge(written); // what is there already, as the language understands it, wins
    return out;
}

/// "0.20.1rc1.dev91+ga749a33d8" of ".../vllm-0.20.1rc1.dev91+ga749a33d8-cp38-abi3-linux_aarch64.whl"; empty when it is no such address.
std::string versionOfWheel(std::string_view address)
{
    if (!address.ends_with(".whl"))
        return {};
    const std::string_view file = address.substr(address.rfind('/') + 1);
    const auto parts = base::splitAt(file.substr(0, file.size() - 4), '-');
    return parts.size() >= 5 ? std::string(parts[1]) : std::string();
}

struct Package {
    std::string name;    ///< As pip compares names: lower case, runs of "-", "_" and "." are one "-".
    std::string version; ///< Or what stands for it, a commit or an address; empty: not told.
};

std::string normalisedName(std::string_view name)
{
    std::string out;
    for (const char c : base::lowered(base::trimmed(name))) {
        const bool isSeparator = c == '-' || c == '_' || c == '.';
        if (!isSeparator)
            out += c;
        else if (!out.empty() && out.back() != '-')
            out += '-';
    }
    return out;
}

/// "name==1.2", "name @ address", "-e git+address@commit#egg=name"
Package packageOf(std::string_view line)
{
    if (const std::size_t equals = line.find("=="); equals != std::string_view::npos)
        return {normalisedName(line.substr(0, equals)), std::string(base::trimmed(line.substr(equals + 2)))};
    if (const std::size_t at = line.find(" @ "); at != std::string_view::npos) {
        const std::string_view address = base::trimmed(line.substr(at + 3));
        const std::string version = versionOfWheel(address);
        return {normalisedName(line.substr(0, at)), version.empty() ? std::string(address) : version};
    }
    if (const std::size_t egg = line.find("#egg="); egg != std::string_view::npos) {
        const std::string_view address = line.substr(0, egg);
        const std::size_t at = address.rfind('@');
        return {normalisedName(line.substr(egg + 5)),
                at == std::string_view::npos ? std::string(address) : std::string(address.substr(at + 1))};
    }
    return {normalisedName(line), {}};
}

/// A list (old), or lists by interpreter. A package that stands somewhere without its version has none that is known.
std::map<std::string, Told> packagesOf(const ValuePtr& packages)
{
    std::map<std::string, std::set<std::string>> versions;
    const auto take = [&](const syntax::Value& list) {
        for (const ValuePtr& item : list.items) {
            if (!item->isString() || base::tellsNothing(item->text))
                continue;
            const Package package = packageOf(item->text);
            versions[package.name].insert(base::tellsNothing(package.version) ? std::string() : package.version);
        }
    };
    if (packages->isSequence())
        take(*packages);
    for (const syntax::Member& member : packages->members)
        take(*member.value);
    std::map<std::string, Told> out;
    for (const auto& [name, found] : versions)
        out.emplace(name, found.contains({}) ? Told() : base::joined(std::vector<std::string>(found.begin(), found.end()), " and "));
    return out;
}

/// "4 x NVIDIA GB200": what a worker sees, each told as `key` of it. Nothing when one of the GPUs does not tell.
Told gpusOf(const ValuePtr& fingerprint, std::string_view key)
{
    const ValuePtr gpus = syntax::at(fingerprint, "gpu.gpus");
    if (!gpus || gpus->items.empty())
        return std::nullopt;
    std::map<std::string, std::size_t> counts;
    for (const ValuePtr& gpu : gpus->items) {
        const Told one = told(gpu->find(key));
        if (!one)
            return std::nullopt;
        ++counts[*one];
    }
    std::vector<std::string> out;
    for (const auto& [one, count] : counts)
        out.push_back(std::to_string(count) + " x " + one);
    return base::joined(out, " and ");
}

/// The facts of one fingerprint by section and key. `knows` holds the families of which the fingerprint tells all ("pip."): what is not
/// among its facts there is known to be absent. `asked` holds the facts that it has a word for, be it that it could not find out, or should
/// have: they are unknown, and counted, when no run tells them. Of a family ("pip") it holds the name when not all of it is known.
struct Fingerprint {
    std::map<std::pair<std::string_view, std::string>, Told> facts;
    std::set<std::string> knows;
    std::set<std::string> asked;
};

/// The packages, when the list of every interpreter was read: an empty one or "unavailable" tells nothing.
bool areListed(const syntax::Value& packages)
{
    const auto isPackage = [](const ValuePtr& item) { return item->isString() && !base::tellsNothing(item->text); };
    const auto isListed = [&](const syntax::Value& list) {
        return list.isSequence() && !list.items.empty() && std::all_of(list.items.begin(), list.items.end(), isPackage);
    };
    return isListed(packages) || (packages.isMapping() && !packages.members.empty() &&
                                  std::all_of(packages.members.begin(), packages.members.end(),
                                              [&](const syntax::Member& member) { return isListed(*member.value); }));
}

Fingerprint fingerprintOf(const ValuePtr& value)
{
    Fingerprint out;
    for (const FingerprintRow& row : fingerprintRows) {
        out.facts[{row.section, std::string(row.key)}] = told(syntax::at(value, row.path));
        if (row.isInAll || hasWordFor(value, row.path))
            out.asked.insert(std::string(row.key));
    }
    out.facts[{"hardware", "gpu.list"}] = gpusOf(value, "name");
    out.facts[{"hardware", "gpu.memory"}] = gpusOf(value, "memory");
    out.asked.insert({"gpu.list", "gpu.memory"});
    // The whole family in one fact: not all of it is known.
    const auto askFor = [&](std::string_view section, std::string_view family) {
        const std::string key(family.substr(0, family.size() - 1));
        out.facts[{section, key}] = std::nullopt;
        out.asked.insert(key);
    };
    const auto takeAll = [&](const ValuePtr& mapping, std::string_view section, const std::string& family, const auto& valueOf) {
        if (!mapping || !mapping->isMapping())
            return askFor(section, family);
        out.knows.insert(family);
        for (const syntax::Member& member : mapping->members) {
            out.facts[{section, family + member.key}] = valueOf(member.value);
            out.asked.insert(family + member.key);
        }
    };
    takeAll(value->find("frameworks"), "software", "frameworks.", told);
    takeAll(value->find("env"), "environment", "env.", toldOfVariable);
    const ValuePtr packages = value->find("pip_packages");
    if (packages && areListed(*packages))
        out.knows.insert("pip.");
    else
        askFor("software", "pip.");
    for (auto& [package, version] : packages ? packagesOf(packages) : std::map<std::string, Told>()) {
        out.asked.insert("pip." + package);
        out.facts[{"software", "pip." + package}] = std::move(version);
    }
    return out;
}

std::string roleOf(std::string_view worker)
{
    const std::size_t mark = worker.rfind("_w");
    return std::string(worker.substr(0, mark));
}

class Comparer
{
public:
    explicit Comparer(std::span<const Side> sides)
        : m_sides(sides)
    {
    }

    RunDifferences run()
    {
        compareRecipes();
        compareLocks();
        compareFingerprints();
        RunDifferences out;
        for (const Side& side : m_sides)
            out.sides.push_back(side.label);
        for (const SectionRow& row : sectionRows) {
            Section section{row.id, row.title, {}};
            for (auto& [key, fact] : m_facts[row.id])
                section.facts.push_back(std::move(fact));
            out.sections.push_back(std::move(section));
        }
        markWhatFollows(out);
        judge(out);
        return out;
    }

private:
    /// The fact of that key, made on the first call with nothing known of any side.
    Fact& factFor(std::string_view section, const std::string& key)
    {
        Fact& fact = m_facts[section][key];
        if (fact.values.empty()) {
            fact.key = key;
            fact.values.resize(m_sides.size());
        }
        return fact;
    }

    static void settle(Fact& fact)
    {
        const bool isUnknown =
            std::any_of(fact.values.begin(), fact.values.end(), [](const Told& value) { return !value || *value == redacted; });
        const bool isSame =
            std::all_of(fact.values.begin(), fact.values.end(), [&](const Told& value) { return value == fact.values.front(); });
        // Two that are known and differ are a difference, whatever a third does not tell.
        std::set<std::string> known;
        for (const Told& value : fact.values) {
            if (value && *value != redacted)
                known.insert(*value);
        }
        fact.state = known.size() > 1 ? FactState::Different : isUnknown || !isSame ? FactState::Unknown : FactState::Same;
    }

    void compareRecipes()
    {
        std::vector<std::optional<std::map<std::string, std::string>>> facts;
        std::set<std::string> keys;
        for (const Side& side : m_sides) {
            facts.emplace_back();
            if (!side.recipe || !side.recipe->isMapping())
                continue;
            facts.back() = factsOfRecipe(side.recipe);
            for (const auto& [key, value] : *facts.back())
                keys.insert(key);
        }
        if (keys.empty()) {
            Fact& fact = factFor("engine", "recipe");
            fact.state = FactState::Unknown;
            fact.remark = "Nothing is known of what these were started with.";
        }
        for (const std::string& key : keys) {
            const auto row = std::find_if(std::begin(recipeRows), std::end(recipeRows), [&](const KeyRow& one) {
                return key.starts_with(one.prefix) && (one.prefix.back() == '.' || key.size() == one.prefix.size());
            });
            Fact& fact = factFor(row == std::end(recipeRows) ? "engine" : row->section, key);
            fact.label = key == "name" || key.starts_with("identity.");
            for (std::size_t i = 0; i < m_sides.size(); ++i) {
                if (facts[i]) {
                    const auto found = facts[i]->find(key);
                    fact.values[i] = found == facts[i]->end() ? std::string(notSet) : found->second;
                }
            }
            settle(fact);
            if (key == "model.container")
                splitDigest(fact);
        }
    }

    /// "image:tag@sha256:..." names an image twice: by a tag, which may move, and by its content.
    void splitDigest(Fact& fact)
    {
        const auto mark = [](const Told& value) { return value ? value->find("@sha256:") : std::string::npos; };
        if (std::none_of(fact.values.begin(), fact.values.end(), [&](const Told& value) { return mark(value) != std::string::npos; }))
            return;
        Fact& digest = factFor("software", "container digest");
        for (std::size_t i = 0; i < m_sides.size(); ++i) {
            const std::size_t at = mark(fact.values[i]);
            if (at == std::string::npos)
                continue; // a tag alone does not tell the content
            digest.values[i] = fact.values[i]->substr(at + 1);
            fact.values[i] = fact.values[i]->substr(0, at);
        }
        settle(digest);
        settle(fact);
    }

    void compareLocks()
    {
        missLocks();
        const auto add = [&](std::string_view section, const std::string& key, bool isNoise, std::string_view path, const auto& recordOf) {
            Fact& fact = factFor(section, key);
            bool hasWord = false;
            for (std::size_t i = 0; i < m_sides.size(); ++i) {
                const ValuePtr record = recordOf(m_sides[i]);
                fact.values[i] = told(syntax::at(record, path));
                hasWord = hasWord || hasWordFor(record, path);
            }
            fact.noise = isNoise;
            settle(fact);
            if (!hasWord)
                leaveUncounted(fact);
        };
        const bool isAnyLock = std::any_of(m_sides.begin(), m_sides.end(), [](const Side& side) { return side.lock != nullptr; });
        const bool isAnySnapshot = std::any_of(m_sides.begin(), m_sides.end(), [](const Side& side) { return side.snapshot != nullptr; });
        if (isAnyLock) {
            for (const LockRow& row : lockRows)
                add(row.section, std::string(row.path), row.isNoise, row.path, [](const Side& side) { return side.lock; });
        }
        if (!isAnyLock && !isAnySnapshot)
            return;
        for (const std::string_view key : snapshotKeys)
            add("resources", "snapshot." + std::string(key), false, key, [](const Side& side) {
                const ValuePtr inLock = side.lock ? side.lock->find("resource_snapshot") : nullptr;
                return side.snapshot ? side.snapshot : inLock;
            });
    }

    /// A record that is not there is something else than one that has no word: it is missed, as one fact for all that it would tell.
    void missLocks()
    {
        if (std::none_of(m_sides.begin(), m_sides.end(), [](const Side& side) { return side.isRun && !side.lock; }))
            return;
        Fact& fact = factFor("provenance", "lockfile");
        for (std::size_t i = 0; i < m_sides.size(); ++i) {
            if (m_sides[i].lock)
                fact.values[i] = "there";
        }
        fact.state = FactState::Unknown;
        fact.remark = "Nothing is known of the image, the model and the nodes that a run without a lockfile got.";
    }

    static void leaveUncounted(Fact& fact)
    {
        fact.unrecorded = true;
        fact.remark = notRecorded;
    }

    /// What the workers of one role of one side tell of a fact.
    struct Witness {
        std::set<std::string> values;
        bool isSilent = false; ///< A worker does not tell, or there is no worker.
    };

    static Told valueFor(const Fingerprint& fingerprint, std::string_view section, const std::string& key)
    {
        if (const auto found = fingerprint.facts.find({section, key}); found != fingerprint.facts.end())
            return found->second;
        const bool isAbsent = std::any_of(fingerprint.knows.begin(), fingerprint.knows.end(),
                                          [&](const std::string& family) { return key.starts_with(family); });
        return isAbsent ? Told(notSet) : std::nullopt;
    }

    void compareFingerprints()
    {
        // By side, then by role.
        std::vector<std::map<std::string, std::vector<Fingerprint>>> all(m_sides.size());
        std::set<std::string> roles;
        std::set<std::string> asked;
        std::set<std::pair<std::string_view, std::string>> keys;
        for (std::size_t i = 0; i < m_sides.size(); ++i) {
            for (const auto& [worker, value] : m_sides[i].fingerprints) {
                Fingerprint made = fingerprintOf(value);
                for (const auto& [key, unused] : made.facts)
                    keys.insert(key);
                asked.insert(made.asked.begin(), made.asked.end());
                roles.insert(roleOf(worker));
                all[i][roleOf(worker)].push_back(std::move(made));
            }
        }
        const bool isMissed =
            std::any_of(m_sides.begin(), m_sides.end(), [](const Side& side) { return side.isRun && side.fingerprints.empty(); });
        if (isMissed) {
            Fact& fact = factFor("software", "fingerprint");
            for (std::size_t i = 0; i < m_sides.size(); ++i) {
                if (!m_sides[i].fingerprints.empty())
                    fact.values[i] = std::to_string(m_sides[i].fingerprints.size()) + " workers";
            }
            fact.state = FactState::Unknown;
            fact.remark = "Nothing is known of the software and the hardware of a run without a fingerprint.";
        }
        // The families last: each is a fact of its own where none of its members says already that not all of it is known.
        std::vector<std::pair<std::string_view, std::string>> families;
        for (const auto& [section, key] : keys) {
            if (isFamily(key))
                families.emplace_back(section, key);
            else
                compareOfWorkers(section, key, all, roles, asked.contains(key));
        }
        for (const auto& [section, key] : families) {
            if (isToldUnknown(section, key + '.'))
                continue;
            Fact& fact = factFor(section, key);
            fact.state = FactState::Unknown;
            fact.remark = "Of a side not all of these are known.";
        }
    }

    static bool isFamily(std::string_view key) { return key == "frameworks" || key == "env" || key == "pip"; }

    /// A fact of the family ("pip.vllm", "decode: pip.vllm") is unknown, and counts.
    bool isToldUnknown(std::string_view section, const std::string& family)
    {
        const auto& facts = m_facts[section];
        return std::any_of(facts.begin(), facts.end(), [&](const auto& each) {
            const Fact& fact = each.second;
            return fact.state == FactState::Unknown && fact.isCounted() && (" " + fact.key).find(" " + family) != std::string::npos;
        });
    }

    void compareOfWorkers(std::string_view section, const std::string& key,
                          const std::vector<std::map<std::string, std::vector<Fingerprint>>>& all, const std::set<std::string>& roles,
                          bool isAsked)
    {
        std::map<std::string, std::vector<Witness>> byRole; // a witness for each side
        bool isUniform = true;                              // all workers of each side say the same
        bool isKnown = false;
        for (const std::string& role : roles)
            byRole[role].resize(all.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
            std::set<std::string> ofSide;
            for (const std::string& role : roles) {
                Witness& witness = byRole[role][i];
                const auto workers = all[i].find(role);
                witness.isSilent = workers == all[i].end();
                if (witness.isSilent)
                    continue;
                for (const Fingerprint& worker : workers->second) {
                    const Told value = valueFor(worker, section, key);
                    witness.isSilent = witness.isSilent || !value;
                    if (value)
                        witness.values.insert(*value);
                }
                ofSide.insert(witness.values.begin(), witness.values.end());
            }
            isUniform = isUniform && ofSide.size() <= 1;
            isKnown = isKnown || !ofSide.empty();
        }
        if (!isKnown) {
            add(section, key, key, std::vector<Witness>(all.size()));
            if (!isAsked)
                leaveUncounted(factFor(section, key));
            return;
        }
        if (isUniform) {
            std::vector<Witness> united(all.size());
            for (std::size_t i = 0; i < all.size(); ++i) {
                united[i].isSilent = all[i].empty();
                for (const auto& [role, witnesses] : byRole) {
                    united[i].values.insert(witnesses[i].values.begin(), witnesses[i].values.end());
                    united[i].isSilent = united[i].isSilent || (all[i].contains(role) && witnesses[i].isSilent);
                }
            }
            add(section, key, key, united);
            return;
        }
        for (const auto& [role, witnesses] : byRole)
            add(section, key, role + ": " + key, witnesses);
    }

    void add(std::string_view section, const std::string& key, const std::string& shownKey, const std::vector<Witness>& witnesses)
    {
        Fact& fact = factFor(section, shownKey);
        const bool isVariable = key.starts_with("env.");
        fact.noise = isVariable && isNoisyVariable(std::string_view(key).substr(4));
        for (std::size_t i = 0; i < witnesses.size(); ++i) {
            const Witness& witness = witnesses[i];
            if (witness.values.empty() || (witness.isSilent && witness.values.size() == 1))
                continue; // nobody tells, or not everybody
            fact.values[i] = base::joined(std::vector<std::string>(witness.values.begin(), witness.values.end()), " and ");
            if (witness.values.size() > 1)
                fact.remark = "The workers of one role differ among themselves.";
            if (witness.values.contains(std::string(redacted)))
                fact.noise = true; // a secret; what it is says nothing about the run
        }
        settle(fact);
        for (std::optional<std::string>& value : fact.values) // whether they differ is told; what they are is nobody's business
            value = value ? std::optional(base::shownValue(key, *value)) : value;
    }

    static void markWhatFollows(RunDifferences& out)
    {
        std::set<std::string> differing;
        for (const Section& section : out.sections) {
            for (const Fact& fact : section.facts) {
                if (fact.state == FactState::Different && fact.isCounted())
                    differing.insert(fact.key);
            }
        }
        for (Section& section : out.sections) {
            for (Fact& fact : section.facts) {
                if (fact.state != FactState::Same && fact.isCounted())
                    fact.follows = causeOf(fact.key, differing);
            }
        }
    }

    static std::string causeOf(const std::string& shownKey, const std::set<std::string>& differing)
    {
        const std::size_t colon = shownKey.find(": ");
        const std::string role = colon == std::string::npos ? std::string() : shownKey.substr(0, colon + 2);
        const std::string key = shownKey.substr(role.size());
        for (const FollowRow& row : followRows) {
            if (key.starts_with(row.prefix) && differing.contains(std::string(row.cause)))
                return std::string(row.cause);
        }
        for (const FrameworkRow& row : frameworkRows) {
            if (key != "frameworks." + std::string(row.framework))
                continue;
            for (const std::string& cause : {role + "pip." + std::string(row.package), "pip." + std::string(row.package)}) {
                if (differing.contains(cause))
                    return cause;
            }
        }
        return {};
    }

    static void judge(RunDifferences& out)
    {
        std::string variable;
        std::string unknown;
        for (const Section& section : out.sections) {
            for (const Fact& fact : section.facts) {
                out.unrecorded += fact.unrecorded && !fact.noise ? 1 : 0;
                if (!fact.isCounted() || fact.state == FactState::Same)
                    continue;
                if (fact.state == FactState::Different) {
                    ++out.differences;
                    variable = fact.key;
                } else {
                    ++out.unknown;
                    unknown = unknown.empty() ? fact.key : unknown;
                }
            }
        }
        // Never a verdict of "same" without a word on what nobody could know.
        const std::string beside = out.unrecorded == 0
                                       ? "."
                                       : "; " + std::to_string(out.unrecorded) +
                                             (out.unrecorded == 1 ? " more fact is" : " more facts are") + " not recorded of any side.";
        const std::string notTold = out.unknown == 1 ? base::inQuotes(unknown) + " is not known of every side"
                                                     : std::to_string(out.unknown) + " facts are not known of every side, " +
                                                           base::inQuotes(unknown) + " among them";
        if (out.differences > 1) {
            out.verdict = Verdict::Differences;
            out.reason = std::to_string(out.differences) + " facts differ" + (out.unknown > 0 ? ", and " + notTold : std::string()) + ".";
        } else if (out.unknown > 0) {
            out.verdict = Verdict::Unknown;
            out.reason = out.differences == 1 ? base::inQuotes(variable) + " differs, and perhaps more does: " + notTold + "."
                                              : "No difference was found, but " + notTold + ".";
        } else if (out.differences == 1) {
            out.verdict = Verdict::SingleVariable;
            out.reason = "Only " + base::inQuotes(variable) + " differs" + beside;
        } else {
            out.verdict = Verdict::Same;
            out.reason = "All facts are the same" + beside;
        }
    }

    std::span<const Side> m_sides;
    std::map<std::string_view, std::map<std::string, Fact>> m_facts; ///< By section and key.
};

} // namespace

RunDifferences compare(std::span<const Side> sides)
{
    return Comparer(sides).run();
}

Value toJson(const RunDifferences& comparison)
{
    Array sections;
    for (const Section& section : comparison.sections) {
        Array facts;
        for (const Fact& fact : section.facts) {
            Array values;
            for (const Told& value : fact.values)
                values.emplace_back(value);
            Value one;
            one.set("key", fact.key);
            one.set("state", name(fact.state));
            one.set("values", std::move(values));
            one.set("noise", fact.noise);
            one.set("label", fact.label);
            one.set("counted", fact.isCounted());
            one.set("follows", fact.follows.empty() ? Value() : Value(fact.follows));
            one.set("remark", fact.remark.empty() ? Value() : Value(fact.remark));
            facts.push_back(std::move(one));
        }
        Value one;
        one.set("id", section.id);
        one.set("facts", std::move(facts));
        sections.push_back(std::move(one));
    }
    Value out;
    out.set("verdict", name(comparison.verdict));
    out.set("reason", comparison.reason);
    out.set("differences", comparison.differences);
    out.set("unknown", comparison.unknown);
    out.set("unrecorded", comparison.unrecorded);
    out.set("sections", std::move(sections));
    return out;
}

} // namespace wb::analysis
