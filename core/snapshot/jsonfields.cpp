#include "core/snapshot/jsonfields.h"

#include <cmath>

namespace wb::snapshot {

std::string textAt(const base::json::Value& object, std::initializer_list<std::string_view> path)
{
    const base::json::Value* found = object.at(path);
    const std::string* text = found ? found->string() : nullptr;
    return text ? *text : std::string();
}

std::optional<double> numberAt(const base::json::Value& object, std::initializer_list<std::string_view> path)
{
    const base::json::Value* found = object.at(path);
    const auto number = found ? found->number() : std::nullopt;
    return number && std::isfinite(*number) ? number : std::nullopt;
}

} // namespace wb::snapshot
