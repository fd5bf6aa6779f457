// What the steps of a migration share: the lines, the sections of the file, and what is told.
#pragma once

#include "core/recipe/migrate.h"
#include "core/recipe/migratelines.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wb::recipe::migration {

using Lines = std::vector<std::string>;

/// A role under its three names: in schema 2 and in the counts of schema 1, and in its backend.
struct RoleNames {
    std::string_view role;
    std::string_view mode;
    [[nodiscard]] std::string nodes() const { return std::string(role) + "_nodes"; }
    [[nodiscard]] std::string workers() const { return std::string(role) + "_workers"; }
    [[nodiscard]] std::string gpus() const { return "gpus_per_" + std::string(role); }
    [[nodiscard]] std::string critical() const { return std::string(role) + "_critical"; }
    [[nodiscard]] std::string environment() const { return std::string(mode) + "_environment"; }
    [[nodiscard]] std::string extraArgs() const { return std::string(mode) + "_extra_args"; }
};
constexpr std::array<RoleNames, 3> roleNames = {{{"prefill", "prefill"}, {"decode", "decode"}, {"agg", "aggregated"}}};

void append(Lines& all, const Lines& more);
[[nodiscard]] std::string blanks(std::size_t count);
[[nodiscard]] bool isEmptyValue(const syntax::ValuePtr& value); ///< Absent, null, or without any item.
[[nodiscard]] bool isTrue(const syntax::ValuePtr& value);
[[nodiscard]] std::string textOf(const syntax::ValuePtr& value);                  ///< Empty when it is no text.
[[nodiscard]] std::optional<std::int64_t> wholeOf(const syntax::ValuePtr& value); ///< Also of a number in quotes.
/// A key of a backend that moves to the roles or to a service; the others stay with the engine.
[[nodiscard]] bool isOfRoles(std::string_view key, std::string_view engine);

/// A block of a section that the migration takes apart.
struct Block {
    const syntax::Member* member = nullptr; ///< Null: the section has no such block, or one that cannot be taken apart.
    Entry entry;                            ///< Of the block in its section.
    std::vector<Entry> entries;             ///< In it.

    [[nodiscard]] bool isThere() const { return member != nullptr; }
    [[nodiscard]] const Entry* find(std::string_view key) const
    {
        const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& one) { return one.member->key == key; });
        return found == entries.end() ? nullptr : &*found;
    }
    [[nodiscard]] bool owns(const Entry* asked) const
    {
        return std::any_of(entries.begin(), entries.end(), [&](const Entry& one) { return &one == asked; });
    }
    [[nodiscard]] std::size_t column(std::size_t otherwise) const { return entries.empty() ? otherwise : entries.front().column; }
};

/// The document, the base, or one variant.
struct Section {
    syntax::ValuePtr value;
    syntax::ValuePtr base;      ///< Of a variant: what it is laid over. Else null.
    syntax::ValuePtr effective; ///< The value laid over the base.
    std::string name;           ///< Key of the section; empty for a plain document.
    std::size_t firstLine = 0;
    bool isZip = false;

    [[nodiscard]] bool isVariant() const { return base != nullptr; }
};

class MigrationContext
{
public:
    explicit MigrationContext(const syntax::Parsed& from)
        : parsed(from)
        , lines(*from.source)
    {
    }

    void note(syntax::Range range, std::string message) { notes.push_back({std::move(message), range, false}); }
    void refuse(syntax::Range range, std::string message) { notes.push_back({std::move(message), range, true}); }

    /// The engine of the section, of the base where the section names none.
    [[nodiscard]] static std::string engineOf(const Section& section);

    /// All that the value stands for: the items of a list, one for each job; of "{name}" what the sweep puts there; else itself.
    [[nodiscard]] std::vector<syntax::ValuePtr> valuesOf(const Section& section, const syntax::ValuePtr& value) const;

    /// The block under that key, or none; one that cannot be taken apart is told. `hasWork`: there is something to do in it.
    [[nodiscard]] Block blockOf(const Section& section, const std::vector<Entry>& entries, std::string_view key, bool hasWork);
    /// The entries that were taken go, and the lines come in at the place of the first.
    void replaceEntries(const Block& block, const std::vector<const Entry*>& taken, const Lines& made);
    /// Nothing is left in the block: it becomes `{}`.
    void emptied(const Block& block);

    const syntax::Parsed& parsed;
    MigrationLines lines;
    std::vector<Section> sections;
    std::vector<MigrationNote> notes;
    bool isFirst = true;                ///< The recipe is in schema 1, not in a draft of schema 2.
    bool baseNeedsMapping = false;      ///< The engine of the base is written as a mapping, because a variant adds to it.
    std::size_t step = 2;               ///< By which blocks of this section are indented.
    std::vector<syntax::Range> renamed; ///< Frontends that are renamed already, through an alias.
};

} // namespace wb::recipe::migration
