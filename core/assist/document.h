// A text made ready for the editor's questions: what can be written here, what is this, where is it defined. Every function of this folder
// takes a Document and an offset and answers from the text as it is now; the latest check, which may be of a text some keys older, adds
// what only a whole recipe tells (resolved values). Making one costs a pass over the text; it is made once for each version.
#pragma once

#include "core/assist/skeleton.h"
#include "core/check/check.h"
#include "core/schema/flags.h"
#include "core/schema/pack.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wb::assist {

/// A name that is defined at one place of the text and used at others.
enum class MarkKind : std::uint8_t { Anchor, Alias, Parameter, Placeholder };

struct Mark {
    MarkKind kind = MarkKind::Anchor;
    syntax::Range range;                ///< With its &, * or braces.
    syntax::Range name;                 ///< Without.
    Skeleton::Id node = Skeleton::none; ///< Whose value it is, holds it, or (Parameter) whose key it is.
};

class Document
{
public:
    /// `checked` may be null, and of an older version of the text.
    Document(std::shared_ptr<const syntax::SourceText> source, std::shared_ptr<const check::Facts> facts,
             std::shared_ptr<const check::Checked> checked);

    [[nodiscard]] const Skeleton& skeleton() const { return m_skeleton; }
    [[nodiscard]] const std::shared_ptr<const syntax::SourceText>& source() const { return m_source; }
    [[nodiscard]] std::string_view text() const { return m_source->text(); }
    [[nodiscard]] const check::Facts& facts() const { return *m_facts; }
    [[nodiscard]] const check::Checked* checked() const { return m_checked.get(); }
    /// The cluster file as the language of the text reads it; null without one.
    [[nodiscard]] const recipe::Cluster* cluster() const;
    /// The language; null for a text that is no recipe and no cluster file.
    [[nodiscard]] const schema::Pack* pack() const { return m_pack.get(); }
    [[nodiscard]] schema::Form form() const { return m_form; }
    /// Anchors, aliases, sweep parameters and their placeholders, by place.
    [[nodiscard]] const std::vector<Mark>& marks() const { return m_marks; }
    [[nodiscard]] std::string_view name(const Mark& mark) const { return m_skeleton.text(mark.name); }
    /// The sweep parameters' keys.
    [[nodiscard]] std::vector<Skeleton::Id> parameters() const;

    /// What the top-level key stands for, or null when it is a field of the recipe (or unknown).
    [[nodiscard]] const schema::FormKey* formKey(std::string_view topLevelKey) const;
    /// The text of the scalar at a path of the recipe, looked for in the section and then in base. Empty: none.
    [[nodiscard]] std::string wordAt(std::string_view section, std::string_view dottedPath) const;
    /// The node at a path of the recipe within a section ("" in plain files), or none.
    [[nodiscard]] Skeleton::Id nodeAt(std::string_view section, const Path& inner) const;

private:
    void choosePack();
    void findMarks();
    void findPlaceholders(Skeleton::Id id);

    std::shared_ptr<const syntax::SourceText> m_source;
    std::shared_ptr<const check::Facts> m_facts;
    std::shared_ptr<const check::Checked> m_checked;
    Skeleton m_skeleton;
    std::shared_ptr<const schema::Pack> m_pack;
    schema::Form m_form = schema::Form::Plain;
    std::vector<Mark> m_marks;
};

/// What the language says of a path.
struct Meaning {
    std::string section;                             ///< Top-level key in a file with overrides: "base", "override_x"; else empty.
    schema::Content holds = schema::Content::Recipe; ///< What stands below that key.
    Path inner;                                      ///< The path within the recipe.
    const schema::Record* owner = nullptr;           ///< The record that has `field`.
    const schema::Field* field = nullptr;            ///< The field of the path, or the one whose free content it is in.
    const schema::Type* type = nullptr;              ///< Of the value; null: not known, or content of "any".
    const schema::Record* record = nullptr;          ///< The keys that the value takes, if it is a mapping of the language.
    const schema::Type* selector = nullptr;          ///< The field chooses the record around it: that variant type.
    const schema::FlagTable* table = nullptr;        ///< The path is a mapping of flags, or below one.
    const schema::Flag* flag = nullptr;              ///< The flag at the path.
    bool isFlagMap = false;                          ///< The path itself is the mapping of flags.
    std::span<const schema::Flag> flagKeys;          ///< The keys that the value takes, as flags.
    bool isParameter = false;                        ///< The path is a key of the sweep.
    bool isItem = false;                             ///< The path ends in an item of a list.
};
[[nodiscard]] Meaning meaningOf(const Document& document, const Path& path);

/// The type as messages say it: of the flag, else of the field.
[[nodiscard]] std::string typeInWords(const Meaning& meaning);

} // namespace wb::assist
