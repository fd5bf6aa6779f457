#include "core/analysis/rates.h"

#include "core/base/text.h"
#include "core/results/importer.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace wb::analysis {

using base::json::Value;

namespace {

constexpr std::string_view ratesFile = "your prices and powers"; ///< Where such a number is said to come from.
constexpr std::string_view blanks = " \t\n,";

struct RateField {
    std::string_view key; ///< In the file.
    std::vector<Rate> Rates::*rates;
    std::optional<double> results::Point::*slot;
    std::string_view field;
    std::string_view unit;
};
constexpr auto rateFields =
    std::to_array<RateField>({{"prices", &Rates::prices, &results::Point::gpuHourPrice, "gpuHourPrice", "$ a GPU-hour"},
                              {"powers", &Rates::powers, &results::Point::gpuPowerW, "gpuPowerW", "W a GPU"}});

} // namespace

Result<std::vector<Rate>> parseRates(std::string_view text, std::string_view what)
{
    std::vector<Rate> rates;
    for (std::size_t at = text.find_first_not_of(blanks); at < text.size(); at = text.find_first_not_of(blanks, at)) {
        const std::size_t end = std::min(text.find_first_of(blanks, at), text.size());
        const std::string_view each = text.substr(at, end - at);
        at = end;
        const std::size_t sign = each.rfind('=');
        const std::string_view kind = sign == std::string_view::npos ? std::string_view() : each.substr(0, sign);
        const auto number = base::numberOf(sign == std::string_view::npos ? each : each.substr(sign + 1));
        if (!number || !std::isfinite(*number) || *number <= 0 || (kind.empty() && sign != std::string_view::npos))
            return failure(ErrorCode::Malformed, base::inQuotes(each) + " is no " + std::string(what) +
                                                     "; write a number above 0, or KIND=NUMBER with a kind of GPU as the points have it "
                                                     "(gb200=3.5).");
        if (std::ranges::any_of(rates, [&](const Rate& rate) { return base::lowered(rate.hardware) == base::lowered(kind); }))
            return failure(ErrorCode::Malformed, "The " + std::string(what) + " of " +
                                                     (kind.empty() ? std::string("all other GPUs") : base::inQuotes(kind)) +
                                                     " is given twice; give it once.");
        rates.push_back({std::string(kind), *number});
    }
    return rates;
}

std::string written(const std::vector<Rate>& rates)
{
    std::string text;
    for (const Rate& rate : rates)
        text += (text.empty() ? "" : ", ") + (rate.hardware.empty() ? std::string() : rate.hardware + '=') + base::textOf(rate.value);
    return text;
}

const Rate* rateOf(const std::vector<Rate>& rates, const std::optional<std::string>& hardware)
{
    const std::string wanted = base::lowered(hardware.value_or(""));
    const auto find = [&rates](std::string_view kind) {
        const auto found = std::ranges::find_if(rates, [kind](const Rate& rate) { return base::lowered(rate.hardware) == kind; });
        return found == rates.end() ? nullptr : &*found;
    };
    const Rate* own = wanted.empty() ? nullptr : find(wanted);
    return own ? own : find("");
}

void applyRates(std::vector<results::Point>& points, const Rates& rates)
{
    for (const RateField& field : rateFields) {
        const std::vector<Rate>& given = rates.*field.rates;
        if (given.empty())
            continue;
        for (results::Point& point : points) {
            if (point.*field.slot || point.origins.contains(std::string(field.field)))
                continue;
            const Rate* rate = rateOf(given, point.hardware);
            if (!rate)
                continue;
            point.*field.slot = rate->value;
            point.origins[std::string(field.field)] = {std::string(ratesFile), rate->hardware.empty() ? "all other GPUs" : rate->hardware,
                                                       base::textOf(rate->value) + ' ' + std::string(field.unit)};
        }
    }
}

bool isGivenByUser(const results::Point& point, std::string_view field)
{
    const auto origin = point.origins.find(std::string(field));
    return origin != point.origins.end() && (origin->second.file == ratesFile || origin->second.key == results::toldByUser);
}

Value toJson(const Rates& rates)
{
    Value object{base::json::Object{}};
    for (const RateField& field : rateFields) {
        Value kinds{base::json::Object{}};
        for (const Rate& rate : rates.*field.rates)
            kinds.set(rate.hardware, rate.value);
        object.set(std::string(field.key), std::move(kinds));
    }
    return object;
}

Result<Rates> ratesFromJson(const Value& value)
{
    if (!value.isObject())
        return failure(ErrorCode::Malformed,
                       "Prices and powers are no object; write {\"prices\": {\"gb200\": 3.5}, \"powers\": {\"gb200\": 1200}}.");
    Rates rates;
    for (const RateField& field : rateFields) {
        const Value* kinds = value.find(field.key);
        if (!kinds)
            continue;
        for (const base::json::Member& member : kinds->object()) {
            const auto number = member.value.number();
            if (!number || !std::isfinite(*number) || *number <= 0)
                return failure(ErrorCode::Malformed,
                               base::inQuotes(field.key) + " of " + base::inQuotes(member.key) +
                                   " is no number above 0; write such a number, or take the line out where it is not known.");
            (rates.*field.rates).push_back({member.key, *number});
        }
    }
    return rates;
}

} // namespace wb::analysis
