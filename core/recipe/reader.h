// Reading a document against a pack: what is wrong with its shape, and the resolved recipe with every default written out.
//
// What is taken and what is refused follows upstream's loader (its coercions included), so that a verdict here is the cluster's verdict.
// Where upstream takes a value and changes it silently, a warning says so.
#pragma once

#include "core/schema/pack.h"
#include "core/syntax/diagnostic.h"
#include "core/syntax/sections.h"
#include "core/syntax/value.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wb::recipe {

/// Reads many documents that share parts (the variants of one file, all there before the first is read): a part that several of them have
/// is read once.
class Reader
{
public:
    /// `sections`: of the text that the documents were made from.
    explicit Reader(std::shared_ptr<const schema::Pack> pack, syntax::Sections sections = {});

    struct Outcome {
        syntax::ValuePtr config; ///< Always usable: what could not be read keeps its default.
        std::vector<syntax::Diagnostic> diagnostics;
    };
    [[nodiscard]] Outcome read(const syntax::ValuePtr& document);

private:
    class Defaults;
    static Defaults& defaultsOfThread(const std::shared_ptr<const schema::Pack>& pack);

    struct Kept {
        syntax::ValuePtr input; ///< Keeps the address taken.
        std::string path;       ///< Where it stood.
        syntax::ValuePtr config;
        std::vector<syntax::Diagnostic> diagnostics;
    };
    /// Where a value stands, for messages and places.
    struct Place {
        std::string path;
        syntax::Range key;
        syntax::Source source = syntax::Source::Recipe;
        syntax::Range merge; ///< Of the `<<` that brought the key in.
    };

    syntax::ValuePtr readRecord(const syntax::ValuePtr& value, const schema::Record& record, const Place& place);
    syntax::ValuePtr readField(const syntax::Member* member, const schema::Field& field, const schema::Record& record,
                               const syntax::Value& mapping, const Place& place);
    syntax::ValuePtr readType(const syntax::ValuePtr& value, const schema::Type& type, const schema::Field& field, const Place& place,
                              bool& ok);
    syntax::ValuePtr readScalar(const syntax::ValuePtr& value, const schema::Type& type, const Place& place, bool& ok);
    /// A number in digits of another script: srtctl takes it, others may not.
    void tellForeignDigits(const syntax::Value& value, const std::string& number, const Place& place);
    syntax::ValuePtr readList(const syntax::ValuePtr& value, const schema::Type& type, const schema::Field& field, const Place& place,
                              bool& ok);
    syntax::ValuePtr readMap(const syntax::ValuePtr& value, const schema::Type& type, const schema::Field& field, const Place& place,
                             bool& ok);
    syntax::ValuePtr readUnion(const syntax::ValuePtr& value, const schema::Type& type, const schema::Field& field, const Place& place,
                               bool& ok);
    syntax::ValuePtr readVariant(const syntax::ValuePtr& value, const schema::Type& type, const Place& place, bool& ok);
    void checkChoice(const syntax::Value& value, const schema::Field& field, const Place& place);
    void checkLimits(const syntax::Value& value, const schema::Field& field, const Place& place);
    void reportUnknown(const syntax::Member& member, const schema::Record& record, const syntax::Value& mapping, const Place& place);
    /// The one block that has such a key, for a message; empty when none or several have.
    [[nodiscard]] std::string ownerOf(std::string_view key) const;
    [[nodiscard]] std::string keyOf(std::string_view recordName) const;
    /// Tells of keys that nothing reads under the type that the block chooses.
    void checkRead(const schema::Record& record, const syntax::Value& mapping, const syntax::Value& config, const Place& place);
    void reportMissing(const schema::Field& field, const schema::Record& record, const syntax::Value& mapping, const Place& place);
    syntax::Diagnostic& reportWrongType(const syntax::Value& value, const schema::Type& type, std::string_view wanted, const Place& place);
    syntax::Diagnostic& report(syntax::Code code, syntax::Severity severity, const syntax::Value& value, const Place& place,
                               std::string message);

    std::shared_ptr<const schema::Pack> m_pack;
    syntax::Sections m_sections;
    std::map<std::pair<const syntax::Value*, const schema::Record*>, Kept> m_kept;
    Defaults* m_defaults = nullptr; ///< Of the thread that reads, while it does.
    std::vector<syntax::Diagnostic> m_diagnostics;
};

} // namespace wb::recipe
