#include "core/results/archive.h"
#include "tests/support/corpus.h"
#include "tests/support/temporaryfolder.h"

#include <archive.h>
#include <archive_entry.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <memory>

namespace wb::results {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using testing::SizeIs;

enum class Kind { Tar, TarGz, Zip };

/// A made archive with these entries.
void pack(const std::string& path, Kind kind, const std::vector<std::pair<std::string, std::string>>& entries)
{
    const std::unique_ptr<archive, decltype(&archive_write_free)> writer(archive_write_new(), &archive_write_free);
    if (kind == Kind::Zip)
        archive_write_set_format_zip(writer.get());
    else
        archive_write_set_format_pax_restricted(writer.get());
    if (kind == Kind::TarGz)
        archive_write_add_filter_gzip(writer.get());
    ASSERT_EQ(archive_write_open_filename(writer.get(), path.c_str()), ARCHIVE_OK);
    for (const auto& [name, bytes] : entries) {
        const std::unique_ptr<archive_entry, decltype(&archive_entry_free)> entry(archive_entry_new(), &archive_entry_free);
        archive_entry_set_pathname(entry.get(), name.c_str());
        archive_entry_set_filetype(entry.get(), AE_IFREG);
        archive_entry_set_perm(entry.get(), 0644);
        archive_entry_set_size(entry.get(), static_cast<la_int64_t>(bytes.size()));
        ASSERT_EQ(archive_write_header(writer.get(), entry.get()), ARCHIVE_OK);
        archive_write_data(writer.get(), bytes.data(), bytes.size());
    }
    archive_write_close(writer.get());
}

const std::string summary = R"({"backend": "dynamo", "max_concurrency": 8, "num_prompts": 10, "completed": 10, "duration": 10,
    "output_throughput": 50.0, "median_tpot_ms": 10.0})";
const std::string metadata = R"({"version": "2.0", "job_id": "1001", "job_name": "job", "resources": {"gpu_type": "gb200",
    "gpus_per_node": 8, "agg_nodes": 1, "agg_workers": 1, "gpus_per_agg": 8}})";
constexpr auto resultName = "outputs/1001/logs/sa-bench_isl_8_osl_8/results_concurrency_8_gpus_8.json";

class ArchiveTest : public testing::TestWithParam<Kind>
{
};

TEST_P(ArchiveTest, IsReadWithTheRunsInItAndLeavesNothingBehind)
{
    const test::TemporaryFolder folder;
    const test::TemporaryFolder scratch;
    const std::string path = folder.below(GetParam() == Kind::Zip ? "runs.zip" : GetParam() == Kind::Tar ? "runs.tar" : "runs.tar.gz");
    pack(path, GetParam(), {{"outputs/1001/1001.json", metadata}, {resultName, summary}, {"outputs/1001/plot.png", "png"}});
    ImportOptions options;
    options.scratch = scratch.path().string();
    const Imported imported = importPaths({folder.path().string()}, options);
    ASSERT_THAT(imported.points(), SizeIs(1)) << imported.files.at(0).reason;
    const Point p = imported.points()[0];
    EXPECT_EQ(p.source, path + '/' + resultName);
    EXPECT_EQ(p.folder, path + "/outputs/1001");
    EXPECT_EQ(p.hardware, "gb200");
    EXPECT_EQ(originOf(p, "hardware")->file, path + "/outputs/1001/1001.json");
    EXPECT_EQ(p.run.text, "job (1001)");
    EXPECT_EQ(p.id, importPaths({path}, options).points().at(0).id);
    ASSERT_THAT(imported.files, SizeIs(1));
    EXPECT_EQ(imported.files[0].format, "archive");
    EXPECT_THAT(imported.files[0].inside, SizeIs(2)) << "what is never a result is not unpacked";
    EXPECT_TRUE(fs::is_empty(scratch.path()));
}

INSTANTIATE_TEST_SUITE_P(Kinds, ArchiveTest, testing::Values(Kind::Tar, Kind::TarGz, Kind::Zip),
                         [](const auto& parameter) { return "kind" + std::to_string(parameter.index); });

TEST(Archive, EntriesThatLieOutsideAreLeftOutAndTold)
{
    const test::TemporaryFolder folder;
    const test::TemporaryFolder scratch;
    pack(folder.below("evil.tar"), Kind::Tar, {{"../../evil.json", summary}, {"/etc/evil.json", summary}, {"good_conc8.json", summary}});
    ImportOptions options;
    options.scratch = scratch.below("inner");
    fs::create_directory(options.scratch);
    const Imported imported = importPaths({folder.below("evil.tar")}, options);
    EXPECT_THAT(imported.points(), SizeIs(1));
    EXPECT_THAT(imported.files.at(0).warnings, Contains(AllOf(HasSubstr("outside"), HasSubstr("../../evil.json"))));
    EXPECT_FALSE(fs::exists(scratch.below("evil.json")));
    EXPECT_FALSE(fs::exists(folder.below("evil.json")));
}

TEST(Archive, AnEntryThatCannotBeWrittenIsToldAndTheOthersAreRead)
{
    const std::string tooLong(300, 'x');
    const std::vector<std::vector<std::pair<std::string, std::string>>> archives = {
        {{"a", "{}"}, {"a/b.json", summary}, {"good_conc8.json", summary}},
        {{"a/b.json", "{}"}, {"a", summary}, {"good_conc8.json", summary}},
        {{tooLong + ".json", summary}, {"good_conc8.json", summary}}};
    for (const auto& entries : archives) {
        const test::TemporaryFolder folder;
        pack(folder.below("odd.tar"), Kind::Tar, entries);
        ImportOptions options;
        options.scratch = folder.path().string();
        const ImportedFile file = importPaths({folder.below("odd.tar")}, options).files.at(0);
        EXPECT_EQ(file.state, FileState::Imported) << file.reason;
        EXPECT_THAT(file.points, SizeIs(1));
        EXPECT_THAT(file.warnings, testing::ElementsAre(HasSubstr("could not be unpacked")));
    }
}

TEST(Archive, AnEntryThatIsCutOffInWritingIsNotRead)
{
    const test::TemporaryFolder folder;
    pack(folder.below("large.tar"), Kind::Tar, {{"large_conc8.json", summary + std::string(100'000, ' ')}, {"good_conc8.json", summary}});
    ImportOptions options;
    options.scratch = folder.path().string();
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{50'000, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const ImportedFile file = importPaths({folder.below("large.tar")}, options).files.at(0);
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_EQ(file.state, FileState::Imported) << file.reason;
    EXPECT_THAT(file.warnings, testing::ElementsAre(AllOf(HasSubstr("large_conc8.json"), HasSubstr("too large"))));
}

TEST(Archive, OneThatIsCutOffIsRefusedWithTheReason)
{
    const test::TemporaryFolder folder;
    const std::string path = folder.below("runs.tar.gz");
    pack(path, Kind::TarGz, {{resultName, summary + std::string(100'000, ' ')}});
    fs::resize_file(path, fs::file_size(path) / 2);
    ImportOptions options;
    options.scratch = folder.path().string();
    const ImportedFile file = importPaths({path}, options).files.at(0);
    EXPECT_EQ(file.state, FileState::Refused);
    EXPECT_THAT(file.reason, HasSubstr("cannot be read"));
}

TEST(Archive, WithoutAPlaceForItsFilesItIsToldAndNotOpened)
{
    const test::TemporaryFolder folder;
    pack(folder.below("runs.zip"), Kind::Zip, {{resultName, summary}});
    const ImportedFile file = importPaths({folder.below("runs.zip")}).files.at(0);
    EXPECT_EQ(file.state, FileState::Ignored);
    EXPECT_THAT(file.reason, HasSubstr("unpack"));
}

TEST(Archive, AStoppedImportLeavesNothingBehind)
{
    const test::TemporaryFolder folder;
    const test::TemporaryFolder scratch;
    pack(folder.below("runs.zip"), Kind::Zip, {{resultName, summary}});
    ImportOptions options;
    options.scratch = scratch.path().string();
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THAT(importArchive(folder.below("runs.zip"), options, stop.get_token()).reason, HasSubstr("stopped"));
    EXPECT_TRUE(fs::is_empty(scratch.path()));
}

} // namespace
} // namespace wb::results
