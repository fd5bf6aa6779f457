#include "core/recipe/packdefaults.h"

#include "core/schema/pack.h"

namespace wb::recipe {

namespace {

const base::json::Value* defaultOf(std::string_view pack, std::string_view path)
{
    const auto language = schema::builtInPack(pack);
    const schema::Field* field = language ? language->fieldAt(path) : nullptr;
    return field && field->defaultValue ? &*field->defaultValue : nullptr;
}

} // namespace

std::optional<std::int64_t> defaultNumber(std::string_view pack, std::string_view path)
{
    const base::json::Value* value = defaultOf(pack, path);
    return value ? value->integer() : std::nullopt;
}

std::optional<double> defaultAmount(std::string_view pack, std::string_view path)
{
    const base::json::Value* value = defaultOf(pack, path);
    return value ? value->number() : std::nullopt;
}

} // namespace wb::recipe
