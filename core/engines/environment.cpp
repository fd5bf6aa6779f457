#include "core/engines/environment.h"

#include <algorithm>
#include <utility>

namespace wb::engines {

void Environment::set(std::string_view name, std::string value, std::string_view source)
{
    const auto found = std::find_if(m_variables.begin(), m_variables.end(), [&](const Variable& each) { return each.name == name; });
    if (found == m_variables.end()) {
        m_variables.push_back({std::string(name), std::move(value), std::string(source)});
        return;
    }
    found->value = std::move(value);
    found->source = source;
}

void Environment::setDefault(std::string_view name, std::string value, std::string_view source)
{
    if (!find(name))
        set(name, std::move(value), source);
}

const Variable* Environment::find(std::string_view name) const
{
    const auto found = std::find_if(m_variables.begin(), m_variables.end(), [&](const Variable& each) { return each.name == name; });
    return found == m_variables.end() ? nullptr : &*found;
}

} // namespace wb::engines
