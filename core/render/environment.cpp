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

} // namespace

std::vector<Variable> exports(const recipe::Job& job)
{
    return engines::generalVariables(job);
}

std::string mountTable(std::span<const Mount> mounts)
{
    std::string table;
    addRow(table, {"host", "container", "source"});
    for (const Mount& mount : mounts)
        addRow(table, {mount.host, mount.container, mount.source});
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
