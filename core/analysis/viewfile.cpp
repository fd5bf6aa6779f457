#include "core/analysis/viewfile.h"

namespace wb::analysis {

using base::json::Array;
using base::json::Value;

namespace {

constexpr double newestVersion = 1;

Value spanJson(double from, double to)
{
    return Value(Array{Value(from), Value(to)});
}

template <typename Texts>
Value listOf(const Texts& texts)
{
    Value list{Array{}};
    for (const std::string& text : texts)
        list.push(Value(text));
    return list;
}

/// Puts the text of that key in place of the one that is there; nothing when the key is absent.
void take(const Value& object, std::string_view key, std::string& text)
{
    const Value* value = object.find(key);
    if (const std::string* found = value ? value->string() : nullptr)
        text = *found;
}

std::vector<std::string> textsAt(const Value& object, std::string_view key)
{
    std::vector<std::string> texts;
    if (const Value* list = object.find(key))
        for (const Value& item : list->array())
            if (const std::string* text = item.string())
                texts.push_back(*text);
    return texts;
}

std::optional<std::pair<double, double>> spanAt(const Value& object, std::string_view key)
{
    const Value* value = object.find(key);
    if (!value || value->array().size() != 2)
        return std::nullopt;
    const auto from = value->array()[0].number();
    const auto to = value->array()[1].number();
    return from && to && *from < *to ? std::optional(std::pair(*from, *to)) : std::nullopt;
}

} // namespace

Value toJson(const ChartViewFile& view)
{
    Value object;
    object.set("srtview", newestVersion);
    object.set("title", view.request.title);
    object.set("x", view.request.x);
    object.set("y", view.request.y);
    object.set("group", view.request.group);
    object.set("where", view.request.where);
    object.set("slo", view.request.slo);
    object.set("line", name(view.request.line));
    Value scales;
    scales.set("x", view.scaleX);
    scales.set("y", view.scaleY);
    object.set("scales", std::move(scales));
    if (view.zoom) {
        Value zoom;
        zoom.set("x", spanJson(view.zoom->fromX, view.zoom->toX));
        zoom.set("y", spanJson(view.zoom->fromY, view.zoom->toY));
        object.set("zoom", std::move(zoom));
    }
    object.set("hidden", listOf(view.hidden));
    Value ranks{base::json::Object{}};
    for (const auto& [key, rank] : view.request.ranks)
        ranks.set(key, rank);
    object.set("ranks", std::move(ranks));
    object.set("labels", view.labels);
    object.set("shows", listOf(view.shows));
    object.set("withSimulated", view.request.withSimulated);
    Value match;
    match.set("x", Value(view.matchX));
    match.set("baseline", view.baseline);
    object.set("match", std::move(match));
    return object;
}

Result<ChartViewFile> viewFromJson(const Value& json)
{
    const Value* version = json.find("srtview");
    const auto number = version ? version->number() : std::nullopt;
    if (!number)
        return failure(ErrorCode::Malformed, "It is no view of a chart: it has no \"srtview\" with a version.");
    if (*number > newestVersion)
        return failure(ErrorCode::Unsupported, "The view was saved by a newer program, which can open it.");
    ChartViewFile view;
    take(json, "title", view.request.title);
    take(json, "x", view.request.x);
    take(json, "y", view.request.y);
    take(json, "group", view.request.group);
    take(json, "where", view.request.where);
    take(json, "slo", view.request.slo);
    std::string line;
    take(json, "line", line);
    view.request.line = lineNamed(line).value_or(Line::Stairs);
    if (const Value* simulated = json.find("withSimulated"))
        view.request.withSimulated = simulated->boolean().value_or(true);
    if (const Value* scales = json.find("scales")) {
        take(*scales, "x", view.scaleX);
        take(*scales, "y", view.scaleY);
    }
    if (const Value* zoom = json.find("zoom")) {
        const auto x = spanAt(*zoom, "x");
        const auto y = spanAt(*zoom, "y");
        if (x && y)
            view.zoom = {x->first, x->second, y->first, y->second};
    }
    view.hidden = textsAt(json, "hidden");
    if (const Value* ranks = json.find("ranks"))
        for (const auto& [key, rank] : ranks->object())
            if (const auto at = rank.integer(); at && *at >= 0)
                view.request.ranks[key] = static_cast<std::size_t>(*at);
    take(json, "labels", view.labels);
    for (std::string& shown : textsAt(json, "shows"))
        view.shows.insert(std::move(shown));
    if (const Value* match = json.find("match")) {
        take(*match, "baseline", view.baseline);
        if (const Value* x = match->find("x"))
            view.matchX = x->number();
    }
    return view;
}

Result<ChartViewFile> readViewFile(std::string_view text)
{
    const auto json = base::json::read(text);
    return json ? viewFromJson(*json) : tl::unexpected<Error>(json.error());
}

} // namespace wb::analysis
