#include "core/schema/version.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace wb::schema {

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// Reads digits at `at`, which moves behind them.
std::optional<std::int64_t> readNumber(std::string_view text, std::size_t& at)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), number);
    if (error != std::errc() || number < 0)
        return std::nullopt;
    at = static_cast<std::size_t>(end - text.data());
    return number;
}

/// "rc24", ".post2", "-dev.3": the stage behind the numbers.
void readStage(std::string_view rest, Version& out)
{
    while (!rest.empty() && (rest.front() == '.' || rest.front() == '-'))
        rest.remove_prefix(1);
    constexpr std::array<std::pair<std::string_view, Version::Stage>, 4> stages = {{{"rc", Version::Stage::Candidate},
                                                                                    {"post", Version::Stage::Post},
                                                                                    {"dev", Version::Stage::Development},
                                                                                    {"a", Version::Stage::Development}}};
    for (const auto& [word, stage] : stages) {
        if (!rest.starts_with(word))
            continue;
        std::size_t at = word.size();
        while (at < rest.size() && (rest[at] == '.' || rest[at] == '-'))
            ++at;
        const bool hasNumber = at < rest.size() && isDigit(rest[at]);
        if (!hasNumber && word == "a") // "-arm64" is no alpha
            return;
        out.stage = stage;
        out.step = hasNumber ? readNumber(rest, at).value_or(0) : 0;
        return;
    }
}

/// The first version in the text that has a point in it.
std::optional<Version> versionWithin(std::string_view text)
{
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool begins = isDigit(text[at]) && (at == 0 || (!isDigit(text[at - 1]) && text[at - 1] != '.'));
        if (!begins)
            continue;
        if (auto version = versionOf(text.substr(at)))
            return version;
    }
    return std::nullopt;
}

} // namespace

std::strong_ordering operator<=>(const Version& a, const Version& b)
{
    const std::size_t length = std::max(a.numbers.size(), b.numbers.size());
    for (std::size_t i = 0; i < length; ++i) {
        const std::int64_t left = i < a.numbers.size() ? a.numbers[i] : 0;
        const std::int64_t right = i < b.numbers.size() ? b.numbers[i] : 0;
        if (left != right)
            return left <=> right;
    }
    if (a.stage != b.stage)
        return a.stage <=> b.stage;
    return a.step <=> b.step;
}

std::optional<Version> versionOf(std::string_view text)
{
    if (text.starts_with('v') || text.starts_with('V'))
        text.remove_prefix(1);
    Version out;
    std::size_t at = 0;
    while (at < text.size() && isDigit(text[at])) {
        const auto number = readNumber(text, at);
        if (!number)
            return std::nullopt;
        out.numbers.push_back(*number);
        if (at + 1 >= text.size() || text[at] != '.' || !isDigit(text[at + 1]))
            break;
        ++at;
    }
    if (out.numbers.size() < 2)
        return std::nullopt;
    readStage(text.substr(at), out);
    return out;
}

std::string textOf(const Version& version)
{
    std::string out;
    for (const std::int64_t number : version.numbers)
        out += (out.empty() ? "" : ".") + std::to_string(number);
    switch (version.stage) {
    case Version::Stage::Development:
        return out + ".dev" + std::to_string(version.step);
    case Version::Stage::Candidate:
        return out + "rc" + std::to_string(version.step);
    case Version::Stage::Post:
        return out + ".post" + std::to_string(version.step);
    case Version::Stage::Release:
        break;
    }
    return out;
}

std::optional<ImageVersion> imageVersion(std::string_view image)
{
    if (const std::size_t digest = image.find('@'); digest != std::string_view::npos)
        image = image.substr(0, digest);
    // The last part that names something: "ai-dynamo/vllm-runtime:0.8.0" is Dynamo's by its folder, so that the whole text counts for that.
    const std::size_t slash = image.rfind('/');
    const std::string_view last = slash == std::string_view::npos ? image : image.substr(slash + 1);
    const auto version = versionWithin(last);
    if (!version)
        return std::nullopt;
    const auto names = [](std::string_view text, std::string_view word) { return text.find(word) != std::string_view::npos; };
    const bool isDynamo =
        names(image, "dynamo") || names(last, "sglang-runtime") || names(last, "vllm-runtime") || names(last, "trtllm-runtime");
    if (isDynamo)
        return ImageVersion{"dynamo", *version};
    const std::string_view said = names(image, "tensorrt-llm") ? image : last;
    for (const auto& [word, program] : {std::pair<std::string_view, std::string_view>{"sglang", "sglang"},
                                        {"vllm", "vllm"},
                                        {"tensorrt-llm", "trtllm"},
                                        {"tensorrtllm", "trtllm"},
                                        {"trtllm", "trtllm"}}) {
        if (names(said, word))
            return ImageVersion{std::string(program), *version};
    }
    // An alias may be a bare version; anything else ("nginx:1.27.4") says nothing of the engine.
    const bool isBare =
        slash == std::string_view::npos && !last.empty() && (isDigit(last[0]) || (last[0] == 'v' && last.size() > 1 && isDigit(last[1])));
    return isBare ? std::optional(ImageVersion{"", *version}) : std::nullopt;
}

} // namespace wb::schema
