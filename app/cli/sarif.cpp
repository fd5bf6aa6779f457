#include "app/cli/sarif.h"

#include "app/cli/findings.h"
#include "core/recipe/rules.h"

namespace wb::cli {

using base::json::Array;
using base::json::Value;

namespace {

Value object(std::initializer_list<std::pair<const char*, Value>> members)
{
    Value out;
    for (const auto& [key, value] : members)
        out.set(key, value);
    return out;
}

std::string_view levelOf(syntax::Severity severity)
{
    switch (severity) {
    case syntax::Severity::Error:
        return "error";
    case syntax::Severity::Warning:
        return "warning";
    default:
        return "note";
    }
}

/// A path as a relative or absolute URI reference.
std::string uriOf(std::string_view path)
{
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string out;
    for (const char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        const bool isPlain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                             std::string_view("-._~/").find(c) != std::string_view::npos;
        if (isPlain) {
            out += c;
        } else {
            out += '%';
            out += digits[byte >> 4U];
            out += digits[byte & 0xFU];
        }
    }
    return out;
}

/// What kept the run from looking at everything, as SARIF tells it.
Value invocationOf(const std::vector<Error>& unread)
{
    Array notifications;
    for (const Error& error : unread) {
        const Value location = object({{"artifactLocation", object({{"uri", uriOf(error.detail)}})}});
        Value notification = object({{"level", "error"}, {"message", object({{"text", error.message}})}});
        notification.set("descriptor", object({{"id", syntax::id(syntax::Code::Unreadable)}}));
        notification.set("locations", Array{object({{"physicalLocation", location}})});
        notifications.push_back(std::move(notification));
    }
    Value out = object({{"executionSuccessful", unread.empty()}});
    out.set("toolExecutionNotifications", std::move(notifications));
    return out;
}

Value resultOf(const syntax::Diagnostic& diagnostic, const check::Checked& checked)
{
    Value out = object(
        {{"ruleId", syntax::id(diagnostic)}, {"level", levelOf(diagnostic.severity)}, {"message", object({{"text", diagnostic.message}})}});
    const Spot spot = spotOf(diagnostic.source, diagnostic.range, checked);
    if (spot.path.empty())
        return out;
    const Value artifact = object({{"uri", uriOf(spot.path)}});
    if (spot.begin.line == 0) {
        out.set("locations", Array{object({{"physicalLocation", object({{"artifactLocation", artifact}})}})});
        return out;
    }
    const Value region = object(
        {{"startLine", spot.begin.line}, {"startColumn", spot.begin.column}, {"endLine", spot.end.line}, {"endColumn", spot.end.column}});
    const Value location = object({{"artifactLocation", artifact}, {"region", region}});
    out.set("locations", Array{object({{"physicalLocation", location}})});
    return out;
}

} // namespace

Value sarifLog(const std::vector<check::Checked>& files, const std::vector<Error>& unread)
{
    Array rules;
    for (const syntax::CodeInfo& code : syntax::allCodes())
        rules.push_back(object(
            {{"id", code.id}, {"shortDescription", object({{"text", code.title}})}, {"fullDescription", object({{"text", code.help}})}}));
    for (const recipe::Rule& rule : recipe::rules())
        rules.push_back(object({{"id", rule.id}, {"shortDescription", object({{"text", rule.doc}})}}));
    Array results;
    for (const check::Checked& checked : files) {
        for (const syntax::Diagnostic& diagnostic : checked.diagnostics)
            results.push_back(resultOf(diagnostic, checked));
    }
    for (const Error& error : unread) { // said by the invocation too, which not every reader of results looks at
        const Value artifact = object({{"uri", uriOf(error.detail)}});
        Value result =
            object({{"ruleId", syntax::id(syntax::Code::Unreadable)}, {"level", "error"}, {"message", object({{"text", error.message}})}});
        result.set("locations", Array{object({{"physicalLocation", object({{"artifactLocation", artifact}})}})});
        results.push_back(std::move(result));
    }
    const Value driver = object({{"name", "srtwb"}, {"version", SRTWB_VERSION}, {"rules", std::move(rules)}});
    const Value run = object({{"tool", object({{"driver", driver}})},
                              {"columnKind", "unicodeCodePoints"},
                              {"invocations", Array{invocationOf(unread)}},
                              {"results", std::move(results)}});
    return object({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", Array{run}}});
}

} // namespace wb::cli
