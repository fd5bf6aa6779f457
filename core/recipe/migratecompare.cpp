#include "core/recipe/migratecompare.h"

#include "core/base/arithmetic.h"
#include "core/base/text.h"
#include "core/schema/pack.h"
#include "core/syntax/dottedpath.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace wb::recipe {

using syntax::Kind;
using syntax::Layer;
using syntax::Member;
using syntax::ValuePtr;

namespace {

constexpr std::array<std::pair<std::string_view, Mode>, 3> modes = {
    {{"prefill", Mode::Prefill}, {"decode", Mode::Decode}, {"aggregated", Mode::Agg}}};

std::int64_t workersOf(const Job& job, Mode mode)
{
    const Resources& resources = job.resources;
    const auto& count = mode == Mode::Prefill  ? resources.prefillWorkers
                        : mode == Mode::Decode ? resources.decodeWorkers
                                               : resources.aggWorkers;
    return count.value_or(0);
}

std::optional<std::int64_t> divided(std::optional<std::int64_t> all, std::int64_t among)
{
    return all ? std::optional(*all / among) : std::nullopt;
}

/// GPUs of one worker, said or worked out: a recipe may say what the other leaves to the rule.
std::optional<std::int64_t> gpusOf(const Resources& resources, Mode mode)
{
    const bool isDecode = mode == Mode::Decode;
    const auto& given = mode == Mode::Prefill ? resources.gpusPerPrefill : isDecode ? resources.gpusPerDecode : resources.gpusPerAgg;
    const auto& nodes = mode == Mode::Prefill ? resources.prefillNodes : isDecode ? resources.decodeNodes : resources.aggNodes;
    const auto& workers = mode == Mode::Prefill ? resources.prefillWorkers : isDecode ? resources.decodeWorkers : resources.aggWorkers;
    if (given || workers.value_or(0) <= 0)
        return given;
    if (nodes.value_or(0) > 0)
        return divided(base::exactProduct(*nodes, resources.gpusPerNode), *workers);
    return isDecode && nodes == 0 ? gpusOf(resources, Mode::Prefill) : resources.gpusPerNode;
}

/// The mode that a path of the backend speaks of.
const std::pair<std::string_view, Mode>* modeIn(std::string_view path)
{
    const auto found = std::find_if(modes.begin(), modes.end(), [&](const auto& mode) {
        const std::string word(mode.first);
        return path.find("." + word) != std::string_view::npos || path.ends_with("_per_" + word) ||
               (path.ends_with("_per_agg") && word == "aggregated");
    });
    return found == modes.end() ? nullptr : &*found;
}

bool isOfIdleMode(const Job& first, const Job& second, std::string_view path)
{
    const auto* mode = modeIn(path);
    return mode && workersOf(first, mode->second) == 0 && workersOf(second, mode->second) == 0;
}

bool isUnread(const Job& first, const Job&, std::string_view path)
{
    const auto pack = schema::builtInPack("v2");
    const schema::Field* field = pack ? pack->fieldAt(path) : nullptr;
    return field && !field->readBy.empty() &&
           std::find(field->readBy.begin(), field->readBy.end(), first.benchmark.type) == field->readBy.end();
}

bool isWithoutNats(const Job& first, const Job&, std::string_view)
{
    return first.frontend.type != "dynamo";
}

bool isDefaultOfFirst(const Job& first, const Job&, std::string_view path)
{
    const ValuePtr value = syntax::at(first.config, path);
    return !value || value->isUnwritten();
}

constexpr std::string_view idleReason = "There are no workers of this kind, so nothing reads it; schema 2 has no role for it.";

constexpr LanguageDifference table[] = {
    {"observability.tachometer.enabled",
     "Schema 2 runs Tachometer, also without observability, unless \"observability.tachometer.enabled\" is false; schema 1 runs it only "
     "when it is true.",
     isDefaultOfFirst},
    {"observability.tachometer.collect_interval_ms",
     "Schema 2 reads the exporters once a second; schema 1 does it five times a second, as \"collect_interval_ms: 200\" does.",
     isDefaultOfFirst},
    {"observability.scrape_metrics", "Schema 2 has no scraper of its own; Tachometer does the scraping."},
    {"observability.scrape_interval_seconds", "Schema 2 has no scraper of its own; Tachometer does the scraping."},
    {"observability.scrape_output", "Schema 2 has no scraper of its own; Tachometer does the scraping."},
    {"observability.build_dashboard", "Schema 2 builds no dashboard at the end of a job."},
    {"backend.publish_events_and_metrics",
     "Schema 2 leaves it open and publishes metrics by \"publish_metrics\"; observability no longer switches it on.", isDefaultOfFirst},
    {"backend.trtllm_config.*.enable_iter_perf_stats", "Schema 2 sets it for every TensorRT-LLM role that does not say it.",
     isDefaultOfFirst},
    {"backend.trtllm_config.*.return_perf_metrics",
     "Schema 2 sets it for TensorRT-LLM roles behind \"trtllm_serve\" and with observability.", isDefaultOfFirst},
    {"resources.gpus_per_prefill", idleReason, isOfIdleMode},
    {"resources.gpus_per_decode", idleReason, isOfIdleMode},
    {"resources.gpus_per_agg", idleReason, isOfIdleMode},
    {"backend.prefill_environment.*", idleReason, isOfIdleMode},
    {"backend.decode_environment.*", idleReason, isOfIdleMode},
    {"backend.aggregated_environment.*", idleReason, isOfIdleMode},
    {"backend.sglang_config.*.*", idleReason, isOfIdleMode},
    {"backend.vllm_config.*.*", idleReason, isOfIdleMode},
    {"backend.trtllm_config.*.*", idleReason, isOfIdleMode},
    {"backend.mocker_config.*.*", idleReason, isOfIdleMode},
    {"backend.kv_events_config.*", idleReason, isOfIdleMode},
    {"backend.kv_events_config.*", "The aggregated workers publish nothing in either language; schema 2 says so.",
     [](const Job&, const Job& second, std::string_view path) {
         const ValuePtr value = syntax::at(second.config, path);
         return !value || (value->kind == Kind::Bool && !value->boolean);
     }},
    {"benchmark.export_node_metrics", "Schema 2 has no such key."},
    {"benchmark.*", "The benchmark does not read it; schema 2 refuses keys of another benchmark.", isUnread},
    {"infra.nats_max_payload_mb", "NATS does not run with this frontend.", isWithoutNats},
};

bool matches(std::string_view pattern, std::string_view path)
{
    while (!pattern.empty()) {
        if (pattern == "*")
            return !path.empty();
        const syntax::SplitPath wanted = syntax::splitPath(pattern);
        const syntax::SplitPath found = syntax::splitPath(path);
        if (wanted.first.written != "*" && wanted.first.written != found.first.written)
            return false;
        if (!wanted.rest || !found.rest)
            return !wanted.rest && !found.rest;
        pattern = *wanted.rest;
        path = *found.rest;
    }
    return path.empty();
}

bool saysNothing(const ValuePtr& value)
{
    return value->isNull() || (value->isMapping() && value->members.empty()) || (value->isSequence() && value->items.empty());
}

void collect(const ValuePtr& value, const std::string& path, std::map<std::string, ValuePtr>& out)
{
    if (saysNothing(value))
        return;
    if (!value->isMapping()) {
        out.emplace(path, value);
        return;
    }
    for (const Member& member : value->members)
        collect(member.value, syntax::joinedPath(path, member.key), out);
}

bool isOn(const ValuePtr& config, std::string_view path)
{
    const ValuePtr value = syntax::at(config, path);
    return value && value->kind == Kind::Bool && value->boolean;
}

/// A key that schema 2 has not, at a default that nobody asked for.
bool isIdleKeyOfFirst(std::string_view path, const ValuePtr& value)
{
    constexpr std::array<std::string_view, 5> gone = {"observability.scrape_metrics", "observability.scrape_interval_seconds",
                                                      "observability.scrape_output", "observability.build_dashboard",
                                                      "benchmark.export_node_metrics"};
    return value->isUnwritten() && std::find(gone.begin(), gone.end(), path) != gone.end();
}

/// Schema 1 written as schema 2 would have it, where both have a way to say the same.
ValuePtr canonical(const Job& job)
{
    ValuePtr config = job.config;
    for (const auto& [key, mode] :
         {std::pair("gpus_per_prefill", Mode::Prefill), std::pair("gpus_per_decode", Mode::Decode), std::pair("gpus_per_agg", Mode::Agg)}) {
        if (const auto gpus = gpusOf(job.resources, mode))
            config = syntax::withPath(config, "resources." + std::string(key), syntax::makeInteger(*gpus, Layer::Base));
    }
    if (const ValuePtr events = syntax::at(config, "backend.kv_events_config"); events && events->kind == Kind::Bool) {
        ValuePtr each = syntax::makeNull(events->layer);
        if (events->boolean) // prefill and decode, not the aggregated workers
            each = syntax::with(syntax::with(nullptr, "prefill", events), "decode", events);
        config = syntax::withPath(config, "backend.kv_events_config", each);
    }
    if (const ValuePtr variables = syntax::at(config, "backend.mooncake_kv_store.env"); variables && variables->isMapping()) {
        for (const auto& [mode, which] : modes) {
            for (const Member& variable : variables->members) {
                const std::string path = "backend." + std::string(mode) + "_environment";
                config = syntax::withPath(config, path, syntax::with(syntax::at(config, path), variable.key, variable.value));
            }
        }
        config = syntax::withoutPath(config, "backend.mooncake_kv_store.env");
    }
    const auto isSet = [&](std::string_view path) {
        const ValuePtr value = syntax::at(config, path);
        return value && !value->isNull();
    };
    if (!isSet("dynamo.version") && !isSet("dynamo.hash") && !isSet("dynamo.wheel") && isSet("dynamo.top_of_tree"))
        config = syntax::withPath(config, "dynamo.top_of_tree", syntax::makeBool(true, Layer::Base)); // nothing named is the newest source
    // Two switches follow a third one until they are set.
    const bool isObserved = isOn(config, "observability.enabled");
    for (const std::string_view path : {"observability.scrape_metrics", "observability.build_dashboard"}) {
        const ValuePtr own = syntax::at(config, path);
        if (own && own->isNull())
            config = syntax::withPath(config, path, syntax::makeBool(isObserved, isObserved ? Layer::Base : Layer::Default));
    }
    if (const ValuePtr rate = syntax::at(config, "observability.tachometer.default_frequency");
        rate && rate->isUnwritten() && !isOn(config, "observability.tachometer.enabled"))
        config = syntax::withoutPath(config, "observability.tachometer.default_frequency");
    for (const auto& [path, isPerSecond] : {std::pair("telemetry", false), std::pair("observability.tachometer", true)}) {
        const ValuePtr rate = syntax::at(config, std::string(path) + ".default_frequency");
        if (!rate || rate->number <= 0)
            continue;
        const double milliseconds = isPerSecond ? 1000 / rate->number : rate->number * 1000;
        config = syntax::withoutPath(config, std::string(path) + ".default_frequency");
        config = syntax::withPath(config, std::string(path) + ".collect_interval_ms",
                                  syntax::makeInteger(std::llround(milliseconds), rate->layer));
    }
    return config;
}

/// The modes' kv events of a job: null where the mode has none, however it is said.
ValuePtr withoutIdleEvents(ValuePtr config)
{
    const ValuePtr events = syntax::at(config, "backend.kv_events_config");
    for (const Member& member : events && events->isMapping() ? events->members : std::vector<Member>()) {
        if (member.value->kind == Kind::Bool && !member.value->boolean)
            config = syntax::withoutPath(config, syntax::joinedPath("backend.kv_events_config", member.key));
    }
    return config;
}

} // namespace

std::span<const LanguageDifference> languageDifferences()
{
    return table;
}

std::vector<JobDifference> differences(const Job& first, const Job& second)
{
    Job written = first; // so that the table asks what it means
    written.config = withoutIdleEvents(canonical(first));
    const ValuePtr other = withoutIdleEvents(canonical(second));
    std::map<std::string, ValuePtr> left;
    std::map<std::string, ValuePtr> right;
    collect(written.config, {}, left);
    collect(other, {}, right);
    const auto pack = schema::builtInPack("v1");
    std::vector<JobDifference> out;
    const auto add = [&](const std::string& path, const ValuePtr& a, const ValuePtr& b) {
        JobDifference found{path, a ? syntax::shown(*a) : "—", b ? syntax::shown(*b) : "—", {}};
        for (const LanguageDifference& row : table) {
            if (!matches(row.path, path) || (row.applies && !row.applies(written, second, path)))
                continue;
            found.reason = row.reason;
            break;
        }
        out.push_back(std::move(found));
    };
    for (const auto& [path, value] : left) {
        const auto found = right.find(path);
        if (found == right.end() && !isIdleKeyOfFirst(path, value))
            add(path, value, nullptr);
        else if (found != right.end())
            if (!syntax::sameData(*value, *found->second))
                add(path, value, found->second);
    }
    for (const auto& [path, value] : right) {
        if (left.contains(path))
            continue;
        // What schema 1 does not know and the recipe does not say is schema 2's own.
        const bool isKnown = pack->fieldAt(path) || path.starts_with("backend.");
        if (value->isUnwritten() && !isKnown)
            continue;
        if (value->isUnwritten() && path.starts_with("backend.") && !path.starts_with("backend.trtllm_config.") &&
            path.find("_environment.") == std::string::npos && !pack->fieldAt(path))
            continue; // a setting of the engine that schema 1 has not
        add(path, nullptr, value);
    }
    if (first.resources.isDisaggregated() != second.resources.isDisaggregated())
        out.push_back({"roles",
                       first.resources.isDisaggregated() ? "prefill and decode apart" : "aggregated",
                       second.resources.isDisaggregated() ? "prefill and decode apart" : "aggregated",
                       {}});
    std::sort(out.begin(), out.end(), [](const JobDifference& a, const JobDifference& b) { return a.path < b.path; });
    return out;
}

} // namespace wb::recipe
