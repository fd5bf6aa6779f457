#include "core/results/importreport.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace wb::results {

using base::json::Array;
using base::json::Value;

namespace {

constexpr auto states = std::to_array<FileState>({FileState::Imported, FileState::Unchanged, FileState::Refused, FileState::Ignored});

void add(const ImportedFile& file, std::optional<FileState> only, std::vector<ReportLine>& lines)
{
    const bool isOpened = !file.inside.empty(); // an archive's points are told where they came from
    const std::size_t points = file.state == FileState::Unchanged ? file.kept : isOpened ? 0 : file.points.size();
    if (!only || *only == file.state)
        lines.push_back({file.path, file.format, file.state, points, file.reason, file.warnings});
    for (const ImportedFile& inside : file.inside)
        add(inside, only, lines);
}

Value orNull(const std::string& text)
{
    return text.empty() ? Value() : Value(text);
}

Value listOf(const std::vector<std::string>& texts)
{
    Array items;
    for (const std::string& text : texts)
        items.emplace_back(text);
    return Value(std::move(items));
}

std::string counted(std::size_t count, std::string_view what)
{
    return std::to_string(count) + ' ' + std::string(what) + (count == 1 ? "" : "s");
}

} // namespace

std::optional<FileState> stateNamed(std::string_view text)
{
    const auto* found = std::ranges::find_if(states, [&](FileState state) { return name(state) == text; });
    return found == states.end() ? std::nullopt : std::optional(*found);
}

std::vector<ReportLine> reportLines(const Imported& imported, std::optional<FileState> only)
{
    std::vector<ReportLine> lines;
    for (const ImportedFile& file : imported.files)
        add(file, only, lines);
    return lines;
}

std::string reportText(const std::vector<ReportLine>& lines)
{
    std::string text;
    for (const ReportLine& line : lines) {
        text += std::string(name(line.state)) + '\t' + base::printable(line.path);
        if (!line.format.empty())
            text += '\t' + line.format + ", " + counted(line.points, "point");
        if (!line.reason.empty())
            text += '\t' + base::printable(line.reason);
        text += '\n';
    }
    return text;
}

std::string reportSummary(const std::vector<ReportLine>& lines)
{
    std::size_t points = 0;
    for (const ReportLine& line : lines)
        points += line.points;
    std::string text = counted(points, "point");
    bool isFirst = true;
    for (const FileState state : states) {
        const auto count = static_cast<std::size_t>(std::ranges::count(lines, state, &ReportLine::state));
        if (count == 0 && state != FileState::Imported)
            continue;
        text += (isFirst ? ": " : ", ") + (isFirst ? counted(count, "file") : std::to_string(count)) + ' ' + std::string(name(state));
        isFirst = false;
    }
    return text + '.';
}

Value reportJson(const std::vector<ReportLine>& lines, const std::vector<RunReport>& runs)
{
    Array files;
    std::size_t points = 0;
    for (const ReportLine& line : lines) {
        Value file;
        file.set("path", line.path);
        file.set("format", orNull(line.format));
        file.set("points", line.points);
        file.set("state", name(line.state));
        file.set("reason", orNull(line.reason));
        file.set("warnings", listOf(line.warnings));
        points += line.points;
        files.push_back(std::move(file));
    }
    Array reports;
    for (const RunReport& run : runs) {
        Value report;
        report.set("run", run.run.text);
        report.set("folder", run.folder);
        Array facts;
        for (const IdentityFact& fact : run.identity) {
            Value object;
            object.set("field", fact.field);
            object.set("declared", fact.declared);
            object.set("observed", orNull(fact.observed));
            object.set("state", name(fact.state));
            facts.push_back(std::move(object));
        }
        report.set("identity", std::move(facts));
        report.set("notes", listOf(run.notes));
        reports.push_back(std::move(report));
    }
    Value document;
    document.set("files", std::move(files));
    document.set("points", points);
    document.set("runs", std::move(reports));
    return document;
}

std::string runsText(const std::vector<RunReport>& runs)
{
    std::string text;
    for (const RunReport& run : runs) {
        for (const IdentityFact& fact : run.identity)
            text += base::printable(run.run.text + ": " + fact.field + ' ' + std::string(name(fact.state)) + ", declared " + fact.declared +
                                    (fact.observed.empty() ? std::string(", not seen") : ", seen " + fact.observed)) +
                    '\n';
        for (const std::string& note : run.notes)
            text += base::printable(run.run.text + ": " + note) + '\n';
    }
    return text;
}

} // namespace wb::results
