#include "app/cli/usage.h"

#include "core/base/text.h"

#include <filesystem>
#include <system_error>

namespace wb::cli {

std::string unknownCommand(const std::vector<std::string>& arguments, std::span<const std::string_view> commands)
{
    if (arguments.empty() || arguments.front().starts_with('-'))
        return {};
    const std::string& word = arguments.front();
    for (const std::string_view command : commands) {
        if (word == command)
            return {};
    }
    std::string said = "There is no command " + base::inQuotes(word) + "; ";
    if (const std::string_view near = base::nearestName(word, commands); !near.empty())
        return said + "did you mean \"" + std::string(near) + "\"?";
    return said + "\"srtwb --help\" lists them.";
}

std::string dashedFile(const std::vector<std::string>& arguments)
{
    for (const std::string& argument : arguments) {
        if (argument == "--")
            break;
        if (argument.size() < 2 || argument.front() != '-' || argument.find('=') != std::string::npos)
            continue;
        std::error_code ignored;
        if (argument.ends_with(".yaml") || argument.ends_with(".yml") || std::filesystem::exists(argument, ignored))
            return base::pathInQuotes(argument) + " is taken for options; write ./" + base::printable(argument) + " to name the file.";
    }
    return {};
}

} // namespace wb::cli
