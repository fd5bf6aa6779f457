// The engines' command-line flags as data (resources/engines/*.json). The tables follow one state of each engine's source, and none is
// exact; the image that a recipe names may hold another. What may be concluded from a table stands in its head (`certainty`).
//
// A row: name, aliases, short (names with one dash, which no recipe can give), formerNames (old spellings that are still taken),
// abbreviations (seen in use), type ("int", "list[str]", "str|json", "object", "any"), kind, negatable, nargs, nullable, default, choices,
// openChoices, limits, accepts, required, srtctl with srtctlDoc, deprecated, renamedTo, removed, removedIn, since, seenIn (lowest and
// highest image of public recipes), onlyWith, seenOnly (known from recipes alone), status, hidden, variable, unread, keys, discriminator,
// variants, uses (in public recipes), doc. A version "dynamo 1.4" is one of Dynamo's images. Attributes that are not known are faults; a
// test reads all.
//
// To add an engine: resources/engines/<id>.json, its file in CMakeLists.txt, its id in flags.cpp.
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/schema/pack.h"
#include "core/schema/version.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace wb::schema {

/// What a value of a flag may be; several bits: any of them.
struct FlagType {
    enum Part : std::uint8_t { Integer = 1, Number = 2, Text = 4, Boolean = 8, Json = 16, Object = 32, Any = 64 };
    std::uint8_t parts = 0;
    std::uint8_t items = 0; ///< Of a list; 0: no list is taken.

    [[nodiscard]] bool takes(Part part) const { return (parts & (part | Any)) != 0; }
    [[nodiscard]] bool takesList() const { return items != 0 || (parts & Any) != 0; }
    [[nodiscard]] bool isSwitch() const { return parts == Boolean && items == 0; }
};

enum class FlagKind : std::uint8_t {
    Value,          ///< Takes one value or, by `nargs`, several.
    Switch,         ///< Stands alone and switches on.
    OptionalSwitch, ///< Has a "no-" form beside it.
    Repeated,       ///< Is given once for each value.
};

/// What srtctl itself does with a flag that a recipe gives.
enum class SrtctlUse : std::uint8_t {
    None,
    Reads,   ///< Takes notice, and the recipe's value counts.
    Drops,   ///< The recipe's value counts for nothing.
    Repeats, ///< Gives the flag too; the recipe's stands last and wins.
    Clashes, ///< As Repeats, and the job breaks when the two differ.
    Derives, ///< Works it out from other settings, and drops the recipe's in some layouts.
};

struct Flag {
    std::string name; ///< Without dashes in front: "mem-fraction-static".
    std::vector<std::string> aliases;
    std::vector<std::string> shortNames; ///< Taken with one dash only, so never from a recipe.
    std::vector<std::string> formerNames;
    std::vector<std::string> abbreviations;
    std::string typeText; ///< As in the table: "list[int]".
    FlagType type;
    FlagKind kind = FlagKind::Value;
    bool negatable = false;
    std::string nargs; ///< "", "?", "*", "+" or a number.
    bool nullable = false;
    bool defaultKnown = false;
    base::json::Value defaultValue; ///< Null with `defaultKnown`: the engine decides.
    std::vector<std::string> choices;
    bool openChoices = false; ///< The list of choices is a lower bound.
    Limits limits;
    bool belowMost = false;     ///< `limits.most` itself is refused.
    std::size_t leastItems = 0; ///< Of a list.
    bool takesNone = false;     ///< The word None as well.
    bool takesUnits = false;    ///< "16k" as well.
    bool isRequired = false;
    SrtctlUse srtctl = SrtctlUse::None;
    std::string srtctlDoc;  ///< A sentence.
    std::string deprecated; ///< Why it should not be used any more, as a sentence; else empty.
    std::string renamedTo;  ///< "new-name", "new-name=value", or words that no program can follow.
    bool isRemoved = false; ///< The newest source that was read has it no more.
    std::string removedIn;
    std::string since;
    std::optional<std::pair<Version, Version>> seenIn; ///< Lowest and highest image of public recipes that use it.
    std::string onlyWith; ///< "tensorrt": that backend of TensorRT-LLM; "dynamo": Dynamo's workers, not the bare server.
    bool seenOnly = false;
    std::string status; ///< "beta", "prototype" or empty.
    bool isHidden = false;
    std::string variable;      ///< Environment variable that sets it too.
    bool isUnread = false;     ///< A block whose keys were not read.
    std::vector<Flag> keys;    ///< Of a block; empty: any key is taken.
    std::string discriminator; ///< The key that decides which of `keys` are taken.
    std::vector<std::pair<std::string, std::optional<std::vector<std::string>>>> variants; ///< By its word; nothing: not read.
    std::size_t uses = 0; ///< In public recipes, for the order of completion.
    std::string doc;      ///< May be empty.

    /// The key of a block, by name or alias, spelt exactly.
    [[nodiscard]] const Flag* key(std::string_view name) const;
    [[nodiscard]] bool isOnByDefault() const { return defaultKnown && defaultValue.boolean().value_or(false); }
};

/// What follows from a name that a table lacks, or from a value that does not fit it.
enum class Certainty {
    Refuses, ///< The engine refuses it for certain (in what was read of it).
    Likely,  ///< Nearly certain.
    Partial, ///< The table may well lack it.
};

class FlagTable
{
public:
    /// A flag that was found, and how it was written.
    struct Match {
        const Flag* flag = nullptr;
        bool isNegated = false; ///< "no-<name>" of a negatable flag.
        bool isFormer = false;  ///< By one of its former names.
        explicit operator bool() const { return flag != nullptr; }
    };

    [[nodiscard]] const std::string& engine() const { return m_engine; }
    [[nodiscard]] const std::string& title() const { return m_title; } ///< "TensorRT-LLM"
    [[nodiscard]] const std::string& state() const { return m_state; }
    [[nodiscard]] Certainty certainty() const { return m_certainty; }
    [[nodiscard]] const std::optional<Version>& newest() const { return m_newest; } ///< Of the engine that the table covers.
    [[nodiscard]] bool isComplete() const { return m_isComplete; }                  ///< All of the engine's flags of that state are there.
    [[nodiscard]] std::span<const std::string> notRead() const { return m_notRead; }
    [[nodiscard]] const std::vector<Flag>& flags() const { return m_flags; } ///< By name.

    /// By name, alias, former name or negation; `_` and `-` count alike. Takes no memory.
    [[nodiscard]] Match match(std::string_view name) const;
    [[nodiscard]] const Flag* find(std::string_view name) const { return match(name).flag; }
    /// The one flag that argparse takes an abbreviation for; null when it is none, or could be several.
    [[nodiscard]] const Flag* abbreviated(std::string_view name) const;
    /// The flag that was most likely meant, in the spelling of the table; empty when none is near.
    [[nodiscard]] std::string_view nearest(std::string_view name) const;

private:
    friend Result<FlagTable> readFlagTable(std::string_view json, std::string_view name);

    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view name) const noexcept;
    };
    struct Same {
        using is_transparent = void;
        bool operator()(std::string_view a, std::string_view b) const noexcept;
    };
    struct Entry {
        std::size_t flag = 0;
        bool isNegated = false;
        bool isFormer = false;
    };

    std::string m_engine;
    std::string m_title;
    std::string m_state;
    Certainty m_certainty = Certainty::Partial;
    std::optional<Version> m_newest;
    bool m_isComplete = false;
    std::vector<std::string> m_notRead;
    std::vector<Flag> m_flags;
    std::unordered_map<std::string, Entry, Hash, Same> m_byName;
};

/// Reads a table; every fault of the data is an error that names the row.
[[nodiscard]] Result<FlagTable> readFlagTable(std::string_view json, std::string_view name);

/// The built-in table of an engine or of a program beside it ("sglang", "vllm", "trtllm", "mocker", "dynamo-frontend", "sglang-router",
/// "aiperf"), or null. Read on first use.
[[nodiscard]] const FlagTable* flagTable(std::string_view engine);
[[nodiscard]] std::span<const std::string_view> flagTableIds();

/// What a flag takes, with article: "a whole number", "one of auto, fp8", "nothing: it is a switch".
[[nodiscard]] std::string inWords(const Flag& flag);

// The tables as people read them.
[[nodiscard]] std::string asText(const FlagTable& table);
[[nodiscard]] std::string asText(const Flag& flag);
[[nodiscard]] std::string asMarkdown(const FlagTable& table);
[[nodiscard]] base::json::Value asJsonSchema(const FlagTable& table); ///< Of a mapping of its flags, JSON Schema 2020-12.

} // namespace wb::schema
