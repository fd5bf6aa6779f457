#include "core/results/fieldreader.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace wb::results {

using base::json::Value;

namespace {

constexpr auto statistics = std::to_array<StatisticName>({
    {"mean", "mean"},
    {"median", "p50"},
    {"p50", "p50"},
    {"p90", "p90"},
    {"p95", "p95"},
    {"p99", "p99"},
});

std::optional<double> numberIn(const Value& value)
{
    if (const auto number = value.number())
        return number;
    const std::string* text = value.string();
    return text ? base::numberOf(base::trimmed(*text)) : std::nullopt;
}

/// What stands in the file; of a list or an object that it is one.
std::string rawOf(const Value& value)
{
    if (const std::string* text = value.string())
        return *text;
    if (const auto number = value.number(); number && !std::isfinite(*number))
        return std::isnan(*number) ? "NaN" : *number > 0 ? "Infinity" : "-Infinity";
    if (value.isArray() || value.isObject())
        return value.isArray() ? "[...]" : "{...}";
    return base::json::write(value, 0);
}

/// null and an empty text tell nothing; they are no fault.
bool isSilent(const Value& value)
{
    const std::string* text = value.string();
    return value.isNull() || (text && base::trimmed(*text).empty());
}

} // namespace

std::span<const StatisticName> statisticNames()
{
    return statistics;
}

FieldReader::FieldReader(Point& point, const Value& object, std::string prefix, PlaceOf placeOf)
    : m_point(point)
    , m_object(object)
    , m_prefix(std::move(prefix))
    , m_placeOf(std::move(placeOf))
{
}

void FieldReader::noteFault(std::string_view field, std::string_view key, const Value& value)
{
    if (findNumberField(field)->of(m_point))
        return;
    m_point.origins[std::string(field)] = {{}, m_prefix + std::string(key), rawOf(value), m_placeOf ? m_placeOf(key) : std::string()};
}

bool FieldReader::takeOne(std::string_view field, std::string_view key, double factor, bool zeroIsAbsent)
{
    const Value* value = m_object.find(key);
    if (!value || isSilent(*value))
        return false;
    const std::optional<double> number = numberIn(*value);
    if (!number || !std::isfinite(*number)) {
        noteFault(field, key, *value);
        return false;
    }
    m_point.origins[std::string(field)] = {{}, m_prefix + std::string(key), rawOf(*value)};
    if (zeroIsAbsent && *number == 0.0) {
        addNote(m_point, "0 in " + base::inQuotes(m_prefix + std::string(key)) + " was taken as \"not measured\".");
        return false;
    }
    findNumberField(field)->slot(m_point) = *number * factor;
    return true;
}

std::optional<double> FieldReader::counted(std::string_view field, std::string_view key)
{
    const Value* value = m_object.find(key);
    if (!value || isSilent(*value))
        return std::nullopt;
    const std::optional<double> number = numberIn(*value);
    if (!number || !std::isfinite(*number) || *number < 0) {
        noteFault(field, key, *value);
        return std::nullopt;
    }
    if (*number > 0)
        return number;
    if (!findNumberField(field)->of(m_point))
        m_point.origins[std::string(field)] = {{}, m_prefix + std::string(key), rawOf(*value)};
    return std::nullopt;
}

bool FieldReader::take(std::string_view field, std::initializer_list<std::string_view> keys, double factor)
{
    return std::ranges::any_of(keys, [&](std::string_view key) { return takeOne(field, key, factor, false); });
}

bool FieldReader::takeMeasured(std::string_view field, std::initializer_list<std::string_view> keys, double factor)
{
    return std::ranges::any_of(keys, [&](std::string_view key) { return takeOne(field, key, factor, true); });
}

void FieldReader::takeStatistics(std::string_view group, std::string_view metric, std::string_view suffix, double factor)
{
    std::string zeros;
    for (const StatisticName& statistic : statistics) {
        const std::string key = std::string(statistic.name) + '_' + std::string(metric) + std::string(suffix);
        const std::string field = std::string(group) + '.' + std::string(statistic.field);
        const Value* value = m_object.find(key);
        if (value && numberIn(*value) == 0.0) {
            m_point.origins[field] = {{}, m_prefix + key, rawOf(*value)};
            zeros.append(zeros.empty() ? "" : ", ").append(m_prefix + key);
            continue;
        }
        takeOne(field, key, factor, true);
    }
    if (!zeros.empty())
        addNote(m_point, "0 in " + zeros + " was taken as \"not measured\".");
}

bool FieldReader::takeText(std::string_view field, std::optional<std::string>& slot, std::initializer_list<std::string_view> keys)
{
    for (const std::string_view key : keys)
        if (auto found = text(key)) {
            m_point.origins[std::string(field)] = {{}, m_prefix + std::string(key), *found};
            slot = std::move(found);
            return true;
        }
    return false;
}

std::optional<double> FieldReader::number(std::string_view key) const
{
    const Value* value = m_object.find(key);
    return value ? numberIn(*value) : std::nullopt;
}

std::optional<std::string> FieldReader::text(std::string_view key) const
{
    const Value* value = m_object.find(key);
    const std::string* found = value ? value->string() : nullptr;
    return found && !found->empty() ? std::optional(*found) : std::nullopt;
}

bool FieldReader::isTrue(std::string_view key) const
{
    const Value* value = m_object.find(key);
    if (!value)
        return false;
    if (const auto boolean = value->boolean())
        return *boolean;
    if (const std::string* found = value->string())
        return base::lowered(*found) == "true";
    return value->integer() == 1;
}

void setDerived(Point& point, std::string_view field, double value, std::string how, std::string file)
{
    if (!std::isfinite(value))
        return;
    findNumberField(field)->slot(point) = value;
    point.origins[std::string(field)] = {std::move(file), std::move(how), base::textOf(value)};
}

std::span<const std::string_view> countsAboveZero()
{
    static constexpr auto keys = std::to_array<std::string_view>({"concurrency", "users", "gpus.total", "gpus.working", "gpus.allocated"});
    return keys;
}

void dropZeroCounts(Point& point)
{
    const auto drop = [&point](std::string_view key) {
        std::optional<double>& number = findNumberField(key)->slot(point);
        if (number != 0.0)
            return;
        number.reset();
        const auto origin = originOf(point, key);
        const std::string place = origin && !origin->key.empty() ? origin->key : std::string(key);
        addNote(point, "0 in " + base::inQuotes(place) + " was taken as \"not measured\".");
    };
    for (const std::string_view key : countsAboveZero())
        drop(key);
    Gpus& gpus = point.gpus;
    if (gpus.prefill.value_or(0) == 0.0 && gpus.decode.value_or(0) == 0.0) {
        drop("gpus.prefill");
        drop("gpus.decode");
    }
    if (!gpus.total && !gpus.prefill && !gpus.decode && !gpus.working && !gpus.allocated)
        gpus.origin.clear();
}

void addNote(Point& point, std::string note)
{
    if (std::ranges::find(point.notes, note) == point.notes.end())
        point.notes.push_back(std::move(note));
}

} // namespace wb::results
