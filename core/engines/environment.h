// The variables of a step, in layers: the later one wins, and each says where it comes from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wb::engines {

/// A variable that some step of the job gets.
struct Variable {
    std::string name;
    std::string value;  ///< Not quoted.
    std::string source; ///< Key of the recipe, or what makes it: "srtctl", "ports".

    friend bool operator==(const Variable&, const Variable&) = default;
};

class Environment
{
public:
    void set(std::string_view name, std::string value, std::string_view source);
    /// Only when the variable is not there yet.
    void setDefault(std::string_view name, std::string value, std::string_view source);

    [[nodiscard]] const Variable* find(std::string_view name) const;
    /// In the order in which the names came up.
    [[nodiscard]] const std::vector<Variable>& variables() const { return m_variables; }

private:
    std::vector<Variable> m_variables;
};

} // namespace wb::engines
