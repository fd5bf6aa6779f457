// The HTML report of a view.
#include "core/analysis/report.h"
#include "core/base/text.h"

#include <gmock/gmock.h>

#include <string>

namespace wb::analysis {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string evil = "<script>alert('1')</script>\"&";

ChartPoint pointOf(const std::string& id, double x, double y)
{
    return {.id = PointId{id}, .x = x, .y = y, .reason = {}, .labels = {{"concurrency", "64"}}, .source = "/r/" + id + ".json"};
}

Report smallReport()
{
    Report out;
    out.chart.x = {.id = "tps-per-user", .title = "tokens/s/user", .unit = "tokens/s", .definition = "1000 / median TPOT"};
    out.chart.y = {.id = "output-tps-per-gpu", .title = "tokens/s/GPU", .unit = "tokens/s", .definition = "output / working GPUs"};
    out.chart.group = "hardware";
    ChartSeries series;
    series.key = "gb200";
    series.points = {pointOf("a", 10, 100), pointOf("b", 20, 50)};
    series.frontier = {0, 1};
    out.chart.series = {series};
    out.chart.excluded = {{PointId{"c"}, "tps-per-user: The median TPOT is not known."}};
    out.svg = "<?xml version=\"1.0\"?>\n<!DOCTYPE svg>\n<svg xmlns=\"http://www.w3.org/2000/svg\"><g/></svg>\n";
    out.date = "2026-10-08";
    out.program = "srtwb 1";
    return out;
}

TEST(ReportHtml, HoldsTheChartThePointsTheirMeaningAndWhatWasLeftOut)
{
    const std::string html = asHtml(smallReport());
    EXPECT_THAT(html, testing::StartsWith("<!DOCTYPE html>"));
    EXPECT_THAT(html, HasSubstr("<svg xmlns"));
    EXPECT_THAT(html, Not(HasSubstr("<?xml")));
    EXPECT_THAT(html, Not(HasSubstr("<!DOCTYPE svg")));
    EXPECT_THAT(html, HasSubstr("1000 / median TPOT"));
    EXPECT_THAT(html, HasSubstr("The median TPOT is not known."));
    EXPECT_THAT(html, HasSubstr("/r/a.json"));
    EXPECT_THAT(html, HasSubstr("2 points in 1 group by hardware."));
    EXPECT_THAT(html, HasSubstr("2026-10-08"));
    EXPECT_THAT(html, Not(HasSubstr("What the compared runs differ in"))) << "nothing was compared";
}

TEST(ReportHtml, NeedsNoNetworkAndNoScript)
{
    const std::string html = base::lowered(asHtml(smallReport()));
    for (const char* tied : {"<script", "<link", " src=", "url(", "@import", "<iframe", "javascript:"})
        EXPECT_THAT(html, Not(HasSubstr(tied)));
    EXPECT_THAT(html, HasSubstr("default-src 'none'"));
}

TEST(ReportHtml, EscapesEveryTextThatComesFromAFile)
{
    Report report = smallReport();
    report.chart.title = evil;
    report.chart.group = evil;
    report.chart.warnings = {evil};
    report.chart.x.title = evil;
    report.chart.x.unit = evil;
    report.chart.x.definition = evil;
    report.chart.series.front().key = evil;
    report.chart.series.front().points.front().id = PointId{evil};
    report.chart.series.front().points.front().source = evil;
    report.chart.series.front().points.front().labels = {{evil, evil}};
    report.chart.series.front().points.front().note = evil;
    report.chart.series.front().points.back().eligible = false;
    report.chart.series.front().points.back().reason = evil;
    report.chart.excluded = {{PointId{evil}, evil}};
    report.request.where = evil;
    report.request.slo = evil;
    report.catalogue = evil;
    report.date = evil;
    report.program = evil;
    report.whyNoPicture = evil;
    report.svg = "<svg><script>alert(1)</script></svg>";
    RunDifferences comparison;
    comparison.sides = {evil, evil};
    comparison.reason = evil;
    Section section{.id = "model", .title = "Model", .facts = {}};
    section.facts = {{.key = evil, .state = FactState::Different, .values = {evil, std::nullopt}, .follows = {}, .remark = evil}};
    comparison.sections = {section};
    report.comparison = comparison;
    const std::string html = asHtml(report);
    EXPECT_THAT(html, Not(HasSubstr("<script")));
    EXPECT_THAT(html, Not(HasSubstr("alert('1')")));
    EXPECT_THAT(html, HasSubstr("&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot;&amp;"));
    EXPECT_THAT(html, Not(HasSubstr("<svg>"))) << "a drawing with a script is none of ours";
}

TEST(ReportHtml, HoldsNoSecret)
{
    Report report = smallReport();
    report.chart.series.front().points.front().source = "https://me:Leak01@host/r.json?token=Leak02";
    report.chart.series.front().points.front().note = "run with --api-key Leak03 and HF_TOKEN=Leak04";
    report.catalogue = "http://me:Leak05@host/";
    EXPECT_THAT(asHtml(report), Not(HasSubstr("Leak")));
}

TEST(ReportHtml, SaysWhatRunsDifferInAndWhatIsNotKnown)
{
    Report report = smallReport();
    RunDifferences comparison;
    comparison.sides = {"one", "two"};
    comparison.verdict = Verdict::SingleVariable;
    comparison.reason = "setup_script differs.";
    Section section{.id = "provenance", .title = "Provenance", .facts = {}};
    section.facts = {
        {.key = "setup_script", .state = FactState::Different, .values = {"a", "b"}, .follows = {}, .remark = {}},
        {.key = "driver", .state = FactState::Unknown, .values = {"595", std::nullopt}, .follows = {}, .remark = {}},
        {.key = "equal", .state = FactState::Same, .values = {"x", "x"}, .follows = {}, .remark = {}},
        {.key = "PORT", .state = FactState::Different, .values = {"1", "2"}, .noise = true, .follows = {}, .remark = {}},
        {.key = "commit", .state = FactState::Unknown, .values = {}, .unrecorded = true, .follows = {}, .remark = {}},
        {.key = "job", .state = FactState::Unknown, .values = {}, .noise = true, .unrecorded = true, .follows = {}, .remark = {}}};
    comparison.sections = {section};
    comparison.unrecorded = 1; // the verdict's count: what is of each run alone is not among them
    report.comparison = comparison;
    const std::string html = asHtml(report);
    EXPECT_THAT(html, HasSubstr("single-variable"));
    EXPECT_THAT(html, HasSubstr("<td>setup_script</td><td class=\"different\">different</td><td>a</td><td>b</td>"));
    EXPECT_THAT(html, HasSubstr("<td class=\"unknown\">not known</td>"));
    EXPECT_THAT(html, Not(HasSubstr("<td>equal</td>")));
    EXPECT_THAT(html,
                HasSubstr("1 facts are the same, 1 differ in every run (ports, host names, job ids), and 1 are not recorded of any run"));
}

} // namespace
} // namespace wb::analysis
