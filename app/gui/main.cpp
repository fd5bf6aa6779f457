// srt-workbench: makes the session and the window; nothing else. Exit codes as in the command line's contract: 2 wrong options, 3 the
// world.
#include "app/gui/display.h"
#include "app/gui/screenshot.h"
#include "app/secrets/keychainstore.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/base/utf8locale.h"
#include "ui/charts/chartview.h"
#include "ui/shell/englishplurals.h"
#include "ui/shell/layouts.h"
#include "ui/shell/mainwindow.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcessEnvironment>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <optional>

namespace {

using namespace wb;

constexpr int wrongOptions = 2;
constexpr int theWorld = 3;

struct Options {
    QStringList paths;
    QString chartSpec;
    QString out;
    QString screenshot;
    QString layout;
    QString theme;
    bool sample = false;
    bool compare = false;
    bool portable = false;
    std::optional<QSize> size;
};

int refused(const QString& why, int code)
{
    std::fprintf(stderr, "srt-workbench: %s\n", why.toLocal8Bit().constData());
    return code;
}

void addOptions(QCommandLineParser& parser)
{
    parser.setApplicationDescription(QStringLiteral("Workbench for srt-slurm benchmark recipes and results."));
    parser.addPositionalArgument(QStringLiteral("path"), QStringLiteral("Recipes (PATH or PATH:VARIANT), a folder of recipes, results."),
                                 QStringLiteral("[path...]"));
    parser.addOptions({
        {{QStringLiteral("h"), QStringLiteral("help")}, QStringLiteral("Show this help.")},
        {{QStringLiteral("v"), QStringLiteral("version")}, QStringLiteral("Show the version.")},
        {QStringLiteral("sample"), QStringLiteral("Open the sample workspace beside what is open.")},
        {QStringLiteral("compare"), QStringLiteral("Show the recipes (PATH or PATH:SELECTOR, two or more) side by side.")},
        {QStringLiteral("portable"),
         QStringLiteral("Keep settings, catalogue and drafts in the folder srt-workbench-data beside the program, nowhere else.")},
        {QStringLiteral("render-chart"),
         QStringLiteral("Draw the chart that SPEC (a file, or - for standard input) describes and end; with --out."),
         QStringLiteral("SPEC")},
        {QStringLiteral("out"), QStringLiteral("Picture to write: .png, .svg or .pdf."), QStringLiteral("FILE")},
        {QStringLiteral("screenshot"), QStringLiteral("Write a picture of the window and end."), QStringLiteral("FILE")},
        {QStringLiteral("layout"), QStringLiteral("Layout to show: author, dry-run, cluster, analyse."), QStringLiteral("NAME")},
        {QStringLiteral("size"), QStringLiteral("Size of the window."), QStringLiteral("WxH")},
        {QStringLiteral("theme"), QStringLiteral("Colours: light, dark or system."), QStringLiteral("NAME")},
    });
}

std::optional<QSize> sizeOf(const QString& text)
{
    bool hasWidth = false;
    bool hasHeight = false;
    const QSize size(text.section(QLatin1Char('x'), 0, 0).toInt(&hasWidth), text.section(QLatin1Char('x'), 1).toInt(&hasHeight));
    return hasWidth && hasHeight && size.width() > 0 && size.height() > 0 ? std::optional(size) : std::nullopt;
}

recipe::TextPairs environment()
{
    recipe::TextPairs pairs;
    const QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
    for (const QString& name : all.keys())
        pairs.emplace_back(name.toStdString(), all.value(name).toStdString());
    return pairs;
}

/// "-" is standard input.
Result<std::string> specificationIn(const QString& spec)
{
    if (spec != QLatin1String("-"))
        return base::readFile(spec.toStdString());
    QFile input;
    if (!input.open(stdin, QIODevice::ReadOnly))
        return failure(ErrorCode::Refused, "Standard input cannot be read.");
    return input.readAll().toStdString();
}

QString textAt(const base::json::Value& object, std::string_view key)
{
    const base::json::Value* value = object.find(key);
    const std::string* text = value ? value->string() : nullptr;
    return text ? QString::fromStdString(*text) : QString();
}

int renderChart(const QString& spec, const QString& out)
{
    const QString name = spec == QLatin1String("-") ? QStringLiteral("on standard input") : QStringLiteral("\"%1\"").arg(spec);
    const auto wrong = [&name](const Error& error) {
        return refused(QStringLiteral("The chart specification %1 cannot be drawn: %2").arg(name, QString::fromStdString(error.message)),
                       theWorld);
    };
    const auto text = specificationIn(spec);
    if (!text)
        return refused(QString::fromStdString(text.error().message), theWorld);
    auto json = base::json::read(*text);
    if (!json)
        return wrong(json.error());
    const auto chart = analysis::chartFromJson(*json);
    if (!chart)
        return wrong(chart.error());
    const ui::charts::PictureNotes notes{.filters = textAt(*json, "filters"), .date = textAt(*json, "date")};
    analysis::ChartViewFile view{.shows = {"spreads"}};
    if (const base::json::Value* described = json->find("view")) {
        auto read = analysis::viewFromJson(*described);
        if (!read)
            return wrong(read.error());
        view = *std::move(read);
    }
    if (const auto written = ui::charts::renderChart(*chart, out, notes, view); !written)
        return refused(QString::fromStdString(written.error().message), theWorld);
    return 0;
}

/// Qt has no name for it before 6.7.
QString stateFolder()
{
    const QString named = qEnvironmentVariable("XDG_STATE_HOME");
    const QString state = QDir::isAbsolutePath(named) ? named : QDir::homePath() + QStringLiteral("/.local/state");
    return state + QStringLiteral("/srt-workbench");
}

/// For sockets, whose paths may have no more than about a hundred bytes.
QString controlFolder()
{
    const QString runtime = QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation);
    constexpr int longest = 60;
    if (!runtime.isEmpty() && runtime.size() < longest && QFileInfo(runtime).isWritable())
        return runtime + QStringLiteral("/srtwb");
    return QStringLiteral("/tmp/srtwb-%1").arg(geteuid());
}

/// Where settings, the catalogue and drafts are kept.
struct Folders {
    QString config;
    QString data;
    QString state;  ///< The job record and the log of remote commands, which srtwb writes too.
    QString drafts; ///< Empty: drafts are not kept.
};

Folders foldersOf(const Options& options)
{
    if (options.portable) {
        const QString all =
            QFileInfo(QFileInfo(QStringLiteral("/proc/self/exe")).symLinkTarget()).path() + QStringLiteral("/srt-workbench-data");
        return {all, all, all, all + QStringLiteral("/drafts")};
    }
    return {QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation),
            QStandardPaths::writableLocation(QStandardPaths::AppDataLocation), stateFolder(), stateFolder() + QStringLiteral("/drafts")};
}

/// Why the name after --theme or --layout is none; empty when it is one.
QString wrongName(const Options& options)
{
    const QStringList themes = {QStringLiteral("light"), QStringLiteral("dark"), QStringLiteral("system")};
    if (!options.theme.isEmpty() && !themes.contains(options.theme))
        return QStringLiteral("--theme takes %1, not \"%2\".").arg(themes.join(QStringLiteral(", ")), options.theme);
    QStringList layouts;
    for (const ui::Layout& layout : ui::layouts())
        layouts += QString::fromLatin1(layout.id);
    QSettings settings(foldersOf(options).config + QStringLiteral("/settings.ini"), QSettings::IniFormat);
    settings.beginGroup(QStringLiteral("layouts/user"));
    for (const QString& name : settings.childGroups())
        layouts += QStringLiteral("user/") + name;
    if (!options.layout.isEmpty() && !layouts.contains(options.layout))
        return QStringLiteral("--layout takes %1, not \"%2\".").arg(layouts.join(QStringLiteral(", ")), options.layout);
    return {};
}

int showWindow(const Options& options)
{
    // A picture must not depend on what the user has open, nor change it.
    std::optional<QTemporaryDir> aside;
    if (!options.screenshot.isEmpty())
        aside.emplace();
    const Folders folders = aside ? Folders{aside->path(), aside->path(), aside->path(), {}} : foldersOf(options);
    if (!QDir().mkpath(folders.config) && options.portable)
        return refused(
            QStringLiteral("The folder \"%1\" cannot be made; without --portable your own folders are used.").arg(folders.config),
            theWorld);
    QSettings settings(folders.config + QStringLiteral("/settings.ini"), QSettings::IniFormat);
    if (!options.theme.isEmpty())
        settings.setValue(QStringLiteral("window/theme"), options.theme);
    if (!options.layout.isEmpty())
        settings.setValue(QStringLiteral("layouts/current"), options.layout);
    ui::applyTheme(ui::themeOf(settings.value(QStringLiteral("window/theme")).toString()));

    ui::Session session({.dataFolder = folders.data,
                         .draftsFolder = folders.drafts,
                         .mode = ui::async::Mode::Pool,
                         .environment = environment(),
                         .profilesFile = folders.config + QStringLiteral("/profiles.json"),
                         .connections = {.stateFolder = folders.state,
                                         .controlFolder = controlFolder(),
                                         .askpass = QCoreApplication::applicationDirPath() + QStringLiteral("/srtwb-askpass"),
                                         .secrets = std::make_shared<app::KeychainStore>()}});
    ui::MainWindow window(session, settings);
    if (options.size)
        window.resize(*options.size);
    window.show();
    session.clusters().load();
    session.jobs().load();
    bool isSampleOpen = false;
    if (options.paths.isEmpty()) {
        isSampleOpen = !window.restoreSession();
    } else {
        session.results().load();
        if (options.compare)
            window.compare(options.paths);
        else
            window.openPaths(options.paths);
    }
    session.drafts().look();
    if (options.sample && !isSampleOpen)
        window.openSample();
    std::unique_ptr<app::Screenshot> screenshot;
    if (!options.screenshot.isEmpty()) {
        screenshot = std::make_unique<app::Screenshot>(window, options.screenshot);
        QObject::connect(screenshot.get(), &app::Screenshot::done, &window,
                         [](bool isWritten) { QCoreApplication::exit(isWritten ? 0 : theWorld); });
        screenshot->start();
    }
    return QCoreApplication::exec();
}

} // namespace

int main(int argc, char** argv)
{
    wb::base::keepFreedMemory(std::size_t{128} << 20); // about two checks of a very large file
    QCoreApplication::setApplicationName(QStringLiteral("srt-workbench"));
    QCoreApplication::setApplicationVersion(QStringLiteral(SRTWB_VERSION));
    QGuiApplication::setDesktopFileName(QStringLiteral("org.srtworkbench.Workbench"));

    QStringList arguments;
    for (int i = 0; i < argc; ++i)
        arguments += QString::fromLocal8Bit(argv[i]);
    QCommandLineParser parser;
    addOptions(parser);
    if (!parser.parse(arguments))
        return refused(parser.errorText(), wrongOptions);
    if (parser.isSet(QStringLiteral("version"))) {
        std::puts("srt-workbench " SRTWB_VERSION);
        return 0;
    }
    if (parser.isSet(QStringLiteral("help"))) {
        const QCoreApplication application(argc, argv);
        std::fputs(parser.helpText().toLocal8Bit().constData(), stdout);
        return 0;
    }
    Options options{.paths = parser.positionalArguments(),
                    .chartSpec = parser.value(QStringLiteral("render-chart")),
                    .out = parser.value(QStringLiteral("out")),
                    .screenshot = parser.value(QStringLiteral("screenshot")),
                    .layout = parser.value(QStringLiteral("layout")),
                    .theme = parser.value(QStringLiteral("theme")),
                    .sample = parser.isSet(QStringLiteral("sample")),
                    .compare = parser.isSet(QStringLiteral("compare")),
                    .portable = parser.isSet(QStringLiteral("portable")),
                    .size = sizeOf(parser.value(QStringLiteral("size")))};
    if (parser.isSet(QStringLiteral("size")) && !options.size)
        return refused(QStringLiteral("--size takes WIDTHxHEIGHT, such as 1440x900."), wrongOptions);
    if (const QString wrong = wrongName(options); !wrong.isEmpty())
        return refused(wrong, wrongOptions);
    if (options.compare && options.paths.size() < 2)
        return refused(QStringLiteral("--compare takes two recipes or more."), wrongOptions);
    if (options.chartSpec.isEmpty() != options.out.isEmpty())
        return refused(QStringLiteral("--render-chart and --out go together."), wrongOptions);

    if (!options.out.isEmpty() && !ui::charts::isPictureName(options.out))
        return refused(QStringLiteral("--out %1 must end in .png, .svg or .pdf.").arg(options.out), wrongOptions);

    const bool needsNoDisplay = !options.chartSpec.isEmpty() || !options.screenshot.isEmpty();
    const std::string whyNot = app::whyNoDisplay();
    if (!options.chartSpec.isEmpty() || (needsNoDisplay && !whyNot.empty()))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    else if (!whyNot.empty())
        return refused(QString::fromStdString(whyNot), theWorld);

    std::optional<base::Utf8Locale> locale(std::in_place);
    const QApplication application(argc, argv);
    locale.reset();
    ui::EnglishPlurals plurals;
    QCoreApplication::installTranslator(&plurals);
    if (!options.chartSpec.isEmpty())
        return renderChart(options.chartSpec, options.out);
    return showWindow(options);
}
