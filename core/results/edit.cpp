#include "core/base/text.h"
#include "core/results/fieldreader.h"
#include "core/results/importer.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace wb::results {

namespace {

/// The texts of a point that a user may correct.
struct EditableText {
    std::string_view key;
    std::optional<std::string> Point::*slot;
};
constexpr auto editableTexts = std::to_array<EditableText>({{"model", &Point::model},
                                                            {"engine", &Point::engine},
                                                            {"precision", &Point::precision},
                                                            {"hardware", &Point::hardware},
                                                            {"recipe", &Point::recipe},
                                                            {"variant", &Point::variant}});

/// Told apart from what stood there, unless that is the same or was the user's, too.
void noteDifference(Point& point, std::string_view title, const std::optional<std::string>& before, std::string_view now,
                    std::string_view field)
{
    const auto origin = originOf(point, field);
    if (!before || *before == now || (origin && origin->key == toldByUser))
        return;
    addNote(point, std::string(title) + ": the file says " + *before + ", you said " + (now.empty() ? "nothing" : std::string(now)) + '.');
}

Result<void> setNumber(Point& point, const NumberField& field, std::string_view text)
{
    std::optional<double>& slot = field.slot(point);
    const auto number = base::numberOf(base::trimmed(text));
    if (!text.empty() && (!number || !std::isfinite(*number) || *number < 0))
        return failure(ErrorCode::Malformed,
                       std::string(field.title) + " cannot be " + base::inQuotes(text) + "; give a number that is not negative.");
    if (number == 0.0 && std::ranges::find(countsAboveZero(), field.key) != countsAboveZero().end())
        return failure(ErrorCode::Malformed, std::string(field.title) + " cannot be 0; give a number above 0.");
    noteDifference(point, field.title, slot ? std::optional(base::textOf(*slot)) : std::nullopt, text, field.key);
    slot = text.empty() ? std::nullopt : number;
    if (text.empty())
        point.origins.erase(std::string(field.key));
    else
        point.origins[std::string(field.key)] = {{}, std::string(toldByUser), std::string(text)};
    if (field.key.starts_with("gpus.") && slot && point.gpus.origin != toldByUser)
        point.gpus.origin = point.gpus.origin.empty() ? std::string(toldByUser) : std::string(toldByUser) + ", " + point.gpus.origin;
    return {};
}

} // namespace

Result<void> setByUser(Point& point, std::string_view field, std::string_view text)
{
    if (field == "gpus") {
        for (const std::string_view each : {std::string_view("gpus.working"), std::string_view("gpus.total")})
            if (const auto set = setNumber(point, *findNumberField(each), text); !set)
                return set;
        return {};
    }
    if (field == "run") {
        if (text.empty())
            return failure(ErrorCode::Malformed, "A run needs a name.");
        point.run.text = text;
        point.origins["run"] = {{}, std::string(toldByUser), std::string(text)};
        return {};
    }
    for (const EditableText& editable : editableTexts)
        if (editable.key == field) {
            noteDifference(point, findTextField(field)->title, point.*editable.slot, text, field);
            point.*editable.slot = text.empty() ? std::nullopt : std::optional(std::string(text));
            point.origins[std::string(field)] = {{}, std::string(toldByUser), std::string(text)};
            return {};
        }
    if (const NumberField* number = findNumberField(field))
        return setNumber(point, *number, text);
    return failure(ErrorCode::NotFound, "There is no field " + base::inQuotes(field) + " of a point that can be told.");
}

void takeEditsFrom(Point& point, const Point& from)
{
    for (const auto& [field, origin] : from.origins) {
        const auto own = point.origins.find(field);
        const bool isTold = own != point.origins.end() && own->second.key == toldByUser;
        if (origin.key == toldByUser && !isTold)
            (void)setByUser(point, field, origin.raw); // was checked when it was said
    }
}

} // namespace wb::results
