#include "core/results/filename.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace wb::results {

namespace {

/// A part that names a number in the part after it ("gpus", "16").
struct NumberedPart {
    std::string_view name;
    std::optional<double> NameFacts::*fact;
};
constexpr auto numberedParts = std::to_array<NumberedPart>({
    {"concurrency", &NameFacts::concurrency},
    {"gpus", &NameFacts::gpus},
    {"ctx", &NameFacts::prefill},
    {"gen", &NameFacts::decode},
    {"isl", &NameFacts::isl},
    {"osl", &NameFacts::osl},
});

/// A part that holds its number itself ("conc64").
constexpr auto gluedParts = std::to_array<NumberedPart>({
    {"concurrency", &NameFacts::concurrency},
    {"conc", &NameFacts::concurrency},
    {"users", &NameFacts::users},
});

/// Folders that say nothing about the run in them.
constexpr auto plainFolders = std::to_array<std::string_view>(
    {"results", "result", "logs", "log", "output", "outputs", "benchmarks", "benchmark", "data", "artifacts", "json", "."});

bool isRepeat(std::string_view part)
{
    for (const std::string_view word : {std::string_view("rerun"), std::string_view("retry")})
        if (part.starts_with(word) && std::ranges::all_of(part.substr(word.size()), [](unsigned char c) { return std::isdigit(c) != 0; }))
            return true;
    return false;
}

std::optional<double> wholeNumber(std::string_view text)
{
    const auto number = base::integerOf(text);
    return number && *number >= 0 ? std::optional(static_cast<double>(*number)) : std::nullopt;
}

/// How many parts from `at` on were understood.
std::size_t consume(const std::vector<std::string_view>& parts, std::size_t at, NameFacts& facts)
{
    const std::string_view part = parts[at];
    const bool hasNext = at + 1 < parts.size();
    if (part == "req" && at + 2 < parts.size() && parts[at + 1] == "rate")
        return 3;
    if (part == "results" && hasNext && parts[at + 1] == "concurrency")
        return 1;
    if (hasNext)
        for (const NumberedPart& numbered : numberedParts)
            if (part == numbered.name)
                if (const auto number = wholeNumber(parts[at + 1])) {
                    facts.*numbered.fact = number;
                    return 2;
                }
    for (const NumberedPart& glued : gluedParts)
        if (part.starts_with(glued.name))
            if (const auto number = wholeNumber(part.substr(glued.name.size()))) {
                facts.*glued.fact = number;
                return 1;
            }
    return isRepeat(part) ? 1 : 0;
}

} // namespace

std::string_view lastPart(std::string_view path)
{
    while (path.size() > 1 && path.ends_with('/'))
        path.remove_suffix(1);
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string_view folderOf(std::string_view path)
{
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

NameFacts factsInName(std::string_view path)
{
    std::string_view name = lastPart(path);
    for (const std::string_view ending : {std::string_view(".json"), std::string_view(".jsonl"), std::string_view(".csv")})
        if (name.ends_with(ending))
            name.remove_suffix(ending.size());
    const std::vector<std::string_view> parts = base::splitAt(name, '_');
    NameFacts facts;
    for (std::size_t i = 0; i < parts.size();) {
        if (const std::size_t understood = consume(parts, i, facts)) {
            i += understood;
            continue;
        }
        if (!parts[i].empty())
            facts.rest.append(facts.rest.empty() ? "" : "_").append(parts[i]);
        ++i;
    }
    return facts;
}

std::string tellingFolder(std::string_view folder)
{
    std::string_view at = folder;
    while (!at.empty()) {
        const std::string_view part = lastPart(at);
        if (!part.empty() && std::ranges::find(plainFolders, part) == plainFolders.end() && !factsInName(part).isl)
            return std::string(part);
        at = folderOf(at);
    }
    return std::string(lastPart(folder));
}

std::string runNameFor(std::string_view path)
{
    const std::string folder = tellingFolder(folderOf(path));
    const std::string rest = factsInName(path).rest;
    if (folder.empty())
        return rest.empty() ? std::string(lastPart(path)) : rest;
    return rest.empty() ? folder : folder + '/' + rest;
}

} // namespace wb::results
