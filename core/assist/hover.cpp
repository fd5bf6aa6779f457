#include "core/assist/hover.h"

#include "core/assist/place.h"
#include "core/assist/words.h"
#include "core/base/text.h"
#include "core/expand/provenance.h"

#include <algorithm>
#include <unordered_map>

namespace wb::assist {

using schema::Content;
using syntax::Range;
using syntax::ValuePtr;
using Id = Skeleton::Id;
using Kind = Skeleton::Kind;
using Style = Skeleton::Style;

namespace {

constexpr std::size_t mostJobs = 2'000; ///< Of a larger sweep only the first ones are looked at.
constexpr std::size_t mostValues = 8;   ///< Distinct values that a card lists.
constexpr std::size_t mostVariants = 3; ///< Names listed of each.
constexpr std::size_t mostChoices = 12;

ValuePtr valueAt(ValuePtr value, const Path& path)
{
    for (const Step& step : path) {
        if (!value)
            return nullptr;
        if (step.isItem())
            value = value->isSequence() && step.index < value->items.size() ? value->items[step.index] : nullptr;
        else
            value = value->find(step.key);
    }
    return value;
}

class Describer
{
public:
    Describer(const Document& document, std::size_t offset)
        : m_document(document)
        , m_skeleton(document.skeleton())
        , m_offset(offset)
        , m_place(placeAt(document, offset))
    {
    }

    std::optional<Hover> run()
    {
        if (ofMark())
            return std::move(m_out);
        if (m_place.node == Skeleton::none || m_place.side == Side::Comment || m_place.side == Side::Text || m_place.word.isEmpty())
            return std::nullopt;
        const Skeleton::Node& node = m_skeleton.node(m_place.node);
        if (node.kind == Kind::Word)
            return std::nullopt;
        m_out.range = m_place.word;
        m_path = m_skeleton.pathOf(m_place.node);
        m_meaning = meaningOf(m_document, m_path);
        if (m_place.side == Side::Key && m_path.size() == 1 && ofSection())
            return std::move(m_out);
        if (m_meaning.holds == Content::Anything)
            return std::nullopt;
        if (m_meaning.isParameter || m_meaning.holds == Content::Parameters)
            return ofParameter() ? std::optional(std::move(m_out)) : std::nullopt;
        m_out.title = dotted(m_meaning.inner);
        if (m_meaning.flag)
            ofFlag(*m_meaning.flag);
        else if (m_meaning.table && !m_meaning.isFlagMap)
            ofUnknownFlag();
        else if (m_meaning.field)
            ofField();
        else
            add("", "No key of the language has this name.", true);
        ofAlias();
        ofBase();
        values();
        return std::move(m_out);
    }

private:
    void add(std::string label, std::string value, bool isWarning = false)
    {
        if (!value.empty())
            m_out.facts.push_back({std::move(label), std::move(value), isWarning});
    }

    bool ofSection()
    {
        const schema::FormKey* form = m_document.formKey(m_path.front().key);
        if (!form)
            return false;
        m_out.title = m_path.front().key;
        m_out.doc = form->doc;
        if (const check::Checked* checked = m_document.checked()) {
            const std::string& key = m_path.front().key;
            std::size_t count = 0;
            std::string names;
            for (const check::CheckedVariant& variant : checked->variants) {
                const std::string& section = variant.variant.section;
                if (section != key && !section.starts_with(key + "["))
                    continue;
                if (++count <= mostVariants)
                    names += (names.empty() ? "" : ", ") + variant.name;
            }
            if (form->holds != Content::Recipe || count > 0)
                add(count == 1 ? "Job" : "Jobs",
                    count == 0 ? "none" : std::to_string(count) + ": " + names + (count > mostVariants ? ", \u2026" : ""), count == 0);
        }
        return true;
    }

    bool ofParameter()
    {
        Path path = m_path;
        while (!path.empty() && path.back().isItem())
            path.pop_back();
        if (path.empty())
            return false;
        const Id key = m_skeleton.find(path);
        for (const Id parameter : m_document.parameters()) {
            if (parameter == key) {
                describeParameter(parameter);
                return true;
            }
        }
        return false;
    }

    void describeParameter(Id parameter)
    {
        const std::string name = m_skeleton.keyOf(parameter);
        m_out.title = "{" + name + "}";
        m_out.doc = "Parameter of the sweep: one job for each value.";
        const auto items = m_skeleton.children(parameter);
        std::string list;
        for (const Id item : items)
            list += (list.empty() ? "" : ", ") + shortText(m_skeleton, item, 30);
        add("Values", items.empty() ? shortText(m_skeleton, parameter, 200) : cutTo(list, 200));
        std::size_t uses = 0;
        std::string first;
        for (const Mark& mark : m_document.marks()) {
            if (mark.kind == MarkKind::Placeholder && m_document.name(mark) == name && ++uses <= mostVariants)
                first += (first.empty() ? "" : ", ") + dotted(m_skeleton.pathOf(mark.node));
        }
        add("Used in", uses == 0 ? "nothing" : first + (uses > mostVariants ? " and " + std::to_string(uses - mostVariants) + " more" : ""),
            uses == 0);
    }

    /// Anchors, aliases, placeholders.
    bool ofMark()
    {
        for (const Mark& mark : m_document.marks()) {
            if (mark.range.begin > m_offset || mark.range.end < m_offset || mark.kind == MarkKind::Parameter)
                continue;
            if (mark.range.end == m_offset && mark.kind == MarkKind::Placeholder)
                continue;
            m_out.range = mark.range;
            const std::string name(m_document.name(mark));
            if (mark.kind == MarkKind::Placeholder)
                return ofPlaceholder(mark, name);
            const Mark* anchor = mark.kind == MarkKind::Anchor ? &mark : anchorOf(mark);
            m_out.title = (mark.kind == MarkKind::Anchor ? "&" : "*") + name;
            if (!anchor) {
                add("", "No anchor has this name above.", true);
                return true;
            }
            add("Stands for", contentOf(anchor->node));
            add("Defined in", "line " + std::to_string(m_document.source()->lineCol(anchor->range.begin).line) + ", " +
                                  dotted(m_skeleton.pathOf(anchor->node)));
            if (mark.kind == MarkKind::Anchor) {
                const auto uses = std::count_if(m_document.marks().begin(), m_document.marks().end(), [&](const Mark& other) {
                    return other.kind == MarkKind::Alias && m_document.name(other) == name;
                });
                add("Used", std::to_string(uses) + (uses == 1 ? " time" : " times"), uses == 0);
            }
            return true;
        }
        return false;
    }

    [[nodiscard]] std::string contentOf(Id id) const
    {
        const std::string scalar = shortText(m_skeleton, id, 80);
        if (!scalar.empty())
            return scalar;
        std::string keys;
        for (const Id each : m_skeleton.children(id))
            keys += (keys.empty() ? "" : ", ") +
                    (m_skeleton.node(each).kind == Kind::Key ? m_skeleton.keyOf(each) : shortText(m_skeleton, each, 20));
        return cutTo(keys, 120);
    }

    /// The last anchor of that name before the alias.
    [[nodiscard]] const Mark* anchorOf(const Mark& alias) const
    {
        const Mark* found = nullptr;
        for (const Mark& mark : m_document.marks()) {
            if (mark.range.begin < alias.range.begin && mark.kind == MarkKind::Anchor && m_document.name(mark) == m_document.name(alias))
                found = &mark;
        }
        return found;
    }

    bool ofPlaceholder(const Mark& mark, const std::string& name)
    {
        const std::vector<Id> parameters = m_document.parameters();
        const auto found = std::find_if(parameters.begin(), parameters.end(), [&](Id id) { return m_skeleton.keyOf(id) == name; });
        if (found == parameters.end())
            return false; // filled in while the job runs, or a slip that the check tells
        describeParameter(*found);
        m_path = m_skeleton.pathOf(mark.node);
        m_meaning = meaningOf(m_document, m_path);
        values();
        return true;
    }

    void ofField()
    {
        const schema::Field& field = *m_meaning.field;
        const bool isOwn = m_meaning.type == &field.type;
        if (isOwn || m_meaning.isItem) {
            m_out.doc = field.doc;
            add("Type", typeInWords(m_meaning) + (field.required && m_meaning.holds == Content::Recipe ? ", required"
                                                  : field.nullable                                     ? " or null"
                                                                                                       : ""));
            add("Default", defaultOf(field));
            const std::string limits = limitsOf(field.limits);
            add("Limits", limits + (limits.empty() || field.unit.empty() ? "" : " " + field.unit));
            if (limits.empty())
                add("Unit", field.unit);
            choices(field);
        } else {
            m_out.doc = "Entry of " + field.key + ": " + field.doc;
            add("Type", typeInWords(m_meaning));
        }
        if (!field.readBy.empty())
            add("Read with", field.readBySelector + " " + base::joined(field.readBy, ", "));
        add("", whyNotRead(m_document, m_meaning), true);
        if (!field.inert.empty())
            add("Inert", field.inert, true);
        if (!field.deprecated.empty())
            add("Deprecated", field.deprecated, true);
    }

    void choices(const schema::Field& field)
    {
        if (m_meaning.selector) {
            std::string words;
            for (const auto& [word, record] : m_meaning.selector->records)
                words += (words.empty() ? "" : ", ") + word;
            add("Choices", words);
            return;
        }
        if (field.choices.empty())
            return;
        const std::string written = m_place.side == Side::Value ? m_skeleton.scalarOf(m_place.node) : std::string();
        if (const schema::Choice* choice = field.choice(written); choice && !choice->doc.empty())
            add(choice->value, choice->doc);
        std::string words;
        for (std::size_t i = 0; i < std::min(field.choices.size(), mostChoices); ++i)
            words += (words.empty() ? "" : ", ") + field.choices[i].value;
        if (field.choices.size() > mostChoices)
            words += ", \u2026";
        add("Choices", words + (field.openChoices ? " (others are taken too)" : ""));
    }

    void ofFlag(const schema::Flag& flag)
    {
        m_out.doc = flag.doc;
        add(m_meaning.table->title(), "--" + flag.name + (flag.aliases.empty() ? "" : ", also " + base::joined(flag.aliases, ", ")));
        add("Type", schema::inWords(flag));
        add("Default", defaultOf(flag));
        if (flag.choices.size() > 1) {
            std::vector<std::string> first(flag.choices.begin(),
                                           flag.choices.begin() + static_cast<std::ptrdiff_t>(std::min(flag.choices.size(), mostChoices)));
            add("Choices", base::joined(first, ", ") + (flag.choices.size() > mostChoices ? ", \u2026" : ""));
        }
        add("srtctl", flag.srtctlDoc, flag.srtctl == schema::SrtctlUse::Drops || flag.srtctl == schema::SrtctlUse::Clashes);
        if (!flag.onlyWith.empty())
            add("Only with", flag.onlyWith);
        add("Since", flag.since);
        add("Variable", flag.variable);
        add("Status", flag.status);
        add("Deprecated", flag.deprecated, true);
        add("Renamed", flag.renamedTo, true);
        if (flag.isRemoved)
            add("Removed", flag.removedIn.empty() ? "in the newest version" : "in " + flag.removedIn, true);
        add("Table", m_meaning.table->state());
    }

    void ofUnknownFlag()
    {
        const std::string key = m_meaning.inner.empty() ? std::string() : m_meaning.inner.back().key;
        add(m_meaning.table->title(),
            "The table of " + m_meaning.table->state() + " has no flag " + base::inQuotes(key) + "; the image may.", true);
    }

    void ofAlias()
    {
        if (m_place.side != Side::Value)
            return;
        const std::string written = m_skeleton.scalarOf(m_place.node);
        for (const auto& [name, target] : aliasesFor(m_document, m_meaning)) {
            if (name == written) {
                add("Alias for", target);
                return;
            }
        }
        if (!aliasListOf(m_document, m_meaning).empty() && m_document.cluster() && !written.empty())
            add("Alias", "No name of the cluster file, taken as it stands.");
    }

    /// In a section that changes base: what base says.
    void ofBase()
    {
        if (m_meaning.section.empty() || m_meaning.section == "base")
            return;
        const Id base = m_document.nodeAt("base", m_meaning.inner);
        if (base != Skeleton::none)
            add("In base", contentOf(base));
    }

    void values()
    {
        const check::Checked* checked = m_document.checked();
        if (!checked || m_meaning.inner.empty() || m_meaning.record || m_meaning.isFlagMap)
            return;
        Path inner = m_meaning.inner;
        std::string section = m_meaning.section == "base" ? std::string() : m_meaning.section;
        if (m_meaning.holds == Content::ZippedChanges) {
            while (!inner.empty() && inner.back().isItem())
                inner.pop_back();
        }
        m_out.values = resolvedValues(*checked, section, inner, m_out.jobs);
        m_out.isOfOlderText = checked->source != m_document.source() && checked->source && checked->source->text() != m_document.text();
    }

    const Document& m_document;
    const Skeleton& m_skeleton;
    std::size_t m_offset;
    Place m_place;
    Path m_path;
    Meaning m_meaning;
    Hover m_out;
};

} // namespace

std::vector<ResolvedValue> resolvedValues(const check::Checked& checked, const std::string& section, const Path& inner, std::size_t& jobs)
{
    struct Group {
        ValuePtr value;
        ResolvedValue out;
    };
    std::vector<Group> groups;
    jobs = 0;
    for (const check::CheckedVariant& variant : checked.variants) {
        const bool isOfSection =
            section.empty() || variant.variant.section == section || variant.variant.section.starts_with(section + "[");
        if (!isOfSection || !variant.config)
            continue;
        if (++jobs > mostJobs) {
            --jobs;
            break;
        }
        const ValuePtr value = valueAt(variant.config, inner);
        const std::string from = value ? expand::originName(variant.variant, *value) : std::string();
        auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& each) {
            return each.out.from == from && (each.value == value || (each.value && value && syntax::sameData(*each.value, *value)));
        });
        if (group == groups.end()) {
            if (groups.size() >= 64) // as good as all differ; more are only counted
                continue;
            groups.push_back({value, {value ? shortText(*value) : std::string(), from, {}, 0}});
            group = groups.end() - 1;
        }
        ++group->out.count;
        if (group->out.variants.size() < mostVariants)
            group->out.variants.push_back(variant.variant.suffix ? *variant.variant.suffix : variant.name);
    }
    std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.out.count > b.out.count; });
    std::vector<ResolvedValue> out;
    for (std::size_t i = 0; i < std::min(groups.size(), mostValues); ++i)
        out.push_back(std::move(groups[i].out));
    return out;
}

std::optional<Hover> hoverAt(const Document& document, std::size_t offset)
{
    return Describer(document, offset).run();
}

} // namespace wb::assist
