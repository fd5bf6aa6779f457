#include "core/remote/jobids.h"

#include "core/base/json.h"
#include "core/base/text.h"

#include <algorithm>

namespace wb::remote {

namespace {

bool isName(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
    });
}

std::size_t digitsAt(std::string_view text)
{
    return std::min(text.find_first_not_of("0123456789"), text.size());
}

std::optional<SlurmId> fromJson(std::string_view line)
{
    const auto value = base::json::read(line);
    if (!value)
        return std::nullopt;
    const base::json::Value* id = value->find("slurm_job_id");
    if (!id)
        return std::nullopt;
    if (const auto number = id->integer(); number && *number > 0)
        return SlurmId{std::to_string(*number), {}};
    return id->string() ? readSlurmId(*id->string()) : std::nullopt;
}

std::optional<SlurmId> fromSentence(std::string_view line)
{
    constexpr std::string_view begin = "Submitted batch job ";
    const std::size_t at = line.find(begin);
    if (at == std::string_view::npos)
        return std::nullopt;
    std::string_view rest = line.substr(at + begin.size());
    const std::size_t blank = std::min(rest.find(' '), rest.size());
    auto id = readSlurmId(rest.substr(0, blank));
    constexpr std::string_view on = " on cluster ";
    if (id && rest.substr(blank).starts_with(on)) {
        const std::string_view name = base::trimmed(rest.substr(blank + on.size()));
        if (isName(name))
            id->cluster = name;
    }
    return id;
}

} // namespace

std::optional<SlurmId> readSlurmId(std::string_view word)
{
    const std::size_t digits = digitsAt(word);
    if (digits == 0 || digits > 12 || word.front() == '0')
        return std::nullopt;
    SlurmId id{std::string(word.substr(0, digits)), {}};
    const std::string_view rest = word.substr(digits);
    if (rest.empty())
        return id;
    const std::string_view tail = rest.substr(1);
    switch (rest.front()) {
    case ';':
        if (!isName(tail))
            return std::nullopt;
        id.cluster = tail;
        return id;
    case '+':
        return !tail.empty() && digitsAt(tail) == tail.size() ? std::optional(id) : std::nullopt;
    case '_':
        if (tail.starts_with('['))
            return tail.ends_with(']') ? std::optional(id) : std::nullopt;
        return !tail.empty() && digitsAt(tail) == tail.size() ? std::optional(id) : std::nullopt;
    case '.':
        return isName(tail) ? std::optional(id) : std::nullopt;
    default:
        return std::nullopt;
    }
}

std::string outputDirIn(std::string_view output)
{
    for (const std::string_view line : base::splitAt(output, '\n')) {
        const auto value = line.starts_with('{') ? base::json::read(line) : Result<base::json::Value>(base::json::Value());
        const base::json::Value* folder = value ? value->find("output_dir") : nullptr;
        if (folder && folder->string() && folder->string()->starts_with('/'))
            return *folder->string();
    }
    return {};
}

std::optional<SlurmId> submittedId(std::string_view output)
{
    for (const std::string_view raw : base::splitAt(output, '\n')) {
        const std::string_view line = base::trimmed(raw);
        if (line.starts_with('{')) {
            if (auto id = fromJson(line))
                return id;
        }
        if (auto id = fromSentence(line))
            return id;
    }
    // The bare number of --parsable last: chatter may be a number too, but not behind it, so the last such line counts.
    const std::vector<std::string_view> lines = base::splitAt(output, '\n');
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
        const std::string_view word = base::trimmed(*line);
        if (word.find_first_of("_+.") == std::string_view::npos) {
            if (auto id = readSlurmId(word))
                return id;
        }
    }
    return std::nullopt;
}

} // namespace wb::remote
