// srtwb pareto: frontiers, as numbers and as pictures.
#include "app/cli/command.h"
#include "app/cli/qtapplication.h"
#include "app/cli/resultsource.h"
#include "core/analysis/chart.h"
#include "core/analysis/rates.h"
#include "core/analysis/report.h"
#include "core/analysis/viewfile.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/results/numbers.h"
#include "core/store/atomicfile.h"

#include <QDate>
#include <QProcess>
#include <QTemporaryDir>

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <tuple>

namespace wb::cli {

namespace {

struct ParetoOptions : ResultOptions {
    analysis::ChartRequest request;
    std::string line = "stairs";
    std::string prices, powers;                          ///< As parseRates reads them.
    std::string view;                                    ///< File of a saved view.
    analysis::ChartViewFile drawn{.shows = {"spreads"}}; ///< How pictures are drawn; the request is above.
    std::vector<std::string> shows;                      ///< Empty: as in `drawn`.
    std::string png, svg, pdf, csv, report;
    std::optional<std::string> date;
    bool isJson = false;
    bool listsAxes = false;
};

constexpr std::array lines = {std::pair("stairs", analysis::Line::Stairs), std::pair("straight", analysis::Line::Straight),
                              std::pair("none", analysis::Line::None)};

void listAxes(const ParetoOptions& options, Console& console)
{
    base::json::Array all;
    for (const analysis::Axis& axis : analysis::axes()) {
        const char* direction = axis.direction == analysis::Direction::MoreIsBetter ? "more is better" : "less is better";
        if (!options.isJson)
            console.write(axis.id + "\t" + axis.unit + "\t" + direction + "\t" + axis.definition + "\n");
        base::json::Value object;
        object.set("id", axis.id);
        object.set("title", axis.title);
        object.set("unit", axis.unit);
        object.set("definition", axis.definition);
        object.set("direction", axis.direction == analysis::Direction::MoreIsBetter ? "more" : "less");
        all.push_back(std::move(object));
    }
    if (!options.isJson)
        return;
    base::json::Value document;
    document.set("axes", std::move(all));
    console.writeDocument(document);
}

constexpr std::array labelNames = {"none", "concurrency", "parallelism"};
constexpr std::array scaleNames = {"auto", "linear", "log"};
constexpr std::array partNames = {"overall", "curves", "spreads", "contrast", "none"};

/// Takes a saved view; what is given on the command line stays.
Result<void> takeView(ParetoOptions& options, const CLI::App& command)
{
    if (options.view.empty())
        return {};
    const auto text = base::readFile(options.view);
    auto view = text ? analysis::readViewFile(*text) : Result<analysis::ChartViewFile>(tl::unexpected(text.error()));
    if (!view)
        return passedOn(std::move(view).error(), "Opening the view " + base::pathInQuotes(options.view));
    const auto keep = [&command](const char* option, auto& now, const auto& saved) {
        if (command.count(option) == 0)
            now = saved;
    };
    keep("--x", options.request.x, view->request.x);
    keep("--y", options.request.y, view->request.y);
    keep("--group", options.request.group, view->request.group);
    keep("--where", options.request.where, view->request.where);
    keep("--slo", options.request.slo, view->request.slo);
    keep("--title", options.request.title, view->request.title);
    keep("--line", options.line, std::string(analysis::name(view->request.line)));
    keep("--labels", options.drawn.labels, view->labels);
    keep("--scale-x", options.drawn.scaleX, view->scaleX);
    keep("--scale-y", options.drawn.scaleY, view->scaleY);
    options.drawn.shows = view->shows;
    // A part of other axes is none, and names of other groups are none either.
    const auto isGiven = [&command](const char* option) { return command.count(option) > 0; };
    if (!isGiven("--x") && !isGiven("--y") && !isGiven("--scale-x") && !isGiven("--scale-y"))
        options.drawn.zoom = view->zoom;
    if (!isGiven("--group")) {
        options.drawn.hidden = view->hidden;
        options.request.ranks = view->request.ranks;
    }
    options.request.withSimulated = view->request.withSimulated;
    options.request.takesWords = true;
    return {};
}

Result<analysis::Rates> ratesOf(const ParetoOptions& options)
{
    analysis::Rates rates;
    for (const auto& [text, what, list] :
         {std::tuple(&options.prices, "price", &analysis::Rates::prices), std::tuple(&options.powers, "power", &analysis::Rates::powers)}) {
        auto read = analysis::parseRates(*text, what);
        if (!read)
            return tl::unexpected(std::move(read.error()));
        rates.*list = std::move(*read);
    }
    return rates;
}

/// A kind of picture and where it is to be written.
struct Picture {
    const char* suffix;
    std::string ParetoOptions::*file;
};
constexpr std::array pictures = {Picture{"png", &ParetoOptions::png}, Picture{"svg", &ParetoOptions::svg},
                                 Picture{"pdf", &ParetoOptions::pdf}};

/// Nothing when every picture's name ends in what it will be.
std::string wrongPictureName(const ParetoOptions& options)
{
    for (const Picture& picture : pictures) {
        const std::string& file = options.*picture.file;
        const std::string wanted = std::string(".") + picture.suffix;
        if (!file.empty() && !base::lowered(file).ends_with(wanted))
            return std::string("--") + picture.suffix + ' ' + file + " does not end in " + wanted +
                   "; give the file that ending or use the option of its kind.";
    }
    return {};
}

/// The chart and what a picture that travels alone says besides.
std::string specificationOf(const analysis::Chart& chart, const ParetoOptions& options)
{
    base::json::Value object = analysis::toJson(chart);
    object.set("filters", std::string(base::trimmed(options.request.where + ' ' + options.request.slo)));
    object.set("view", analysis::toJson(options.drawn));
    object.set("date", options.date.value_or(QDate::currentDate().toString(Qt::ISODate).toStdString()));
    return base::json::write(object);
}

/// The picture is drawn by the workbench beside this program, from the same chart.
Result<void> draw(const std::string& specification, const std::string& file)
{
    const std::filesystem::path self = std::filesystem::canonical("/proc/self/exe").parent_path();
    const std::filesystem::path workbench = self / "srt-workbench";
    if (!std::filesystem::exists(workbench))
        return failure(ErrorCode::NotFound,
                       "Pictures are drawn by srt-workbench, which is not beside srtwb in " + base::pathInQuotes(self.string()) + ".");
    ensureQtApplication();
    QProcess process;
    process.setProgram(QString::fromStdString(workbench.string()));
    process.setArguments({QStringLiteral("--render-chart"), QStringLiteral("-"), QStringLiteral("--out"),
                          QString::fromStdString(file.starts_with('-') ? "./" + file : file)});
    process.start();
    if (!process.waitForStarted())
        return failure(ErrorCode::Refused, "srt-workbench did not start: " + process.errorString().toStdString() + ".");
    process.write(specification.data(), static_cast<qint64>(specification.size()));
    process.closeWriteChannel();
    constexpr int patience = 120'000;
    if (!process.waitForFinished(patience))
        return failure(ErrorCode::TimedOut, "srt-workbench did not draw the chart: " + process.errorString().toStdString() + ".");
    if (process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0)
        return {};
    const std::string said = process.readAllStandardError().trimmed().toStdString();
    constexpr std::string_view speaker = "srt-workbench: "; // what it says itself; libraries may have spoken before
    if (const std::size_t at = said.rfind(speaker); at != std::string::npos && (at == 0 || said[at - 1] == '\n'))
        return failure(ErrorCode::Refused, said.substr(at + speaker.size()));
    return failure(ErrorCode::Refused,
                   "srt-workbench could not draw " + base::pathInQuotes(file) + (said.empty() ? std::string(".") : ": " + said));
}

/// The view as one HTML file. A chart that cannot be drawn is told in it; its points are there all the same.
Result<void> writeReport(const analysis::Chart& chart, const std::string& specification, const ParetoOptions& options)
{
    analysis::Report report;
    report.chart = chart;
    report.request = options.request;
    report.date = options.date.value_or(QDate::currentDate().toString(Qt::ISODate).toStdString());
    report.program = "srtwb " SRTWB_VERSION;
    const QTemporaryDir aside;
    const std::string picture = aside.filePath(QStringLiteral("chart.svg")).toStdString();
    const auto drawn = draw(specification, picture);
    const auto svg = drawn ? base::readFile(picture) : Result<std::string>(tl::unexpected(drawn.error()));
    if (svg)
        report.svg = *svg;
    else
        report.whyNoPicture = svg.error().message;
    return store::writeAtomically(options.report, analysis::asHtml(report));
}

void printText(const analysis::Chart& chart, Console& console)
{
    console.write("x: " + chart.x.title + " (" + chart.x.unit + "), y: " + chart.y.title + " (" + chart.y.unit + ")\n");
    for (const analysis::ChartSeries& series : chart.series) {
        console.write(base::printable(series.key) + (series.simulated ? " (all simulated)" : "") + ": " +
                      std::to_string(series.frontier.size()) + " of " + std::to_string(series.points.size()) + " points on the frontier\n");
        for (const std::size_t index : series.frontier) {
            const analysis::ChartPoint& point = series.points[index];
            console.write("  " + results::significant(point.x) + "\t" + results::significant(point.y) + "\t" + point.id.text +
                          (point.note.empty() ? "" : "\t" + base::printable(point.note)) + "\n");
        }
    }
    for (const std::string& warning : chart.warnings)
        console.say("warning: " + warning);
    std::map<std::string, std::size_t> reasons;
    for (const analysis::Excluded& excluded : chart.excluded)
        ++reasons[excluded.reason];
    for (const auto& [reason, count] : reasons)
        console.say(std::to_string(count) + (count == 1 ? " point" : " points") + " kept off: " + reason);
}

int run(ParetoOptions& options, const CLI::App& command, Console& console)
{
    if (options.listsAxes) {
        listAxes(options, console);
        return Good;
    }
    if (const auto taken = takeView(options, command); !taken) {
        console.fail(taken.error());
        return World;
    }
    if (!options.shows.empty())
        options.drawn.shows = {options.shows.begin(), options.shows.end()};
    const auto rates = ratesOf(options);
    if (!rates) {
        console.fail(rates.error());
        return Usage;
    }
    for (const auto& [name, line] : lines) {
        if (options.line == name)
            options.request.line = line;
    }
    if (const std::string wrong = wrongPictureName(options); !wrong.empty()) {
        console.fail(wrong);
        return Usage;
    }
    if (const auto wrong = analysis::makeChart({}, options.request); !wrong) { // before what may take long
        console.fail(wrong.error());
        return Usage;
    }
    PointsRead read = readPoints(options, console);
    if (read.code == World)
        return World;
    analysis::applyRates(read.points, *rates);
    auto chart = analysis::makeChart(read.points, options.request);
    if (!chart) {
        console.fail(chart.error());
        return Usage;
    }
    const std::string specification = specificationOf(*chart, options);
    for (const Picture& picture : pictures) {
        const std::string& file = options.*picture.file;
        if (file.empty())
            continue;
        if (auto drawn = draw(specification, file); !drawn) {
            console.fail(drawn.error());
            return World;
        }
        console.say("Written: " + file);
    }
    if (!options.csv.empty()) {
        if (auto written = store::writeAtomically(options.csv, analysis::asCsv(*chart)); !written) {
            console.fail(written.error());
            return World;
        }
        console.say("Written: " + options.csv);
    }
    if (!options.report.empty()) {
        if (auto written = writeReport(*chart, specification, options); !written) {
            console.fail(written.error());
            return World;
        }
        console.say("Written: " + options.report);
    }
    if (options.isJson)
        console.writeDocument(analysis::paretoJson(*chart));
    else
        printText(*chart, console);
    return Good;
}

} // namespace

Run addPareto(CLI::App& command, Console& console)
{
    auto options = std::make_shared<ParetoOptions>();
    addResultOptions(command, *options);
    command.add_option("--x", options->request.x, "Axis, see --list-axes")->capture_default_str();
    command.add_option("--y", options->request.y, "Axis, see --list-axes")->capture_default_str();
    command.add_option("--group", options->request.group, "Key of a point that makes the series, or none")->capture_default_str();
    command.add_option("--where", options->request.where, "Only these points: \"hardware=gb200 concurrency>=8\"");
    command.add_option("--slo", options->request.slo, "Points outside stay off the frontier: \"ttft-p99<=2000\"");
    command.add_option("--title", options->request.title, "Title of the picture");
    command.add_option("--line", options->line, "stairs, straight or none")
        ->capture_default_str()
        ->check(CLI::IsMember({"stairs", "straight", "none"}));
    command.add_option("--price", options->prices,
                       "US dollars of a GPU-hour, for the axes of cost: 3.5, or by kind of GPU \"gb200=3.5, h100=2\"");
    command.add_option("--power", options->powers, "Watts of a GPU where none were measured, for the axes of energy: as --price");
    command.add_option("--view", options->view, "Begin with a view that the workbench saved (.srtview); other options change it");
    command.add_option("--labels", options->drawn.labels, "Labels of the points in pictures: none, concurrency or parallelism")
        ->capture_default_str()
        ->check(CLI::IsMember(std::vector<std::string>(labelNames.begin(), labelNames.end())));
    command
        .add_option("--show", options->shows,
                    "What pictures show besides: overall (frontier of all groups), curves (by concurrency), spreads (of replicas; the "
                    "default), contrast, or none")
        ->delimiter(',')
        ->check(CLI::IsMember(std::vector<std::string>(partNames.begin(), partNames.end())));
    for (const auto& [name, scale] : {std::pair("--scale-x", &options->drawn.scaleX), std::pair("--scale-y", &options->drawn.scaleY)})
        command.add_option(name, *scale, "Scale of pictures: auto, linear or log")
            ->capture_default_str()
            ->check(CLI::IsMember(std::vector<std::string>(scaleNames.begin(), scaleNames.end())));
    command.add_option("--png", options->png, "Draw into this file");
    command.add_option("--svg", options->svg, "Draw into this file");
    command.add_option("--pdf", options->pdf, "Draw into this file");
    command.add_option("--date", options->date, "Date on the pictures instead of today's");
    command.add_option("--csv", options->csv, "Write the points as a table");
    command.add_option("--report", options->report, "Write the view as one HTML file that needs nothing else");
    command.add_flag("--json", options->isJson, "Print one JSON document");
    command.add_flag("--list-axes", options->listsAxes, "Print all axes with unit, direction and definition");
    return [options, &command, &console] { return run(*options, command, console); };
}

} // namespace wb::cli
