#include "core/base/text.h"
#include "core/render/artifact.h"
#include "core/render/tables.h"

#include <algorithm>
#include <initializer_list>

namespace wb::render {

namespace {

/// A cell keeps to its line: what would end it is written as an escape.
std::string cell(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        switch (c) {
        case '\t':
            out += "\\t";
            break;
        case '\n':
            out += "\\n";
            break;
        case '\r':
            out += "\\r";
            break;
        default:
            out += c;
        }
    }
    return out;
}

void addRow(std::string& table, std::initializer_list<std::string_view> cells)
{
    bool isFirst = true;
    for (const std::string_view text : cells) {
        if (!isFirst)
            table += '\t';
        table += cell(text);
        isFirst = false;
    }
    table += '\n';
}

bool isNameCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// "$HOME", "${HOME}", "~" and the names in angle brackets that stand in a path, each once.
void findOpenNames(std::string_view path, std::vector<std::string>& variables, std::vector<std::string>& unknown)
{
    const auto add = [](std::vector<std::string>& names, std::string_view name) {
        if (std::find(names.begin(), names.end(), name) == names.end())
            names.emplace_back(name);
    };
    if (path.starts_with('~'))
        add(variables, "~");
    for (std::size_t i = 0; i < path.size(); ++i) {
        std::size_t end = i + 1;
        if (path[i] == '<') {
            end = path.find('>', i);
            if (end != std::string_view::npos)
                add(unknown, path.substr(i, end + 1 - i));
        } else if (path[i] == '$' && path.substr(i).starts_with("${")) {
            end = path.find('}', i);
            if (end != std::string_view::npos)
                add(variables, path.substr(i, end + 1 - i));
        } else if (path[i] == '$') {
            while (end < path.size() && isNameCharacter(path[end]))
                ++end;
            if (end > i + 1)
                add(variables, path.substr(i, end - i));
        }
    }
}

} // namespace

std::string expansionOf(const Mount& mount)
{
    std::vector<std::string> variables;
    std::vector<std::string> unknown;
    for (const std::string_view path : {std::string_view(mount.host), std::string_view(mount.container)})
        findOpenNames(path, variables, unknown);
    std::string out;
    if (!variables.empty())
        out = "expanded on the cluster: " + base::joined(variables, ", ");
    if (!unknown.empty())
        out += (out.empty() ? "" : "; ") + std::string("known when the job runs: ") + base::joined(unknown, ", ");
    return out.empty() ? "as it is" : out;
}

std::vector<Variable> exports(const recipe::Job& job)
{
    return engines::generalVariables(job);
}

std::string mountTable(std::span<const Mount> mounts)
{
    std::string table;
    addRow(table, {"host", "container", "source", "expansion"});
    for (const Mount& mount : mounts)
        addRow(table, {mount.host, mount.container, mount.source, expansionOf(mount)});
    return table;
}

std::string environmentTable(std::span<const Variable> ofScript, std::span<const Step> steps)
{
    std::string table;
    addRow(table, {"step", "name", "value", "source"});
    for (const Variable& variable : ofScript)
        addRow(table, {"job script", variable.name, variable.value, variable.source});
    for (const Step& step : steps) {
        const std::vector<std::string>& unset = step.launch.unset;
        for (const Variable& variable : step.launch.environment)
            if (std::find(unset.begin(), unset.end(), variable.name) == unset.end())
                addRow(table, {step.launch.name, variable.name, variable.value, variable.source});
    }
    return table;
}

} // namespace wb::render
