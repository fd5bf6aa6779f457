#include "core/recipe/migrateunfold.h"

#include "core/schema/pack.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace wb::recipe {

using syntax::Member;
using syntax::TextEdit;
using syntax::Value;
using syntax::ValuePtr;

namespace {

template <std::size_t Count>
bool hasAny(const ValuePtr& block, const std::array<std::string_view, Count>& keys)
{
    return std::any_of(keys.begin(), keys.end(), [&](std::string_view key) { return block->member(key) != nullptr; });
}

constexpr std::array<std::string_view, 9> counts = {"prefill_nodes",    "decode_nodes",    "agg_nodes",
                                                    "prefill_workers",  "decode_workers",  "agg_workers",
                                                    "gpus_per_prefill", "gpus_per_decode", "gpus_per_agg"};
constexpr std::array<std::string_view, 4> sources = {"version", "hash", "wheel", "cargo_patches"};
constexpr std::array<std::string_view, 2> frontendPlaces = {"orchestrator_placement", "dedicated_node"};
constexpr std::array<std::string_view, 3> clientKeys = {"client_placement", "client_dedicated_node", "export_node_metrics"};
constexpr std::array<std::string_view, 4> scraperKeys = {"scrape_metrics", "scrape_interval_seconds", "scrape_output", "build_dashboard"};

bool hasUnreadKeys(const ValuePtr& benchmark)
{
    const auto pack = schema::builtInPack("v2");
    const schema::Record* record = pack ? pack->record("benchmark") : nullptr;
    const ValuePtr type = benchmark->find("type");
    if (!record || !type)
        return false;
    return std::any_of(benchmark->members.begin(), benchmark->members.end(), [&](const Member& member) {
        const schema::Field* field = record->find(member.key);
        return field && !field->readBy.empty() && std::find(field->readBy.begin(), field->readBy.end(), type->text) == field->readBy.end();
    });
}

} // namespace

bool isTakenApart(std::string_view key, const ValuePtr& block)
{
    if (key == "infra" || key == "backend")
        return true;
    if (key == "resources")
        return hasAny(block, counts);
    if (key == "dynamo")
        return hasAny(block, sources);
    if (key == "frontend")
        return hasAny(block, frontendPlaces);
    if (key == "observability")
        return hasAny(block, scraperKeys);
    return key == "benchmark" && (hasAny(block, clientKeys) || hasUnreadKeys(block));
}

namespace {

bool isTakenApartInBackend(std::string_view key, const ValuePtr& backend)
{
    const ValuePtr store = backend->find("mooncake_kv_store");
    const bool hasVariables = store && store->find("env");
    return key.ends_with("_config") || key == "mooncake_kv_store" || (hasVariables && key.ends_with("_environment"));
}

class Finder
{
public:
    explicit Finder(const syntax::SourceText& source)
        : m_source(source)
    {
    }

    std::vector<TextEdit> all(const ValuePtr& root)
    {
        for (const Member& member : root->members) {
            const bool isSection = member.key == "base" || member.key.starts_with("override_") || member.key.starts_with("zip_override_");
            if (isSection && root->member("base"))
                lookInto(member.value);
        }
        if (!root->member("base"))
            lookInto(root);
        std::sort(m_edits.begin(), m_edits.end(), [](const TextEdit& a, const TextEdit& b) { return a.range < b.range; });
        return std::move(m_edits);
    }

private:
    void lookInto(const ValuePtr& section)
    {
        if (!section->isMapping() || section->style == syntax::Style::Flow)
            return;
        for (const Member& member : section->members) {
            if (!isInBraces(member) || !isTakenApart(member.key, member.value)) {
                if (member.key == "backend" && member.value->isMapping())
                    lookIntoBackend(member.value);
                continue;
            }
            unfold(member);
        }
    }

    void lookIntoBackend(const ValuePtr& backend)
    {
        for (const Member& member : backend->members) {
            if (!isTakenApartInBackend(member.key, backend))
                continue;
            if (isInBraces(member))
                unfold(member);
            else if (member.key == "mooncake_kv_store" && member.value->member("env") && isInBraces(*member.value->member("env")))
                unfold(*member.value->member("env"));
        }
    }

    static bool isInBraces(const Member& member)
    {
        const Value& value = *member.value;
        return value.isMapping() && value.style == syntax::Style::Flow && !value.members.empty() && value.definition.isEmpty() &&
               !member.merged && !member.keyRange.isEmpty();
    }

    void unfold(const Member& member)
    {
        const std::string& text = m_source.text();
        const Value& value = *member.value;
        const std::size_t opening = text.find('{', value.range.begin);
        if (opening == std::string::npos || opening >= value.range.end)
            return;
        const auto isRemark = [&](std::size_t from, std::size_t to) { return text.substr(from, to - from).find('#') != std::string::npos; };
        std::size_t last = opening;
        for (const Member& inner : value.members) {
            if (inner.merged || isRemark(last, inner.keyRange.begin))
                return; // told by the migration, which finds it in braces still
            last = std::max(inner.keyRange.end, inner.value->range.end);
        }
        if (isRemark(last, value.range.end))
            return;
        const std::size_t lineEnd = std::min(text.find_first_of("\r\n", value.range.end), text.size());
        std::string rest = text.substr(value.range.end, lineEnd - value.range.end);
        rest.erase(rest.find_last_not_of(' ') + 1);
        const std::string lineEnding = text.find("\r\n") == std::string::npos ? "\n" : "\r\n";
        const std::size_t keyLine = m_source.lineCol(member.keyRange.begin).line;
        const std::string indent(member.keyRange.begin - m_source.lineStart(keyLine) + 2, ' ');
        std::string anchor = text.substr(value.range.begin, opening - value.range.begin);
        anchor.erase(anchor.find_last_not_of(" \r\n") + 1);
        std::string made = (anchor.empty() ? "" : " " + anchor) + rest;
        for (const Member& inner : value.members)
            made += lineEnding + indent + onOneLine(text.substr(inner.keyRange.begin, inner.keyRange.end - inner.keyRange.begin)) + ":" +
                    valueOf(inner);
        std::size_t begin = value.range.begin;
        while (begin > member.keyRange.end + 1 && text[begin - 1] == ' ')
            --begin;
        m_edits.push_back({{begin, lineEnd}, std::move(made)});
    }

    [[nodiscard]] std::string valueOf(const Member& member) const
    {
        const syntax::Range range = member.value->range;
        const std::string written = onOneLine(m_source.text().substr(range.begin, range.end - range.begin));
        return written.empty() ? "" : " " + written;
    }

    static std::string onOneLine(const std::string& text)
    {
        std::string out;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] != '\n' && text[i] != '\r') {
                out += text[i];
                continue;
            }
            while (i + 1 < text.size() && (text[i + 1] == ' ' || text[i + 1] == '\n' || text[i + 1] == '\r'))
                ++i;
            out += ' ';
        }
        return out;
    }

    const syntax::SourceText& m_source;
    std::vector<TextEdit> m_edits;
};

} // namespace

Unfolded::Unfolded(const syntax::Parsed& parsed)
    : m_parsed(parsed)
{
    constexpr int deepest = 4; // a backend, its flags or its store, their environment
    for (int i = 0; i < deepest && unfoldOnce(); ++i) {
    }
}

bool Unfolded::unfoldOnce()
{
    if (!m_parsed.complete || !m_parsed.root || !m_parsed.root->isMapping())
        return false;
    std::vector<TextEdit> edits = Finder(*m_parsed.source).all(m_parsed.root);
    if (edits.empty())
        return false;
    syntax::Parsed again =
        syntax::parse(std::make_shared<syntax::SourceText>(syntax::applyEdits(m_parsed.source->text(), edits), m_parsed.source->path()));
    if (!again.complete || !again.root || !syntax::sameData(*again.root, *m_parsed.root))
        return false; // then it stays in braces, and the migration says so
    m_parsed = std::move(again);
    m_passes.push_back(std::move(edits));
    return true;
}

std::size_t Unfolded::original(std::size_t offset) const
{
    for (auto pass = m_passes.rbegin(); pass != m_passes.rend(); ++pass) {
        std::size_t shift = 0; // bytes that earlier edits of the pass added; may wrap around, and comes out right
        std::size_t found = offset;
        bool isInside = false;
        for (const TextEdit& edit : *pass) {
            const std::size_t begin = edit.range.begin + shift;
            if (offset < begin)
                break;
            if (offset < begin + edit.text.size()) {
                found = edit.range.begin;
                isInside = true;
                break;
            }
            shift += edit.text.size() - (edit.range.end - edit.range.begin);
        }
        offset = isInside ? found : offset - shift;
    }
    return offset;
}

syntax::Range Unfolded::original(syntax::Range range) const
{
    const std::size_t begin = original(range.begin);
    return {begin, std::max(begin, original(range.end))};
}

} // namespace wb::recipe
