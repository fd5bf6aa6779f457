#include "core/recipe/migrateroles.h"

#include "core/base/arithmetic.h"
#include "core/base/text.h"
#include "core/recipe/packdefaults.h"

#include <algorithm>
#include <map>
#include <utility>

namespace wb::recipe::migration {

using syntax::Kind;
using syntax::Member;
using syntax::Range;
using syntax::Value;
using syntax::ValuePtr;

namespace {

/// One section: its pointers into blocks do not outlive it.
class RoleMigration
{
public:
    explicit RoleMigration(MigrationContext& context)
        : m_context(context)
        , m_lines(context.lines)
    {
    }

    void run(const Section& section, const std::vector<Entry>& entries) { migrateRoles(section, entries); }

private:
    // --- roles and engine ----------------------------------------------------------------------------------------------------------------

    /// What moves into one role.
    struct Role {
        Lines lines; ///< At the column of the role's own keys.
        std::vector<const Entry*> taken;
        bool isReset = false; ///< The variant drops the role.
    };

    [[nodiscard]] ValuePtr effectiveAt(const Section& section, const std::string& path) const
    {
        return syntax::at(section.effective, path);
    }

    /// The role has counts in this section or in the base.
    [[nodiscard]] static bool isCounted(const ValuePtr& document, const RoleNames& names)
    {
        const ValuePtr resources = document ? document->find("resources") : nullptr;
        return resources && (!isEmptyValue(resources->find(names.nodes())) || !isEmptyValue(resources->find(names.workers())));
    }

    /// Some job of the file has workers of the role, so that it is declared in the base as well.
    [[nodiscard]] bool isRoleOf(const Section& section, const RoleNames& names) const
    {
        if (isCounted(section.effective, names))
            return true;
        return !section.isVariant() && std::any_of(m_context.sections.begin(), m_context.sections.end(),
                                                   [&](const Section& one) { return isCounted(one.effective, names); });
    }

    void migrateRoles(const Section& section, const std::vector<Entry>& entries)
    {
        const ValuePtr resources = section.value->find("resources");
        const ValuePtr backendValue = section.value->find("backend");
        const auto isCount = [](const Member& member) {
            return std::any_of(roleNames.begin(), roleNames.end(), [&](const RoleNames& names) {
                return member.key == names.nodes() || member.key == names.workers() || member.key == names.gpus() ||
                       member.key == names.critical();
            });
        };
        const bool hasCounts = resources && std::any_of(resources->members.begin(), resources->members.end(), isCount);
        const Block counts = m_context.blockOf(section, entries, "resources", hasCounts);
        const Block backend = m_context.blockOf(section, entries, "backend", backendValue != nullptr);
        const bool isBlocked =
            (hasCounts && !counts.isThere()) || (backendValue && !backend.isThere() && (section.isVariant() || !backendValue->isNull()));
        if (isBlocked)
            return; // told; half a move would be worse
        const std::string engine = MigrationContext::engineOf(section);
        const std::size_t column = entries.front().column;
        std::vector<std::pair<const RoleNames*, Role>> roles;
        Lines lostComments;
        if (const Member* written = section.value->member("roles"))
            migrateOldRoles(*written, backend, hasCounts);
        else
            for (const RoleNames& names : roleNames)
                roles.emplace_back(&names, roleOf(section, names, counts, backend, engine, column + 2 * m_context.step));
        takeFlagsBlock(backend, engine, column, lostComments);

        Lines roleLines = lostComments;
        Lines inner;
        std::vector<const Entry*> takenCounts;
        std::vector<const Entry*> takenBackend;
        for (auto& [names, role] : roles) {
            for (const Entry* entry : role.taken)
                (counts.owns(entry) ? takenCounts : takenBackend).push_back(entry);
            const bool isAllComments = std::all_of(role.lines.begin(), role.lines.end(),
                                                   [](const std::string& line) { return base::trimmed(line).starts_with('#'); });
            if (role.isReset) {
                inner.push_back(blanks(column + m_context.step) + std::string(names->role) + ": null");
            } else if (isAllComments) {
                append(roleLines, role.lines);
            } else {
                inner.push_back(blanks(column + m_context.step) + std::string(names->role) + ":");
                append(inner, role.lines);
            }
        }
        if (!inner.empty()) {
            roleLines.push_back(blanks(column) + "roles:");
            append(roleLines, inner);
        }
        if (counts.isThere() && !takenCounts.empty())
            m_context.replaceEntries(counts, takenCounts, {});
        const Lines services = servicesOf(section, entries, backend, column);
        placeEngine(section, entries, counts, backend, engine, column, takenBackend, roleLines, services);
    }

    /// Roles that an older draft of schema 2 wrote beside a backend.
    void migrateOldRoles(const Member& written, const Block& backend, bool hasCounts)
    {
        const ValuePtr nodes = syntax::at(written.value, "decode.nodes");
        if (nodes && nodes->kind == Kind::Integer && nodes->integer == 0 && !nodes->range.isEmpty() && nodes->definition.isEmpty()) {
            m_lines.replace(nodes->range, "colocate");
            m_context.note(nodes->range, "\"nodes: 0\" of the decode role became \"colocate\".");
        }
        const bool hasMore = hasCounts || std::any_of(backend.entries.begin(), backend.entries.end(), [&](const Entry& entry) {
                                 return isOfRoles(entry.member->key, "sglang") || entry.member->key.ends_with("_config");
                             });
        if (hasMore)
            m_context.refuse(written.keyRange, "The recipe has roles already, so that keys of schema 1 for them were left where they are.");
    }

    /// Comments around the flags of all modes have no block of their own any more.
    void takeFlagsBlock(const Block& backend, const std::string& engine, std::size_t column, Lines& comments)
    {
        const Entry* flags = backend.find(engine + "_config");
        if (!flags)
            return;
        append(comments, m_lines.leadOf(*flags, column));
        if (const std::string remark = m_lines.remarkBehind(*flags); !remark.empty() && !flags->member->value->isScalar())
            comments.push_back(blanks(column) + std::string(base::trimmed(remark)));
    }

    /// Entries of `<engine>_config` by mode; they live as long as the migrator.
    const std::vector<Entry>& flagEntries(const Block& backend, const std::string& engine)
    {
        static const std::vector<Entry> none;
        const Entry* flags = backend.find(engine + "_config");
        if (!flags || !flags->member->value->isMapping() || flags->member->value->members.empty())
            return none;
        auto& kept = m_inner[flags->member];
        if (kept.empty())
            kept = m_lines.entriesOf(*flags->member->value, flags->keyLine + 1, flags->end);
        return kept;
    }

    const std::vector<Entry>& eventEntries(const Block& backend)
    {
        static const std::vector<Entry> none;
        const Entry* events = backend.find("kv_events_config");
        if (!events || !events->member->value->isMapping() || events->member->value->members.empty())
            return none;
        auto& kept = m_inner[events->member];
        if (kept.empty())
            kept = m_lines.entriesOf(*events->member->value, events->keyLine + 1, events->end);
        return kept;
    }

    Role roleOf(const Section& section, const RoleNames& names, const Block& counts, const Block& backend, const std::string& engine,
                std::size_t column)
    {
        Role role;
        const bool isOne = isRoleOf(section, names);
        const bool wasOne = section.isVariant() && isCounted(section.base, names);
        if (section.isVariant() && wasOne && !isCounted(section.effective, names)) {
            role.isReset = true;
            for (const std::string& key : {names.nodes(), names.workers(), names.gpus(), names.critical()}) {
                if (const Entry* entry = counts.find(key))
                    role.taken.push_back(entry);
            }
            return role;
        }
        takeCount(section, names, counts.find(names.nodes()), "nodes", isOne, column, role);
        takeCount(section, names, counts.find(names.workers()), "workers", isOne, column, role);
        takeCount(section, names, counts.find(names.gpus()), "gpus", isOne, column, role);
        addSharedGpus(section, names, counts, column, role);
        takeCount(section, names, counts.find(names.critical()), "critical", isOne, column, role);
        takeBlock(section, names, backend.find(names.environment()), "env", isOne, column, role);
        addStoreVariables(section, names, backend, isOne, column, role);
        for (const Entry& entry : flagEntries(backend, engine)) {
            if (entry.member->key == names.mode)
                takeBlock(section, names, &entry, "args", isOne, column, role, false);
        }
        takeBlock(section, names, backend.find(names.extraArgs()), "extra_args", isOne, column, role);
        addEvents(section, names, backend, isOne, column, role);
        return role;
    }

    void takeCount(const Section& section, const RoleNames& names, const Entry* entry, std::string_view key, bool isOne, std::size_t column,
                   Role& role)
    {
        if (!entry)
            return;
        const ValuePtr& value = entry->member->value;
        role.taken.push_back(entry);
        if (value->isNull() && !section.isVariant() && isOne)
            return append(role.lines, m_lines.leadOf(*entry, column));
        if (!isOne) {
            turnedToComments(*entry, role, "no worker of that kind is asked for");
            return;
        }
        if (key == "nodes" && wholeOf(value) == 0 && names.role != "prefill") {
            append(role.lines, m_lines.leadOf(*entry, column));
            role.lines.push_back(blanks(column) + "nodes: " + (names.role == "agg" ? "1" : "colocate") + m_lines.remarkBehind(*entry));
            return;
        }
        const std::vector<ValuePtr> all = m_context.valuesOf(section, value);
        if (key == "nodes" && names.role != "prefill" &&
            std::any_of(all.begin(), all.end(), [](const ValuePtr& item) { return wholeOf(item) == 0; }))
            m_context.refuse(entry->member->keyRange,
                             "\"" + entry->member->key + "\" has a 0 in a list, which is " +
                                 (names.role == "agg" ? "1 in schema 2" : "\"colocate\" in schema 2, with gpus in both roles") +
                                 "; write it by hand.");
        append(role.lines, m_lines.moved(*entry, key, column));
    }

    /// The entry as comment lines inside the role: it meant nothing, and would mean something there.
    void turnedToComments(const Entry& entry, Role& role, const std::string& why)
    {
        role.taken.erase(std::remove(role.taken.begin(), role.taken.end(), &entry), role.taken.end());
        m_lines.commentOut(entry);
        m_commented.push_back(&entry);
        m_context.note(entry.member->keyRange, "\"" + entry.member->key + "\" was turned into a comment: " + why + ".");
    }

    void takeBlock(const Section& section, const RoleNames& names, const Entry* entry, std::string_view key, bool isOne, std::size_t column,
                   Role& role, bool isOwn = true)
    {
        if (!entry)
            return;
        if (isOwn)
            role.taken.push_back(entry);
        if (!isOne) {
            if (isEmptyValue(entry->member->value))
                return;
            if (isOwn) {
                turnedToComments(*entry, role, "there are no " + std::string(names.mode) + " workers");
            } else {
                m_orphans.push_back(entry);
                m_context.note(entry->member->keyRange,
                               "The flags of " + std::string(names.mode) + " workers were turned into a comment: there are none.");
            }
            return;
        }
        if (entry->member->value->isNull() && !section.isVariant())
            append(role.lines, m_lines.leadOf(*entry, column));
        else
            append(role.lines, m_lines.moved(*entry, key, column));
    }

    /// Decode workers on the prefill nodes need their GPUs said in both roles.
    void addSharedGpus(const Section& section, const RoleNames& names, const Block& counts, std::size_t column, Role& role)
    {
        const Entry* said = counts.find(names.gpus());
        if (names.role == "agg" || (said && !said->member->value->isNull()))
            return;
        const bool isShared =
            wholeOf(effectiveAt(section, "resources.decode_nodes")) == 0 && effectiveAt(section, "resources.decode_nodes");
        const bool wasShared = section.isVariant() && syntax::at(section.base, "resources.decode_nodes") &&
                               wholeOf(syntax::at(section.base, "resources.decode_nodes")) == 0;
        const bool isSaid = !isEmptyValue(effectiveAt(section, "resources." + names.gpus()));
        const ValuePtr own = section.value->find("resources");
        const bool isTouched =
            !section.isVariant() || (own && std::any_of(own->members.begin(), own->members.end(), [](const Member& member) {
                                         return member.key == "decode_nodes" || member.key == "gpus_per_prefill" ||
                                                member.key == "prefill_nodes" || member.key == "prefill_workers" ||
                                                member.key == "gpus_per_node";
                                     }));
        if (isSaid || !isTouched)
            return;
        if (!isShared) {
            if (wasShared)
                role.lines.push_back(blanks(column) + "gpus: null");
            return;
        }
        const auto gpus = prefillGpus(section);
        if (!gpus) {
            const Member* member = own ? own->member("decode_nodes") : nullptr;
            m_context.refuse(member ? member->keyRange : Range{0, 0},
                             "The nodes are shared, so both roles need \"gpus\", which could not be worked out; add them.");
            return;
        }
        role.lines.push_back(blanks(column) + "gpus: " + std::to_string(*gpus));
    }

    [[nodiscard]] std::optional<std::int64_t> prefillGpus(const Section& section) const
    {
        if (const ValuePtr given = effectiveAt(section, "resources.gpus_per_prefill"); !isEmptyValue(given))
            return wholeOf(given);
        const auto perNode = effectiveAt(section, "resources.gpus_per_node") ? wholeOf(effectiveAt(section, "resources.gpus_per_node"))
                                                                             : defaultNumber("v1", "resources.gpus_per_node");
        const auto nodes = wholeOf(effectiveAt(section, "resources.prefill_nodes"));
        const auto workers = wholeOf(effectiveAt(section, "resources.prefill_workers"));
        if (!perNode || !nodes || !workers || *workers <= 0)
            return std::nullopt;
        const auto all = base::exactProduct(*nodes, *perNode);
        return all ? std::optional(*all / *workers) : std::nullopt;
    }

    void addEvents(const Section& section, const RoleNames& names, const Block& backend, bool isOne, std::size_t column, Role& role)
    {
        const Entry* events = backend.find("kv_events_config");
        if (!events || !isOne)
            return;
        const ValuePtr& value = events->member->value;
        const bool isSwitch = value->kind == Kind::Bool || value->isNull();
        if (isSwitch) {
            const bool isOn = isTrue(value);
            if (!isOn && !section.isVariant())
                return;
            if (names.role == "agg" && isOn)
                m_context.note(events->member->keyRange, "\"kv_events_config: true\" means prefill and decode workers in schema 1; say "
                                                         "\"kv_events: true\" in the role agg to publish there too.");
            else
                role.lines.push_back(blanks(column) + "kv_events: " + (isOn ? "true" : "false"));
            return;
        }
        for (const Entry& entry : eventEntries(backend)) {
            if (entry.member->key == names.mode)
                append(role.lines, m_lines.moved(entry, "kv_events", column));
        }
    }

    /// Variables of the Mooncake client win over those of the mode.
    void addStoreVariables(const Section& section, const RoleNames& names, const Block& backend, bool isOne, std::size_t column, Role& role)
    {
        const Entry* store = backend.find("mooncake_kv_store");
        const ValuePtr variables = store ? store->member->value->find("env") : nullptr;
        if (isEmptyValue(variables) || !isOne)
            return;
        const Entry* own = backend.find(names.environment());
        const ValuePtr environment = own ? own->member->value : nullptr;
        for (const Member& variable : variables->members) {
            const ValuePtr already = effectiveAt(section, "backend." + names.environment() + "." + variable.key);
            if (environment && environment->member(variable.key) && already && !syntax::sameData(*already, *variable.value)) {
                m_context.refuse(variable.keyRange, "\"" + variable.key + "\" stands in \"mooncake_kv_store.env\" and in \"" +
                                                        names.environment() + "\"; choose one of the two by hand.");
                return;
            }
        }
        Lines lines;
        const std::size_t inner = column + m_context.step;
        if (!isEmptyValue(environment) && !environment->definition.isEmpty()) { // an alias cannot be added to, but merged
            role.lines.pop_back();
            lines.push_back(blanks(column) + "env:");
            lines.push_back(
                blanks(inner) + "<<: " +
                m_context.parsed.source->text().substr(environment->range.begin, environment->range.end - environment->range.begin));
        } else if (isEmptyValue(environment)) {
            if (own)
                role.lines.pop_back();
            lines.push_back(blanks(column) + "env:");
        } else if (environment->style == syntax::Style::Flow) {
            m_context.refuse(environment->range,
                             "\"" + names.environment() +
                                 "\" is written in braces, so that the variables of the Mooncake store could not be added to it.");
            return;
        }
        const Entry* storeEnvironment = nullptr;
        auto& kept = m_inner[store->member];
        if (kept.empty())
            kept = m_lines.entriesOf(*store->member->value, store->keyLine + 1, store->end);
        for (const Entry& entry : kept) {
            if (entry.member->key == "env")
                storeEnvironment = &entry;
        }
        if (!storeEnvironment || storeEnvironment->member->value->style == syntax::Style::Flow || !variables->definition.isEmpty()) {
            m_context.refuse(store->member->keyRange, "The variables of the Mooncake store are not written as a block, so they were left "
                                                      "out of the roles; add them to \"env\" of each.");
            return;
        }
        const bool isAdded = !isEmptyValue(environment) && environment->definition.isEmpty();
        const std::size_t at = isAdded ? innerColumn(*own, column) : inner;
        for (const Entry& entry : m_lines.entriesOf(*variables, storeEnvironment->keyLine + 1, storeEnvironment->end)) {
            if (!environment || !environment->member(entry.member->key))
                append(lines, m_lines.moved(entry, entry.member->key, at));
        }
        append(role.lines, lines);
    }

    /// Column of the keys of a block that was moved to `column`.
    [[nodiscard]] std::size_t innerColumn(const Entry& entry, std::size_t column) const
    {
        const Value& value = *entry.member->value;
        return m_lines.columnOf(value.members.front().keyRange.begin) - entry.column + column;
    }

    // --- services ------------------------------------------------------------------------------------------------------------------------

    Lines servicesOf(const Section& section, const std::vector<Entry>& entries, const Block& backend, std::size_t column)
    {
        const ValuePtr infra = section.value->find("infra");
        const Entry* store = backend.find("mooncake_kv_store");
        const Block block = m_context.blockOf(section, entries, "infra", infra != nullptr && !infra->isNull());
        if (!infra && !store)
            return {};
        if (section.value->member("services")) {
            if (infra)
                m_context.refuse(section.value->member("infra")->keyRange, "\"infra\" was left, because the recipe has services already.");
            return {};
        }
        Lines inner;
        const std::size_t at = column + m_context.step;
        if (block.isThere() || (section.isVariant() && section.base->find("infra")))
            addInfra(section, block, at, inner);
        if (store)
            addMaster(section, *store, at, inner);
        else if (section.isVariant() && !isEmptyValue(syntax::at(section.base, "backend.mooncake_kv_store")) && !inner.empty())
            m_context.refuse(section.value->member("infra")->keyRange,
                             "A list of services in a variant takes the place of that of the base; add the Mooncake master to it.");
        Lines lines;
        if (!inner.empty()) {
            lines.push_back(blanks(column) + "services:");
            append(lines, inner);
        }
        return lines;
    }

    void addInfra(const Section& section, const Block& block, std::size_t at, Lines& inner)
    {
        const std::string frontend = textOf(effectiveAt(section, "frontend.type"));
        const ValuePtr dedicated = effectiveAt(section, "infra.etcd_nats_dedicated_node");
        const ValuePtr payload = effectiveAt(section, "infra.nats_max_payload_mb");
        const Entry* payloadEntry = block.find("nats_max_payload_mb");
        const Entry* dedicatedEntry = block.find("etcd_nats_dedicated_node");
        const bool isList = (dedicated && dedicated->isSequence()) || (payload && payload->isSequence());
        if (isList || (!frontend.empty() && frontend != "dynamo" && isTrue(dedicated))) {
            if (block.isThere())
                m_context.refuse(block.member->keyRange,
                                 isList ? "\"infra\" has a list of values, so it was left as it is; write the services by hand."
                                        : "\"infra\" asks for a node for etcd and NATS, which do not run with the frontend " +
                                              base::inQuotes(frontend) + "; it was left as it is.");
            return;
        }
        if (block.isThere()) {
            m_infra = block;
            m_hasInfra = true;
        }
        if (!frontend.empty() && frontend != "dynamo") {
            if (payloadEntry)
                m_context.note(payloadEntry->member->keyRange, "\"nats_max_payload_mb\" was dropped: NATS does not run with the frontend " +
                                                                   base::inQuotes(frontend) + ".");
            return;
        }
        const bool wasDedicated = section.isVariant() && isTrue(syntax::at(section.base, "infra.etcd_nats_dedicated_node"));
        if (!isTrue(dedicated) && isEmptyValue(payload) && !wasDedicated) {
            if (dedicatedEntry)
                m_context.note(dedicatedEntry->member->keyRange,
                               "\"etcd_nats_dedicated_node: false\" was dropped: it is so without a word.");
            return;
        }
        const std::string node = isTrue(dedicated) ? "dedicated" : "infra";
        const std::string request = textOf(effectiveAt(section, "dynamo.request_plane"));
        const bool hasNats = !isEmptyValue(payload) || request == "nats" || textOf(effectiveAt(section, "dynamo.event_plane")) == "nats";
        const std::string own = blanks(at + 2);
        if (dedicatedEntry)
            append(inner, m_lines.leadOf(*dedicatedEntry, at));
        for (const std::string_view type : {"etcd", "nats"}) {
            if (type == "nats" && !hasNats)
                continue;
            inner.push_back(blanks(at) + "- name: " + std::string(type));
            inner.push_back(own + "type: " + std::string(type));
            inner.push_back(own + "placement:");
            std::string placed = blanks(at + 2 + m_context.step);
            placed.append("node: ").append(node);
            if (dedicatedEntry && type == "etcd")
                placed += m_lines.remarkBehind(*dedicatedEntry);
            inner.push_back(std::move(placed));
        }
        if (isEmptyValue(payload))
            return;
        inner.push_back(own + "options:");
        if (payloadEntry)
            append(inner, m_lines.moved(*payloadEntry, "max_payload_mb", at + 2 + m_context.step));
        else
            inner.push_back(own + blanks(m_context.step) + "max_payload_mb: " + payload->text);
    }

    void addMaster(const Section& section, const Entry& store, std::size_t at, Lines& inner)
    {
        const ValuePtr& value = store.member->value;
        if (value->isNull()) {
            if (section.isVariant() && !isEmptyValue(syntax::at(section.base, "backend.mooncake_kv_store")))
                m_context.refuse(store.member->keyRange,
                                 "The variant switches the Mooncake store of the base off; write its list of services by hand.");
            return;
        }
        const bool isPart = section.isVariant() && !isEmptyValue(syntax::at(section.base, "backend.mooncake_kv_store"));
        if (isPart || !value->isMapping() || (value->style == syntax::Style::Flow && !value->members.empty()) ||
            !value->definition.isEmpty()) {
            m_context.refuse(store.member->keyRange, "The Mooncake store of this section could not be made a service; write it by hand.");
            return;
        }
        append(inner, m_lines.leadOf(store, at));
        inner.push_back(blanks(at) + "- name: mooncake-master");
        inner.push_back(blanks(at + 2) + "type: mooncake-master");
        Lines options;
        auto& kept = m_inner[store.member];
        if (kept.empty() && !value->members.empty())
            kept = m_lines.entriesOf(*value, store.keyLine + 1, store.end);
        for (const Entry& entry : kept) {
            if (entry.member->key == "container") {
                append(inner, m_lines.moved(entry, "container", at + 2));
            } else if (entry.member->key == "master_extra_args") {
                if (isEmptyValue(entry.member->value))
                    continue;
                append(inner, m_lines.moved(entry, "args", at + 2));
            } else if (entry.member->key == "store_config") {
                if (isEmptyValue(entry.member->value))
                    continue;
                append(options, m_lines.moved(entry, "store_config", at + 2 + m_context.step));
            } else if (entry.member->key != "env") {
                m_context.refuse(entry.member->keyRange,
                                 "\"" + entry.member->key +
                                     "\" of the Mooncake store has no place in schema 2; it was turned into a comment.");
                Lines lines = m_lines.moved(entry, entry.member->key, at + 2);
                for (std::string& line : lines)
                    line.insert(std::min(line.size(), at + 2), "# ");
                append(inner, lines);
            }
        }
        if (!options.empty()) {
            inner.push_back(blanks(at + 2) + "options:");
            append(inner, options);
        }
    }

    // --- putting it together -------------------------------------------------------------------------------------------------------------

    void placeEngine(const Section& section, const std::vector<Entry>& entries, const Block& counts, const Block& backend,
                     const std::string& engine, std::size_t column, const std::vector<const Entry*>& taken, const Lines& roles,
                     const Lines& services)
    {
        if (m_hasInfra) {
            m_lines.erase(m_infra.entry.keyLine, m_infra.entry.end);
            if (services.empty() && m_infra.entry.keyLine > 0 && m_lines.isBlankLine(m_infra.entry.keyLine - 1) &&
                m_lines.isBlankLine(m_infra.entry.end))
                m_lines.erase(m_infra.entry.keyLine - 1, m_infra.entry.keyLine); // one blank line in its place
            m_lines.insertBefore(m_infra.entry.keyLine, services);
        } else if (!services.empty()) {
            m_lines.insertBefore(counts.isThere()    ? counts.entry.end
                                 : backend.isThere() ? backend.entry.keyLine
                                                     : entries.back().end,
                                 services);
        }
        m_hasInfra = false;
        const bool needsDefault = !section.isVariant() && m_context.isFirst;
        if (!backend.isThere()) {
            Lines lines;
            const bool hasEngine = section.value->member("engine") || hasRoleEngines(section);
            if (needsDefault && !hasEngine)
                lines.push_back(m_context.baseNeedsMapping ? blanks(column) + "engine:" : blanks(column) + "engine: sglang");
            if (needsDefault && !hasEngine && m_context.baseNeedsMapping)
                lines.push_back(blanks(column + m_context.step) + "type: sglang");
            append(lines, roles);
            if (const Member* empty = section.value->member("backend"); empty && !section.isVariant()) { // "backend:" without anything
                const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& one) { return one.member == empty; });
                if (found != entries.end()) {
                    m_lines.erase(found->keyLine, found->end);
                    m_lines.insertBefore(found->keyLine, lines);
                    return;
                }
            }
            const auto resources =
                std::find_if(entries.begin(), entries.end(), [](const Entry& one) { return one.member->key == "resources"; });
            m_lines.insertBefore(resources != entries.end() ? resources->end : entries.back().end, lines);
            return;
        }
        placeBackend(section, backend, engine, column, taken, roles, needsDefault);
    }

    static bool hasRoleEngines(const Section& section)
    {
        const ValuePtr roles = section.value->find("roles");
        return roles && roles->isMapping() && std::any_of(roles->members.begin(), roles->members.end(), [](const Member& role) {
                   return role.value->find("engine") != nullptr;
               });
    }

    void placeBackend(const Section& section, const Block& backend, const std::string& engine, std::size_t column,
                      const std::vector<const Entry*>& taken, const Lines& roles, bool needsDefault)
    {
        std::vector<const Entry*> kept;
        const Entry* type = backend.find("type");
        for (const Entry& entry : backend.entries) {
            const bool isTaken = std::find(taken.begin(), taken.end(), &entry) != taken.end();
            const bool isCommented = std::find(m_commented.begin(), m_commented.end(), &entry) != m_commented.end();
            const std::string& key = entry.member->key;
            const bool isFlags =
                key == engine + "_config" && (entry.member->value->isMapping() || (entry.member->value->isNull() && !section.isVariant()));
            const bool isEvents = key == "kv_events_config" && !entry.member->value->isSequence();
            if (isTaken || isFlags || isEvents || key == "mooncake_kv_store") {
                m_lines.erase(entry);
                if (isFlags)
                    keepOrphans(entry);
            } else if (isCommented) {
                m_lines.erase(entry.lead, entry.keyLine);
            } else if (&entry != type) {
                kept.push_back(&entry);
            }
        }
        for (const Entry* entry : kept) {
            if (entry->member->key == "set_cuda_visible_devices") {
                m_lines.replace(entry->member->keyRange, "set_visible_devices");
                m_context.note(entry->member->keyRange, "\"set_cuda_visible_devices\" is called \"set_visible_devices\" in schema 2.");
            }
            if (entry->member->key.ends_with("_config") || isOfRoles(entry->member->key, engine))
                m_context.refuse(entry->member->keyRange,
                                 "\"backend." + entry->member->key + "\" could not be moved to the roles; move it by hand.");
        }
        const std::string& line = m_lines.line(backend.entry.keyLine);
        const std::size_t keyEnd = backend.entry.column + std::string_view("backend").size();
        const bool isMapping = !kept.empty() || (m_context.baseNeedsMapping && (needsDefault || type));
        const std::string remark = m_lines.remarkBehind(backend.entry);
        if (isMapping) {
            m_lines.setLine(backend.entry.keyLine,
                            line.substr(0, backend.entry.column) + "engine" + withoutEmptyBraces(line.substr(keyEnd)));
            if (!type && needsDefault)
                m_lines.insertBefore(backend.entry.keyLine + 1, {blanks(backend.column(column + m_context.step)) + "type: sglang"});
        } else if (type || needsDefault) {
            Lines lines;
            if (!remark.empty())
                lines.push_back(blanks(column) + std::string(base::trimmed(remark)));
            if (type) {
                append(lines, m_lines.moved(*type, "engine", column));
                m_lines.erase(*type);
            } else {
                lines.push_back(blanks(column) + "engine: sglang");
            }
            m_lines.erase(backend.entry.keyLine, backend.entry.keyLine + 1);
            m_lines.insertBefore(backend.entry.keyLine, lines);
        } else {
            m_lines.erase(backend.entry.keyLine, backend.entry.keyLine + 1);
            if (!remark.empty())
                m_lines.insertBefore(backend.entry.keyLine, {blanks(column) + std::string(base::trimmed(remark))});
        }
        m_lines.insertBefore(backend.entry.end, roles);
    }

    static std::string withoutEmptyBraces(std::string rest)
    {
        const std::size_t at = rest.find("{}");
        if (at != std::string::npos && base::trimmed(rest.substr(0, at)) == ":")
            rest.erase(at - 1, 3);
        return rest;
    }

    /// Flags of modes without workers stay as comments where they stood.
    void keepOrphans(const Entry& flags)
    {
        for (const Entry* orphan : m_orphans) {
            if (orphan->lead <= flags.keyLine || orphan->lead >= flags.end)
                continue;
            Lines lines = m_lines.moved(*orphan, orphan->member->key, flags.column);
            for (std::string& line : lines) {
                if (line.size() > flags.column)
                    line.insert(flags.column, "# ");
            }
            m_lines.insertBefore(flags.end, lines);
        }
        std::erase_if(m_orphans, [&](const Entry* orphan) { return orphan->lead > flags.keyLine && orphan->lead < flags.end; });
    }

    MigrationContext& m_context;
    MigrationLines& m_lines;
    std::map<const Member*, std::vector<Entry>> m_inner; ///< Entries of blocks inside the backend.
    std::vector<const Entry*> m_commented;               ///< Entries of the backend that stay as comments.
    std::vector<const Entry*> m_orphans;                 ///< Flags of modes that have no workers.
    Block m_infra;
    bool m_hasInfra = false;
};

} // namespace

void migrateRoles(MigrationContext& context, const Section& section, const std::vector<Entry>& entries)
{
    RoleMigration(context).run(section, entries);
}

} // namespace wb::recipe::migration
