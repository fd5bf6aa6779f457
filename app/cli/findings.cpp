#include "app/cli/findings.h"

#include "core/base/text.h"

#include <algorithm>

namespace wb::cli {

using base::json::Value;
using syntax::Diagnostic;
using syntax::Severity;
using syntax::Source;

namespace {

const syntax::SourceText* textOf(Source source, const check::Checked& checked)
{
    switch (source) {
    case Source::Recipe:
        return checked.source.get();
    case Source::Cluster:
        return checked.clusterSource.get();
    case Source::CommandLine:
        break;
    }
    return nullptr;
}

Value place(std::size_t number)
{
    return number == 0 ? Value() : Value(number);
}

void setPlace(Value& object, const Spot& spot)
{
    object.append("line", place(spot.begin.line));
    object.append("column", place(spot.begin.column));
    object.append("endLine", place(spot.end.line));
    object.append("endColumn", place(spot.end.column));
}

std::string_view colourOf(Severity severity)
{
    switch (severity) {
    case Severity::Error:
        return "\033[1;31m";
    case Severity::Warning:
        return "\033[1;33m";
    default:
        return "\033[1;36m";
    }
}

/// The line with the place underlined; tabs stay, so that the marks stand below what they mean.
std::string excerpt(const syntax::SourceText& text, const Spot& spot)
{
    constexpr std::size_t longest = 160;
    const syntax::Range line = text.lineRange(spot.begin.line);
    const std::string_view content = std::string_view(text.text()).substr(line.begin, line.end - line.begin);
    if (content.size() > longest || content.empty())
        return {};
    const bool isOneLine = spot.end.line == spot.begin.line;
    std::string shown;
    std::string marks;
    std::size_t column = 1;
    for (std::size_t at = 0; at < content.size(); ++column) {
        std::size_t end = at + 1;
        while (end < content.size() && (static_cast<unsigned char>(content[end]) & 0xC0U) == 0x80U)
            ++end;
        // An escape is wider than the character that it stands for.
        const std::string piece = content[at] == '\t' ? "\t" : base::printable(content.substr(at, end - at));
        const bool isMarked = column >= spot.begin.column && (!isOneLine || column < std::max(spot.end.column, spot.begin.column + 1));
        if (isMarked)
            marks.append(base::codePoints(piece), '^');
        else if (column < spot.begin.column)
            marks += piece == "\t" ? piece : std::string(base::codePoints(piece), ' ');
        shown += piece;
        at = end;
    }
    if (column <= spot.begin.column)
        marks += '^'; // behind the last character
    return "    " + shown + "\n    " + marks + "\n";
}

std::string escapedData(std::string_view text, bool isProperty)
{
    std::string out = base::replacedAll(text, "%", "%25");
    out = base::replacedAll(out, "\r", "%0D");
    out = base::replacedAll(out, "\n", "%0A");
    if (isProperty) {
        out = base::replacedAll(out, ":", "%3A");
        out = base::replacedAll(out, ",", "%2C");
    }
    return out;
}

} // namespace

Spot spotOf(Source source, syntax::Range range, const check::Checked& checked)
{
    const syntax::SourceText* text = textOf(source, checked);
    if (!text)
        return {checked.source ? checked.source->path() : std::string(), {0, 0}, {0, 0}};
    return {text->path(), text->lineCol(range.begin), text->lineCol(range.end)};
}

Value toJson(const Diagnostic& diagnostic, const check::Checked& checked)
{
    const Spot spot = spotOf(diagnostic.source, diagnostic.range, checked);
    Value out;
    out.append("code", syntax::id(diagnostic));
    out.append("severity", syntax::name(diagnostic.severity));
    out.append("message", diagnostic.message);
    out.append("path", spot.path.empty() ? Value() : Value(spot.path));
    setPlace(out, spot);
    out.append("variant", diagnostic.variant.empty() ? Value() : Value(diagnostic.variant));
    out.append("source", syntax::name(diagnostic.source));
    base::json::Array notes;
    for (const syntax::Note& note : diagnostic.notes) {
        Value object;
        object.append("message", note.message);
        setPlace(object, spotOf(note.source, note.range, checked));
        notes.push_back(std::move(object));
    }
    out.append("notes", std::move(notes));
    base::json::Array fixes;
    for (const syntax::Fix& fix : diagnostic.fixes) {
        base::json::Array edits;
        for (const syntax::TextEdit& edit : fix.edits) {
            Value object;
            setPlace(object, spotOf(diagnostic.source, edit.range, checked));
            object.append("text", edit.text);
            edits.push_back(std::move(object));
        }
        Value object;
        object.append("title", fix.title);
        object.append("edits", std::move(edits));
        fixes.push_back(std::move(object));
    }
    out.append("fixes", std::move(fixes));
    return out;
}

Value toJson(const std::vector<Diagnostic>& diagnostics, const check::Checked& checked)
{
    base::json::Array out;
    for (const Diagnostic& diagnostic : diagnostics)
        out.push_back(toJson(diagnostic, checked));
    return out;
}

std::string asText(const Diagnostic& diagnostic, const check::Checked& checked, bool hasColour)
{
    const Spot spot = spotOf(diagnostic.source, diagnostic.range, checked);
    const auto painted = [&](std::string_view colour, std::string_view text) {
        return hasColour ? std::string(colour) + std::string(text) + "\033[0m" : std::string(text);
    };
    std::string out;
    if (!spot.path.empty())
        out += base::printable(spot.path) + ":";
    if (spot.begin.line > 0)
        out += std::to_string(spot.begin.line) + ":" + std::to_string(spot.begin.column) + ":";
    out += (out.empty() ? "" : " ") + painted(colourOf(diagnostic.severity), syntax::name(diagnostic.severity)) + ": " +
           base::printable(diagnostic.message) + " [" + std::string(syntax::id(diagnostic)) + "]";
    if (!diagnostic.variant.empty())
        out += " (in " + base::printable(diagnostic.variant) + ")";
    out += "\n";
    if (const syntax::SourceText* text = textOf(diagnostic.source, checked); text && spot.begin.line > 0)
        out += excerpt(*text, spot);
    for (const syntax::Note& note : diagnostic.notes) {
        const Spot at = spotOf(note.source, note.range, checked);
        const std::string place = base::printable(at.path) + (at.begin.line > 0 ? ":" + std::to_string(at.begin.line) : "");
        out += "    note: " + base::printable(note.message) + (place.empty() ? "" : " (" + place + ")") + "\n";
    }
    for (const syntax::Fix& fix : diagnostic.fixes)
        out += "    fix: " + base::printable(fix.title) + "\n";
    return out;
}

std::string asAnnotation(const Diagnostic& diagnostic, const check::Checked& checked)
{
    const Spot spot = spotOf(diagnostic.source, diagnostic.range, checked);
    const std::string_view level = diagnostic.severity == Severity::Error     ? "error"
                                   : diagnostic.severity == Severity::Warning ? "warning"
                                                                              : "notice";
    std::string out = "::" + std::string(level) + " title=" + escapedData(syntax::id(diagnostic), true);
    if (!spot.path.empty())
        out += ",file=" + escapedData(spot.path, true);
    if (spot.begin.line > 0) {
        out += ",line=" + std::to_string(spot.begin.line) + ",col=" + std::to_string(spot.begin.column) +
               ",endLine=" + std::to_string(spot.end.line) + ",endColumn=" + std::to_string(spot.end.column);
    }
    return out + "::" + escapedData(base::printable(diagnostic.message), false) + "\n";
}

Value toJson(const Error& unread)
{
    Value out;
    out.set("code", syntax::id(syntax::Code::Unreadable));
    out.set("severity", syntax::name(Severity::Error));
    out.set("message", unread.message);
    out.set("path", unread.detail);
    setPlace(out, {});
    out.set("variant", Value());
    out.set("source", syntax::name(Source::CommandLine));
    out.set("notes", base::json::Array());
    out.set("fixes", base::json::Array());
    return out;
}

std::string asAnnotation(const Error& unread)
{
    return "::error title=" + std::string(syntax::id(syntax::Code::Unreadable)) + ",file=" + escapedData(unread.detail, true) +
           "::" + escapedData(base::printable(unread.message), false) + "\n";
}

} // namespace wb::cli
