#include "core/results/point.h"

#include "core/base/text.h"
#include "core/results/filename.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace wb::results {

using base::json::Value;

namespace {

constexpr std::string_view ms = "ms";
constexpr std::string_view tps = "tok/s";

template <auto member>
std::optional<double>& one(Point& point)
{
    return point.*member;
}

template <auto group, auto member>
std::optional<double>& part(Point& point)
{
    return point.*group.*member;
}

constexpr auto numberTable = std::to_array<NumberField>({
    {"isl", "Input tokens a request", "tokens", true, one<&Point::isl>},
    {"osl", "Output tokens a request", "tokens", true, one<&Point::osl>},
    {"concurrency", "Concurrency", "requests", true, one<&Point::concurrency>},
    {"users", "Users", "users", true, one<&Point::users>},
    {"requestRate", "Request rate", "req/s", true, one<&Point::requestRate>},
    {"completed", "Completed requests", "requests", true, one<&Point::completed>},
    {"requested", "Requests", "requests", true, one<&Point::requested>},
    {"failed", "Failed requests", "requests", true, one<&Point::failed>},
    {"durationS", "Duration", "s", true, one<&Point::durationS>},
    {"outputTps", "Output tokens/s", tps, true, one<&Point::outputTps>},
    {"totalTps", "Total tokens/s", tps, true, one<&Point::totalTps>},
    {"inputTps", "Input tokens/s", tps, true, one<&Point::inputTps>},
    {"requestsPerS", "Requests/s", "req/s", true, one<&Point::requestsPerS>},
    {"outputTpsPerDecodeGpu", "Output tokens/s per decode GPU, as given", "tok/s/GPU", false, one<&Point::outputTpsPerDecodeGpu>},
    {"totalTpsPerGpu", "Total tokens/s per GPU, as given", "tok/s/GPU", false, one<&Point::totalTpsPerGpu>},
    {"inputTpsPerPrefillGpu", "Input tokens/s per prefill GPU, as given", "tok/s/GPU", false, one<&Point::inputTpsPerPrefillGpu>},
    {"tpsPerUserGiven", "Tokens/s per user, as given", "tok/s/user", false, one<&Point::tpsPerUserGiven>},
    {"tpsPerUserRates", "Mean of the requests' rates", "tok/s/user", false, one<&Point::tpsPerUserRates>},
    {"goodput", "Goodput", "req/s", false, one<&Point::goodput>},
    {"timeToReadyS", "Time to ready", "s", false, one<&Point::timeToReadyS>},
    {"accuracy", "Accuracy", "", false, one<&Point::accuracy>},
    {"gpuPowerW", "Power of a GPU", "W", false, one<&Point::gpuPowerW>},
    {"gpuHourPrice", "Price of a GPU-hour", "$", false, one<&Point::gpuHourPrice>},
    {"ttftMs.mean", "Mean TTFT", ms, true, part<&Point::ttftMs, &Statistics::mean>},
    {"ttftMs.p50", "Median TTFT", ms, true, part<&Point::ttftMs, &Statistics::p50>},
    {"ttftMs.p90", "P90 TTFT", ms, true, part<&Point::ttftMs, &Statistics::p90>},
    {"ttftMs.p95", "P95 TTFT", ms, true, part<&Point::ttftMs, &Statistics::p95>},
    {"ttftMs.p99", "P99 TTFT", ms, true, part<&Point::ttftMs, &Statistics::p99>},
    {"tpotMs.mean", "Mean TPOT", ms, true, part<&Point::tpotMs, &Statistics::mean>},
    {"tpotMs.p50", "Median TPOT", ms, true, part<&Point::tpotMs, &Statistics::p50>},
    {"tpotMs.p90", "P90 TPOT", ms, true, part<&Point::tpotMs, &Statistics::p90>},
    {"tpotMs.p95", "P95 TPOT", ms, true, part<&Point::tpotMs, &Statistics::p95>},
    {"tpotMs.p99", "P99 TPOT", ms, true, part<&Point::tpotMs, &Statistics::p99>},
    {"itlMs.mean", "Mean ITL", ms, true, part<&Point::itlMs, &Statistics::mean>},
    {"itlMs.p50", "Median ITL", ms, true, part<&Point::itlMs, &Statistics::p50>},
    {"itlMs.p90", "P90 ITL", ms, true, part<&Point::itlMs, &Statistics::p90>},
    {"itlMs.p95", "P95 ITL", ms, true, part<&Point::itlMs, &Statistics::p95>},
    {"itlMs.p99", "P99 ITL", ms, true, part<&Point::itlMs, &Statistics::p99>},
    {"e2eMs.mean", "Mean E2E latency", ms, true, part<&Point::e2eMs, &Statistics::mean>},
    {"e2eMs.p50", "Median E2E latency", ms, true, part<&Point::e2eMs, &Statistics::p50>},
    {"e2eMs.p90", "P90 E2E latency", ms, true, part<&Point::e2eMs, &Statistics::p90>},
    {"e2eMs.p95", "P95 E2E latency", ms, true, part<&Point::e2eMs, &Statistics::p95>},
    {"e2eMs.p99", "P99 E2E latency", ms, true, part<&Point::e2eMs, &Statistics::p99>},
    {"tp", "Tensor parallel size", "", false, one<&Point::tp>},
    {"pp", "Pipeline parallel size", "", false, one<&Point::pp>},
    {"ep", "Expert parallel size", "", false, one<&Point::ep>},
    {"gpus.total", "GPUs", "GPUs", true, part<&Point::gpus, &Gpus::total>},
    {"gpus.prefill", "Prefill GPUs", "GPUs", true, part<&Point::gpus, &Gpus::prefill>},
    {"gpus.decode", "Decode GPUs", "GPUs", true, part<&Point::gpus, &Gpus::decode>},
    {"gpus.working", "Working GPUs", "GPUs", true, part<&Point::gpus, &Gpus::working>},
    {"gpus.allocated", "Allocated GPUs", "GPUs", true, part<&Point::gpus, &Gpus::allocated>},
});

std::optional<std::string> nonEmpty(const std::string& text)
{
    return text.empty() ? std::nullopt : std::optional(text);
}

constexpr auto textTable = std::to_array<TextField>({
    {"run", "Run", [](const Point& p) { return nonEmpty(p.run.text); }},
    {"format", "Format", [](const Point& p) { return nonEmpty(p.format); }},
    {"source", "File", [](const Point& p) { return nonEmpty(p.source); }},
    {"model", "Model", [](const Point& p) { return p.model; }},
    {"engine", "Engine", [](const Point& p) { return p.engine; }},
    {"precision", "Precision", [](const Point& p) { return p.precision; }},
    {"hardware", "Hardware", [](const Point& p) { return p.hardware; }},
    {"recipe", "Recipe", [](const Point& p) { return p.recipe; }},
    {"variant", "Variant", [](const Point& p) { return p.variant; }},
    {"accuracyTask", "Accuracy of", [](const Point& p) { return p.accuracyTask; }},
    {"tags", "Tags", [](const Point& p) { return p.tags.empty() ? std::nullopt : std::optional(base::joined(p.tags, " ")); }},
    {"note", "Note", [](const Point& p) { return nonEmpty(p.userNote); }},
    {"id", "Id", [](const Point& p) { return nonEmpty(p.id.text); }},
    {"simulated", "Simulated", [](const Point& p) { return std::optional<std::string>(p.simulated ? "true" : "false"); }},
    {"valid", "Valid", [](const Point& p) { return std::optional<std::string>(p.valid ? "true" : "false"); }},
});

Value listOf(const std::vector<std::string>& texts)
{
    base::json::Array items;
    for (const std::string& text : texts)
        items.emplace_back(text);
    return Value(std::move(items));
}

/// Numbers whose key is "group.name" become an object for each group.
void setNumber(Value& object, Value& group, std::string& groupName, const NumberField& field, const std::optional<double>& number)
{
    const std::size_t dot = field.key.find('.');
    const std::string name(dot == std::string_view::npos ? std::string_view() : field.key.substr(0, dot));
    if (name != groupName && !groupName.empty()) {
        object.set(groupName, std::move(group));
        group = Value();
    }
    groupName = name;
    const std::optional<double> finite = number && std::isfinite(*number) ? number : std::nullopt;
    if (name.empty())
        object.set(std::string(field.key), Value(finite));
    else
        group.set(std::string(field.key.substr(dot + 1)), Value(finite));
}

Value originsJson(const Point& point)
{
    Value origins{base::json::Object{}};
    for (const auto& [field, origin] : point.origins) {
        Value item;
        if (!origin.file.empty())
            item.set("file", origin.file);
        item.set("key", origin.key);
        item.set("raw", origin.raw);
        if (!origin.place.empty())
            item.set("place", origin.place);
        origins.set(field, std::move(item));
    }
    return origins;
}

std::string textAt(const Value& value, std::string_view key)
{
    const Value* found = value.find(key);
    const std::string* text = found ? found->string() : nullptr;
    return text ? *text : std::string();
}

std::optional<std::string> optionalTextAt(const Value& value, std::string_view key)
{
    const Value* found = value.find(key);
    const std::string* text = found ? found->string() : nullptr;
    return text ? std::optional(*text) : std::nullopt;
}

bool isTrueAt(const Value& value, std::string_view key)
{
    const Value* found = value.find(key);
    return found && found->boolean().value_or(false);
}

std::vector<std::string> textsAt(const Value& value, std::string_view key)
{
    std::vector<std::string> texts;
    if (const Value* found = value.find(key))
        for (const Value& item : found->array())
            if (const std::string* text = item.string())
                texts.push_back(*text);
    return texts;
}

void readNumbers(const Value& value, Point& point)
{
    for (const NumberField& field : numberTable) {
        const std::size_t dot = field.key.find('.');
        const Value* found =
            dot == std::string_view::npos ? value.find(field.key) : value.at({field.key.substr(0, dot), field.key.substr(dot + 1)});
        if (found)
            field.slot(point) = found->number();
    }
}

} // namespace

std::span<const NumberField> numberFields()
{
    return numberTable;
}

std::span<const TextField> textFields()
{
    return textTable;
}

const NumberField* findNumberField(std::string_view key)
{
    const auto* found = std::ranges::find(numberTable, key, &NumberField::key);
    return found == numberTable.end() ? nullptr : found;
}

const TextField* findTextField(std::string_view key)
{
    const auto* found = std::ranges::find(textTable, key, &TextField::key);
    return found == textTable.end() ? nullptr : found;
}

std::optional<std::string> fieldText(const Point& point, std::string_view key)
{
    if (const TextField* field = findTextField(key))
        return field->text(point);
    const NumberField* field = findNumberField(key);
    if (!field || !field->of(point))
        return std::nullopt;
    return base::textOf(*field->of(point));
}

std::optional<Provenance> originOf(const Point& point, std::string_view field)
{
    const auto found = point.origins.find(std::string(field));
    if (found == point.origins.end())
        return std::nullopt;
    Provenance origin = found->second;
    if (origin.file.empty())
        origin.file = point.source;
    return origin;
}

namespace {

/// What clients write for a rate that nothing limits, or that follows a recording: known, and no number.
bool isRateInWords(std::string_view field, std::string_view raw)
{
    const std::string word = base::lowered(raw);
    return field == "requestRate" && (word == "inf" || word == "infinity" || word == "trace");
}

} // namespace

std::optional<std::string> whyUnknown(const Point& point, std::string_view field)
{
    const NumberField* row = findNumberField(field);
    const auto origin = originOf(point, field);
    if (!row || row->of(point) || !origin || isRateInWords(field, origin->raw))
        return std::nullopt;
    if (base::numberOf(origin->raw) == 0.0)
        return "0 in " + base::inQuotes(origin->key) + " was taken as \"not measured\".";
    const auto number = base::numberOf(origin->raw);
    return base::inQuotes(origin->key) + " is " + (number ? origin->raw : base::inQuotes(origin->raw)) + " in " +
           std::string(lastPart(origin->file)) + (origin->place.empty() ? "" : ", " + origin->place) +
           (number ? ", which cannot be." : ", where a number belongs.");
}

std::vector<const NumberField*> faultyFields(const Point& point)
{
    std::vector<const NumberField*> fields;
    for (const NumberField& field : numberTable) {
        const auto found = point.origins.find(std::string(field.key));
        const bool isFaulty = found != point.origins.end() && !field.of(point) && !isRateInWords(field.key, found->second.raw) &&
                              base::numberOf(found->second.raw) != 0.0;
        if (isFaulty)
            fields.push_back(&field);
    }
    return fields;
}

Value toJson(const Point& point)
{
    Value object;
    object.set("id", point.id.text);
    object.set("run", point.run.text);
    object.set("format", point.format);
    object.set("source", point.source);
    object.set("simulated", point.simulated);
    object.set("model", Value(point.model));
    object.set("engine", Value(point.engine));
    object.set("precision", Value(point.precision));
    object.set("hardware", Value(point.hardware));
    Value group;
    std::string groupName;
    for (const NumberField& field : numberTable)
        if (field.inContract)
            setNumber(object, group, groupName, field, field.of(point));
    group.set("origin", Value(nonEmpty(point.gpus.origin))); // the last group is "gpus"
    object.set(groupName, std::move(group));
    object.set("valid", point.valid);
    object.set("reasons", listOf(point.reasons));
    return object;
}

Value toStoredJson(const Point& point)
{
    Value object = toJson(point);
    for (const NumberField& field : numberTable)
        if (!field.inContract && field.of(point))
            object.set(std::string(field.key), *field.of(point));
    object.set("document", static_cast<std::int64_t>(point.document));
    object.set("folder", point.folder);
    object.set("content", point.content);
    object.set("recipe", Value(point.recipe));
    object.set("variant", Value(point.variant));
    if (point.accuracyTask)
        object.set("accuracyTask", *point.accuracyTask);
    object.set("itlPerRequest", point.itlPerRequest);
    object.set("tpotHasFirstToken", point.tpotHasFirstToken);
    object.set("objections", listOf(point.objections));
    object.set("notes", listOf(point.notes));
    object.set("origins", originsJson(point));
    return object;
}

Result<Point> pointFromJson(const Value& value)
{
    if (!value.isObject() || textAt(value, "id").empty())
        return failure(ErrorCode::Malformed, "The stored point is not an object with an \"id\".");
    Point point;
    point.id.text = textAt(value, "id");
    point.run.text = textAt(value, "run");
    point.format = textAt(value, "format");
    point.source = textAt(value, "source");
    point.folder = textAt(value, "folder");
    point.content = textAt(value, "content");
    if (const Value* document = value.find("document"))
        point.document = static_cast<std::size_t>(std::max<std::int64_t>(document->integer().value_or(0), 0));
    point.simulated = isTrueAt(value, "simulated");
    point.itlPerRequest = isTrueAt(value, "itlPerRequest");
    point.tpotHasFirstToken = isTrueAt(value, "tpotHasFirstToken");
    point.model = optionalTextAt(value, "model");
    point.engine = optionalTextAt(value, "engine");
    point.precision = optionalTextAt(value, "precision");
    point.hardware = optionalTextAt(value, "hardware");
    point.recipe = optionalTextAt(value, "recipe");
    point.variant = optionalTextAt(value, "variant");
    point.accuracyTask = optionalTextAt(value, "accuracyTask");
    readNumbers(value, point);
    if (const Value* gpus = value.find("gpus"))
        point.gpus.origin = textAt(*gpus, "origin");
    point.valid = isTrueAt(value, "valid");
    point.objections = textsAt(value, "objections");
    point.reasons = textsAt(value, "reasons");
    point.notes = textsAt(value, "notes");
    if (const Value* origins = value.find("origins"))
        for (const base::json::Member& member : origins->object())
            point.origins[member.key] = {textAt(member.value, "file"), textAt(member.value, "key"), textAt(member.value, "raw"),
                                         textAt(member.value, "place")};
    return point;
}

} // namespace wb::results
