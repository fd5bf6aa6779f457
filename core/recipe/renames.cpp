#include "core/recipe/renames.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace wb::recipe {

namespace {

constexpr std::array all = {
    Rename{"resources.prefill_nodes", "roles.prefill.nodes"},
    Rename{"resources.prefill_workers", "roles.prefill.workers"},
    Rename{"resources.gpus_per_prefill", "roles.prefill.gpus"},
    Rename{"resources.prefill_critical", "roles.prefill.critical"},
    Rename{"resources.decode_nodes", "roles.decode.nodes"},
    Rename{"resources.decode_workers", "roles.decode.workers"},
    Rename{"resources.gpus_per_decode", "roles.decode.gpus"},
    Rename{"resources.decode_critical", "roles.decode.critical"},
    Rename{"resources.agg_nodes", "roles.agg.nodes"},
    Rename{"resources.agg_workers", "roles.agg.workers"},
    Rename{"resources.gpus_per_agg", "roles.agg.gpus"},
    Rename{"resources.agg_critical", "roles.agg.critical"},
    Rename{"backend.prefill_environment", "roles.prefill.env"},
    Rename{"backend.decode_environment", "roles.decode.env"},
    Rename{"backend.aggregated_environment", "roles.agg.env"},
    Rename{"backend.prefill_extra_args", "roles.prefill.extra_args"},
    Rename{"backend.decode_extra_args", "roles.decode.extra_args"},
    Rename{"backend.aggregated_extra_args", "roles.agg.extra_args"},
    Rename{"backend.sglang_config.prefill", "roles.prefill.args"},
    Rename{"backend.sglang_config.decode", "roles.decode.args"},
    Rename{"backend.sglang_config.aggregated", "roles.agg.args"},
    Rename{"backend.sglang_config", "roles"},
    Rename{"backend.vllm_config.prefill", "roles.prefill.args"},
    Rename{"backend.vllm_config.decode", "roles.decode.args"},
    Rename{"backend.vllm_config.aggregated", "roles.agg.args"},
    Rename{"backend.vllm_config", "roles"},
    Rename{"backend.trtllm_config.prefill", "roles.prefill.args"},
    Rename{"backend.trtllm_config.decode", "roles.decode.args"},
    Rename{"backend.trtllm_config.aggregated", "roles.agg.args"},
    Rename{"backend.trtllm_config", "roles"},
    Rename{"backend.mocker_config.prefill", "roles.prefill.args"},
    Rename{"backend.mocker_config.decode", "roles.decode.args"},
    Rename{"backend.mocker_config.aggregated", "roles.agg.args"},
    Rename{"backend.mocker_config", "roles"},
    Rename{"backend.kv_events_config.prefill", "roles.prefill.kv_events"},
    Rename{"backend.kv_events_config.decode", "roles.decode.kv_events"},
    Rename{"backend.kv_events_config.aggregated", "roles.agg.kv_events"},
    Rename{"backend.kv_events_config", "roles"},
    Rename{"backend.mooncake_kv_store", "services"},
    Rename{"backend.set_cuda_visible_devices", "engine.set_visible_devices"},
    Rename{"backend", "engine"},
    Rename{"infra", "services"},
    Rename{"infra.etcd_nats_dedicated_node", "services"},
    Rename{"infra.nats_max_payload_mb", "services"},
    Rename{"frontend.orchestrator_placement", "frontend.placement.node"},
    Rename{"frontend.dedicated_node", "frontend.placement.node"},
    Rename{"benchmark.client_placement", "benchmark.placement.node"},
    Rename{"benchmark.client_dedicated_node", "benchmark.placement.node"},
    Rename{"dynamo.version", "dynamo.source.pypi"},
    Rename{"dynamo.hash", "dynamo.source.rev"},
    Rename{"dynamo.wheel", "dynamo.source.wheel"},
    Rename{"dynamo.cargo_patches", "dynamo.source.patches"},
};

bool covers(std::string_view row, std::string_view path)
{
    return path.starts_with(row) && (path.size() == row.size() || path[row.size()] == '.');
}

std::string_view lastName(std::string_view path)
{
    return path.substr(path.rfind('.') + 1);
}

/// A name that only schema 1 has and that says by itself which key is meant: "agg_nodes", not "version".
const Rename* byBareName(std::string_view name)
{
    constexpr std::array<std::string_view, 3> vague = {"prefill", "decode", "aggregated"};
    if (name.find('_') == std::string_view::npos || std::find(vague.begin(), vague.end(), name) != vague.end())
        return nullptr;
    const auto found = std::find_if(all.begin(), all.end(), [&](const Rename& row) { return lastName(row.first) == name; });
    return found == all.end() ? nullptr : &*found;
}

bool isOfName(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
}

std::string wordInSecond(std::string_view word)
{
    std::string tail;
    while (word.ends_with('.')) { // the end of the sentence
        tail += '.';
        word.remove_suffix(1);
    }
    if (word.find('.') != std::string_view::npos)
        return inSecond(word) + tail;
    const Rename* row = byBareName(word);
    return std::string(row ? row->second : word) + tail;
}

/// Below a mapping of an engine's or a program's flags: their names are no keys of the language, whatever they are called.
bool isOfFlags(std::string_view secondPath)
{
    return secondPath.find(".args.") != std::string_view::npos || secondPath.find(".aiperf_args.") != std::string_view::npos;
}

/// What stands in quotes is kept.
std::string saidOutsideQuotes(std::string_view sentence)
{
    std::string out;
    bool isQuoted = false;
    for (const std::string_view part : base::splitAt(sentence, '"')) {
        out += out.empty() && !isQuoted ? "" : "\"";
        out += isQuoted ? std::string(part) : saidInSecond(part);
        isQuoted = !isQuoted;
    }
    return out;
}

} // namespace

std::span<const Rename> renames()
{
    return all;
}

std::string inSecond(std::string_view firstPath)
{
    const Rename* best = nullptr;
    for (const Rename& row : all) {
        if (covers(row.first, firstPath) && (!best || row.first.size() > best->first.size()))
            best = &row;
    }
    return best ? std::string(best->second) + std::string(firstPath.substr(best->first.size())) : std::string(firstPath);
}

std::string saidInSecond(std::string_view sentence)
{
    std::string out;
    for (std::size_t i = 0; i < sentence.size();) {
        if (!isOfName(sentence[i])) {
            out += sentence[i++];
            continue;
        }
        std::size_t end = i;
        while (end < sentence.size() && isOfName(sentence[end]))
            ++end;
        const std::string_view word = sentence.substr(i, end - i);
        const bool isQuoted = i > 0 && sentence[i - 1] == '"' && end < sentence.size() && sentence[end] == '"';
        out += isQuoted && (word == "backend" || word == "infra") ? inSecond(word) : wordInSecond(word);
        i = end;
    }
    return out;
}

void turnToSecond(syntax::Diagnostic& problem)
{
    if (problem.source == syntax::Source::Cluster)
        return;
    problem.path = inSecond(problem.path);
    if (isOfFlags(problem.path)) {
        problem.message = saidOutsideQuotes(problem.message);
        return;
    }
    problem.message = saidInSecond(problem.message);
    for (syntax::Note& note : problem.notes)
        note.message = saidInSecond(note.message);
    const auto writesOldKey = [](const syntax::Fix& fix) {
        return std::any_of(fix.edits.begin(), fix.edits.end(),
                           [](const syntax::TextEdit& edit) { return saidInSecond(edit.text) != edit.text; });
    };
    std::erase_if(problem.fixes, writesOldKey);
    for (syntax::Fix& fix : problem.fixes)
        fix.title = saidInSecond(fix.title);
}

} // namespace wb::recipe
