// Rules and lowerings name keys by dotted paths: each must be a key of the language that it speaks of.
#include "core/schema/pack.h"
#include "tests/support/corpus.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

namespace wb::recipe {
namespace {

namespace fs = std::filesystem;
using schema::Field;
using schema::Pack;
using schema::Record;
using schema::Type;
using schema::TypeKind;

/// Any key may stand in it.
bool isFree(const Type& type)
{
    return type.kind == TypeKind::Any || type.kind == TypeKind::Map ||
           (type.kind == TypeKind::Union && std::any_of(type.inner.begin(), type.inner.end(), isFree));
}

/// All records that a value of the type may be, or hold.
void addRecords(const Pack& pack, const Type& type, std::vector<const Record*>& out)
{
    if (type.kind == TypeKind::Record)
        out.push_back(pack.record(type.record));
    for (const auto& [word, name] : type.records)
        out.push_back(pack.record(name));
    for (const Type& inner : type.inner)
        addRecords(pack, inner, out);
}

bool isKnown(const Pack& pack, std::string_view path)
{
    std::vector<const Record*> records{&pack.root()};
    for (;;) {
        const std::size_t dot = path.find('.');
        std::vector<const Field*> fields;
        for (const Record* record : records) {
            if (const Field* field = record->find(path.substr(0, dot)))
                fields.push_back(field);
        }
        if (fields.empty() || dot == std::string_view::npos)
            return !fields.empty();
        if (std::any_of(fields.begin(), fields.end(), [](const Field* field) { return isFree(field->type); }))
            return true;
        records.clear();
        for (const Field* field : fields)
            addRecords(pack, field->type, records);
        path.remove_prefix(dot + 1);
    }
}

TEST(PathsInCode, AreKeysOfTheirLanguage)
{
    const std::regex literal(R"re("([a-z_][a-z_0-9]*(?:\.[a-z_0-9-]+)+)")re");
    const auto first = schema::builtInPack("v1");
    const auto second = schema::builtInPack("v2");
    ASSERT_FALSE(isKnown(*first, "resources.nonsense"));
    ASSERT_FALSE(isKnown(*first, "roles.agg.nodes"));
    ASSERT_TRUE(isKnown(*second, "roles.agg.args.anything"));
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(test::own("core/recipe"))) {
        const std::string name = entry.path().filename().string();
        const bool isOfRules = name.find("rules") != std::string::npos || name.starts_with("lower") || name.starts_with("defaults");
        if (!isOfRules || entry.path().extension() != ".cpp")
            continue;
        const bool isOfSecond = name.find("v2") != std::string::npos;
        const std::string text = test::bytesOf(entry.path());
        for (std::sregex_iterator found(text.begin(), text.end(), literal), end; found != end; ++found) {
            const std::string path = (*found)[1].str();
            EXPECT_TRUE(isKnown(isOfSecond ? *second : *first, path)) << name << ": " << path;
            ++count;
        }
    }
    EXPECT_GT(count, 150U) << "the literals are found";
}

} // namespace
} // namespace wb::recipe
