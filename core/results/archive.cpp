#include "core/results/archive.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/results/filename.h"
#include "core/results/sidefiles.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <stdlib.h> // NOLINT(modernize-deprecated-headers): mkdtemp is POSIX
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <memory>

namespace wb::results {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t mostBytes = std::uintmax_t{4} << 30; ///< A small archive may hold more than any disk.
constexpr std::size_t mostEntries = 200'000;

constexpr auto endings =
    std::to_array<std::string_view>({".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.zst", ".tar.bz2", ".tbz2", ".zip"});

/// A folder of its own, gone with its content at the end.
class Scratch
{
public:
    explicit Scratch(const std::string& parent)
        : m_path(parent + "/srtwb-archive-XXXXXX")
    {
        if (::mkdtemp(m_path.data()) == nullptr)
            m_path.clear();
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    ~Scratch()
    {
        std::error_code ignored;
        if (!m_path.empty())
            fs::remove_all(m_path, ignored);
    }

    [[nodiscard]] const std::string& path() const { return m_path; }

private:
    std::string m_path;
};

/// Closes it at the end.
class OpenFile
{
public:
    explicit OpenFile(int file)
        : m_file(file)
    {
    }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    ~OpenFile()
    {
        if (m_file >= 0)
            ::close(m_file);
    }

    [[nodiscard]] bool isOpen() const { return m_file >= 0; }
    [[nodiscard]] int get() const { return m_file; }

private:
    int m_file;
};

ImportedFile refused(const std::string& path, std::string reason)
{
    ImportedFile file;
    file.path = path;
    file.state = FileState::Refused;
    file.reason = std::move(reason);
    return file;
}

/// The path of an entry below the archive; empty when it leads out of it or is none.
std::string safePath(const char* name)
{
    if (!name)
        return {};
    const fs::path path = fs::path(name).lexically_normal();
    if (path.empty() || path.is_absolute() || *path.begin() == "..")
        return {};
    return path.generic_string();
}

class Unpacker
{
public:
    Unpacker(std::string archive, std::string target)
        : m_name(std::move(archive))
        , m_target(std::move(target))
    {
    }

    Result<void> run(const std::stop_token& stop)
    {
        const std::unique_ptr<archive, decltype(&archive_read_free)> reader(archive_read_new(), &archive_read_free);
        archive_read_support_filter_all(reader.get());
        archive_read_support_format_tar(reader.get());
        archive_read_support_format_zip(reader.get());
        constexpr std::size_t blockSize = 65536;
        if (archive_read_open_filename(reader.get(), m_name.c_str(), blockSize) != ARCHIVE_OK)
            return broken(reader.get());
        archive_entry* entry = nullptr;
        std::size_t count = 0;
        for (;;) {
            if (stop.stop_requested())
                return failure(ErrorCode::Cancelled, "The import was stopped.");
            const int status = archive_read_next_header(reader.get(), &entry);
            if (status == ARCHIVE_EOF)
                return {};
            if (status < ARCHIVE_WARN)
                return broken(reader.get());
            if (++count > mostEntries)
                return failure(ErrorCode::Unsupported, "The archive holds more than " + std::to_string(mostEntries) + " files.");
            if (auto done = unpack(reader.get(), entry, stop); !done)
                return done;
        }
    }

    std::vector<std::string> warnings;

private:
    [[nodiscard]] tl::unexpected<Error> broken(archive* reader) const
    {
        const char* said = archive_error_string(reader);
        return failure(ErrorCode::Malformed, "The archive cannot be read" + (said ? ": " + std::string(said) : std::string()) + '.');
    }

    Result<void> unpack(archive* reader, archive_entry* entry, const std::stop_token& stop)
    {
        if (archive_entry_filetype(entry) != AE_IFREG)
            return {};
        const std::string path = safePath(archive_entry_pathname(entry));
        if (path.empty()) {
            const char* name = archive_entry_pathname(entry);
            warnings.push_back("An entry was left out, as it would lie outside of the archive: " + base::pathInQuotes(name ? name : "") +
                               '.');
            return {};
        }
        if (verdictOnName(path))
            return {}; // a picture, a container image: never a result
        const fs::path target = fs::path(m_target) / path;
        std::error_code error;
        fs::create_directories(target.parent_path(), error);
        const OpenFile out(error ? -1 : ::open(target.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
        if (!out.isOpen())
            return notWritten(path, error ? error.value() : errno);
        const void* block = nullptr;
        std::size_t size = 0;
        la_int64_t offset = 0;
        for (;;) {
            const int status = archive_read_data_block(reader, &block, &size, &offset);
            if (status == ARCHIVE_EOF)
                break;
            if (status < ARCHIVE_WARN)
                return broken(reader);
            if (stop.stop_requested())
                return failure(ErrorCode::Cancelled, "The import was stopped.");
            m_bytes += size;
            if (m_bytes > mostBytes)
                return failure(ErrorCode::Unsupported, "The archive holds more than 4 GiB of possible results; unpack it to import it.");
            const bool isThere = ::lseek(out.get(), offset, SEEK_SET) >= 0;
            const int failed = isThere ? base::writeAll(out.get(), {static_cast<const char*>(block), size}) : errno;
            if (failed != 0) {
                fs::remove(target, error); // half a result is none
                return notWritten(path, failed);
            }
        }
        return {};
    }

    /// Where nothing more can be written the archive is given up; what hinders one entry (a file of the name of its folder, a name that is
    /// too long) is told, and the others are read.
    Result<void> notWritten(const std::string& path, int errorNumber)
    {
        const std::string why = std::error_code(errorNumber, std::generic_category()).message();
        if (errorNumber == ENOSPC || errorNumber == EDQUOT || errorNumber == EIO || errorNumber == EROFS)
            return failure(ErrorCode::Refused, "The archive could not be unpacked into " + base::pathInQuotes(m_target) + ": " + why + '.');
        warnings.push_back("An entry was left out, as it could not be unpacked: " + base::pathInQuotes(path) + " (" + why + ").");
        return {};
    }

    std::string m_name;
    std::string m_target;
    std::uintmax_t m_bytes = 0;
};

/// Puts the archive's own path in place of the folder it was unpacked to.
class Renamer
{
public:
    Renamer(std::string folder, std::string archive)
        : m_folder(std::move(folder))
        , m_archive(std::move(archive))
        , m_real(realPath(m_archive))
    {
    }

    void rename(std::string& text) const { text = base::replacedAll(text, m_folder, m_archive); }

    void rename(ImportedFile& file) const
    {
        file.real = base::replacedAll(file.path, m_folder, m_real);
        rename(file.path);
        rename(file.reason);
        for (std::string& warning : file.warnings)
            rename(warning);
        for (Point& point : file.points)
            rename(point);
    }

    void rename(Point& point) const
    {
        point.id = idOf(point, base::replacedAll(point.source, m_folder, m_real));
        rename(point.source);
        rename(point.folder);
        if (point.recipe)
            rename(*point.recipe);
        for (auto& [field, origin] : point.origins) {
            rename(origin.file);
            rename(origin.raw);
        }
        for (std::vector<std::string>* texts : {&point.notes, &point.reasons})
            for (std::string& text : *texts)
                rename(text);
    }

private:
    std::string m_folder, m_archive;
    std::string m_real; ///< The archive's own.
};

} // namespace

bool isArchiveName(std::string_view path)
{
    const std::string name = base::lowered(lastPart(path));
    return std::ranges::any_of(endings, [&](std::string_view ending) { return name.ends_with(ending); });
}

ImportedFile importArchive(const std::string& path, const ImportOptions& options, const std::stop_token& stop)
{
    if (options.scratch.empty()) {
        ImportedFile file = refused(path, "An archive, which is not opened here; unpack it to import what is in it.");
        file.state = FileState::Ignored;
        return file;
    }
    const Scratch scratch(options.scratch);
    if (scratch.path().empty())
        return refused(path, "The archive could not be unpacked: no folder can be made in " + base::pathInQuotes(options.scratch) + '.');
    Unpacker unpacker(path, scratch.path());
    if (const auto done = unpacker.run(stop); !done)
        return refused(path, done.error().message);
    ImportOptions inner = options;
    inner.skip = {};
    inner.progress = {};
    inner.scratch.clear(); // an archive in an archive is told
    Imported imported = importPaths({scratch.path()}, inner, stop);
    ImportedFile file;
    file.path = path;
    file.format = archiveFormat;
    file.warnings = std::move(unpacker.warnings);
    const Renamer renamer(scratch.path(), path);
    for (ImportedFile& each : imported.files) {
        renamer.rename(each);
        file.points.insert(file.points.end(), each.points.begin(), each.points.end());
    }
    file.inside = std::move(imported.files);
    file.state = file.points.empty() ? FileState::Refused : FileState::Imported;
    if (file.points.empty())
        file.reason = "The archive holds no result (" + std::to_string(file.inside.size()) + " files were looked at).";
    return file;
}

} // namespace wb::results
