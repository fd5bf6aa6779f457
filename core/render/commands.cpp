#include "core/render/commands.h"

#include "core/base/shell.h"
#include "core/base/text.h"
#include "core/syntax/yaml.h"

#include <algorithm>
#include <memory>

namespace wb::render {

namespace {

syntax::ValuePtr sortedByKey(const syntax::ValuePtr& value)
{
    if (value->isScalar())
        return value;
    auto sorted = std::make_shared<syntax::Value>(*value);
    for (syntax::ValuePtr& item : sorted->items)
        item = sortedByKey(item);
    for (syntax::Member& member : sorted->members)
        member.value = sortedByKey(member.value);
    std::sort(sorted->members.begin(), sorted->members.end(),
              [](const syntax::Member& a, const syntax::Member& b) { return a.key < b.key; });
    return sorted;
}

std::string introduction(const Step& step)
{
    const engines::Launch& launch = step.launch;
    std::string out = "# " + base::printable(step.role) + " on " + base::joined(launch.nodes, ", ") + ", " + std::to_string(launch.tasks) +
                      (launch.tasks == 1 ? " task" : " tasks");
    if (!launch.mpi.empty())
        out += ", MPI " + base::printable(launch.mpi);
    if (launch.hetGroup)
        out += ", component " + std::to_string(*launch.hetGroup);
    out += "\n";
    if (launch.installsDynamo)
        out += "# dynamo is installed in the container first.\n";
    return out;
}

} // namespace

std::string commandText(const Step& step)
{
    std::string out = introduction(step);
    std::size_t onLine = 0;
    for (const std::string& word : step.launch.command) {
        if (onLine > 0 && word.starts_with("--")) {
            out += " \\\n    ";
            onLine = 0;
        }
        if (onLine > 0 || (out.back() != '\n' && out.back() != ' '))
            out += ' ';
        out += base::shellQuoted(word);
        ++onLine;
    }
    return out + "\n";
}

std::string configText(const recipe::ModeSettings& settings)
{
    if (!settings.flags || settings.flags->members.empty())
        return "{}\n";
    return syntax::emit(*sortedByKey(settings.flags));
}

} // namespace wb::render
