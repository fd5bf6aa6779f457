#include "core/results/importers/labels.h"

#include "core/base/text.h"
#include "core/results/jsonplace.h"

#include <algorithm>
#include <cctype>

namespace wb::results {

namespace {

bool isNumeric(char c)
{
    return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
}

/// "20,528" and "2077.97 seconds" become numbers; anything else stays as it is.
std::string plain(std::string_view value)
{
    std::string number;
    std::size_t at = 0;
    while (at < value.size() && (isNumeric(value[at]) || (value[at] == ',' && at > 0 && at + 1 < value.size() &&
                                                          std::isdigit(static_cast<unsigned char>(value[at + 1])) != 0))) {
        if (value[at] != ',')
            number += value[at];
        ++at;
    }
    const std::string_view rest = base::trimmed(value.substr(at));
    const bool hasUnit = std::ranges::all_of(rest, [](unsigned char c) { return std::isalpha(c) != 0 || c == '/' || c == '%'; });
    return base::numberOf(number) && hasUnit && rest.size() <= 12 ? number : std::string(value);
}

} // namespace

Labels readLabels(std::string_view text, std::size_t begin, std::size_t end, std::string_view separator)
{
    Labels labels;
    end = std::min(end, text.size());
    while (begin < end) {
        const std::size_t lineEnd = std::min(text.find('\n', begin), end);
        const std::string_view line = text.substr(begin, lineEnd - begin);
        const std::size_t colon = line.find(separator);
        if (colon != std::string_view::npos) {
            const std::string label(base::trimmed(line.substr(0, colon)));
            const std::string_view value = base::trimmed(line.substr(colon + separator.size()));
            const std::size_t offset = value.empty() ? begin : static_cast<std::size_t>(value.data() - text.data());
            if (!label.empty() && label.size() <= 80 && !value.empty() && labels.offsets.emplace(label, offset).second)
                labels.object.append(label, plain(value));
        }
        begin = lineEnd + 1;
    }
    if (labels.object.isNull())
        labels.object = base::json::Value(base::json::Object{});
    return labels;
}

PlaceOf placesIn(const Input& input, const Labels& labels)
{
    return [&](std::string_view label) -> std::string {
        const auto found = labels.offsets.find(label);
        return found == labels.offsets.end() ? std::string() : lineAndColumn(input.text, found->second);
    };
}

} // namespace wb::results
