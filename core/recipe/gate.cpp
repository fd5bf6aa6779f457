#include "core/recipe/gate.h"

#include "core/base/text.h"
#include "core/recipe/renames.h"
#include "core/recipe/rolesv2.h"

#include <array>
#include <string>
#include <utility>

namespace wb::recipe {

using syntax::Code;
using syntax::Diagnostic;
using syntax::Member;
using syntax::Value;
using syntax::ValuePtr;

namespace {

/// Keys that schema 2 refuses as a whole, in the order in which srtctl lists them.
constexpr std::array<std::string_view, 22> legacyKeys = {
    "backend",
    "infra",
    "resources.prefill_nodes",
    "resources.decode_nodes",
    "resources.agg_nodes",
    "resources.prefill_workers",
    "resources.decode_workers",
    "resources.agg_workers",
    "resources.prefill_critical",
    "resources.decode_critical",
    "resources.agg_critical",
    "resources.gpus_per_prefill",
    "resources.gpus_per_decode",
    "resources.gpus_per_agg",
    "frontend.orchestrator_placement",
    "frontend.dedicated_node",
    "benchmark.client_placement",
    "benchmark.client_dedicated_node",
    "dynamo.version",
    "dynamo.hash",
    "dynamo.wheel",
    "dynamo.cargo_patches",
};

/// What stood in the engine's block in schema 1 and belongs to the roles, or to a service.
struct Moved {
    std::string_view key;
    std::string_view to;
};
constexpr Moved movedFromEngine[] = {
    {"prefill_environment", "\"roles.prefill.env\""},
    {"decode_environment", "\"roles.decode.env\""},
    {"aggregated_environment", "\"roles.agg.env\""},
    {"prefill_extra_args", "\"roles.prefill.extra_args\""},
    {"decode_extra_args", "\"roles.decode.extra_args\""},
    {"aggregated_extra_args", "\"roles.agg.extra_args\""},
    {"sglang_config", "\"args\" of each role"},
    {"vllm_config", "\"args\" of each role"},
    {"trtllm_config", "\"args\" of each role"},
    {"mocker_config", "\"args\" of each role"},
    {"kv_events_config", "\"kv_events\" of each role"},
    {"roles", "the top level, as \"roles\""},
    {"mooncake_kv_store", "\"services\", as a service of type \"mooncake-master\""},
};

constexpr std::string_view advice = "run \"srtwb migrate\" on the recipe";

class Gate
{
public:
    Gate(ValuePtr document, const syntax::SourceText& source)
        : m_source(source)
        , m_document(std::move(document))
    {
    }

    Gated run()
    {
        checkSchema();
        for (const std::string_view path : legacyKeys)
            checkLegacy(path);
        checkEngine("engine");
        for (const std::string_view role : second::roles)
            checkEngine("roles." + std::string(role) + ".engine");
        return {std::move(m_document), std::move(m_diagnostics)};
    }

private:
    /// The member at a dotted path; null when it is absent.
    [[nodiscard]] const Member* memberAt(std::string_view path) const
    {
        const std::size_t dot = path.rfind('.');
        const ValuePtr parent = dot == std::string_view::npos ? m_document : syntax::at(m_document, path.substr(0, dot));
        return parent ? parent->member(dot == std::string_view::npos ? path : path.substr(dot + 1)) : nullptr;
    }

    Diagnostic& report(Code code, syntax::Range range, const Value& value, std::string path, std::string message)
    {
        Diagnostic problem;
        problem.code = code;
        problem.range = range;
        problem.source = value.source;
        problem.path = std::move(path);
        problem.message = std::move(message);
        m_diagnostics.push_back(std::move(problem));
        return m_diagnostics.back();
    }

    [[nodiscard]] bool hasLegacyKeys() const
    {
        for (const std::string_view path : legacyKeys) {
            if (memberAt(path))
                return true;
        }
        return false;
    }

    void checkSchema()
    {
        const Member* schema = m_document->member("schema");
        const Value* value = schema ? schema->value.get() : nullptr;
        if (value && value->kind == syntax::Kind::Integer && value->integer == 2 && !value->huge)
            return;
        if (!value || value->isNull()) {
            const Member* first = m_document->members.empty() ? nullptr : &m_document->members.front();
            const syntax::Range place = schema ? schema->keyRange : first ? first->keyRange : syntax::Range{};
            Diagnostic& problem =
                report(Code::OtherLanguage, place, *m_document, "schema",
                       "The recipe does not say which language it is written in, so that srtctl 2.x takes it for schema 1 and "
                       "refuses it; declare \"schema: 2\"" +
                           (hasLegacyKeys() ? ", or " + std::string(advice) + "." : std::string(".")));
            if (!hasLegacyKeys())
                addLineFix(problem, schema, first);
        } else {
            const bool isOld = value->kind == syntax::Kind::Integer && value->integer == 1;
            Diagnostic& problem = report(Code::OtherLanguage, value->range.isEmpty() ? schema->keyRange : value->range, *value, "schema",
                                         "\"schema\" is " + syntax::shown(*value) + ", but " +
                                             (isOld ? "srtctl 1.x knows no such key, and " : "") + "srtctl 2.x reads schema 2 only" +
                                             (isOld || hasLegacyKeys() ? "; " + std::string(advice) + "." : std::string(".")));
            if (!value->range.isEmpty() && !hasLegacyKeys())
                problem.fixes.push_back({"Change to 2", {{value->range, "2"}}});
        }
        m_document = syntax::with(m_document, "schema", syntax::makeInteger(2, syntax::Layer::Default));
    }

    void addLineFix(Diagnostic& problem, const Member* schema, const Member* first) const
    {
        if (schema && !schema->keyRange.isEmpty() && schema->value->range.isEmpty()) {
            problem.fixes.push_back({"Change to \"schema: 2\"", {{schema->keyRange, "schema: 2"}}});
            return;
        }
        if (schema || !first || first->keyRange.isEmpty() || first->merged || m_document->style == syntax::Style::Flow)
            return;
        const std::size_t at = first->keyRange.begin;
        const std::size_t column = m_source.lineCol(at).column - 1;
        problem.fixes.push_back({"Add \"schema: 2\"", {{{at, at}, "schema: 2\n" + std::string(column, ' ')}}});
    }

    void checkLegacy(std::string_view path)
    {
        const Member* member = memberAt(path);
        if (!member)
            return;
        const std::string now = path == "infra"     ? "services of type \"etcd\" and \"nats\""
                                : path == "backend" ? "\"engine\" and \"roles\""
                                                    : "\"" + inSecond(path) + "\"";
        report(Code::LegacyKey, member->keyRange, *member->value, std::string(path),
               "\"" + std::string(path) + "\" is a key of schema 1, which is " + now + " in schema 2; " + std::string(advice) + ".");
        m_document = syntax::withoutPath(m_document, path);
    }

    void checkEngine(const std::string& path)
    {
        const Member* member = memberAt(path);
        if (!member)
            return;
        if (member->value->isString()) {
            ValuePtr engine = syntax::with(nullptr, "type", member->value, member->keyRange);
            auto made = std::make_shared<Value>(*engine);
            made->range = member->value->range;
            made->layer = member->value->layer;
            made->source = member->value->source;
            m_document = syntax::withPath(m_document, path, std::move(made));
            return;
        }
        if (!member->value->isMapping())
            return;
        const ValuePtr engine = member->value;
        for (const Moved& moved : movedFromEngine) {
            const Member* old = engine->member(moved.key);
            if (!old)
                continue;
            report(Code::LegacyKey, old->keyRange, *old->value, path + "." + std::string(moved.key),
                   "\"" + path + "\" no longer has a key \"" + std::string(moved.key) + "\"; it belongs to " + std::string(moved.to) + ".");
            m_document = syntax::withoutPath(m_document, path + "." + std::string(moved.key));
        }
    }

    const syntax::SourceText& m_source;
    ValuePtr m_document;
    std::vector<Diagnostic> m_diagnostics;
};

} // namespace

Gated passGate(const ValuePtr& document, const syntax::SourceText& source)
{
    if (!document || !document->isMapping())
        return {document, {}};
    return Gate(document, source).run();
}

} // namespace wb::recipe
