#include "core/engines/launch.h"
#include "core/render/artifact.h"
#include "core/render/tables.h"

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

std::string mountTable(const recipe::Job& job, const recipe::Cluster& cluster)
{
    std::string table;
    addRow(table, {"host", "container", "source"});
    for (const Mount& mount : mounts(job, cluster))
        addRow(table, {mount.host, mount.container, mount.source});
    return table;
}

std::string environmentTable(const recipe::Job& job)
{
    std::string table;
    addRow(table, {"step", "name", "value", "source"});
    for (const Variable& variable : exports(job))
        addRow(table, {"job script", variable.name, variable.value, variable.source});
    for (const plan::Mode mode : plan::allModes) {
        if (plan::workers(job.resources, mode) <= 0)
            continue;
        const std::string step = std::string(plan::name(mode)) + " workers";
        const std::string source = "backend." + std::string(mode == plan::Mode::Agg ? "aggregated" : plan::name(mode)) + "_environment";
        for (const auto& [name, value] : job.backend.of(mode).environment)
            addRow(table, {step, name, value, source});
        for (const Variable& variable : exports(job))
            addRow(table, {step, variable.name, variable.value, variable.source});
    }
    return table;
}

} // namespace wb::render
