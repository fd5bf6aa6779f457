#include "app/cli/usage.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
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

std::string unknownOption(const CLI::App& app, const std::vector<std::string>& arguments)
{
    const CLI::App* command = &app;
    std::string called = app.get_name();
    for (const std::string& argument : arguments) {
        if (argument == "--")
            break;
        if (!argument.starts_with('-')) {
            // Commands stand in front of all their options and arguments.
            const auto inside = command->get_subcommands([&](const CLI::App* one) { return one->get_name() == argument; });
            if (!inside.empty()) {
                command = inside.front();
                called += " " + argument;
            }
            continue;
        }
        if (!argument.starts_with("--"))
            continue;
        const std::string word = argument.substr(0, argument.find('='));
        std::vector<std::string> names;
        for (const CLI::Option* option : command->get_options()) {
            for (const std::string& name : option->get_lnames())
                names.push_back("--" + name);
        }
        if (std::find(names.begin(), names.end(), word) != names.end())
            continue;
        const std::vector<std::string_view> candidates(names.begin(), names.end());
        const std::string_view near = base::nearestName(word, candidates);
        return base::inQuotes(called) + " has no option " + base::inQuotes(word) +
               (near.empty() ? "; \"" + called + " --help\" lists them." : "; did you mean \"" + std::string(near) + "\"?");
    }
    return {};
}

std::string emptyArgument(const CLI::App& app)
{
    constexpr std::array<std::string_view, 3> mayBeEmpty = {"--title", "--where", "--slo"};
    for (const CLI::Option* option : app.get_options()) {
        const std::string name = option->get_name();
        const std::vector<std::string>& given = option->results();
        const bool isEmpty = std::any_of(given.begin(), given.end(), [](const std::string& text) { return text.empty(); });
        if (isEmpty && std::find(mayBeEmpty.begin(), mayBeEmpty.end(), name) == mayBeEmpty.end())
            return base::inQuotes(name) + " is empty; name what is meant, or leave it out.";
    }
    for (const CLI::App* command : app.get_subcommands()) {
        if (std::string found = emptyArgument(*command); !found.empty())
            return found;
    }
    return {};
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
