#include "core/catalogue/catalogue.h"
#include "tests/support/corpus.h"
#include "tests/support/tarfile.h"

#include <QCoreApplication>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <map>

namespace wb::catalogue {
namespace {

namespace fs = std::filesystem;
using results::FileState;
using results::Imported;
using results::ImportedFile;
using testing::ElementsAre;
using testing::HasSubstr;

/// A summary of the vLLM client, as far as an importer needs it.
std::string summary(double outputTps, const std::string& concurrency = "8")
{
    return R"({"backend": "vllm", "model_id": "m", "max_concurrency": )" + concurrency +
           R"(, "num_prompts": 80, "completed": 80, "duration": 10.0,
        "total_input_tokens": 8000, "total_output_tokens": 8000, "output_throughput": )" +
           std::to_string(outputTps) + R"(, "median_ttft_ms": 20.0, "median_tpot_ms": 10.0})";
}

class CatalogueTest : public testing::Test
{
protected:
    void SetUp() override
    {
        std::string made = (fs::temp_directory_path() / "srtwb-catalogue-XXXXXX").string();
        ASSERT_NE(::mkdtemp(made.data()), nullptr);
        folder = made;
        fs::create_directory(folder / "results");
    }
    void TearDown() override { fs::remove_all(folder); }

    std::string put(const std::string& name, const std::string& text)
    {
        const fs::path path = folder / "results" / name;
        fs::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << text;
        return path.string();
    }
    /// As another program would, on a connection of its own.
    void runSql(const std::vector<std::string>& statements) const
    {
        {
            QSqlDatabase raw = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("other"));
            raw.setDatabaseName(QString::fromStdString(database()));
            ASSERT_TRUE(raw.open());
            for (const std::string& statement : statements)
                EXPECT_TRUE(QSqlQuery(raw).exec(QString::fromStdString(statement))) << statement;
            raw.close();
        }
        QSqlDatabase::removeDatabase(QStringLiteral("other"));
    }
    /// The catalogue of a program that kept files under the paths of links.
    void keepUnderLink(const std::string& file, const std::string& link) const
    {
        runSql({"UPDATE files SET path = replace(path, '" + file + "', '" + link + "')",
                "UPDATE points SET json = replace(json, '" + file + "', '" + link + "')"});
    }
    [[nodiscard]] std::string database() const { return (folder / "catalogue.db").string(); }
    [[nodiscard]] std::string resultsFolder() const { return (folder / "results").string(); }
    [[nodiscard]] Catalogue opened() const
    {
        auto catalogue = Catalogue::open(database());
        EXPECT_TRUE(catalogue) << (catalogue ? "" : catalogue.error().message);
        return std::move(*catalogue);
    }

    fs::path folder;
};

/// File name -> state, for short matchers.
std::map<std::string, FileState> states(const Result<Imported>& imported)
{
    std::map<std::string, FileState> all;
    EXPECT_TRUE(imported) << (imported ? "" : imported.error().message);
    if (imported)
        for (const ImportedFile& file : imported->files)
            all[fs::path(file.path).filename().string()] = file.state;
    return all;
}

std::vector<double> outputRates(const Catalogue& catalogue)
{
    std::vector<double> rates;
    const auto points = catalogue.points();
    EXPECT_TRUE(points) << (points ? "" : points.error().message);
    if (points)
        for (const results::Point& point : *points)
            rates.push_back(point.outputTps.value_or(-1));
    return rates;
}

TEST_F(CatalogueTest, GivesBackWhatWasImportedAlsoAfterReopening)
{
    put("a_conc8.json", summary(100));
    put("b_conc8.json", summary(200));
    const results::Imported read = results::importPaths({resultsFolder()});
    {
        Catalogue catalogue = opened();
        ASSERT_EQ(states(catalogue.import({resultsFolder()})),
                  (std::map<std::string, FileState>{{"a_conc8.json", FileState::Imported}, {"b_conc8.json", FileState::Imported}}));
    }
    const auto points = opened().points();
    ASSERT_TRUE(points);
    EXPECT_EQ(*points, read.points()) << "a stored point must not lose anything";
}

TEST_F(CatalogueTest, PointsOfARunFollowTheirConcurrencyAsANumber)
{
    for (const char* conc : {"16", "128", "4"})
        put("run_conc" + std::string(conc) + ".json", summary(100, conc));
    Catalogue catalogue = opened();
    ASSERT_TRUE(catalogue.import({resultsFolder()}));
    const auto points = catalogue.points();
    ASSERT_TRUE(points);
    std::vector<double> order;
    for (const results::Point& point : *points)
        order.push_back(static_cast<double>(point.concurrency.value_or(-1)));
    EXPECT_EQ(order, (std::vector<double>{4, 16, 128}));
}

TEST_F(CatalogueTest, UnchangedFilesAreNotReadAgain)
{
    put("a_conc8.json", summary(100));
    put("notes.md", "text");
    put("broken.json", "{\"max_concurrency\": ");
    Catalogue catalogue = opened();
    ASSERT_TRUE(catalogue.import({resultsFolder()}));
    const auto again = catalogue.import({resultsFolder()});
    EXPECT_EQ(states(again),
              (std::map<std::string, FileState>{
                  {"a_conc8.json", FileState::Unchanged}, {"broken.json", FileState::Refused}, {"notes.md", FileState::Ignored}}));
    EXPECT_EQ(again->files.at(0).format, "vllm-bench-serve");
    EXPECT_EQ(again->files.at(0).kept, 1U);
    EXPECT_THAT(again->files.at(1).reason, HasSubstr("line 1")) << "a refusal is told each time, with its reason";
    EXPECT_THAT(outputRates(catalogue), ElementsAre(100));
}

TEST_F(CatalogueTest, AFileThatWasOnlyTouchedIsUnchanged)
{
    const std::string path = put("a_conc8.json", summary(100));
    Catalogue catalogue = opened();
    ASSERT_TRUE(catalogue.import({path}));
    fs::last_write_time(path, fs::last_write_time(path) + std::chrono::hours(1));
    EXPECT_EQ(states(catalogue.import({path})).at("a_conc8.json"), FileState::Unchanged);
    EXPECT_THAT(outputRates(catalogue), ElementsAre(100));
}

TEST_F(CatalogueTest, AChangedFileReplacesItsPoints)
{
    const std::string path = put("a_conc8.json", summary(100));
    put("b_conc8.json", summary(200));
    Catalogue catalogue = opened();
    ASSERT_TRUE(catalogue.import({resultsFolder()}));
    put("a_conc8.json", summary(150)); // the same size; written at another time than the first, whatever the clock of the disk
    fs::last_write_time(path, fs::last_write_time(path) + std::chrono::hours(1));
    EXPECT_EQ(states(catalogue.import({resultsFolder()})),
              (std::map<std::string, FileState>{{"a_conc8.json", FileState::Imported}, {"b_conc8.json", FileState::Unchanged}}));
    EXPECT_THAT(outputRates(catalogue), ElementsAre(150, 200));
    put("a_conc8.json", "nothing any more");
    ASSERT_TRUE(catalogue.import({path}));
    EXPECT_THAT(outputRates(catalogue), ElementsAre(200)) << "a file that holds no result any more must not leave its old points";
}

TEST_F(CatalogueTest, AChangeOfTheRunsMetadataReadsItsResultsAgain)
{
    put("77/logs/sa-bench_isl_8_osl_8/results_concurrency_8_gpus_8.json", summary(100));
    const auto metadata = [](int workers) {
        return R"({"version": "2.0", "job_id": "77", "job_name": "run", "resources": {"gpus_per_node": 8, "agg_nodes": 1, "agg_workers": )" +
               std::to_string(workers) + R"(, "gpus_per_agg": 2}})";
    };
    put("77/77.json", metadata(1));
    Catalogue catalogue = opened();
    ASSERT_TRUE(catalogue.import({resultsFolder()}));
    ASSERT_EQ(catalogue.points()->at(0).gpus.working, 2.0);
    put("77/77.json", metadata(4) + " ");
    ASSERT_TRUE(catalogue.import({resultsFolder()}));
    EXPECT_EQ(catalogue.points()->at(0).gpus.working, 8.0);
}

TEST_F(CatalogueTest, ARelativePathIsTheSameFileAsItsAbsoluteOne)
{
    put("a_conc8.json", summary(100));
    Catalogue catalogue = opened();
    const fs::path before = fs::current_path();
    fs::current_path(folder);
    const auto imported = catalogue.import({"results/a_conc8.json"});
    fs::current_path(before);
    ASSERT_TRUE(imported);
    EXPECT_EQ(imported->files.at(0).path, "results/a_conc8.json") << "paths come back as they were given";
    EXPECT_EQ(states(catalogue.import({resultsFolder()})).at("a_conc8.json"), FileState::Unchanged);
    EXPECT_EQ(catalogue.points()->at(0).source, (folder / "results/a_conc8.json").string());
}

TEST_F(CatalogueTest, ALinkIsTheSameFileAsWhatItLeadsTo)
{
    const std::string file = put("a/a_conc8.json", summary(100));
    fs::create_directory_symlink("results/a", folder / "link");
    fs::create_symlink(file, folder / "named.json");
    for (const bool isLinkFirst : {true, false}) {
        fs::remove(database());
        Catalogue catalogue = opened();
        const std::vector<std::string> paths = {(folder / "link").string(), resultsFolder()};
        ASSERT_TRUE(catalogue.import({paths[isLinkFirst ? 0 : 1]}));
        const auto again = catalogue.import({paths[isLinkFirst ? 1 : 0]});
        EXPECT_EQ(states(again).at("a_conc8.json"), FileState::Unchanged);
        EXPECT_EQ(states(catalogue.import({(folder / "named.json").string()})).at("named.json"), FileState::Unchanged);
        ASSERT_THAT(outputRates(catalogue), ElementsAre(100));
        EXPECT_EQ(catalogue.points()->at(0).source, file);
        EXPECT_EQ(catalogue.points()->at(0).id, results::importPaths({paths[0]}).points().at(0).id) << "one id by whichever path";
        // What is said by either path holds.
        ASSERT_TRUE(catalogue.edit((folder / "link/a_conc8.json").string(), std::nullopt, "hardware", "gb200"));
        EXPECT_EQ(catalogue.points()->at(0).hardware, "gb200");
        ASSERT_TRUE(catalogue.forget({(folder / "link").string()}));
        EXPECT_THAT(outputRates(catalogue), ElementsAre());
        ASSERT_TRUE(catalogue.edit(file, std::nullopt, "hardware", std::nullopt));
    }
}

TEST_F(CatalogueTest, AFileThatAnOlderProgramKeptUnderALinkIsTakenOver)
{
    const std::string file = put("a/a_conc8.json", summary(100));
    fs::create_directory_symlink("results/a", folder / "link");
    const std::string linked = (folder / "link/a_conc8.json").string();
    Catalogue catalogue = opened();
    ASSERT_TRUE(catalogue.import({file}));
    keepUnderLink(file, linked);
    runSql({"INSERT INTO edits VALUES ('" + linked + "', -1, 'hardware', 'gb200')"});
    ASSERT_TRUE(catalogue.import({linked}));
    ASSERT_TRUE(catalogue.import({file}));
    ASSERT_THAT(outputRates(catalogue), ElementsAre(100));
    EXPECT_EQ(catalogue.points()->at(0).hardware, "gb200") << "what was said of it before holds";
}

TEST_F(CatalogueTest, WhatIsSaidOfAFileThatAnOlderProgramKeptUnderALinkHoldsAtOnce)
{
    const std::string file = put("a/a_conc8.json", summary(100));
    fs::create_directory_symlink("results/a", folder / "link");
    const std::string linked = (folder / "link/a_conc8.json").string();
    for (const std::string& saidOf : {linked, file}) {
        fs::remove(database());
        Catalogue catalogue = opened();
        ASSERT_TRUE(catalogue.import({file}));
        keepUnderLink(file, linked);
        ASSERT_EQ(catalogue.points()->at(0).source, linked);
        ASSERT_TRUE(catalogue.edit(saidOf, std::nullopt, "gpus", "8"));
        ASSERT_TRUE(catalogue.edit(saidOf, 0, "hardware", "gb200"));
        EXPECT_EQ(catalogue.points()->at(0).gpus.working, 8) << saidOf;
        EXPECT_EQ(catalogue.points()->at(0).hardware, "gb200") << saidOf;
        ASSERT_TRUE(catalogue.edit(saidOf, 0, "hardware", std::nullopt));
        EXPECT_EQ(catalogue.points()->at(0).hardware, std::nullopt) << saidOf;
        ASSERT_TRUE(catalogue.import({linked}));
        EXPECT_EQ(catalogue.points()->at(0).source, file);
        EXPECT_EQ(catalogue.points()->at(0).gpus.working, 8) << "and when it is imported again";
    }
}

TEST_F(CatalogueTest, AFolderThatWasMovedBehindALinkTakesWhatIsSaidOfItsFiles)
{
    const std::string file = put("a/a_conc8.json", summary(100));
    Catalogue catalogue = opened();
    ASSERT_TRUE(catalogue.import({file}));
    fs::rename(folder / "results/a", folder / "archive");
    fs::create_directory_symlink(folder / "archive", folder / "results/a");
    ASSERT_TRUE(catalogue.edit(file, std::nullopt, "gpus", "8"));
    EXPECT_EQ(catalogue.points()->at(0).gpus.working, 8);
}

TEST_F(CatalogueTest, AFileThatIsKnownByItsPathAndByALinkCountsOnce)
{
    const std::string file = put("a/a_conc8.json", summary(100));
    fs::create_directory_symlink("results/a", folder / "link");
    const std::string linked = (folder / "link/a_conc8.json").string();
    Catalogue catalogue = opened();
    ASSERT_TRUE(catalogue.import({file}));
    keepUnderLink(file, linked);
    runSql({"UPDATE points SET id = 'older', json = replace(json, '\"id\":\"', '\"id\":\"older')",
            "INSERT INTO edits VALUES ('" + linked + "', -1, 'hardware', 'gb200')"});
    ASSERT_TRUE(catalogue.import({file}));
    ASSERT_EQ(outputRates(catalogue).size(), 2U) << "as the older catalogue has it";
    const auto again = catalogue.import({linked});
    EXPECT_EQ(states(again).at("a_conc8.json"), FileState::Unchanged) << "it is not read for that";
    ASSERT_THAT(outputRates(catalogue), ElementsAre(100));
    EXPECT_EQ(catalogue.points()->at(0).source, file);
    EXPECT_EQ(catalogue.points()->at(0).hardware, "gb200") << "what was said of it holds";
}

TEST_F(CatalogueTest, AnImportThatChangesNothingReadsNoStoredPoint)
{
    const std::string tar = put("runs.tar", test::tarOf({{"a/a.json", summary(800)}}));
    const std::string file = put("b_conc8.json", summary(100));
    results::ImportOptions options;
    options.scratch = folder.string();
    Catalogue catalogue = opened();
    ASSERT_TRUE(catalogue.import({resultsFolder()}, options));
    runSql({"UPDATE points SET json = 'no point'"});
    ASSERT_FALSE(catalogue.points());
    EXPECT_TRUE(catalogue.import({resultsFolder()}, options));
    fs::last_write_time(file, fs::last_write_time(file) + std::chrono::seconds(5));
    const auto touched = catalogue.import({resultsFolder()}, options);
    EXPECT_EQ(states(touched).at("b_conc8.json"), FileState::Unchanged);
    options.told.fields = {{"isl", "512"}};
    const auto told = catalogue.import({resultsFolder()}, options);
    EXPECT_TRUE(told) << (told ? "" : told.error().message);
}

/// Two results of one run, as a folder and as an archive of it.
struct Packed {
    std::vector<std::pair<std::string, std::string>> files = {
        {"77/logs/sa-bench_isl_8_osl_8/results_concurrency_8_gpus_8.json", summary(100)},
        {"77/logs/sa-bench_isl_8_osl_8/results_concurrency_16_gpus_8.json", summary(200, "16")},
        {"77/77.json", R"({"version": "2.0", "job_id": "77", "job_name": "job", "resources": {"gpu_type": "gb200"}})"}};
};

TEST_F(CatalogueTest, AFolderAndAnArchiveOfItAreOneRun)
{
    const Packed packed;
    for (const auto& [path, bytes] : packed.files)
        put(path, bytes);
    const std::string run = resultsFolder() + "/77";
    const std::string tar = put("packed/runs.tar", test::tarOf(packed.files));
    const std::string other = put("packed/again.tar", test::tarOf(packed.files));
    results::ImportOptions options;
    options.scratch = folder.string();
    for (const std::vector<std::string>& order :
         {std::vector{run, tar, other}, std::vector{other, tar, run}, std::vector{tar, run, other}}) {
        fs::remove(database());
        Catalogue catalogue = opened();
        for (std::size_t i = 0; i < order.size(); ++i) {
            const auto imported = catalogue.import({order[i]}, options);
            ASSERT_TRUE(imported);
            EXPECT_THAT(outputRates(catalogue), ElementsAre(100, 200)) << order[i];
            std::vector<std::string> said;
            for (const ImportedFile& file : imported->files)
                said.insert(said.end(), file.warnings.begin(), file.warnings.end());
            EXPECT_EQ(said.empty(), i == 0) << testing::PrintToString(said);
            EXPECT_TRUE(i == 0 || said.front().find("counts once") != std::string::npos) << testing::PrintToString(said);
        }
        const auto points = catalogue.points();
        EXPECT_THAT(points->at(0).source, testing::StartsWith(run)) << "what can be opened stays";
        EXPECT_THAT(points->at(0).notes, testing::Contains(HasSubstr("The same result is in ")));
    }
    EXPECT_EQ(results::importPaths({run, tar}, options).points().size(), 2U) << "and when they are only read";
    EXPECT_EQ(results::importPaths({tar, other}, options).points().size(), 2U);
}

TEST_F(CatalogueTest, WhatWasSaidOfAnArchiveHoldsForItsFolder)
{
    const Packed packed;
    for (const auto& [path, bytes] : packed.files)
        put(path, bytes);
    const std::string tar = put("packed/runs.tar", test::tarOf(packed.files));
    results::ImportOptions options;
    options.scratch = folder.string();
    options.told.fields = {{"gpus", "16"}};
    Catalogue catalogue = opened();
    ASSERT_TRUE(catalogue.import({tar}, options));
    options.told.fields.clear();
    ASSERT_TRUE(catalogue.import({resultsFolder() + "/77"}, options));
    EXPECT_EQ(catalogue.points()->at(0).gpus.working, 16.0);
}

TEST_F(CatalogueTest, ARollupInAnArchiveIsThatOfTheFolderWhoseBytesItHas)
{
    const std::string rollup = "Config,Total GPU Count,Decode GPU Count,Concurrency,Total Token Throughput,Output Token Throughput,"
                               "Median TTFT,Median TPOT,Median ITL,P90 Decode Running Requests,Output Token Throughput per User,"
                               "Total Token Throughput per GPU\r\nrun,8,,16,200,199,20,10,10,,100,25\r\n";
    Packed packed;
    for (const auto& [path, bytes] : packed.files)
        put(path, bytes);
    packed.files.resize(1); // the raw result of the other concurrency was not packed
    packed.files.emplace_back("77/logs/benchmark-rollup.csv", rollup);
    const std::string tar = put("packed/runs.tar", test::tarOf(packed.files));
    results::ImportOptions options;
    options.scratch = folder.string();
    Catalogue catalogue = opened();
    ASSERT_TRUE(catalogue.import({tar}, options));
    EXPECT_THAT(outputRates(catalogue), ElementsAre(100, 199));
    ASSERT_TRUE(catalogue.import({resultsFolder() + "/77"}, options));
    EXPECT_THAT(outputRates(catalogue), ElementsAre(100, 200)) << "the raw result goes before the rollup of the same run";
}

TEST_F(CatalogueTest, EqualFilesOfTwoFoldersAreTwoRuns)
{
    put("1/a_conc8.json", summary(100));
    put("2/a_conc8.json", summary(100));
    Catalogue catalogue = opened();
    ASSERT_TRUE(catalogue.import({resultsFolder()}));
    EXPECT_THAT(outputRates(catalogue), ElementsAre(100, 100));
}

TEST_F(CatalogueTest, RollupAndRawResultOfOneRunGiveOnePointHoweverTheyCameIn)
{
    const std::string raw = put("77/logs/sa-bench_isl_8_osl_8/results_concurrency_8_gpus_8.json", summary(100));
    const std::string rollup =
        put("77/logs/benchmark-rollup.csv", "Config,Total GPU Count,Decode GPU Count,Concurrency,Total Token Throughput,"
                                            "Output Token Throughput,Median TTFT,Median TPOT,Median ITL,"
                                            "P90 Decode Running Requests,Output Token Throughput per User,"
                                            "Total Token Throughput per GPU\r\nrun,8,,8,200,99,20,10,10,,100,25\r\n");
    Catalogue catalogue = opened();
    ASSERT_TRUE(catalogue.import({rollup}));
    EXPECT_THAT(outputRates(catalogue), ElementsAre(99));
    ASSERT_TRUE(catalogue.import({raw}));
    EXPECT_THAT(outputRates(catalogue), ElementsAre(100));
}

TEST_F(CatalogueTest, ForgetsFilesAndFolders)
{
    const std::string a = put("x/a_conc8.json", summary(1));
    put("x/b_conc8.json", summary(2));
    put("xy/c_conc8.json", summary(3));
    put("xy/d_conc8.json", summary(4));
    Catalogue catalogue = opened();
    ASSERT_TRUE(catalogue.import({resultsFolder()}));
    ASSERT_TRUE(catalogue.forget({a}));
    EXPECT_THAT(outputRates(catalogue), ElementsAre(2, 3, 4));
    ASSERT_TRUE(catalogue.forget({resultsFolder() + "/x/"}));
    EXPECT_THAT(outputRates(catalogue), ElementsAre(3, 4)) << "a folder must not take its neighbour along";
}

TEST_F(CatalogueTest, AStoppedImportChangesNothing)
{
    put("a_conc8.json", summary(100));
    Catalogue catalogue = opened();
    std::stop_source stop;
    stop.request_stop();
    const auto imported = catalogue.import({resultsFolder()}, results::Progress{}, stop.get_token());
    ASSERT_FALSE(imported);
    EXPECT_EQ(imported.error().code, ErrorCode::Cancelled);
    EXPECT_THAT(outputRates(catalogue), ElementsAre());
}

TEST_F(CatalogueTest, SeveralObjectsOnOneFileSeeEachOther)
{
    put("a_conc8.json", summary(100));
    Catalogue one = opened();
    Catalogue two = opened();
    ASSERT_TRUE(one.import({resultsFolder()}));
    EXPECT_THAT(outputRates(two), ElementsAre(100));
}

TEST_F(CatalogueTest, TwoProcessesMayOpenAndImportAtOnce)
{
    constexpr int files = 60;
    for (int i = 0; i < files; ++i)
        put("run" + std::to_string(i) + "_conc8.json", summary(i + 1));
    std::vector<pid_t> children;
    for (int child = 0; child < 3; ++child) {
        const pid_t pid = ::fork();
        ASSERT_GE(pid, 0);
        if (pid == 0) {
            // A process of its own: its own connections, and no word to the test but its exit code.
            auto catalogue = Catalogue::open(database());
            const bool isDone = catalogue && catalogue->import({resultsFolder()}) && catalogue->import({resultsFolder()});
            ::_exit(isDone ? 0 : 1);
        }
        children.push_back(pid);
    }
    for (const pid_t child : children) {
        int status = -1;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    EXPECT_EQ(outputRates(opened()).size(), static_cast<std::size_t>(files));
}

TEST_F(CatalogueTest, ANewerSchemaIsRefusedAndLeftAlone)
{
    {
        const Catalogue catalogue = opened();
    }
    {
        QSqlDatabase raw = QSqlDatabase::addDatabase("QSQLITE", "newer");
        raw.setDatabaseName(QString::fromStdString(database()));
        ASSERT_TRUE(raw.open());
        ASSERT_TRUE(QSqlQuery(raw).exec("INSERT INTO migrations VALUES (1000)"));
        raw.close();
    }
    QSqlDatabase::removeDatabase("newer");
    const std::string before = test::bytesOf(database());
    const auto catalogue = Catalogue::open(database());
    ASSERT_FALSE(catalogue);
    EXPECT_EQ(catalogue.error().code, ErrorCode::Unsupported);
    EXPECT_THAT(catalogue.error().message, HasSubstr("newer program"));
    EXPECT_THAT(catalogue.error().message, HasSubstr("catalogue.db"));
    EXPECT_EQ(test::bytesOf(database()), before);
}

TEST_F(CatalogueTest, ADatabaseOfAnotherProgramIsRefused)
{
    {
        QSqlDatabase raw = QSqlDatabase::addDatabase("QSQLITE", "other");
        raw.setDatabaseName(QString::fromStdString(database()));
        ASSERT_TRUE(raw.open());
        ASSERT_TRUE(QSqlQuery(raw).exec("CREATE TABLE bookmarks (url TEXT)"));
        raw.close();
    }
    QSqlDatabase::removeDatabase("other");
    const auto catalogue = Catalogue::open(database());
    ASSERT_FALSE(catalogue);
    EXPECT_THAT(catalogue.error().message, HasSubstr("another program"));
}

TEST_F(CatalogueTest, AFileThatIsNoDatabaseIsRefusedAndLeftAlone)
{
    const std::string text(5000, 'x');
    std::ofstream(database()) << text;
    const auto catalogue = Catalogue::open(database());
    ASSERT_FALSE(catalogue);
    EXPECT_THAT(catalogue.error().message, HasSubstr("catalogue.db"));
    EXPECT_EQ(test::bytesOf(database()), text);
}

TEST_F(CatalogueTest, APathThatCannotBeOpenedIsNamed)
{
    const auto catalogue = Catalogue::open(resultsFolder());
    ASSERT_FALSE(catalogue);
    EXPECT_THAT(catalogue.error().message, HasSubstr(folder.filename().string()));
}

/// Does something as a user who is not root and owns nothing here; its exit code.
template <typename What>
int asNobody(What what)
{
    const pid_t child = ::fork();
    if (child == 0) {
        constexpr unsigned nobody = 65534;
        if (::geteuid() == 0 && (::setgid(nobody) != 0 || ::setuid(nobody) != 0))
            ::_exit(99);
        ::_exit(what());
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::vector<std::string> namesIn(const fs::path& folder)
{
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
}

TEST_F(CatalogueTest, ReadingChangesNothingOnTheDisk)
{
    put("a_conc8.json", summary(100));
    ASSERT_TRUE(opened().import({resultsFolder()}));
    const auto names = namesIn(folder);
    const std::string before = test::bytesOf(database());
    {
        const auto catalogue = Catalogue::open(database(), Access::Read);
        ASSERT_TRUE(catalogue) << catalogue.error().message;
        EXPECT_THAT(outputRates(*catalogue), ElementsAre(100));
        EXPECT_EQ(namesIn(folder), names);
    }
    EXPECT_EQ(namesIn(folder), names);
    EXPECT_EQ(test::bytesOf(database()), before);
}

TEST_F(CatalogueTest, ReadingSeesWhatAnotherProgramHasJustWritten)
{
    put("a_conc8.json", summary(100));
    Catalogue writer = opened();
    ASSERT_TRUE(writer.import({resultsFolder()}));
    const auto reader = Catalogue::open(database(), Access::Read);
    ASSERT_TRUE(reader) << reader.error().message;
    EXPECT_THAT(outputRates(*reader), ElementsAre(100)) << "it still stands in the write-ahead log";
}

TEST_F(CatalogueTest, ReadingNoticesAWriterThatCameAfterIt)
{
    put("a_conc8.json", summary(100));
    ASSERT_TRUE(opened().import({resultsFolder()}));
    const auto reader = Catalogue::open(database(), Access::Read);
    ASSERT_TRUE(reader);
    put("b_conc8.json", summary(200));
    Catalogue writer = opened();
    ASSERT_TRUE(writer.import({resultsFolder()}));
    EXPECT_THAT(outputRates(*reader), ElementsAre(100, 200));
}

TEST_F(CatalogueTest, AnEmptyFileHasNoPointsAndStaysEmptyWhenItIsRead)
{
    std::ofstream(database()).close();
    const auto catalogue = Catalogue::open(database(), Access::Read);
    ASSERT_TRUE(catalogue) << catalogue.error().message;
    EXPECT_THAT(outputRates(*catalogue), testing::IsEmpty());
    EXPECT_EQ(fs::file_size(database()), 0U);
    const auto missing = Catalogue::open((folder / "no.db").string(), Access::Read);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::NotFound);
    EXPECT_FALSE(fs::exists(folder / "no.db"));
}

TEST_F(CatalogueTest, OneThatMayOnlyBeReadIsReadAndSaysSo)
{
    put("a_conc8.json", summary(100));
    ASSERT_TRUE(opened().import({resultsFolder()}));
    fs::permissions(folder, fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec | fs::perms::others_read);
    fs::permissions(database(), fs::perms::owner_read | fs::perms::others_read);
    if (::geteuid() != 0)
        fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec);
    const int code = asNobody([&] {
        auto catalogue = Catalogue::open(database());
        if (!catalogue)
            return 1;
        if (catalogue->whyReadOnly() != "permission denied")
            return 2;
        const auto points = catalogue->points();
        if (!points || points->size() != 1)
            return 3;
        const auto imported = catalogue->import({resultsFolder()});
        return !imported && imported.error().message.find("permission denied") != std::string::npos ? 0 : 4;
    });
    fs::permissions(folder, fs::perms::owner_all);
    EXPECT_EQ(code, 0);
}

TEST_F(CatalogueTest, AFileThatCouldNotBeFilledIsNotLeftBehind)
{
    put("a_conc8.json", summary(100));
    // A write beyond this size fails as it does on a full disk.
    const auto fails = [&](rlim_t most) {
        return asNobody([&] {
            ::signal(SIGXFSZ, SIG_IGN);
            const rlimit limit{most, most};
            ::setrlimit(RLIMIT_FSIZE, &limit);
            auto catalogue = Catalogue::open(database());
            if (!catalogue)
                return 1;
            return catalogue->import({resultsFolder()}) ? 0 : 2;
        });
    };
    fs::permissions(folder, fs::perms::all);
    for (const rlim_t most : std::initializer_list<rlim_t>{0, 512, 4096, 8192, 20'000, 30'000}) {
        if (fails(most) == 0)
            continue;
        EXPECT_FALSE(fs::exists(database())) << "with room for " << most << " bytes";
        fs::remove(database());
    }
    EXPECT_NE(fails(0), 0);
}

TEST_F(CatalogueTest, TroubleIsOneSentenceThatSaysWhatToDo)
{
    std::ofstream(database()) << std::string(5000, 'x');
    for (const Access access : {Access::Read, Access::Write}) {
        const auto catalogue = Catalogue::open(database(), access);
        ASSERT_FALSE(catalogue);
        EXPECT_EQ(catalogue.error().message, "The catalogue \"" + database() + "\" is no database; move it away or use another catalogue.");
    }
}

TEST_F(CatalogueTest, PointsAreJudgedByTheRulesOfToday)
{
    put("a_conc8.json", R"({"backend": "vllm", "max_concurrency": 8, "completed": 80, "duration": 10.0, "output_throughput": 5,
        "median_ttft_ms": 20.0, "median_tpot_ms": 0.0})");
    ASSERT_TRUE(opened().import({resultsFolder()}));
    {
        QSqlDatabase raw = QSqlDatabase::addDatabase("QSQLITE", "older");
        raw.setDatabaseName(QString::fromStdString(database()));
        ASSERT_TRUE(raw.open());
        ASSERT_TRUE(QSqlQuery(raw).exec(R"(UPDATE points SET json = json_set(json, '$.valid', json('true'), '$.reasons', json('[]')))"));
        raw.close();
    }
    QSqlDatabase::removeDatabase("older");
    const auto points = opened().points();
    ASSERT_TRUE(points);
    EXPECT_FALSE(points->at(0).valid);
}

// ---- what the user says
// ------------------------------------------------------------------------------------------------------------------

TEST_F(CatalogueTest, WhatTheUserSaysStaysWhenFilesAreReadAgain)
{
    const std::string path = put("a_conc8.json", summary(100));
    Catalogue catalogue = opened();
    results::ImportOptions options;
    options.told.fields = {{"gpus", "16"}, {"hardware", "gb200"}};
    const auto first = catalogue.import({resultsFolder()}, options);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->files.at(0).points.at(0).gpus.working, 16) << "the report shows what will be stored";
    std::ofstream(path) << summary(200);
    ASSERT_TRUE(catalogue.import({resultsFolder()}));
    const auto points = opened().points();
    ASSERT_TRUE(points);
    EXPECT_EQ(points->at(0).outputTps, 200);
    EXPECT_EQ(points->at(0).gpus.working, 16);
    EXPECT_EQ(points->at(0).hardware, "gb200");
    EXPECT_EQ(results::originOf(points->at(0), "gpus.working")->key, "told by the user");
}

TEST_F(CatalogueTest, UnchangedFilesTakeWhatTheUserSaysWithoutBeingRead)
{
    put("a_conc8.json", summary(100));
    Catalogue catalogue = opened();
    ASSERT_TRUE(catalogue.import({resultsFolder()}));
    results::ImportOptions options;
    options.told.fields = {{"isl", "512"}};
    EXPECT_EQ(states(catalogue.import({resultsFolder()}, options)).at("a_conc8.json"), FileState::Unchanged);
    EXPECT_EQ(catalogue.points()->at(0).isl, 512);
    EXPECT_THAT(catalogue.points()->at(0).notes, testing::Contains(HasSubstr("the file says 100, you said 512")));
}

TEST_F(CatalogueTest, AnEditOfOnePointCanBeTakenBack)
{
    const std::string path = put("a_conc8.json", summary(100) + "\n" + summary(200));
    Catalogue catalogue = opened();
    ASSERT_TRUE(catalogue.import({resultsFolder()}));
    ASSERT_TRUE(catalogue.edit(path, 1, "gpus", "4"));
    EXPECT_EQ(catalogue.points()->at(0).gpus.working, std::nullopt);
    EXPECT_EQ(catalogue.points()->at(1).gpus.working, 4);
    ASSERT_TRUE(catalogue.edit(path, 1, "gpus", std::nullopt));
    EXPECT_EQ(catalogue.points()->at(1).gpus.working, std::nullopt);
    EXPECT_FALSE(catalogue.edit(path, 1, "gpus", "some"));
    EXPECT_FALSE(catalogue.edit(path, 1, "colour", "red"));
}

TEST_F(CatalogueTest, AFileThatWasSaidToBeOfAFormatStaysOfIt)
{
    const std::string csv =
        "Metric,avg,min,max,p50\r\nTime to First Token (ms),40.00,30.00,70.00,35.00\r\n\r\nMetric,Value\r\nRequest Count,64.00\r\n";
    const std::string path = put("profile_export_aiperf.csv", csv);
    Catalogue catalogue = opened();
    EXPECT_EQ(states(catalogue.import({path})).at("profile_export_aiperf.csv"), FileState::Refused);
    results::ImportOptions options;
    options.told.format = "aiperf-csv";
    EXPECT_EQ(states(catalogue.import({path}, options)).at("profile_export_aiperf.csv"), FileState::Imported)
        << "read again, as it is told now";
    EXPECT_EQ(states(catalogue.import({path})).at("profile_export_aiperf.csv"), FileState::Unchanged);
    std::ofstream(path, std::ios::app) << "Output Token Throughput (tokens/sec),400.00\r\n";
    EXPECT_EQ(states(catalogue.import({path})).at("profile_export_aiperf.csv"), FileState::Imported);
    EXPECT_EQ(catalogue.points()->at(0).outputTps, 400);
}

TEST_F(CatalogueTest, APipeOrADeviceIsNoCatalogue)
{
    const std::string pipe = (folder / "pipe.sqlite").string();
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    for (const std::string& path : {pipe, std::string("/dev/null"), folder.string()})
        for (const Access access : {Access::Read, Access::Write}) {
            const auto opened = Catalogue::open(path, access);
            ASSERT_FALSE(opened) << path;
            EXPECT_THAT(opened.error().message, HasSubstr("cannot be opened, it is "));
        }
}

TEST_F(CatalogueTest, AWrongFormatTakesNothingAwayAndIsNotRemembered)
{
    const std::string file = put("a.json", summary(800));
    const std::string other = put("b.json", summary(900));
    auto catalogue = Catalogue::open((folder / "c.sqlite").string());
    ASSERT_TRUE(catalogue);
    ASSERT_TRUE(catalogue->import({file}));
    results::ImportOptions wrong;
    wrong.told.format = "guidellm";
    const auto refused = catalogue->import({file, other}, wrong);
    ASSERT_TRUE(refused);
    for (const ImportedFile& each : refused->files) {
        EXPECT_EQ(each.state, FileState::Refused);
        EXPECT_THAT(each.reason, HasSubstr("--as auto"));
    }
    EXPECT_EQ(catalogue->points()->size(), 1U);
    const auto missing = catalogue->import({(folder / "none.json").string()}, wrong);
    ASSERT_TRUE(missing);
    EXPECT_THAT(missing->files.at(0).reason, testing::Not(HasSubstr("--as")));
    const auto again = catalogue->import({file, other});
    ASSERT_TRUE(again);
    EXPECT_EQ(again->files[0].state, FileState::Unchanged);
    EXPECT_EQ(again->files[1].state, FileState::Imported);
    results::ImportOptions reset;
    reset.told.format = automaticFormat;
    ASSERT_TRUE(catalogue->import({file, other}, reset));
    EXPECT_EQ(catalogue->points()->size(), 2U);
}

TEST_F(CatalogueTest, AWrongFormatTakesNothingFromAnArchive)
{
    const std::string csv = "Config,Total GPU Count,Decode GPU Count,Concurrency,Total Token Throughput,Output Token Throughput,"
                            "Median TTFT,Median TPOT,Median ITL,P90 Decode Running Requests,Output Token Throughput per User,"
                            "Total Token Throughput per GPU\r\nrun,8,,16,200,300,20,10,10,,100,25\r\n";
    const std::string tar = put("runs.tar", test::tarOf({{"a/a.json", summary(800)}, {"b/benchmark-rollup.csv", csv}}));
    results::ImportOptions options;
    options.scratch = folder.string();
    Catalogue catalogue = opened();
    ASSERT_TRUE(catalogue.import({tar}, options));
    ASSERT_EQ(catalogue.points()->size(), 2U);
    for (const std::string& wrong : {std::string("guidellm"), results::importText("a.json", summary(800)).format}) {
        options.told.format = wrong;
        const auto refused = catalogue.import({tar}, options);
        ASSERT_TRUE(refused);
        EXPECT_EQ(refused->files.at(0).state, FileState::Refused) << wrong;
        EXPECT_THAT(refused->files.at(0).reason, HasSubstr(". Nothing was changed; import it without --as, or with")) << wrong;
        EXPECT_TRUE(refused->points().empty());
        EXPECT_EQ(catalogue.points()->size(), 2U) << wrong;
    }
    options.told.format.clear();
    EXPECT_EQ(catalogue.import({tar}, options)->files.at(0).state, FileState::Unchanged);
}

TEST_F(CatalogueTest, AFormatThatWasSaidBeforeCanBeTakenBack)
{
    const std::string file = put("a.json", summary(800));
    auto catalogue = Catalogue::open((folder / "c.sqlite").string());
    ASSERT_TRUE(catalogue);
    results::ImportOptions said;
    said.told.format = results::importText("a.json", summary(800)).format;
    ASSERT_TRUE(catalogue->import({file}, said));
    put("a.json", "{}");
    for (int i = 0; i < 2; ++i) {
        const auto refused = catalogue->import({file});
        ASSERT_TRUE(refused);
        EXPECT_EQ(refused->files.at(0).state, FileState::Refused);
        EXPECT_THAT(refused->files.at(0).reason, testing::EndsWith("import it with \"--as auto\" to have its format found."));
    }
    said.told.format = automaticFormat;
    const auto reset = catalogue->import({file}, said);
    ASSERT_TRUE(reset);
    EXPECT_THAT(reset->files.at(0).reason, testing::Not(HasSubstr("--as")));
    EXPECT_EQ(reset->files.at(0).toldFormat, "");
}

TEST_F(CatalogueTest, NotesAndTagsComeWithThePointsOfTheirRun)
{
    put("a_conc8.json", summary(100));
    Catalogue catalogue = opened();
    ASSERT_TRUE(catalogue.import({resultsFolder()}));
    const RunId run = catalogue.points()->at(0).run;
    ASSERT_TRUE(catalogue.setNote(run, "the good one"));
    ASSERT_TRUE(catalogue.setTags(run, {"nightly", "best", "nightly"}));
    EXPECT_EQ(catalogue.points()->at(0).userNote, "the good one");
    EXPECT_THAT(catalogue.points()->at(0).tags, ElementsAre("best", "nightly"));
    ASSERT_TRUE(catalogue.setNote(run, ""));
    ASSERT_TRUE(catalogue.setTags(run, {}));
    EXPECT_EQ(catalogue.points()->at(0).userNote, "");
    EXPECT_TRUE(catalogue.points()->at(0).tags.empty());
}

// ---- what may happen to it
// ---------------------------------------------------------------------------------------------------------------

TEST_F(CatalogueTest, AnOlderSchemaIsBroughtUpToDateAndCopiedFirst)
{
    put("a_conc8.json", summary(100));
    ASSERT_TRUE(opened().import({resultsFolder()}));
    {
        QSqlDatabase raw = QSqlDatabase::addDatabase("QSQLITE", "first");
        raw.setDatabaseName(QString::fromStdString(database()));
        ASSERT_TRUE(raw.open());
        for (const char* statement : {"DROP TABLE edits", "DROP TABLE notes", "DROP TABLE tags", "ALTER TABLE files DROP COLUMN told",
                                      "DELETE FROM migrations WHERE version = 2"})
            ASSERT_TRUE(QSqlQuery(raw).exec(statement)) << statement;
        raw.close();
    }
    QSqlDatabase::removeDatabase("first");
    const auto read = Catalogue::open(database(), Access::Read);
    ASSERT_TRUE(read);
    EXPECT_EQ(outputRates(*read), std::vector<double>{100}) << "the first schema can be read as it is";
    EXPECT_FALSE(fs::exists(database() + ".schema1.bak"));
    EXPECT_EQ(outputRates(opened()), std::vector<double>{100});
    const auto copy = Catalogue::open(database() + ".schema1.bak", Access::Read);
    ASSERT_TRUE(copy) << copy.error().message;
    EXPECT_EQ(outputRates(*copy), std::vector<double>{100});
    EXPECT_EQ(states(opened().import({resultsFolder()})).at("a_conc8.json"), FileState::Unchanged);
}

TEST_F(CatalogueTest, AKilledImportLeavesItAsItWas)
{
    put("old_conc8.json", summary(7));
    ASSERT_TRUE(opened().import({resultsFolder()}));
    constexpr int files = 1500;
    for (int i = 0; i < files; ++i)
        put("new" + std::to_string(i) + "_conc8.json", summary(1));
    int killed = 0;
    for (int i = 0; i < 12; ++i) {
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            auto catalogue = Catalogue::open(database());
            ::_exit(catalogue && catalogue->import({resultsFolder()}) ? 0 : 1);
        }
        ::usleep(static_cast<useconds_t>(15'000 * (i + 1)));
        ::kill(child, SIGKILL);
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        if (!WIFSIGNALED(status))
            break; // it was done before
        ++killed;
        const std::vector<double> rates = outputRates(opened());
        ASSERT_TRUE(rates.size() == 1 || rates.size() == files + 1U) << rates.size() << " points: part of an import";
        if (rates.size() > 1)
            break; // killed after its last word
    }
    EXPECT_GT(killed, 0);
    ASSERT_TRUE(opened().import({resultsFolder()}));
    EXPECT_EQ(outputRates(opened()).size(), files + 1U);
}

TEST_F(CatalogueTest, AFullDiskLeavesItAsItWas)
{
    const fs::path small = folder / "small";
    fs::create_directory(small);
    if (::mount("tmpfs", small.c_str(), "tmpfs", 0, "size=400k") != 0)
        GTEST_SKIP() << "a small file system cannot be mounted here: " << std::strerror(errno);
    struct Unmount {
        fs::path path;
        ~Unmount() { ::umount2(path.c_str(), MNT_DETACH); }
    } const unmount{small};
    const std::string file = (small / "catalogue.db").string();
    put("old_conc8.json", summary(7));
    {
        auto catalogue = Catalogue::open(file);
        ASSERT_TRUE(catalogue);
        ASSERT_TRUE(catalogue->import({resultsFolder()}));
    }
    for (int i = 0; i < 1000; ++i)
        put("new" + std::to_string(i) + "_conc8.json", summary(1));
    {
        auto catalogue = Catalogue::open(file);
        ASSERT_TRUE(catalogue);
        const auto imported = catalogue->import({resultsFolder()});
        ASSERT_FALSE(imported) << "1001 points do not fit into 400 KiB";
        EXPECT_THAT(imported.error().message, HasSubstr("disk is full"));
        EXPECT_EQ(outputRates(*catalogue), std::vector<double>{7});
    }
    auto again = Catalogue::open(file);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(outputRates(*again), std::vector<double>{7});
}

TEST_F(CatalogueTest, NothingIsWrittenIntoAFolderOfResults)
{
    put("1001/1001.json", R"({"version": "2.0", "job_id": "1001", "resources": {}})");
    put("1001/logs/a_conc8.json", summary(100));
    const auto snapshot = [&] {
        std::map<std::string, fs::file_time_type> all;
        for (const auto& entry : fs::recursive_directory_iterator(resultsFolder()))
            all[entry.path().string()] = entry.last_write_time();
        return all;
    };
    const auto before = snapshot();
    for (const auto& entry : fs::recursive_directory_iterator(resultsFolder()))
        if (entry.is_directory())
            fs::permissions(entry.path(), fs::perms::owner_read | fs::perms::owner_exec);
    Catalogue catalogue = opened();
    ASSERT_TRUE(catalogue.import({resultsFolder()}));
    ASSERT_TRUE(catalogue.import({resultsFolder()}));
    for (const auto& entry : fs::recursive_directory_iterator(resultsFolder()))
        if (entry.is_directory())
            fs::permissions(entry.path(), fs::perms::owner_all);
    EXPECT_EQ(snapshot(), before);
}

TEST_F(CatalogueTest, MakesTheFolderItLivesIn)
{
    EXPECT_TRUE(Catalogue::open((folder / "state" / "deep" / "catalogue.db").string()));
}

} // namespace
} // namespace wb::catalogue

int main(int argc, char** argv)
{
    testing::InitGoogleTest(&argc, argv);
    if (testing::GTEST_FLAG(list_tests))
        return RUN_ALL_TESTS();
    const QCoreApplication application(argc, argv); // Qt loads no SQL driver without one
    return RUN_ALL_TESTS();
}
