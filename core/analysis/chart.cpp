#include "core/analysis/chart.h"

#include "core/analysis/filter.h"
#include "core/analysis/operatingpoint.h"
#include "core/analysis/rates.h"
#include "core/base/text.h"
#include "core/results/csv.h"
#include "core/results/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <span>

namespace wb::analysis {

using results::Point;

namespace {

constexpr std::string_view noGroup = "none";
constexpr std::string_view allPoints = "all points";
constexpr std::string_view unknownGroup = "unknown";
constexpr double sameLength = 0.05; ///< ISL and OSL within 5 % count as the same workload.

/// What a request says, looked up.
struct Plan {
    const Axis* x = nullptr;
    const Axis* y = nullptr;
    std::string group;
    Filter where;
    Filter limits;
};

/// A point on both axes.
struct Placed {
    const Point* point = nullptr;
    XY at;
    std::string reason; ///< Why it may not stand on a frontier; empty when it may.
};

Result<Plan> planOf(const ChartRequest& request)
{
    Plan plan;
    const auto x = axisNamed(request.x);
    if (!x)
        return tl::unexpected<Error>(x.error());
    const auto y = axisNamed(request.y);
    if (!y)
        return tl::unexpected<Error>(y.error());
    auto where = request.takesWords ? parseSearch(request.where) : parseFilter(request.where);
    if (!where)
        return passedOn(where.error(), "Reading the filter");
    auto limits = parseFilter(request.slo);
    if (!limits)
        return passedOn(limits.error(), "Reading the limits");
    plan = {*x, *y, request.group.empty() ? std::string(noGroup) : request.group, std::move(*where), std::move(*limits)};
    if (plan.group == noGroup || results::findTextField(plan.group) || results::findNumberField(plan.group))
        return plan;
    std::vector<std::string_view> keys{noGroup};
    for (const results::TextField& field : results::textFields())
        keys.push_back(field.key);
    for (const results::NumberField& field : results::numberFields())
        keys.push_back(field.key);
    const std::string_view near = base::nearestName(plan.group, keys);
    return failure(ErrorCode::NotFound, "Points cannot be grouped by " + base::inQuotes(plan.group) +
                                            (near.empty() ? std::string(".") : "; did you mean " + base::inQuotes(near) + "?"));
}

std::string groupOf(const Point& point, const std::string& group)
{
    return group == noGroup ? std::string(allPoints) : results::fieldText(point, group).value_or(std::string(unknownGroup));
}

// ---- labels ----------------------------------------------------------------------------------------------------------------------------

/// Numbers are shown with at most four significant digits; the exact ones stand in the file.
std::string shown(double number)
{
    return std::abs(number) >= 1000.0 ? base::textOf(std::round(number)) : results::significant(number, 4);
}

std::string shown(const std::optional<double>& number, std::string_view unit)
{
    if (!number)
        return "\u2014";
    return shown(*number) + (unit.empty() ? std::string() : ' ' + std::string(unit));
}

std::string gpusShown(const results::Gpus& gpus)
{
    std::string text = gpus.working ? shown(*gpus.working) + " working" : std::string("\u2014");
    if (gpus.prefill && gpus.decode)
        text += " (" + shown(*gpus.prefill) + " prefill, " + shown(*gpus.decode) + " decode)";
    if (gpus.allocated)
        text += ", " + shown(*gpus.allocated) + " allocated";
    return gpus.origin.empty() ? text : text + ", from the " + (gpus.origin.starts_with("the ") ? gpus.origin.substr(4) : gpus.origin);
}

std::string withNote(const Axis& axis, const Point& point)
{
    const AxisValue value = valueOn(axis, point);
    const std::string text = shown(value.value, axis.unit);
    return value.note.empty() ? text : text + " (" + value.note + ')';
}

std::vector<std::pair<std::string, std::string>> labelsOf(const Point& point, const Axis& x, const Axis& y)
{
    std::vector<std::pair<std::string, std::string>> labels;
    const auto add = [&](std::string_view title, std::string text) { labels.emplace_back(title, std::move(text)); };
    const auto addText = [&](std::string_view title, const std::optional<std::string>& text) {
        if (text)
            add(title, *text);
    };
    add("Run", point.run.text);
    if (point.simulated)
        add("Simulated", "yes: computed from a model, not measured");
    add(x.title, withNote(x, point));
    add(y.title, withNote(y, point));
    add("Concurrency", shown(point.concurrency, "requests"));
    addText("Model", point.model);
    addText("Hardware", point.hardware);
    addText("Engine", point.engine);
    addText("Precision", point.precision);
    add("ISL / OSL", shown(point.isl, "") + " / " + shown(point.osl, "tokens"));
    add("GPUs", gpusShown(point.gpus));
    add("TTFT, median / P99", shown(point.ttftMs.p50, "ms") + " / " + shown(point.ttftMs.p99, "ms"));
    add("TPOT, median / P99", shown(point.tpotMs.p50, "ms") + " / " + shown(point.tpotMs.p99, "ms"));
    if (point.failed && *point.failed > 0)
        add("Failed", shown(point.failed, "") + " of " + shown(point.requested, "requests"));
    if (point.accuracy)
        add("Accuracy", shown(point.accuracy, "") + (point.accuracyTask ? " (" + *point.accuracyTask + ')' : ""));
    if (point.timeToReadyS)
        add("Time to ready", shown(point.timeToReadyS, "s"));
    addText("Variant", point.variant);
    addText("Recipe", point.recipe);
    return labels;
}

/// How values were had that are not what the axes' titles say, for a table.
std::string noteOf(const Point& point, const Axis& x, const Axis& y)
{
    std::string notes;
    for (const Axis* axis : {&x, &y})
        if (const AxisValue value = valueOn(*axis, point); !value.note.empty())
            notes.append(notes.empty() ? "" : "; ").append(axis->id).append(": ").append(value.note);
    return notes;
}

// ---- comparability ---------------------------------------------------------------------------------------------------------------------

/// What must agree for two points to be comparable.
struct Likeness {
    std::string_view title;
    std::optional<std::string> (*text)(const Point&);
};

constexpr auto likenesses = std::to_array<Likeness>({
    {"model", [](const Point& p) { return p.model; }},
    {"precision", [](const Point& p) { return p.precision; }},
    {"hardware", [](const Point& p) { return p.hardware; }},
    {"engine", [](const Point& p) { return p.engine; }},
    {"format", [](const Point& p) { return std::optional(p.format); }},
    {"request rate",
     [](const Point& p) {
         const bool isTold = p.origins.contains("requestRate");
         return !isTold ? std::nullopt : std::optional<std::string>(p.requestRate ? "limited" : "unlimited");
     }},
});

using Points = std::vector<const Point*>;

/// In what the points of a series differ, and of what some do not tell: parts of a sentence.
struct Differences {
    std::vector<std::string> different, unknown;
};

void add(Differences& all, std::string_view title, const std::string& values, std::size_t unknown, std::size_t points)
{
    if (!values.empty())
        all.different.push_back(std::string(title) + " (" + values + ')');
    else if (unknown > 0)
        all.unknown.push_back(std::string(title) + " (for " + std::to_string(unknown) + " of " + std::to_string(points) + ')');
}

void compareTexts(Differences& all, const Likeness& likeness, const Points& points)
{
    constexpr std::size_t most = 4;
    std::set<std::string> values;
    std::size_t unknown = 0;
    for (const Point* point : points) {
        auto text = likeness.text(*point);
        text ? static_cast<void>(values.insert(std::move(*text))) : static_cast<void>(++unknown);
    }
    std::string listed;
    std::size_t count = 0;
    for (const std::string& value : values)
        if (++count <= most)
            listed.append(count == 1 ? "" : ", ").append(value);
    if (values.size() > most)
        listed += ", ...";
    if (!values.empty())
        add(all, likeness.title, values.size() > 1 ? listed : std::string(), unknown, points.size());
}

void compareLengths(Differences& all, std::string_view title, std::string_view key, const Points& points)
{
    std::map<double, std::string> values;
    std::size_t unknown = 0;
    for (const Point* point : points) {
        const auto length = results::findNumberField(key)->of(*point);
        length ? static_cast<void>(values.emplace(*length, base::textOf(std::round(*length)))) : static_cast<void>(++unknown);
    }
    if (values.empty())
        return;
    std::vector<std::string> texts;
    if (values.rbegin()->first > values.begin()->first * (1.0 + sameLength))
        for (const auto& [length, text] : values)
            if (texts.empty() || texts.back() != text)
                texts.push_back(text);
    if (texts.size() > 4)
        texts = {texts.front(), "...", texts.back()};
    add(all, title, base::joined(texts, ", "), unknown, points.size());
}

/// One line for a series: a chart has room for few.
void warnOf(std::vector<std::string>& warnings, const std::string& series, const Points& points)
{
    Differences all;
    compareTexts(all, likenesses.front(), points);
    compareLengths(all, "ISL", "isl", points);
    compareLengths(all, "OSL", "osl", points);
    for (const Likeness& likeness : std::span(likenesses).subspan(1))
        compareTexts(all, likeness, points);
    std::string line;
    if (!all.different.empty())
        line = "points differ in " + base::joined(all.different, ", ");
    if (!all.unknown.empty())
        line.append(line.empty() ? "" : "; ").append("not known: ").append(base::joined(all.unknown, ", "));
    if (!line.empty())
        warnings.push_back(series + ": " + line);
}

/// Says on which axis another metric stands in for the one of the title.
void warnOfSubstitutes(std::vector<std::string>& warnings, const std::string& series, const Points& points, const Axis& axis)
{
    std::map<std::string, std::size_t> notes;
    for (const Point* point : points)
        if (AxisValue value = valueOn(axis, *point); value.isSubstitute)
            ++notes[std::move(value.note)];
    for (const auto& [note, count] : notes) {
        const std::string many = count == points.size() ? "all" : std::to_string(count) + " of " + std::to_string(points.size());
        std::string line = series;
        line.append(": ").append(axis.title).append(" is ").append(note).append(", for ").append(many).append(" points");
        warnings.push_back(std::move(line));
    }
}

/// 1000 / a TPOT.
bool isPerUser(const Axis& axis)
{
    return axis.id.starts_with("tps-per-user") && axis.field.starts_with("tpotMs.");
}

// ---- building --------------------------------------------------------------------------------------------------------------------------

AxisTitle titleOf(const Axis& axis)
{
    return {axis.id, axis.title, axis.unit, axis.definition, axis.direction};
}

/// The limits that lie on a shown axis, as they stand or on the inverse: a limit of a TPOT is one of 1000 / TPOT.
std::vector<ChartLimit> limitsOn(const Plan& plan)
{
    std::vector<ChartLimit> limits;
    for (const Term& term : plan.limits.terms) {
        if (!term.number || term.comparison == Comparison::Equal || term.comparison == Comparison::NotEqual)
            continue;
        const bool isMost = term.comparison == Comparison::Less || term.comparison == Comparison::LessOrEqual;
        const std::string_view field = term.axis ? std::string_view(term.axis->field) : std::string_view(term.key);
        for (const Axis* axis : {plan.x, plan.y}) {
            const bool isPlain = term.axis ? term.axis == axis : axis->field == field && axis->divisor.empty() && !isPerUser(*axis);
            if (isPlain)
                limits.push_back({axis == plan.x, isMost, *term.number, term.written});
            else if (isPerUser(*axis) && axis->field == field && !(term.axis && isPerUser(*term.axis)) && *term.number > 0)
                limits.push_back({axis == plan.x, !isMost, 1000.0 / *term.number, term.written});
        }
    }
    return limits;
}

/// Puts a point on the axes, or says in `excluded` why it cannot be.
std::optional<Placed> placed(const Point& point, const Plan& plan, Chart& chart)
{
    std::vector<Excluded>& excluded = chart.excluded;
    for (const Axis* axis : {plan.x, plan.y}) {
        const AxisValue value = valueOn(*axis, point);
        if (!value.value) {
            ++(axis == plan.x ? chart.withoutX : chart.withoutY);
            const std::string why = axis->id + ": " + value.reason;
            excluded.push_back({point.id, point.valid ? why : base::joined(point.reasons, " ") + ' ' + why});
            return std::nullopt;
        }
    }
    Placed result{&point, {*valueOn(*plan.x, point).value, *valueOn(*plan.y, point).value}, {}};
    result.reason = point.valid ? reasonAgainst(plan.limits, point) : base::joined(point.reasons, " ");
    if (!result.reason.empty())
        excluded.push_back({point.id, result.reason});
    return result;
}

/// What the points say that one GPU costs or draws, for an axis that is made from it: numbers that come from elsewhere belong to the
/// definition. Measured and given ones on one axis are told.
void tellRates(Chart& chart, AxisTitle& title, const Axis& axis, const std::map<std::string, std::vector<Placed>>& groups)
{
    if (axis.rate.empty())
        return;
    std::set<std::string> given;
    std::size_t measured = 0;
    std::size_t count = 0;
    for (const auto& [key, points] : groups)
        for (const Placed& point : points) {
            ++count;
            const auto rate = results::findNumberField(axis.rate)->of(*point.point);
            if (!isGivenByUser(*point.point, axis.rate))
                ++measured;
            else if (rate)
                given.insert((point.point->hardware ? *point.point->hardware + ' ' : std::string()) + base::textOf(*rate));
        }
    const results::NumberField& field = *results::findNumberField(axis.rate);
    constexpr std::size_t most = 6;
    if (!given.empty() && given.size() <= most)
        title.definition += "; " + inSentence(field.title) + ", given by the user in " + std::string(field.unit) + ": " +
                            base::joined(std::vector<std::string>(given.begin(), given.end()), ", ");
    else if (!given.empty())
        title.definition += "; " + inSentence(field.title) + ", given by the user: " + std::to_string(given.size()) + " different ones";
    if (measured > 0)
        title.definition += "; measured for " + std::to_string(measured) + " of " + std::to_string(count) + " points";
    if (measured > 0 && measured < count)
        chart.warnings.push_back(title.title + ": the " + inSentence(field.title) + " is measured for " + std::to_string(measured) +
                                 " points and given by the user for " + std::to_string(count - measured));
}

/// 0 where more is better; where less is better, the worst value any eligible point has.
double referenceOf(const std::map<std::string, std::vector<Placed>>& groups, Direction direction, double XY::*coordinate)
{
    if (direction == Direction::MoreIsBetter)
        return 0.0;
    double worst = -std::numeric_limits<double>::infinity();
    for (const auto& [key, points] : groups)
        for (const Placed& point : points)
            if (point.reason.empty())
                worst = std::max(worst, point.at.*coordinate);
    return worst;
}

XY meanOf(const std::vector<Placed>& points, const std::vector<std::size_t>& indices)
{
    XY sum;
    for (const std::size_t index : indices)
        sum = {sum.x + points[index].at.x, sum.y + points[index].at.y};
    const auto count = static_cast<double>(indices.size());
    return {sum.x / count, sum.y / count};
}

/// The curves through the concurrencies and the spreads of replicas, of the points that can be trusted.
void addSweeps(ChartSeries& series, const std::vector<Placed>& points)
{
    Points valid;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (points[i].point->valid) {
            valid.push_back(points[i].point);
            places.push_back(i);
        }
    const auto indicesOf = [&](const std::vector<std::size_t>& group) {
        std::vector<std::size_t> indices;
        for (const std::size_t index : group)
            indices.push_back(places[index]);
        return indices;
    };
    for (const auto& sweep : sweepsAmong(valid)) {
        series.curves.emplace_back();
        for (const auto& group : sweep)
            series.curves.back().push_back(meanOf(points, indicesOf(group)));
    }
    for (const auto& group : replicasAmong(valid)) {
        Spread spread{.mean = {}, .least = {}, .most = {}, .points = indicesOf(group)};
        spread.mean = meanOf(points, spread.points);
        spread.least = spread.most = points[spread.points.front()].at;
        for (const std::size_t index : spread.points) {
            const XY& at = points[index].at;
            spread.least = {std::min(spread.least.x, at.x), std::min(spread.least.y, at.y)};
            spread.most = {std::max(spread.most.x, at.x), std::max(spread.most.y, at.y)};
        }
        series.spreads.push_back(std::move(spread));
    }
}

/// Goodput counts what kept the limits of its own client, and no point tells these: two runs may have had different ones.
void warnOfGoodput(std::vector<std::string>& warnings, const Axis& axis, const std::map<std::string, std::vector<Placed>>& groups)
{
    if (axis.field != "goodput")
        return;
    std::set<std::string> runs;
    for (const auto& [key, points] : groups)
        for (const Placed& each : points)
            runs.insert(each.point->run.text);
    if (runs.size() > 1)
        warnings.push_back(axis.title + ": the limits that each of the " + std::to_string(runs.size()) +
                           " runs was measured by are not known; compare only runs whose clients were given the same");
}

ChartSeries seriesOf(const std::string& key, const std::vector<Placed>& points, const Plan& plan, XY reference,
                     std::vector<std::string>& warnings)
{
    ChartSeries series{.key = key, .points = {}, .frontier = {}, .hypervolume = {}, .simulated = points.front().point->simulated};
    std::vector<XY> eligible;
    Points all;
    Points comparable;
    for (const Placed& point : points) {
        series.points.push_back({point.point->id, point.at.x, point.at.y, point.reason.empty(), point.reason,
                                 labelsOf(*point.point, *plan.x, *plan.y), point.point->source, point.point->simulated,
                                 noteOf(*point.point, *plan.x, *plan.y), point.point->concurrency, parallelismOf(*point.point)});
        // What may not stand on the frontier keeps its index but never gets there.
        eligible.push_back(point.reason.empty() ? point.at : XY{std::numeric_limits<double>::quiet_NaN(), point.at.y});
        all.push_back(point.point);
        if (point.reason.empty())
            comparable.push_back(point.point);
    }
    addSweeps(series, points);
    series.frontier = paretoFrontier(eligible, plan.x->direction, plan.y->direction);
    std::vector<XY> corners;
    for (const std::size_t index : series.frontier)
        corners.push_back(points[index].at);
    series.hypervolume = hypervolume(corners, plan.x->direction, plan.y->direction, reference);
    // Not only of the frontier: a point of another workload that is kept off it was compared, too.
    warnOf(warnings, key, comparable);
    for (const Axis* axis : {plan.x, plan.y})
        warnOfSubstitutes(warnings, key, all, *axis);
    return series;
}

/// The series of all points, whichever of them are drawn: so neither their keys nor their ranks depend on a filter.
class SeriesKeys
{
public:
    SeriesKeys(const std::vector<Point>& points, const std::string& group, const std::map<std::string, std::size_t>& given)
        : m_group(group)
    {
        for (const Point& point : points)
            (point.simulated ? m_simulated : m_measured).insert(groupOf(point, group));
        for (const Point& point : points)
            m_keys.insert(keyOf(point));
        m_ranks = given;
        std::size_t next = 0;
        for (const auto& [key, rank] : given)
            next = std::max(next, rank + 1);
        for (const std::string& key : m_keys)
            if (m_ranks.try_emplace(key, next).second)
                ++next;
    }

    [[nodiscard]] std::string keyOf(const Point& point) const
    {
        const std::string key = groupOf(point, m_group);
        return point.simulated && m_measured.contains(key) ? key + " (simulated)" : key;
    }

    [[nodiscard]] std::size_t rankOf(const std::string& key) const { return m_ranks.at(key); }

private:
    std::string m_group;
    std::set<std::string> m_measured, m_simulated, m_keys;
    std::map<std::string, std::size_t> m_ranks;
};

// ---- writing and reading ---------------------------------------------------------------------------------------------------------------

using base::json::Value;

std::string_view name(Direction direction)
{
    return direction == Direction::MoreIsBetter ? "max" : "min";
}

Value axisJson(const AxisTitle& axis)
{
    Value object;
    object.set("id", axis.id);
    object.set("title", axis.title);
    object.set("unit", axis.unit);
    object.set("definition", axis.definition);
    object.set("direction", name(axis.direction));
    return object;
}

Value pointJson(const ChartPoint& point)
{
    Value object;
    object.set("id", point.id.text);
    object.set("x", point.x);
    object.set("y", point.y);
    object.set("eligible", point.eligible);
    object.set("reason", point.reason);
    object.set("source", point.source);
    object.set("simulated", point.simulated);
    object.set("note", point.note);
    object.set("concurrency", Value(point.concurrency));
    object.set("parallelism", point.parallelism);
    Value labels{base::json::Array{}};
    for (const auto& [title, text] : point.labels)
        labels.push(Value(base::json::Array{Value(title), Value(text)}));
    object.set("labels", std::move(labels));
    return object;
}

Value excludedJson(const std::vector<Excluded>& excluded)
{
    Value list{base::json::Array{}};
    for (const Excluded& item : excluded) {
        Value object;
        object.set("id", item.id.text);
        object.set("reason", item.reason);
        list.push(std::move(object));
    }
    return list;
}

Value textsJson(const std::vector<std::string>& texts)
{
    Value list{base::json::Array{}};
    for (const std::string& text : texts)
        list.push(Value(text));
    return list;
}

std::string textAt(const Value& object, std::string_view key)
{
    const Value* value = object.find(key);
    const std::string* text = value ? value->string() : nullptr;
    return text ? *text : std::string();
}

bool isTrueAt(const Value& object, std::string_view key)
{
    const Value* value = object.find(key);
    return value && value->boolean().value_or(false);
}

std::optional<double> numberAt(const Value& object, std::string_view key)
{
    const Value* value = object.find(key);
    return value ? value->number() : std::nullopt;
}

const base::json::Array& listAt(const Value& object, std::string_view key)
{
    static const base::json::Array none;
    const Value* value = object.find(key);
    return value ? value->array() : none;
}

AxisTitle axisFrom(const Value& object)
{
    return {textAt(object, "id"), textAt(object, "title"), textAt(object, "unit"), textAt(object, "definition"),
            textAt(object, "direction") == "min" ? Direction::LessIsBetter : Direction::MoreIsBetter};
}

std::optional<ChartPoint> pointFrom(const Value& object)
{
    const auto x = numberAt(object, "x");
    const auto y = numberAt(object, "y");
    if (!x || !y)
        return std::nullopt;
    ChartPoint point{{textAt(object, "id")},
                     *x,
                     *y,
                     isTrueAt(object, "eligible"),
                     textAt(object, "reason"),
                     {},
                     textAt(object, "source"),
                     isTrueAt(object, "simulated"),
                     textAt(object, "note"),
                     numberAt(object, "concurrency"),
                     textAt(object, "parallelism")};
    for (const Value& label : listAt(object, "labels"))
        if (label.array().size() == 2 && label.array()[0].string() && label.array()[1].string())
            point.labels.emplace_back(*label.array()[0].string(), *label.array()[1].string());
    return point;
}

Value placeJson(const XY& at)
{
    return Value(base::json::Array{Value(at.x), Value(at.y)});
}

std::optional<XY> placeFrom(const Value& value)
{
    const base::json::Array& pair = value.array();
    const auto x = pair.size() == 2 ? pair[0].number() : std::nullopt;
    const auto y = pair.size() == 2 ? pair[1].number() : std::nullopt;
    return x && y ? std::optional(XY{*x, *y}) : std::nullopt;
}

void setSweeps(Value& item, const ChartSeries& series)
{
    Value curves{base::json::Array{}};
    for (const std::vector<XY>& curve : series.curves) {
        Value places{base::json::Array{}};
        for (const XY& at : curve)
            places.push(placeJson(at));
        curves.push(std::move(places));
    }
    item.set("curves", std::move(curves));
    Value spreads{base::json::Array{}};
    for (const Spread& spread : series.spreads) {
        Value object;
        object.set("mean", placeJson(spread.mean));
        object.set("least", placeJson(spread.least));
        object.set("most", placeJson(spread.most));
        Value indices{base::json::Array{}};
        for (const std::size_t index : spread.points)
            indices.push(Value(index));
        object.set("points", std::move(indices));
        spreads.push(std::move(object));
    }
    item.set("spreads", std::move(spreads));
}

/// What is malformed is left out: neither is needed for the chart.
void readSweeps(ChartSeries& series, const Value& object)
{
    for (const Value& places : listAt(object, "curves")) {
        series.curves.emplace_back();
        for (const Value& place : places.array())
            if (const auto at = placeFrom(place))
                series.curves.back().push_back(*at);
    }
    for (const Value& item : listAt(object, "spreads")) {
        const Value* mean = item.find("mean");
        const Value* least = item.find("least");
        const Value* most = item.find("most");
        const auto at = [](const Value* place) { return place ? placeFrom(*place) : std::nullopt; };
        if (!at(mean) || !at(least) || !at(most))
            continue;
        Spread spread{*at(mean), *at(least), *at(most), {}};
        for (const Value& index : listAt(item, "points"))
            if (const auto number = index.integer(); number && *number >= 0 && static_cast<std::size_t>(*number) < series.points.size())
                spread.points.push_back(static_cast<std::size_t>(*number));
        series.spreads.push_back(std::move(spread));
    }
}

Value limitsJson(const std::vector<ChartLimit>& limits)
{
    Value list{base::json::Array{}};
    for (const ChartLimit& limit : limits) {
        Value object;
        object.set("axis", limit.isX ? "x" : "y");
        object.set(limit.isMost ? "most" : "least", limit.value);
        object.set("written", limit.written);
        list.push(std::move(object));
    }
    return list;
}

std::vector<ChartLimit> limitsFrom(const base::json::Array& list)
{
    std::vector<ChartLimit> limits;
    for (const Value& item : list) {
        const auto most = numberAt(item, "most");
        const auto least = numberAt(item, "least");
        if (most || least)
            limits.push_back({textAt(item, "axis") == "x", most.has_value(), most ? *most : *least, textAt(item, "written")});
    }
    return limits;
}

std::size_t countAt(const Value& object, std::string_view key)
{
    return static_cast<std::size_t>(std::max(0.0, numberAt(object, key).value_or(0.0)));
}

Result<ChartSeries> seriesFrom(const Value& object, std::size_t position)
{
    ChartSeries series{.key = textAt(object, "key"),
                       .points = {},
                       .frontier = {},
                       .hypervolume = numberAt(object, "hypervolume"),
                       .simulated = isTrueAt(object, "simulated"),
                       .rank = static_cast<std::size_t>(std::max(0.0, numberAt(object, "rank").value_or(static_cast<double>(position))))};
    for (const Value& item : listAt(object, "points")) {
        auto point = pointFrom(item);
        if (!point)
            return failure(ErrorCode::Malformed, "A point of the series " + base::inQuotes(series.key) + " has no \"x\" or no \"y\".");
        series.points.push_back(std::move(*point));
    }
    for (const Value& item : listAt(object, "frontier")) {
        const auto index = item.integer();
        if (!index || *index < 0 || static_cast<std::size_t>(*index) >= series.points.size())
            return failure(ErrorCode::Malformed,
                           "The frontier of the series " + base::inQuotes(series.key) + " names a point that is not there.");
        series.frontier.push_back(static_cast<std::size_t>(*index));
    }
    readSweeps(series, object);
    return series;
}

constexpr auto lineNames = std::to_array<std::string_view>({"stairs", "straight", "none"});

} // namespace

std::string_view name(Line line)
{
    return lineNames[static_cast<std::size_t>(line)];
}

std::optional<Line> lineNamed(std::string_view name)
{
    const auto* found = std::ranges::find(lineNames, name);
    return found == lineNames.end() ? std::nullopt : std::optional(static_cast<Line>(found - lineNames.begin()));
}

Result<Chart> makeChart(const std::vector<Point>& points, const ChartRequest& request)
{
    const Result<Plan> plan = planOf(request);
    if (!plan)
        return tl::unexpected<Error>(plan.error());
    Chart chart;
    chart.x = titleOf(*plan->x);
    chart.y = titleOf(*plan->y);
    chart.title = request.title.empty() ? chart.y.title + " over " + chart.x.title : request.title;
    chart.group = plan->group;
    chart.line = request.line;
    const SeriesKeys keys(points, plan->group, request.ranks);
    std::map<std::string, std::vector<Placed>> groups;
    chart.limits = limitsOn(*plan);
    for (const Point& point : points) {
        if (!holds(plan->where, point)) {
            ++chart.filteredOut;
            continue;
        }
        if (point.simulated && !request.withSimulated) {
            ++chart.simulatedLeftOut;
            continue;
        }
        if (auto place = placed(point, *plan, chart)) {
            chart.simulated = chart.simulated || point.simulated;
            groups[keys.keyOf(point)].push_back(std::move(*place));
        }
    }
    const XY reference{referenceOf(groups, plan->x->direction, &XY::x), referenceOf(groups, plan->y->direction, &XY::y)};
    for (const auto& [key, placedPoints] : groups) {
        chart.series.push_back(seriesOf(key, placedPoints, *plan, reference, chart.warnings));
        chart.series.back().rank = keys.rankOf(key);
    }
    for (const Axis* axis : {plan->x, plan->y})
        warnOfGoodput(chart.warnings, *axis, groups);
    tellRates(chart, chart.x, *plan->x, groups);
    tellRates(chart, chart.y, *plan->y, groups);
    return chart;
}

OverallFrontier overallFrontier(const Chart& chart, const std::vector<bool>& hidden)
{
    const auto isShown = [&](std::size_t series) { return series >= hidden.size() || !hidden[series]; };
    bool isAnyMeasured = false;
    for (std::size_t series = 0; series < chart.series.size(); ++series)
        isAnyMeasured = isAnyMeasured || (isShown(series) && !chart.series[series].simulated);
    // The frontier of all is among the frontiers of the parts.
    std::vector<PlaceInChart> places;
    std::vector<XY> at;
    XY worst{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (std::size_t series = 0; series < chart.series.size(); ++series) {
        const ChartSeries& each = chart.series[series];
        for (const ChartPoint& point : each.points)
            if (point.eligible)
                worst = {std::max(worst.x, point.x), std::max(worst.y, point.y)};
        if (!isShown(series) || (isAnyMeasured && each.simulated))
            continue;
        for (const std::size_t index : each.frontier) {
            places.push_back({series, index});
            at.push_back({each.points[index].x, each.points[index].y});
        }
    }
    OverallFrontier overall;
    std::vector<XY> corners;
    for (const std::size_t index : paretoFrontier(at, chart.x.direction, chart.y.direction)) {
        overall.points.push_back(places[index]);
        corners.push_back(at[index]);
    }
    const XY reference{chart.x.direction == Direction::MoreIsBetter ? 0.0 : worst.x,
                       chart.y.direction == Direction::MoreIsBetter ? 0.0 : worst.y};
    overall.hypervolume = hypervolume(corners, chart.x.direction, chart.y.direction, reference);
    return overall;
}

Value toJson(const Chart& chart)
{
    Value object;
    object.set("title", chart.title);
    object.set("x", axisJson(chart.x));
    object.set("y", axisJson(chart.y));
    object.set("group", chart.group);
    object.set("line", name(chart.line));
    Value list{base::json::Array{}};
    for (const ChartSeries& series : chart.series) {
        Value item;
        item.set("key", series.key);
        Value points{base::json::Array{}};
        for (const ChartPoint& point : series.points)
            points.push(pointJson(point));
        item.set("points", std::move(points));
        Value frontier{base::json::Array{}};
        for (const std::size_t index : series.frontier)
            frontier.push(Value(index));
        item.set("frontier", std::move(frontier));
        item.set("hypervolume", Value(series.hypervolume));
        item.set("simulated", series.simulated);
        item.set("rank", series.rank);
        setSweeps(item, series);
        list.push(std::move(item));
    }
    object.set("series", std::move(list));
    object.set("excluded", excludedJson(chart.excluded));
    object.set("warnings", textsJson(chart.warnings));
    object.set("filteredOut", chart.filteredOut);
    object.set("simulated", chart.simulated);
    object.set("limits", limitsJson(chart.limits));
    object.set("withoutX", chart.withoutX);
    object.set("withoutY", chart.withoutY);
    object.set("simulatedLeftOut", chart.simulatedLeftOut);
    return object;
}

Result<Chart> chartFromJson(const Value& value)
{
    const Value* x = value.find("x");
    const Value* y = value.find("y");
    const auto line = lineNamed(textAt(value, "line"));
    if (!x || !y || !value.find("series") || !line)
        return failure(ErrorCode::Malformed,
                       "A chart specification needs \"x\", \"y\", \"series\" and a \"line\" of stairs, straight or none.");
    Chart chart;
    chart.title = textAt(value, "title");
    chart.x = axisFrom(*x);
    chart.y = axisFrom(*y);
    chart.group = textAt(value, "group");
    chart.line = *line;
    for (const Value& item : listAt(value, "series")) {
        auto series = seriesFrom(item, chart.series.size());
        if (!series)
            return tl::unexpected<Error>(series.error());
        chart.series.push_back(std::move(*series));
    }
    for (const Value& item : listAt(value, "excluded"))
        chart.excluded.push_back({{textAt(item, "id")}, textAt(item, "reason")});
    for (const Value& item : listAt(value, "warnings"))
        if (const std::string* text = item.string())
            chart.warnings.push_back(*text);
    chart.filteredOut = countAt(value, "filteredOut");
    chart.simulated = isTrueAt(value, "simulated");
    chart.limits = limitsFrom(listAt(value, "limits"));
    chart.withoutX = countAt(value, "withoutX");
    chart.withoutY = countAt(value, "withoutY");
    chart.simulatedLeftOut = countAt(value, "simulatedLeftOut");
    return chart;
}

Value paretoJson(const Chart& chart)
{
    Value object;
    object.set("x", axisJson(chart.x));
    object.set("y", axisJson(chart.y));
    Value groups{base::json::Array{}};
    Value notes{base::json::Array{}};
    for (const ChartSeries& series : chart.series) {
        Value group;
        group.set("key", series.key);
        Value frontier{base::json::Array{}};
        for (const std::size_t index : series.frontier)
            frontier.push(Value(series.points[index].id.text));
        group.set("frontier", std::move(frontier));
        group.set("hypervolume", Value(series.hypervolume));
        group.set("simulated", series.simulated);
        for (const ChartPoint& point : series.points)
            if (!point.note.empty()) {
                Value note;
                note.set("id", point.id.text);
                note.set("note", point.note);
                notes.push(std::move(note));
            }
        groups.push(std::move(group));
    }
    object.set("groups", std::move(groups));
    object.set("excluded", excludedJson(chart.excluded));
    object.set("warnings", textsJson(chart.warnings));
    object.set("notes", std::move(notes));
    object.set("simulated", chart.simulated);
    return object;
}

std::string asCsv(const Chart& chart, const CsvNotes& notes)
{
    std::string head;
    const auto say = [&head](std::string_view what, std::string_view text) {
        if (!text.empty())
            head.append("# ").append(what).append(base::printable(text)).push_back('\n');
    };
    say("", chart.title);
    for (const AxisTitle* axis : {&chart.x, &chart.y})
        say(axis == &chart.x ? "x: " : "y: ", axis->title + " (" + axis->unit + "): " + axis->definition);
    say("Filter: ", notes.filters);
    say("Limits: ", notes.limits);
    for (const std::string& warning : chart.warnings)
        say("Warning: ", warning);
    say("Date: ", notes.date);
    return head + asCsv(chart);
}

std::string asCsv(const Chart& chart)
{
    using results::csvCell;
    std::string csv = chart.group + ",id," + chart.x.id + ',' + chart.y.id + ",frontier,eligible,simulated,reason,source,note\n";
    std::set<std::string> drawn;
    for (const ChartSeries& series : chart.series)
        for (std::size_t i = 0; i < series.points.size(); ++i) {
            const ChartPoint& point = series.points[i];
            drawn.insert(point.id.text);
            const bool isOnFrontier = std::ranges::find(series.frontier, i) != series.frontier.end();
            csv += csvCell(series.key) + ',' + csvCell(point.id.text) + ',' + base::textOf(point.x) + ',' + base::textOf(point.y) + ',' +
                   (isOnFrontier ? "true" : "false") + ',' + (point.eligible ? "true" : "false") + ',' +
                   (point.simulated ? "true" : "false") + ',' + csvCell(point.reason) + ',' + csvCell(point.source) + ',' +
                   csvCell(point.note) + '\n';
        }
    for (const Excluded& excluded : chart.excluded)
        if (!drawn.contains(excluded.id.text))
            csv += ',' + csvCell(excluded.id.text) + ",,,false,false,," + csvCell(excluded.reason) + ",,\n";
    return csv;
}

} // namespace wb::analysis
