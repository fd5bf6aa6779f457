#include "core/analysis/report.h"

#include "core/base/secrets.h"
#include "core/base/text.h"
#include "core/results/numbers.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace wb::analysis {

namespace {

/// Text in an element or a quoted attribute, without secrets: the file is made to be given away. Control characters have no place in HTML.
std::string escaped(std::string_view written)
{
    const std::string text = base::maskedSecrets(written);
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        case '\'':
            out += "&#39;";
            break;
        default:
            if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t')
                out += c;
        }
    }
    return out;
}

/// The drawing itself, without the declarations in front of it, which have no place inside HTML. Only what begins as an SVG is taken, and
/// nothing that would run.
std::string inlinePicture(const std::string& svg)
{
    const std::size_t begin = svg.find("<svg");
    if (begin == std::string::npos || base::lowered(svg).find("<script") != std::string::npos)
        return {};
    return svg.substr(begin);
}

constexpr std::string_view style = R"(
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; line-height: 1.2; } h2 { font-size: 1.2rem; margin-top: 2rem; }
h1, p, dd, dt, li { overflow-wrap: anywhere; }
figure { margin: 1rem 0; background: #fff; padding: .5rem; border: 1px solid #8884; overflow-x: auto; }
figure svg { display: block; width: 100%; min-width: 44rem; height: auto; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid #8884; vertical-align: top; }
th { vertical-align: bottom; min-width: 4rem; }
td { min-width: 4rem; max-width: 22rem; overflow-wrap: break-word; }
#points-table td:not(.number):not(.short) { min-width: 12rem; }
td.number, th.number { text-align: right; } td.number, td.short { white-space: nowrap; }
.front { font-weight: 600; } .quiet { opacity: .7; } .verdict { font-size: 1.05rem; }
dt { font-weight: 600; margin-top: .6rem; } dd { margin: 0 0 0 1.2rem; }
.different { color: #b23c00; font-weight: 600; } .unknown { font-style: italic; opacity: .8; }
@media (prefers-color-scheme: dark) { .different { color: #ff9d5c; } }
@media print { figure, tr { break-inside: avoid; } }
)";

class Writer
{
public:
    explicit Writer(const Report& report)
        : m_report(report)
    {
    }

    std::string write()
    {
        const Chart& chart = m_report.chart;
        const std::string title = chart.title.empty() ? chart.y.title + " over " + chart.x.title : chart.title;
        m_out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src "
                "data:\">\n<title>" +
                escaped(title) + "</title>\n<style>" + std::string(style) + "</style>\n</head>\n<body>\n<h1>" + escaped(title) + "</h1>\n";
        writeHead();
        writePicture();
        writeWarnings();
        writeDefinitions();
        writePoints();
        writeExcluded();
        writeComparison();
        writeProvenance();
        m_out += "</body>\n</html>\n";
        return std::move(m_out);
    }

private:
    void heading(std::string_view id, std::string_view words)
    {
        m_out += "<h2 id=\"" + std::string(id) + "\">" + escaped(words) + "</h2>\n";
    }
    void paragraph(std::string_view words) { m_out += "<p>" + escaped(words) + "</p>\n"; }

    [[nodiscard]] std::size_t drawn() const
    {
        std::size_t count = 0;
        for (const ChartSeries& series : m_report.chart.series)
            count += series.points.size();
        return count;
    }

    void writeHead()
    {
        std::string line = std::to_string(drawn()) + (drawn() == 1 ? " point" : " points") + " in " +
                           std::to_string(m_report.chart.series.size()) + (m_report.chart.series.size() == 1 ? " group" : " groups") +
                           " by " + m_report.chart.group + ".";
        if (!m_report.request.where.empty())
            line += " Only those with " + base::inQuotes(m_report.request.where) + "; " + std::to_string(m_report.chart.filteredOut) +
                    " others are left out.";
        if (!m_report.request.slo.empty())
            line += " Off the frontier: what does not hold " + base::inQuotes(m_report.request.slo) + ".";
        if (m_report.chart.simulated)
            line += " It holds simulated points; they are marked.";
        paragraph(line);
    }

    void writePicture()
    {
        const std::string picture = inlinePicture(m_report.svg);
        if (picture.empty()) {
            paragraph(m_report.whyNoPicture.empty() ? "The chart could not be drawn; the table below has its points."
                                                    : m_report.whyNoPicture);
            return;
        }
        m_out += "<figure role=\"img\" aria-label=\"" + escaped(m_report.chart.y.title + " over " + m_report.chart.x.title) + "\">\n" +
                 picture + "\n</figure>\n";
    }

    void writeWarnings()
    {
        if (m_report.chart.warnings.empty())
            return;
        heading("warnings", "To be minded");
        m_out += "<ul>\n";
        for (const std::string& warning : m_report.chart.warnings)
            m_out += "<li>" + escaped(warning) + "</li>\n";
        m_out += "</ul>\n";
    }

    void writeDefinitions()
    {
        heading("definitions", "What the axes mean");
        m_out += "<dl>\n";
        for (const auto& [where, axis] : {std::pair("Across", &m_report.chart.x), std::pair("Up", &m_report.chart.y)}) {
            m_out += "<dt>" + std::string(where) + ": " + escaped(axis->title) +
                     (axis->unit.empty() ? "" : " (" + escaped(axis->unit) + ")") + " — " +
                     (axis->direction == Direction::MoreIsBetter ? "more is better" : "less is better") + "</dt>\n<dd>" +
                     escaped(axis->definition) + "</dd>\n";
        }
        m_out += "<dt>Frontier</dt>\n<dd>A point is on the frontier of its group when no other eligible point of the group is at least as "
                 "good on "
                 "both axes and better on one. Equal points are all on it. The line is " +
                 std::string(m_report.chart.line == Line::Stairs     ? "a staircase: what was attained, nothing in between"
                             : m_report.chart.line == Line::Straight ? "straight from point to point; nothing was measured in between"
                                                                     : "not drawn") +
                 ".</dd>\n</dl>\n";
    }

    void writePoints()
    {
        heading("points", "Points");
        std::vector<std::string> labels;
        for (const ChartSeries& series : m_report.chart.series) {
            for (const ChartPoint& point : series.points) {
                for (const auto& [label, value] : point.labels) {
                    const bool isColumn = label == m_report.chart.x.title || label == m_report.chart.y.title ||
                                          (label == "Run" && m_report.chart.group == "run");
                    if (!isColumn && std::find(labels.begin(), labels.end(), label) == labels.end())
                        labels.push_back(label);
                }
            }
        }
        m_out += "<div class=\"scroll\"><table id=\"points-table\">\n<thead><tr><th>Group</th><th>On the frontier</th>";
        for (const AxisTitle* axis : {&m_report.chart.x, &m_report.chart.y})
            m_out += "<th class=\"number\">" + escaped(axis->title) + (axis->unit.empty() ? "" : ", " + escaped(axis->unit)) + "</th>";
        for (const std::string& label : labels)
            m_out += "<th>" + escaped(label) + "</th>";
        m_out += "<th>Remarks</th><th>Point</th></tr></thead>\n<tbody>\n";
        for (const ChartSeries& series : m_report.chart.series) {
            std::vector<std::size_t> order(series.points.size());
            std::iota(order.begin(), order.end(), std::size_t{0});
            std::ranges::stable_sort(order, {}, [&series](std::size_t i) { return series.points[i].x; });
            for (const std::size_t i : order) {
                const bool isFront = std::find(series.frontier.begin(), series.frontier.end(), i) != series.frontier.end();
                writePoint(series, series.points[i], isFront, labels);
            }
        }
        m_out += "</tbody></table></div>\n";
    }

    void writePoint(const ChartSeries& series, const ChartPoint& point, bool isFront, const std::vector<std::string>& labels)
    {
        m_out += std::string("<tr") + (isFront ? " class=\"front\"" : "") + "><td>" + escaped(series.key) + "</td><td class=\"short\">" +
                 (isFront ? "yes" : "no") + "</td><td class=\"number\">" + results::significant(point.x) + "</td><td class=\"number\">" +
                 results::significant(point.y) + "</td>";
        for (const std::string& label : labels) {
            const auto found =
                std::find_if(point.labels.begin(), point.labels.end(), [&](const auto& each) { return each.first == label; });
            const std::string_view value = found == point.labels.end() ? std::string_view("—") : std::string_view(found->second);
            constexpr std::size_t longest = 24; // of what stands in one line
            m_out += (value.size() <= longest ? "<td class=\"short\">" : "<td>") + escaped(value) + "</td>";
        }
        std::vector<std::string> remarks;
        if (point.simulated)
            remarks.emplace_back("Simulated.");
        if (!point.eligible)
            remarks.push_back(point.reason);
        if (!point.note.empty())
            remarks.push_back(point.note);
        m_out += "<td>" + escaped(base::joined(remarks, " ")) + "</td><td class=\"short quiet\">" + escaped(point.id.text) + "</td></tr>\n";
    }

    void writeExcluded()
    {
        heading("excluded", "What was left out, and why");
        if (m_report.chart.excluded.empty()) {
            paragraph(m_report.chart.filteredOut == 0 ? "Nothing." : "Nothing but what the filter leaves out.");
            return;
        }
        std::map<std::string, std::vector<std::string>> byReason;
        for (const Excluded& excluded : m_report.chart.excluded)
            byReason[excluded.reason].push_back(excluded.id.text);
        m_out += "<div class=\"scroll\"><table>\n<thead><tr><th>Points</th><th>Why</th><th>Which</th></tr></thead>\n<tbody>\n";
        for (const auto& [reason, ids] : byReason) {
            m_out += "<tr><td class=\"number\">" + std::to_string(ids.size()) + "</td><td>" + escaped(reason) +
                     "</td><td class=\"quiet\"><details><summary>list</summary>" + escaped(base::joined(ids, ", ")) +
                     "</details></td></tr>\n";
        }
        m_out += "</tbody></table></div>\n";
    }

    void writeComparison()
    {
        if (!m_report.comparison)
            return;
        const RunDifferences& comparison = *m_report.comparison;
        heading("comparison", "What the compared runs differ in");
        m_out += "<p class=\"verdict\"><strong>" + escaped(name(comparison.verdict)) + "</strong> — " + escaped(comparison.reason) +
                 "</p>\n<ol>\n";
        for (const std::string& side : comparison.sides)
            m_out += "<li>" + escaped(side) + "</li>\n";
        m_out += "</ol>\n";
        std::size_t same = 0;
        std::size_t noise = 0;
        for (const Section& section : comparison.sections) {
            std::string rows;
            for (const Fact& fact : section.facts) {
                same += fact.state == FactState::Same ? 1 : 0;
                noise += fact.noise && !fact.unrecorded && fact.state != FactState::Same ? 1 : 0;
                if (fact.state != FactState::Same && !fact.isQuiet())
                    rows += rowOf(fact);
            }
            if (rows.empty())
                continue;
            m_out += "<h3>" + escaped(section.title) + "</h3>\n<div class=\"scroll\"><table>\n<thead><tr><th>Fact</th><th>State</th>";
            for (std::size_t i = 1; i <= comparison.sides.size(); ++i)
                m_out += "<th>" + std::to_string(i) + "</th>";
            m_out += "</tr></thead>\n<tbody>\n" + rows + "</tbody></table></div>\n";
        }
        paragraph(std::to_string(same) + " facts are the same, " + std::to_string(noise) +
                  " differ in every run (ports, host names, job ids), and " + std::to_string(comparison.unrecorded) +
                  " are not recorded of any run; none of these are listed.");
    }

    static std::string rowOf(const Fact& fact)
    {
        std::string state(name(fact.state));
        if (!fact.follows.empty())
            state += ", follows from " + fact.follows;
        else if (fact.label)
            state += ", not counted";
        std::string out = "<tr><td>" + escaped(fact.key) +
                          (fact.remark.empty() ? "" : "<br><span class=\"quiet\">" + escaped(fact.remark) + "</span>") +
                          "</td><td class=\"" + (fact.isCounted() ? std::string(name(fact.state)) : std::string("quiet")) + "\">" +
                          escaped(state) + "</td>";
        for (const std::optional<std::string>& value : fact.values)
            out += value ? "<td>" + escaped(*value) + "</td>" : std::string("<td class=\"unknown\">not known</td>");
        return out + "</tr>\n";
    }

    void writeProvenance()
    {
        heading("provenance", "Where it comes from");
        std::set<std::string> files;
        for (const ChartSeries& series : m_report.chart.series) {
            for (const ChartPoint& point : series.points)
                files.insert(point.source);
        }
        std::string line = "Made";
        if (!m_report.date.empty())
            line += " on " + m_report.date;
        if (!m_report.program.empty())
            line += " by " + m_report.program;
        line += m_report.catalogue.empty() ? "." : " from " + m_report.catalogue + ".";
        paragraph(line);
        m_out += "<details><summary>" + std::to_string(files.size()) + (files.size() == 1 ? " file" : " files") + "</summary>\n<ul>\n";
        for (const std::string& file : files)
            m_out += "<li>" + escaped(file) + "</li>\n";
        m_out += "</ul></details>\n";
    }

    const Report& m_report;
    std::string m_out;
};

} // namespace

std::string asHtml(const Report& report)
{
    return Writer(report).write();
}

} // namespace wb::analysis
